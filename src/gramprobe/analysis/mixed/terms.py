"""Tests of whole terms, and estimated marginal means: several fixed effects at once.

F has Satterthwaite's denominator degrees of freedom (Fai and Cornelius 1996, as lmerTest's `anova`); likelihood ratios
compare the fit with one in which the term has no effect, both by maximum likelihood.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
from scipy.special import chdtrc, fdtrc, ndtr, stdtr

from gramprobe.analysis.inference import holm
from gramprobe.analysis.mixed.answers import Answers
from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.effects import Effect, Means, TermTest
from gramprobe.analysis.mixed.fit import Fit, fit
from gramprobe.analysis.mixed.generalised import GeneralisedFit, fit_answers
from gramprobe.analysis.mixed.layout import Floats, Layout
from gramprobe.analysis.mixed.model import AnswerModel, Model
from gramprobe.analysis.mixed.products import CrossProducts

#: eigenvalues of a covariance below this share of the largest belong to combinations without variance
NOTHING = 1e-10


def term_tests(model: Model | AnswerModel) -> tuple[TermTest, ...]:
    """Of each term of the fixed effects the test of type III (:attr:`Design.hypotheses`) by the likelihood ratio, and
    in a linear model by F. With a prior there is no likelihood ratio, and nothing is returned."""
    if isinstance(model, Model):
        whole = fit(model.fit.sums, reml=False).deviance
        found = []
        for name, weights in model.design.hypotheses.items():
            ratio = fit(_without(model.fit.sums, weights), reml=False).deviance - whole
            found.append(_tested(name, weights, ratio, f_test(model.fit, weights)))
        return tuple(found)
    if model.prior is not None:
        return ()
    answers = model.fit.objective.answers
    found = []
    for name, weights in hypotheses(model).items():
        basis = _null(weights)
        layout = _with_columns(answers.layout, basis)
        restricted: Answers = replace(answers, x=answers.x @ basis, layout=layout)
        ratio = fit_answers(restricted, model.family).deviance - model.fit.deviance
        found.append(_tested(name, weights, ratio, None))
    return tuple(found)


def hypotheses(model: AnswerModel) -> dict[str, Floats]:
    """Those of the design, by the fixed effects that the model has: an ordinal one has no intercept."""
    fixed = model.design.layout.fixed
    kept = [fixed.index(name) for name in model.fit.layout.fixed]
    return {name: weights[:, kept] for name, weights in model.design.hypotheses.items()}


def _tested(name: str, weights: Floats, ratio: float, by_f: tuple[float, float] | None) -> TermTest:
    k = len(weights)
    chi2 = max(ratio, 0.0)
    f, df = by_f if by_f is not None else (None, None)
    p_f = float(fdtrc(k, df, f)) if f is not None else None
    return TermTest(name, k, f, df, p_f, chi2, float(chdtrc(k, chi2)))


def f_test(found: Fit, weights: Floats) -> tuple[float, float]:
    """F of several combinations of fixed effects (one a row), and its denominator degrees of freedom.

    The eigenvectors of their covariance are independent combinations, each with a t of its own; F is the mean of the
    squares of these t, and its degrees of freedom those at which an F has the mean that they imply.
    """
    covariance = weights @ found.covariance @ weights.T
    values, vectors = np.linalg.eigh(covariance)
    kept = values > NOTHING * values[-1]
    rows = vectors[:, kept].T @ weights
    t2 = (rows @ found.coefficients) ** 2 / values[kept]
    df = np.array([found.df(row) for row in rows])
    q = len(rows)
    f = float(t2.mean())
    if q == 1 or np.ptp(df) < 1e-8 * df.max():
        return f, float(df.mean())
    mean = float(np.sum(df[df > 2.0] / (df[df > 2.0] - 2.0)))
    return f, 2.0 * mean / (mean - q) if mean > q else 2.0


def _null(weights: Floats) -> Floats:
    """Columns that span the fixed effects for which these combinations are zero, p by p - k."""
    _, sizes, right = np.linalg.svd(weights)
    found: Floats = right[int((sizes > NOTHING * sizes[0]).sum()) :].T
    return found


def _with_columns(layout: Layout, basis: Floats) -> Layout:
    """The layout with combinations of its fixed effects in their place."""
    return Layout(tuple(f"combination {i + 1}" for i in range(basis.shape[1])), layout.groupings, layout.terms)


def _without(sums: CrossProducts, weights: Floats) -> CrossProducts:
    """The cross products of a model in which these combinations are zero. The mean that was taken from the scores is
    still among its columns, since no term is the intercept."""
    basis, q = _null(weights), sums.layout.q
    found = CrossProducts(_with_columns(sums.layout, basis))
    found.rows, found.squares, found.total = sums.rows, sums.squares, sums.total
    found.sums = basis.T @ sums.sums
    found.vector = np.concatenate([sums.vector[:q], basis.T @ sums.vector[q:]])
    beside = sums.matrix[:q, q:] @ basis
    found.matrix = np.block([[sums.matrix[:q, :q], beside], [beside.T, basis.T @ sums.matrix[q:, q:] @ basis]])
    return found


def marginal_means(
    design: Design, found: Fit | GeneralisedFit, factors: tuple[str, ...], margin: float | None = None
) -> Means:
    """The estimated marginal means of the levels of a factor (or of the cells of several), and the differences of each
    two of them with p after Holm. ``margin``: the greatest difference that does not matter, in the units of the scores
    or in log odds, for tests of equivalence.

    An ordinal model has no means, since where its scale begins is said by no row, but the same differences. Raises
    UsageError for a name that is not a factor of the formula.
    """
    fixed = design.layout.fixed
    kept = [fixed.index(name) for name in found.layout.fixed]
    weights = {name: row[kept] for name, row in design.marginal(factors).items()}
    with_means = "(Intercept)" in found.layout.fixed
    means = tuple(found.contrast(name, row) for name, row in weights.items()) if with_means else ()
    pairs = [(a, b) for a, b in combinations(weights, 2) if np.abs(weights[a] - weights[b]).max() > 1e-12]
    differences = [found.contrast(f"{a} - {b}", weights[a] - weights[b]) for a, b in pairs]
    adjusted = holm([each.p for each in differences]).tolist()
    if margin is None:
        return Means(list(factors), list(means), differences, adjusted)
    equivalent = [within(each, margin) for each in differences]
    return Means(list(factors), list(means), differences, adjusted, margin, equivalent)


def within(effect: Effect, margin: float) -> float:
    """The p of two one-sided tests that an effect lies between -margin and margin (Schuirmann 1987): by t where its own
    verdict is, else by the normal distribution."""
    towards = (margin - abs(effect.estimate)) / effect.error
    by_t = effect.df is not None and effect.p != effect.p_normal
    return float(stdtr(effect.df, -towards) if by_t else ndtr(-towards))
