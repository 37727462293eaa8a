"""Tests and intervals against definitions written out here, and against simulation."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from support import simulated

from gramprobe.analysis import inference, means
from gramprobe.analysis.output.table import Interval


def test_paired_t_is_that_of_the_differences() -> None:
    x, y = simulated.normal(1, 0, 40) + 0.4, simulated.normal(2, 0, 40)
    found = inference.paired_t(x, y)
    d = x - y
    assert found.difference == pytest.approx(d.mean())
    assert found.t == pytest.approx(d.mean() / (d.std(ddof=1) / math.sqrt(40)))
    assert (found.df, found.n) == (39, 40)
    assert found.d == pytest.approx(d.mean() / d.std(ddof=1))
    # The 0.975 quantile of t with 39 degrees of freedom, from a printed table.
    assert found.high - found.difference == pytest.approx(2.0227 * d.std(ddof=1) / math.sqrt(40), rel=1e-4)
    assert (found.p < 0.05) == (found.low > 0 or found.high < 0)


def test_spearman_has_the_wider_interval_of_ranks() -> None:
    """1 - 6 * 2 / (4 * 15) = .8; atanh .8 = 1.0986, and 1.96 * sqrt(1 + .8 ** 2 / 2) = 2.2519 on either side."""
    found, _ = inference.spearman([1, 2, 3, 4], [10, 20, 400, 300])
    assert found.value == pytest.approx(0.8)
    assert [found.low, found.high] == pytest.approx([-0.8189, 0.9975], abs=1e-3)
    same, _ = inference.spearman([1, 2, 3, 4], [1, 4, 9, 16])
    assert (same.value, same.low, same.high) == (1.0, 1.0, 1.0)


def test_pearson_has_the_interval_of_fisher() -> None:
    x = simulated.normal(1, 0, 50)
    y = 0.6 * x + simulated.normal(2, 0, 50)
    found, p = inference.pearson(x, y)
    assert found.value == pytest.approx(np.corrcoef(x, y)[0, 1]) and p < 0.05
    z, width = math.atanh(found.value), 1.959964 / math.sqrt(47)
    assert (found.low, found.high) == pytest.approx((math.tanh(z - width), math.tanh(z + width)), rel=1e-6)


def test_wilson_is_the_published_example() -> None:
    """15 of 148 (Newcombe 1998, table I, method 3): 0.0624 to 0.1605."""
    found = inference.wilson(15, 148)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0624, 0.1605)
    assert inference.wilson(0, 20).low == pytest.approx(0.0, abs=1e-12)
    assert inference.wilson(20, 20).high == pytest.approx(1.0)


@pytest.mark.parametrize(("right", "n"), [(0, 9), (1, 30), (8, 11), (317, 4440), (60, 60)])
def test_wilson_is_that_of_statsmodels(right: int, n: int) -> None:
    proportion_confint = import_module("statsmodels.stats.proportion").proportion_confint
    found = inference.wilson(right, n, 0.9)
    assert (found.low, found.high) == pytest.approx(proportion_confint(right, n, 0.1, "wilson"), rel=1e-12, abs=1e-15)


def test_an_interval_of_bounded_means_is_wilson_of_independent_answers_and_stays_within_the_ends() -> None:
    """Of answers that are each a cluster the effective number of items is theirs, but for n - 1 in the variance and
    the t of its degrees of freedom."""
    wilson = inference.wilson(15, 148)
    found = inference.bounded([1.0] * 15 + [0.0] * 133)
    assert (found.value, found.low, found.high) == pytest.approx((wilson.value, wilson.low, wilson.high), abs=1e-3)
    same = inference.bounded([1.0] * 6)
    assert (same.low, same.high) == pytest.approx((inference.wilson(6, 6).low, 1.0))
    shifted = inference.bounded([3.0, 1.0, 1.0, 0.0, 1.0], (-1.0, 3.0))
    plain = inference.bounded([1.0, 0.5, 0.5, 0.25, 0.5])
    assert (shifted.low, shifted.high) == pytest.approx((4 * plain.low - 1, 4 * plain.high - 1))
    high = inference.bounded([1.0, 1.0, 1.0, 1.0, 0.9])
    assert high.value == pytest.approx(0.98) and 0.0 < high.low < 0.98 < high.high <= 1.0


def test_the_ends_of_a_bounded_interval_are_as_far_as_their_own_standard_errors() -> None:
    """The mean of 1, 1, 1, 0.5, 0 is 0.7, its standard error 0.2: the ends are the shares from which the mean is as far
    as 1.959964 standard errors of the effective number of items, by the t of 4 degrees, 2.776445."""
    found = inference.bounded([1.0, 1.0, 1.0, 0.5, 0.0])
    count = 0.7 * 0.3 / (0.2 * 2.776445 / 1.959964) ** 2
    for end in (found.low, found.high):
        assert abs(0.7 - end) == pytest.approx(1.959964 * (end * (1 - end) / count) ** 0.5, abs=1e-6)
    assert found.value == pytest.approx(0.7) and 0 <= found.low < 0.7 < found.high <= 1


def test_clusters_of_unequal_size_have_the_mean_of_their_items_and_the_variance_of_a_ratio() -> None:
    means, sizes = np.array([1.0, 0.5, 0.0, 1.0]), np.array([1.0, 4.0, 2.0, 5.0])
    found = inference.student(means, sizes)
    share = (1 + 2 + 0 + 5) / 12
    error = math.sqrt(sum((sizes * (means - share)) ** 2) / 3 * 4) / 12
    assert found.value == inference.bounded(means, sizes=sizes).value == pytest.approx(share)
    assert found.high - share == pytest.approx(3.182446 * error)  # the 0.975 quantile of t with 3 degrees of freedom
    assert inference.bounded(means, sizes=[3.0] * 4) == inference.bounded(means)


def test_differences_without_a_spread_have_the_width_of_wilson_for_none() -> None:
    for value in (0.0, 0.25, -1.0):
        found = inference.student([value] * 10)
        half = inference.wilson(0, 10).high
        assert (found.low, found.high) == pytest.approx((value - half, value + half))
    assert not means.varies(np.full(9, 0.5), np.arange(9))
    between = inference.bounded([0.5] * 10)
    whole = inference.wilson(5, 10)
    assert (between.low, between.high) == pytest.approx((whole.low, whole.high))


@pytest.mark.parametrize(
    ("clusters", "items", "there"), [(8, 1, True), (7, 1, False), (4, 6, True), (4, 5, False), (3, 100, False)]
)
def test_fewer_clusters_have_no_interval(clusters: int, items: int, there: bool) -> None:
    of = np.repeat(np.arange(clusters), items)
    values = (np.arange(clusters * items) % 3 == 0).astype(float)
    assert isinstance(means.mean(values, of), Interval) == there
    assert isinstance(means.difference(values, of), Interval) == there


def _right(rng: np.random.Generator, logit: float, clusters: int, items: int) -> np.ndarray:
    """Sets by clusters by items, right or wrong; a cluster has a normal effect of one logit."""
    odds = logit + rng.normal(size=(200, clusters, 1))
    return (rng.random((200, clusters, items)) < 1 / (1 + np.exp(-odds))).astype(float)


@pytest.mark.parametrize(("clusters", "items"), [(4, 6), (8, 1), (20, 6)])
def test_intervals_of_shares_and_differences_hold_the_true_value_as_often_as_they_say(
    clusters: int, items: int
) -> None:
    """scripts/coverage.py, in small. A logit of 0 is a share of .5, one of 2.06 about .844."""
    rng, of = np.random.default_rng(clusters), np.repeat(np.arange(clusters), items)
    for logit in (0.0, 2.06):
        one, other = (_right(rng, logit, clusters, items).reshape(200, -1) for _ in range(2))
        true = float(_right(rng, logit, 400, 50).mean())
        shares = [means.mean(own, of) for own in one]
        apart = [means.difference(a - b, of) for a, b in zip(one, other, strict=True)]
        for found, value in ((shares, true), (apart, 0.0)):
            held = [isinstance(each, Interval) and each.low <= value <= each.high for each in found]
            assert np.mean(held) >= 0.9
        assert np.mean([means.above_0(a - b, of) for a, b in zip(one, other, strict=True)]) <= 0.05


def test_clusters_of_unequal_size_and_words_need_their_own_variance() -> None:
    """Instances with more items are easier, and items share words: the interval that knows it holds the share, and the
    one of unweighted means, or over instances, does not."""
    rng, held = np.random.default_rng(5), np.zeros(4)
    for _ in range(200):
        effects = rng.normal(size=30)
        sizes = np.where(effects > 0, 19, 3)
        own = rng.binomial(sizes, 1 / (1 + np.exp(-effects))) / sizes
        of_words = rng.normal(size=20)
        word = rng.integers(0, 20, 400)
        right = (rng.random(400) < 1 / (1 + np.exp(-of_words[word]))).astype(float)
        found = (
            inference.bounded(own, sizes=sizes.astype(float)), inference.bounded(own),
            means.mean(right, word), means.mean(right, np.arange(400)),
        )  # fmt: skip
        truth = (UNEQUAL, UNEQUAL, 0.5, 0.5)
        held += [
            isinstance(each, Interval) and each.low <= value <= each.high
            for each, value in zip(found, truth, strict=True)
        ]
    assert (held[[0, 2]] / 200 >= 0.9).all() and (held[[1, 3]] / 200 < 0.8).all()


UNEQUAL = 0.6272
"""The share of right items where an instance has 19 if its standard normal logit is above 0, else 3 (by quadrature)."""


def test_clusters_that_differ_less_than_answers_have_a_narrower_interval() -> None:
    rng = np.random.default_rng(3)
    answers = rng.random(400) < 0.8
    mixed = inference.bounded(answers.reshape(20, 20).mean(1))
    sorted_ = inference.bounded(np.sort(answers).reshape(20, 20).mean(1))
    assert mixed.value == pytest.approx(sorted_.value)
    assert mixed.high - mixed.low < 0.5 * (sorted_.high - sorted_.low)


def test_bounded_intervals_hold_the_share_as_often_as_they_say() -> None:
    """Items of four answers whose shares vary by a beta distribution about 0.9, so that many intervals of Student
    would pass 1."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        means = rng.binomial(4, rng.beta(4.5, 0.5, 15)) / 4
        if np.ptp(means) == 0:
            held += 1  # all are right: the interval ends at 1 and begins at 0.8
            continue
        found = inference.bounded(means)
        assert 0.0 <= found.low <= found.high <= 1.0
        held += found.low <= 0.9 <= found.high
    assert 0.92 <= held / 400 <= 0.99


