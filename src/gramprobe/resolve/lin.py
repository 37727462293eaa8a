"""Checks on the words of constructors: every argument said once, every request answered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gramprobe.resolve.declarations import Argument, Category, Constructor, Grammar
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax import tree as syntax


def check_words(constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    """Names, features and tables of every ``lin``; each argument's words exactly once."""
    if not constructor.lins and not constructor.broken:
        findings.add(messages.no_words(constructor.span, constructor.name))
    for line in constructor.lins:
        _check_cases(line.cases, constructor, grammar, findings)
        used: dict[str, int] = {}
        strange = False
        for atom in line.atoms:
            match atom:
                case syntax.Words():
                    used[atom.name.text] = used.get(atom.name.text, 0) + 1
                    strange = strange or constructor.argument(atom.name.text) is None
                    _check_words_of(atom, constructor, grammar, findings)
                case syntax.Lookup():
                    check_lookup(atom.table, atom.values, constructor, grammar, findings, words=True)
                case _:
                    pass
        unsaid = {w.text for w in line.unsaid if _argument(w, constructor, findings) is not None}
        for argument in constructor.arguments:
            count = used.get(argument.name, 0)
            wanted = 0 if argument.is_feature or argument.name in unsaid else 1
            if strange and not count:
                continue  # it is what the unknown name was to be
            if count != wanted and not (argument.is_feature and count):
                findings.add(messages.said_times(line.span, constructor.name, argument.name, count, wanted))
    _check_twice("lin", [(x.cases, x.span) for x in constructor.lins], findings)
    for name in dict.fromkeys(x.reading for x in constructor.sems):
        _check_twice("sem", [(x.cases, x.span) for x in constructor.sems if x.reading == name], findings)
    for cases in constructor.cases:
        _check_cases(cases, constructor, grammar, findings)


def _check_twice(what: str, lines: list[tuple[tuple[syntax.Case, ...], Span]], findings: Findings) -> None:
    """Two lines for the same case: the second would never be used."""
    seen: dict[frozenset[tuple[str, frozenset[str]]], Span] = {}
    for cases, span in lines:
        key = frozenset((c.operand.text, frozenset(v.text for v in c.values)) for c in cases)
        if key in seen:
            findings.add(messages.declared_twice(span, f"this case of `{what}`", seen[key]))
        seen.setdefault(key, span)


def _argument(word: syntax.Word, constructor: Constructor, findings: Findings) -> Argument | None:
    found = next((a for a in constructor.arguments if a.name == word.text), None)
    if found is None:
        names = [a.name for a in constructor.arguments]
        findings.add(messages.unknown_name(word.span, f"argument of `{constructor.name}`", word.text, names))
    return found


