"""Factors: from the lines that declare them to instances, `design.json`, the long frame and tables."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from support.relatives import CLAUSES, TABLES, project_of, rows_of

from gramprobe.cli.main import main
from gramprobe.project import load

FACTORS = CLAUSES + "factor clause = subject: src | object: orc\nfactor verb_ = draw w\ncontrast gap = orc - src\n"


def design_of(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "data/reading/design.json").read_text("utf-8"))["paradigms"]["relatives"]
    assert isinstance(found, dict)
    return found


def test_levels_of_a_draw_have_equally_many_instances_in_every_prefix(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, FACTORS)
    drawn = [row["draws"]["w"] for row in rows if row["condition"] == "src"]
    assert len(drawn) == 12
    for end in range(1, 13):
        counts = [Counter(drawn[:end])[word] for word in ("attack", "admire", "look_for")]
        assert max(counts) - min(counts) <= 1


def test_the_design_names_factors_levels_codes_and_cells(tmp_path: Path) -> None:
    rows_of(tmp_path, FACTORS)
    design = design_of(tmp_path)
    clause, verb = design["factors"]
    assert clause == {
        "name": "clause", "of": "condition", "kind": "within", "levels": ["subject", "object"],
        "codes": [[0.5], [-0.5]],
    }  # fmt: skip
    assert (verb["kind"], verb["draw"], verb["levels"]) == ("between", "w", ["attack", "admire", "look_for"])
    assert verb["codes"] == [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
    assert design["cells"] == [
        {"levels": {"clause": "subject"}, "conditions": ["src"]},
        {"levels": {"clause": "object"}, "conditions": ["orc"]},
    ]
    assert design["contrasts"] == [{"name": "gap", "weights": {"orc": 1.0, "src": -1.0}}]
    assert main(["verify", str(tmp_path / "data/reading"), "--path", str(tmp_path)]) == 0


@pytest.mark.slow
def test_the_frame_and_the_tables_have_the_factors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows_of(tmp_path, FACTORS)
    data, scores, corpus = (str(tmp_path / name) for name in ("data/reading", "scores", "corpus.txt"))
    Path(corpus).write_text("the senator who attacked the nurse looked for the banker .\n", "utf-8")
    assert main(["score", data, "--model", f"ngram:{corpus}", "--out", scores]) == 0
    out = str(tmp_path / "frame.parquet")
    assert main(["frame", scores, "--dataset", data, "--wide", "--out", out]) == 0
    frame = pq.read_table(out).to_pylist()
    assert {(row["condition"], row["clause"], row["clause_c"]) for row in frame} == {
        ("src", "subject", 0.5),
        ("orc", "object", -0.5),
    }
    assert all(row["verb_"] == row["w"] for row in frame)
    capsys.readouterr()
    assert main(["analyze", scores, "--dataset", data, "--study", "any", "--json"]) == 0
    (study,) = json.loads(capsys.readouterr().out)["studies"]
    tables = {table["name"]: table for table in study["tables"]}
    # the tables of the critical region stand first
    effects = {row["effect"]: row for row in tables["any_effects"]["rows"]}
    by = {c: [r["measure_region_verb"] for r in frame if r["condition"] == c] for c in ("src", "orc")}
    assert effects["clause"]["difference"] == pytest.approx(sum(by["src"]) / 12 - sum(by["orc"]) / 12)
    assert len(tables["any_cells"]["rows"]) == 6
    (gap,) = tables["any_contrasts"]["rows"]
    assert gap["compared"] == "orc − src" and gap["difference"] == pytest.approx(-effects["clause"]["difference"])


def test_a_number_and_a_column_are_factors_too(tmp_path: Path) -> None:
    lines = CLAUSES + "factor length = p.length\nfactor rank = q.rank\n"
    grammar = "cat Person[rank] from people.tsv word sg"
    project_of(tmp_path, lines)
    gram = tmp_path / "grammars/relative.gram"
    text = "feature rank = high | low\n" + gram.read_text("utf-8").replace(
        "cat Person from people.tsv word sg", grammar.replace("[rank]", "[rank, length: number]")
    )
    gram.write_text(text, "utf-8")
    rows = [line.split("\t") for line in TABLES["lexicon/people.tsv"].splitlines()]
    table = "\n".join("\t".join([*row, *own]) for row, own in zip(rows, EXTRA, strict=True))
    (tmp_path / "lexicon/people.tsv").write_text(table + "\n", "utf-8")
    project = load(str(tmp_path))
    assert [d.message for d in project.findings.items] == []
    length, rank = project.declarations.paradigms["reading/relatives"].factors
    assert (length.kind, length.levels) == ("number", ())
    assert (rank.kind, rank.levels) == ("between", ("high", "low"))


EXTRA = [("rank", "length"), ("high", "7"), ("low", "8"), ("low", "5"), ("high", "6")]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("factor clause = subject: src | object: ocr", "E02"),
        ("factor clause = draw x", "E02"),
        ("factor clause = p.size", "E05"),
        ("factor p = subject: src | object: orc", "E16"),
        ("factor clause = subject: src | subject: orc", "E16"),
        ("contrast gap = src - orc\ncontrast gap = orc - src", "E16"),
        ("contrast gap = src - ocr", "E02"),
        ("contrast gap = src - 0.5 orc", "E87"),
        ('factor clause = subject: src | object: orc\nempty subjekt because "none"', "E02"),
    ],
)
def test_lines_about_factors_are_checked(lines: str, code: str, tmp_path: Path) -> None:
    found = project_of(tmp_path, CLAUSES + lines + "\n").findings.items
    assert {each.code for each in found} == {code}


def test_a_level_that_no_instance_has_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its limit would be used up by the other levels, which says nothing of what is wrong."""
    project_of(tmp_path, FACTORS + "where w = attack | w = admire\n")
    assert main(["check", "--path", str(tmp_path), "reading/relatives"]) == 1
    error = capsys.readouterr().err
    assert "no instance has the level look_for of `factor verb_`" in error and "from `[attack|admire]`" in error
    assert "is used up" not in error


def test_a_sample_may_have_one_row_of_each_condition_and_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project_of(tmp_path, FACTORS)
    sample = ["sample", "reading/relatives", "--each-condition", "--path", str(tmp_path)]
    assert main(sample) == 0
    heads = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("reading")]
    assert [head[1] for head in heads] == ["src"] * 3 + ["orc"] * 3
    assert {tuple(head[1:]) for head in heads} == set(product(("src", "orc"), ("attack", "admire", "look_for")))
    assert main([*sample, "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 6
