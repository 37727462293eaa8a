"""Datasets whose words have other ids are compared by a table of the ids, in every column."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import ANIMALS, PLAIN, toy

from gramprobe.cli.main import main
from gramprobe.dataset.diff import compare, read_map
from gramprobe.source.diagnostic import UsageError


def built(folder: Path, kinds: str) -> Path:
    return toy(folder, PLAIN, kinds).build("toy", folder / "data", n=6)[0].folder


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """A dataset, and the same with another id for one word."""
    renamed = ANIMALS.replace("newt\tnewt\t", "newt_n\tnewt\t", 1)
    return built(tmp_path / "one", ANIMALS), built(tmp_path / "other", renamed)


def ids(folder: Path, text: str) -> Path:
    file = folder / "ids.tsv"
    file.write_text(text, "utf-8")
    return file


def test_the_table_makes_them_equal_in_every_column(two: tuple[Path, Path], tmp_path: Path) -> None:
    assert compare(*two).gone
    assert compare(*two, {"newt": "newt_n"}).any is False
    assert main(["diff", *map(str, two), "--map", str(ids(tmp_path, "before\tafter\nnewt\tnewt_n\n"))]) == 0


def test_a_cell_that_no_answer_or_sentence_is_in_counts(two: tuple[Path, Path], tmp_path: Path) -> None:
    one, _ = two
    file = one / "items" / "one.jsonl"
    before = file.read_text("utf-8")
    copy = tmp_path / "copy" / "items"
    copy.mkdir(parents=True)
    (copy / "one.jsonl").write_text(before.replace('"split":"test"', '"split":"train"', 1), "utf-8")
    assert not compare(one, copy.parent).any
    (change,) = compare(one, copy.parent, {}).others
    assert (change.column, change.before, change.after) == ("split", "test", "train")


@pytest.mark.parametrize("text", ["before\n", "before\tafter\nnewt\n", "before\tafter\na\tb\na\tc\n", "a b\tc\n"])
def test_a_wrong_table_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_map(ids(tmp_path, text))
    with pytest.raises(UsageError):
        read_map(tmp_path / "nothing.tsv")
