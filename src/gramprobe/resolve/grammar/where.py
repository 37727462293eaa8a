"""Conditions of ``where``: which words may stand beside each other, in constructors and in paradigms."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.resolve.grammar.data import NUMBERS, Constructor, Grammar
from gramprobe.resolve.names import require_column, require_known
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax.tree import Condition, Operand, Word


def kind_of_operand(category: str, column: str | None, grammar: Grammar) -> str:
    """The kind of an operand: the name of a feature or of a category, or ``number``."""
    if column is None or column == "id" or category not in grammar.categories:
        return category
    declared = grammar.categories[category].columns.get(column)
    return declared.type if declared is not None else column


def fits(value: Word, kind: str, grammar: Grammar, findings: Findings, draws: Sequence[str] = ()) -> bool:
    """Whether a value is of this kind; report it if not. ``draws``: names that the author may have meant."""
    if kind in grammar.features:
        feature = grammar.features[kind]
        known = [*feature.values, *feature.groups]
        if value.text in known:
            return True
        findings.add(messages.grammar.unknown_value(value.span, feature.name, value.text, known))
    elif kind in grammar.categories and grammar.categories[kind].lexical:
        if value.text in grammar.categories[kind].by_id:
            return True
        ids = grammar.categories[kind].by_id
        what = f"{kind} or draw" if draws else kind
        require_known(value, [*draws, *ids], what, findings)
    elif kind in NUMBERS and not value.text.isdigit():  # relations list whole numbers
        findings.add(messages.grammar.not_a_number(value.span, value.text, "="))
    else:
        return True
    return False


def comparable(
    line: Condition,
    kinds: tuple[str | None, str | None],
    grammar: Grammar,
    findings: Findings,
    draws: Sequence[str] = (),
) -> bool:
    """Whether both sides of ``=`` or ``!=`` are of the same kind; report them if not. A bare value has kind None."""
    for one, other, operand in zip(kinds, reversed(kinds), line.operands, strict=True):
        if one is None and other is not None:
            return fits(operand.name, other, grammar, findings, draws)
    left, right = kinds
    if left is None or right is None or left == right or _is_tree(left, grammar) or _is_tree(right, grammar):
        return True
    findings.add(messages.grammar.incomparable(line.span, [o.text for o in line.operands], [left, right]))
    return False


def _is_tree(kind: str, grammar: Grammar) -> bool:
    """Trees are compared by their head words, so they may be compared with a word."""
    return kind in grammar.categories and not grammar.categories[kind].lexical


def check_where(constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    """Report unknown names, columns and values in a constructor's own ``where``."""
    for line in constructor.where:
        _check_condition(line, constructor, grammar, findings)


def _check_condition(line: Condition, constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    if line.kind == "either":
        for part in line.parts:
            _check_condition(part, constructor, grammar, findings)
    else:
        operands = [_operand(operand, line, constructor, grammar, findings) for operand in line.operands]
        if line.kind == "relation":
            assert line.name is not None
            if line.name.text == "distinct":  # of two arguments and more it is written out where the file is read
                wrong = messages.grammar.too_few_to_differ, messages.grammar.several_beside_or
                findings.add(wrong[len(operands) > 1](line.span))
                return
            if not require_known(line.name, grammar.relations, "relation", findings):
                return
            if len(line.operands) != 2:
                findings.add(messages.tables.relates_two(line.span, line.name.text, len(line.operands)))
            elif all(ok for ok, _ in operands):
                _check_related(line, constructor, grammar, findings)
        elif line.kind == "numbers":
            assert line.name is not None
            for operand, (ok, kind) in zip(line.operands, operands, strict=True):
                if ok and kind not in NUMBERS:
                    place = (operand.column or operand.name).span
                    findings.add(messages.grammar.not_a_number(place, operand.text, line.name.text))
        elif all(ok for ok, _ in operands):
            comparable(line, (operands[0][1], operands[1][1]), grammar, findings)


def _check_related(line: Condition, constructor: Constructor, grammar: Grammar, findings: Findings) -> None:
    """Report a relation that is not declared for the categories of its operands."""
    assert line.name is not None
    categories: list[str] = []
    for side, operand in enumerate(line.operands):
        index = constructor.argument(operand.name.text)
        if index is None:
            categories.append(feature_of_value(operand.name.text, line, side, grammar) or "")
        else:
            categories.append(constructor.arguments[index].category)
    if "" not in categories and grammar.related_columns(line.name.text, categories) is None:
        findings.add(messages.tables.relation_misfit(line.span, line.name.text, categories, grammar))


def feature_of_value(value: str, line: Condition, side: int, grammar: Grammar) -> str | None:
    """The feature of a value written out in a `where`: the feature that the relation declares for its side."""
    declared = grammar.relations.get(line.name.text, []) if line.name else []
    wanted = [(r.left, r.right)[side][0] for r in declared]
    known = [f.name for f in grammar.features.values() if value in f.values or value in f.groups]
    return next((f for f in known if f in wanted), known[0] if known and line.kind != "relation" else None)


def _operand(
    operand: Operand,
    line: Condition,
    constructor: Constructor,
    grammar: Grammar,
    findings: Findings,
) -> tuple[bool, str | None]:
    """Whether the operand is correct, and its kind (None: a bare value, to be checked against the other side)."""
    index = constructor.argument(operand.name.text)
    if index is None:
        values = {v for f in grammar.features.values() for v in (*f.values, *f.groups)}
        lone = operand.column is None
        beside = [constructor.argument(o.name.text) is not None for o in line.operands if o is not operand]
        if lone and (operand.name.text in values or (line.kind != "relation" and all(beside))):
            return True, None
        require_known(operand.name, [a.name for a in constructor.arguments], "argument", findings)
        return False, None
    category = constructor.arguments[index].category
    if operand.column is None:
        return True, category
    known_columns = grammar.categories[category].known if category in grammar.categories else ()
    if not require_column(operand.column, category, known_columns, findings):
        return False, None
    return True, kind_of_operand(category, operand.column.text, grammar)
