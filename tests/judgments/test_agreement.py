"""Alpha against published worked examples, and what it must be by its definition; shares, entropy, the ceiling."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramprobe.analysis.inference import one_case
from gramprobe.judgments.agreement import Counts, Level, agreed, alpha, alpha_interval, alpha_without_each, ceiling

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", sections A, B and C; `.` is a missing answer.
TWO_VALUES = ["0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"]
TWO_OBSERVERS = ["a a b b d c c c e d d a", "b a b b b c c c e d d d"]
FOUR_OBSERVERS = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]
# Three coders with many gaps: the example of the article "Krippendorff's alpha" in Wikipedia.
THREE_CODERS = [
    ". . . . . 3 4 1 2 1 1 3 3 . 3",
    "1 . 2 1 3 3 4 3 . . . . . . .",
    ". . 2 1 3 4 4 . 2 1 1 3 3 . 4",
]


def answers(rows: list[str]) -> tuple[list[str], list[str], list[str | float]]:
    """Persons, items and answers."""
    found = [
        (f"p{person}", f"item {item}", float(cell) if cell.isdecimal() else cell)
        for person, row in enumerate(rows)
        for item, cell in enumerate(row.split())
        if cell != "."
    ]
    persons, items, values = zip(*found, strict=True)
    return list(persons), list(items), list(values)


def counts(rows: list[str]) -> Counts:
    return Counts.of(*answers(rows)[1:])


@pytest.mark.parametrize(
    ("rows", "level", "wanted"),
    [
        (TWO_VALUES, "nominal", 0.095),
        (TWO_OBSERVERS, "nominal", 0.692),
        (FOUR_OBSERVERS, "nominal", 0.743),
        (FOUR_OBSERVERS, "ordinal", 0.815),
        (FOUR_OBSERVERS, "interval", 0.849),
        (THREE_CODERS, "nominal", 0.691),
        (THREE_CODERS, "interval", 0.811),
    ],
)
def test_alpha_is_that_of_the_published_examples(rows: list[str], level: Level, wanted: float) -> None:
    found = alpha(counts(rows), level)
    assert found is not None
    assert round(found, 3) == wanted


def by_pairs(rows: list[list[int]], level: Level) -> float | None:
    """Alpha from every pair of answers, as it is defined: without a table of coincidences."""
    units = [row for row in rows if len(row) > 1]
    every = [value for row in units for value in row]

    def apart(a: int, b: int) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return float((a - b) ** 2)
        low, high = sorted((a, b))
        between = sum(low <= value <= high for value in every)
        return float((between - (every.count(low) + every.count(high)) / 2) ** 2)

    found = sum(apart(a, b) / (len(row) - 1) for row in units for a, b in permutations(row, 2))
    chance = sum(apart(a, b) for a, b in permutations(every, 2))
    return 1 - (len(every) - 1) * found / chance if chance else None


@given(
    st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=5), min_size=1, max_size=6),
    st.sampled_from(["nominal", "ordinal", "interval"]),
)
def test_alpha_is_that_of_every_pair_of_answers(rows: list[list[int]], level: Level) -> None:
    items = [str(item) for item, row in enumerate(rows) for _ in row]
    found = alpha(Counts.of(items, [float(value) for row in rows for value in row]), level)
    wanted = by_pairs(rows, level)
    assert found == (None if wanted is None else pytest.approx(wanted, abs=1e-12))


def test_answers_that_nobody_gives_change_nothing() -> None:
    _, items, values = answers(FOUR_OBSERVERS)
    wider = Counts.of(items, values, [0.0, 1.0, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0])
    for level in ("nominal", "ordinal", "interval"):
        assert alpha(wider, level) == pytest.approx(alpha(counts(FOUR_OBSERVERS), level))


def test_names_have_no_distance() -> None:
    with pytest.raises(ValueError, match="no distance"):
        alpha(counts(TWO_OBSERVERS), "interval")


def test_alpha_without_each_person_is_that_of_the_others() -> None:
    found = alpha_without_each(*answers(FOUR_OBSERVERS), "ordinal")
    assert [each.person for each in found] == ["p0", "p1", "p2", "p3"]
    assert [each.answers for each in found] == [9, 11, 10, 11]
    for number, each in enumerate(found):
        others = [row for place, row in enumerate(FOUR_OBSERVERS) if place != number]
        assert each.alpha == pytest.approx(alpha(counts(others), "ordinal"))
    assert max(found, key=lambda each: each.alpha or 0).person == "p0"  # of whom the others agree more


def test_what_people_make_of_an_item() -> None:
    found = agreed(Counts.of(["a"] * 4 + ["b"] * 2 + ["c"], ["x", "x", "x", "y", "x", "y", "y"], ["x", "y", "z"]))
    assert found[0][:3] == (4, "x", 0.75)
    assert found[0].entropy == pytest.approx(0.8112781)
    assert found[1] == (2, "", 0.5, 1.0)
    assert found[2] == (1, "y", 1.0, 0.0)


def test_the_ceiling_is_what_the_items_vary_by() -> None:
    """Items of variance 1, six people with noise of variance 4: the reliability of their mean is 1 / (1 + 4/6)."""
    random = np.random.default_rng(3)
    items, people = 3000, 6
    true = random.normal(size=items)
    values = true[:, None] + 2 * random.normal(size=(items, people))
    found = ceiling([str(item) for item in range(items) for _ in range(people)], values.ravel(), halves=20)
    assert found is not None
    assert found.reliability == pytest.approx(1 / (1 + 4 / 6), abs=0.03)
    assert found.ceiling == found.reliability**0.5
    assert found.ceiling == pytest.approx(np.corrcoef(true, values.mean(axis=1))[0, 1], abs=0.03)


def test_there_is_no_ceiling_where_people_do_not_tell_items_apart() -> None:
    assert ceiling(["a", "a", "b", "b", "c", "c"], np.arange(6.0)) is None  # three items
    assert ceiling([item for item in "abcdef" for _ in range(2)], np.ones(12)) is None
    assert ceiling(list("abcdefgh"), np.arange(8.0)) is None  # one answer an item
    assert ceiling([item for item in "abcd" for _ in range(2)], np.array([0.0, 1, 1, 0, 0, 1, 1, 0])) is None


def test_one_case_is_the_example_of_the_paper() -> None:
    """Crawford & Howell (1998), page 483: 33 against 15 people of mean 50 and standard deviation 10."""
    sd = 700**0.5
    sample = [50 - sd, *[50.0] * 13, 50 + sd]
    assert np.std(sample, ddof=1) == pytest.approx(10)
    found = one_case(33, sample)
    assert found is not None
    assert found.t == pytest.approx(-17 / (10 * (16 / 15) ** 0.5))
    assert found.df == 14
    assert found.p == pytest.approx(0.1220, abs=5e-4)
    assert found.below == pytest.approx(found.p / 2)
    assert one_case(1.0, [0.5, 0.5, 0.5]) is None


def test_one_case_of_the_same_population_is_found_apart_one_time_in_twenty() -> None:
    random = np.random.default_rng(5)
    found = [one_case(float(draw[0]), draw[1:]) for draw in random.normal(size=(2000, 6))]
    assert 0.035 < np.mean([each.p < 0.05 for each in found if each is not None]) < 0.065


def test_the_interval_of_alpha_is_a_jackknife_of_its_logarithm() -> None:
    """By its definition, an item left out at a time; wider where items stand together; none where there is no other."""
    given = counts(FOUR_OBSERVERS)
    several = [row for row in range(len(given.items)) if given.table[row].sum() > 1]
    left = [alpha(Counts(given.items, given.values, np.delete(given.table, row, 0)), "ordinal") for row in several]
    logs, k = np.log(1.0 - np.array(left, np.float64)), len(several)
    error = np.sqrt((k - 1) / k * ((logs - logs.mean()) ** 2).sum())
    whole = alpha(given, "ordinal")
    t_of_10_df = 2.2281388519649385  # qt(0.975, 10) in R
    ends = alpha_interval(given, "ordinal", range(len(given.items)), {10: t_of_10_df}.__getitem__)
    assert whole is not None and ends is not None and ends[0] < whole < ends[1] < 1.0
    assert [np.log(1.0 - end) for end in ends] == pytest.approx(
        [np.log(1.0 - whole) + t_of_10_df * error, np.log(1.0 - whole) - t_of_10_df * error]
    )
    assert alpha_interval(given, "ordinal", [0] * len(given.items), float) is None
    assert alpha_interval(Counts.of(list("aabbcc"), list("xxyyxx")), "nominal", range(3), float) is None  # alpha is 1