def test_adjusted_p_values_are_those_of_the_definitions() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005])
    assert inference.holm(p).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert inference.benjamini_hochberg(p).tolist() == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert inference.holm([]).tolist() == []


@pytest.mark.parametrize("count", [1, 2, 7, 300])
def test_adjusted_p_values_are_those_of_statsmodels(count: int) -> None:
    multipletests = import_module("statsmodels.stats.multitest").multipletests
    p = np.round(np.random.default_rng(count).random(count) ** 3, 2)  # some are equal, some 0
    assert inference.holm(p).tolist() == multipletests(p, method="holm")[1].tolist()
    assert inference.benjamini_hochberg(p).tolist() == multipletests(p, method="fdr_bh")[1].tolist()


def test_power_is_what_simulated_studies_find() -> None:
    plan = inference.power(0.5, 1.0, 25)
    d = simulated.normal(11, 0, 25 * 4000).reshape(4000, 25) + 0.5
    t = d.mean(1) / (d.std(1, ddof=1) / 5)
    found = np.mean(np.abs(t) > 2.0639)  # the 0.975 quantile of t with 24 degrees of freedom
    assert plan.power == pytest.approx(found, abs=4 * math.sqrt(0.25 / 4000))
    assert inference.power_of(plan.detectable, plan.error, plan.df) == pytest.approx(0.8, abs=1e-6)
    assert inference.power_of(0.0, 1.0, 10.0) == pytest.approx(0.05, abs=1e-6)
    assert inference.power_of(1e6, 1.0, 10.0) == pytest.approx(1.0)
    assert inference.power_of(-0.5, 0.2, 24.0) == pytest.approx(inference.power_of(0.5, 0.2, 24.0))


