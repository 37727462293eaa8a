"""The column `published`: the label that a paper gives a pair, beside the derived one."""

from __future__ import annotations

import json
from pathlib import Path

from projects import PLAIN, toy

from gramprobe.dataset.verify.verify import verify


def test_the_published_label_stands_beside_the_derived_one(tmp_path: Path) -> None:
    project = toy(tmp_path / "own", PLAIN.replace("pair p => h", "pair p => h   published neutral"))
    folder = project.build("toy/one", tmp_path / "data", n=2)[0].folder
    rows = [json.loads(line) for line in (folder / "items/one.jsonl").read_text("utf-8").splitlines()]
    assert {(row["label_name"], row["published"]) for row in rows} == {("contradiction", "neutral")}
    assert verify(folder, project.declarations).problems.kept == []


def test_nothing_is_published_where_the_author_names_nothing(tmp_path: Path) -> None:
    table = toy(tmp_path, PLAIN).paradigm("toy/one").sample(2)
    assert set(table.column("published").to_pylist()) == {""}
