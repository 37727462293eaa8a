"""The table of baselines against one made of plain dictionaries."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gramprobe.baselines.table import FOLDS, KNOWN_FROM, cross_validated

ROWS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3), st.integers(0, 1), st.integers(0, 2)), min_size=1)


def plainly(rows: list[tuple[int, int, int, int]]) -> list[bool]:
    """The same as `cross_validated`, row by row. A row: instance, fine key, coarse key, label."""
    right = []
    for instance, fine, coarse, label in rows:
        others = [row for row in rows if row[0] % FOLDS != instance % FOLDS]
        every = Counter(row[3] for row in others)
        guess = max(range(3), key=lambda k: (every[k], -k))
        for at, key in ((2, coarse), (1, fine)):
            table: defaultdict[int, Counter[int]] = defaultdict(Counter)
            for row in others:
                table[row[at]][row[3]] += 1
            seen = table[key]
            if seen.total() >= KNOWN_FROM:
                guess = max(range(3), key=lambda k, seen=seen: (seen[k], -k))  # type: ignore[misc]
        right.append(guess == label)
    return right


@given(ROWS)
def test_a_table_backs_off_from_fine_keys_to_coarse_ones(rows: list[tuple[int, int, int, int]]) -> None:
    instances, fine, coarse, labels = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    assert cross_validated((fine, coarse), labels, instances).tolist() == plainly(rows)


def test_a_key_that_gives_the_label_is_learnt_from_other_instances_only() -> None:
    instances = np.repeat(np.arange(40), 2)
    labels = np.tile([0, 1], 40)
    assert cross_validated((labels,), labels, instances).all()
    assert not cross_validated((instances,), labels, instances)[labels == 1].any()  # a key of each instance of its own
