"""Grammar files to a :class:`Grammar`: features, categories, tables, relations, constants, constructors."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from gramprobe.formula.notation import FormulaError, parse_meaning
from gramprobe.resolve import lin
from gramprobe.resolve.anaphors import check_anaphors
from gramprobe.resolve.declarations import (
    Argument,
    Category,
    Column,
    Constructor,
    Feature,
    Grammar,
    Meaning,
    Refers,
    Relation,
    Scope,
    Table,
)
from gramprobe.resolve.readings import check_readings
from gramprobe.resolve.types import Type, parse_type
from gramprobe.resolve.where import check_where
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.source.nearest import nearest
from gramprobe.source.span import Span
from gramprobe.syntax import tree as syntax


def resolve_grammar(lines: list[syntax.GrammarLine], findings: Findings) -> Grammar:
    """Declare in the order features, categories, tables, relations, constants, constructors; then check words."""
    grammar = Grammar()
    findings.lost |= {n for x in lines if isinstance(x, syntax.Broken) for n in x.names}
    _features([x for x in lines if isinstance(x, syntax.Feature)], grammar, findings)
    _groups([x for x in lines if isinstance(x, syntax.Group)], grammar, findings)
    categories = [x for x in lines if isinstance(x, syntax.Category)]
    findings.lost |= {f"{c.name.text}.*" for c in categories if any(n.name.text in findings.lost for n in c.columns)}
    for category in categories:
        _category(category, {c.name.text for c in categories}, grammar, findings)
    for line in lines:
        match line:
            case syntax.Table():
                _table(line, grammar, findings)
            case syntax.Relation():
                _relation(line, grammar, findings)
            case syntax.Constant():
                _constant(line, grammar, findings)
            case syntax.Sentence():
                sentence = _assumed(line.category, grammar.categories, "category", findings)
                if sentence is None:
                    findings.lost.add("sentence")
                else:
                    grammar.sentences[sentence] = line.final.text
            case _:
                pass
    for line in lines:
        if isinstance(line, syntax.Function):
            _constructor(line, grammar, findings)
    for constructor in grammar.constructors.values():
        lin.check_words(constructor, grammar, findings)
        check_where(constructor, grammar, findings)
    check_readings(lines, grammar, findings)
    check_anaphors(lines, grammar, findings)
    needs, asked = lin.needed(grammar), lin.requests(grammar)
    for constructor in grammar.constructors.values():
        lin.check_requests(constructor, asked, grammar, findings)
        lin.check_asked(constructor, needs, grammar, findings)
    return grammar


def _known(word: syntax.Word, known: Iterable[str], what: str, findings: Findings) -> bool:
    names = list(known)
    if word.text in names:
        return True
    findings.add(messages.unknown_name(word.span, what, word.text, names))
    return False


def _assumed(word: syntax.Word, known: Iterable[str], what: str, findings: Findings) -> str | None:
    """The name, if it is known; else (and told) the nearest one, so that one slip is one message."""
    names = list(known)
    return word.text if _known(word, names, what, findings) else nearest(word.text, names)


def _fresh(word: syntax.Word, declared: dict[str, object], what: str, findings: Findings) -> bool:
    if word.text not in declared:
        return True
    place = getattr(declared[word.text], "span", None)
    findings.add(messages.declared_twice(word.span, f"{what} `{word.text}`", place))
    return False


def _features(lines: list[syntax.Feature], grammar: Grammar, findings: Findings) -> None:
    for line in lines:
        if not _fresh(line.name, dict(grammar.features), "feature", findings):
            continue
        values: list[str] = []
        for value in line.values:
            if value.text in values:
                findings.add(messages.declared_twice(value.span, f"value `{value.text}`", line.name.span))
            else:
                values.append(value.text)
        grammar.features[line.name.text] = Feature(line.name.text, tuple(values), line.name.span)


def _groups(lines: list[syntax.Group], grammar: Grammar, findings: Findings) -> None:
    for line in lines:
        if not _known(line.feature, grammar.features, "feature", findings):
            continue
        feature = grammar.features[line.feature.text]
        members: list[str] = []
        for value in line.values:
            if value.text in feature.values or value.text in feature.groups:
                members.extend(feature.expand(value.text))
            else:
                findings.add(messages.unknown_value(value.span, feature.name, value.text, feature.values))
        if line.name.text in feature.values or line.name.text in feature.groups:
            findings.add(messages.declared_twice(line.name.span, f"value `{line.name.text}`", feature.span))
        else:
            feature.groups[line.name.text] = tuple(dict.fromkeys(members))


def feature_values(words: tuple[syntax.Word, ...], feature: Feature, findings: Findings) -> tuple[str, ...]:
    """The values that words name, groups expanded; unknown ones are told."""
    values: list[str] = []
    for word in words:
        if word.text in feature.values or word.text in feature.groups:
            values.extend(feature.expand(word.text))
        else:
            findings.add(messages.unknown_value(word.span, feature.name, word.text, [*feature.values, *feature.groups]))
    return tuple(dict.fromkeys(values))


def _type(node: syntax.Type | None, findings: Findings) -> Type | None:
    if node is None:
        return None
    try:
        return parse_type(node.text)
    except ValueError as error:
        findings.add(messages.unknown_type(node.span, str(error)))
        return None


def _category(line: syntax.Category, all_names: set[str], grammar: Grammar, findings: Findings) -> None:
    if not _fresh(line.name, dict(grammar.categories), "category", findings):
        return
    features: list[str] = []
    fixed: dict[str, tuple[str, ...]] = {}
    columns: dict[str, Column] = {}
    for column in line.columns:
        name = column.name.text
        if name in features or name in fixed or name in columns:
            findings.add(messages.declared_twice(column.name.span, f"feature `{name}`", line.name.span))
        elif column.type is not None:
            if column.type.text != "number" and column.type.text not in all_names:
                _known(column.type, [*grammar.features, *all_names, "number"], "feature or category", findings)
            columns[name] = Column(name, column.type.text, column.is_set, column.optional, column.name.span)
        elif feature := _assumed(column.name, grammar.features, "feature", findings):
            if column.fixed:
                fixed[feature] = feature_values(column.fixed, grammar.features[feature], findings)
            else:
                features.append(feature)
        else:
            findings.lost.add(f"{line.name.text}.*")
    forms = tuple(w.text for w in line.forms)
    form_feature = None
    if line.file is not None and not line.single_form:
        form_feature = _form_feature(line, forms, features, grammar, findings)
    grammar.categories[line.name.text] = Category(
        line.name.text,
        tuple(features),
        fixed,
        columns,
        _type(line.type, findings),
        line.name.span,
        file=line.file.text if line.file else None,
        form_feature=form_feature,
        form_names=forms,
        file_span=line.file.span if line.file else None,
    )


def _form_feature(
    line: syntax.Category, forms: tuple[str, ...], features: list[str], grammar: Grammar, findings: Findings
) -> str | None:
    """The feature of the category that has every form column among its values."""
    fitting = [f for f in features if set(forms) <= set(grammar.features[f].values)]
    if len(fitting) == 1 and forms:
        return fitting[0]
    assert line.file is not None
    findings.add(messages.forms_of_no_feature(line.file.span, line.name.text, forms, features))
    findings.lost.add(f"{line.name.text} words")
    return None


def _table(line: syntax.Table, grammar: Grammar, findings: Findings) -> None:
    if not _fresh(line.name, dict(grammar.tables), "table", findings):
        return
    known = [_known(k, grammar.features, "feature", findings) for k in line.keys]
    if line.result is not None:
        known.append(_known(line.result, grammar.features, "feature", findings))
    if not all(known):
        findings.lost.add(line.name.text)
        return
    keys = [grammar.features[k.text] for k in line.keys]
    wrong = line.broken
    cells: dict[tuple[str, ...], str] = {}
    exact: dict[tuple[str, ...], int] = {}
    for row in line.rows:
        *given, value = row.cells
        if len(given) > len(keys) or row.quoted[-1] == (line.result is not None) or any(row.quoted[:-1]):
            findings.add(
                messages.bad_table_row(row.cells[-1].span, line.name.text, [k.name for k in keys], line.result is None)
            )
            wrong = True
            continue
        choices: list[tuple[str, ...]] = [feature_values((g,), k, findings) for g, k in zip(given, keys, strict=False)]
        if line.result is not None:
            feature_values((value,), grammar.features[line.result.text], findings)
        wrong = wrong or not all(choices)
        for cell in product(*choices, *(k.values for k in keys[len(given) :])):
            if cell in cells and exact[cell] == len(given):
                findings.add(messages.declared_twice(row.cells[0].span, f"the cell {', '.join(cell)}", line.name.span))
            if cell not in cells or exact[cell] < len(given):
                cells[cell], exact[cell] = value.text, len(given)
    missing = [c for c in product(*(k.values for k in keys)) if c not in cells]
    if missing and not wrong:
        findings.add(messages.table_incomplete(line.name.span, line.name.text, missing))
    grammar.tables[line.name.text] = Table(
        line.name.text,
        tuple(k.name for k in keys),
        line.result.text if line.result else None,
        cells,
        line.name.span,
    )


def _relation(line: syntax.Relation, grammar: Grammar, findings: Findings) -> None:
    sides: list[tuple[str, str]] = []
    for operand in (line.left, line.right):
        name = operand.name.text
        if operand.column is None:
            if not _known(operand.name, grammar.features, "feature", findings):
                findings.lost.add(line.name.text)
                return
            sides.append((name, name))
            continue
        if not _known(operand.name, grammar.categories, "category", findings):
            findings.lost.add(line.name.text)
            return
        category = grammar.categories[name]
        if operand.column.text not in category.known:
            findings.add(messages.unknown_feature(operand.column.span, name, operand.column.text, category.known))
            findings.lost.add(line.name.text)
            return
        sides.append((name, operand.column.text))
    pairs = None
    if line.rows:
        pairs = frozenset((r.cells[0].text, r.cells[1].text) for r in line.rows if len(r.cells) == 2)
        for row in line.rows:
            if len(row.cells) != 2:
                findings.add(messages.bad_relation_row(row.cells[0].span, line.name.text))
    relation = Relation(line.name.text, sides[0], sides[1], pairs, line.name.span)
    grammar.relations.setdefault(line.name.text, []).append(relation)


def _constant(line: syntax.Constant, grammar: Grammar, findings: Findings) -> None:
    type_ = _type(line.type, findings)
    if type_ is None:
        findings.lost.update(n.text for n in line.names)
    for name in line.names:
        if name.text in grammar.constants:
            findings.add(messages.declared_twice(name.span, f"constant `{name.text}`", None))
        elif type_ is not None:
            grammar.constants[name.text] = type_


def _constructor(line: syntax.Function, grammar: Grammar, findings: Findings) -> None:
    declared = {**grammar.constructors, **grammar.categories}
    if not _fresh(line.name, dict(declared), "constructor or category", findings):
        return
    result = _assumed(line.result, grammar.categories, "category", findings)
    ok = result is not None
    arguments: list[Argument] = []
    for argument in line.arguments:
        known = [*grammar.categories, *grammar.features]
        found = _assumed(argument.category, known, "category or feature", findings)
        if found is None:
            ok = False
            continue
        if any(a.name == argument.name.text for a in arguments):
            findings.add(
                messages.declared_twice(argument.name.span, f"argument `{argument.name.text}`", line.name.span)
            )
        said = {m.text for m in argument.modifiers}
        for modifier in argument.modifiers:
            if modifier.text not in ("head", "island"):
                findings.add(messages.unknown_name(modifier.span, "modifier", modifier.text, ["head", "island"]))
        arguments.append(
            Argument(
                argument.name.text,
                found,
                found not in grammar.categories,
                "head" in said,
                "island" in said,
            )
        )
    if not ok or result is None:
        findings.lost.add(line.name.text)
        return
    if len(arguments) == 1 and not arguments[0].is_feature and not arguments[0].island:
        only = arguments[0]
        arguments = [Argument(only.name, only.category, False, True, False)]
    category = grammar.categories[result]
    fixed: dict[str, tuple[str, ...]] = {}
    for case in line.features:
        name = case.operand.name
        if name.text in category.features and name.text in grammar.features:
            fixed[name.text] = feature_values(case.values, grammar.features[name.text], findings)
        elif name.text in category.columns and category.columns[name.text].type in grammar.features:
            fixed[name.text] = feature_values(case.values, grammar.features[category.columns[name.text].type], findings)
        elif name.text in category.columns:
            fixed[name.text] = tuple(w.text for w in case.values)
        else:
            findings.add(messages.unknown_feature(name.span, category.name, name.text, category.known))
    variables = [*(a.name for a in arguments), *(["it"] if line.refers else [])]
    meanings = tuple(m for s in line.sems if (m := _meaning(s, variables, findings)) is not None)
    grammar.constructors[line.name.text] = Constructor(
        line.name.text,
        tuple(arguments),
        result,
        fixed,
        line.where,
        line.lins,
        meanings,
        tuple(map(_scope, line.scopes)),
        line.name.span,
        line.broken,
        tuple(Refers(r.cases, tuple(w.text for w in r.names), r.span) for r in line.refers),
    )
    if not line.sems and not line.broken:
        findings.add(messages.no_meaning(line.name.span, line.name.text))


def _scope(line: syntax.Scope) -> Scope:
    trace = line.trace.text if line.trace is not None else None
    return Scope(line.cases, line.name.text, tuple(w.text for w in line.above), trace, line.exceptional)


def _meaning(line: syntax.Sem, variables: list[str], findings: Findings) -> Meaning | None:
    try:
        formula = parse_meaning(line.formula.text, variables=variables)
    except FormulaError as error:
        findings.add(formula_problem(line.formula.span, error))
        return None
    name = line.reading.text if line.reading is not None else ""
    return Meaning(line.cases, formula, line.formula.text, line.formula.span, name)


def formula_problem(span: Span, error: FormulaError) -> Diagnostic:
    """A formula's own complaint, at its place in the file."""
    return messages.bad_formula(span.at(error.offset, error.length), error.message, error.hint or "")
