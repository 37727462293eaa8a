"""`gramprobe exposure`: verbs and labels of a small corpus, counted by hand, in every form that is read."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from gramprobe.analysis.papers.exposure import association
from gramprobe.cli.main import main

CORPUS = Path(__file__).parents[1] / "analysis" / "corpus.jsonl"
ROWS = [tuple(json.loads(line).values()) for line in CORPUS.read_text("utf-8").splitlines()]


def exposed(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> dict[str, Any]:
    assert main(["exposure", "--corpus", str(path), "--json", *options]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> str:
    assert main(["exposure", "--corpus", str(path), *options]) == 2
    return capsys.readouterr().err


def test_verbs_are_counted_in_any_form_and_before_a_clause(capsys: pytest.CaptureFixture[str]) -> None:
    found = exposed(capsys, CORPUS)
    assert (found["pairs"], found["unlabelled"]) == (6, 1)
    assert found["labels"] == {"entailment": 2, "neutral": 2, "contradiction": 2}
    by_verb = {entry["verb"]: entry for entry in found["verbs"]}
    assert list(by_verb)[:10] == [
        "know", "understand", "recognize", "see", "remember", "learn", "believe", "think", "suspect", "assume",
    ]  # fmt: skip
    # `knows that`, `You know,`, `we know it`, `We know that`: the last counts, as what follows is not looked at
    know = by_verb["know"]
    assert (know["premises"], know["hypotheses"], know["pairs"], know["clauses"]) == (3, 1, 3, 2)
    assert know["labels"] == {"entailment": 1, "neutral": 0, "contradiction": 1}
    assert (by_verb["see"]["premises"], by_verb["see"]["hypotheses"], by_verb["see"]["clauses"]) == (1, 1, 0)
    assert (by_verb["think"]["clauses"], by_verb["suspect"]["clauses"]) == (1, 1)
    assert by_verb["find out"]["clauses"] == 1 and by_verb["find out"]["factive"]


def test_labels_go_by_factivity(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = {(k["verbs"], k["use"], k["factive"]): k for k in exposed(capsys, CORPUS)["kinds"]}
    # factive: rows 1 and 7, and row 4 which has both kinds
    assert kinds["the paper's ten", "before a clause", True]["labels"] == {
        "entailment": 1, "neutral": 1, "contradiction": 1,
    }  # fmt: skip
    assert kinds["the paper's ten", "before a clause", False]["labels"] == {
        "entailment": 0, "neutral": 2, "contradiction": 1,
    }  # fmt: skip
    # any form: also `saw`, `seen`, and `You know`
    assert kinds["the paper's ten", "any form", True]["labels"] == {"entailment": 2, "neutral": 1, "contradiction": 2}
    assert kinds["all", "before a clause", True]["pairs"] == 3


def test_the_association_of_labels_with_a_kind() -> None:
    assert association({"a": 5, "b": 5}, {"a": 50, "b": 50}) == 0.0
    assert association({"a": 5, "b": 0}, {"a": 0, "b": 7}) == pytest.approx(1.0)
    assert association({"a": 10, "b": 20}, {"a": 20, "b": 10}) == pytest.approx(1 / 3)
    assert association({"a": 0, "b": 0}, {"a": 1, "b": 2}) is None
    assert association({"a": 3, "b": 0}, {"a": 1, "b": 0}) is None


@pytest.mark.parametrize("form", ["csv", "tsv", "txt", "jsonl"])
@pytest.mark.parametrize("names", [("premise", "hypothesis", "label"), ("sentence1", "sentence2", "gold_label")])
def test_every_form_gives_the_same_counts(
    form: str, names: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"corpus.{form}"
    if form == "jsonl":
        path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in ROWS), "utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as lines:
            if form == "csv":
                csv.writer(lines).writerows([(*names, "genre"), *((*row, 'a "b", c') for row in ROWS)])
            else:  # a quotation mark that is not closed is a letter
                lines.write("".join("\t".join(row) + '\t"\n' for row in [names, *ROWS]))
    mine, theirs = exposed(capsys, path), exposed(capsys, CORPUS)
    assert {**mine, "corpus": ""} == {**theirs, "corpus": ""}


@pytest.mark.slow
def test_the_tables_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exposure", "--corpus", str(CORPUS), "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    before_a_clause = printed.partition("the paper's ten verbs, before a clause")[2]
    assert before_a_clause.splitlines()[1].split()[:5] == ["factive", "3", "1", "1", "1"]
    assert "not shown: Verbs that do not occur: understand, " in printed
    assert "corpus.jsonl: pairs without a label, which are left out: 1" in printed
    written = {path.name for path in (tmp_path / "exposure").iterdir()}
    assert {f"{name}{end}" for name in ("exposure_labels", "exposure_verbs") for end in (".csv", ".svg")} <= written


def test_a_table_of_ones_own_verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "verbs.tsv"
    table.write_text("id\tbase\ts\tpast\ten\ting\tfactive\nrun_that\trun\truns\tran\trun\trunning\tno\n", "utf-8")
    found = exposed(capsys, CORPUS, "--verbs", str(table))
    assert [(entry["verb"], entry["pairs"]) for entry in found["verbs"]] == [("run", 0)]
    table.write_text("id\tbase\ts\tpast\ten\ting\tfactive\nrun_that\trun\truns\tran\trun\trunning\tmaybe\n", "utf-8")
    said = refused(capsys, CORPUS, "--verbs", str(table))
    assert "E46" in said and "line 2" in said and "`maybe`" in said


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("a.xlsx", "", "`.xlsx` is no format"),
        ("a.csv", "premise,hypothesis\nx,y\n", "no column `label`"),
        ("a.csv", "premise,hypothesis,label\nx,y,entailment,z\n", "line 2: 4 cells below 3 columns"),
        ("a.tsv", "premise\thypothesis\tlabel\nx\ty\t1\n", "line 2: `1` in `label`"),
        ("a.jsonl", '{"premise": "x", "hypothesis": 3, "label": "neutral"}\n', "line 1: `3` in `hypothesis`"),
        ("a.jsonl", '{"premise": "x", "hypothesis": "y", "label": 0}\n', "line 1: `0` in `label`"),
        ("a.jsonl", '{"premise": "x"\n', "line 1: no JSON"),
        ("a.csv", "premise,hypothesis,label\nx,y,-\n", "no pair has a label"),
        ("a.csv", "", "no heading"),
        ("a.jsonl", "", "the file has no rows"),
    ],
)
def test_what_is_in_no_format_is_refused(
    name: str, text: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    said = refused(capsys, tmp_path / name)
    assert "E46" in said and what in said


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.csv", "a.jsonl"):
        assert "E44" in refused(capsys, tmp_path / name)
