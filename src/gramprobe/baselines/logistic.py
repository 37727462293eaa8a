"""Logistic regression from features of a row to its label, cross-validated by instance.

    probabilities(features, labels, instances, count) -> (rows, labels)

The model is the multinomial one with a penalty of half the squared weights on the sum of the losses, which is the usual
form (the intercepts are not penalised). It is fitted by L-BFGS from zeros, so that equal rows give equal numbers. scipy
is imported where it is used: a rule or a table needs no package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.table import FOLDS

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
STEPS = 500
"""The largest number of steps of a fit."""
GRADIENT = 1e-5
"""A fit ends where no derivative of the mean loss is greater than this."""


def probabilities(features: Any, labels: Numbers, instances: Numbers, count: int) -> Floats:
    """(rows, labels) the probability of each label, by a model that was fitted to the other folds of instances.

    The folds are those of `table`.

    Args:
        features: (rows, features), an array or a sparse matrix of scipy by rows.
        labels: (rows,) numbers of labels, from 0; rows with -1 are answered and not fitted to.
        instances: (rows,) the number of the instance of each row, from 0.
        count: the number of labels.

    Where the other folds have no row with a label, all labels are equally probable.
    """
    fold = instances % FOLDS
    found = np.full((len(labels), count), 1 / count)
    for held in np.unique(fold).tolist():
        rows = np.flatnonzero(fold == held)
        others = np.flatnonzero((fold != held) & (labels >= 0))
        if len(others):
            weights, intercepts = fit(features[others], labels[others], count)
            found[rows] = _softmax(features[rows] @ weights + intercepts)
    return found


def fit(features: Any, labels: Numbers, count: int, penalty: float = 1.0) -> tuple[Floats, Floats]:
    """(features, labels) weights and (labels,) intercepts with the least sum of losses and penalty / 2 times the sum
    of the squared weights."""
    from scipy.optimize import minimize

    rows, width = features.shape
    gold = np.eye(count)[labels]

    def loss(flat: Floats) -> tuple[float, Floats]:
        whole = flat.reshape(width + 1, count)
        weights = whole[:-1]
        given = _softmax(features @ weights + whole[-1])
        likelihood = np.log(np.maximum(given[np.arange(rows), labels], 1e-300)).sum()
        wrong = given - gold
        slope = np.vstack([features.T @ wrong + penalty * weights, wrong.sum(axis=0)])
        value = -likelihood + penalty / 2 * (weights**2).sum()
        return float(value) / rows, slope.ravel() / rows

    start = np.zeros((width + 1) * count)
    options = {"maxiter": STEPS, "maxfun": 2 * STEPS, "gtol": GRADIENT, "ftol": 0.0}
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x.reshape(width + 1, count)
    return best[:-1], best[-1]


def _softmax(scores: Floats) -> Floats:
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = shifted / shifted.sum(axis=1, keepdims=True)
    return found


def bags(rows: Sequence[Mapping[str, Sequence[str]]], instances: Numbers) -> Any:
    """(rows, features) counts of words and pairs of neighbouring words, as a sparse matrix of scipy by rows.

    ``rows``: for each row the words of each of its texts by the text's name; words of two texts are two features. What
    stands in the rows of a single instance is left out: the other folds do not have it.
    """
    from scipy.sparse import csr_matrix

    numbers: dict[tuple[str, str], int] = {}
    once: dict[int, int] = {}
    shared = set[int]()
    places, columns, begins = [], [], [0]
    for texts, instance in zip(rows, instances.tolist(), strict=True):
        for name, words in texts.items():
            for gram in _grams(words):
                number = numbers.setdefault((name, gram), len(numbers))
                if once.setdefault(number, instance) != instance:
                    shared.add(number)
                columns.append(number)
                places.append(1.0)
        begins.append(len(columns))
    whole = csr_matrix((places, columns, begins), shape=(len(rows), len(numbers)))
    whole.sum_duplicates()
    return whole[:, sorted(shared)]


def _grams(words: Sequence[str]) -> Iterable[str]:
    yield from words
    yield from (f"{one} {other}" for one, other in pairwise(words))
