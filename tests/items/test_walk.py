"""Which instances are passed over: as a plain loop over the rows would take them, for any keys."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gramprobe.items.stretch import Here, Pairs, Seen, first_of_each
from gramprobe.items.walk import Walk


def greedy(keys: list[list[int]], seen: set[int]) -> list[bool]:
    """Row by row: taken unless one of its keys was seen, or stands in a row taken before."""
    known, taken = set(seen), []
    for row in keys:
        fresh = known.isdisjoint(row)
        taken.append(fresh)
        known |= set(row) if fresh else set()
    return taken


@st.composite
def walks(draw: st.DrawFn) -> tuple[list[list[int]], set[int]]:
    """Rows of one to three keys, out of so few that many are repeated, and keys of earlier rows."""
    width = draw(st.integers(1, 3))
    key = st.integers(0, draw(st.sampled_from((2, 8, 40))))
    rows = st.lists(st.lists(key, min_size=width, max_size=width), max_size=25)
    return draw(rows), draw(st.sets(key, max_size=5))


@given(walks())
def test_rows_are_taken_as_by_a_plain_loop(walk: tuple[list[list[int]], set[int]]) -> None:
    rows, seen = walk
    width = len(rows[0]) if rows else 1
    keys = np.array(rows, np.uint64).reshape(len(rows), width)
    known = Seen()
    for key in sorted(seen, reverse=True):
        known.add(np.array([[key]], np.uint64))
    taken = first_of_each(keys, known.has(keys))
    assert taken.tolist() == greedy(rows, seen)


def test_a_row_that_was_passed_over_keeps_none_from_being_taken() -> None:
    """The second row repeats the first; the third shares a key with the second alone."""
    keys = np.array([[1, 2], [2, 3], [3, 4]], np.uint64)
    assert first_of_each(keys, np.zeros((3, 2), np.bool_)).tolist() == [True, False, True]


def test_an_instance_with_two_equal_rows_is_skipped_where_cells_have_equally_many() -> None:
    keys, known = np.array([[1, 1], [1, 2], [2, 3]], np.uint64), np.zeros((3, 2), np.bool_)
    for whole, taken in ((True, [1]), (False, [0, 2])):
        walk: Any = SimpleNamespace(whole=whole)
        assert Walk.usable(walk, keys, known).tolist() == taken


@given(st.lists(st.lists(st.integers(0, 60), max_size=9), max_size=12))
def test_keys_are_known_once_they_are_added(added: list[list[int]]) -> None:
    known, so_far = Seen(), set[int]()
    high = np.uint64(1 << 58)  # so that keys are of several parts
    every = np.arange(61, dtype=np.uint64)[::-1] * high
    for keys in added:
        known.add(np.array(keys, np.uint64) * high)
        so_far.update(keys)
        assert known.has(every).tolist() == [key in so_far for key in reversed(range(61))]
        assert known.has(every.reshape(61, 1)).shape == (61, 1)


@st.composite
def pairs_of_instances(draw: st.DrawFn) -> tuple[list[tuple[int, int]], list[list[list[int]]]]:
    """Which first sentence stands with which second one, and instances, in several calls: of each first sentences and
    then second ones, out of so few that many are repeated, also as another of their instance."""
    firsts, seconds = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    every = [(one, firsts + other) for one in range(firsts) for other in range(seconds)]
    texts = draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
    texts = [(one, other) for one, other in every if (one, other) in texts or (other - firsts) == one % seconds]
    sentence = st.integers(0, draw(st.sampled_from((2, 5, 40))))
    instance = st.lists(sentence, min_size=firsts + seconds, max_size=firsts + seconds)
    return texts, draw(st.lists(st.lists(instance, max_size=6), max_size=6))


@given(pairs_of_instances())
def test_pairs_are_known_by_their_sentences(given: tuple[list[tuple[int, int]], list[list[list[int]]]]) -> None:
    """As by a set of all pairs: those of several calls together, and those of instances taken one by one."""
    texts, calls = given
    firsts = texts[-1][0] + 1
    beside = tuple(tuple(other for one, other in texts if one == at) for at in range(firsts))
    first, second = (np.array(each, np.intp) for each in zip(*texts, strict=True))
    pairs, known = Pairs(firsts, first, second, beside), set[tuple[int, int]]()
    seen, here, taken = Seen(pairs), Here(pairs), set[tuple[int, int]]()
    for instances in calls:
        spread = np.uint64(0x9E3779B97F4A7C15)  # so that they are of several parts
        prints = np.array(instances, np.uint64).reshape(len(instances), int(second.max()) + 1) * spread
        mine = [[(row[one], row[other]) for one, other in texts] for row in instances]
        assert seen.has(prints).tolist() == [[pair in known for pair in row] for row in mine]
        assert seen.repeats(prints).tolist() == [not known.isdisjoint(row) for row in mine]
        for row, held in zip(mine, prints, strict=True):
            fresh = taken.isdisjoint(row)
            assert here.takes(held) == fresh
            taken.update(row if fresh else ())
        seen.add(prints)
        known.update(pair for row in mine for pair in row)
