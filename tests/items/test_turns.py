"""Shares and splits: after any number of rows each pair is as near to its share as promised, however they are dealt."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support import shipped

from gramprobe.items.stream import OTHERS, Turns, split_runs
from gramprobe.resolve.paradigm.data import Paradigm

ANY = shipped.paradigm("presupposition/only")


def with_shares(shares: list[float]) -> Paradigm:
    """A paradigm whose pairs have these shares."""
    pair = ANY.pairs[0]
    return replace(ANY, pairs=tuple(replace(pair, share=share) for share in shares))


def with_splits(sizes: list[int]) -> Paradigm:
    """A paradigm with splits of these sizes."""
    return replace(ANY, splits=tuple((f"s{number}", size) for number, size in enumerate(sizes)))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.lists(st.integers(0, 40), max_size=5))
def test_each_pair_stays_near_its_share(weights: list[int], chunks: list[int]) -> None:
    shares = [weight / sum(weights) for weight in weights]
    turns = Turns(with_shares(shares))
    dealt: list[int] = []
    for size in chunks:
        pairs = turns.deal(size)
        assert pairs is not None
        dealt += pairs.argmax(axis=1).tolist()
    given = np.zeros(len(shares))
    most = 0.5 if len(shares) == 2 else sum(1 / number for number in range(1, len(shares) + 1))
    for count, pair in enumerate(dealt, 1):
        given[pair] += 1
        ahead = given - count * np.array(shares)
        assert ahead.max() < 1
        assert -ahead.min() < most + 1e-9
    whole = Turns(with_shares(shares)).deal(sum(chunks))
    assert whole is not None
    assert whole.argmax(axis=1).tolist() == dealt  # a larger dataset begins with the smaller one


def test_more_than_four_pairs_may_be_a_whole_row_behind() -> None:
    """So no more can be promised."""
    weights = np.array([1, 1, 1, 33, 8, 38])
    pairs = Turns(with_shares([float(weight) for weight in weights])).deal(50)
    assert pairs is not None
    owed = 50 * weights / weights.sum() - pairs.sum(axis=0)
    assert owed.max() > 1


def test_without_shares_no_pair_takes_a_turn() -> None:
    assert Turns(ANY).deal(3) is None


@given(st.lists(st.integers(1, 9), max_size=4), st.lists(st.integers(0, 40), min_size=2, max_size=6).map(sorted))
def test_each_instance_is_in_the_split_of_its_number(sizes: list[int], ends: list[int]) -> None:
    """The first split has the first instances, and so on; those behind are of the split of others."""
    paradigm = with_splits(sizes)
    expected = [name for name, size in paradigm.splits for _ in range(size)]
    expected += [OTHERS if sizes else paradigm.split] * 40
    for start, stop in pairwise(ends):
        runs = list(split_runs(paradigm, start, stop))
        assert [name for name, size in runs for _ in range(size)] == expected[start:stop]
        assert all(size > 0 for _, size in runs)
        assert all(one != other for (one, _), (other, _) in pairwise(runs))
