"""The Latin square of lists: laws for any sizes that fit, and what is said of those that do not."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramprobe.experiment import square as squares
from gramprobe.experiment.sequence import lacking, ordered
from gramprobe.experiment.square import Selection, coloured, fits, sized
from gramprobe.source.diagnostic import UsageError


@st.composite
def sizes(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Instances, cells, trials of a person, and how often the fewest lists are repeated."""
    instances = draw(st.integers(1, 24))
    return instances, draw(st.integers(1, 6)), draw(st.integers(1, instances)), draw(st.integers(1, 2))


@given(sizes(), st.integers(0, 10**6))
def test_every_instance_is_equally_often_in_each_cell_and_never_twice_in_a_list(
    drawn: tuple[int, int, int, int], seed: int
) -> None:
    instances, cells, per_person, times = drawn
    fewest = sized(instances, cells, per_person).lists
    square = sized(instances, cells, per_person, fewest * times)
    lists = Selection(square, {}, Random(seed)).lists
    found = coloured(lists, cells, Random(seed), lambda i: i % 2)
    assert len(lists) == fewest * times and {len(own) for own in lists} == {per_person}
    assert all(len(set(own)) == per_person for own in lists)
    counts = Counter((i, cell) for own, of in zip(lists, found, strict=True) for i, cell in zip(own, of, strict=True))
    assert len(counts) == instances * cells and set(counts.values()) == {square.repeats}
    for of in found:
        each = [of.count(cell) for cell in range(cells)]
        assert max(each) - min(each) <= 1


@given(sizes())
def test_the_fewest_lists_are_the_fewest(drawn: tuple[int, int, int, int]) -> None:
    instances, cells, per_person, _ = drawn
    fewest = sized(instances, cells, per_person).lists
    assert [k for k in range(1, fewest + 1) if fits(instances, cells, per_person, k)] == [fewest]


@given(st.integers(1, 30), st.integers(1, 4), st.integers(1, 30), st.integers(1, 40), st.integers(1, 2))
def test_sizes_that_are_named_as_nearest_fit(
    instances: int, cells: int, per_person: int, lists: int, each: int
) -> None:
    per_person = min(per_person, instances)
    try:
        square = sized(instances, cells, per_person, lists, each)
    except UsageError as error:
        named = {part.split()[0]: part.split()[1::2] for part in error.help.partition(": ")[2].split("; ")}
        for option, numbers in named.items():
            for number in map(int, numbers):
                changed = {"--lists": lists, "--per-person": per_person, "--instances": instances, option: number}
                k, p, n = changed.values()
                assert k % each == 0 and fits(n, cells, p, k // each)
        assert "--lists" in named
    else:
        assert fits(instances, cells, per_person, square.lists) and square.lists * each == lists


@given(st.integers(2, 5), st.integers(2, 4), st.integers(0, 10**6))
def test_words_are_at_their_shares(words: int, groups: int, seed: int) -> None:
    """Two slots, crossed: any list of as many instances as there are words can have each word once."""
    number = words * words
    square = sized(number, 1, words, words)
    slots = {"a": [str(i // words) for i in range(number)], "b": [str(i % words) for i in range(number)]}
    selection = Selection(square, slots, Random(seed))
    left = selection.search()
    for own in selection.lists:
        for slot in slots.values():
            assert left or max(Counter(slot[i] for i in own).values()) <= 1
    assert not left


@pytest.mark.slow
def test_words_that_cannot_be_at_their_shares_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(squares, "TURNS", 30)  # more would be in vain too
    square = sized(6, 1, 2, 3)
    slots = {"verb": list("aabbcc"), "noun": list("abcabc"), "name": list("abbcca")}
    selection = Selection(square, slots, Random(0))
    for above in selection.search():
        assert above.count == 2 > above.share + 1 - 1e-9 and above.slot in slots


@pytest.mark.parametrize(
    ("asked", "message", "help"),
    [
        ((6, 2, 6, 3, 1), "3 lists of 6 trials", "--lists 2 or 4; --per-person 4"),
        ((6, 2, 6, 3, 2), "3 lists of 6 trials", "--lists 4"),
        ((6, 2, 7, None, 1), "each at most once", "--per-person 6"),
        ((24, 4, 18, 8, 1), "8 lists of 18 trials", "--lists 16; --per-person 12 or 24; --instances 18"),
    ],
)
def test_sizes_that_do_not_fit(asked: tuple[int, int, int, int | None, int], message: str, help: str) -> None:
    with pytest.raises(UsageError) as refused:
        sized(*asked)
    assert message in refused.value.message and help in refused.value.help


# -- orders


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), min_size=1, max_size=30), st.integers(0, 12))
def test_no_level_stands_three_times_running(drawn: list[tuple[str, str]], fillers: int) -> None:
    trials = [{"one": a, "two": b} for a, b in drawn] + [{} for _ in range(fillers)]
    try:
        order = ordered(1, trials, ("one", "two"), "0/1")
    except UsageError as error:
        if "filler" not in error.help:
            raise
        return
    assert sorted(order) == list(range(len(trials)))
    assert order == ordered(1, trials, ("one", "two"), "0/1")
    for factor in ("one", "two"):
        levels = [trials[i].get(factor) for i in order]
        assert not any(a and a == b == c for a, b, c in zip(levels, levels[1:], levels[2:], strict=False))


@given(st.integers(1, 40), st.integers(0, 40))
def test_the_number_of_fillers_that_is_named_is_the_least(count: int, others: int) -> None:
    trials = [{"f": "a"}] * count + [{"f": str(n)} for n in range(others)]
    missing = lacking(count, len(trials))
    if not missing:
        assert ordered(1, trials, ("f",), "s")
        return
    with pytest.raises(UsageError, match="cannot be ordered") as refused:
        ordered(1, trials, ("f",), "s")
    assert f"add {missing:,} filler" in refused.value.help
    assert ordered(1, trials + [{}] * missing, ("f",), "s")
    with pytest.raises(UsageError):
        ordered(1, trials + [{}] * (missing - 1), ("f",), "s")
