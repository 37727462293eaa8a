"""Shares and splits: which pair's row an instance gives, and which split it is in.

Where pairs have shares every instance gives one row, of the pair that is furthest behind its share. So after any number
of instances no pair is a whole row ahead of its share, and with two pairs none is more than half a row behind it; with
more pairs one may be further behind, by the harmonic number of the pairs at most (1 + 1/2 + 1/3 and so on), whatever
the number of instances. A larger dataset begins with the smaller one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gramprobe.resolve.paradigm.data import Paradigm

OTHERS = "test"
"""The split of instances beyond the sizes of the declared splits."""


class Turns:
    """Deals pairs to instances as they come."""

    def __init__(self, paradigm: Paradigm, given: Sequence[int] = ()):
        """``given``: how many rows each pair has already; none at the beginning."""
        shares = np.array([pair.share or 0.0 for pair in paradigm.pairs])
        self.shares = shares / shares.sum() if paradigm.shared else None
        self.given = np.array(given or [0] * len(shares), np.float64)
        self.count = sum(given)

    def deal(self, count: int) -> NDArray[np.int64] | None:
        """(count,) the number of the pair for each of the next instances; None if instances give rows of all pairs."""
        if self.shares is None:
            return None
        pairs = np.zeros(count, np.int64)
        for number in range(count):
            self.count += 1
            missing = self.shares * self.count - self.given
            pairs[number] = int(np.argmax(missing))
            self.given[pairs[number]] += 1
        return pairs


def split_runs(paradigm: Paradigm, start: int, stop: int) -> Iterator[tuple[str, int]]:
    """The splits of the instances ``start .. stop - 1``, each with how many of them are in it, in order."""
    if not paradigm.splits:
        if stop > start:
            yield paradigm.split, stop - start
        return
    at, behind = start, 0
    for name, size in paradigm.splits:
        behind += size
        if at < min(stop, behind):
            yield name, min(stop, behind) - at
            at = min(stop, behind)
    if at < stop:  # more instances than the splits name
        yield OTHERS, stop - at


def part_runs(paradigm: Paradigm, start: int, stop: int, most: int | None) -> Iterator[tuple[str, int, int]]:
    """The same cut after every ``most`` instances of a split (None: not at all): split, number of the part from 0, how
    many instances of it, in order."""
    at = start
    for split, size in split_runs(paradigm, start, stop):
        if most is None:
            yield split, 0, size
            at += size
            continue
        end = at + size
        while at < end:
            part, inside = divmod(at - _begin(paradigm, split), most)
            step = min(end - at, most - inside)
            yield split, part, step
            at += step


def _begin(paradigm: Paradigm, split: str) -> int:
    """The number of the first instance of a split."""
    begin = 0
    for name, size in paradigm.splits:
        if name == split:
            return begin
        begin += size
    return begin if paradigm.splits else 0
