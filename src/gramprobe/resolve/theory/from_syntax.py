"""Theory files to a :class:`~gramprobe.resolve.theory.data.Theory`: a file with the files that it includes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from gramprobe.formula.ast import Formula
from gramprobe.formula.demands import NAMES, NUMBERS
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import CASES, CELLS, CONNECTIVES, EXHAUSTIFY, KNOWN, MIDDLE, VALUES, Projection
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.grammar.types import Type, arity
from gramprobe.resolve.names import require_known
from gramprobe.resolve.theory.data import NOTHING, How, Schema, Theory, What, Withheld
from gramprobe.resolve.theory.events import event_models
from gramprobe.resolve.theory.lexical import CellCondition, cell_condition, conditions_of_each, satisfies
from gramprobe.resolve.theory.operators import expanded, read_formula, vocabulary
from gramprobe.resolve.theory.pairs import PairSchema, pair_schema
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import theory_tree as syntax
from gramprobe.syntax.tree import Word

CONDITIONALS = ("material",)
RESTRICTORS = ("any", "nonempty")
NUMERALS = ("atleast", "exactly")
_FIELDS = dict(zip(CONNECTIVES, ("conjunction", "disjunction", "implication"), strict=True))


def resolve_theory(
    name: str,
    files: Mapping[str, syntax.Theory],
    grammar: Grammar | None,
    findings: Findings,
    at: Span | None = None,
    elsewhere: frozenset[str] = frozenset(),
    others: Callable[[], frozenset[str]] = frozenset,
) -> Theory | None:
    """The theory of that name with its includes; None, with a diagnostic, if a file is missing.

    ``others``: the words, constants and operators of all files, for lines that only some grammars have the names of.

    Without a grammar (for formulas typed by hand) the lines about lexemes are left out. Lines about categories that
    only other grammars have (``elsewhere``) are always left out. ``at``: the place where the theory is named.
    """
    lines = _included(name, files, findings, at, ())
    if lines is None:
        return None
    categories = [x.each for line in lines for x in line.operators] + [
        x.category for line in lines for x in line.postulates
    ]
    categories += [x.each for line in lines for x in line.withheld]
    skip = frozenset(w.text for w in categories if w is not None and _of_another(w, grammar, elsewhere))
    words = vocabulary(lines, grammar, findings, skip)
    known = {
        "conditional": CONDITIONALS,
        "restrictors": RESTRICTORS,
        "exhaustify": EXHAUSTIFY,
        "numerals": NUMERALS,
        **{name: tuple(NUMBERS) for name in NAMES},
    }
    settings = {key: names[0] for key, names in known.items()}
    for line in lines:
        for key, names in known.items():
            settings[key] = _setting(line, key, names, settings[key], findings)
    postulates: list[Formula] = []
    schemas: list[Schema] = []
    pair_schemas: list[PairSchema] = []
    for line in lines:
        for postulate in line.postulates:
            if postulate.category is not None and (grammar is None or postulate.category.text in skip):
                continue
            formula = read_formula(postulate.formula, (), words.names, findings, "in a postulate")
            if formula is None:
                continue
            formula = expanded(postulate.formula, formula, words.definitions, findings)
            if grammar is not None and not _fits(postulate, formula, grammar, findings):
                continue
            if not postulate.variables:
                postulates.append(formula)
                if grammar is not None:
                    _warn_of_strangers(postulate, formula, grammar, others, findings)
            elif grammar is not None and len(postulate.variables) > 1:
                pair = pair_schema(postulate, formula, grammar, findings)
                if pair is not None:
                    pair_schemas.append(pair)
            elif grammar is not None:
                schema = _schema(postulate, formula, grammar, findings)
                if schema is not None:
                    schemas.append(schema)
    return Theory(
        name=name,
        operators=tuple(words.operators.values()),
        lexical_operators=tuple(words.lexical),
        postulates=tuple(postulates),
        schemas=tuple(schemas),
        pair_schemas=tuple(pair_schemas),
        projection=_projection(lines, findings),
        conditional=settings["conditional"],
        span=lines[-1].name.span,
        definitions=tuple(words.definitions.values()),
        scales=tuple(words.scales),
        events=event_models(lines, words, findings),
        restrictors=settings["restrictors"],
        exhaustify=settings["exhaustify"],
        numerals=settings["numerals"],
        demands={name: settings[name] for name in NAMES},
        withheld=tuple(_withheld(lines, words.names, grammar, findings, others, skip)),
    )


NAMED = "operator, constant or word"
"""What a `withhold` line names."""


def _withheld(
    lines: Sequence[syntax.Theory],
    operators: Sequence[str],
    grammar: Grammar | None,
    findings: Findings,
    others: Callable[[], frozenset[str]],
    skip: frozenset[str],
) -> Iterator[Withheld]:
    """What readers hang no label on: operators, constants or words of this grammar or of another. What stands behind
    `as` is an operator, or a verb that is one, wherever the grammar has what it stands for. ``skip``: categories that
    only another grammar has."""
    verbs = {word.each.text for line in lines for word in line.operators if word.each is not None}
    words = grammar.symbols().values() if grammar is not None else ()
    known = (*operators, *(word.id for word in words if word.category in verbs))
    for each in (each for line in lines for each in line.withheld):
        named = [*each.names, *([each.instead] if each.instead is not None and each.instead.text != NOTHING else [])]
        strange = [word for word in named if word.text not in known and grammar is not None]
        elsewhere = others() if strange else frozenset()
        here = any(word.text in known for word in each.names)
        strange = [word for word in strange if word.text not in elsewhere or (here and word is each.instead)]
        found = [
            require_known(word, known, "operator" if word is each.instead else NAMED, findings) for word in strange
        ]
        of_each = () if each.each is None or each.each.text in skip else _of_each(each, each.each, grammar, findings)
        if all(found) and (each.names or of_each):
            names = *(word.text for word in each.names), *of_each
            yield Withheld(
                what=cast(What, each.what.text), names=names, how=cast(How, each.how),
                instead=each.instead.text if each.instead is not None else "", reason=each.reason.text,
            )  # fmt: skip


def _of_each(line: syntax.Withhold, category: Word, grammar: Grammar | None, findings: Findings) -> tuple[str, ...]:
    """The words of a category that a line names; none, with a diagnostic, of one that no grammar has."""
    if grammar is None or not require_known(category, grammar.categories, "category", findings):
        return ()
    where = conditions_of_each(line, grammar, findings)
    return tuple(word.id for word in grammar.categories[category.text].lexemes if satisfies(word, where))


def _of_another(category: Word | None, grammar: Grammar | None, elsewhere: frozenset[str]) -> bool:
    """Whether a category is absent from this grammar and declared by another."""
    return (
        category is not None
        and grammar is not None
        and category.text not in grammar.categories
        and category.text in elsewhere
    )


def _included(
    name: str, files: Mapping[str, syntax.Theory], findings: Findings, at: Span | None, above: tuple[Word, ...]
) -> list[syntax.Theory] | None:
    """The theory's files, included files first; None, with a diagnostic, for a missing file. A circle is reported.

    ``above``: the `include` lines that led here, from the first theory on.
    """
    if name not in files:
        findings.add(messages.names.unknown_name(at or Span(name, 1, 1), "theory", name, files, code="E20"))
        return None
    theory = files[name]
    included: list[syntax.Theory] = []
    for include in theory.includes:
        path = [word.text for word in above] or [name]
        if include.text in path:
            circle = [include, *above[path.index(include.text) + 1 :]]
            first = min(range(len(circle)), key=lambda at: circle[at].text)  # the same wherever the circle is entered
            names = [word.text for word in (*circle[first:], *circle[:first], circle[first])]
            findings.add(messages.names.circle(circle[first].span, "include", tuple(names)))
            findings.muted = True
            continue
        start = above or (Word(name, include.span),)
        inner = _included(include.text, files, findings, include.span, (*start, include))
        included.extend(x for x in inner or () if x not in included)
    return [*included, theory]


def _setting(line: syntax.Theory, key: str, known: tuple[str, ...], before: str, findings: Findings) -> str:
    """The value of a setting after this file: its own, or that of the files before."""
    if key not in line.settings:
        return before
    word = line.settings[key][0]
    what = f"number that {key} presuppose" if key in NAMES else key
    return word.text if require_known(word, known, what, findings) else before


def _projection(lines: Sequence[syntax.Theory], findings: Findings) -> Projection:
    """The projection of a theory with its includes, which come first; `middle` without a line.

    A `projection` line with tables below it declares them under its name, for this file and those that include it; one
    without names such tables, or those that are known everywhere. The last file decides. Mistakes are reported.
    """
    declared, projection = dict(KNOWN), MIDDLE
    for line in lines:
        for name in line.settings.get("projection", ())[:1]:
            if line.tables:
                stated = _stated(name, line.tables, findings)
                if stated is None:
                    continue
                declared[name.text] = stated
            if require_known(name, declared, "projection", findings):
                projection = declared[name.text]
    return projection


def _stated(name: Word, tables: Sequence[syntax.Cells | syntax.Cases], findings: Findings) -> Projection | None:
    """The projection with these tables; None, with a diagnostic, if they do not fit."""
    known: dict[str, Any] = {}
    for table in tables:
        if isinstance(table, syntax.Cases):
            known[table.scope.text] = table.case.text if require_known(table.case, CASES, "case", findings) else ""
        else:
            known[_FIELDS[table.connective.text]] = _values(table, findings)  # type: ignore[index]
    for line, field in (*_FIELDS.items(), ("modals", "modals"), ("quantifiers", "quantifiers")):
        if field not in known:
            findings.add(messages.logic.no_table(name.span, name.text, line, getattr(MIDDLE, field)))
            return None
    if not all(known.values()):
        return None
    stated = Projection(name=name.text, **known)
    if name.text in KNOWN and stated != KNOWN[name.text]:
        findings.add(messages.logic.known_projection(name.span, name.text))
        return None
    return stated


def _values(table: syntax.Cells, findings: Findings) -> str:
    """The nine values of a connective in the order of CELLS; the empty text, with a diagnostic, if they do not fit."""
    connective, rows = table.connective, {left.text: (left, values) for left, values in table.rows}
    words = (word for left, values in table.rows for word in (left, *values))
    if not all(require_known(word, VALUES, "truth value", findings) for word in words):
        return ""
    cells: dict[str, Word] = {}
    for left in VALUES:
        row, values = rows.get(left, (connective, ()))
        if len(values) != len(VALUES):
            findings.add(messages.logic.no_cells(row.span, connective.text, left, len(values)))
            return ""
        cells |= {left + right: word for right, word in zip(VALUES, values, strict=True)}
    for cell, word in cells.items():
        classical = MIDDLE.table(connective.text)[CELLS.index(cell)]  # type: ignore[arg-type]
        if "U" not in cell and word.text != classical:
            findings.add(messages.logic.unclassical(word.span, connective.text, cell, word.text, classical))
            return ""
    return "".join(word.text for word in cells.values())


def _fits(line: syntax.Postulate, formula: Formula, grammar: Grammar, findings: Findings) -> bool:
    """Whether the words and constants of a postulate have as many arguments as their types; report it if not."""
    of = line.category.text if line.category is not None else ""
    variables = {variable.text for variable in line.variables}

    def type_of(name: str) -> Type | None:
        if name in grammar.constants:
            return grammar.constants[name]
        every = grammar.categories.values()
        own = grammar.categories.get(of) if name in variables else next((c for c in every if name in c.by_id), None)
        return own.type if own is not None else None

    used = symbols(formula)
    for name, count in (*sorted(used.predicates), *((each, 0) for each in sorted(used.constants))):
        type_ = type_of(name)
        if type_ is not None and arity(type_) != count:
            number = arity(type_)
            place = line.formula.span.at(max(line.formula.text.find(name), 0), len(name))
            message = f"`{name}` takes {number or 'no'} argument{'s' if number > 1 else ''} but got {count or 'none'}"
            findings.add(messages.grammar.bad_formula(place, message, f"its type is {type_}"))
            return False
    return True


def _warn_of_strangers(
    line: syntax.Postulate,
    formula: Formula,
    grammar: Grammar,
    others: Callable[[], frozenset[str]],
    findings: Findings,
) -> None:
    """Say of which names of a postulate without `each` no sentence speaks: the grammars have none of them. Who types
    formulas may speak of them, so that it is no mistake."""
    used = symbols(formula)
    known = {*grammar.constants, *grammar.symbols()}
    strange = [name for name in sorted({*(p for p, _ in used.predicates), *used.constants}) if name not in known]
    for name in strange:
        if name not in others():
            place = line.formula.span.at(max(line.formula.text.find(name), 0), len(name))
            findings.add(messages.logic.postulate_of_no_word(place, name, known))


def _schema(line: syntax.Postulate, formula: Formula, grammar: Grammar, findings: Findings) -> Schema | None:
    """The schema of an `each` postulate; None, with a diagnostic, for an undeclared name in it."""
    assert line.category is not None
    (variable,) = line.variables
    if not require_known(line.category, grammar.categories, "category", findings):
        return None
    category = grammar.categories[line.category.text]
    where: list[CellCondition] = []
    for condition in line.where:
        left, *right = condition.operands
        if condition.kind not in ("=", "!=") or left.column is None or left.name.text != variable.text:
            findings.add(messages.grammar.bad_schema_condition(condition.span, variable.text))
            continue
        cell = cell_condition(left.column, right[0].name, condition.kind == "=", category, grammar, findings)
        if cell is None:
            return None
        where.append(cell)
    used = symbols(formula)
    names = (*(p for p, _ in used.predicates), *used.constants)
    for name in names:
        head = name.partition(".")[0]
        if head != variable.text and head not in grammar.constants and not grammar.is_symbol(head):
            words = [variable.text, *grammar.constants, *grammar.symbols()]
            place = line.formula.span.at(max(line.formula.text.find(name), 0), len(name))
            findings.add(messages.names.unknown_name(place, "constant or word", name, words))
            return None
    columns = tuple(n.partition(".")[2] for n in names if n.startswith(f"{variable.text}."))
    for column in columns:
        if column not in category.known:
            span, known = line.formula.span, category.known
            findings.add(messages.grammar.unknown_feature(span, category.name, column, known, category.span))
            return None
    return Schema(variable.text, category.name, tuple(where), formula, columns)
