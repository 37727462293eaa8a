"""The variant of a tree that each row has, over many chunks: the skeletons, and the values of features it consults.

Rows are numbered once for all chunks and without sorting: the values of the features of a row are the digits of a
number, and a table holds the variant of each number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.resolve.grammar.data import Cell
from gramprobe.resolve.tree import Composite, Slot, Tree, nodes
from gramprobe.space.space import Draws, Space
from gramprobe.words.parts import Parts

MOST_DIGITS = 1 << 20
"""The most numbers for which there is a table."""

Key = tuple[Slot, str | None]


def drawn_category(space: Space, slot: Slot) -> str:
    """The category (or feature) from which the slot itself is drawn, whatever column of it is meant."""
    return space.slots[slot.name].category


class Variant(Struct, frozen=True):
    """A tree, and the values of the features that it consults."""

    tree: Tree
    chosen: dict[tuple[str, str | None], Cell]


@dataclass
class _Skeleton:
    """A tree with its composites put in, its keys, and the first of its numbers (`start`)."""

    tree: Tree
    slots: list[Slot]
    keys: list[Key]
    tables: list[tuple[NDArray[np.int64], list[Cell]]]
    start: int
    parts: Parts

    @cached_property
    def size(self) -> int:
        return prod(len(values) for _, values in self.tables)

    def digits(self, draws: Draws, rows: NDArray[np.intp] | slice) -> NDArray[np.int64]:
        code = np.full(len(draws.box[rows]), self.start, np.int64)
        for name, weighted in self._weighted.items():
            code += weighted[draws.columns[name][rows]]
        return code

    @cached_property
    def _weighted(self) -> dict[str, NDArray[np.int64]]:
        """Name of a slot -> (members,) what each member adds to the number: the digits of all its keys."""
        weight, weighted = self.size, dict[str, NDArray[np.int64]]()
        for (slot, _), (codes, values) in zip(self.keys, self.tables, strict=True):
            weight //= len(values)
            weighted[slot.name] = weighted.get(slot.name, 0) + codes * weight
        return weighted

    def variant(self, number: int) -> Variant:
        number -= self.start
        weight, chosen = self.size, {}
        for (slot, column), (_, values) in zip(self.keys, self.tables, strict=True):
            weight //= len(values)
            chosen[slot.path, column] = values[number // weight % len(values)]
        return Variant(self.parts.settled(self.tree, chosen), chosen)

    def among(self, members: Mapping[str, Sequence[int]], most: int) -> list[int] | None:
        """The numbers of every combination of the members of each slot; None for more than ``most``."""
        of_slots: dict[str, list[int]] = {}
        for at, (slot, _) in enumerate(self.keys):
            of_slots.setdefault(slot.name, []).append(at)
        options = []
        for name, places in of_slots.items():
            values = zip(*(self.tables[at][0][list(members[name])].tolist() for at in places), strict=True)
            options.append([tuple(zip(places, each, strict=True)) for each in dict.fromkeys(values)])
        if prod(map(len, options)) > most:
            return None
        sizes = [len(values) for _, values in self.tables]
        weights = [prod(sizes[at + 1 :]) for at in range(len(sizes))]
        return [
            self.start + sum(code * weights[at] for slot in each for at, code in slot) for each in product(*options)
        ]


@dataclass
class Variants:
    """Numbers the rows of chunks by variant; ``by_number[n]`` is variant n, in order of first occurrence.

    ``keys_of``: the keys of a tree that ``parts`` gave.
    """

    tree: Tree
    keys_of: Callable[[Tree], Sequence[Key]]
    space: Space
    parts: Parts
    by_number: list[Variant] = field(default_factory=list)

    def __post_init__(self) -> None:
        composites = {n.name for n in nodes(self.tree) if isinstance(n, Composite)}
        labels: dict[tuple[tuple[str, ...], ...], int] = {}
        self._skeletons: list[_Skeleton] = []
        self._of_box: list[int] = []
        start = 0
        for box in self.space.boxes:
            named = zip(self.space.paradigm.draws, box.skeletons, strict=True)
            label = tuple(s.constructors for d, s in named if d.name in composites)
            if label not in labels:
                labels[label] = len(labels)
                whole = self.parts.one(self.space.tree(self.tree, box))
                keys = list(self.keys_of(whole))
                tables = [self.space.codes(slot, column, self.parts.grammar) for slot, column in keys]
                slots = list(dict.fromkeys(slot for slot, _ in keys))
                self._skeletons.append(_Skeleton(whole, slots, keys, tables, start, self.parts))
                start += self._skeletons[-1].size
            self._of_box.append(labels[label])
        self._numbers: dict[int, int] = {}
        self._made: dict[int, Variant] = {}
        self._table = np.full(start, -1, np.int32) if start <= MOST_DIGITS else None

    def of(self, draws: Draws) -> NDArray[np.int32]:
        """The number of the variant of each row, shape (rows,)."""
        if len(self._skeletons) == 1:
            code = self._skeletons[0].digits(draws, slice(None))
        else:
            skeleton = np.array(self._of_box)[draws.box]
            code = np.zeros(len(draws), np.int64)
            for number, each in enumerate(self._skeletons):
                rows = np.flatnonzero(skeleton == number)
                code[rows] = each.digits(draws, rows)
        if self._table is None:
            used, inverse = np.unique(code, return_inverse=True)
            return np.array([self._number(int(u)) for u in used], np.int32)[inverse]
        for number in np.flatnonzero(np.bincount(code, minlength=1)).tolist():
            self._table[number] = self._number(number)
        numbers: NDArray[np.int32] = self._table[code]
        return numbers

    @property
    def codes(self) -> list[int]:
        """For each variant so far the number by which it is the same in every run."""
        return list(self._numbers)

    def among(self, box: int, members: Mapping[str, Sequence[int]], most: int) -> list[Variant] | None:
        """The variants of rows of a box (its number) whose slots hold some of these members; None for more than
        ``most``.

        A variant whose values no member has is not among them: a table need not have a cell for it.
        """
        codes = self._skeletons[self._of_box[box]].among(members, most)
        return None if codes is None else [self._variant(code) for code in codes]

    def _variant(self, code: int) -> Variant:
        if code not in self._made:
            self._made[code] = next(s for s in reversed(self._skeletons) if code >= s.start).variant(code)
        return self._made[code]

    def _number(self, code: int) -> int:
        if code not in self._numbers:
            self._numbers[code] = len(self.by_number)
            self.by_number.append(self._variant(code))
        return self._numbers[code]
