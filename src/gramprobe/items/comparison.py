"""Whether a second row of a group has the shape of the first one (decision 006).

Two rows whose formulas differ in words alone have one shape if the words can be exchanged one for one, and the parts of
the theory that the rows need are the same up to that exchange. That is looked at first, since it takes half the time
of a canonical text; texts are compared where it does not hold.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from gramprobe.decide.shapes import named_by, shape_text
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename
from gramprobe.formula.theory import Operator, TheorySlice
from gramprobe.formula.updates import has_updates
from gramprobe.items.account import Step
from gramprobe.items.groups import Member
from gramprobe.items.label import PairLabels, formulas_of, gold_readings, in_theory, meant
from gramprobe.items.plan import Plan
from gramprobe.items.slots import scale_words, scales_at, symbols_of, word_in
from gramprobe.judge import judge
from gramprobe.meaning.reading import OPEN, Reading
from gramprobe.resolve.theory.axioms import names_in


def agrees(plan: Plan, labels: PairLabels, other: Member) -> bool:
    """Whether another row of the group has the shape that was decided for the first one, in every theory."""
    words = exchanged(plan, (labels.pair.premise, labels.pair.hypothesis), labels.member, other)
    if words is None or not _is_same(plan, labels.gold.theory, (labels.premise, labels.hypothesis), words, other):
        formulas = formulas_of(plan, labels.gold_column, gold_readings(plan, labels.pair, other), other)
        text, _ = shape_text(*formulas, plan.slice(formulas, scales_at(plan, other.draws, 0)))
        if text != labels.gold.shape.text:
            return False
    return all(_agrees_beside(beside, labels, other, words) for beside in plan.other_theories)


def have_one_shape(plan: Plan, steps: Sequence[Step], first: Member, other: Member) -> bool:
    """Whether the decisions on a row have the same shapes for another row of its group, since their formulas differ by
    an exchange of words alone; false where they may have them nevertheless."""
    words = exchanged(plan, list(other.readings), first, other)
    return words is not None and all(
        _is_same(plan, step.decision.theory, step.formulas(), words, other)
        for step in steps
        if step.decision is not None and step.formulas is not None
    )


def _is_same(
    plan: Plan, part: TheorySlice, formulas: tuple[Formula, Formula], words: Mapping[str, str], other: Member
) -> bool:
    """Whether another row needs the same part of the theory as formulas, but for an exchange of ``words``."""
    return is_renamed(part, plan.slice(formulas, scales_at(plan, other.draws, 0), words), words, formulas)


def _agrees_beside(plan: Plan, labels: PairLabels, other: Member, words: Mapping[str, str] | None) -> bool:
    """The same for all readings in a theory beside the paradigm's own. ``words``: as `exchanged` gives them."""
    pair, column = labels.pair, plan.paradigm.gold_of(labels.pair)

    def is_same(readings: tuple[Reading, ...], words: Mapping[str, str]) -> bool:
        formulas = formulas_of(plan, column, readings, labels.member)
        part = plan.slice(formulas, scales_at(plan, labels.member.draws, 0))
        return _is_same(plan, part, formulas, words, other)

    sides = (meant(plan, other.readings[name]) for name in (pair.premise, pair.hypothesis))
    if words is not None and all(is_same(readings, words) for readings in product(*sides)):
        return True
    shapes = [entry.shape for entry in labels.entries if entry.column == plan.theory.name]
    try:
        return [entry.shape for entry, _ in in_theory(plan, pair, other)] == shapes
    except judge.Undecidable:
        return False


def exchanged(plan: Plan, conditions: Sequence[str], first: Member, other: Member) -> dict[str, str] | None:
    """For each word that the formulas of these conditions of a row may have, the one in its place in another row; None
    where they cannot be exchanged one for one."""
    readings = [r for name in conditions for r in other.readings[name]]
    formulas = [f for r in readings for f in (r.formula, r.conveys) if f is not None]
    words: dict[str, str] = {}
    for symbol in dict.fromkeys([*(s for f in formulas for s in symbols_of(f)), *scale_words(plan)]):
        here = there = symbol
        if symbol.startswith(OPEN):
            here, there = (word_in(symbol, plan, row.draws, 0) for row in (first, other))
        if words.setdefault(here, there) != there:
            return None
    return words if len(set(words.values())) == len(words) else None


def is_renamed(
    one: TheorySlice, other: TheorySlice, words: Mapping[str, str], formulas: Sequence[Formula] = ()
) -> bool:
    """Whether a part of a theory is another one with words exchanged one for one, so that pairs whose formulas differ
    by this exchange have one shape.

    Words of definitions, scales and events may not be exchanged, since what is compiled away goes by their names; nor
    operators, where ``formulas`` have updates. Postulates must stand in the same order, by which names of shapes go.
    """
    if one is not other and replace(one, postulates=(), operators=()) != replace(other, postulates=(), operators=()):
        return False
    moved = {here: there for here, there in words.items() if here != there}
    operators = {each.name for each in one.operators}
    fixed = named_by((), one.definitions, one.scales, one.events)
    own = operators.union(fixed, *map(names_in, one.postulates)) - words.keys()
    if not fixed.isdisjoint(moved) or not (own | fixed).isdisjoint(moved.values()):
        return False
    if tuple(rename(each, moved) for each in one.postulates) != other.postulates:
        return False
    if operators.isdisjoint(moved):
        return one.operators == other.operators
    alike = _kinds(one.operators, moved, moved) == _kinds(other.operators, {}, frozenset(moved.values()))
    return alike and not any(map(has_updates, formulas))


def _kinds(operators: Sequence[Operator], words: Mapping[str, str], moved: Container[str]) -> tuple[Any, Any]:
    """For each operator all that a canonical text tells of it, under the names of ``words``; and these kinds in the
    theory's order. Operators that are ``moved`` may have another order in it."""

    def related(names: Sequence[str]) -> tuple[frozenset[str], list[str]]:
        return frozenset(words.get(name, name) for name in names), [name for name in names if name not in moved]

    kinds = {
        words.get(each.name, each.name): (
            each.kind, each.frame, related(each.within), related(each.introspected_by)
        ) for each in operators
    }  # fmt: skip
    order: list[Any] = []
    for each in kinds.values():
        if each not in order:
            order.append(each)
    return kinds, order
