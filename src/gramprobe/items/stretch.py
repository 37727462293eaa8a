"""A stretch of the walk through a space, and which of its instances would repeat a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.space.space import Draws
from gramprobe.words.realise import mixed

Keys = NDArray[np.uint64]
Numbers = NDArray[np.uint32]


class Stretch(Struct, frozen=True):
    """A stretch of the walk: the instances that may be used, and the places of those that were skipped.

    Attributes:
        draws: the instances that may be used.
        keys: (instances, texts), the fingerprint of each text that may not be repeated; None where no repeat can occur.
        places: (instances,), the place of each in the stretch.
        repeats: places of instances that would repeat a text, or a word more often than the paradigm allows.
        vetoed: places of instances that the veto list names.
        start, stop: where the stretch lies in the permuted space.
        kept: (instances, texts), which texts of each give a row; None where all do.
        again: whether its instances were passed over before, and are now given with the texts that they do not repeat.
    """

    draws: Draws
    keys: Keys | None
    places: NDArray[np.intp]
    repeats: NDArray[np.intp]
    vetoed: NDArray[np.intp]
    start: int
    stop: int
    kept: NDArray[np.bool_] | None = None
    again: bool = False

    def skipped(self, count: int | None = None) -> tuple[int, int]:
        """How many repeats and vetoed instances stand in the stretch, or (with ``count``) before its usable instance
        of that number, counted from 1."""
        if count is None:
            return len(self.repeats), len(self.vetoed)
        last = self.places[count - 1] if count else -1
        return int((self.repeats < last).sum()), int((self.vetoed < last).sum())


class Pairs(Struct, frozen=True):
    """Texts that are pairs of sentences, where an instance has few first and second ones, so that it takes much
    less memory to hold the sentences than the pairs.

    Attributes:
        firsts: how many first sentences an instance has; the fingerprints of sentences begin with theirs.
        first, second: (texts,), for each pair the columns of its two sentences.
        seconds: for each first sentence the columns of the second ones that it stands with.
    """

    firsts: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    seconds: tuple[tuple[int, ...], ...]

    def keys(self, prints: Keys) -> Keys:
        """(instances, texts), the fingerprints of the pairs, from those of the sentences, (instances, sentences)."""
        return mixed(prints[:, self.first], prints[:, self.second])


PARTS = 16
"""The parts of a set of keys, by their highest bits: while runs are merged, only those of one part stand twice."""


class Seen:
    """The texts of a growing number of instances, by what is held of each: its keys, or fingerprints of its sentences.

    Keys are in sorted runs of which each is at least twice as long as the next: a stretch is compared with all before
    it in time that hardly grows, where one sorted array would be sorted anew each time. Of pairs the runs have the
    first sentences, each with its number, 12 bytes in all, and the second ones, 8 bytes each, are held beside them:
    mostly no first sentence is repeated, and only where one is, the pairs that it stands in are put together.
    """

    def __init__(self, pairs: Pairs | None = None) -> None:
        self._pairs = pairs
        self._parts: list[list[tuple[Keys, Numbers]]] = [[] for _ in range(PARTS)]
        self._seconds: list[Keys] = []  # of the instances of each call of `add`
        self._starts = [0]  # how many instances there were before it, and after the last

    def add(self, prints: Keys) -> None:
        """Add instances: their keys, or of pairs the fingerprints of their sentences, (instances, sentences)."""
        pairs, numbers = self._pairs, np.zeros(0, np.uint32)
        marks = prints if pairs is None else prints[:, : pairs.firsts]
        if pairs is not None:
            start, stop = self._starts[-1], self._starts[-1] + len(prints)
            numbers = np.arange(start * pairs.firsts, stop * pairs.firsts, dtype=np.uint32)
            self._seconds.append(prints[:, pairs.firsts :].copy())
            self._starts.append(stop)
        every, numbers = _ordered(marks.reshape(-1), numbers)
        borders = _borders(every)
        split = zip(self._parts, np.split(every, borders), np.split(numbers, borders), strict=True)
        for runs, fresh, named in split:
            while runs and len(runs[-1][0]) < 2 * len(fresh):
                last, of_last = runs.pop()
                fresh, named = _ordered(np.concatenate([last, fresh]), np.concatenate([of_last, named]))
            if len(fresh):
                runs.append((fresh, named) if fresh.base is None else (fresh.copy(), named.copy()))  # a view keeps all

    def has(self, prints: Keys) -> NDArray[np.bool_]:
        """(instances, texts) which texts of other instances are there, given as in `add`."""
        pairs = self._pairs
        return self._has(prints) if pairs is None else self._known(prints, self._has(prints[:, : pairs.firsts]), pairs)

    def repeats(self, prints: Keys) -> NDArray[np.bool_]:
        """(instances,) which other instances have a text that is there: nearly all that do have one with their very
        first sentence, so that only of the rest all pairs are looked for."""
        pairs = self._pairs
        if pairs is None:
            return np.asarray(self._has(prints).any(axis=1))
        found = self._has(prints[:, : pairs.firsts])
        of_one = found & (np.arange(pairs.firsts) == 0)
        repeated: NDArray[np.bool_] = np.asarray(self._known(prints, of_one, pairs).any(axis=1))
        rest = np.flatnonzero(found.any(axis=1) & ~repeated)
        repeated[rest] = self._known(prints[rest], found[rest], pairs).any(axis=1)
        return repeated

    def _known(self, prints: Keys, found: NDArray[np.bool_], pairs: Pairs) -> NDArray[np.bool_]:
        """(instances, texts) which pairs are there, of those whose first sentence is ``found``, (instances, firsts)."""
        known = found[:, pairs.first]
        if found.any():
            marks = np.sort(prints[:, : pairs.firsts][found])
            held = np.sort(self._with(marks[np.diff(marks, prepend=~marks[:1]) != 0], pairs))
            rows, texts = np.nonzero(known)
            keys = mixed(prints[rows, pairs.first[texts]], prints[rows, pairs.second[texts]])
            known[rows, texts] = _among(held, keys)
        return known

    def _has(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of these keys are in the runs; an array of their shape. Mostly none is, so that only those that are
        there are looked for at their places."""
        every = np.sort(keys.reshape(-1))
        found = [every[:0]]
        for runs, mine in zip(self._parts, np.split(every, _borders(every)), strict=True):
            found += [mine[run[np.minimum(np.searchsorted(run, mine), len(run) - 1)] == mine] for run, _ in runs]
        return _among(np.sort(np.concatenate(found)), keys)

    def _with(self, marks: Keys, pairs: Pairs) -> Keys:
        """The keys of all pairs with one of these first sentences, which are sorted."""
        held, named = [marks[:0]], [np.zeros(0, np.uint32)]
        for runs, mine in zip(self._parts, np.split(marks, _borders(marks)), strict=True):
            for run, numbers in runs:
                begin, end = np.searchsorted(run, mine), np.searchsorted(run, mine, "right")
                rows = np.repeat(end - np.cumsum(end - begin), end - begin) + np.arange((end - begin).sum())
                held.append(run[rows])
                named.append(numbers[rows])
        firsts = np.concatenate(held)
        instances, columns = np.divmod(np.concatenate(named).astype(np.intp), pairs.firsts)
        calls = np.searchsorted(self._starts, instances, "right") - 1
        seconds = np.zeros((len(firsts), int(pairs.second.max()) + 1 - pairs.firsts), np.uint64)
        for call in np.unique(calls).tolist():
            rows = np.flatnonzero(calls == call)
            seconds[rows] = self._seconds[call][instances[rows] - self._starts[call]]
        of = columns[:, None] == pairs.first  # (first sentences, texts) the pairs of each
        rows, texts = np.nonzero(of)
        return mixed(firsts[rows], seconds[rows, pairs.second[texts] - pairs.firsts])


