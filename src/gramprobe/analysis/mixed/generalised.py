"""Fitting a generalised linear mixed model, and what follows from the fit."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from gramprobe.analysis.mixed.answers import Answers
from gramprobe.analysis.mixed.effects import Effect, LevelEffect, Threshold
from gramprobe.analysis.mixed.family import Family
from gramprobe.analysis.mixed.laplace import Laplace
from gramprobe.analysis.mixed.layout import Floats, Layout
from gramprobe.analysis.mixed.minimum import Minimum, minimum
from gramprobe.analysis.mixed.variances import Variances, positive

#: a fit is converged where Newton's step could lower the deviance by no more than this
TOLERANCE = 1e-8
#: from so many levels on an effect is tested by the normal distribution, below by t: simulated intervals by z cover .87
#: with 8 levels, .90 with 12, .91 with 20, .94 with 40 (scripts/coverage_of_answers.py)
MANY = 30
#: the variance of the standard logistic distribution: that of the residual on the scale of the log odds
LOGISTIC = np.pi**2 / 3.0


class GeneralisedFit(Variances):
    """A model of answers at its estimated parameters.

    Attributes:
        objective: its deviance function.
        deviance: minus twice the log likelihood, by Laplace's approximation.
        coefficients: the fixed effects, p.
        covariance: of the fixed effects, p by p: with what is not known of the variance parameters and thresholds, out
            of the Hessian of all parameters together, as glmer's.
        decrement: by how much Newton's step could still lower the deviance.
    """

    def __init__(self, objective: Laplace, found: Minimum):
        point = found.point.copy()
        k = objective.variances
        point[:k] = positive(objective.layout, point[:k])
        super().__init__(objective.layout, point[:k], 1.0, objective.answers.scales)
        self.objective = objective
        self._mode = objective.mode(point)
        self.deviance = objective.deviance_at(self._mode)
        _, self._cuts, self.coefficients = objective.split(point)
        self.decrement = found.decrement
        values, vectors = np.linalg.eigh(found.hessian)
        kept = values > 1e-10 * values[-1]
        self._whole: Floats = 2.0 * (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
        at = k + objective.thresholds
        self.covariance: Floats = self._whole[at:, at:]
        inner = objective.of_thresholds(point)
        self._errors_of_cuts = np.sqrt(np.diagonal(inner @ self._whole[k:at, k:at] @ inner.T))

    @property
    def converged(self) -> bool:
        return self.decrement <= TOLERANCE

    @property
    def thresholds(self) -> tuple[Threshold, ...]:
        """Where on the scale of the log odds one answer ends and the next begins."""
        values = self.objective.answers.values
        rows = zip(values, values[1:], self._cuts, self._errors_of_cuts, strict=False)
        return tuple(Threshold(f"{low:g}|{high:g}", float(cut), float(error)) for low, high, cut, error in rows)

    # Fixed effects.

    def effects(self, level: float = 0.95) -> tuple[Effect, ...]:
        """The fixed effects with their tests, and intervals of this level."""
        return tuple(self.contrast(name, np.eye(self.layout.p)[i], level) for i, name in enumerate(self.layout.fixed))

    def contrast(self, name: str, weights: Floats, level: float = 0.95) -> Effect:
        """A combination of the fixed effects, tested as one of them."""
        estimate = float(weights @ self.coefficients)
        error = float(np.sqrt(weights @ self.covariance @ weights))
        factor, levels, df = self._between(weights)
        z = estimate / error
        normal = 2.0 * float(ndtr(-abs(z)))
        few = factor is not None and levels < MANY
        half = error * float(stdtrit(df, (1.0 + level) / 2.0) if few else ndtri((1.0 + level) / 2.0))
        by_t = None if factor is None else 2.0 * float(stdtr(df, -abs(z)))
        p = by_t if few and by_t is not None else normal
        return Effect(
            name, estimate, error, df, z, p, estimate - half, estimate + half,
            factor=factor, levels=levels if factor else None, p_normal=normal, p_t=by_t,
        )  # fmt: skip

    def _between(self, weights: Floats) -> tuple[str | None, int, float | None]:
        """The grouping factor that an effect varies between, its levels, and the degrees of freedom they leave."""
        found: tuple[str | None, int, float | None] = (None, 0, None)
        for factor, levels, df, columns in self._strata:
            if columns[weights != 0.0].any() and (found[2] is None or df < found[2]):
                found = (factor, levels, df)
        return found

    @cached_property
    def _strata(self) -> list[tuple[str, int, float, NDArray[np.bool_]]]:
        """Of each effect of each grouping factor: the factor, its levels, the degrees of freedom that they leave, and
        which columns of X differ between its levels only.

        Within every level such a column is a multiple of the effect's own: constant for an intercept, and for the slope
        of a, a times a constant. They are tested against the differences between levels, of which there are as many as
        levels, less one for each such column (the containment rule; Pinheiro and Bates 2000, 2.4.2).
        """
        answers = self.objective.answers
        one = np.ones((1 if self.objective.thresholds else 0, len(answers.x)))  # thresholds stand for an intercept
        found = []
        for grouping, level, z in zip(self.layout.groupings, answers.levels, answers.z, strict=True):
            n = len(grouping.levels)
            for own in z.T:
                squares = np.bincount(level, answers.count * own * own, n)
                inside = []
                for x in (*answers.x.T, *one):
                    across = np.bincount(level, answers.count * own * x, n) ** 2
                    whole = squares * np.bincount(level, answers.count * x * x, n)
                    inside.append(bool(np.all(whole - across <= 1e-9 * whole.max())))
                df = float(max(n - sum(inside), 1))
                found.append((grouping.factor, n, df, np.array(inside[: self.layout.p])))
        return found

    # Likelihood and explained variance.

    @property
    def parameters(self) -> int:
        """The number of parameters: variance parameters, thresholds, fixed effects."""
        return len(self._whole)

    @property
    def aic(self) -> float:
        return self.deviance + 2.0 * self.parameters

    @property
    def bic(self) -> float:
        return self.deviance + float(np.log(self.objective.answers.count.sum())) * self.parameters

    @cached_property
    def r2(self) -> tuple[float, float]:
        """Marginal and conditional R2 on the scale of the log odds, with the variance of the logistic distribution as
        that of the residual (Nakagawa, Johnson and Schielzeth 2017)."""
        answers = self.objective.answers
        fixed = float(np.cov(answers.x @ self.coefficients, fweights=answers.count.astype(np.int64)))
        random = 0.0
        for z, factor in zip(answers.z, self._mode.factors, strict=True):
            random += float(answers.count @ ((z @ factor) ** 2).sum(1)) / float(answers.count.sum())
        whole = fixed + random + LOGISTIC
        return fixed / whole, (fixed + random) / whole

    # Effects of levels.

    def level_effects(self, level: float = 0.95) -> tuple[LevelEffect, ...]:
        """The most probable effects of every level, with normal intervals by the curvature there: what is not known of
        the other parameters is not in them."""
        width = float(ndtri((1.0 + level) / 2.0))
        values = self.objective.scaled(self._mode.u, self._mode.factors)
        whole = [factor.T for factor in self._mode.factors]
        spread = self.objective.premultiplied(self.objective.premultiplied(self._mode.inverse, whole).T, whole)
        errors = np.sqrt(np.maximum(np.diagonal(spread), 0.0))
        names = [(g.factor, one, name) for g in self.layout.groupings for one in g.levels for name in g.columns]
        return tuple(
            LevelEffect(*named, float(v), float(e), float(e), float(v - width * e), float(v + width * e))
            for named, v, e in zip(names, values, errors, strict=True)
        )


def fit_answers(answers: Answers, family: Family, *, prior: float | None = None) -> GeneralisedFit:
    """Fit a model of answers by maximum likelihood (with ``prior``: the mode of the posterior).

    It begins at the estimates without random effects.
    """
    first = fixed_alone(Laplace(without_effects(answers), family, prior=prior))
    objective = Laplace(answers, family, prior=prior)
    levels = {grouping.factor: len(grouping.levels) for grouping in answers.layout.groupings}
    sizes = np.concatenate(
        [np.full(span.stop - span.start, 2.0 * levels[term.factor]) for term, span in answers.layout.spans()]
        or [np.zeros(0)]
    )
    start = np.concatenate([answers.layout.diagonal / answers.scales, first.point])
    shape = block_diag(np.diag(sizes * answers.scales**2), first.hessian)
    return GeneralisedFit(objective, minimum(objective.gradient, start, shape, TOLERANCE))


def without_effects(answers: Answers) -> Answers:
    """The same rows in a model without random effects."""
    return replace(answers, layout=Layout(answers.layout.fixed, (), ()), z=(), levels=())


def fixed_alone(objective: Laplace) -> Minimum:
    """The estimates of a model without random effects."""
    answers = objective.answers
    shares = np.bincount(answers.answer, answers.count, len(answers.values)) / answers.count.sum()
    below = np.cumsum(shares)[: objective.thresholds]
    cuts = np.log(below / (1.0 - below))
    start = np.concatenate([cuts[:1], np.log(np.diff(cuts)), np.zeros(answers.layout.p)])
    squares = 0.5 * (answers.x * answers.count[:, None]).T @ answers.x + np.diag(2.0 * objective.penalty)
    shape = block_diag(np.eye(objective.thresholds) * 0.5 * answers.count.sum(), squares)
    return minimum(objective.gradient, start, shape, TOLERANCE)
