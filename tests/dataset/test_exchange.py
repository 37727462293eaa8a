"""A dataset is replaced whole, and nothing else is touched: no folder of the user's, no link, no target of a link."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gramprobe.dataset import exchange
from gramprobe.dataset.exchange import recover, replacing
from gramprobe.source.diagnostic import UsageError

MANIFEST = '{"gramprobe": "0"}'


@pytest.fixture(params=["in one step", "by two renames"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test with the exchange of Linux, and without it."""
    if request.param == "by two renames":
        monkeypatch.setattr(exchange, "_exchanged", lambda one, other: False)


def put(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "one").write_text(text)
    (folder / "manifest.json").write_text(MANIFEST)
    return folder


def build(target: Path, text: str) -> None:
    with replacing(target) as new:
        (new / "one").write_text(text)
        (new / "manifest.json").write_text(MANIFEST)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def foreign_folder(place: Path) -> None:
    place.mkdir()
    (place / "notes.txt").write_text("years of work")


def foreign_file(place: Path) -> None:
    place.write_text("years of work")


def link_to_a_dataset(place: Path) -> None:
    place.symlink_to(put(place.parent / "elsewhere" / "set", "kept"))


FOREIGN = [foreign_folder, foreign_file, link_to_a_dataset]


@pytest.mark.parametrize("leave", FOREIGN)
@pytest.mark.parametrize("there", [True, False])
def test_reading_removes_and_moves_nothing_of_the_user_s(
    tmp_path: Path, leave: Callable[[Path], None], there: bool
) -> None:
    if there:
        put(tmp_path / "set", "new")
    leave(tmp_path / ".set.old")
    before = names(tmp_path)
    recover(tmp_path / "set")
    assert names(tmp_path) == before


def test_reading_removes_no_dataset_either(tmp_path: Path) -> None:
    put(tmp_path / "set", "new")
    put(tmp_path / ".set.old", "old")
    recover(tmp_path / "set")
    assert names(tmp_path) == [".set.old", "set"]


@pytest.mark.parametrize("leave", FOREIGN)
def test_a_build_removes_nothing_of_the_user_s(tmp_path: Path, leave: Callable[[Path], None]) -> None:
    put(tmp_path / "set", "old")
    leave(tmp_path / ".set.old")
    before = names(tmp_path)
    build(tmp_path / "set", "new")
    assert names(tmp_path) == before
    assert (tmp_path / "set" / "one").read_text() == "new"


def test_what_is_in_the_way_of_two_renames_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "_exchanged", lambda one, other: False)
    put(tmp_path / "set", "old")
    foreign_folder(tmp_path / ".set.old")
    with pytest.raises(OSError, match="is in the way"):
        build(tmp_path / "set", "new")
    assert (tmp_path / "set" / "one").read_text() == "old"
    assert names(tmp_path) == [".set.old", "set"]


@pytest.mark.usefixtures("either_way")
def test_a_build_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    put(tmp_path / "set", "old")
    put(tmp_path / ".set.old", "older")
    dead = next(number for number in range(2**22 - 1, 1, -1) if not exchange._alive(number))
    put(tmp_path / f".set.new-{dead}", "half")
    build(tmp_path / "set", "new")
    assert names(tmp_path) == ["set"]


@pytest.mark.usefixtures("either_way")
def test_of_a_link_the_dataset_it_leads_to_is_replaced(tmp_path: Path) -> None:
    put(tmp_path / "big" / "set", "old")
    link = tmp_path / "data" / "set"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "big" / "set")
    build(link, "new")
    assert link.is_symlink()
    assert (link / "one").read_text() == "new"
    assert names(tmp_path / "big") == ["set"]
    assert names(tmp_path / "data") == ["set"]


def test_a_link_that_a_killed_build_left_is_removed_and_not_what_it_leads_to(tmp_path: Path) -> None:
    kept = put(tmp_path / "elsewhere" / "set", "kept")
    dead = next(number for number in range(2**22 - 1, 1, -1) if not exchange._alive(number))
    (tmp_path / f".set.new-{dead}").symlink_to(kept)
    build(tmp_path / "set", "new")
    assert names(tmp_path) == ["elsewhere", "set"]
    assert (kept / "one").read_text() == "kept"


@pytest.mark.parametrize("to", ["nowhere", "set"], ids=["dangling", "in a circle"])
def test_a_link_that_leads_nowhere_is_not_replaced(tmp_path: Path, to: str) -> None:
    (tmp_path / "set").symlink_to(tmp_path / to)
    with pytest.raises(UsageError):
        build(tmp_path / "set", "new")
    assert names(tmp_path) == ["set"]
    assert os.readlink(tmp_path / "set") == str(tmp_path / to)


def test_a_dataset_behind_a_link_is_brought_back(tmp_path: Path) -> None:
    put(tmp_path / "big" / ".set.old", "old")
    (tmp_path / "set").symlink_to(tmp_path / "big" / "set")
    recover(tmp_path / "set")
    assert (tmp_path / "set" / "one").read_text() == "old"


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def test_the_folder_one_stands_in_is_looked_after_too(tmp_path: Path) -> None:
    put(tmp_path / "set", "old")
    with working_in(tmp_path / "set"):
        recover(Path())
        build(Path("..") / "set", "new")
    assert names(tmp_path) == ["set"]
    assert (tmp_path / "set" / "one").read_text() == "new"
