"""Means over rows that share words, instances or other levels, with intervals that know it.

The pigeonhole bootstrap (Owen 2007) draws the levels of each factor with replacement, each factor by itself; a row
counts as often as the product of how often its levels were drawn. Rows that share a level are therefore drawn
together, in every direction at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference.arrays import Column, Floats, codes, numbers

#: cells of weights that are in memory at once
CELLS = 4_000_000


@dataclass(frozen=True)
class Interval:
    """An estimate with a percentile interval."""

    estimate: float
    error: float
    low: float
    high: float


@dataclass(frozen=True)
class Means:
    """Means of groups of rows, and what they were in each draw.

    Attributes:
        groups: the names of the groups, sorted.
        estimates: their means.
        draws: draws by groups; a draw in which a group has no row is left out.
        lost: how many draws were left out.
    """

    groups: tuple[str, ...]
    estimates: Floats
    draws: Floats
    lost: int

    def interval(self, group: str, less: str | None = None, level: float = 0.95) -> Interval:
        """The mean of a group, or its difference from another, with the percentiles of the draws. Raises ValueError for
        an unknown group."""
        weights = np.zeros(len(self.groups))
        weights[self._at(group)] += 1.0
        if less is not None:
            weights[self._at(less)] -= 1.0
        drawn = self.draws @ weights
        low, high = np.quantile(drawn, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
        return Interval(float(self.estimates @ weights), float(drawn.std(ddof=1)), float(low), float(high))

    def _at(self, group: str) -> int:
        if group not in self.groups:
            raise ValueError(f"no group is called {group}; there are {', '.join(self.groups)}")
        return self.groups.index(group)


def means(
    values: Column,
    factors: Sequence[Sequence[object] | NDArray[np.generic]],
    groups: Sequence[object] | NDArray[np.generic] | None = None,
    draws: int = 2000,
    seed: int = 0,
) -> Means:
    """Means of groups of rows (all rows are one group without ``groups``) by the pigeonhole bootstrap.

    ``values``: a number for each row, such as 1 for right; ``factors``: for each factor the level of each row. The same
    seed gives the same draws on every machine.

    Raises ValueError for missing or infinite values, a factor with one level, and where fewer than half of the draws
    have rows in every group.
    """
    y = numbers("values", values)
    if not len(y) or not factors:
        raise ValueError("the bootstrap needs rows, and a factor whose levels are drawn")
    names = np.zeros(len(y), dtype=int) if groups is None else np.asarray(groups)
    if len(names) != len(y):
        raise ValueError(f"groups has {len(names)} values for {len(y)} rows")
    found, group = np.unique(names, return_inverse=True)
    coded = [codes(f"factor {i + 1}", factor, len(y)) for i, factor in enumerate(factors)]
    single = next((i for i, (_, count) in enumerate(coded) if count < 2), None)
    if single is not None:
        raise ValueError(f"factor {single + 1} has one level: nothing can be drawn")
    cells, at = np.unique(np.column_stack([level for level, _ in coded]), axis=0, return_inverse=True)
    place = at.ravel() * len(found) + group.ravel()
    size = len(cells) * len(found)
    totals = np.bincount(place, weights=y, minlength=size).reshape(len(cells), -1)
    counts = np.bincount(place, minlength=size).reshape(len(cells), -1).astype(np.float64)
    bits = np.random.PCG64(seed)
    drawn, step = [], max(1, CELLS // len(cells))
    for start in range(0, draws, step):
        some = min(step, draws - start)
        weights = np.ones((some, len(cells)))
        for i, (_, levels) in enumerate(coded):
            weights *= _drawn(bits, some, levels)[:, cells[:, i]]
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn.append((weights @ totals) / (weights @ counts))
    every = np.vstack(drawn)
    kept = every[np.isfinite(every).all(1)]
    if len(kept) * 2 < draws:
        raise ValueError(f"in {draws - len(kept)} of {draws} draws a group has no row: it hangs on too few levels")
    names_of = ("all",) if groups is None else tuple(str(name) for name in found)
    return Means(names_of, totals.sum(0) / counts.sum(0), kept, draws - len(kept))


def _drawn(bits: np.random.PCG64, draws: int, levels: int) -> Floats:
    """How often each level is drawn, a row for each draw."""
    raw = (bits.random_raw(draws * levels) >> np.uint64(11)).astype(np.float64) / 2.0**53
    chosen = (raw * levels).astype(np.int64) + np.repeat(np.arange(draws) * levels, levels)
    return np.bincount(chosen, minlength=draws * levels).reshape(draws, levels).astype(np.float64)
