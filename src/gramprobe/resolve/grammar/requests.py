"""Checks on requests for forms.

A constructor has words and a meaning for every combination of features that others request of it, and every feature by
which its words vary is requested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from gramprobe.resolve.grammar.constraints import columns_of
from gramprobe.resolve.grammar.data import (
    ArgumentWords,
    Constant,
    Constructor,
    Grammar,
    Lookup,
    Meaning,
    Operand,
    Value,
)
from gramprobe.resolve.grammar.words import Names
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.syntax.tree import Condition
from gramprobe.syntax.tree import Operand as Written


def check_requests(
    constructor: Constructor, asked: dict[tuple[str, str], dict[str, Constructor]], grammar: Grammar, findings: Findings
) -> None:
    """Report combinations of requested features (:func:`requests`) for which the constructor has no ``lin`` or ``sem``.

    ``asked``: (category, feature) -> value -> a constructor that requests it.
    """
    if constructor.broken:
        return
    names = Names(constructor.arguments, grammar.categories[constructor.result], grammar)
    sems = [each for each in constructor.sems if not each.conveys]
    # of several named readings each case has one
    meanings = [names.cases(x.cases) for x in ([x for x in sems if not x.reading] or sems)]
    for what, alternatives in (("words", [line.cases for line in constructor.lines]), ("meaning", meanings)):
        operands = {operand.text: operand for cases in alternatives for operand, _ in cases}
        if not operands:
            continue
        spaces = [_values(operand, constructor, grammar, asked) for operand in operands.values()]
        for combination in product(*spaces):
            chosen = dict(zip(operands, combination, strict=True))
            if any(_applies(cases, chosen) for cases in alternatives):
                continue
            if any(excludes(condition, chosen, constructor, grammar) for condition in constructor.where):
                continue
            text = ", ".join(f"{o}={v}" for o, v in chosen.items())
            by = next(
                (asked[constructor.result, o][v] for o, v in chosen.items() if (constructor.result, o) in asked),
                None,
            )
            feature = next((grammar.features[o] for o in operands if o in grammar.features), None)
            if what == "meaning" and (named := _readings_of(chosen, sems, names)):
                findings.add(messages.grammar.only_named(constructor.span, constructor.name, text, named))
                continue
            findings.add(messages.grammar.no_case(constructor.span, constructor.name, what, text, by, feature, chosen))


def _applies(cases: Iterable[tuple[Operand, frozenset[str]]], chosen: Mapping[str, str]) -> bool:
    """Whether a line with these cases is about the values chosen."""
    return all(chosen.get(operand.text) in values for operand, values in cases)


def _readings_of(chosen: Mapping[str, str], sems: Sequence[Meaning], names: Names) -> list[str]:
    """The named readings that a case has."""
    return [each.reading for each in sems if each.reading and _applies(names.cases(each.cases), chosen)]


def check_asked(constructor: Constructor, needs: dict[str, set[str]], grammar: Grammar, findings: Findings) -> None:
    """Report the arguments whose words vary by a feature that the constructor neither requests nor passes on."""
    result = grammar.categories[constructor.result]
    for line in constructor.lines:
        for part in line.parts:
            argument = constructor.arguments[part.argument]
            if argument.is_feature:
                continue
            asked = {feature for feature, _ in part.requests}
            if asked - set(grammar.categories[argument.category].features):
                continue  # a misspelt request is reported by `check_words`
            if argument.head:
                asked |= {f for f in result.features if f not in constructor.decided}
            for feature in sorted(needs[argument.category] - asked):
                findings.add(not_asked(constructor, part, feature, grammar))


def not_asked(constructor: Constructor, part: ArgumentWords, feature: str, grammar: Grammar) -> Diagnostic:
    """A constructor uses an argument whose words vary by a feature, and asks for no value of it."""
    argument = constructor.arguments[part.argument]
    category = grammar.categories[argument.category]
    lexical = feature in category.form_features
    values = category.form_values(feature) if lexical else grammar.features[feature].values
    allowed = constructor.fixed.get(feature, ()) or values
    return messages.grammar.not_asked(part.span, constructor.name, argument.name, feature, allowed)


def check_provided(constructors: Sequence[Constructor], grammar: Grammar, findings: Findings) -> None:
    """Report constructors whose trees have no value of a feature that another constructor uses (`s.num`)."""
    makers: dict[str, list[Constructor]] = {}
    for constructor in constructors:
        makers.setdefault(constructor.result, []).append(constructor)
    for constructor in constructors:
        for index, feature, operand in {each[2].text: each for each in features_of_arguments(constructor)}.values():
            category = constructor.arguments[index].category
            for maker in _without(category, feature, makers, grammar, frozenset()):
                findings.add(
                    messages.grammar.not_provided(maker.span, maker.name, category, feature, operand, constructor)
                )


def features_of_arguments(constructor: Constructor) -> Iterator[tuple[int, str, Operand]]:
    """The features of its arguments that the words of a constructor depend on (`s.num`): the number of the argument,
    the feature, and the operand."""
    for line in constructor.lines:
        for value in line.values:
            if isinstance(value, Operand) and value.argument is not None and value.column is not None:
                if constructor.arguments[value.argument].is_feature:
                    continue
                yield value.argument, value.column, value


def _without(
    category: str,
    feature: str,
    makers: Mapping[str, Sequence[Constructor]],
    grammar: Grammar,
    seen: frozenset[str],
) -> Iterator[Constructor]:
    """The constructors of a category whose trees have no value of a feature, of their own or from their head."""
    declared = grammar.categories[category]
    if declared.lexical or feature in declared.fixed or category in seen:
        return
    for maker in makers.get(category, ()):
        head = maker.head
        if feature in maker.decided or maker.broken:
            continue
        below = grammar.categories.get(head.category) if head is not None and not head.is_feature else None
        if below is None or feature not in below.known or (below.lexical and feature in below.form_features):
            yield maker
        elif not below.lexical:
            yield from _without(below.name, feature, makers, grammar, seen | {category})


def varying_features(constructors: Sequence[Constructor], grammar: Grammar) -> dict[str, set[str]]:
    """Category -> the features by which its words vary, in trees of these constructors: a constructor that uses it
    must request a value of each."""
    features_of = {c.name: set(c.form_features) for c in grammar.categories.values()}
    changed = True
    while changed:
        changed = False
        for constructor in constructors:
            features = set(grammar.categories[constructor.result].features) - constructor.decided
            for line in constructor.lines:
                mine = {v.text for v in line.values if isinstance(v, Operand) and v.argument is None}
                for part in line.parts:
                    argument = constructor.arguments[part.argument]
                    if argument.head:
                        mine |= features_of.get(argument.category, set()) - {feature for feature, _ in part.requests}
                if not mine & features <= features_of[constructor.result]:
                    features_of[constructor.result] |= mine & features
                    changed = True
    return features_of


def requests(constructors: Sequence[Constructor], grammar: Grammar) -> dict[tuple[str, str], dict[str, Constructor]]:
    """(category, feature) -> the values that some ``lin`` of these constructors requests of it, each with a
    constructor that requests it.

    A request of a tree is a request of its head, so this is a least fixed point.
    """
    asked: dict[tuple[str, str], dict[str, Constructor]] = {}
    for constructor in constructors:
        for category, feature, value in _direct(constructor, grammar):
            asked.setdefault((category, feature), {}).setdefault(value, constructor)
    changed = True
    while changed:
        changed = False
        for constructor in constructors:
            head = constructor.head
            if head is None or head.category not in grammar.categories:
                continue
            for (category, feature), values in list(asked.items()):
                if category != constructor.result or feature in constructor.decided:
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
    for line in constructor.lines:
        for part in line.parts:
            for feature, value in part.requests:
                for asked in _possible(value, feature, grammar):
                    yield constructor.arguments[part.argument].category, feature, asked


def _possible(value: Value, feature: str, grammar: Grammar) -> tuple[str, ...]:
    match value:
        case Lookup(name):
            table = grammar.tables.get(name)
            return tuple(dict.fromkeys(table.cells.values())) if table and table.result == feature else ()
        case Constant(text) if feature in grammar.features and text in grammar.features[feature].values:
            return (text,)
    return ()


def possible_values(
    value: Value, feature: str, asked: Mapping[str, Mapping[str, Constructor]], grammar: Grammar
) -> tuple[str, ...]:
    """The values that a request may have: itself, those of a table, of an argument, or of what is asked (``asked``)."""
    if not isinstance(value, Operand) or feature not in grammar.features:
        return _possible(value, feature, grammar)
    if value.column is None and value.argument is None:
        return tuple(asked.get(value.text, ()))
    return grammar.features[feature].values


def _values(
    operand: Operand,
    constructor: Constructor,
    grammar: Grammar,
    asked: dict[tuple[str, str], dict[str, Constructor]],
) -> tuple[str, ...]:
    if (constructor.result, operand.text) in asked:
        return tuple(asked[constructor.result, operand.text])
    feature = operand.text
    if operand.argument is not None:
        argument = constructor.arguments[operand.argument]
        feature = argument.category if argument.is_feature else operand.column or ""
        if not argument.is_feature and feature in grammar.categories[argument.category].columns:
            feature = grammar.categories[argument.category].columns[feature].type
    elif feature in grammar.features and feature in grammar.categories[constructor.result].features:
        return ()  # no constructor requests it
    return grammar.features[feature].values if feature in grammar.features else ()


def excludes(
    condition: Condition, chosen: Mapping[str, str], constructor: Constructor, grammar: Grammar, single: bool = False
) -> bool:
    """Whether a ``where`` of the constructor is false for these values.

    It is not if the values leave it open, or one of its columns holds several values. ``single``: of those columns,
    too, one value is chosen.
    """
    if condition.kind == "either":
        return all(excludes(part, chosen, constructor, grammar, single) for part in condition.parts)
    if condition.kind == "numbers":
        return False
    if condition.kind == "relation":
        return _unrelated(condition, chosen, constructor, grammar, single)
    sides: list[set[str] | frozenset[str]] = []
    for operand in condition.operands:
        if operand.text in chosen and (single or not _holds_several(operand, constructor, grammar)):
            sides.append({chosen[operand.text]})
        elif operand.column is None and constructor.argument(operand.name.text) is None:
            sides.append(grammar.expanded((operand.name,)))
        else:
            return False
    left, right = sides
    return left.isdisjoint(right) == (condition.kind == "=")


def _holds_several(operand: Written, constructor: Constructor, grammar: Grammar) -> bool:
    index = constructor.argument(operand.name.text)
    if index is None or operand.column is None:
        return False
    column = grammar.categories[constructor.arguments[index].category].columns.get(operand.column.text)
    return column is not None and column.is_set


def _unrelated(
    condition: Condition, chosen: Mapping[str, str], constructor: Constructor, grammar: Grammar, single: bool
) -> bool:
    """Whether a relation does not hold between these values; a side may be left open."""
    indices = [constructor.argument(operand.name.text) for operand in condition.operands]
    if condition.name is None or len(indices) != 2 or condition.name.text not in grammar.relations:
        return False
    columns = columns_of(condition, constructor, grammar)
    values: list[str | None] = []
    for index, column, operand in zip(indices, columns, condition.operands, strict=True):
        if index is None:
            values.append(operand.name.text)
            continue
        argument = constructor.arguments[index]
        declared = None if argument.is_feature else grammar.categories[argument.category].columns.get(column or "")
        held = single or declared is None or not declared.is_set
        values.append(
            chosen.get(argument.name if argument.is_feature else f"{argument.name}.{column}") if held else None
        )
    pairs = grammar.listed_pairs(condition.name.text)
    if not pairs:
        return single and None not in values and values[0] != values[1]
    return not any(all(wanted in (None, cell) for wanted, cell in zip(values, pair, strict=True)) for pair in pairs)
