"""The study of any paradigm, and models against one another: planted differences are found, where they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from support.datasets import FEW, MANY, SharedDatasets
from support.scores import labels_file, values_file

import gramprobe
from gramprobe.analysis import against
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.inference import holm
from gramprobe.analysis.open import open_runs, sized
from gramprobe.analysis.output.table import Interval, Table, Value
from gramprobe.analysis.studies import chosen, study
from gramprobe.analysis.studies.any_paradigm import in_order
from gramprobe.analysis.study import Given
from gramprobe.cli.main import main
from gramprobe.dataset.read import Dataset

GIVEN = Given()


@pytest.fixture(scope="session")
def dataset(datasets: SharedDatasets) -> Dataset:
    return gramprobe.read(datasets("presupposition/possessed_definites_existence", n=MANY, design="paper"))


def rows_of(dataset: Dataset) -> list[dict[str, object]]:
    return [row for name in dataset.paradigms for batch in dataset.rows(name) for row in batch.to_pylist()]


def named(found: Findings, name: str) -> Table:
    return next(each for each in (*found.tables, *found.details) if each.name == name)


def value(cell: Value) -> float:
    number = cell.value if isinstance(cell, Interval) else cell
    assert isinstance(number, float | int)
    return float(number)


def labels_but(dataset: Dataset, fails: Callable[[Mapping[str, Any]], bool] = lambda row: False) -> dict[str, str]:
    """Labels that are right but where a model fails: there it says neutral."""
    return {str(row["id"]): "neutral" if fails(row) else str(row["label_name"]) for row in rows_of(dataset)}


@pytest.mark.slow
def test_a_word_that_a_model_fails_at_is_the_hardest(dataset: Dataset, tmp_path: Path) -> None:
    first = rows_of(dataset)[0]
    assert isinstance(first["draws"], dict)
    draw = next(each.name for each in dataset.design(dataset.paradigms[0]).draws if not each.feature)
    word = first["draws"][draw]
    file = labels_file(tmp_path / "m.csv", labels_but(dataset, lambda row: row["draws"].get(draw) == word))
    found = study("any").findings(open_runs([file], [dataset.folder]), GIVEN)
    words = named(found, "any_words")
    lowest = [row[:2] for row in words.rows if value(row[-1]) == value(words.rows[0][-1])]
    assert (word, draw) in lowest, "with the other words of its instances"
    every = named(found, "any_words_all").rows
    assert value(every[0][-1]) < value(every[-1][-1]) == 1.0
    items = named(found, "any_items")
    gold = {(row["condition"], row["premise"], row["hypothesis"]): row["draws"] for row in rows_of(dataset)}
    worst = [row for row in items.rows if row[-1] == 0.0]
    assert worst and all(gold[row[:3]][draw] == word for row in worst)  # type: ignore[index]
    assert {figure.name for figure in found.figures} == {"any_conditions", "any_words"}
    for figure in found.figures:
        figure.draw()
    confused = named(found, "any_confusions")
    assert confused.rows[0][0] == "entailment" and 0.0 < value(confused.rows[0][3]) < 1.0


def failed(row: Mapping[str, Any], condition: str) -> bool:
    """In every other instance, more or less."""
    return row["condition"] == condition and len(str(row["instance"])) % 2 == 0


@pytest.mark.slow
def test_a_model_is_lower_in_the_condition_that_it_fails_at_alone(dataset: Dataset, tmp_path: Path) -> None:
    condition = next(str(row["condition"]) for row in rows_of(dataset) if row["label_name"] == "entailment")
    files = [
        labels_file(tmp_path / "right.csv", labels_but(dataset)),
        labels_file(tmp_path / "wrong.csv", labels_but(dataset, lambda row: failed(row, condition))),
    ]
    runs = open_runs(files, [dataset.folder])
    found = study("any").findings(runs, GIVEN)
    beside = named(found, "any_against")
    assert beside.sections == {0: "right – wrong"}
    differing = {row[0]: value(row[4]) for row in beside.rows if value(row[4])}
    assert 0.2 < differing.pop(condition) < 0.8 and set(differing) == {against.ALL}
    assert [row[0] for row in beside.rows if row[-1] == "higher"] == [condition, against.ALL]
    accuracy = study("accuracy").findings(sized(runs, {"right": 10**9, "wrong": 10**6}, by_size=True), GIVEN)
    closer = named(accuracy, "accuracy_against")
    (row,) = closer.rows
    assert closer.sections == {0: "wrong – right"} and row[-1] == "lower" and value(row[-2]) < 0.001
    scaling = next(figure for figure in accuracy.figures if figure.name == "accuracy_by_size")
    (axes,) = scaling.draw().axes
    assert axes.get_xscale() == "log" and {x for line in axes.lines for x in line.get_xdata()} == {1e6, 1e9}


def test_levels_that_are_numbers_stand_by_their_size() -> None:
    assert in_order(["10", "9", "-1.5"]) == ["-1.5", "9", "10"]
    assert in_order(["10", "nine", "2"]) == ["10", "nine", "2"]


def test_the_difference_is_students_over_instances_of_one_size() -> None:
    random = np.random.default_rng(3)
    means = random.normal(0.1, 0.3, 12)
    instances = [str(number) for number in range(12) for _ in range(4)]
    offsets = np.tile([-0.2, 0.2, -0.1, 0.1], 12)
    found = against.difference(np.repeat(means, 4) + offsets, instances)
    oracle = scipy.stats.ttest_1samp(means, 0.0)
    ends = oracle.confidence_interval()
    assert isinstance(found.value, Interval)
    assert (found.value.value, found.value.low, found.value.high) == pytest.approx((means.mean(), ends.low, ends.high))
    assert (found.t, found.p) == pytest.approx((oracle.statistic, oracle.pvalue)) and found.df == 11


def test_equal_differences_are_no_verdict() -> None:
    items = [str(number) for number in range(20)]
    both = [
        against.Measured(name, items, np.full(20, share), ["g"] * 20, items) for name, share in (("a", 1), ("b", 0))
    ]
    table = against.table(both, "t", "t", "group")
    assert table is not None
    (row,) = table.rows
    assert isinstance(row[4], Interval) and row[4].low < row[4].value == 1.0
    assert row[5] is None and row[7] is None and row[-1] == against.UNTESTED


def test_p_values_are_corrected_over_pairs_and_groups() -> None:
    random = np.random.default_rng(1)
    items = [str(number) for number in range(60)]
    groups = ["one", "two"] * 30
    models = [against.Measured(name, items, random.integers(0, 2, 60).astype(float), groups, items) for name in "abc"]
    table = against.table(models, "t", "t", "group")
    assert table is not None and len(table.rows) == 9 and "Tests: 9." in table.notes[0]
    raw = sorted(
        difference.p or 1.0
        for one, other in combinations(models, 2)
        for group in (*groups[:2], against.ALL)
        for where in [np.array([group in (each, against.ALL) for each in groups])]
        for difference in [against.difference((one.values - other.values)[where], np.array(items)[where].tolist())]
    )
    assert sorted(value(row[7]) for row in table.rows) == pytest.approx(holm(raw))
    assert against.table(models, "t", "t", "group", least=3) is None, "two groups are fewer than three"
    stranger = against.Measured("d", ["x"], np.ones(1), ["g"], ["x"])
    assert against.table([models[0], stranger], "t", "t", "group") is None, "no item was answered by both"


def test_scores_have_the_measures_of_their_mode(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = gramprobe.read(datasets("scope/choice_universal_indefinite", n=FEW))
    parts = ("option_a", "option_b")
    values = {(str(row["id"]), part): -1.0 - n for row in rows_of(dataset) for n, part in enumerate(parts)}
    runs = open_runs([values_file(tmp_path / "first.csv", values)], [dataset.folder])
    found = study("any").findings(runs, GIVEN)
    captions = [table.caption for table in found.tables]
    assert captions[0] == "Surface by condition." and "First option by condition." in captions
    assert any(caption.startswith("The items of the lowest surface") for caption in captions)
    factors = named(found, "any_factors")
    assert {"i", "order"} <= set(factors.sections.values()), "features and columns of the rows"


def test_it_is_of_what_no_paper_has_a_study_of_unless_it_is_named(
    dataset: Dataset, datasets: SharedDatasets, tmp_path: Path
) -> None:
    of_a_paper = labels_file(tmp_path / "m.csv", {str(row["id"]): "neutral" for row in rows_of(dataset)})
    choices = gramprobe.read(datasets("scope/choice_universal_indefinite", n=FEW))
    runs = open_runs([of_a_paper], [dataset.folder])
    assert "any" not in [one.name for one, _ in chosen((), runs)]
    assert [one.name for one, _ in chosen(("any",), runs)] == ["any"]
    values = {(str(row["id"]), "option_a"): -1.0 for row in rows_of(choices)}
    (other,) = open_runs([values_file(tmp_path / "half.csv", values)], [choices.folder])
    assert [(one.name, own) for one, own in chosen((), [*runs, other]) if one.name == "any"] == [("any", [other])]


@pytest.mark.slow
def test_pairs_that_balance_adds_are_in_no_effect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They have other labels in the same cells: a reader who says entailment is always right, or never."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "paradigm", "mine/first"]) == 0
    file = tmp_path / "grammars/mine/first.paradigm"
    factor = "factor place = plain: trigger | negated: negated\n"
    file.write_text(file.read_text("utf-8") + factor, "utf-8")
    (made,) = gramprobe.load().build("mine/first", tmp_path / "data", n=4)
    own = gramprobe.read(made.folder)
    yes = {str(row["id"]): "entailment" for row in rows_of(own) if str(row["condition"]).endswith("-presupposed")}
    found = study("any").findings(open_runs([labels_file(tmp_path / "yes.csv", yes)], [made.folder]), GIVEN)
    cells = {name: [value(row[-1]) for row in named(found, name).rows] for name in ("any_cells", "any_cells_swapped")}
    assert cells == {"any_cells": [1.0, 1.0], "any_cells_swapped": [0.0, 0.0]}
    effects = named(found, "any_effects")
    assert 'subset(read.csv("answers.csv"), design == "paper")' in " ".join(effects.notes)
