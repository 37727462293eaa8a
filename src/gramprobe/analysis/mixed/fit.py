"""Fitting a linear mixed model, and what follows from the fit.

The deviance is minimised over unbounded variance parameters. It is even in every column of a Cholesky factor, so that
at a bound of zero its slope is zero although it may still fall: an optimiser that uses gradients would stop there.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.optimize import minimize
from scipy.special import stdtr, stdtrit
from threadpoolctl import threadpool_limits

from gramprobe.analysis.mixed.deviance import Blocks, Deviance, Solved
from gramprobe.analysis.mixed.effects import Effect, LevelEffect
from gramprobe.analysis.mixed.layout import Floats
from gramprobe.analysis.mixed.minimum import second_derivatives
from gramprobe.analysis.mixed.products import CrossProducts
from gramprobe.analysis.mixed.variances import Variances, positive

#: a fit is converged where Newton's step could lower the deviance by no more than this
TOLERANCE = 1e-6
#: eigenvalues of the Hessian at or below this are left out, as lmerTest does
FLAT = 1e-8
#: with fewer random effects, threads of the linear algebra wait for one another longer than they work
SMALL = 1_500


class Fit(Variances):
    """A linear mixed model at estimated (or given) variance parameters.

    Attributes:
        sums: the cross products.
        objective: its deviance function.
        theta: the variance parameters: Cholesky factors relative to the residual's standard deviation.
        deviance: minus twice the REML (or ML) log likelihood.
        sigma: standard deviation of the residual.
        coefficients: the fixed effects, p.
        covariance: of the fixed effects, p by p.
        converged: whether the optimiser's last point is a minimum (:data:`TOLERANCE`).
        decrement: by how much Newton's step could still lower the deviance.
    """

    def __init__(self, objective: Deviance, theta: Floats, hessian: Floats | None = None):
        self.objective = objective
        self.sums: CrossProducts = objective.sums
        theta = positive(objective.layout, theta)
        self._solved: Solved = objective.solve(theta)
        self.deviance = objective.profiled(self._solved)
        sigma = float(np.sqrt(self._solved.residual / objective.degrees))
        super().__init__(objective.layout, theta, sigma, objective.scales)
        self.coefficients: Floats = self._solved.solution[objective.layout.q :].copy()
        if self.sums.shift:
            self.coefficients[self.layout.fixed.index("(Intercept)")] += self.sums.shift
        fixed = slice(len(self._solved.rest) - objective.layout.p, None)
        self.covariance: Floats = self.sigma**2 * self._solved.rest[fixed, fixed]
        self._hessian = hessian

    # Fixed effects.

    @cached_property
    def hessian(self) -> Floats:
        """Second derivatives of the deviance in the scaled parameters (:func:`hessian_of`)."""
        if self._hessian is None:
            self._hessian = hessian_of(self.objective, self.theta, self.sigma)
        return self._hessian

    @cached_property
    def parameter_covariance(self) -> Floats:
        """The asymptotic covariance matrix of the scaled parameters: twice the inverse of the Hessian, without flat
        directions."""
        values, vectors = np.linalg.eigh(self.hessian)
        kept = values > FLAT
        found: Floats = 2.0 * (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
        return found

    def df(self, contrast: Floats) -> float:
        """Satterthwaite's degrees of freedom of a combination of fixed effects: 2 v^2 / (g' A g).

        v is its variance, g the gradient of v in (theta, sigma), A the covariance of these (Satterthwaite 1946;
        Kuznetsova, Brockhoff and Christensen 2017).
        """
        q = self.layout.q
        w = self.objective.of_contrast(self._solved, contrast)
        variance = self.sigma**2 * float(contrast @ w[q:])
        left = self.objective.across(self._solved, w)
        slope = -2.0 * self.sigma**2 * self.objective.contract(w[:q, None], left[:, None])
        g = np.append(slope / self.objective.scales, 2.0 * variance)
        return 2.0 * variance**2 / float(g @ self.parameter_covariance @ g)

    def effects(self, level: float = 0.95) -> tuple[Effect, ...]:
        """The fixed effects with their tests, and intervals of this level."""
        return tuple(self.contrast(name, np.eye(self.layout.p)[i], level) for i, name in enumerate(self.layout.fixed))

    def contrast(self, name: str, weights: Floats, level: float = 0.95) -> Effect:
        """A combination of the fixed effects, tested as one of them."""
        estimate = float(weights @ self.coefficients)
        error = float(np.sqrt(weights @ self.covariance @ weights))
        df = self.df(weights)
        t = estimate / error
        half = float(stdtrit(df, (1.0 + level) / 2.0)) * error
        return Effect(name, estimate, error, df, t, 2.0 * float(stdtr(df, -abs(t))), estimate - half, estimate + half)

    def parts(self, contrast: Floats) -> tuple[tuple[float, ...], float]:
        """Where the variance of a combination of fixed effects comes from: each random term, and the residual.

        The estimate is a sum a'y over the scores; its variance is the sum over terms of a'Z S Z'a, S their covariance
        matrix, and s^2 a'a.
        """
        w = self.objective.of_contrast(self._solved, contrast)
        across = self.objective.across(self._solved, w)  # Z'a
        found = []
        for term in self.layout.terms:
            i = next(i for i, g in enumerate(self.layout.groupings) if g.factor == term.factor)
            grouping, at = self.layout.groupings[i], self.layout.slices[i]
            inside = [grouping.columns.index(name) for name in term.columns]
            own = across[at].reshape(len(grouping.levels), -1)[:, inside] @ self.factor_of(term)
            found.append(self.sigma**2 * float((own**2).sum()))
        whole = float(contrast @ self.covariance @ contrast)
        return tuple(found), whole - sum(found)

    # Likelihood and explained variance.

    @property
    def parameters(self) -> int:
        """The number of parameters: fixed effects, variance parameters, the residual's variance."""
        return self.layout.p + len(self.theta) + 1

    @property
    def aic(self) -> float:
        return self.deviance + 2.0 * self.parameters

    @property
    def bic(self) -> float:
        return self.deviance + float(np.log(self.sums.rows)) * self.parameters

    @cached_property
    def r2(self) -> tuple[float, float]:
        """Marginal and conditional R2 (Nakagawa and Schielzeth 2013; with slopes Johnson 2014).

        Variance of the fixed part X b over the rows, and with it the mean over the rows of the variance of the random
        part, as shares of these two and the residual variance.
        """
        q, n = self.layout.q, self.sums.rows
        mean = self.sums.sums / n
        spread = self.sums.matrix[q:, q:] / n - np.outer(mean, mean)
        fixed = float(self.coefficients @ spread @ self.coefficients) * n / (n - 1)
        random = 0.0
        for grouping, at, factor in zip(self.layout.groupings, self.layout.slices, self._solved.factors, strict=True):
            k = len(grouping.columns)
            own = self.sums.matrix[at, at].reshape(-1, k, len(grouping.levels), k)
            squares = np.einsum("lilj->ij", own) / n
            random += float(np.sum(self.sigma**2 * (factor @ factor.T) * squares))
        whole = fixed + random + self.sigma**2
        return fixed / whole, (fixed + random) / whole

    # Effects of levels.

    def level_effects(self, level: float = 0.95) -> tuple[LevelEffect, ...]:
        """The effects of every level of every grouping factor, with intervals of this level."""
        from scipy.special import ndtri

        values = self.objective.scaled(self._solved.solution[: self.layout.q], self._solved.factors)
        errors = self._deviations(self._solved.inverse())
        conditional = self._deviations(self._solved.inverse(self.layout.p))
        width = float(ndtri((1.0 + level) / 2.0))
        found = []
        for grouping, at in zip(self.layout.groupings, self.layout.slices, strict=True):
            names = [(one, name) for one in grouping.levels for name in grouping.columns]
            for i, (one, name) in enumerate(names, start=at.start):
                value, error = float(values[i]), float(errors[i])
                ends = (value - width * error, value + width * error)
                found.append(LevelEffect(grouping.factor, one, name, value, error, float(conditional[i]), *ends))
        return tuple(found)

    def _deviations(self, inverse: Blocks) -> Floats:
        """Square roots of the diagonal of s^2 L A L' for a matrix A over the random effects."""
        found = np.empty(self.layout.q)
        levels = self.objective.level_blocks(inverse)
        for at, factor, blocks in zip(self.layout.slices, self._solved.factors, levels, strict=True):
            variances = np.einsum("ai,lij,aj->la", factor, blocks, factor)
            found[at] = self.sigma * np.sqrt(np.maximum(variances, 0.0)).ravel()
        return found

    # Convergence.

    @cached_property
    def decrement(self) -> float:
        """By how much Newton's step in theta could lower the deviance."""
        return _newton(self.objective, self.theta, self.hessian)[1] if len(self.theta) else 0.0

    @property
    def converged(self) -> bool:
        return self.decrement <= TOLERANCE


