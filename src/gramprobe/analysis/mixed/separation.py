"""Whether answers can be estimated at all: cells with one answer alone, and effects without a finite estimate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gramprobe.analysis.mixed.answers import Answers
from gramprobe.analysis.mixed.design import PATTERNS, Design
from gramprobe.analysis.mixed.frame import level
from gramprobe.analysis.mixed.laplace import Laplace
from gramprobe.analysis.mixed.layout import Floats, Indices
from gramprobe.analysis.mixed.minimum import Minimum
from gramprobe.source.nearest import listed

#: numbers of so few values make cells, as factors do
VALUES = 5
#: where no row has a greater log probability, nothing is separated
SURE = -0.02


def pure_cells(design: Design, values: Sequence[float]) -> list[str]:
    """The cells of the predictors whose rows all have the lowest answer, or all the highest: each with its rows and
    that answer. The cells are the combinations of factors, and of numbers of at most five values."""
    names = [
        name
        for name, predictor in design.predictors.items()
        if predictor.coding is not None or len(design.values_of(name)) <= VALUES
    ]
    cells = [design.values_of(name) for name in names]
    sizes = [len(each) for each in cells]
    if not names or int(np.prod(sizes, dtype=object)) > PATTERNS:
        return []
    count: Indices = np.zeros((int(np.prod(sizes)), len(values)), dtype=np.int64)
    for codes, scores in design.cells(names):
        cell = np.ravel_multi_index([codes[name] for name in names], sizes)
        np.add.at(count, (cell, np.searchsorted(values, scores)), 1)
    found = []
    for at in np.flatnonzero(count.sum(1)):
        own = np.flatnonzero(count[at])
        if len(own) == 1 and own[0] in (0, len(values) - 1):
            places = np.unravel_index(at, sizes)
            where = ", ".join(f"{n}={level(c[int(i)])}" for n, c, i in zip(names, cells, places, strict=True))
            rows = int(count[at].sum())
            found.append(f"{where} ({rows:,} row{'s' if rows > 1 else ''}, all {values[int(own[0])]:g})")
    return found


def separated(objective: Laplace, first: Minimum) -> tuple[str, ...]:
    """The columns of X whose effects have no finite estimate.

    Those along which the likelihood rises without end: a direction in which no row's answer becomes less likely, and
    some become more (Albert and Anderson 1984), found by linear programming (Konis 2007). ``first``: the estimates
    without random effects, which show where there can be none.
    """
    from scipy.optimize import linprog

    answers = objective.answers
    eta = answers.x @ objective.split(first.point)[2]
    if objective.family.rows(eta, answers.answer, objective.split(first.point)[1]).value.max() < SURE:
        return ()
    moves = _moves(answers, objective.thresholds)
    moves = moves / np.maximum(np.abs(moves).max(0), 1e-300)
    rows = np.unique(np.round(moves, 12), axis=0)
    found = linprog(-rows.sum(0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1.0, 1.0), method="highs").x
    if found is None or float((rows @ found).max()) < 1e-6:
        return ()
    away = np.abs(found[objective.thresholds :]) > 1e-6
    return tuple(name for name, each in zip(answers.layout.fixed, away, strict=True) if each)


def _moves(answers: Answers, thresholds: int) -> Floats:
    """What makes an answer more likely, by thresholds and columns of X: a higher threshold above it (and a lower linear
    predictor), a lower one below."""
    k, eye = len(answers.values), np.vstack([np.eye(thresholds), np.zeros((1, thresholds))])
    if not thresholds:
        eye = np.zeros((k, 0))
    upper, lower = answers.answer < k - 1, answers.answer > 0
    above = np.hstack([eye[answers.answer[upper]], -answers.x[upper]])
    below = np.hstack([-eye[answers.answer[lower] - 1], answers.x[lower]])
    return np.vstack([above, below])


def in_words(columns: Sequence[str], cells: Sequence[str]) -> str:
    """What is separated, as a message says it."""
    many = f", and {len(cells) - 3} more cells" if len(cells) > 3 else ""
    where = f": {'; '.join(cells[:3])}{many}" if cells else ""
    return f"{listed(columns)} ha{'s' if len(columns) == 1 else 've'} no finite estimate{where}"
