"""What a model leaves: the residual of each row beside its fitted value, and figures of them.

Of scores the residuals should scatter about 0 alike at all fitted values, and be normal. Single residuals of answers
show nothing, as each answer has two values or few: they are averaged over rows of neighbouring fitted values, and 95 %
of the means should lie within two standard errors of 0 (Gelman and Hill 2007, 5.6).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, ndtri

from gramprobe.analysis.findings import Figure
from gramprobe.analysis.mixed.layout import Floats
from gramprobe.analysis.mixed.model import AnswerModel, Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawn

POINTS = 2000
"""At most so many rows are drawn, evenly chosen by the order of what is drawn."""
BINS = 200


def residuals(model: Model | AnswerModel) -> tuple[Floats, Floats, Floats]:
    """(rows,) the fitted value with the effects of levels in it, the residual, and the residual's standard deviation
    under the model. Of answers the fitted value is the expected number of the answer, counted from 0: of two, the
    chance of the second."""
    design, fit = model.design, model.fit
    effects = np.array([each.value for each in fit.level_effects()])
    cuts = np.array([each.estimate for each in model.fit.thresholds] if isinstance(model, AnswerModel) else [])
    fixed = design.layout.at(fit.layout.fixed)
    found = []
    for columns, pattern, levels, scores in design.batches():
        eta = (columns[:, fixed] @ fit.coefficients)[pattern]
        for grouping, at, level in zip(design.layout.groupings, design.layout.slices, levels, strict=True):
            own = effects[at].reshape(len(grouping.levels), -1)[level]
            eta += np.einsum("nk,nk->n", columns[:, design.layout.at(grouping.columns)][pattern], own)
        if isinstance(model, AnswerModel):
            above = expit(eta[:, None] - cuts) if len(cuts) else expit(eta)[:, None]  # the chance of a higher answer
            mean = above.sum(axis=1)
            squares = (above * (2 * np.arange(above.shape[1]) + 1)).sum(axis=1)  # E y^2 = sum (2 k + 1) P(y > k)
            answer = np.searchsorted(design.answers, scores)
            found.append((mean, answer - mean, np.sqrt(np.maximum(squares - mean**2, 0.0))))
        else:
            found.append((eta, scores - eta, np.full(len(eta), fit.sigma)))
    fitted, left, spread = (np.concatenate(each) for each in zip(*found, strict=True))
    return fitted, left, spread


def binned(fitted: Floats, left: Floats, spread: Floats) -> tuple[Floats, Floats, Floats]:
    """Of bins of equally many rows by the fitted value: the means of this, of the residuals, and two standard errors of
    the latter under the model. As many bins as the root of the rows, at most `BINS`."""
    order = np.argsort(fitted, kind="stable")
    parts = np.array_split(order, max(1, min(int(np.sqrt(len(fitted))), BINS)))
    rows = [(fitted[own].mean(), left[own].mean(), 2 * np.sqrt((spread[own] ** 2).sum()) / len(own)) for own in parts]
    middle, mean, width = (np.array(each) for each in zip(*rows, strict=True))
    return middle, mean, width


def residual_figures(model: Model | AnswerModel) -> tuple[Figure, ...]:
    """The figures of a model, by its kind."""
    found = residuals(model)
    n = f"{len(found[0]):,} rows"
    if isinstance(model, AnswerModel):
        middle, mean, width = binned(*found)
        beyond = int((np.abs(mean) > width).sum())
        what = "chance of the second answer" if len(model.design.answers) == 2 else "expected answer, counted from 0"
        return (
            Figure(
                "residuals_binned",
                f"Mean residuals of {len(mean)} groups of rows with neighbouring fitted values ({n}), and two standard "
                f"errors about 0, within which 95 % of them should lie; {beyond} do not (Gelman and Hill 2007).",
                "Points about a line at 0, the fitted value at the bottom, the mean residual at the left, between two "
                "curves at two standard errors.",
                partial(_draw_binned, middle, mean, width, what),
            ),
        )
    fitted, left, _ = found
    standard = left / left.std()
    shown = np.linspace(0, len(left) - 1, min(len(left), POINTS)).round().astype(np.int64)
    every = np.sort(standard)[shown]
    order = np.argsort(fitted, kind="stable")[shown]
    at = (shown + 0.5) / len(left)
    return (
        Figure(
            "residuals_fitted",
            f"Residuals by fitted value, {len(order):,} of {n}: they should scatter alike about 0 everywhere.",
            "A point for each row, the fitted value at the bottom, the residual at the left.",
            partial(_draw_points, fitted[order], left[order], "fitted", "residual"),
        ),
        Figure(
            "residuals_normal",
            f"Quantiles of the standardised residuals ({n}) by those of a normal distribution: they should lie on the "
            "line.",
            "Points along the diagonal where residuals are normal; ends away from it are heavy or light tails.",
            partial(_draw_points, ndtri(at), every, "normal quantile", "standardised residual", True),
        ),
    )


def _draw_points(xs: Floats, ys: Floats, x: str, y: str, diagonal: bool = False) -> Drawn:
    from gramprobe.analysis.output import figures

    return figures.residuals(xs, ys, x=x, y=y, diagonal=diagonal)


def _draw_binned(middle: Floats, mean: Floats, width: Floats, what: str) -> Drawn:
    from gramprobe.analysis.output import figures

    return figures.residuals(middle, mean, x=f"fitted ({what})", y="mean residual", band=width)
