"""Families of answers: what one row adds to the log likelihood, as a function of its linear predictor.

A family is a record of functions of rows. What is common to all of them (random effects, Laplace's approximation, its
gradient) is in :mod:`gramprobe.analysis.mixed.laplace`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit, logit

from gramprobe.analysis.mixed.layout import Floats, Indices


@dataclass(frozen=True)
class Moved:
    """What a threshold changes in each row: the derivatives in it of the row's value and of its first two derivatives
    in the linear predictor. ``at``: which threshold (rows without one: the number of thresholds)."""

    at: Indices
    value: Floats
    first: Floats
    second: Floats


@dataclass(frozen=True)
class Rows:
    """The log probability of the answer of each row, and its derivatives in the linear predictor."""

    value: Floats
    first: Floats
    second: Floats
    third: Floats
    thresholds: tuple[Moved, ...] = ()


@dataclass(frozen=True)
class Family:
    """How answers hang on the linear predictor.

    Attributes:
        name: as `--family` has it.
        about: the family in words, with its link.
        thresholds: of this many answers the number of thresholds, which take the place of the intercept; 0: it has an
            intercept.
        rows: (linear predictor, number of the answer from 0, thresholds) -> values and derivatives. They must be
            concave in the linear predictor and the thresholds together.
        most: the most answers that there may be.
        draw: (linear predictor, thresholds, numbers between 0 and 1) -> an answer of each row with that chance.
    """

    name: str
    about: str
    thresholds: Callable[[int], int]
    rows: Callable[[Floats, Indices, Floats], Rows]
    most: int
    draw: Callable[[Floats, Floats, Floats], Indices]


def _binomial(eta: Floats, answer: Indices, thresholds: Floats) -> Rows:
    """log P(y) = y eta - log(1 + exp(eta))."""
    p = expit(eta)
    second = -p * (1.0 - p)
    return Rows(log_expit(np.where(answer == 1, eta, -eta)), answer - p, second, second * (1.0 - 2.0 * p))


def _cumulative(eta: Floats, answer: Indices, thresholds: Floats) -> Rows:
    """P(y <= k) = F(t_k - eta), F the logistic distribution function (McCullagh 1980).

    With a and b the distances of eta to the thresholds above and below the answer, F(a) - F(b) is the product
    F(a) F(-b) (1 - exp(b - a)), in which no digits are lost, and whose last factor does not depend on eta.
    """
    count = len(thresholds)
    ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
    a, b = ends[answer + 1] - eta, ends[answer] - eta
    gap = np.exp(ends[:-1] - ends[1:])[answer]
    above, below = expit(a), expit(b)
    f, g = above * (1.0 - above), below * (1.0 - below)
    f1, g1 = f * (1.0 - 2.0 * above), g * (1.0 - 2.0 * below)
    value = log_expit(a) + log_expit(-b) + np.log1p(-gap)
    pull = gap / (1.0 - gap)
    upper = Moved(answer, 1.0 - above + pull, f, -f1)
    lower = Moved(np.where(answer > 0, answer - 1, count), -below - pull, g, -g1)
    return Rows(value, above + below - 1.0, -f - g, f1 + g1, (upper, lower))


def _drawn(eta: Floats, thresholds: Floats, chance: Floats) -> Indices:
    """Where a logistic variable around eta falls among the thresholds."""
    found: Indices = np.searchsorted(thresholds, eta + logit(chance))
    return found


BINOMIAL = Family(
    "binomial", "right or wrong (0 and 1), logit", lambda answers: 0, _binomial, 2,
    lambda eta, thresholds, chance: _drawn(eta, np.zeros(1), chance),
)  # fmt: skip
ORDINAL = Family(
    "ordinal", "ordered answers, cumulative logit", lambda answers: answers - 1, _cumulative, 20, _drawn
)  # fmt: skip
FAMILIES = {family.name: family for family in (BINOMIAL, ORDINAL)}
