"""The same items under two conditions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gramprobe.analysis.inference.arrays import Column, numbers


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
