"""Datasets of minimal pairs: their files, and what `verify` finds in forged ones, with the source files and without."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.minimal_pairs import built, project_of, rows_of

from gramprobe.dataset.verify.charts import Charts
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.verify import verify
from gramprobe.items.chart_groups import wrong_row
from gramprobe.project import load

Row = dict[str, Any]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("pairs"))


class Evidence:
    """What `verify` passes to the task, as far as it reads it."""

    def __init__(self, folder: Path) -> None:
        self.problems = Problems()
        self.charts = Charts(folder, "charts.jsonl", "grammar.json", self.problems)


def test_the_folder_has_the_grammar_and_a_chart_a_shape_and_both_hold(dataset: Path) -> None:
    manifest = json.loads((dataset / "manifest.json").read_text("utf-8"))
    entry = manifest["paradigms"]["agreement"]
    assert (entry["constraint"], entry["repairs"], entry["charts"]) == ("agree sv", {"agree sv": 12}, 4)
    assert {"grammar.json", "charts.jsonl"} <= manifest["files"].keys()
    assert len((dataset / "charts.jsonl").read_text("utf-8").splitlines()) == 4
    assert "for 12 pairs it is one constraint" in (dataset / "README.md").read_text("utf-8")
    project = load(str(dataset.parents[1]), names=["pairs"])
    verified = verify(dataset, project.declarations)
    assert (verified.problems.count, verified.charts, verified.rows) == (0, 4, 12)
    evidence = Evidence(dataset)
    assert evidence.problems.count == 0
    assert [list(wrong_row(row, evidence)) for row in rows_of(dataset)] == [[]] * 12


def exchanged(row: Row) -> None:
    row["sentence_good"], row["sentence_bad"] = row["sentence_bad"], row["sentence_good"]


def exchanged_with_charts(row: Row) -> None:
    exchanged(row)
    row["chart_good"], row["chart_bad"] = row["chart_bad"], row["chart_good"]


@pytest.mark.parametrize(
    ("forge", "says"),
    [
        (exchanged, "`chart_good` is of other words than `sentence_good`"),
        (exchanged_with_charts, "by its chart `sentence_good` is bad"),
        (lambda row: row.update(chart_bad=row["chart_good"]), "`chart_bad` is of other words than `sentence_bad`"),
        (lambda row: row.update(chart_bad="0123456789abcdef"), "`chart_bad` is of other words than `sentence_bad`"),
        (lambda row: row.update(constraint="agree dn"), "`constraint` is `agree dn`, which does not repair it"),
        (lambda row: row.update(repairs="agree dn"), "`repairs` is `agree dn`, and its chart says `agree sv`"),
        (lambda row: row.update(critical=2), "`critical_word` is not the word 2 of `sentence_bad`"),
        (lambda row: row.update(critical=99), "`critical_word` is not the word 99 of `sentence_bad`"),
        (lambda row: row.update(one_prefix=0), "`one_prefix` does not say whether the sentences are equal"),
        (lambda row: row.update(sentence_bad="These nurses sing."), "`chart_bad` is of other words"),
    ],
)
def test_a_forged_row_is_found_by_the_charts_alone(dataset: Path, forge: Callable[[Row], None], says: str) -> None:
    row = rows_of(dataset)[0]
    forge(row)
    assert any(each.startswith(says) for each in wrong_row(row, Evidence(dataset)))


def test_a_forged_dataset_is_refused_with_its_source_files(dataset: Path, tmp_path: Path) -> None:
    folder = tmp_path / dataset.name
    shutil.copytree(dataset, folder)
    rows = rows_of(folder)
    exchanged_with_charts(rows[3])
    text = "".join(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in rows)
    (folder / "items/agreement.jsonl").write_text(text, "utf-8")
    project = project_of(tmp_path / "sources")
    verified = verify(folder, project.declarations)
    assert {"E50", "E52"} <= set(verified.problems.by_code)
    assert any("by its chart `sentence_good` is bad" in str(each) for each in verified.problems.kept)


def test_another_grammar_is_found_by_the_source_files_and_what_is_none_is_refused(
    dataset: Path, tmp_path: Path
) -> None:
    folder = tmp_path / dataset.name
    shutil.copytree(dataset, folder)
    grammar = (folder / "grammar.json").read_text("utf-8")
    (folder / "grammar.json").write_text(grammar.replace('"agree sv"', '"agree rel"'), "utf-8")
    project = load(str(dataset.parents[1]), names=["pairs"])
    problems = [str(each) for each in verify(folder, project.declarations).problems.kept]
    assert any("it is not the grammar that the source files give" in each for each in problems)
    assert {row["chart_bad"] for row in rows_of(folder)} <= Evidence(folder).charts.rejected
    (folder / "grammar.json").write_text("{}", "utf-8")
    assert Evidence(folder).problems.count == 1


def without_an_edge(line: Row) -> None:
    del line["edges"][-1]


def another_constraint(line: Row) -> None:
    line["edges"] = [[*edge[:-1], "agree rel" if edge[-1] else None] for edge in line["edges"]]


def without_entries(line: Row) -> None:
    line["entries"][1][1] = []


@pytest.mark.parametrize("forge", [without_an_edge, another_constraint, without_entries])
def test_a_forged_chart_is_refused(dataset: Path, tmp_path: Path, forge: Callable[[Row], None]) -> None:
    folder = tmp_path / dataset.name
    shutil.copytree(dataset, folder)
    lines = [json.loads(line) for line in (folder / "charts.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        forge(line)
    text = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
    (folder / "charts.jsonl").write_text(text, "utf-8")
    evidence = Evidence(folder)
    bad = {row["chart_bad"] for row in rows_of(dataset)}
    assert bad <= evidence.charts.rejected and evidence.problems.by_code["E51"] >= 2


def test_charts_of_other_shapes_and_missing_ones_are_found_with_the_source_files(dataset: Path, tmp_path: Path) -> None:
    folder = tmp_path / dataset.name
    shutil.copytree(dataset, folder)
    lines = (folder / "charts.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "charts.jsonl").write_text("".join(lines[1:]), "utf-8")
    project = load(str(dataset.parents[1]), names=["pairs"])
    problems = [str(each) for each in verify(folder, project.declarations).problems.kept]
    assert any("no chart of this shape says what the source files give" in each for each in problems)


def test_a_theory_that_nobody_has_is_found(dataset: Path, tmp_path: Path) -> None:
    """No label of minimal pairs hangs on it, so that nothing else tells."""
    folder = tmp_path / dataset.name
    shutil.copytree(dataset, folder)
    manifest = (folder / "manifest.json").read_text("utf-8")
    (folder / "manifest.json").write_text(manifest.replace("as each paradigm says", "the best of all"), "utf-8")
    (problem,) = verify(folder, load(str(dataset.parents[1]), names=["pairs"]).declarations).problems.kept
    assert problem.code == "E53" and "no theory here is called `the best of all`" in problem.reason
