"""Logistic regression of right and wrong, with standard errors clustered by two factors."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference.arrays import Column, codes, numbers, truths


@dataclass(frozen=True)
class LogOdds:
    """A coefficient, in log odds.

    Attributes:
        name: of its column.
        estimate: b; exp(b) is the odds ratio.
        error: its standard error, clustered.
        z: estimate / error.
        p: two-sided, by the normal distribution.
        low: lower end of the interval.
        high: its upper end.
    """

    name: str
    estimate: float
    error: float
    z: float
    p: float
    low: float
    high: float


def logistic(
    right: Column,
    predictors: Mapping[str, Column],
    clusters: Sequence[Sequence[object] | NDArray[np.generic]],
    level: float = 0.95,
) -> tuple[LogOdds, ...]:
    """Logistic regression with an intercept, errors clustered by one or two factors.

    ``right``: 1 or 0, a row each; ``predictors``: name -> column; ``clusters``: one or two columns of levels, such as
    words and instances. The covariance with two factors is V1 + V2 - V12, the clusters of the third being the pairs of
    levels (Cameron, Gelbach and Miller 2011), each with the factor G / (G - 1) (n - 1) / (n - k) for G clusters, n rows
    and k coefficients, as in Stata.

    Raises ValueError for other values, columns that are sums of others, answers that a predictor separates without
    error, and a covariance that is not positive (too few clusters).
    """
    import statsmodels.api as sm
    from scipy.special import ndtri
    from statsmodels.tools.sm_exceptions import PerfectSeparationError, PerfectSeparationWarning

    y = truths("right", right)
    if y.all() or not y.any():
        raise ValueError("every answer is the same: there is nothing to explain")
    if len(clusters) not in (1, 2):
        raise ValueError("errors are clustered by one factor or by two")
    columns = [np.ones(len(y)), *(numbers(name, column, len(y)) for name, column in predictors.items())]
    x = np.column_stack(columns)
    if np.linalg.matrix_rank(x / np.abs(x).max(0, initial=1e-300)) < x.shape[1]:
        raise ValueError(f"of {', '.join(predictors)} one is a sum of the others, or does not vary")
    groups = np.column_stack([codes(f"cluster {i + 1}", column, len(y))[0] for i, column in enumerate(clusters)])
    with warnings.catch_warnings():
        warnings.simplefilter("error", PerfectSeparationWarning)
        try:
            options = {"groups": groups if groups.shape[1] > 1 else groups[:, 0], "df_correction": False}
            found = sm.Logit(y.astype(float), x).fit(
                disp=0, maxiter=100, cov_type="cluster", cov_kwds={**options, "use_correction": True}
            )
        except (PerfectSeparationError, PerfectSeparationWarning) as error:
            raise ValueError("the predictors separate right from wrong without error: no estimate is finite") from error
    if not found.mle_retvals["converged"] or np.abs(found.params).max() > 50.0:
        raise ValueError("the predictors separate right from wrong (nearly) without error: no estimate is finite")
    variances = np.diagonal(found.cov_params())
    if variances.min() <= 0.0:
        raise ValueError("a clustered variance is not positive: there are too few clusters for two factors")
    width = float(ndtri((1.0 + level) / 2.0))
    return tuple(
        LogOdds(name, float(b), float(se), float(b / se), float(p), float(b - width * se), float(b + width * se))
        for name, b, se, p in zip(
            ("(Intercept)", *predictors), found.params, np.sqrt(variances), found.pvalues, strict=True
        )
    )
