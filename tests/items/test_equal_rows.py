"""Equal rows: left out where nothing else is lost, drawn anew in a design, kept where the author allows them; and what
is said where there are too few instances."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from projects import toy

from gramprobe.dataset.cut import _stretches
from gramprobe.dataset.paradigm import Options, stream_of
from gramprobe.dataset.parts import Marks
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.label import Decider
from gramprobe.items import walk as walks
from gramprobe.items.stream import Stream
from gramprobe.items.stretch import Seen, Stretch, equal_within, fresh_texts
from gramprobe.items.walk import Walk
from gramprobe.project import Project
from gramprobe.source.diagnostic import Findings

#: `other` is in the second pair alone: of three instances with one `w` and `k`, two repeat the first pair
TWO = """size all
draw w, other : Who   where w != other
draw k : Kind
premise
 p = Has(w, k)
hypothesis
 h = Lacks(w, k)
 n = Lacks(other, k)
pair p => h
pair p => n
allow leak because "it is a test"
"""


def built(project: Project, folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows of a build, and its entry in the manifest; nothing is wrong with it."""
    dataset = project.build("toy/one", folder)[0]
    assert [problem.reason for problem in verify(dataset.folder, project.declarations).problems.kept] == []
    rows = [json.loads(line) for line in (dataset.folder / "items/one.jsonl").read_text("utf-8").splitlines()]
    entry = json.loads((dataset.folder / "manifest.json").read_text("utf-8"))["paradigms"]["one"]
    return rows, entry


@pytest.mark.slow
def test_a_row_that_stands_already_is_left_out_and_its_instance_is_not(tmp_path: Path) -> None:
    rows, entry = built(toy(tmp_path / "own", TWO), tmp_path / "data")
    pairs = [(row["premise"], row["hypothesis"]) for row in rows]
    assert len(pairs) == len(set(pairs)) == 12 + 24  # every pair of words for `h`, and every third one for `n`
    assert (entry["instances"], entry["rows"], entry["passed_over"], entry["equal_rows"]) == (24, 36, 0, 12)
    whole = [row["instance"] for row in rows[:24]]
    assert whole[::2] == whole[1::2]  # first come the instances that lack nothing


@pytest.mark.slow
def test_fewer_instances_are_the_first_of_more(tmp_path: Path) -> None:
    every, _ = built(toy(tmp_path / "own", TWO), tmp_path / "data")
    some, entry = built(toy(tmp_path / "own", TWO.replace("size all", "size 20")), tmp_path / "some")
    assert some == every[: len(some)]
    assert (entry["instances"], len(some), entry["passed_over"]) == (20, 24 + 8, 0)


def stream_with(project: Project, count: int | None) -> Stream:
    options = Options(count=count, everything=count is None)
    stream = stream_of("toy/one", project.declarations, options, Decider(), Findings())
    assert stream is not None
    return stream


Given = list[tuple[int, list[bool]]]
"""Places of instances in the order of the seed, with which of its pairs each gives."""


def plainly(walk: Walk, patience: int) -> tuple[Given, Given]:
    """The instances that a walk gives whole, until it gives up, and what it gives behind them, one by one."""
    size = walk.plan.space.size
    keys = [[int(key) for key in row] for row in walk.keys(walk.prints(walk.at(0, size, np.arange(size))))]
    seen, taken, at, behind = set[int](), dict[int, list[bool]](), 0, 0
    while at < min(size, behind + patience):
        if seen.isdisjoint(keys[at]):
            taken[at], behind = [True] * len(keys[at]), at + 1
            seen.update(keys[at])
        at += 1
    again: Given = []
    for at in [each for each in range(size) if each not in taken]:
        new = [key not in seen for key in keys[at]]
        if any(new):
            again.append((at, new))
            seen.update(keys[at])
    return list(taken.items()), again


def given_by(stretches: Iterable[Stretch]) -> Given:
    """The same, as a walk gives them; both pairs where it does not say which."""
    return [
        (stretch.start + place, [True, True] if stretch.kept is None else stretch.kept[row].tolist())
        for stretch in stretches
        for row, place in enumerate(stretch.places.tolist())
    ]


class Alone:
    """A process that makes the fingerprints of a walk."""

    count = 1

    def __init__(self, walk: Walk) -> None:
        self.walk = walk

    def in_order(self, units: Iterator[Marks], ahead: int) -> Iterator[tuple[Marks, Any]]:
        return ((unit, self.walk.marks(unit.start, unit.stop)) for unit in units)


