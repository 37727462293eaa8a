"""Rows are numbered as they first occur, by a table of their codes or, where that would be large, by sorting; which of
their words count is found once for formulas of the same words."""

from __future__ import annotations

import numpy as np
import pytest
from support import shipped

from gramprobe.formula.ast import Not
from gramprobe.items.groups import CODES_EACH, FEW_CODES, MOST_CODES, Grouping, SlotWords, numbered
from gramprobe.items.tasks import task_of


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


def test_columns_of_the_same_words_are_found_once() -> None:
    plan = shipped.project().paradigm("theory_of_mind/depth").plan()
    grouping = Grouping(plan, task_of(plan.paradigm).parts(plan.paradigm))
    grouping.of(plan.space.draws(plan.space.permutation(0), 0, 1))
    formulas = [each.formula for readings in grouping.members[0][0].readings.values() for each in readings]
    found = grouping.words.columns(formulas)
    assert found
    assert grouping.words.columns([Not(each) for each in formulas]) is found
    assert SlotWords(plan).columns([Not(each) for each in formulas]) == found
    assert not grouping.words.columns([])
