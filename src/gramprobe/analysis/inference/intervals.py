"""A share, a mean of shares, a difference of two shares, and a correlation, each with its interval."""

from __future__ import annotations

import numpy as np

from gramprobe.analysis.inference.arrays import Column, numbers
from gramprobe.analysis.output.table import Interval


def wilson(right: int, n: int, level: float = 0.95) -> Interval:
    """The share ``right`` of ``n`` with Wilson's score interval (Wilson 1927).

    It supposes independent items: for items that share words take :func:`gramprobe.analysis.inference.bootstrap.means`.
    Raises ValueError for no items, or more right than there are.
    """
    from statsmodels.stats.proportion import proportion_confint

    if not 0 <= right <= n or n == 0:
        raise ValueError(f"{right} of {n} is no share")
    low, high = proportion_confint(right, n, alpha=1.0 - level, method="wilson")
    return Interval(right / n, float(low), float(high))


def bounded(means: Column, ends: tuple[float, float] = (0.0, 1.0), level: float = 0.95) -> Interval:
    """The mean of clusters that each have a mean between ``ends``, with an interval that does not leave these.

    It is Wilson's score interval for the effective number of items: as many independent answers, right or wrong, as
    would have the variance that is found between the clusters, times (z / t)^2 for the degrees of freedom of that
    variance (Korn and Graubard 1998; Dean and Pagano 2015 find it one of the best for shares of clusters). Where every
    cluster has the same end, no variance is found, and each cluster counts as one answer.

    Raises ValueError for fewer than two clusters, means beyond the ends, and equal means between the ends.
    """
    from scipy.stats import norm, t

    low, high = ends
    values = (numbers("means", means) - low) / (high - low)
    n = len(values)
    if n < 2:
        raise ValueError(f"{n} clusters are too few for an interval: two are needed")
    if values.min() < 0.0 or values.max() > 1.0:
        raise ValueError(f"a mean is beyond {low:g} and {high:g}")
    p = float(values.mean())
    z = float(norm.ppf((1.0 + level) / 2.0))
    count = float(n)
    if 0.0 < p < 1.0:
        variance = float(values.var(ddof=1)) / n
        if variance <= 1e-18:
            raise ValueError(f"every mean is {values[0] * (high - low) + low:g}: no interval follows from that")
        count = p * (1.0 - p) / variance * (z / float(t.ppf((1.0 + level) / 2.0, n - 1))) ** 2
    middle = (p + z * z / (2.0 * count)) / (1.0 + z * z / count)
    half = z / (1.0 + z * z / count) * (p * (1.0 - p) / count + z * z / (4.0 * count * count)) ** 0.5
    found = (max(0.0, middle - half), min(1.0, middle + half))
    return Interval(*(low + (high - low) * end for end in (p, *found)))


def difference(first: tuple[int, int], second: tuple[int, int], level: float = 0.95) -> Interval:
    """The difference of two independent shares, each as (right, n), with Newcombe's interval (1998, his method 10),
    which is made of the two score intervals. Raises ValueError for no items, or more right than there are."""
    one, other = wilson(*first, level), wilson(*second, level)
    found = one.value - other.value
    below = ((one.value - one.low) ** 2 + (other.high - other.value) ** 2) ** 0.5
    above = ((one.high - one.value) ** 2 + (other.value - other.low) ** 2) ** 0.5
    return Interval(found, found - below, found + above)


def pearson(x: Column, y: Column, level: float = 0.95) -> tuple[Interval, float]:
    """Pearson's correlation with the interval of Fisher's transform, and its two-sided p. Pairs are by place.

    Raises ValueError for fewer than four pairs, missing or infinite values, and a column that does not vary.
    """
    from scipy.stats import pearsonr

    a = numbers("x", x)
    b = numbers("y", y, len(a))
    if len(a) < 4:
        raise ValueError(f"{len(a)} pairs are too few for an interval of a correlation: four are needed")
    for name, column in (("x", a), ("y", b)):
        if np.ptp(column) == 0.0:
            raise ValueError(f"{name} is {column[0]:g} in all rows: it has no correlation")
    found = pearsonr(a, b)
    ends = found.confidence_interval(confidence_level=level)
    return Interval(float(found.statistic), float(ends.low), float(ends.high)), float(found.pvalue)
