"""Whose turn it is: the pair that an instance gives a row of, and the split that it is in.

Where pairs have shares every instance gives one row. Pairs take turns so that after any number of instances each is
within one row of its share; a larger dataset begins with the smaller one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gramprobe.resolve.paradigm.data import Paradigm

OTHERS = "test"
"""The split of instances behind those that the splits name."""


def turns(paradigm: Paradigm, count: int) -> NDArray[np.int64] | None:
    """For each instance the number of its pair; None where an instance gives a row of every pair."""
    if not paradigm.shared:
        return None
    shares = np.array([pair.share or 0.0 for pair in paradigm.pairs])
    shares = shares / shares.sum()
    given = np.zeros(len(shares))
    found = np.zeros(count, np.int64)
    for number in range(count):
        owed = shares * (number + 1) - given
        found[number] = int(np.argmax(owed))
        given[found[number]] += 1
    return found


def splits(paradigm: Paradigm, count: int) -> list[tuple[str, int, int]]:
    """The splits that instances are in, each with its first instance and the one behind its last."""
    if not paradigm.splits:
        return [(paradigm.split, 0, count)]
    found, start = [], 0
    for name, size in paradigm.splits:
        stop = min(count, start + size)
        if stop > start:
            found.append((name, start, stop))
        start += size
    if start < count:  # more instances than the splits name
        if found[-1][0] == OTHERS:
            start = found.pop()[1]
        found.append((OTHERS, start, count))
    return found