def _check_words_of(atom: syntax.Words, constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    argument = _argument(atom.name, constructor, findings)
    if argument is None:
        return
    if argument.is_feature:
        findings.add(messages.feature_has_no_words(atom.name.span, argument.name, argument.category))
        return
    category = grammar.categories[argument.category]
    for feature, value in atom.requests:
        if feature.text not in category.features:
            findings.add(messages.unknown_feature(feature.span, category.name, feature.text, category.features))
            continue
        declared = grammar.features[feature.text]
        if isinstance(value, syntax.Computed):
            check_lookup(value.table, value.values, constructor, grammar, findings, result=feature.text)
        elif value.column is not None or constructor.argument(value.name.text) is not None:
            got = check_operand(value, constructor, grammar, findings)
            if got is not None and got != feature.text:
                findings.add(messages.wrong_feature(value.name.span, feature.text, got))
        elif value.name.text not in declared.values:
            findings.add(messages.unknown_value(value.name.span, feature.text, value.name.text, declared.values))
        elif category.lexical and feature.text == category.form_feature and value.name.text not in category.form_names:
            findings.add(
                messages.no_form(value.name.span, category.name, feature.text, value.name.text, category.form_names)
            )


def check_lookup(
    table: syntax.Word,
    values: tuple[syntax.Value, ...],
    constructor: Constructor,
    grammar: Grammar,
    findings: Findings,
    *,
    words: bool = False,
    result: str | None = None,
) -> None:
    """A table's name, the number of its keys and what it gives."""
    if table.text not in grammar.tables:
        findings.add(messages.unknown_name(table.span, "table", table.text, grammar.tables))
        return
    found = grammar.tables[table.text]
    if len(values) != len(found.keys):
        findings.add(messages.table_arity(table.span, found.name, found.keys, len(values)))
    gives = "words" if found.result is None else found.result
    wants = "words" if words else result
    if gives != wants:
        findings.add(messages.table_gives(table.span, found.name, gives, wants or "a feature"))
    for value, key in zip(values, found.keys, strict=False):
        if isinstance(value, syntax.Computed):
            check_lookup(value.table, value.values, constructor, grammar, findings, result=key)
        else:
            got = check_operand(value, constructor, grammar, findings, feature=key)
            if got is not None and got != key:
                findings.add(messages.table_key(value.name.span, found.name, key, got))


def check_operand(
    operand: syntax.Operand,
    constructor: Constructor,
    grammar: Grammar,
    findings: Findings,
    feature: str | None = None,
) -> str | None:
    """``t`` (an argument that is a feature, or a feature of the result), ``s.num``, or a value; gives the feature."""
    result = grammar.categories[constructor.result]
    name = operand.name.text
    if operand.column is None:
        index = constructor.argument(name)
        if index is not None and constructor.arguments[index].is_feature:
            return constructor.arguments[index].category
        if name in result.features:
            return name
        if feature is not None and name in grammar.features[feature].values:
            return feature
        known = [*(a.name for a in constructor.arguments if a.is_feature), *result.features]
        if feature is not None:
            known += grammar.features[feature].values
        findings.add(messages.unknown_name(operand.name.span, "feature here", name, known))
        return None
    argument = _argument(operand.name, constructor, findings)
    if argument is None or argument.is_feature:
        return None
    category = grammar.categories[argument.category]
    if operand.column.text not in category.known:
        findings.add(messages.unknown_feature(operand.column.span, category.name, operand.column.text, category.known))
        return None
    column = category.columns.get(operand.column.text)
    return column.type if column else operand.column.text


def _check_cases(
    cases: tuple[syntax.Case, ...], constructor: Constructor, grammar: Grammar, findings: Findings
) -> None:
    for case in cases:
        feature = check_operand(case.operand, constructor, grammar, findings)
        if feature is None or feature not in grammar.features:
            continue
        declared = grammar.features[feature]
        for value in case.values:
            if value.text not in declared.values and value.text not in declared.groups:
                # (the nearest value is assumed when cases are compared, so that no gap is told as well)
                findings.add(messages.unknown_value(value.span, feature, value.text, declared.values))
                findings.lost.add(f"{constructor.name} cases")


# ---- every request is answered -----------------------------------------------------------------------------


def check_requests(
    constructor: Constructor, asked: dict[tuple[str, str], dict[str, Constructor]], grammar: Grammar, findings: Findings
) -> None:
    """Each combination of features that somebody may ask (:func:`requests`) of this constructor has a ``lin`` (and a
    ``sem``)."""
    if constructor.broken:
        return
    plain = tuple(x for x in constructor.sems if not x.reading)
    for what, alternatives in (("words", constructor.lins), ("meaning", plain)):
        operands = list(dict.fromkeys(c.operand.text for line in alternatives for c in line.cases))
        if not operands:
            continue
        spaces = [_values(text, constructor, grammar, asked) for text in operands]
        for combination in product(*spaces):
            chosen = dict(zip(operands, combination, strict=True))
            if any(_fits(line.cases, chosen, constructor, grammar) for line in alternatives):
                continue
            text = ", ".join(f"{o}={v}" for o, v in chosen.items())
            by = next(
                (asked[constructor.result, o][v] for o, v in chosen.items() if (constructor.result, o) in asked),
                None,
            )
            feature = next((grammar.features[o] for o in operands if o in grammar.features), None)
            findings.add(messages.no_case(constructor.span, constructor.name, what, text, by, feature, chosen))


def check_asked(constructor: Constructor, needs: dict[str, set[str]], grammar: Grammar, findings: Findings) -> None:
    """Whoever says a phrase asks for every feature that its words vary by, or passes on what is asked of itself."""
    result = grammar.categories[constructor.result]
    for line in constructor.lins:
        for atom in line.atoms:
            index = constructor.argument(atom.name.text) if isinstance(atom, syntax.Words) else None
            if not isinstance(atom, syntax.Words) or index is None or constructor.arguments[index].is_feature:
                continue
            argument = constructor.arguments[index]
            asked = {f.text for f, _ in atom.requests}
            if asked - set(grammar.categories[argument.category].features):
                continue  # a misspelt request is told by itself
            if argument.head:
                asked |= {f for f in result.features if f not in constructor.fixed}
            for feature in sorted(needs[argument.category] - asked):
                category = grammar.categories[argument.category]
                values = category.form_names if feature == category.form_feature else grammar.features[feature].values
                fixed = constructor.fixed.get(feature, ())
                findings.add(
                    messages.not_asked(atom.name.span, constructor.name, argument.name, feature, fixed or values)
                )


def needed(grammar: Grammar) -> dict[str, set[str]]:
    """Category -> the features by which its words vary, so that whoever says it must ask for a value."""
    found = {c.name: {c.form_feature} if c.form_feature else set[str]() for c in grammar.categories.values()}
    changed = True
    while changed:
        changed = False
        for constructor in grammar.constructors.values():
            features = set(grammar.categories[constructor.result].features) - set(constructor.fixed)
            for line in constructor.lins:
                mine = {c.operand.text for c in line.cases}
                for atom in line.atoms:
                    values = atom.values if isinstance(atom, syntax.Lookup) else ()
                    values += tuple(v for _, v in atom.requests) if isinstance(atom, syntax.Words) else ()
                    mine |= {n for v in values for n in _bare(v) if constructor.argument(n) is None}
                    head = constructor.head
                    if isinstance(atom, syntax.Words) and head is not None and atom.name.text == head.name:
                        mine |= found.get(head.category, set()) - {f.text for f, _ in atom.requests}
                if not mine & features <= found[constructor.result]:
                    found[constructor.result] |= mine & features
                    changed = True
    return found


def _bare(value: syntax.Value) -> Iterator[str]:
    """The names without a column in a value."""
    if isinstance(value, syntax.Computed):
        for inner in value.values:
            yield from _bare(inner)
    elif value.column is None:
        yield value.name.text


def requests(grammar: Grammar) -> dict[tuple[str, str], dict[str, Constructor]]:
    """(category, feature) -> the values asked of it by some ``lin``, each with one that asks.

    What is asked of a tree is asked of its head, so the answer is a least fixed point.
    """
    asked: dict[tuple[str, str], dict[str, Constructor]] = {}
    for constructor in grammar.constructors.values():
        for category, feature, value in _direct(constructor, grammar):
            asked.setdefault((category, feature), {}).setdefault(value, constructor)
    changed = True
    while changed:
        changed = False
        for constructor in grammar.constructors.values():
            head = constructor.head
            if head is None or head.category not in grammar.categories:
                continue
            for (category, feature), values in list(asked.items()):
                if category != constructor.result or feature in constructor.fixed:
                    continue
                if feature not in grammar.categories[head.category].features:
                    continue
                below = asked.setdefault((head.category, feature), {})
                for value, by in values.items():
                    if value not in below:
                        below[value] = by
                        changed = True
    return asked


def _direct(constructor: Constructor, grammar: Grammar) -> Iterator[tuple[str, str, str]]:
    for line in constructor.lins:
        for atom in line.atoms:
            if not isinstance(atom, syntax.Words):
                continue
            index = constructor.argument(atom.name.text)
            if index is None:
                continue
            for feature, value in atom.requests:
                for asked in _possible(value, feature.text, grammar):
                    yield constructor.arguments[index].category, feature.text, asked


def _possible(value: syntax.Value, feature: str, grammar: Grammar) -> tuple[str, ...]:
    if isinstance(value, syntax.Computed):
        table = grammar.tables.get(value.table.text)
        return tuple(dict.fromkeys(table.cells.values())) if table and table.result == feature else ()
    if feature not in grammar.features:
        return ()
    values = grammar.features[feature].values
    return (value.name.text,) if value.column is None and value.name.text in values else ()


def _values(
    text: str,
    constructor: Constructor,
    grammar: Grammar,
    asked: dict[tuple[str, str], dict[str, Constructor]],
) -> tuple[str, ...]:
    if (constructor.result, text) in asked:
        return tuple(asked[constructor.result, text])
    name, _, column = text.partition(".")
    index = constructor.argument(name)
    if index is not None:
        argument = constructor.arguments[index]
        feature = argument.category if argument.is_feature else column
        if not argument.is_feature:
            category: Category = grammar.categories[argument.category]
            if feature in category.columns:
                feature = category.columns[feature].type
    else:
        feature = name
        if feature in grammar.features and index is None and feature in grammar.categories[constructor.result].features:
            return ()  # nobody asks for it
    return grammar.features[feature].values if feature in grammar.features else ()


def _fits(cases: tuple[syntax.Case, ...], chosen: dict[str, str], constructor: Constructor, grammar: Grammar) -> bool:
    for case in cases:
        value = chosen[case.operand.text]
        allowed = {w.text for w in case.values}
        if value not in allowed and not any(value in f.expand(w) for f in grammar.features.values() for w in allowed):
            return False
    return True
