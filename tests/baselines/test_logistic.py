"""Logistic regression: against statsmodels, at its own optimum, and across folds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from gramprobe.baselines.logistic import bags, fit, probabilities
from gramprobe.baselines.table import FOLDS


def test_without_a_penalty_it_is_the_multinomial_model_of_statsmodels() -> None:
    import statsmodels.api as sm

    random = np.random.default_rng(1)
    features = random.normal(size=(400, 3))
    labels = np.array([int(random.choice(3, p=_softmax(row))) for row in features])
    weights, intercepts = fit(features, labels, 3, penalty=0.0)
    theirs = sm.MNLogit(labels, sm.add_constant(features)).fit(disp=0).params  # against the first label
    ours = np.vstack([intercepts, weights])
    assert ours[:, 1:] - ours[:, :1] == pytest.approx(np.asarray(theirs), abs=1e-3)


def test_the_penalty_is_half_the_squared_weights_on_the_sum_of_the_losses() -> None:
    # one feature, two labels, perfectly apart: with weights (-w, w) the loss is n log(1 + exp(-2w)) + w^2
    features = np.array([[1.0], [-1.0]] * 4)
    labels = np.array([1, 0] * 4)
    weights, intercepts = fit(features, labels, 2)
    grid = np.linspace(0, 3, 30001)
    w = grid[np.argmin(8 * np.log1p(np.exp(-2 * grid)) + grid**2)]
    assert weights[0] == pytest.approx([-w, w], abs=1e-3)
    assert intercepts == pytest.approx([0.0, 0.0], abs=1e-4)


def test_a_sparse_matrix_gives_the_numbers_of_an_array() -> None:
    random = np.random.default_rng(2)
    features = (random.random((60, 9)) < 0.3).astype(float)
    labels, instances = random.integers(0, 3, 60), np.arange(60) // 2
    dense = probabilities(features, labels, instances, 3)
    assert probabilities(csr_matrix(features), labels, instances, 3) == pytest.approx(dense, abs=1e-9)
    assert dense.sum(axis=1) == pytest.approx(np.ones(60))


def test_a_row_is_answered_by_a_model_that_did_not_see_its_instance() -> None:
    instances = np.arange(50) // 2
    features = np.eye(25)[instances]  # each instance has a feature of its own, and a label that goes with it alone
    labels = instances % 2
    answers = probabilities(features, labels, instances, 2)
    assert np.ptp(answers[instances % FOLDS == 0], axis=0) == pytest.approx([0, 0], abs=1e-9)


def test_rows_without_a_label_are_answered_and_not_learned_from() -> None:
    features = np.array([[1.0], [0.0]] * 20)
    labels = np.array([1, 0] * 20)
    instances = np.arange(40)
    some = np.where(instances < 10, -1, labels)
    answers = probabilities(features, some, instances, 2)
    assert np.array_equal(answers.argmax(axis=1), labels)
    nothing = probabilities(features, np.full(40, -1), instances, 2)
    assert np.array_equal(nothing, np.full((40, 2), 0.5))


def test_bags_count_words_and_neighbours_by_text_and_leave_out_what_one_instance_has() -> None:
    rows = [{"p": ["a", "b", "a"], "h": ["a"]}, {"p": ["a", "b"], "h": ["c"]}, {"p": ["c"], "h": ["c"]}]
    found = bags(rows, np.array([0, 1, 2])).toarray()
    # p:a, p:b, p:"a b" stand in two instances, h:c too; p:"b a", p:c and h:a in one
    assert sorted(map(tuple, found.T.tolist())) == [(0, 1, 1), (1, 1, 0), (1, 1, 0), (2, 1, 0)]


def _softmax(scores: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.exp(scores) / np.exp(scores).sum()
    return found
