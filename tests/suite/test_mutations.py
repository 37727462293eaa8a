"""Mutations that the suite must see: a condition dropped, box and diamond swapped, a number off by one.

A mutant is a change of the theory (or of the counts) of every row; it is seen if some row no longer has its label.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from suite_decisions import decision, project
from suite_rows import Row, rows

from gramprobe.decide.label import decide

REDUNDANT = {
    ("frame-s5", "box", "transitive"): "a reflexive Euclidean relation is transitive",
    ("attitudes", "B", "transitive"): "B lies in K, and is introspected by it",
    ("attitudes", "see", "reflexive"): "K lies in it, and is reflexive",
    ("attitudes", "learn", "reflexive"): "K lies in it, and is reflexive",
}
"""Conditions that the others imply: without them nothing changes."""

OWN: dict[str, set[tuple[str, str]]] = {
    "attitudes-s5": {("K", "euclidean")},
    "attitudes-plain": set(),
    "events": set(),
    "forget-neighbourhood": set(),
    "presupposition-strong": set(),
    "presupposition-weak": set(),
}
"""Of variants of another theory: what is theirs. The rest is tried in that other theory."""


@cache
def shapes() -> tuple[tuple[Row, dict[str, str], dict[str, Any]], ...]:
    """Each row with the short names of its operators and the data of its shape."""
    found = []
    for row in rows():
        known = decision(row)
        if known.verdict.label == row.label:
            found.append((row, known.renaming.operators, json.loads(known.shape.text)))
    return tuple(found)


def copied(data: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(data))
    return copy


def seen(change: Callable[[Row, dict[str, str], dict[str, Any]], dict[str, Any] | None]) -> str | None:
    """The first row that loses its label when `change` is made to its shape; None where it does not apply. What is
    given to `change` stays as it is."""
    for row, names, data in shapes():
        mutant = change(row, names, data)
        if mutant is None or mutant == data:
            continue
        label = decide(mutant["theory"], mutant["premise"], mutant["hypothesis"]).label
        if label != row.label:
            return row.name
    return None


def conditions() -> Iterator[tuple[str, str, str]]:
    """Every condition on every operator that some row speaks of."""
    used = {(row.theory, name) for row, names, _ in shapes() for name in names}
    known = project().declarations
    for theory in sorted({theory for theory, _ in used}):
        found = known.theory(theory, None, known.findings)
        assert found is not None
        for operator in found.operators:
            if (theory, operator.name) in used:
                related = [f"within {o}" for o in operator.within]
                related += [f"introspected_by {o}" for o in operator.introspected_by]
                for condition in [*sorted(operator.frame), *related]:
                    if theory not in OWN or (operator.name, condition) in OWN[theory]:
                        yield theory, operator.name, condition


def without(entry: list[Any], condition: str, names: dict[str, str]) -> None:
    """Drop one condition from an operator's entry `[name, kind, frame, within, introspected_by]`."""
    relation, _, other = condition.partition(" ")
    place = {"within": 3, "introspected_by": 4}.get(relation, 2)
    entry[place] = [each for each in entry[place] if each != (names.get(other) if other else condition)]


@pytest.mark.slow
def test_every_frame_condition_matters_to_some_row() -> None:
    unseen = []
    for theory, operator, condition in conditions():

        def drop(
            row: Row,
            names: dict[str, str],
            data: dict[str, Any],
            what: tuple[str, str, str] = (theory, operator, condition),
        ) -> dict[str, Any] | None:
            if row.theory != what[0] or what[1] not in names:
                return None
            data = copied(data)
            for entry in data["theory"]["operators"]:
                if entry[0] == names[what[1]]:
                    without(entry, what[2], names)
            return data

        if seen(drop) is None:
            unseen.append((theory, operator, condition))
    assert sorted(unseen) == sorted(REDUNDANT)


OTHER = {"box": "diamond", "diamond": "box"}
ALIKE = ("classical", "classical-import", "temporal", "frame-functional")
"""Theories without operators, and the one where box and diamond are the same."""


@pytest.mark.slow
@pytest.mark.parametrize("theory", sorted({row.theory for row in rows()} - {*ALIKE}))
def test_box_and_diamond_are_distinguished(theory: str) -> None:
    def swap(row: Row, _: dict[str, str], data: dict[str, Any]) -> dict[str, Any] | None:
        if row.theory != theory:
            return None
        data = copied(data)
        for entry in data["theory"]["operators"]:
            entry[1] = OTHER.get(entry[1], "box")
        return data

    assert seen(swap) is not None


def counted(node: Any, quantifier: str, by: int) -> Any:
    """The formula with every count of a quantifier changed."""
    if not isinstance(node, list):
        return node
    read = [counted(part, quantifier, by) for part in node]
    if node[:2] == ["quantified", quantifier]:
        read[2] += by
    return read


@pytest.mark.slow
@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("quantifier", ["exactly", "atleast", "atmost"])
@pytest.mark.parametrize("side", ["premise", "hypothesis"])
def test_a_number_off_by_one_is_seen(side: str, quantifier: str, by: int) -> None:
    def change(_: Row, __: dict[str, str], data: dict[str, Any]) -> dict[str, Any] | None:
        if '"atleast", 0' in json.dumps(counted(data[side], quantifier, by)):
            return None
        return {**data, side: counted(data[side], quantifier, by)}

    assert seen(change) is not None


@pytest.mark.parametrize(("quantifier", "other"), [("most", "exists"), ("exists", "forall"), ("forall", "most")])
def test_a_quantifier_for_another_is_seen(quantifier: str, other: str) -> None:
    def changed(node: Any) -> Any:
        if not isinstance(node, list):
            return node
        read = [changed(part) for part in node]
        return [read[0], other, *read[2:]] if node[:2] == ["quantified", quantifier] else read

    def change(_: Row, __: dict[str, str], data: dict[str, Any]) -> dict[str, Any] | None:
        return {**data, "premise": changed(data["premise"])}

    assert seen(change) is not None
