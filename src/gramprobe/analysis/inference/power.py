"""What a planned number of items or words could show: power, and the smallest effect that is likely to be found."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from scipy.optimize import brentq
from scipy.special import nctdtr, stdtrit


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
