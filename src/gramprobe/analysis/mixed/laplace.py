"""Laplace's approximation to the deviance of a generalised linear mixed model, with its gradient.

Given effects Z L u with u ~ N(0, I) (the factor L = L(theta) as in :mod:`gramprobe.analysis.mixed.deviance`), a row's
answer has the log probability l(eta), eta = X b + Z L u, of its family. The integral of the likelihood over u is
replaced by that of a normal density around its mode (Breslow and Clayton 1993; Bates et al. 2015 have it for lme4):

    d(theta, b) = -2 sum l(eta) + u'u + log|A|,    A = L'Z'WZL + I,    W = -l''(eta)

at the u that solves L'Z'l'(eta) = u, which is found by Newton's method (penalised iteratively reweighted least
squares). The gradient in theta, b and the thresholds of the family takes into account that u and W move with them:
by the implicit function theorem du = A^-1 (dL'Z'l' - L'Z'W (X db + Z dL u)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from gramprobe.analysis.mixed.answers import Answers
from gramprobe.analysis.mixed.deviance import symmetric
from gramprobe.analysis.mixed.factors import Factors
from gramprobe.analysis.mixed.family import Family, Rows
from gramprobe.analysis.mixed.layout import Floats

#: the modes are found when no effect, relative to its standard deviation, moves by more
STILL = 1e-8
#: a factor of A serves for the next steps and points as long as each step is shorter than the last by this
FASTER = 0.1
#: at most so many steps of Newton's method; five are usual
STEPS = 100


@dataclass(frozen=True)
class Mode:
    """The most probable effects at one point.

    Attributes:
        factors: of each grouping factor the factor L of one level.
        u: the effects relative to their standard deviations, q.
        eta: the linear predictor of each row.
        rows: what the family makes of it.
        squares: Z'WZ, q by q.
        inverse: A^-1, q by q.
        logdet: log|A|.
    """

    factors: list[Floats]
    u: Floats
    eta: Floats
    rows: Rows
    squares: Floats
    inverse: Floats
    logdet: float


class Laplace(Factors):
    """Minus twice the log likelihood of answers, by Laplace's approximation.

    A point is (theta, thresholds, fixed effects); the thresholds are the first of them and the logarithms of the
    differences between neighbours, so that every point has its thresholds in order.

    Attributes:
        answers: the rows.
        family: what they are.
        prior: the standard deviation of a normal prior of the fixed effects other than the intercept, or None.
        variances: the number of variance parameters.
        thresholds: the number of thresholds.
        evaluations: how often the deviance was computed.
    """

    def __init__(self, answers: Answers, family: Family, *, prior: float | None = None):
        super().__init__(answers.layout)
        self.answers, self.family = answers, family
        self.variances = len(answers.layout.diagonal)
        self.thresholds = family.thresholds(len(answers.values))
        self.penalty = np.array([0.0 if prior is None or n == "(Intercept)" else prior**-2 for n in self.layout.fixed])
        self.evaluations = 0
        self._u = np.zeros(self.layout.q)
        self._upper: Floats | None = None

    def split(self, point: Floats) -> tuple[Floats, Floats, Floats]:
        """The variance parameters, the thresholds in order, the fixed effects."""
        first = point[self.variances : self.variances + self.thresholds]
        in_order = np.cumsum(np.concatenate([first[:1], np.exp(first[1:])]))
        return point[: self.variances], in_order, point[self.variances + self.thresholds :]

    def of_thresholds(self, point: Floats) -> Floats:
        """The derivatives of the thresholds in the parameters that stand for them, square."""
        k = self.thresholds
        steps = np.concatenate([np.ones(min(k, 1)), np.exp(point[self.variances + 1 : self.variances + k])])
        found: Floats = np.tril(np.ones((k, k))) * steps
        return found

    def mode(self, point: Floats) -> Mode:
        """The most probable effects. Newton's steps begin at those of the last point and are halved where one leads
        up; the function is concave, so that the end does not depend on the beginning."""
        self.evaluations += 1
        answers = self.answers
        theta, thresholds, fixed = self.split(point)
        factors = self.factors(theta)
        offset = answers.x @ fixed

        def at(u: Floats) -> tuple[Floats, Rows, float]:
            eta = offset + answers.effects(self.scaled(u, factors))
            rows = self.family.rows(eta, answers.answer, thresholds)
            return eta, rows, float(-2.0 * answers.count @ rows.value + u @ u)

        u, upper, before = self._u, self._upper, np.inf
        eta, rows, value = at(u)
        for _ in range(STEPS):
            slope = u - self.premultiplied(answers.sums(answers.count * rows.first)[:, None], factors)[:, 0]
            step = self._solved(upper, slope)
            length = float(np.abs(step).max(initial=0.0))
            if upper is None or not length < before * FASTER:  # the factor of another point leads slowly, or astray
                upper = self._factor(answers.squares(-answers.count * rows.second), factors)
                step = self._solved(upper, slope)
                length = float(np.abs(step).max(initial=0.0))
            if length < STILL:
                break
            size, before = 1.0, length
            trial = at(u - step)
            while not trial[2] <= value + 1e-9 * abs(value) and size > 1e-6:
                size /= 2.0
                trial = at(u - size * step)
            u = u - size * step
            eta, rows, value = trial
        squares = answers.squares(-answers.count * rows.second)
        upper = self._upper = self._factor(squares, factors)
        self._u = u
        logdet = 2.0 * float(np.log(np.diagonal(upper)).sum())
        inverse = symmetric(lapack.dpotri(upper, lower=0)[0].T) if len(u) else upper
        return Mode(factors, u, eta, rows, squares, inverse, logdet)

    @staticmethod
    def _solved(upper: Floats | None, slope: Floats) -> Floats:
        """Newton's step, by the Cholesky factor of A."""
        if upper is None or not len(slope):
            return slope
        found: Floats = lapack.dpotrs(upper, slope, lower=0)[0]
        return found

    def _factor(self, squares: Floats, factors: list[Floats]) -> Floats:
        """The Cholesky factor of A, upper triangular."""
        matrix = self.premultiplied(self.premultiplied(squares, factors).T, factors)
        matrix[np.diag_indices_from(matrix)] += 1.0
        if not len(matrix):
            return matrix
        upper, failed = lapack.dpotrf(matrix.T, lower=0, clean=0, overwrite_a=1)
        if failed:
            raise np.linalg.LinAlgError("the weights of the rows are not positive")
        found: Floats = upper
        return found

    def deviance_at(self, mode: Mode) -> float:
        """The deviance, without the prior."""
        return float(-2.0 * self.answers.count @ mode.rows.value + mode.u @ mode.u) + mode.logdet

    def gradient(self, point: Floats) -> tuple[float, Floats]:
        """The deviance, with the squares of the prior, and its gradient in the parameters of a point."""
        answers, count = self.answers, self.answers.count
        mode = self.mode(point)
        rows, factors = mode.rows, mode.factors
        fixed = self.split(point)[2]
        whole = [factor.T for factor in factors]
        spread = self.premultiplied(mode.inverse, whole).T  # A^-1 L'
        leverage = answers.leverages(self.premultiplied(spread, whole)) * count
        pull = -leverage * rows.third  # the change of log|A| by W
        moved = mode.inverse @ self.premultiplied(answers.sums(pull)[:, None], factors)[:, 0]
        carried = answers.effects(self.scaled(moved, factors)) * count
        total = -2.0 * count * rows.first + pull + carried * rows.second
        score = answers.sums(-count * rows.first)
        of_theta = 2.0 * self.contract(spread, mode.squares)
        of_theta += self.contract(mode.u[:, None], answers.sums(total)[:, None])
        of_theta -= self.contract(moved[:, None], score[:, None])
        of_thresholds = np.zeros(self.thresholds + 1)
        for each in rows.thresholds:
            change = -2.0 * count * each.value - leverage * each.second + carried * each.first
            of_thresholds += np.bincount(each.at, change, self.thresholds + 1)
        inner = self.of_thresholds(point).T @ of_thresholds[: self.thresholds]
        of_fixed = answers.x.T @ total + 2.0 * self.penalty * fixed
        value = self.deviance_at(mode) + float(self.penalty @ fixed**2)
        return value, np.concatenate([of_theta, inner, of_fixed])