def hessian_of(objective: Deviance, theta: Floats, sigma: float, step: float = 1e-4) -> Floats:
    """Second derivatives of the deviance in the scaled parameters, by central differences of its gradient.

    They are theta times ``objective.scales``, and sigma in units of the sigma given: no unit of a column or of the
    scores is in them.
    """
    units = np.append(1.0 / objective.scales, sigma)
    v = np.append(theta * objective.scales, 1.0)

    def gradient(scaled: Floats) -> Floats:
        at = scaled * units
        slope: Floats = objective.gradient_at_scale(at[:-1], at[-1]) * units
        return slope

    return second_derivatives(gradient, v, step * np.maximum(np.abs(v), 0.1))


def _newton(objective: Deviance, theta: Floats, hessian: Floats) -> tuple[Floats, float, Floats]:
    """Newton's step in theta, what it promises to lower the deviance by, and directions of theta in which it falls.

    The Hessian of the deviance with sigma profiled out is the Schur complement of that in (theta, sigma).
    """
    inner = hessian[:-1, :-1] - np.outer(hessian[:-1, -1], hessian[-1, :-1]) / hessian[-1, -1]
    values, vectors = np.linalg.eigh(inner)
    gradient = (objective.gradient(theta)[1] / objective.scales) @ vectors
    kept = values > 1e-6 * max(1.0, float(values[-1]))
    step = -(vectors[:, kept] / values[kept]) @ gradient[kept] / objective.scales
    falling = vectors[:, values < -1e-3 * values[-1]] / objective.scales[:, None]
    return step, 0.5 * float(np.sum(gradient[kept] ** 2 / values[kept])), falling


