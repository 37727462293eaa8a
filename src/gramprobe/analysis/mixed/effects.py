"""What a fitted model says of one effect: of a fixed one, of a level, of a random term."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from gramprobe.records import Record


class Effect(Record, frozen=True):
    """A fixed effect with its test: of a linear model by Satterthwaite's degrees of freedom, of a model of answers by
    the levels of the factor that it varies between."""

    name: str
    estimate: float
    error: float
    """Its standard error."""
    df: float | None
    """Null where a model of answers has no factor that the effect varies between."""
    t: float
    """The estimate divided by its standard error: the z of a model of answers."""
    p: float
    """Two-sided, by the t distribution with ``df`` degrees of freedom; in a model of answers by the normal distribution
    where the factor has thirty levels or more. So is the interval."""
    low: float
    high: float
    factor: str | UnsetType | None = UNSET
    """The grouping factor between whose levels the effect varies; this and what follows in models of answers alone."""
    levels: int | UnsetType | None = UNSET
    p_normal: float | UnsetType = UNSET
    p_t: float | UnsetType | None = UNSET


class TermTest(Record, frozen=True):
    """A test of all fixed effects of a term at once, of type III."""

    name: str
    numerator: int
    """How many effects the term has: the numerator's degrees of freedom, and those of the likelihood ratio."""
    f: float | None
    """Null in a model of answers; so is what belongs to it."""
    denominator: float | None
    p_f: float | None
    ratio: float
    """The likelihood ratio statistic: how much greater the deviance (by maximum likelihood) is without the term."""
    p_ratio: float
    """By the chi-squared distribution."""


class Means(Record, frozen=True):
    """The estimated marginal means of the levels of a factor, or of the cells of several: over the cells of the other
    factors with equal weights, with numbers at their mean."""

    factors: list[str]
    means: list[Effect]
    """None in an ordinal model; in a logistic one they are log odds."""
    differences: list[Effect]
    """Of each two of the means: `level - other`."""
    p_holm: list[float]
    """Of each difference p after Holm, over the differences of this table."""
    margin: float | UnsetType = UNSET
    """The greatest difference that does not matter, where one was named."""
    p_equivalent: list[float] | UnsetType = UNSET
    """Of each difference p that it lies within the margin, the greater of two one-sided tests (Schuirmann 1987)."""


class Threshold(Record, frozen=True):
    """Where in an ordinal model the log odds of one answer and all below it change sign."""

    name: str
    """`low|high`, the answers on its two sides."""
    estimate: float
    error: float


class LevelEffect(Record, frozen=True):
    """The effect of a level: its standard error of prediction, and its deviation given the fixed effects."""

    factor: str
    level: str
    name: str
    """The column."""
    value: float
    """The conditional mode (best linear unbiased prediction), in the units of the scores."""
    error: float
    """With what is not known of the fixed effects (Henderson 1975)."""
    conditional: float
    """As lme4's `condVar` has it."""
    low: float
    """Of the interval by the normal distribution."""
    high: float


class Variance(Record, frozen=True, kw_only=True):
    """The variance of an effect over the levels; null where a correlation has a variance of zero beside it."""

    name: str
    variance: float
    sd: float
    correlations: dict[str, float | None]


class RandomTerm(Record, frozen=True, kw_only=True):
    """A random term: the effects of a level are correlated with one another."""

    factor: str
    term: str
    columns: list[Variance]


class Singularity(Record, frozen=True):
    """A random term that is estimated with less than full rank."""

    term: str
    rank: int
    what: str
    """In words: which variance is zero, or that the effects are a sum of one another."""