def test_more_items_show_smaller_effects() -> None:
    found = [inference.power(0.3, 1.0, n).detectable for n in (10, 20, 40, 1000, 100_000)]
    assert all(b < a for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: inference.paired_t([1.0, 2.0], [1.0]), "y has 1 values and the other column 2"),
        (lambda: inference.paired_t([1.0, math.nan], [1.0, 2.0]), "x is nan at row 2"),
        (lambda: inference.paired_t([1.0, 2.0, 3.0], [0.0, 1.0, 2.0]), "every difference is 1"),
        (lambda: inference.paired_t([1.0], [2.0]), "too few"),
        (lambda: inference.pearson([1, 2, 3], [1, 2, 3]), "four are needed"),
        (lambda: inference.pearson([1, 1, 1, 1], [1, 2, 3, 4]), "x is 1 in all rows"),
        (lambda: inference.spearman([1, 2, 3, 4], [1, 1, 1, 1]), "y is 1 in all rows"),
        (lambda: inference.pearson([1, 2, 3, math.inf], [1, 2, 3, 4]), "x is inf at row 4"),
        (lambda: inference.bounded([0.5]), "two are needed"),
        (lambda: inference.bounded([0.5, 0.5], sizes=[1, 0]), "without items|no items"),
        (lambda: inference.student([0.5]), "two are needed"),
        (lambda: inference.bounded([0.5, 1.5]), "beyond 0 and 1"),
        (lambda: inference.wilson(3, 2), "3 of 2"),
        (lambda: inference.wilson(0, 0), "0 of 0"),
        (lambda: inference.holm([0.5, 1.5]), "between 0 and 1"),
        (lambda: inference.power(1.0, 0.0, 10), "positive standard deviation"),
        (lambda: inference.detectable(1.0, 10.0, chance=0.01), "between alpha and 1"),
    ],
)
def test_what_cannot_be_tested_is_said(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
