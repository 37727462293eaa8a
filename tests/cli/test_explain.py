"""`gramprobe explain` draws: the picture in a file, the same in the data, and an error where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gramprobe.cli.main import main

ITEM = "presupposition/possessed_definites_existence/past.emma.noah.sg.cat.Alone.yawn.amy.might/modal-trigger"


@pytest.mark.slow
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


@pytest.mark.slow
def test_all_pairs_of_an_instance_are_drawn_on_one_sheet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "instance.svg"
    assert main(["explain", ITEM.rpartition("/")[0], "--svg", str(file), "--json"]) == 0
    items = json.loads(capsys.readouterr().out)["items"]
    text = "".join(ElementTree.fromstring(file.read_text("utf-8")).itertext())
    assert all(f"{item['id'].rpartition('/')[2].replace('-', ' => ')}: " in text for item in items)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["presupposition/possessed_definites_existence", "E10"])
def test_what_has_no_model_is_not_drawn(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "none.svg"
    assert main(["explain", name, "--svg", str(file)]) == 2
    assert "only an item has models to draw" in capsys.readouterr().err
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["explain", ITEM, "--svg", str(tmp_path / "no" / "folder.svg")]) == 1
    assert "error[E37]" in capsys.readouterr().err
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    assert main(["explain", ITEM, "--svg", str(tmp_path / "notes.txt")]) == 2
    assert "not of the kind that this command writes" in capsys.readouterr().err


AMBIGUOUS = "implicature/quantifiers_object/perfect.timothy.tyrone.move.dresser/not_strong-weak"


@pytest.mark.slow
def test_all_readings_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", AMBIGUOUS]) == 0
    printed = capsys.readouterr().out
    assert "    all > not  forall x. (dresser(x), ~move(timothy, x))" in printed
    assert "  * not > all  ~forall x. (dresser(x), move(timothy, x))" in printed
    table = printed[printed.index("labels, the premise's") :].split("\n")[1:4]
    assert [line.split("  ")[1] for line in table] == ["literal", "all > not", "not > all"]
    assert [line.rpartition("  ")[2] for line in table[1:]] == ["contradiction", "neutral"]
    assert main(["explain", AMBIGUOUS, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [(r["id"], r["gold"]) for r in data["readings"]["premise"]] == [
        ("all > not", False),
        ("not > all", True),
    ]
    literal = [(j["premise"], j["label"]) for j in data["by_reading"] if j["column"] == "literal"]
    assert literal == [("all > not", "contradiction"), ("not > all", "neutral")]
    lines = [t.text for t in ElementTree.fromstring(data["svg"]).iter("{http://www.w3.org/2000/svg}text")]
    assert [line for line in lines if line and line.strip() in map(str.strip, table)][:3] == table


def test_one_reading_is_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", ITEM]) == 0
    assert "readings" not in capsys.readouterr().out


@pytest.mark.slow
def test_the_matrix_has_the_readings_of_premises_that_have_several(capsys: pytest.CaptureFixture[str]) -> None:
    name = AMBIGUOUS.rsplit("/", 2)[0]
    assert main(["explain", name]) == 0
    printed = capsys.readouterr().out
    tables = printed.partition("labels by reading")[2].partition("\n\n")[0]
    rows = [line.split("  ")[1:] for line in tables.split("\n")[1:] if line]
    at = [row[0] for row in rows].index("not_strong")
    assert [row[0] for row in rows[at : at + 3]] == ["not_strong", "all > not", "not > all"]
    assert main(["explain", name, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [r["id"] for r in data["readings"]["not_strong"]] == ["all > not", "not > all"]
    of_pair = [j for j in data["by_reading"] if j["pair"] == "not_strong-weak" and j["column"] == "literal"]
    assert {(j["premise"], j["hypothesis"], j["label"]) for j in of_pair} == {
        ("all > not", "some", "contradiction"), ("not > all", "some", "neutral"),
    }  # fmt: skip


def test_a_constraint_has_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "agree sv"]) == 0
    printed = capsys.readouterr().out
    assert (
        "The verb agrees with its subject. In a paradigm of minimal pairs: `bad = good breaking agree sv`." in printed
    )
    assert "english/noun_phrases.gram: constraint agree sv = NP.num" in printed
