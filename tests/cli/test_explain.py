"""`gramprobe explain` draws: the picture in a file, the same in the data, and an error where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gramprobe.cli.main import main

ITEM = "presupposition/possessed_definites_existence/past.emma.noah.sg.cat.Alone.yawn.amy.might/modal-trigger"


def test_an_item_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "item.svg"
    assert main(["explain", ITEM, "--svg", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert file.read_text("utf-8") == data["svg"]
    assert set(data["told"]) == {*data["models"], "conclusion"}
    title = ElementTree.fromstring(data["svg"])[0].text
    assert title == f"{data['premise']}  =>  {data['hypothesis']}  ({data['label']})"
    assert main(["explain", ITEM]) == 0
    printed = capsys.readouterr().out
    assert "| cat: d1" in printed and "poss  w0 -> w0, w1" in printed
    assert "The hypothesis is false there: " in printed
    assert "the models show it" in printed


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


def test_a_file_that_cannot_be_written_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["explain", ITEM, "--svg", str(tmp_path / "no" / "folder.svg")]) == 1
    assert "error[E37]" in capsys.readouterr().err


AMBIGUOUS = "presupposition/both/past.waiter.actor.past.pos.who.Toward.thank.amy.Alone.yawn.emma.more/modal-denied"


def test_all_readings_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", AMBIGUOUS]) == 0
    printed = capsys.readouterr().out
    assert "  * both > might  exactly 2 x. (waiter(x) & thank(x, amy), true) / forall" in printed
    assert "    might > both  poss (exactly 2 x. (waiter(x) & thank(x, amy), true) / forall" in printed
    table = printed[printed.index("labels, the premise's") :].split("\n")[1:4]
    assert [line.split("  ")[1] for line in table] == ["reading", "both > might", "might > both"]
    assert [line.endswith("contradiction") for line in table] == [False, True, True]
    assert main(["explain", AMBIGUOUS, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [(r["id"], r["gold"]) for r in data["readings"]["premise"]] == [
        ("both > might", True),
        ("might > both", False),
    ]
    assert data["readings"]["premise"][0]["form"] == data["premise_form"]
    assert [(j["premise"], j["label"]) for j in data["by_reading"]] == [
        ("both > might", "contradiction"), ("might > both", "contradiction"),
    ]  # fmt: skip
    lines = [t.text for t in ElementTree.fromstring(data["svg"]).iter("{http://www.w3.org/2000/svg}text")]
    assert [line for line in lines if line and line.strip() in map(str.strip, table)] == table


def test_one_reading_is_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", ITEM]) == 0
    assert "readings" not in capsys.readouterr().out


def test_the_matrix_has_the_readings_of_premises_that_have_several(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "presupposition/both"]) == 0
    printed = capsys.readouterr().out
    rows = [line.split("  ")[1:] for line in printed[printed.index("labels by reading") :].split("\n")[1:] if line]
    assert [row[0] for row in rows] == ["modal", "both > might", "might > both"]
    assert main(["explain", "presupposition/both", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [r["id"] for r in data["readings"]["modal"]] == ["both > might", "might > both"]
    of_pair = [j for j in data["by_reading"] if j["pair"] == "modal-presupposed"]
    assert {(j["premise"], j["label"]) for j in of_pair} == {
        ("both > might", "entailment"), ("might > both", "entailment"),
    }  # fmt: skip
