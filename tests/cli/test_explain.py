"""`gramprobe explain` draws: the picture in a file, the same in the data, and an error where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gramprobe.cli.main import main

ITEM = "presupposition/possessed_definites_existence/past.emma.noah.cat.yawn/modal-trigger"


def test_an_item_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "item.svg"
    assert main(["explain", ITEM, "--svg", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert file.read_text("utf-8") == data["svg"]
    assert set(data["told"]) == {*data["models"], "conclusion"}
    title = ElementTree.fromstring(data["svg"])[0].text
    assert title == f"{data['premise']}  =>  {data['hypothesis']}  ({data['label']})"
    assert main(["explain", ITEM]) == 0
    told = capsys.readouterr().out
    assert "| cat: d1" in told and "poss  w0 -> w0, w1" in told
    assert "The hypothesis is false there: " in told
    assert "the models show it" in told


def test_all_pairs_of_an_instance_are_drawn_on_one_sheet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "instance.svg"
    assert main(["explain", ITEM.rpartition("/")[0], "--svg", str(file), "--json"]) == 0
    items = json.loads(capsys.readouterr().out)["items"]
    text = "".join(ElementTree.fromstring(file.read_text("utf-8")).itertext())
    assert all(f"{item['id'].rpartition('/')[2].replace('-', ' => ')}: " in text for item in items)


@pytest.mark.parametrize("name", ["presupposition/both", "E10"])
def test_what_has_no_model_is_not_drawn(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "none.svg"
    assert main(["explain", name, "--svg", str(file)]) == 2
    assert "only an item has models to draw" in capsys.readouterr().err
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["explain", ITEM, "--svg", str(tmp_path / "no" / "folder.svg")]) == 1
    assert "error[E37]" in capsys.readouterr().err
