"""The limits of a paradigm (`each w at most 14 times in 50`): what may be taken next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.items.plan import Plan
from gramprobe.resolve.grammar.data import Cell
from gramprobe.resolve.paradigm.data import Factor
from gramprobe.resolve.tree import Slot
from gramprobe.space.space import Draws


class Column(Struct, frozen=True):
    """The column whose values are strata: a draw and a column of its words (None: the words themselves), and the place
    of its limit."""

    draw: str
    column: str | None
    limit: int


class Limits:
    """How often words, and values of columns, may still be drawn.

    What is counted has a number: every word or value of each limit its own, 0 what is not counted (an empty cell, a
    slot that an instance does not have).

    Attributes:
        left: for each number but 0 how many more there may be by now. The last stands for the instances without a
            value of the strata: it is counted as a value is, though it excludes nothing.
        values: the value of each number of the strata's column, empty for 0.
        numbers: for each slot of that column the number of every member.
    """

    def __init__(self, plan: Plan, column: Column) -> None:
        """``column``: that of the strata."""
        self._limits = plan.paradigm.limits
        self._instances = 0
        self._slots: list[list[tuple[str, NDArray[np.intp]]]] = []
        self._ranges: list[list[int]] = []  # the numbers of each limit
        self.left = [0]
        self._words: list[Cell] = [""]
        for number, limit in enumerate(self._limits):
            known: dict[Cell, int] = {}
            mine: list[tuple[str, NDArray[np.intp]]] = []
            for slot, of in limit.of:
                values = values_of(plan, slot, of)
                codes = [0 if v is None else known.setdefault(v, len(self.left) + len(known)) for v in values]
                mine.append((slot.name, np.array([*codes, 0], np.intp)))  # the last: an instance without the slot
            self._ranges.append(list(known.values()))
            self.left += [limit.after(0)] * len(known)
            self._words += known
            self._slots.append(mine)
            if number == column.limit:
                texts = {n: "|".join(v) if isinstance(v, tuple) else str(v) for v, n in known.items()}
                self.values = {0: "", **texts}
        self._ranges[column.limit].append(len(self.left))
        self.left.append(self._limits[column.limit].after(0))
        slots = _slots(plan, column.draw)
        self.numbers = {name: each[:-1] for name, each in self._slots[column.limit] if name in slots}

    def cells(self, draws: Draws) -> list[tuple[int, ...]]:
        """What is counted in each instance."""
        every = [numbers[draws.columns[name]].tolist() for of in self._slots for name, numbers in of]
        return [tuple(filter(None, cells)) for cells in zip(*every, strict=True)]

    def room(self, cells: tuple[int, ...]) -> bool:
        """Whether an instance may be taken next."""
        left = self.left
        for number in cells:
            if left[number] < 1:
                return False
        if len(set(cells)) == len(cells):
            return True
        return all(left[number] >= times for number, times in Counter(cells).items())

    def used_up(self, passed: Sequence[tuple[int, ...]]) -> list[tuple[str, list[str]]]:
        """The limits that keep all of these instances out, as lines, each with the words that may stand in no more of
        them, the most frequent first."""
        most: Counter[int] = Counter()
        for cells in passed:
            times = Counter(cells)
            most.update(number for number in times if self.left[number] < times[number])
        found = []
        for limit, numbers in zip(self._limits, self._ranges, strict=True):
            named = [n for n in numbers if n < len(self._words)]
            words = [n for n, _ in most.most_common() if n in named]
            if words:
                texts = ("|".join(w) if isinstance(w, tuple) else str(w) for w in (self._words[n] for n in words))
                found.append((limit.text, list(texts)))
        return found

    def add(self, cells: tuple[int, ...], valued: bool = True) -> None:
        """Count an instance that is taken. ``valued``: whether it has a value of the strata."""
        left = self.left
        for number in cells:
            left[number] -= 1
        if not valued:
            left[-1] -= 1
        self._instances += 1
        for limit, numbers in zip(self._limits, self._ranges, strict=True):
            if limit.per is not None and self._instances % limit.per == 0:
                for number in numbers:
                    left[number] += limit.count


def values_of(plan: Plan, slot: Slot, column: str | None) -> list[Cell | None]:
    """For each member of a slot the word, or the value of its column."""
    if slot.is_feature:
        return [*plan.grammar.features[slot.category].values]
    category = plan.grammar.categories[slot.category]
    return [
        each.id if column is None else category.fixed[column] if column in category.fixed else each.columns[column]
        for each in category.lexemes
    ]


def levels_drawn(plan: Plan, draws: Draws, factor: Factor) -> list[str]:
    """For each instance the level of a factor that is drawn."""
    (slot,) = (
        domain.slot
        for draw in plan.paradigm.draws
        if draw.name == factor.draw
        for skeleton in draw.skeletons
        for domain in skeleton.domains
    )
    values = values_of(plan, slot, factor.column or None)
    return [str(values[member]) for member in draws.columns[slot.name].tolist()]


def columns(plan: Plan) -> list[Column]:
    """The columns that strata can be drawn by, in the order of limits and draws."""
    return [
        Column(draw.name, named[0], number)
        for number, limit in enumerate(plan.paradigm.limits)
        for draw in plan.paradigm.draws
        if (named := [column for slot, column in limit.of if slot.name in _slots(plan, draw.name)])
    ]


def _slots(plan: Plan, draw: str) -> set[str]:
    """The names of the slots of a draw."""
    skeletons = [skeleton for each in plan.paradigm.draws if each.name == draw for skeleton in each.skeletons]
    return {domain.slot.name for skeleton in skeletons for domain in skeleton.domains}
