"""The networks of the boxes of a paradigm, from the tests between their slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from gramprobe.resolve.grammar.data import Cell, Grammar
from gramprobe.resolve.tree import Slot
from gramprobe.space.constraints import Either, Key, Test, cells_of
from gramprobe.space.network import Binary, Network
from gramprobe.space.once import Once


def network_of(
    domains: Sequence[tuple[Slot, tuple[int, ...]]],
    tests: Sequence[Test | Either],
    grammar: Grammar,
    once: Once | None = None,
) -> Network:
    """The network of a box: tests of a single slot filter its domain, other tests are between variables.

    ``once``: of other boxes, with the same objects as domains and tests.
    """
    once = once or Once()
    number = {slot.name: i for i, (slot, _) in enumerate(domains)}
    alone: list[list[Test | Either]] = [[] for _ in domains]
    between: list[tuple[Test | Either, int, int]] = []
    for test in tests:
        about = [number[slot.name] for slot in test.slots]
        if len(about) == 1:
            alone[about[0]].append(test)
        elif len(about) == 2:
            between.append((test, about[0], about[1]))
    members = [
        once(_filtered, (grammar, own, *of), slot.category) for (slot, own), of in zip(domains, alone, strict=True)
    ]
    binaries: list[Binary] = []
    differ: list[tuple[int, int]] = []
    for test, a, b in between:
        one, other = domains[a][0].category, domains[b][0].category
        if isinstance(test, Test) and test.identity and one == other and _whole_words(test):
            differ.append((a, b))
            continue
        left, right, passed = once(_codes, (test, grammar), one, other)
        own, others = (once(_of, (codes, members[v])) for v, codes in ((a, left), (b, right)))
        binaries.append(Binary(a, b, own, others, passed))
    return Network(members, binaries, differ, once=once)


def _filtered(category: str, grammar: Grammar, members: Sequence[int], *tests: Test | Either) -> list[int]:
    """The members of a slot's category that pass tests of this slot alone."""
    if not tests:
        return list(members)
    passed = np.logical_and.reduce([fitting(test, {test.slots[0].name: category}, grammar) for test in tests]).tolist()
    return [m for m in members if passed[m]]


def _of(codes: Sequence[int], members: Sequence[int]) -> list[int]:
    return [codes[m] for m in members]


def _whole_words(test: Test) -> bool:
    return test.left.slot.column is None and isinstance(test.right, Key) and test.right.slot.column is None


def fitting(test: Test | Either, drawn: Mapping[str, str], grammar: Grammar) -> NDArray[np.bool_]:
    """Which members of a slot's category pass a test of this slot alone, as an array with an entry for each."""
    if isinstance(test, Either):
        whole: NDArray[np.bool_] = np.logical_or.reduce([fitting(part, drawn, grammar) for part in test.tests])
        return whole
    category = drawn[test.left.slot.name]
    left = coded(test.left, category, grammar)
    if not isinstance(test.right, Key):
        passes = np.array([test.holds(values, test.right) for values in left.sets], dtype=bool)
        return passes[list(left.codes)]
    right = coded(test.right, category, grammar)
    pairs = zip(left.codes, right.codes, strict=True)
    return np.array([test.holds(left.sets[a], right.sets[b]) for a, b in pairs], dtype=bool)


_Codes = tuple[Sequence[int], Sequence[int], NDArray[np.bool_]]


def _codes(one: str, other: str, test: Test | Either, grammar: Grammar) -> _Codes:
    """Of a test between slots of two categories the codes of the members of each, and which pass it together."""
    if isinstance(test, Either):
        return _either(test, {slot.name: of for slot, of in zip(test.slots, (one, other), strict=True)}, grammar)
    assert isinstance(test.right, Key)
    left, right = coded(test.left, one, grammar), coded(test.right, other, grammar)
    return left.codes, right.codes, allowed(test, left, right, grammar)