class Here:
    """The texts of instances that are taken one by one, by what is held of each, as in `Seen`."""

    def __init__(self, pairs: Pairs | None = None) -> None:
        self._pairs = pairs
        self._keys = set[int]()  # where no sentences are held
        self._rows: list[list[int]] = []
        self._firsts: dict[int, int] = {}  # each first sentence: the row that it stands in last, and its column there
        self._before: dict[int, list[int]] = {}  # the same of rows before

    def takes(self, prints: Keys) -> bool:
        """Whether an instance, (sentences,), repeats no text of one before; it is then added."""
        mine: list[int] = prints.tolist()
        if self._pairs is None:
            fresh = self._keys.isdisjoint(mine)
            if fresh:
                self._keys.update(mine)
            return fresh
        known, firsts = self._firsts, mine[: self._pairs.firsts]
        if not known.keys().isdisjoint(firsts) and self._repeats(mine, firsts, self._pairs.seconds):
            return False
        for entry, first in enumerate(firsts, len(self._rows) * len(firsts)):
            if first in known:
                self._before.setdefault(first, []).append(known[first])
            known[first] = entry
        self._rows.append(mine)
        return True

    def _repeats(self, mine: list[int], firsts: list[int], seconds: Sequence[Sequence[int]]) -> bool:
        """Whether an instance repeats a pair with one of its first sentences."""
        for column, first in enumerate(firsts):
            if first not in self._firsts:
                continue
            own = {mine[second] for second in seconds[column]}
            for entry in (self._firsts[first], *self._before.get(first, ())):
                row, there = divmod(entry, len(firsts))
                if any(self._rows[row][second] in own for second in seconds[there]):
                    return True
        return False


