"""Rows that no axiom can tell apart get one number, the same number in every chunk of draws.

What is decided of a row depends on its formulas, on the axioms of each of its words, and on which of its words are one
word: on nothing else (see `items.label`). Two rows that agree in these have the same shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.kin import Codes, Kin, slot_of, spoken_of, strengthening
from gramprobe.items.plan import Plan
from gramprobe.meaning.compose import OPEN, Reading, consulted_by_meaning, readings
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import Slot
from gramprobe.space.space import Draws
from gramprobe.words.variants import Variants

ONLY = "only"
"""The id of a reading that has no operator to be named by: a row that lists none must differ from one that lists it."""
MOST_CODES = 1 << 20
"""Values of a code up to which rows are counted in a table instead of being sorted."""


@dataclass(frozen=True, slots=True)
class Member:
    """The first row of a group: its draws (one row), and the readings of every condition over its slots."""

    draws: Draws
    readings: dict[str, tuple[Reading, ...]]


@dataclass
class Grouping:
    """Numbers rows as chunks come; `members[g]` is the first row of group g."""

    plan: Plan
    members: list[Member] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.conditions = self.plan.paradigm.paired
        self._kin = _Words(self.plan)
        self._numbers: dict[tuple[int, ...], int] = {}
        self._readings: dict[str, dict[tuple[Reading, ...], int]] = {c.name: {} for c in self.conditions}
        plan = self.plan
        consulting = lambda tree: consulted_by_meaning(tree, plan.grammar)  # noqa: E731
        self._variants = {c.name: Variants(c.tree, consulting, plan.space, plan.grammar) for c in self.conditions}
        #: condition -> for each of its variants the number of its readings
        self._codes: dict[str, list[int]] = {c.name: [] for c in self.conditions}
        self._columns: dict[tuple[int, ...], list[tuple[Slot, Slot | str | None]]] = {}

    def of(self, draws: Draws) -> NDArray[np.int64]:
        """The group of each row."""
        codes = [self._meaning(condition, draws) for condition in self.conditions]
        whole, first = numbered(codes, len(draws))
        group = np.zeros(len(draws), np.int64)
        for number, start in enumerate(first):
            rows = np.flatnonzero(whole == number) if len(first) > 1 else np.arange(len(draws))
            meaning = tuple(int(c[start]) for c in codes)
            inner = [self._kin.column(draws, one, other)[rows] for one, other in self._told_apart(meaning)]
            local, starts = numbered(inner, len(rows))
            numbers = []
            for at in starts:
                key = (*meaning, -1, *(int(c[at]) for c in inner))
                if key not in self._numbers:
                    self._numbers[key] = len(self.members)
                    self.members.append(self._member(draws, int(rows[at]), meaning))
                numbers.append(self._numbers[key])
            group[rows] = np.array(numbers, np.int64)[local]
        return group

    def known(self, condition: str) -> list[str]:
        """The ids of every reading that a condition has had so far."""
        return list(dict.fromkeys(reading.id for found in self._readings[condition] for reading in found))

    def _member(self, draws: Draws, row: int, meaning: tuple[int, ...]) -> Member:
        found = {
            condition.name: list(self._readings[condition.name])[code]
            for condition, code in zip(self.conditions, meaning, strict=True)
        }
        return Member(draws.take(np.array([row])), found)

    def _meaning(self, condition: Condition, draws: Draws) -> Codes:
        """For each row the number of its readings among those of the condition."""
        seen, variants, codes = (
            self._readings[condition.name],
            self._variants[condition.name],
            self._codes[condition.name],
        )
        of_row = variants.of(draws)
        for variant in variants.found[len(codes) :]:
            read = readings(variant.tree, variant.chosen, self.plan.grammar)
            found = tuple(replace(reading, id=reading.id or ONLY) for reading in read)
            codes.append(seen.setdefault(found, len(seen)))
        return np.array(codes, np.int64)[of_row]

    def _told_apart(self, meaning: tuple[int, ...]) -> list[tuple[Slot, Slot | str | None]]:
        """What else the shapes of rows with these readings depend on: a slot's word, two words being one."""
        if meaning not in self._columns:
            sets = [list(self._readings[c.name])[n] for c, n in zip(self.conditions, meaning, strict=True)]
            formulas = [r.formula for found in sets for r in found]
            words = dict.fromkeys([*(n for f in formulas for n in spoken_of(f)), *strengthening(self.plan)])
            slots = [slot_of(p, self.plan) for p in words if p.startswith(OPEN)]
            given = [n for n in words if n in self.plan.symbols]
            couples: list[tuple[Slot, Slot | str]] = [*combinations(slots, 2), *product(slots, given)]
            differing = ((slot, None) for slot in slots if self._kin.differ(slot))
            self._columns[meaning] = [*differing, *(pair for pair in couples if self._kin.meet(*pair))]
        return self._columns[meaning]