def _either(test: Either, drawn: Mapping[str, str], grammar: Grammar) -> _Codes:
    """The codes of a test that passes where one of several does.

    Members that no part tells apart are looked at once; those that the whole does not tell apart have one code.
    """
    first, second = test.slots
    parts: list[tuple[NDArray[np.bool_], dict[str, Sequence[int]]]] = []
    for part in test.tests:
        if len(part.slots) == 1:
            alone = np.array([False, True])
            turned = alone[:, None] if part.slots[0].name == first.name else alone[None, :]
            parts.append((turned, {part.slots[0].name: fitting(part, drawn, grammar).astype(int).tolist()}))
            continue
        assert isinstance(part.right, Key)
        one, other = (coded(key, drawn[key.slot.name], grammar) for key in (part.left, part.right))
        pairs = allowed(part, one, other, grammar)
        turned = pairs if part.left.slot.name == first.name else pairs.T
        parts.append((turned, {part.left.slot.name: one.codes, part.right.slot.name: other.codes}))
    codes, kinds = [], []
    for slot in (first, second):
        own = [of.get(slot.name, [0] * _size_of(drawn[slot.name], grammar)) for _, of in parts]
        numbers: dict[tuple[int, ...], int] = {}
        codes.append([numbers.setdefault(each, len(numbers)) for each in zip(*own, strict=True)])
        kinds.append(np.array([*numbers], np.intp))
    passed: NDArray[np.bool_] = np.zeros([len(each) for each in kinds], dtype=bool)
    for number, (pairs, _) in enumerate(parts):
        passed |= pairs[kinds[0][:, number, None], kinds[1][None, :, number]]
    rows, left = np.unique(passed, axis=0, return_inverse=True)
    cells, right = np.unique(rows, axis=1, return_inverse=True)
    return left.reshape(-1)[codes[0]].tolist(), right.reshape(-1)[codes[1]].tolist(), cells


def _size_of(drawn: str, grammar: Grammar) -> int:
    return len(grammar.features[drawn].values) if drawn in grammar.features else len(grammar.categories[drawn].lexemes)


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """The values of a key over a whole category: ``sets[codes[m]]`` is the set of values of member m."""

    codes: tuple[int, ...]
    sets: tuple[frozenset[Cell], ...]


def coded(key: Key, drawn: str, grammar: Grammar) -> Coded:
    """The values of a key for every member of the category ``drawn``; computed once."""
    terms = tuple((slot.column, slot.category, column, sign) for slot, column, sign in key.terms)
    own = key.slot.column, key.slot.category, key.slot.is_feature, key.column, key.mapped
    at = ("coded", drawn, *own, terms, key.constant)
    if at not in grammar.shared:
        numbers: dict[frozenset[Cell], int] = {}
        if key.terms:
            every = [key.values(member, grammar, drawn) for member in range(_size_of(drawn, grammar))]
            codes = tuple(numbers.setdefault(each, len(numbers)) for each in every)
        else:
            cells = cells_of(key.slot, key.column, grammar, drawn)
            of_cell = {cell: numbers.setdefault(key.of(cell), len(numbers)) for cell in dict.fromkeys(cells)}
            codes = tuple(of_cell[cell] for cell in cells)
        grammar.shared[at] = Coded(codes, tuple(numbers))
    result: Coded = grammar.shared[at]
    return result


def allowed(test: Test, left: Coded, right: Coded, grammar: Grammar) -> NDArray[np.bool_]:
    """Which values of two keys pass a test, as an array of shape (values of left, values of right).

    Computed once.
    """
    at = ("allowed", id(left), id(right), test.listed, test.overlap, test.name if test.left.terms else "")
    if at not in grammar.shared and test.left.terms:
        pairs = [[test.holds(one, other) for other in right.sets] for one in left.sets]
        grammar.shared[at] = np.array(pairs, dtype=bool)
    if at not in grammar.shared:
        having: dict[Cell, int] = {}  # a value -> a bit for each set of the right side with it
        for number, values in enumerate(right.sets):
            for value in values:
                having[value] = having.get(value, 0) | 1 << number
        size = (len(right.sets) + 7) // 8
        rows = (reduce(or_, (having.get(v, 0) for v in test.mapped(values)), 0) for values in left.sets)
        packed = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows), np.uint8)
        bits = np.unpackbits(packed.reshape(len(left.sets), size), axis=1, count=len(right.sets), bitorder="little")
        grammar.shared[at] = bits.astype(bool) == test.overlap
    result: NDArray[np.bool_] = grammar.shared[at]
    return result