def fit(sums: CrossProducts, *, reml: bool = True, start: Floats | None = None) -> Fit:
    """Fit a model by (restricted) maximum likelihood.

    L-BFGS finds the minimum, the Hessian that Satterthwaite's degrees of freedom need confirms it, and where the
    deviance curves down the search goes on. The result says whether it converged; no exception is raised if not.
    """
    with threadpool_limits(1 if sums.layout.q < SMALL else None, "blas"):
        return _fit(sums, reml=reml, start=start)


def _fit(sums: CrossProducts, *, reml: bool, start: Floats | None) -> Fit:
    objective = Deviance(sums, reml=reml)
    if not len(objective.start):
        return Fit(objective, objective.start)
    theta = _search(objective, objective.start / _units(objective) if start is None else start)
    found = Fit(objective, theta)
    for _ in range(8):
        step, decrement, falling = _newton(objective, found.theta, found.hessian)
        if falling.size:  # a saddle: variances at zero that should not be
            tries = [found.theta + sign * 0.3 * falling.sum(1) for sign in (1.0, -1.0)]
            theta = min((_search(objective, point) for point in tries), key=objective)
        elif decrement > TOLERANCE:
            theta = found.theta + step
        else:
            break
        if objective(theta) >= found.deviance:
            break
        found = Fit(objective, theta)
    return found


def _units(objective: Deviance) -> Floats:
    """What parameters are multiplied with for the search: its steps are good where no unit is very large or small."""
    usual = (objective.scales > 0.1) & (objective.scales < 10.0)
    return np.where(usual, 1.0, objective.scales)


def _search(objective: Deviance, start: Floats) -> Floats:
    scales = _units(objective)

    def value(scaled: Floats) -> tuple[float, Floats]:
        try:
            deviance, gradient = objective.gradient(scaled / scales)
        except np.linalg.LinAlgError:
            return np.inf, np.zeros_like(scaled)
        return deviance, gradient / scales

    # Digits end before `ftol` is reached where there are many rows: the gradient decides, and Newton's step after it.
    options = {"maxiter": 2000, "maxfun": 5000, "ftol": 1e-15, "gtol": 1e-4, "maxcor": 60}
    result: Floats = minimize(value, start * scales, jac=True, method="L-BFGS-B", options=options).x
    return result / scales
