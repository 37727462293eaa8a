"""Datasets whose words have other ids are compared by a table of the ids, in every column."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from projects import ANIMALS, PLAIN, toy

from gramprobe.cli.main import main
from gramprobe.dataset.diff import by_condition, compare, read_map
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


def test_rows_of_a_release_with_fewer_columns_are_compared(two: tuple[Path, Path], tmp_path: Path) -> None:
    """A column that came later says nothing of what moved; without its sentences a line is a row of no task."""
    one, _ = two
    items = tmp_path / "former" / "items"
    items.mkdir(parents=True)
    rows = [json.loads(line) for line in (one / "items" / "one.jsonl").read_text("utf-8").splitlines()]
    label = rows[0]["label_name"]
    for row in rows:
        del row["label_strawson"], row["design"]
    rows[0]["label_name"] = "neutral" if label != "neutral" else "entailment"
    (items / "one.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = compare(items.parent, one)
    assert [(c.id, c.column, c.after) for c in found.moved] == [(rows[0]["id"], "label_name", label)]
    assert (found.gone, found.new, found.reworded) == ([], [], [])
    del rows[-1]["premise"]
    (items / "one.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with pytest.raises(UsageError, match=f"one.jsonl:{len(rows)}: this line is not a row of a task"):
        compare(items.parent, one)


def test_what_changed_is_counted_by_condition(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _ = two
    rows = [json.loads(line) for line in (one / "items" / "one.jsonl").read_text("utf-8").splitlines()]
    condition = rows[0]["condition"]
    alike = [row for row in rows if row["condition"] == condition]
    alike[0]["premise"] += "!"
    alike[1]["id"] = f"toy/one/other/{condition}"
    items = tmp_path / "later" / "items"
    items.mkdir(parents=True)
    (items / "one.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert by_condition(compare(one, items.parent)) == {
        ("toy/one", condition): Counter({"gone": 1, "new": 1, "other sentences": 1})
    }
    assert main(["diff", str(one), str(items.parent), "--by-condition"]) == 1
    assert f"  toy/one {condition}: gone 1, new 1, other sentences 1\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "edit", "said"),
    [
        ("manifest.json", lambda text: text[:200], "no JSON, or cut off"),
        ("manifest.json", lambda text: text.replace('"seed"', '"sead"'), "no field `seed`|unknown field `sead`"),
        ("items/one.jsonl", lambda text: text.replace('"tag":"target"', '"tag":"theory"'), "not the file of the"),
    ],
)
def test_a_damaged_dataset_is_not_compared(name: str, edit: Callable[[str], str], said: str, tmp_path: Path) -> None:
    """It was said to be equal, since only ids, answers and sentences were compared."""
    one = built(tmp_path / "one", ANIMALS)
    other = Path(shutil.copytree(one, tmp_path / "other"))
    text = (other / name).read_text("utf-8")
    assert edit(text) != text
    (other / name).write_text(edit(text), "utf-8")
    with pytest.raises(UsageError, match=said) as refused:
        compare(one, other)
    assert refused.value.code == "E44"