@pytest.mark.parametrize("patience", [1, 2, 3, 5, 24])
def test_whole_instances_are_looked_for_until_so_many_are_passed_over(
    patience: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pair that few draws are in would else keep a walk through billions of instances from its end."""
    project = toy(tmp_path, TWO)
    whole, again = plainly(stream_with(project, None).walk, patience)
    monkeypatch.setattr(walks, "PATIENCE", patience)
    for count in (2, 7, 24):
        stream = stream_with(project, count)
        assert given_by(stream.walk.stretches(count)) == whole + again
        several = list(_stretches("toy/one", stream, Alone(stream.walk)))  # type: ignore[arg-type]
        assert given_by(several) == whole
        once = stream.walk.whole_space(count, Seen())  # row groups of Parquet files are those of stretches
        assert [(each.start, each.stop) for each in several] == [(each.start, each.stop) for each in once]
    assert len(given_by(stream_with(project, None).walk.stretches(None))) == 24  # where all are wanted, none is left


@pytest.mark.slow
def test_equal_rows_are_kept_where_they_are_allowed(tmp_path: Path) -> None:
    project = toy(tmp_path / "own", TWO + 'allow duplicates because "both are asked"\n')
    rows, entry = built(project, tmp_path / "data")
    assert (len(rows), entry["instances"], "equal_rows" in entry) == (48, 24, False)
    assert entry["allowed"]["duplicates"][1:] == ["12 rows stand in an earlier instance, too"]


@pytest.mark.slow
def test_a_design_has_whole_instances_only(tmp_path: Path) -> None:
    factor = "factor which = same: h | another: n\n"
    rows, entry = built(toy(tmp_path / "own", TWO + factor), tmp_path / "data")
    assert (len(rows), entry["instances"], entry["passed_over"]) == (24, 12, 12)
    short = toy(tmp_path / "short", TWO.replace("size all", "size 20") + factor)
    (error,) = (d for d in short.check("toy/one") if d.is_error)
    assert error.code == "E33"
    assert error.notes == ("`p => h` (the cell same) repeats in 12 of 12: `other` is not in it",)


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["", "each w at most 9 times\n"], ids=["whole", "strata"])
def test_a_design_has_no_instance_with_two_equal_rows(limit: str, tmp_path: Path) -> None:
    """Where `other` is `w`, both pairs are the same."""
    lines = TWO.replace("   where w != other", "") + limit + "factor which = same: h | another: n\n"
    rows, entry = built(toy(tmp_path / "own", lines), tmp_path / "data")
    pairs = {(row["premise"], row["hypothesis"]) for row in rows}
    assert (len(rows), len(pairs), entry["instances"]) == (24, 24, 12)


def test_the_limit_that_is_used_up_is_named_with_its_words(tmp_path: Path) -> None:
    lines = TWO.replace("size all", "size 9").replace(" h = Lacks(w, k)\n", "").replace("pair p => h\n", "")
    project = toy(tmp_path, lines + "each k at most 2 times\n")
    (error,) = (d for d in project.check("toy/one") if d.code == "E33")
    assert error.notes == ("`each k at most 2 times` is used up by newt, owlet, birdie and 1 more",)


def test_two_pairs_that_are_always_the_same_are_named(tmp_path: Path) -> None:
    alone = TWO.replace("w, other : Who   where w != other", "w : Who").replace("Lacks(other, k)", "Also(w, k)")
    project = toy(tmp_path, alone, grammar=_with_also())
    messages = [d.message for d in project.check("toy/one") if d.code == "E34"]
    assert messages == ["gate `duplicates`: `p => h` and `p => n` are the same two sentences in every instance"]


def _with_also() -> str:
    from projects import TOY_GRAMMAR

    return (
        TOY_GRAMMAR + 'fun Also (w: Who, k: Kind) : S\n  lin w "has no" k[num=sg]\n  sem ~exists x. (k(x), has(w, x))\n'
    )


@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), max_size=12), st.sets(st.integers(0, 6)))
def test_new_texts_are_those_of_a_plain_loop(rows: list[list[int]], before: set[int]) -> None:
    seen, known = Seen(), set(before)
    seen.add(np.array(sorted(before), np.uint64)[:, None])
    keys = np.array(rows, np.uint64).reshape(len(rows), 3)
    for fresh, row in zip(fresh_texts(keys, seen.has(keys)).tolist(), rows, strict=True):
        for one, key in zip(fresh, row, strict=True):
            assert one == (key not in known)
            known.add(key)
    assert equal_within(keys).tolist() == [[row[at] in row[:at] for at in range(3)] for row in rows]
