"""A share, a mean of shares, a difference of two shares, and correlations, each with its interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference.arrays import Column, numbers
from gramprobe.analysis.output.table import Interval

Floats = NDArray[np.float64]
SAME = 1e-9
"""A standard error of a share or of a difference up to here is one of rounding."""


def wilson(right: int, n: int, level: float = 0.95) -> Interval:
    """The share ``right`` of ``n`` with Wilson's score interval (Wilson 1927).

    It supposes independent items: for clusters of items take :func:`bounded`.
    Raises ValueError for no items, or more right than there are.
    """
    from scipy.special import ndtri

    if not 0 <= right <= n or n == 0:
        raise ValueError(f"{right} of {n} is no share")
    p, z = right / n, -float(ndtri((1.0 - level) / 2.0))
    whole = 1.0 + z**2 / n
    middle = (p + z**2 / (2.0 * n)) / whole
    half = z * (p * (1.0 - p) / n + z**2 / (4.0 * n**2)) ** 0.5 / whole
    return Interval(p, middle - half if right else 0.0, middle + half if right < n else 1.0)


def bounded(
    means: Column, ends: tuple[float, float] = (0.0, 1.0), level: float = 0.95, sizes: Column | None = None
) -> Interval:
    """The mean over the items of clusters whose items lie between ``ends``, with an interval that does not leave these.

    It is Wilson's score interval for the effective number of items: as many independent answers, right or wrong, as
    would have the variance that is found between the clusters, times (z / t)^2 for the degrees of freedom of that
    variance (Korn and Graubard 1998; Dean and Pagano 2015 find it one of the best for shares of clusters). ``sizes``:
    how many items each cluster has, one by default; the mean is then that of the items, and its variance that of a
    ratio (Cochran 1977, 6.3). Where no variance is found, each cluster counts as one answer.

    Raises ValueError for fewer than two clusters, means beyond the ends, and a cluster without items.
    """
    from scipy.special import ndtri, stdtrit

    low, high = ends
    values = (numbers("means", means) - low) / (high - low)
    n = len(values)
    if values.min(initial=0.0) < 0.0 or values.max(initial=1.0) > 1.0:
        raise ValueError(f"a mean is beyond {low:g} and {high:g}")
    p, error = _ratio(values, sizes)
    z = float(ndtri((1.0 + level) / 2.0))
    count = float(n)
    if error > SAME and 0.0 < p < 1.0:
        count = p * (1.0 - p) / error**2 * (z / float(stdtrit(n - 1, (1.0 + level) / 2.0))) ** 2
    middle = (p + z * z / (2.0 * count)) / (1.0 + z * z / count)
    half = z / (1.0 + z * z / count) * (p * (1.0 - p) / count + z * z / (4.0 * count * count)) ** 0.5
    found = (max(0.0, min(middle - half, p)), min(1.0, max(middle + half, p)))
    return Interval(*(low + (high - low) * end for end in (p, *found)))


def student(means: Column, sizes: Column | None = None, level: float = 0.95) -> Interval:
    """The mean over the items of clusters with Student's interval, the clusters less 1 for its degrees of freedom;
    ``sizes`` as in :func:`bounded`. For differences between -1 and 1, as of two shares: where all clusters have one
    mean there is no spread to measure, and the interval is as wide on either side as that of Wilson is for 0 of as
    many as there are clusters.

    Raises ValueError for fewer than two clusters, and for a cluster without items.
    """
    from scipy.special import stdtrit

    values = numbers("means", means)
    found, error = _ratio(values, sizes)
    if error > SAME:
        half = float(stdtrit(len(values) - 1, (1.0 + level) / 2.0)) * error
    else:
        half = wilson(0, len(values), level).high
    return Interval(found, found - half, found + half)


def _ratio(means: Floats, sizes: Column | None) -> tuple[float, float]:
    """(the mean over the items of clusters, its standard error as that of a ratio)."""
    n = len(means)
    if n < 2:
        raise ValueError(f"{n} clusters are too few for an interval: two are needed")
    weights = np.ones(n) if sizes is None else numbers("sizes", sizes, n)
    if weights.min() <= 0.0:
        raise ValueError("a cluster has no items")
    weights = weights / weights.mean()
    found = float((weights * means).mean())
    return found, float(np.sqrt(((weights * (means - found)) ** 2).sum() / (n - 1) / n))


def newcombe(first: tuple[int, int], second: tuple[int, int], level: float = 0.95) -> Interval:
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
    from scipy.special import betaincc, ndtri  # scipy.stats, which has these tests, takes long to import

    a, b = map(_direction, _pairs(x, y))
    r, n = float(np.clip(a @ b, -1.0, 1.0)), len(a)
    half = float(ndtri(0.5 + level / 2)) * np.sqrt(1 / (n - 3))
    shape = n / 2 - 1  # where there is no correlation r is beta on (-1, 1)
    return _fisher(r, half), float(2 * betaincc(shape, shape, (1 + abs(r)) / 2))


def spearman(x: Column, y: Column, level: float = 0.95) -> tuple[Interval, float]:
    """Spearman's rank correlation, with the interval of Fisher's transform and Bonett and Wright's (2000) variance,
    (1 + rho^2 / 2) / (n - 3), and its two-sided p. Pairs are by place.

    Raises ValueError for fewer than four pairs, missing or infinite values, and a column that does not vary.
    """
    from scipy.special import ndtri, stdtr

    ranked = np.column_stack([_ranks(column) for column in _pairs(x, y)])
    rho, n = float(np.asarray(np.corrcoef(ranked, rowvar=False))[1, 0]), len(ranked)
    if abs(rho) == 1.0:
        return Interval(rho, rho, rho), 0.0
    t = abs(rho) * np.sqrt((n - 2) / ((1.0 + rho) * (1.0 - rho)))
    half = float(ndtri(0.5 + level / 2)) * np.sqrt((1 + rho**2 / 2) / (n - 3))
    return _fisher(rho, half), float(2 * stdtr(n - 2, -t))


def _fisher(r: float, half: float) -> Interval:
    """An interval that is so wide to either side on the scale of Fisher's z."""
    with np.errstate(divide="ignore"):
        ends = np.tanh(np.arctanh(r) + np.array([-half, half]))
    return Interval(r, float(ends[0]), float(ends[1]))


def _direction(values: Floats) -> Floats:
    """Values less their mean, of length 1."""
    away = values - values.mean()
    most = np.abs(away).max()
    unit: Floats = away / (most * np.sqrt(((away / most) ** 2).sum()))
    return unit


def _ranks(values: Floats) -> Floats:
    """Ranks from 1, of equal values their mean."""
    _, at, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    ranks: Floats = ((2 * last - count + 1) / 2)[at]
    return ranks


def _pairs(x: Column, y: Column) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    a = numbers("x", x)
    b = numbers("y", y, len(a))
    if len(a) < 4:
        raise ValueError(f"{len(a)} pairs are too few for an interval of a correlation: four are needed")
    for name, column in (("x", a), ("y", b)):
        if np.ptp(column) == 0.0:
            raise ValueError(f"{name} is {column[0]:g} in all rows: it has no correlation")
    return a, b
