"""What the variance parameters say: variances, correlations, and where a term has less than full rank."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gramprobe.analysis.mixed.effects import RandomTerm, Singularity, Variance
from gramprobe.analysis.mixed.layout import Floats, Layout, Term

#: lme4's threshold of a singular fit: a standard deviation relative to that of the residual, here on a typical row
SINGULAR = 1e-4


class Variances:
    """The variance components of a model.

    Attributes:
        layout: the order of columns and parameters.
        theta: the variance parameters: Cholesky factors relative to ``sigma``.
        sigma: standard deviation of the residual; 1 where the family has none.
        scales: the root mean square of the column of each parameter's row.
    """

    def __init__(self, layout: Layout, theta: Floats, sigma: float, scales: Floats):
        self.layout, self.theta, self.sigma, self.scales = layout, theta, sigma, scales

    def covariance_of(self, term: Term) -> Floats:
        """The covariance matrix of the effects of a level, k by k, in the units of the scores."""
        factor = self.factor_of(term)
        return self.sigma**2 * factor @ factor.T

    def random_terms(self) -> tuple[RandomTerm, ...]:
        """The variances and correlations of the effects of a level, by term."""
        found = []
        for term in self.layout.terms:
            covariance = self.covariance_of(term)
            deviations = np.sqrt(np.diagonal(covariance))
            with np.errstate(divide="ignore", invalid="ignore"):
                rows = (covariance / np.outer(deviations, deviations)).tolist()
            columns = []
            for i, (name, row) in enumerate(zip(term.columns, rows, strict=True)):
                beside = {n: r if np.isfinite(r) else None for n, r in zip(term.columns, row, strict=True) if n != name}
                variance = float(covariance[i, i])
                columns.append(Variance(name=name, variance=variance, sd=variance**0.5, correlations=beside))
            found.append(RandomTerm(factor=term.factor, term=str(term), columns=columns))
        return tuple(found)

    def factor_of(self, term: Term) -> Floats:
        """The lower triangular factor of a term, relative to the residual's standard deviation."""
        span = next(span for each, span in self.layout.spans() if each is term)
        k = len(term.columns)
        factor: Floats = np.zeros((k, k))
        factor.T[np.triu_indices(k)] = self.theta[span]
        return factor

    @property
    def scaled_factors(self) -> dict[Term, Floats]:
        """Of each term its factor with rows multiplied by the root mean square of their columns."""
        found = {}
        for term, span in self.layout.spans():
            k = len(term.columns)
            found[term] = self.factor_of(term) * self.scales[span][:k, None]
        return found

    @cached_property
    def singular(self) -> tuple[Singularity, ...]:
        """The random terms that are estimated with less than full rank."""
        found = []
        for term in self.layout.terms:
            factor = self.scaled_factors[term]
            if np.diagonal(factor).min() >= SINGULAR:
                continue
            deviations = np.sqrt((factor**2).sum(1))
            zero = [name for name, sd in zip(term.columns, deviations, strict=True) if sd < SINGULAR]
            rank = int((np.linalg.svd(factor, compute_uv=False) >= SINGULAR).sum())
            if zero:
                what = f"the variance of {', '.join(zero)} is estimated as zero"
            elif len(term.columns) == 2:
                what = "the correlation of its effects is estimated as 1 or -1"
            else:
                what = f"its {len(term.columns)} effects are estimated as sums of {rank} of them"
            found.append(Singularity(str(term), rank, what))
        return tuple(found)


def positive(layout: Layout, theta: Floats) -> Floats:
    """The same model with no negative entry on a diagonal: the sign of a column of a factor does not matter."""
    theta = theta.copy()
    for term, span in layout.spans():
        k, start = len(term.columns), span.start
        for size in range(k, 0, -1):
            if theta[start] < 0:
                theta[start : start + size] *= -1.0
            start += size
    return theta
