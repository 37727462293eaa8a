"""One case against a sample: a model, which is one, against people, who are a sample of many."""

from __future__ import annotations

from typing import NamedTuple

from gramprobe.analysis.inference.arrays import Column, numbers


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
