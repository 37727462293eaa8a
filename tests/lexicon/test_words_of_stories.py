"""The words of stories: what is put where, and packages whose contents do not give the answer away."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

import pytest

LEXICON = Path(__file__).resolve().parents[2] / "lexicon"
FILES = ("rooms", "containers", "belongings", "packages", "contents")


def read(name: str) -> list[dict[str, str]]:
    with (LEXICON / f"{name}.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("name", FILES)
def test_the_tables_are_clean(name: str) -> None:
    rows = read(name)
    ids = [row["id"] for row in rows]
    assert ids == sorted(set(ids))
    for row in rows:
        assert all(cell == cell.strip() and "  " not in cell for cell in row.values())
        word = row["word"]
        assert row["id"].removeprefix("the_").endswith(word.replace(" ", "_"))
        if "onset" in row:
            assert row["onset"] == ("v" if word[0] in "aeiou" else "c")


def test_in_every_room_something_can_be_moved() -> None:
    containers, fits = read("containers"), {row["fit"] for row in read("belongings")}
    for room in read("rooms"):
        here = [set(row["takes"].split("|")) for row in containers if room["id"] in row["rooms"].split("|")]
        assert sum(bool(one & other & third & fits) for one, other, third in combinations(here, 3)) >= 2, room["id"]
    assert {room for row in containers for room in row["rooms"].split("|")} == {row["id"] for row in read("rooms")}


def test_every_place_is_closed_and_every_package_is_sold_with_what_it_pictures() -> None:
    """Who comes back must not see in; a hat box or a tool case may hold anything."""
    assert not {"basket", "bucket", "vase", "tray", "shelf"} & {row["word"] for row in read("containers")}
    assert not {"hats", "shoes", "toys", "tools", "coins", "mints"} & {row["word"] for row in read("contents")}


def test_no_contents_are_more_usual_than_others() -> None:
    """What is usual in one package is odd in all others of its size: the words do not tell which of the two it is."""
    packages, contents = read("packages"), {row["id"]: row["grain"] for row in read("contents")}
    usual = [row["usual"] for row in packages]
    assert sorted(usual) == sorted(contents)
    assert all(row["grain"] == contents[row["usual"]] for row in packages)
    assert all(sum(row["grain"] == grain for row in packages) >= 4 for grain in contents.values())
