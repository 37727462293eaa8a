"""Tests and intervals beside the mixed models. scipy is imported by the functions that use it.

Shares, means and differences of clusters of items, correlations, each with its interval; the same items twice; one case
against a sample; p values of several tests; what a planned number of words and items could show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.output.table import Interval

Floats = NDArray[np.float64]
Column = Sequence[float] | NDArray[np.generic]


def numbers(name: str, column: Column, length: int | None = None) -> Floats:
    """A column as floats. Raises ValueError with the place of the first value that is missing or infinite, and for a
    column of another length."""
    found = np.asarray(column, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"{name} is no column: it has {found.ndim} dimensions")
    if length is not None and len(found) != length:
        raise ValueError(f"{name} has {len(found)} values and the other column {length}: they are paired by place")
    finite = np.isfinite(found)
    if not finite.all():
        at = int(np.argmin(finite))
        raise ValueError(f"{name} is {found[at]} at row {at + 1}; {int((~finite).sum())} values are no finite numbers")
    return found


# -- intervals

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


# -- the same items twice, and one case against a sample


@dataclass(frozen=True)
class PairedT:
    """The paired t test.

    Attributes:
        difference: the mean of x - y.
        sd: the standard deviation of the differences.
        n: pairs.
        df: n - 1.
        t: the statistic.
        p: two-sided.
        low: lower end of the interval of the difference.
        high: its upper end.
    """

    difference: float
    sd: float
    n: int
    df: int
    t: float
    p: float
    low: float
    high: float

    @property
    def d(self) -> float:
        """Cohen's d of the differences: difference / sd."""
        return self.difference / self.sd


def paired_t(x: Column, y: Column, level: float = 0.95) -> PairedT:
    """Student's t test of the differences x - y; pairs are by place.

    Raises ValueError for fewer than two pairs, missing or infinite values, and differences that are all the same.
    """
    from scipy.stats import ttest_rel

    a = numbers("x", x)
    b = numbers("y", y, len(a))
    if len(a) < 2:
        raise ValueError(f"{len(a)} pair is too few for a t test")
    differences = a - b
    sd = float(differences.std(ddof=1))
    if sd <= 1e-12 * float(np.abs(differences).max(initial=1e-300)):
        raise ValueError(f"every difference is {differences[0]:g}: they have no spread to test against")
    found = ttest_rel(a, b)
    ends = found.confidence_interval(confidence_level=level)
    return PairedT(
        float(differences.mean()), sd, len(a), len(a) - 1, float(found.statistic), float(found.pvalue),
        float(ends.low), float(ends.high),
    )  # fmt: skip


class OneCase(NamedTuple):
    """Whether one value could be that of a further member of the population that a sample is of.

    Attributes:
        t: the value less the sample's mean, in standard deviations of a further member.
        df: the sample's size less 1.
        p: two-sided.
        below: the estimated share of the population that lies below the value.
    """

    t: float
    df: int
    p: float
    below: float


def one_case(value: float, sample: Column) -> OneCase | None:
    """The modified t test of Crawford & Howell (1998): `(x - mean) / (sd sqrt((n + 1) / n))` with n - 1 degrees of
    freedom. None where all of the sample are one value.

    Raises ValueError for fewer than two in the sample.
    """
    from scipy.stats import t as students

    values = numbers("sample", sample)
    n = len(values)
    if n < 2:
        raise ValueError(f"{n} is no sample")
    sd = float(values.std(ddof=1))
    if sd < 1e-12:
        return None
    t = (value - float(values.mean())) / (sd * ((n + 1) / n) ** 0.5)
    return OneCase(t, n - 1, float(2 * students.sf(abs(t), n - 1)), float(students.cdf(t, n - 1)))


# -- several tests


def holm(p: Column) -> Floats:
    """p values adjusted so that the chance of any false finding is kept (Holm 1979). Raises ValueError for values that
    are no p values."""
    values, order, back = _sorted(p)
    adjusted = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    return np.minimum(adjusted, 1.0)[back]


def benjamini_hochberg(p: Column) -> Floats:
    """p values adjusted so that the expected share of false findings is kept (Benjamini and Hochberg 1995). Raises
    ValueError for values that are no p values."""
    values, order, back = _sorted(p)
    shares = np.arange(1, len(values) + 1) / max(len(values), 1)
    adjusted = np.minimum.accumulate((values[order] / shares)[::-1])[::-1]
    return np.minimum(adjusted, 1.0)[back]


def _sorted(p: Column) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """The values, their order, and the places to which sorted ones go back. (The function of statsmodels, with which
    the tests compare, collects garbage at each call: 0.4 s beside the texts of 11,000 items.)"""
    values = numbers("p", p)
    if len(values) and (values.min() < 0.0 or values.max() > 1.0):
        raise ValueError("a p value lies between 0 and 1")
    order = np.argsort(values)
    return values, order, np.argsort(order)


# -- power


@dataclass(frozen=True)
class Power:
    """A two-sided t test of an effect.

    Attributes:
        effect: the effect supposed.
        error: its standard error in the planned design.
        df: its degrees of freedom there.
        power: the chance that the test finds it.
        detectable: the smallest effect that is found with the chance asked for.
    """

    effect: float
    error: float
    df: float
    power: float
    detectable: float


def power_of(effect: float, error: float, df: float, alpha: float = 0.05) -> float:
    """The chance that a two-sided t test at level alpha finds an effect: by the noncentral t distribution.

    Raises ValueError for a standard error or degrees of freedom that are not positive.
    """
    from scipy.special import nctdtr, stdtrit

    if error <= 0.0 or df <= 0.0:
        raise ValueError("a standard error and its degrees of freedom are positive")
    critical = float(stdtrit(df, 1.0 - alpha / 2.0))
    away = min(abs(effect) / error, critical + 40.0)  # beyond that the chance is 1 to the last digit
    above = 1.0 - float(nctdtr(df, away, critical))
    below = float(nctdtr(df, away, -critical))
    return min(1.0, above + (below if below == below else 0.0))


def detectable(error: float, df: float, chance: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest effect that a two-sided t test finds with this chance (minimum detectable effect).

    Raises ValueError for a chance that is not between alpha and 1.
    """
    from scipy.optimize import brentq
    from scipy.special import stdtrit

    if not alpha < chance < 1.0:
        raise ValueError("the chance lies between alpha and 1")
    high = error * (float(stdtrit(df, 1.0 - alpha / 2.0)) + 20.0)
    return float(brentq(lambda effect: power_of(effect, error, df, alpha) - chance, 0.0, high, xtol=1e-10 * high))


def power(effect: float, sd: float, n: int, *, chance: float = 0.8, alpha: float = 0.05) -> Power:
    """A paired or one-sample t test of ``n`` planned differences with standard deviation ``sd``.

    Raises ValueError for fewer than two, or a standard deviation that is not positive.
    """
    if n < 2 or sd <= 0.0:
        raise ValueError("a plan has two or more pairs, and a positive standard deviation")
    error, df = sd / sqrt(n), n - 1.0
    return Power(effect, error, df, power_of(effect, error, df, alpha), detectable(error, df, chance, alpha))
