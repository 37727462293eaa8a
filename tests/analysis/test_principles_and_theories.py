"""The studies of principles and of theories: by hand on predicted labels."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from support.datasets import FEW, MANY, SharedDatasets
from support.scores import labels_file, scores_folder

import gramprobe
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table, Value
from gramprobe.analysis.studies import principles, theories
from gramprobe.analysis.studies.principles import comparable, kind, principles_of
from gramprobe.analysis.study import Given
from gramprobe.source.diagnostic import UsageError

Row = dict[str, Any]


def rows(dataset: Path) -> list[Row]:
    found = gramprobe.read(dataset)
    return [row for name in found.paradigms for batch in found.rows(name) for row in batch.to_pylist()]


def value(cell: Value) -> float:
    assert isinstance(cell, float | Interval)
    return cell.value if isinstance(cell, Interval) else cell


def column(table: Table, key: str) -> list[Value]:
    return [row[[c.key for c in table.columns].index(key)] for row in table.rows]


@pytest.mark.slow
def test_accuracy_by_principle(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = datasets("presupposition/both", n=FEW)
    items = rows(dataset)
    assert {row["rests_on"] for row in items} == {"", "reflexivity of poss"}
    # wrong on all items that rest on it, and on one other item with the label entailment
    other = next(row["id"] for row in items if not row["rests_on"] and row["label_name"] == "entailment")

    def answer(row: Row) -> str:
        wrong = "neutral" if row["label_name"] != "neutral" else "entailment"
        return wrong if row["rests_on"] or row["id"] == other else row["label_name"]

    files = [labels_file(tmp_path / "m.csv", {row["id"]: answer(row) for row in items})]
    files.append(labels_file(tmp_path / "few.csv", {row["id"]: row["label_name"] for row in items[:19]}))
    found = principles.STUDY.findings(open_runs(files, [dataset]), Given(draws=100))
    table = found.tables[1]
    assert column(table, "principle") == ["reflexivity of poss", "no principle"]
    resting = [row for row in items if row["rests_on"]]
    assert column(table, "n_1") == [len(resting), len(items) - len(resting)]
    assert value(column(table, "accuracy_1")[0]) == 0.0
    plain = [row for row in items if not row["rests_on"]]
    right = {
        label: fmean(answer(row) == label for row in plain if row["label_name"] == label)
        for label in {row["label_name"] for row in resting}
    }
    others = fmean(right[row["label_name"]] for row in resting)
    assert value(column(table, "others_1")[0]) == pytest.approx(others)
    assert value(column(table, "difference_1")[0]) == pytest.approx(-others)
    assert column(table, "n_2")[0] == sum(bool(row["rests_on"]) for row in items[:19])
    assert value(column(table, "accuracy_2")[0]) == 1.0
    assert column(found.tables[0], "principle") == ["reflexivity", "no principle"]
    found.figures[0].draw()


def test_principles_are_split_into_items_and_kinds() -> None:
    assert principles_of("closure of believe; consistency of believe") == (
        "closure of believe",
        "consistency of believe",
    )
    assert principles_of(None) == ()
    names = {
        "closure of believe": "closure",
        "notice_that implies know": "implication",
        "forall x. hot(x) -> warm(x)": "words",
        "exists x. cow(x)": "existence",
        "different bearers of different names": "different bearers",
    }
    assert {name: kind(name) for name in names} == names


def test_comparable_items_have_the_weights_of_those_compared() -> None:
    right = np.array([1.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    where = np.array([True, True, True, False, False, False])
    cells = [("p", "x"), ("p", "x"), ("p", "y"), ("p", "x"), ("p", "y"), ("p", "y")]
    assert comparable(right, where, cells) == pytest.approx((2 * 1.0 + 1 * 0.5) / 3)
    assert comparable(right, ~where, [("p", "x")] * 3 + [("p", "z")] * 3) is None


NUMERALS = "implicature/numerals_2_3_have"


@pytest.fixture(scope="module")
def own(datasets: SharedDatasets) -> Path:
    return datasets(NUMERALS, n=MANY)


@pytest.fixture(scope="module")
def symmetric(datasets: SharedDatasets) -> Path:
    return datasets(NUMERALS, n=MANY, theory="numerals-symmetric")


@pytest.mark.slow
def test_the_theory_whose_labels_a_model_gives_fits_best(own: Path, symmetric: Path, tmp_path: Path) -> None:
    gold = {row["id"]: row["label_name"] for row in rows(own)}
    labels = {row["id"]: row["label_name"] for row in rows(symmetric)}
    assert gold.keys() == labels.keys()
    differ = [item for item in gold if gold[item] != labels[item]]
    assert differ
    odd = differ[0]  # the model follows the other theory, but for one item
    answers = {**labels, odd: gold[odd]}
    files = [labels_file(tmp_path / "m.csv", answers)]
    given = Given(labels=(gramprobe.read(symmetric),), draws=200)
    found = theories.STUDY.findings(open_runs(files, [own]), given)
    summary, pairs = found.tables
    assert summary.rows[0][0] == "numerals-symmetric"
    fits = dict(zip(column(summary, "theory"), column(summary, "fit"), strict=True))
    assert value(fits["numerals-symmetric"]) == pytest.approx(1 - 1 / len(gold))
    assert value(fits["numerals"]) == pytest.approx(fmean(answers[item] == gold[item] for item in gold))
    row = next(row for row in pairs.rows if set(row[:2]) == {"numerals-symmetric", "numerals"})
    assert row[2:4] == (len(differ) - 1, 1)
    assert value(row[4]) == pytest.approx((len(differ) - 2) / len(gold))
    assert row[5] == "numerals-symmetric"
    found.figures[0].draw()


def test_labels_of_other_readings_are_theories_too(own: Path, tmp_path: Path) -> None:
    items = rows(own)
    files = [labels_file(tmp_path / "m.csv", {row["id"]: row["label_literal"] for row in items})]
    found = theories.STUDY.findings(open_runs(files, [own]), Given(draws=100))
    assert found.tables[0].rows[0][0] == "literal"
    assert value(found.tables[0].rows[0][4]) == 1.0
    differing = sum(
        len({row["label_literal"], row["label_imppres"], *json.loads(row["labels_by_theory"]).values()}) > 1
        for row in items
    )
    assert found.tables[0].rows[0][1] == differing


def test_with_two_labels_theories_differ_where_the_model_can_tell(own: Path, symmetric: Path, tmp_path: Path) -> None:
    labels = {row["id"]: row["label_name"] for row in rows(symmetric)}
    scores = {(item, "label"): (0.0, -9.0) if label == "entailment" else (-9.0, 0.0) for item, label in labels.items()}
    folder = scores_folder(tmp_path / "two", own, "nli", scores, values=("entailment", "not_entailment"))
    found = theories.STUDY.findings(open_runs([folder], [own]), Given(labels=(gramprobe.read(symmetric),), draws=100))
    told = {
        row["id"]: {
            label == "entailment"
            for label in (row["label_literal"], row["label_imppres"], *json.loads(row["labels_by_theory"]).values())
        }
        for row in rows(own)
    }
    assert found.tables[0].rows[0][0] == "numerals-symmetric"
    assert found.tables[0].rows[0][1] == sum(len(each) > 1 for each in told.values())


def test_one_theory_alone_and_labels_of_other_items_are_said(
    datasets: SharedDatasets, own: Path, tmp_path: Path
) -> None:
    plain = datasets("theory_of_mind/depth", n=FEW)
    files = [labels_file(tmp_path / "m.csv", {row["id"]: row["label_name"] for row in rows(plain)})]
    runs = open_runs(files, [plain])
    found = theories.STUDY.findings(runs, Given())
    assert found.tables == ()
    assert "--labels DATASET" in found.omitted[0]
    with pytest.raises(UsageError, match="has no label of any item"):
        theories.STUDY.findings(runs, Given(labels=(gramprobe.read(own),)))


@pytest.mark.slow
def test_items_without_a_label_under_some_theory_are_counted(
    datasets: SharedDatasets, own: Path, tmp_path: Path
) -> None:
    fewer = datasets(NUMERALS, n=FEW, theory="numerals-symmetric")
    shared = {row["id"] for row in rows(own)} & {row["id"] for row in rows(fewer)}
    assert shared
    files = [labels_file(tmp_path / "m.csv", {row["id"]: row["label_name"] for row in rows(own)})]
    found = theories.STUDY.findings(open_runs(files, [own]), Given(labels=(gramprobe.read(fewer),), draws=100))
    lost = len(rows(own)) - len(shared)
    assert found.warnings == (f"m: {lost:,} items have no label under some theory and are left out",)
    assert found.tables[0].rows[0][3] == len(shared)
