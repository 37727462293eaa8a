"""A stretch of the walk through a space, and which of its instances would repeat a text."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.space.space import Draws

Keys = NDArray[np.uint64]


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


PARTS = 16
"""The parts of a set of keys, by their highest bits: while runs are merged, only those of one part stand twice."""


class Seen:
    """A growing set of keys, in sorted runs of which each is at least twice as long as the next: a stretch is compared
    with all keys before it in time that hardly grows, where one sorted array would be sorted anew each time."""

    def __init__(self) -> None:
        self._parts: list[list[Keys]] = [[] for _ in range(PARTS)]

    def __len__(self) -> int:
        return sum(len(run) for runs in self._parts for run in runs)

    def add(self, keys: Keys) -> None:
        """Add keys of any shape, none of which is there already."""
        every = np.sort(keys.reshape(-1))
        for runs, fresh in zip(self._parts, np.split(every, _borders(every)), strict=True):
            while runs and len(runs[-1]) < 2 * len(fresh):
                fresh = np.concatenate([runs.pop(), fresh])
                fresh.sort(kind="stable")  # two runs: merged
            if len(fresh):
                runs.append(fresh if fresh.base is None else fresh.copy())  # a view would keep all of them

    def has(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of these keys are there; an array of their shape. Mostly none is, so that only those that are there are
        looked for at their places."""
        every = np.sort(keys.reshape(-1))
        found = [every[:0]]
        for runs, mine in zip(self._parts, np.split(every, _borders(every)), strict=True):
            found += [mine[run[np.minimum(np.searchsorted(run, mine), len(run) - 1)] == mine] for run in runs]
        known = np.unique(np.concatenate(found))
        if not len(known):
            return np.zeros(keys.shape, np.bool_)
        return np.asarray(known[np.minimum(np.searchsorted(known, keys), len(known) - 1)] == keys)


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


def fresh_texts(keys: Keys, seen: Seen) -> NDArray[np.bool_]:
    """(rows, texts) which keys are neither among ``seen`` nor stand before, read row by row."""
    flat = keys.reshape(-1)
    values, first = np.unique(flat, return_index=True)
    fresh = np.zeros(len(flat), np.bool_)
    fresh[first[~seen.has(values)]] = True
    return fresh.reshape(keys.shape)


def first_of_each(keys: Keys, seen: Seen) -> NDArray[np.bool_]:
    """Which rows to take so that no key is repeated, greedily from the first row.

    ``keys``: (rows, texts); ``seen``: keys of earlier rows. Returns (rows,) booleans: a row is taken iff no
    key of it is among ``seen`` or in a row that was taken before it. Of the rows [1], [2], [1] the first two are.
    """
    count = len(keys)
    take = np.ones(count, np.bool_)
    if not count:
        return take
    values, first, inverse = np.unique(keys.reshape(-1), return_index=True, return_inverse=True)
    inverse = inverse.reshape(keys.shape)
    known = seen.has(values)
    owner = first // keys.shape[1]
    repeated = (owner[inverse] != np.arange(count)[:, None]) | known[inverse]
    if not repeated.any():
        return take
    # Only rows that share a key with another can depend on what was skipped: these one by one.
    shared = np.zeros(len(values), np.bool_)
    shared[np.unique(inverse[repeated])] = True
    taken: set[int] = set()
    for row in np.flatnonzero((shared | known)[inverse].any(axis=1)):
        mine = inverse[row]
        if known[mine].any() or any(int(k) in taken for k in mine):
            take[row] = False
        else:
            taken.update(int(k) for k in mine[shared[mine]])
    return take
