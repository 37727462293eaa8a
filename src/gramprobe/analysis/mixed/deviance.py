"""The deviance of a linear mixed model as a function of its variance parameters, with its gradient.

The model is y = X b + Z L u + e with u ~ N(0, s^2 I), e ~ N(0, s^2 I), and L = L(theta) block diagonal: the same lower
triangular factor for every level of a grouping factor (Bates, Maechler, Bolker and Walker 2015, section 2). With

    C(theta) = [[L'Z'ZL + I, L'Z'X], [X'ZL, X'X]],    c = [L'Z'y, X'y],    r2 = y'y - c'C^-1 c

minus twice the REML log likelihood, b and s profiled out, is log|C| + m (1 + log(2 pi r2 / m)) with m = n - p; minus
twice the log likelihood (ML) has log|L'Z'ZL + I| and m = n in their places. Both are lme4's.

A row belongs to one level of a grouping factor, so that a factor's own part of C is block diagonal. The factor with
most effects is eliminated: with A its own part, W what stands beside it and R the rest, C^-1 is made of A^-1, of
P = A^-1 W and of S^-1 with S = R - W'P. One evaluation costs W'P and a Cholesky factor of S, the gradient the inverse
of S as well; the rows are not seen again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import sparse
from scipy.linalg import lapack

from gramprobe.analysis.mixed.factors import Factors
from gramprobe.analysis.mixed.layout import Floats, Grouping, Layout
from gramprobe.analysis.mixed.products import CrossProducts

FEW = 0.1
"""Where fewer entries of a factor are not zero, a product takes these alone: an item has few of all words."""
_NO_FACTOR = Grouping(factor="", levels=(), columns=("",))
"""What is eliminated where there is no random term."""


@dataclass(frozen=True)
class Blocks:
    """A matrix over random and fixed effects; of the eliminated factor, which has n levels of k effects, what stands
    between different levels is left out. Of all else there are r.

    Attributes:
        own: the block of each level of the eliminated factor, n by k by k.
        beside: its rows in all other columns, nk by r.
        below: its columns in all other rows, r by nk.
        rest: all other rows and columns, r by r.
    """

    own: Floats
    beside: Floats
    below: Floats
    rest: Floats


@dataclass(frozen=True)
class Solved:
    """The mixed model equations, solved at one theta.

    Attributes:
        factors: of each grouping factor the lower triangular factor L of one level (k by k).
        products: [Z X]'[ZL X].
        solution: u, then b.
        logdet: log|C|, or log|L'Z'ZL + I| for ML.
        residual: r2, the penalised sum of squares of the residuals.
        own: A^-1, its block of each level, n by k by k.
        spread: P, nk by r.
        rest: S^-1, r by r; the fixed effects are its last.
    """

    factors: list[Floats]
    products: Blocks
    solution: Floats
    logdet: float
    residual: float
    own: Floats
    spread: Floats
    rest: Floats

    def inverse(self, fixed: int = 0) -> Blocks:
        """C^-1; without its last ``fixed`` rows and columns, that is all of the fixed effects, (L'Z'ZL + I)^-1."""
        spread, rest = self.spread, self.rest
        if fixed:
            q = len(rest) - fixed
            rest = rest[:q, :q] - rest[:q, q:] @ np.linalg.solve(rest[q:, q:], rest[q:, :q])
            spread = spread[:, :q]
        beside = -_product(spread, rest)
        n, k, _ = self.own.shape
        own = self.own - np.matmul(beside.reshape(n, k, len(rest)), spread.reshape(n, k, len(rest)).transpose(0, 2, 1))
        return Blocks(own, beside, beside.T, rest)


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
        self._eliminate()

    def _eliminate(self) -> None:
        """Choose the factor that is eliminated, and sort columns, parameters and cross products by it."""
        layout, matrix = self.layout, self.sums.matrix
        first = max(layout.groupings, key=lambda g: len(g.levels) * len(g.columns), default=_NO_FACTOR)
        others = tuple(g for g in layout.groupings if g is not first)
        self._number = layout.groupings.index(first) if layout.groupings else 0
        parts = []
        for fixed, some in (((), (first,)), (layout.fixed, others)):
            spans = [(term, span) for term, span in layout.spans() if any(term.factor == g.factor for g in some)]
            part = Factors(Layout(fixed, some, tuple(term for term, _ in spans)))
            parts.append((part, np.array([i for _, span in spans for i in range(span.start, span.stop)], np.int64)))
        (self._first, self._first_theta), (self._rest, self._rest_theta) = parts
        self._at = layout.slices[self._number] if layout.groupings else slice(0, 0)
        self._others = np.delete(np.arange(len(matrix)), self._at)
        n, k = len(first.levels), len(first.columns)
        own = matrix[self._at, self._at].reshape(n, k, n, k)
        self._own: Floats = own[np.arange(n), :, np.arange(n), :]
        self._beside = matrix[self._at][:, self._others]
        self._between = matrix[np.ix_(self._others, self._others)]

    def _scales(self) -> Floats:
        found = np.ones(len(self.start))
        for grouping, at, (rows, _), places in zip(
            self.layout.groupings, self.layout.slices, self.layout.parameters, self.layout.places, strict=True
        ):
            squares = np.diagonal(self.sums.matrix)[at].reshape(len(grouping.levels), -1).sum(0) / self.sums.rows
            found[places] = np.sqrt(squares)[rows]
        return found

    def solve(self, theta: Floats) -> Solved:
        """Solve the mixed model equations. Raises LinAlgError where C is not positive, or no residual is left."""
        self.evaluations += 1
        (first,), others = self._first.factors(theta[self._first_theta]), self._rest.factors(theta[self._rest_theta])
        n, k, _ = self._own.shape
        r, q = len(self._others), self._rest.layout.q

        by_level = partial(self._first.premultiplied, factors=[first])
        products = Blocks(
            np.matmul(self._own, first),
            self._by_columns(self._beside, others),
            by_level(self._beside).T,
            self._by_columns(self._between, others),
        )
        # A, W and S; A^-1 = B'B
        root = np.linalg.cholesky(np.matmul(first.T, products.own) + np.eye(k))
        b = np.linalg.inv(root)
        half = np.matmul(b, by_level(products.beside).reshape(n, k, r))
        spread = np.matmul(b.transpose(0, 2, 1), half).reshape(n * k, r)
        half = half.reshape(n * k, r)
        rest = self._by_columns(products.rest.T, others) - _product(half.T, half)
        rest[np.arange(q), np.arange(q)] += 1.0
        # S is symmetric, and LAPACK reads by columns: the transpose
        upper, failed = lapack.dpotrf(rest.T, lower=0, clean=0, overwrite_a=1)
        if failed:
            raise np.linalg.LinAlgError("the mixed model equations are not positive definite")
        own = np.matmul(b.transpose(0, 2, 1), b)
        right = by_level(self.sums.vector[self._at, None])[:, 0]
        below = self._by_columns(self.sums.vector[None, self._others], others)[0]
        effects = lapack.dpotrs(upper, below - spread.T @ right, lower=0)[0]
        solution = np.empty(len(self.sums.vector))
        solution[self._others] = effects
        solution[self._at] = np.matmul(own, right.reshape(n, k, 1)).ravel() - spread @ effects
        residual = self.sums.squares - float(right @ solution[self._at]) - float(below @ effects)
        if residual <= 0.0:
            raise np.linalg.LinAlgError("nothing is left of the scores")
        diagonal = np.log(np.diagonal(upper))
        logdet = 2.0 * float(np.log(np.diagonal(root, axis1=1, axis2=2)).sum())
        logdet += 2.0 * float(diagonal.sum() if self.reml else diagonal[:q].sum())
        inverse, _ = lapack.dpotri(upper, lower=0, overwrite_c=1)
        factors = [*others[: self._number], first, *others[self._number :]][: len(self.layout.groupings)]
        return Solved(factors, products, solution, logdet, residual, own, spread, symmetric(inverse.T))

    def _by_columns(self, matrix: Floats, factors: list[Floats]) -> Floats:
        """A matrix over the columns that are not eliminated times their L."""
        found = matrix.copy()
        for at, factor in zip(self._rest.layout.slices, factors, strict=True):
            found[:, at] = (matrix[:, at].reshape(-1, len(factor)) @ factor).reshape(len(matrix), -1)
        return found

    def __call__(self, theta: Floats) -> float:
        """The deviance with b and s profiled out."""
        return self.profiled(self.solve(theta))

    def profiled(self, solved: Solved) -> float:
        """The deviance at a solution, with b and s profiled out."""
        m = self.degrees
        return solved.logdet + m * (1.0 + float(np.log(2.0 * np.pi * solved.residual / m)))

    def gradient(self, theta: Floats) -> tuple[float, Floats]:
        """The deviance with b and s profiled out, and its gradient in theta."""
        solved = self.solve(theta)
        logdet, residual = self.gradients(solved)
        return self.profiled(solved), logdet + self.degrees / solved.residual * residual

    def gradient_at_scale(self, theta: Floats, sigma: float) -> Floats:
        """The gradient in (theta, sigma) of the deviance logdet + m log(2 pi s^2) + r2 / s^2, b profiled out."""
        solved = self.solve(theta)
        logdet, residual = self.gradients(solved)
        last = 2.0 * self.degrees / sigma - 2.0 * solved.residual / sigma**3
        return np.append(logdet + residual / sigma**2, last)

    def gradients(self, solved: Solved) -> tuple[Floats, Floats]:
        """The gradients of logdet and of r2 in theta.

        d log|C| = 2 tr(C^-1 [Z'Z L, Z'X]' dL), and d r2 = -2 (Z'y - Z'Z L u - Z'X b)' dL u.
        """
        q, products = self.layout.q, solved.products
        inverse = solved.inverse(0 if self.reml else self.layout.p)
        width, random = len(inverse.rest), self._rest.layout.q
        n, k, _ = products.own.shape
        logdet = np.empty(len(self.start))
        logdet[self._first_theta] = self._first.contract(
            inverse.own.reshape(n * k, k), products.own.reshape(n * k, k), inverse.beside, products.beside[:, :width]
        )
        logdet[self._rest_theta] = self._rest.contract(
            inverse.below[:random], products.below[:random], inverse.rest[:random], products.rest[:random, :width]
        )
        rest = self.sums.vector[:q] - self.across(solved, solved.solution)
        return 2.0 * logdet, -2.0 * self.contract(solved.solution[:q, None], rest[:, None])

    def across(self, solved: Solved, effects: Floats) -> Floats:
        """Z'(ZL u + X b), q, for effects u, then b."""
        products, own, others = solved.products, effects[self._at], effects[self._others]
        n, k, _ = products.own.shape
        found = np.empty(len(effects))
        found[self._at] = np.matmul(products.own, own.reshape(n, k, 1)).ravel() + products.beside @ others
        found[self._others] = products.below @ own + products.rest @ others
        return found[: self.layout.q]

    def of_contrast(self, solved: Solved, contrast: Floats) -> Floats:
        """C^-1 times a contrast of the fixed effects, q + p."""
        found = np.empty(len(self.sums.vector))
        others = found[self._others] = solved.rest[:, self._rest.layout.q :] @ contrast
        found[self._at] = -solved.spread @ others
        return found

    def level_blocks(self, inverse: Blocks) -> list[Floats]:
        """Of each grouping factor the block of each of its levels, as many by k by k."""
        found = []
        for at, grouping in zip(self._rest.layout.slices, self._rest.layout.groupings, strict=True):
            n, k = len(grouping.levels), len(grouping.columns)
            found.append(np.einsum("lilj->lij", inverse.rest[at, at].reshape(n, k, n, k)))
        return [*found[: self._number], inverse.own, *found[self._number :]][: len(self.layout.groupings)]


def _product(left: Floats, right: Floats) -> Floats:
    """The product of two matrices, by the entries of the left one that are not zero where these are few."""
    few = np.count_nonzero(left) < FEW * left.size
    found: Floats = (sparse.csr_array(left) if few else left) @ right
    return found


def symmetric(lower: Floats) -> Floats:
    """A symmetric matrix from its lower triangle; what is above the diagonal is overwritten."""
    size = len(lower)
    for start in range(0, size, 128):
        stop = min(start + 128, size)
        block = lower[start:stop, start:stop]
        lower[start:stop, start:stop] = np.tril(block) + np.tril(block, -1).T
        lower[start:stop, stop:] = lower[stop:, start:stop].T
    return lower
