"""Which instances are passed over: as a plain loop over the rows would take them, for any keys."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gramprobe.items.stretch import Seen, first_of_each


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
        known.add(np.array([key], np.uint64))
    taken = first_of_each(keys, known)
    assert taken.tolist() == greedy(rows, seen)


def test_a_row_that_was_passed_over_keeps_none_from_being_taken() -> None:
    """The second row repeats the first; the third shares a key with the second alone."""
    keys = np.array([[1, 2], [2, 3], [3, 4]], np.uint64)
    assert first_of_each(keys, Seen()).tolist() == [True, False, True]


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
    assert len(known) == sum(map(len, added))
