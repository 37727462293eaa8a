"""The deviance of a linear mixed model as a function of its variance parameters, with its gradient.

The model is y = X b + Z L u + e with u ~ N(0, s^2 I), e ~ N(0, s^2 I), and L = L(theta) block diagonal: the same lower
triangular factor for every level of a grouping factor (Bates, Maechler, Bolker and Walker 2015, section 2). With

    C(theta) = [[L'Z'ZL + I, L'Z'X], [X'ZL, X'X]],    c = [L'Z'y, X'y],    r2 = y'y - c'C^-1 c

minus twice the REML log likelihood, b and s profiled out, is log|C| + m (1 + log(2 pi r2 / m)) with m = n - p; minus
twice the log likelihood (ML) has log|L'Z'ZL + I| and m = n in their places. Both are lme4's.

One evaluation costs a Cholesky factor of order q + p, the gradient its inverse as well; the rows are not seen again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from gramprobe.analysis.mixed.factors import Factors
from gramprobe.analysis.mixed.layout import Floats
from gramprobe.analysis.mixed.products import CrossProducts


@dataclass(frozen=True)
class Solved:
    """The mixed model equations, solved at one theta.

    Attributes:
        factors: of each grouping factor the lower triangular factor L of one level (k by k).
        products: Z'Z L, q by q.
        solution: u, then b.
        logdet: log|C|, or log|L'Z'ZL + I| for ML.
        residual: r2, the penalised sum of squares of the residuals.
        inverse: C^-1, or None where it was not asked for.
    """

    factors: list[Floats]
    products: Floats
    solution: Floats
    logdet: float
    residual: float
    inverse: Floats | None


class Deviance(Factors):
    """Minus twice the (restricted) log likelihood, from cross products.

    Attributes:
        sums: the cross products of the rows.
        reml: restricted maximum likelihood, else maximum likelihood.
        degrees: m, that is n - p (REML) or n (ML).
        evaluations: how often the equations were solved.
        scales: what a parameter is multiplied with for parameters that do not depend on the units of columns: the root
            mean square of the column of its row.
    """

    def __init__(self, sums: CrossProducts, *, reml: bool = True):
        super().__init__(sums.layout)
        self.sums = sums
        self.reml = reml
        self.degrees = sums.rows - (self.layout.p if reml else 0)
        self.evaluations = 0
        #: lme4's starting values: independent effects with the variance of the residual
        self.start: Floats = np.where(self.layout.diagonal, 1.0, 0.0)
        self.scales = self._scales()

    def _scales(self) -> Floats:
        found = np.ones(len(self.start))
        for grouping, at, (rows, _), places in zip(
            self.layout.groupings, self.layout.slices, self.layout.parameters, self.layout.places, strict=True
        ):
            squares = np.diagonal(self.sums.matrix)[at].reshape(len(grouping.levels), -1).sum(0) / self.sums.rows
            found[places] = np.sqrt(squares)[rows]
        return found

    def solve(self, theta: Floats, *, inverse: bool = False) -> Solved:
        """Solve the mixed model equations. Raises LinAlgError where C is not positive, or no residual is left."""
        self.evaluations += 1
        m, q = self.sums.matrix, self.layout.q
        factors = self.factors(theta)
        left = self.premultiplied(m[:q], factors)
        c = np.empty_like(m)
        c[:q, :q] = self.premultiplied(left[:, :q].T, factors)
        c[q:, :q] = left[:, q:].T
        c[q:, q:] = m[q:, q:]
        c[np.arange(q), np.arange(q)] += 1.0
        right = np.concatenate([self.premultiplied(self.sums.vector[:q, None], factors)[:, 0], self.sums.vector[q:]])
        # C is symmetric, and LAPACK reads by columns: the transpose of the lower triangle written above.
        upper, failed = lapack.dpotrf(c.T, lower=0, clean=0, overwrite_a=1)
        if failed:
            raise np.linalg.LinAlgError("the mixed model equations are not positive definite")
        solution = lapack.dpotrs(upper, right, lower=0)[0]
        diagonal = np.log(np.diagonal(upper))
        logdet = 2.0 * float(diagonal.sum() if self.reml else diagonal[:q].sum())
        residual = self.sums.squares - float(right @ solution)
        if residual <= 0.0:
            raise np.linalg.LinAlgError("nothing is left of the scores")
        inverted: Floats | None = None
        if inverse:
            inverted, _ = lapack.dpotri(upper, lower=0, overwrite_c=1)
            inverted = symmetric(inverted.T)
        return Solved(factors, left[:, :q].T, solution, logdet, residual, inverted)

    def __call__(self, theta: Floats) -> float:
        """The deviance with b and s profiled out."""
        solved = self.solve(theta)
        return self.profiled(solved)

    def profiled(self, solved: Solved) -> float:
        """The deviance at a solution, with b and s profiled out."""
        m = self.degrees
        return solved.logdet + m * (1.0 + float(np.log(2.0 * np.pi * solved.residual / m)))

    def gradient(self, theta: Floats) -> tuple[float, Floats]:
        """The deviance with b and s profiled out, and its gradient in theta."""
        solved = self.solve(theta, inverse=True)
        logdet, residual = self.gradients(solved)
        return self.profiled(solved), logdet + self.degrees / solved.residual * residual

    def gradient_at_scale(self, theta: Floats, sigma: float) -> Floats:
        """The gradient in (theta, sigma) of the deviance logdet + m log(2 pi s^2) + r2 / s^2, b profiled out."""
        solved = self.solve(theta, inverse=True)
        logdet, residual = self.gradients(solved)
        last = 2.0 * self.degrees / sigma - 2.0 * solved.residual / sigma**3
        return np.append(logdet + residual / sigma**2, last)

    def gradients(self, solved: Solved) -> tuple[Floats, Floats]:
        """The gradients of logdet and of r2 in theta.

        d log|C| = 2 tr(C^-1 [Z'Z L, Z'X]' dL), and d r2 = -2 (Z'y - Z'Z L u - Z'X b)' dL u.
        """
        q = self.layout.q
        assert solved.inverse is not None
        left = solved.products
        rest = self.sums.vector[:q] - left @ solved.solution[:q] - self.beside @ solved.solution[q:]
        inverse, with_fixed = solved.inverse[:q, :q], solved.inverse[:q, q:]
        if self.reml:
            logdet = self.contract(inverse, left, with_fixed, self.beside)
        else:
            logdet = self.contract(self.inverse_without_fixed(solved), left)
        return 2.0 * logdet, -2.0 * self.contract(solved.solution[:q, None], rest[:, None])

    def inverse_without_fixed(self, solved: Solved) -> Floats:
        """(L'Z'ZL + I)^-1, q by q, out of the inverse of the whole of C."""
        q = self.layout.q
        assert solved.inverse is not None
        with_fixed = solved.inverse[:q, q:]
        found: Floats = solved.inverse[:q, :q] - with_fixed @ np.linalg.solve(solved.inverse[q:, q:], with_fixed.T)
        return found

    @property
    def beside(self) -> Floats:
        """Z'X, q by p."""
        return self.sums.matrix[: self.layout.q, self.layout.q :]


def symmetric(lower: Floats) -> Floats:
    """A symmetric matrix from its lower triangle; what is above the diagonal is overwritten."""
    size = len(lower)
    for start in range(0, size, 128):
        stop = min(start + 128, size)
        block = lower[start:stop, start:stop]
        lower[start:stop, start:stop] = np.tril(block) + np.tril(block, -1).T
        lower[start:stop, stop:] = lower[stop:, start:stop].T
    return lower
