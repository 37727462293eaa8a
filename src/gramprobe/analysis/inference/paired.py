"""The same items under two conditions, or answered by two models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gramprobe.analysis.inference.arrays import Column, numbers, truths


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


@dataclass(frozen=True)
class McNemar:
    """McNemar's exact test.

    Attributes:
        first: items that only the first has right.
        second: items that only the second has right.
        n: all items.
        p: two-sided, by the binomial distribution of `first` among `first + second`.
    """

    first: int
    second: int
    n: int
    p: float


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


def mcnemar(first: Column, second: Column) -> McNemar:
    """Whether two models have different shares right on the same items (McNemar 1947), exactly.

    ``first``, ``second``: 1 where right, by item. Raises ValueError for other values.
    """
    from statsmodels.stats.contingency_tables import mcnemar as test

    a = truths("first", first)
    b = truths("second", second, len(a))
    only_a, only_b = int((a & ~b).sum()), int((~a & b).sum())
    table = [[int((a & b).sum()), only_a], [only_b, int((~a & ~b).sum())]]
    p = float(test(table, exact=True).pvalue) if only_a + only_b else 1.0
    return McNemar(only_a, only_b, len(a), p)
