"""The files of a folder that are read, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import PLAIN, toy

from gramprobe.source.files import collect


def written(folder: Path, *names: str, content: bytes = b"-- a remark\n") -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def test_files_of_each_kind_are_found_below_their_folder(tmp_path: Path) -> None:
    read = ("grammars/b.gram", "grammars/b/c.gram", "grammars/b/a/d.paradigm", "logic/.hidden.logic")
    written(tmp_path, *read, "grammars/c.txt", "grammars/.gram", "grammars/e.gram/f.md", "logic/g.gram", "other/h.gram")
    library, problems = collect([("mine", tmp_path)])
    assert (list(library.sources), problems) == (sorted(read), [])
    assert collect([("mine", tmp_path / "nowhere"), ("mine", tmp_path / "grammars/b.gram")])[0].sources == {}


def test_a_link_to_a_file_is_read_and_one_to_a_folder_or_to_nothing_is_not(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    written(mine, "grammars/a.gram")
    written(tmp_path, "elsewhere/b.gram")
    for name, place in (
        ("file.gram", tmp_path / "elsewhere/b.gram"),
        ("folder", tmp_path / "elsewhere"),
        ("folder.gram", tmp_path / "elsewhere"),
        ("nothing.gram", tmp_path / "gone"),
        ("itself.gram", mine / "grammars/itself.gram"),
    ):
        (mine / "grammars" / name).symlink_to(place)
    assert list(collect([("mine", mine)])[0].sources) == ["grammars/a.gram", "grammars/file.gram"]


def test_what_cannot_be_read_is_told_in_the_order_of_folders_and_files(tmp_path: Path) -> None:
    bad = ("lexicon/a.tsv", "grammars/b.gram", "grammars/b/c.gram", "grammars/B.gram")
    written(tmp_path, *bad, content=b"\xff")
    library, problems = collect([("mine", tmp_path)])
    assert library.unreadable == {str(tmp_path / name): name for name in bad}
    places = ("grammars/B.gram", "grammars/b/c.gram", "grammars/b.gram", "lexicon/a.tsv")
    assert [problem.span.path for problem in problems] == [str(tmp_path / name) for name in places]


@pytest.mark.parametrize(("folder", "counts"), [("toy", True), ("other", False), ("old_grammars/toy", False)])
def test_a_paradigm_that_cannot_be_read_counts_for_its_phenomenon_alone(
    folder: str, counts: bool, tmp_path: Path
) -> None:
    written(tmp_path, f"grammars/{folder}/two.paradigm", content=b"\xff")
    project = toy(tmp_path, PLAIN)
    assert [each.code for each in project.errors_for("toy/one")] == ["E13"] * counts
