"""Means over items and their differences, with intervals that know which items belong together, and what tables say
of these."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.clusters import INSTANCE, drawn
from gramprobe.analysis.inference import SAME as ROUNDING
from gramprobe.analysis.inference import bounded, student, wilson
from gramprobe.analysis.output.table import Interval, Method
from gramprobe.baselines.table import numbered as numbered

Floats = NDArray[np.float64]
Clusters = NDArray[np.generic]
FEWEST = 8
"""Clusters from which on there is an interval whatever their size."""
FEWEST_OF_SIX = 4
"""Clusters from which on there is one if they have six items each, on average: with fewer, intervals hold the true
value less often than they say (docs/intervals.md)."""
SAME = 1e-12
"""Values that differ by no more are equal but for rounding."""
LEAST = f"fewer than {FEWEST} clusters, or {FEWEST_OF_SIX} with 6 items each"


def enough(clusters: int, items: int) -> bool:
    """Whether so many clusters with so many items together have an interval."""
    return clusters >= FEWEST or (clusters >= FEWEST_OF_SIX and items >= 6 * clusters)


def clustered(values: Floats, clusters: Clusters) -> tuple[Floats, Floats]:
    """((clusters,) the mean of each, (clusters,) its number of items). Clusters that are numbers from 0 take no look at
    each item."""
    if clusters.dtype.kind in "iu":
        counts, sums = np.bincount(clusters), np.bincount(clusters, weights=values)
        there = counts > 0
        return sums[there] / counts[there], counts[there].astype(np.float64)
    at = numbered(clusters.tolist())
    sizes = np.bincount(at).astype(np.float64)
    return np.bincount(at, weights=values) / sizes, sizes


def in_order(values: NDArray[np.generic]) -> NDArray[np.int64]:
    """:func:`numbered`, of an array."""
    _, first, at = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    ordered: NDArray[np.int64] = rank[at]
    return ordered


def rows_of(codes: NDArray[np.int64], count: int) -> list[NDArray[np.int64]]:
    """For each number below ``count`` the rows that have it, in their order; rows with another have none."""
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(count + 1))
    return [order[start:end] for start, end in pairwise(ends.tolist())]


def mean(values: Floats, clusters: Clusters) -> Interval | float:
    """The mean over items of what lies between 0 and 1, with its 95 % interval: Wilson's where each item is of another
    cluster and is right or wrong, else `intervals.bounded`; alone where clusters are not `enough`.

    ``values``, ``clusters``: (items,).
    """
    return share(*clustered(values, clusters))


def share(means: Floats, sizes: Floats) -> Interval | float:
    """The same from the (clusters,) means and sizes."""
    if not enough(len(means), int(sizes.sum())):
        return float(sizes @ means / sizes.sum())
    if (sizes == 1).all() and set(means.tolist()) <= {0.0, 1.0}:
        return wilson(int(means.sum()), len(means))
    return bounded(np.clip(means, 0.0, 1.0), sizes=sizes)


def difference(values: Floats, clusters: Clusters) -> Interval | float:
    """The mean over items of differences between -1 and 1 with `intervals.student`; alone where clusters are not
    `enough`. ``values``, ``clusters``: (items,)."""
    means, sizes = clustered(values, clusters)
    if not enough(len(means), len(values)):
        return float(values.mean())
    return student(means, sizes)


def varies(values: Floats, clusters: Clusters) -> bool:
    """Whether clusters have different means: where all have one, no interval of their mean makes a verdict."""
    return float(np.ptp(clustered(values, clusters)[0])) > SAME


def above_0(values: Floats, clusters: Clusters) -> bool:
    """Whether there is an interval of a mean difference, and it lies above 0."""
    found = difference(values, clusters)
    return isinstance(found, Interval) and found.low > 0


def influenced(estimate: float, influence: Floats, clusters: Clusters, df: int) -> Interval:
    """An estimate with Student's interval of ``df`` degrees of freedom, from (items,) its first derivative by the
    weight of each item, summed within clusters (the linearised variance; Binder 1983); where no cluster has any, as
    wide as Wilson's of 0."""
    from scipy.special import stdtrit

    means, sizes = clustered(influence, clusters)
    k = len(means)
    error = float(np.sqrt(k / (k - 1) * ((means * sizes) ** 2).sum()))
    half = float(stdtrit(df, 0.975)) * error if error > ROUNDING else wilson(0, df + 1).high
    return Interval(estimate, estimate - half, estimate + half)


def less(one: Floats, other: Floats, clusters: tuple[Clusters, Clusters]) -> Interval | float:
    """The mean of some items less that of others, which may be of other clusters; alone where the clusters of one of
    both are not `enough`. ``clusters``: (items,) of each."""
    found = float(one.mean() - other.mean())
    counts = [len(set(own.tolist())) for own in clusters]
    if not all(enough(k, len(own)) for k, own in zip(counts, (one, other), strict=True)):
        return found
    influence = np.concatenate([(one - one.mean()) / len(one), (other.mean() - other) / len(other)])
    return influenced(found, influence, np.concatenate(clusters), min(counts) - 1)


def share_method(cluster: str = INSTANCE, of: str = "") -> Method:
    """How `mean` makes its intervals."""
    clusters, population = drawn(cluster)
    return Method(
        estimator="share of all items (a ratio of clusters' sums)",
        interval="Wilson's method, for the effective number of items where clusters have several (Korn and Graubard "
        "1998)",
        least=LEAST,
        cluster=clusters,
        df=f"{clusters} less 1",
        population=population,
        of=of,
    )


def difference_method(cluster: str = INSTANCE, of: str = "") -> Method:
    """How `difference` makes its intervals."""
    return replace(
        share_method(cluster, of),
        estimator="mean difference over all items, item by item (a ratio of clusters' sums)",
        interval="Student's t (where all clusters have one difference, as wide as Wilson's of 0)",
    )


def mean_method(cluster: str = INSTANCE) -> Method:
    """How `difference` makes the interval of a mean of what has no ends."""
    return replace(difference_method(cluster), estimator="mean over all items (a ratio of clusters' sums)")