class _Words(Kin):
    """What ties the words of slots, by member of the category that each is drawn from."""

    def __init__(self, plan: Plan):
        super().__init__(plan, Draws(np.zeros(0, np.int32), {}))
        self._kinds: dict[Any, int] = {}
        self._codes: dict[tuple[Slot, str], NDArray[np.int64]] = {}
        self._numbers: dict[Any, int] = {}

    def _kind(self, id_: str) -> object:
        """What axioms can tell of a word; one that they tie to others is told from every other."""
        return id_ if id_ in self.tied else super()._kind(id_)

    def meet(self, one: Slot, other: Slot | str) -> bool:
        """Whether both may be one word."""
        return bool(set(self.ids(one)) & (set(self.ids(other)) if isinstance(other, Slot) else {other}))

    def differ(self, slot: Slot) -> bool:
        """Whether axioms tell some words of the slot from others."""
        return len(set(self._by_member(slot, "kind").tolist())) > 1

    def column(self, draws: Draws, one: Slot, other: Slot | str | None) -> Codes:
        """For each row what axioms can tell of the word of a slot; with `other`: 1 where both are one word."""
        if other is None:
            return np.asarray(self._by_member(one, "kind")[draws.columns[one.name]], np.int64)
        left = self._by_member(one, "word")[draws.columns[one.name]]
        if isinstance(other, str):
            return np.asarray(left == self._numbers.get(other, -1), np.int64)
        return np.asarray(left == self._by_member(other, "word")[draws.columns[other.name]], np.int64)

    def _by_member(self, slot: Slot, what: str) -> NDArray[np.int64]:
        if (slot, what) not in self._codes:
            numbers: dict[Any, int] = self._kinds if what == "kind" else self._numbers
            keys = [self._kind(i) if what == "kind" else i for i in self.ids(slot)]
            self._codes[slot, what] = np.array([numbers.setdefault(k, len(numbers)) for k in keys], np.int64)
        return self._codes[slot, what]


def numbered(columns: Sequence[Codes], count: int) -> tuple[Codes, NDArray[np.intp]]:
    """Rows with equal entries in all columns get one number, from 0 in order of first occurrence; and the first row
    of each."""
    code: Codes = np.zeros(count, np.int64)
    size = 1
    for column in columns:
        radix = int(column.max(initial=0)) + 1
        if radix == 1:
            continue
        if size * radix > MOST_CODES:
            _, code = np.unique(code, return_inverse=True)
            size = int(code.max(initial=0)) + 1
        code = code * radix + column
        size *= radix
    if size == 1:
        return code, np.zeros(min(count, 1), np.intp)
    if size <= MOST_CODES:
        first = np.full(size, count, np.intp)
        first[code[::-1]] = np.arange(count)[::-1]  # the last one written is the first row
        used = np.flatnonzero(first < count)
        used = used[np.argsort(first[used], kind="stable")]
        number = np.zeros(size, np.int64)
        number[used] = np.arange(len(used))
        return number[code], first[used]
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.zeros(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[inverse], first[order]