def _among(known: Keys, keys: Keys) -> NDArray[np.bool_]:
    """Which keys are among some that are sorted; an array of their shape."""
    if not len(known):
        return np.zeros(keys.shape, np.bool_)
    return np.asarray(known[np.minimum(np.searchsorted(known, keys), len(known) - 1)] == keys)


def _ordered(keys: Keys, numbers: Numbers) -> tuple[Keys, Numbers]:
    """Sorted keys, and their numbers, if they have some. Two sorted runs, one after the other, are merged."""
    if not len(numbers):
        return np.sort(keys, kind="stable"), numbers
    order = np.argsort(keys, kind="stable")
    return keys[order], numbers[order]


def _borders(keys: Keys) -> NDArray[np.intp]:
    """Where sorted keys are cut into :data:`PARTS`."""
    size = (1 << 64) // PARTS
    return np.searchsorted(keys, np.arange(size, 1 << 64, size, dtype=np.uint64))


def equal_within(keys: Keys) -> NDArray[np.bool_]:
    """(rows, texts) which keys stand in their row before: of the row [1, 2, 1] the last one."""
    order = np.argsort(keys, axis=1, kind="stable")
    held = np.take_along_axis(keys, order, axis=1)
    equal = np.zeros(keys.shape, np.bool_)
    equal[:, 1:] = held[:, 1:] == held[:, :-1]
    found = np.zeros(keys.shape, np.bool_)
    np.put_along_axis(found, order, equal, axis=1)
    return found


def fresh_texts(keys: Keys, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(rows, texts) which keys are neither ``known``, (rows, texts), nor stand before, read row by row."""
    _, first = np.unique(keys.reshape(-1), return_index=True)
    fresh = np.zeros(keys.size, np.bool_)
    fresh[first] = True
    return fresh.reshape(keys.shape) & ~known


def first_of_each(keys: Keys, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which rows to take so that no key is repeated, greedily from the first row.

    ``keys``, ``known``: (rows, texts), the second says which keys no row may have. Returns (rows,) booleans: a row is
    taken iff no key of it is ``known`` or in a row that was taken before it. Of the rows [1], [2], [1] the first two
    are.
    """
    count = len(keys)
    take = np.asarray(~known.any(axis=1))
    if not count:
        return take
    values, first, inverse = np.unique(keys.reshape(-1), return_index=True, return_inverse=True)
    inverse = inverse.reshape(keys.shape)
    owner = first // keys.shape[1]
    repeated = owner[inverse] != np.arange(count)[:, None]
    if not repeated.any():
        return take
    # Only rows that share a key with another can depend on what was skipped: these one by one.
    shared = np.zeros(len(values), np.bool_)
    shared[np.unique(inverse[repeated])] = True
    taken: set[int] = set()
    for row in np.flatnonzero(take & shared[inverse].any(axis=1)):
        mine = inverse[row]
        if any(int(k) in taken for k in mine):
            take[row] = False
        else:
            taken.update(int(k) for k in mine[shared[mine]])
    return take
