"""Rows are numbered as they first occur, by a table of their codes or, where that would be large, by sorting."""

from __future__ import annotations

import numpy as np
import pytest

from gramprobe.items.groups import CODES_EACH, FEW_CODES, MOST_CODES, numbered


@pytest.mark.parametrize(
    ("count", "values"),
    [
        (0, 1),
        (1, 1),
        (40, 3),
        (40, FEW_CODES),
        (40, FEW_CODES + 1),
        (2000, 2000 * CODES_EACH),
        (2000, 2000 * CODES_EACH + 1),
        (40, MOST_CODES + 1),
    ],
)
def test_rows_are_numbered_as_they_first_occur(count: int, values: int) -> None:
    """Of two columns, with fewer different rows than rows."""
    draw = np.random.default_rng(count + values)
    few = draw.integers(0, values, max(1, count // 4))
    few[0] = values - 1  # the number of values is read off the largest
    columns = [few[np.arange(count) % len(few)], draw.integers(0, 2, count)]
    number, first = numbered(columns, count)
    known: dict[tuple[int, ...], int] = {}
    rows = list(zip(*(each.tolist() for each in columns), strict=True))
    assert number.tolist() == [known.setdefault(row, len(known)) for row in rows]
    assert first.tolist() == [rows.index(row) for row in known]
