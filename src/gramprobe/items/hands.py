"""The walk of a paradigm with limits: by strata, the values of one column, each in an order of its own.

The column is the one by whose strata the fewest instances of a sample are passed over (:func:`column_of`); the other
limits draw and pass over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from gramprobe.cache import Folder
from gramprobe.items.limits import Column, Limits, columns
from gramprobe.items.marks import Marks
from gramprobe.items.plan import Plan
from gramprobe.items.stretch import Here, Keys, Seen, Stretch, equal_within
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError
from gramprobe.space.network import Tangled
from gramprobe.space.space import Draws, Permutation, images, runs
from gramprobe.space.strata import Strata, Stratum, strata_of

SAMPLE = 2_048
"""The instances of the sample: the first of seed 0, whatever the seed of a dataset."""
CHUNK = 1 << 16
"""Instances of all strata that are drawn ahead."""
PATIENCE = 1 << 18
"""After so many instances in a row that are passed over, no other is expected."""
KEPT = 8_192
"""Instances of a stretch where there are limits: enough that what is done once a chunk costs little."""
HAND = 64, 4_096
"""Instances of a stratum that are drawn at once, at first (fewer where few are expected) and in the end."""
KEYED = 256, 4_096
"""Instances of all strata among which are those whose fingerprints are made at once, at first and in the end."""


@dataclass(eq=False)
class _Hand:
    """What is drawn of a stratum and not yet used: the rows ``row .. end - 1`` of what all strata have drawn.

    ``drawn``: how many instances of the stratum's own order were drawn.
    """

    stratum: Stratum
    order: Permutation
    drawn: int = 0
    row: int = 0
    end: int = 0

    @property
    def left(self) -> int:
        """How many instances of the stratum are not used."""
        return self.stratum.size - self.drawn + self.end - self.row


class Hands:
    """The walk where there are limits: by the strata of a column, each in an order of its own.

    The next instance is of the value that may still stand in most instances; of several the first. Where the next of
    its stratum exceeds another limit, or repeats a text, it is passed over for good, and so on with the value that has
    the next most room, and again from the first. How far strata are drawn ahead changes nothing.
    """

    def __init__(
        self,
        plan: Plan,
        seed: int,
        column: Column,
        marks: Marks | None = None,
        keyed: bool = False,
        whole: bool = False,
    ) -> None:
        """``marks``: None where limits alone keep instances out; ``keyed``: whether texts can be repeated; ``whole``:
        whether an instance with two equal texts is kept out as well."""
        self._plan, self._marks, self._keyed, self._whole = plan, marks, keyed, whole
        self._pairs = marks.pairs if marks and keyed else None
        self._seen = Seen(self._pairs)
        self._limits = Limits(plan, column)
        #: those of its column
        self.strata = _strata(plan, column, self._limits.numbers)
        self._hands = [
            _Hand(each, each.permutation(plan.space, seed, self._limits.values[each.number]))
            for each in self.strata.every
        ]
        self._numbers = [each.number or -1 for each in self.strata.every]
        self._sizes = [HAND[0], KEYED[0]]
        self._events = 0
        self._places: list[int] = []  # of those that are taken in a sample
        self._since: list[tuple[int, ...]] = []  # what was passed over since the last that was taken
        self._draws = plan.space.at(np.zeros(0, np.int64))  # of which the rows are
        self._vetoed = self._known = self._repeats = np.zeros(0, np.bool_)
        self._cells: list[tuple[int, ...]] = []
        self._prints = marks.prints(self._draws) if marks and keyed else np.zeros((0, 0), np.uint64)
        self._taken: list[int] = []  # rows
        self._parts: list[tuple[Draws, Keys]] = []  # of rows that are gone

    def stretches(self, expected: int | None) -> Iterator[Stretch]:
        """The walk, at most :data:`KEPT` instances a stretch."""
        self._expect(KEPT if expected is None else expected)
        given, more = 0, True
        while more:
            size = KEPT if expected is None else min(KEPT, max(64 if given else 1, expected - given))
            start, places, repeats, vetoed = self._events, list[int](), list[int](), list[int]()
            here = Here(self._pairs)  # the texts of this stretch
            while len(places) < size and (more := self._take(here, places, repeats, vetoed)):
                pass
            given += len(places)
            self._put_away()
            draws = Draws.joined([draws for draws, _ in self._parts])
            keys = None
            if self._keyed:
                assert self._marks is not None
                prints = np.concatenate([prints for _, prints in self._parts])
                keys = self._marks.keys(prints)
                self._seen.add(prints)
                rows = np.concatenate([np.arange(hand.row, hand.end) for hand in self._hands])
                rows = rows[self._known[rows] & ~self._repeats[rows]]  # of those to come
                self._repeats[rows] |= self._seen.repeats(self._prints[rows])
            self._parts.clear()
            at, again, named = (np.array(each, np.intp) - start for each in (places, repeats, vetoed))
            yield Stretch(draws, keys, at, again, named, start, self._events)

    def _expect(self, count: int) -> None:
        """Draw no more at first than some two times as many instances, and key no more."""
        self._sizes[0] = min(self._sizes[0], max(4, 2 * count // max(1, len(self._hands))))
        self._sizes[1] = min(self._sizes[1], max(4, 2 * count))

    def used_up(self) -> list[tuple[str, list[str]]]:
        """The limits that leave no other instance, with their words (`Limits.used_up`)."""
        left = [(each.stratum.number,) for each in self._hands if each.left]
        return self._limits.used_up(self._since or left)

    def tried(self, most: int) -> tuple[int, bool]:
        """How many of the first :data:`SAMPLE` instances limits pass over, and whether these are all; where it is not,
        they are more than ``most``, and no more were drawn. May be called again.

        Where no more than some can be taken, that of so many is taken to be that of the sample.
        """
        if not self._events:
            self._expect(SAMPLE)
        while self._events < SAMPLE and self._take(Here(), self._places, [], [], SAMPLE):
            passed = self._events - len(self._places)
            if self._events < SAMPLE and passed > most:
                return passed, False
        return (self._events - len(self._places)) * SAMPLE // max(1, self._events), True

    def _take(
        self, here: Here, places: list[int], repeats: list[int], vetoed: list[int], patience: int = PATIENCE
    ) -> bool:
        """Take the next instance, and note the number of each that is taken or passed over. Returns whether there is
        one."""
        room, before = self._limits.left, len(repeats)
        rooms = list(map(room.__getitem__, self._numbers))

        def goes(hand: _Hand) -> bool:
            return self._goes(hand, here, places, repeats, vetoed)

        first = self._hands[rooms.index(max(rooms))]
        if self._has_next(first) and goes(first):  # mostly, and no order of the others is needed
            return True
        hands = [self._hands[number] for number in sorted(range(len(rooms)), key=rooms.__getitem__, reverse=True)]
        if any(self._has_next(each) and goes(each) for each in hands[1:]):
            return True
        hands = [each for each in hands if self._has_next(each)]
        while (hands := [each for each in hands if each.left]) and len(repeats) - before < patience:
            if any(map(goes, hands)):
                return True
        return False

    def _goes(self, hand: _Hand, here: Here, places: list[int], repeats: list[int], vetoed: list[int]) -> bool:
        """Whether the next instance of a hand, if there is one, is taken; it is noted in any case."""
        if hand.row == hand.end:
            if not hand.left:
                return False
            self._draw()
        row, place = hand.row, self._events
        hand.row += 1
        self._events += 1
        if self._vetoed[row]:
            vetoed.append(place)
        elif not self._limits.room(self._cells[row]) or not self._is_fresh(row, here):
            repeats.append(place)
            self._since.append(self._cells[row])
        else:
            self._limits.add(self._cells[row], bool(hand.stratum.number))
            self._taken.append(row)
            self._since.clear()
            places.append(place)
            return True
        return False

    def _has_next(self, hand: _Hand) -> bool:
        """Whether an instance of a hand may be the next one."""
        return hand.left > 0 and (self._limits.left[hand.stratum.number] > 0 or not hand.stratum.number)

    def _is_fresh(self, row: int, here: Here) -> bool:
        """Whether no text of a row is repeated; they are then noted."""
        if not self._keyed:
            return True
        if not self._known[row]:
            self._key(row)
        return not self._repeats[row] and here.takes(self._prints[row])

    def _key(self, row: int) -> None:
        """Make the keys of a row, and of those of all strata that come next and keep the limits so far."""
        assert self._marks is not None
        most = self._sizes[1]
        ahead = max(1, most // len(self._hands))
        self._sizes[1] = min(KEYED[1], 2 * most)
        near = np.concatenate([np.arange(h.row, min(h.end, h.row + ahead)) for h in self._hands])
        fits = [r for r in near[~self._known[near]].tolist() if self._limits.room(self._cells[r])]
        rows = np.array([row, *fits[:most]])
        self._prints[rows] = prints = self._marks.prints(self._draws.take(rows))
        self._known[rows], self._repeats[rows] = True, self._seen.repeats(prints)
        if self._whole:
            self._repeats[rows] |= equal_within(self._marks.keys(prints)).any(axis=1)

    def _draw(self) -> None:
        """Draw more of every stratum that has less than half of what is drawn at once."""
        self._put_away()
        size = self._sizes[0]
        self._sizes[0] = min(max(HAND[0], CHUNK // len(self._hands)), HAND[1], 2 * size)
        hands = self._hands
        begins, rest = (np.array(each, np.int64) for each in zip(*((h.row, h.end - h.row) for h in hands), strict=True))
        more = np.array(
            [
                min(size, hand.stratum.size - hand.drawn) if 2 * left < size else 0
                for hand, left in zip(hands, rest.tolist(), strict=True)
            ],
            np.int64,
        )
        wanted = [(h.order, h.drawn, h.drawn + n) for h, n in zip(hands, more.tolist(), strict=True) if n]
        places = np.repeat([hand.stratum.place for hand in hands], more)
        drawn = self.strata.draws(self._plan.space, places, images(wanted))
        rows, fresh = runs(begins, rest), len(drawn)
        # the rows of each stratum one after the other: what is left of it, then what is drawn
        parts = np.stack([np.cumsum(rest) - rest, len(rows) + np.cumsum(more) - more], axis=1)
        order = runs(parts.reshape(-1), np.stack([rest, more], axis=1).reshape(-1))
        ends = np.cumsum(rest + more).tolist()
        for hand, start, end, n in zip(hands, [0, *ends], ends, more.tolist(), strict=False):
            hand.drawn, hand.row, hand.end = hand.drawn + n, start, end
        self._draws = Draws.joined([self._draws.take(rows), drawn]).take(order)
        cells = [self._cells[r] for r in rows.tolist()] + self._limits.cells(drawn)
        self._cells = [cells[r] for r in order.tolist()]
        none = np.zeros(fresh, np.bool_)
        self._vetoed = np.concatenate([self._vetoed[rows], self._marks.vetoed(drawn) if self._marks else none])[order]
        self._known = np.concatenate([self._known[rows], none])[order]
        self._repeats = np.concatenate([self._repeats[rows], none])[order]
        if self._keyed:
            blank = np.zeros((fresh, self._prints.shape[1]), np.uint64)
            self._prints = np.concatenate([self._prints[rows], blank])[order]

    def _put_away(self) -> None:
        """Keep what was taken since the rows were drawn."""
        rows = np.array(self._taken, np.intp)
        self._parts.append((self._draws.take(rows), self._prints[rows if self._keyed else slice(0)]))
        self._taken.clear()


def _strata(plan: Plan, column: Column, numbers: Mapping[str, NDArray[np.intp]]) -> Strata:
    """The strata of a column. Those made last are kept: a column is tried, and then walked by."""
    memory = plan.space.memory
    if "strata" not in memory or memory["strata"][0] != column:
        memory["strata"] = column, strata_of(plan.space, numbers)
    strata: Strata = memory["strata"][1]
    return strata


def column_of(plan: Plan) -> Column | None:
    """The column whose values are strata: the one by which the fewest instances of a sample are passed over, the first
    of several. None without limits. Raises AuthoringError where the conditions are too tangled for each of them."""
    if not plan.paradigm.limits:
        return None
    memory = plan.space.memory
    if "column" not in memory:
        every = columns(plan)
        key = plan.walked if len(every) > 1 else ""
        memory["column"] = Folder("columns").found(key, Column, lambda: _best(plan, every))
    column: Column = memory["column"]
    return column


def _best(plan: Plan, every: Sequence[Column]) -> Column:
    """The column by which the fewest instances are passed over: the next instances are always drawn by the one that has
    passed over the fewest so far. Raises AuthoringError where all are too tangled."""
    hands: dict[int, Hands] = {}
    cells = 0
    heap = [(0, number, len(every) == 1) for number in range(len(every))]
    while heap:
        _, number, whole = heappop(heap)
        try:
            tried = hands[number] if number in hands else hands.setdefault(number, Hands(plan, 0, every[number]))
        except Tangled as error:
            cells = error.cells
            continue
        if whole:
            plan.space.memory["strata"] = every[number], tried.strata
            return every[number]
        passed, whole = tried.tried(heap[0][0] if heap else SAMPLE)
        heappush(heap, (passed, number, whole))
    paradigm = plan.paradigm
    raise AuthoringError([messages.paradigm.too_tangled(paradigm.span, paradigm.name, cells)])
