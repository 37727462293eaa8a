"""The study of scope: from files of scores to the tables of the paper, by hand on made-up scores."""

from __future__ import annotations

from collections.abc import Mapping
from json import loads
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from support.datasets import FEW, SharedDatasets
from support.scores import scores_folder, table_file, values_file

import gramprobe
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table
from gramprobe.analysis.papers.scope_claims import ANSWERS, CLAIMS, PARAPHRASES, claims_by_pair, claims_from
from gramprobe.analysis.runs import Run
from gramprobe.analysis.studies.scope import STUDY
from gramprobe.analysis.study import Given
from gramprobe.score.modes import true_false
from gramprobe.source.diagnostic import UsageError

Scores = dict[tuple[str, str], float]


@pytest.fixture(scope="module")
def continuations(datasets: SharedDatasets) -> Path:
    return datasets("scope/continuation_universal_indefinite", n=FEW)


@pytest.fixture(scope="module")
def choices(datasets: SharedDatasets) -> Path:
    return datasets("scope/choice_universal_indefinite", n=FEW)


def rows(dataset: Path) -> list[dict[str, Any]]:
    found = gramprobe.read(dataset)
    return [row for name in found.paradigms for batch in found.rows(name) for row in batch.to_pylist()]


def quadruple(item: str, alpha: float, control: str = "control", base: float = -20.0) -> Scores:
    """Values of an item whose alpha is as given: only F2 after the sentence differs from its control."""
    return {
        (item, "ambiguous/followup_inverse"): base,
        (item, "ambiguous/followup_surface"): base - 1 + alpha,
        (item, f"{control}/followup_inverse"): base,
        (item, f"{control}/followup_surface"): base - 1,
    }


def study(runs: tuple[Run, ...], **given: Any) -> Findings:
    return STUDY.findings(runs, Given(**given))


def table(findings: Findings, name: str) -> Table:
    return next(t for t in findings.tables if t.name == name)


def cells(found: Table, row: int) -> dict[str, Any]:
    return dict(zip((c.key for c in found.columns), found.rows[row], strict=True))


def test_alpha_of_two_models_side_by_side(continuations: Path, tmp_path: Path) -> None:
    items = [row["id"] for row in rows(continuations)]
    alphas = {"one": [3.0, 1.0, -1.0, 2.0, 0.0], "two": [1.0, 2.0, 3.0, 4.0]}
    files = []
    for model, each in alphas.items():
        values: Scores = {}
        for item, alpha in zip(reversed(items), each, strict=False):
            values |= quadruple(item, alpha)
        files.append(values_file(tmp_path / f"{model}.csv", values))
    runs = open_runs(files, [continuations])
    assert all(STUDY.fits(run) for run in runs)
    found = study(runs)
    assert found.tables[0].name == "scope_models"
    for number, (model, each) in enumerate(alphas.items()):
        row = cells(found.tables[0], number)
        assert (row["model"], row["n"]) == (model, len(each))
        assert row["alpha"].value == pytest.approx(fmean(each))
        assert row["positive"].value == pytest.approx(sum(a > 0 for a in each) / len(each))
    pairs = table(found, "scope_alpha")
    assert [row[0] for row in pairs.rows] == ["universal × indefinite"] * 2
    assert pairs.sections == {0: "one", 1: "two"}
    assert all(each.notes[0].startswith("alpha = -[(log P(F1|S)") for each in (found.tables[0], pairs))
    assert "scope_alpha_2" not in [t.name for t in found.tables]  # no value of the second control
    assert any("need people's ratings" in sentence for sentence in found.omitted)


def test_the_second_control_has_its_own_table(continuations: Path, tmp_path: Path) -> None:
    values: Scores = {}
    for i, row in enumerate(rows(continuations)):
        values |= quadruple(row["id"], 1.0 + i) | quadruple(row["id"], 1.0 + i)
        values[row["id"], "control_2/followup_inverse"] = -20.0
        values[row["id"], "control_2/followup_surface"] = -20.0
    found = study(open_runs([values_file(tmp_path / "m.csv", values)], [continuations]))
    first, second = (cells(table(found, name), 0)["alpha"] for name in ("scope_alpha", "scope_alpha_2"))
    assert first.value == pytest.approx(3.0)
    assert second.value == pytest.approx(2.0)  # F2 is one nat likelier after this control


def test_refused_items_are_left_out_and_counted(continuations: Path, tmp_path: Path) -> None:
    items = [row["id"] for row in rows(continuations)]
    scores: dict[tuple[str, str], float | None] = {}
    for i, item in enumerate(items):
        scores |= quadruple(item, float(i))
        scores |= {(item, f"control_2/{part}"): -1.0 for part in ("followup_inverse", "followup_surface")}
    scores[items[0], "ambiguous/followup_surface"] = None
    (run,) = open_runs([scores_folder(tmp_path / "m", continuations, "continuation", scores)], [continuations])
    found = study((run,))
    assert cells(found.tables[0], 0)["n"] == len(items) - 1
    assert cells(found.tables[0], 0)["alpha"].value == pytest.approx(2.5)
    assert found.warnings == ("m: 1 items could not be scored and are left out",)


def test_people_are_beside_the_models(continuations: Path, tmp_path: Path) -> None:
    items = [row["id"] for row in rows(continuations)]
    alphas, means = [3.0, 1.0, -1.0, 2.0, 0.5], [7, 5, 1, 6, 4]
    values: Scores = {}
    for item, alpha in zip(items, alphas, strict=True):
        values |= quadruple(item, alpha)
    columns = ("idx", "sentence", "followup", "stype", "ftype", "workerid", "response")
    rated: list[tuple[object, ...]] = [("unknown", "", "", "S", "F1", 1, 4)]
    for item, mean in zip(items, means, strict=True):
        for stype, ftype, rating in (("S", "F1", 4), ("S", "F2", mean), ("Sc", "F1", 4), ("Sc", "F2", 3)):
            rated += [(item, "", "", stype, ftype, person, rating) for person in (1, 2)]
    ratings = table_file(tmp_path / "ratings.csv", columns, rated[::-1])
    found = study(open_runs([values_file(tmp_path / "m.csv", values)], [continuations]), ratings=ratings)
    people = [log((m - 1 + 0.01) / 6.01) - log(2.01 / 6.01) for m in means]
    first, model = (cells(table(found, "scope_models"), i) for i in (0, 1))
    assert first["model"] == "people"
    assert first["alpha"].value == pytest.approx(fmean(people))
    assert model["r"].value == pytest.approx(correlation(alphas, people))
    kept = table(found, "scope_models_kept")
    assert [cells(kept, i)["n"] for i in (0, 1)] == [4, 4]  # 3 is as likely as the control, and 1 less
    assert cells(kept, 1)["alpha"].value == pytest.approx(fmean([3.0, 1.0, 2.0, 0.5]))
    assert [f.name for f in found.figures] == ["scope_alpha", "scope_people"]
    assert found.warnings == ("ratings.csv: 1 rated items have no scores, `unknown` among them",)
    for figure in found.figures:
        figure.draw()


def correlation(x: list[float], y: list[float]) -> float:
    a, b = [v - fmean(x) for v in x], [v - fmean(y) for v in y]
    top = sum(p * q for p, q in zip(a, b, strict=True))
    return float(top / (sum(p * p for p in a) * sum(q * q for q in b)) ** 0.5)


def choosing(dataset: Path, first: dict[str, float], without: float = 0.0) -> Scores:
    """log P(A) - log P(B) by reading that A picks; P(A) + P(B) is 0.8 with the sentence and 0.5 without it."""
    values: Scores = {}
    for row in rows(dataset):
        reading = "surface" if row["picks_a"] == row["surface"] else "inverse"
        for before, odds, mass in (("", first[reading], 0.8), ("without_context/", without, 0.5)):
            a = mass / (1 + exp(-odds))
            values |= {(row["id"], f"{before}option_a"): log(a), (row["id"], f"{before}option_b"): log(mass - a)}
    return values


def test_who_picks_the_surface_reading_agrees_with_itself(choices: Path, tmp_path: Path) -> None:
    values = choosing(choices, {"surface": 1.0, "inverse": -1.0})
    (run,) = open_runs([scores_folder(tmp_path / "m", choices, "choice", values, tie=1e-9)], [choices])
    found = study((run,))
    row = cells(table(found, "scope_answers"), 0)
    assert (row["n"], row["agreement"], row["first"], row["first_control"]) == (5, 1.0, 0.5, 0.5)
    assert (row["mass"], row["mass_control"]) == (pytest.approx(0.8), pytest.approx(0.5))
    surface = cells(table(found, "scope_surface"), -1)
    assert (surface["share"], surface["control"], surface["shift"]) == (1.0, 0.5, 0.5)
    assert any("preferences.csv" in sentence for sentence in found.omitted)
    assert "scope_accuracy" not in [t.name for t in found.tables]
    for figure in found.figures:
        figure.draw()


def test_who_always_picks_the_first_option_never_agrees(choices: Path, tmp_path: Path) -> None:
    values = choosing(choices, {"surface": 1.0, "inverse": 1.0}, without=1.0)
    found = study(open_runs([values_file(tmp_path / "m.csv", values)], [choices]))
    row = cells(table(found, "scope_answers"), 0)
    assert (row["agreement"], row["first"], row["first_control"]) == (0.0, 1.0, 1.0)
    surface = cells(table(found, "scope_surface"), -1)
    assert (surface["share"], surface["shift"]) == (0.5, 0.0)


@pytest.mark.slow
def test_accuracy_is_against_the_readings_that_people_prefer(choices: Path, tmp_path: Path) -> None:
    """A dataset with preferences for all but one of its sentences: some surface, some inverse."""
    of = {row["sentence"]: row for row in rows(choices)}
    readings = {
        name: (row["surface"], next(r for r in loads(row["readings"]) if r != row["surface"]))
        for name, row in of.items()
    }
    chosen = {sentence: both[i % 2] for i, (sentence, both) in enumerate(list(readings.items())[:-1])}
    own = tmp_path / "own/grammars/scope"
    own.mkdir(parents=True)
    table_file(own / "preferences.csv", ("sentence", "reading"), list(chosen.items()))
    name = "scope/choice_universal_indefinite"
    (built,) = gramprobe.load(tmp_path / "own", names=[name]).build(name, out=tmp_path, n=5)
    assert {row["sentence"] for row in rows(built.folder) if row["preferred"]} == set(chosen)
    values = choosing(built.folder, {"surface": 1.0, "inverse": -1.0})  # always the surface reading
    found = study(open_runs([values_file(tmp_path / "m.csv", values)], [built.folder]))
    accuracy = table(found, "scope_accuracy")
    shares = {row[0]: cells(accuracy, i) for i, row in enumerate(accuracy.rows)}
    assert [shares[name]["n"] for name in ("all", "surface", "inverse")] == [4, 2, 2]
    assert (shares["surface"]["share"], shares["inverse"]["share"]) == (1.0, 0.0)
    assert shares["all"]["share"] == 0.5
    assert shares["surface"]["control"] == 0.5
    pairs = table(found, "scope_accuracy_by_pair")
    assert [row[:3] for row in pairs.rows] == [
        ("universal × indefinite", "inverse", 2),
        ("universal × indefinite", "surface", 2),
    ]


def test_one_order_alone_says_nothing_about_agreement(choices: Path, tmp_path: Path) -> None:
    values = {key: v for key, v in choosing(choices, {"surface": 1.0, "inverse": -1.0}).items() if key[0][-1] == "1"}
    found = study(open_runs([values_file(tmp_path / "m.csv", values)], [choices]))
    assert cells(table(found, "scope_answers"), 0)["agreement"] is None


QUESTIONS = [(reading, claim) for reading in ("surface", "inverse") for claim in CLAIMS]


def claimed(dataset: Path, odds: Mapping[str, list[float]], masses: Mapping[str, float] | None = None) -> Scores:
    """log P(True) - log P(False) of `READING/CLAIM` by instance, the same in both orders, and 1 where nothing is said.
    Both answers together have 0.8 of the probability, or what is given for a claim."""
    values: Scores = {}
    numbers: dict[str, int] = {}
    for row in rows(dataset):
        number = numbers.setdefault(row["instance"], len(numbers))
        for reading, claim in QUESTIONS:
            own = odds.get(f"{reading}/{claim}")
            mass = (masses or {}).get(claim, 0.8)
            true = mass / (1 + exp(-(1.0 if own is None else own[number])))
            part = f"paraphrase_{reading}/{claim}"
            values |= {(row["id"], f"{part}/true"): log(true), (row["id"], f"{part}/false"): log(mass - true)}
    return values


def shares(found: Any, key: str) -> list[float | None]:
    """The values of a column, without their intervals."""
    cells_ = [cells(found, i)[key] for i in range(len(found.rows))]
    return [each.value if isinstance(each, Interval) else each for each in cells_]


def test_the_claims_are_those_that_the_mode_asks() -> None:
    assert {name: (f"This {words}: {{}}", true) for name, (words, true) in CLAIMS.items()} == true_false.CLAIMS
    assert (true_false.PARAPHRASES, tuple(map(str.lower, true_false.ANSWERS))) == (PARAPHRASES, ANSWERS)


def test_claims_are_right_by_claim_and_reading(choices: Path, tmp_path: Path) -> None:
    """All is called true, but for the claim that five sentences may have the surface reading: three times true, once a
    tie, once false. The mean of 1, 1, 1, 0.5, 0 is 0.7; five items have no interval."""
    odds = {"surface/may": [1.0, 2.0, 0.5, 5e-5, -1.0]}
    values = claimed(choices, odds, {"only": 0.4})
    (run,) = open_runs([scores_folder(tmp_path / "m", choices, "true_false", values, tie=1e-4)], [choices])
    assert STUDY.fits(run)
    found = study((run,))
    assert [t.name for t in found.tables] == ["scope_claims", "scope_claims_by_pair"]
    by_claim = [cells(found.tables[0], i) for i in range(5)]
    assert [(row["claim"], row["answer"], row["n_1"]) for row in by_claim] == [
        ("may mean", "True", 10),  # five sentences, two readings; both orders ask the same
        ("does not necessarily mean", "True", 10),
        ("cannot mean", "False", 10),
        ("can only mean", "False", 10),
        ("all", None, 40),
    ]
    assert by_claim[0]["surface_1"] == pytest.approx(0.7)
    assert shares(found.tables[0], "surface_1")[1:4] == [1.0, 0.0, 0.0]
    assert by_claim[4]["surface_1"] == pytest.approx((0.7 + 1) / 4)
    assert shares(found.tables[0], "inverse_1") == [1.0, 1.0, 0.0, 0.0, 0.5]
    assert [row["mass_1"] for row in by_claim] == pytest.approx([0.8, 0.8, 0.8, 0.4, 0.7])
    assert len(found.tables[1].rows) == 1
    pair = cells(found.tables[1], 0)
    assert (pair["pair"], pair["n_1"]) == ("universal × indefinite", 40)
    assert pair["right_1"] == pytest.approx((0.7 + 1 + 2) / 8)


def test_claims_of_two_models_have_a_group_of_columns_each(
    choices: Path, datasets: SharedDatasets, tmp_path: Path
) -> None:
    other = datasets("scope/choice_indefinite_negation", n=FEW)
    never = {f"{reading}/{claim}": [-1.0] * 5 for reading, claim in QUESTIONS}
    right = {f"{reading}/{claim}": [1.0 if CLAIMS[claim][1] else -1.0] * 5 for reading, claim in QUESTIONS}
    folders = [
        scores_folder(tmp_path / "false", choices, "true_false", claimed(choices, never)),
        scores_folder(tmp_path / "true", choices, "true_false", claimed(choices, {})),
    ]
    found = study(open_runs(folders, [choices]))
    by_claim = table(found, "scope_claims")
    assert [column.group for column in by_claim.columns] == ["", "", *["false"] * 4, *["true"] * 4]
    assert shares(by_claim, "surface_1") == [0.0, 0.0, 1.0, 1.0, 0.5]
    assert shares(by_claim, "surface_2") == [1.0, 1.0, 0.0, 0.0, 0.5]
    files = [values_file(tmp_path / "m0.csv", claimed(choices, {}))]
    files.append(values_file(tmp_path / "m1.csv", claimed(other, right)))
    pairs = claims_by_pair({run.model: claims_from(run) for run in open_runs(files, [choices, other])})
    shown = [tuple(cell.value if isinstance(cell, Interval) else cell for cell in row) for row in pairs.rows]
    assert shown == [
        ("universal × indefinite", 40, 0.5, 0, None),
        ("indefinite × negation", 0, None, 40, 1.0),
        ("all", 40, 0.5, 40, 1.0),
    ]


@pytest.mark.slow
def test_claims_without_both_answers_do_not_count(choices: Path, tmp_path: Path) -> None:
    scores: dict[tuple[str, str], float | None] = dict(claimed(choices, {}))
    silent = rows(choices)[0]["instance"]
    for item, part in scores:
        if part == "paraphrase_surface/may/false" or silent in item:
            scores[item, part] = None
    (run,) = open_runs([scores_folder(tmp_path / "m", choices, "true_false", scores)], [choices])
    found = study((run,))
    assert [cells(found.tables[0], i)["n_1"] for i in range(5)] == [4, 8, 8, 8, 28]
    assert (shares(found.tables[0], "surface_1")[0], shares(found.tables[0], "inverse_1")[0]) == (None, 1.0)
    assert cells(found.tables[0], 4)["surface_1"] == pytest.approx(1 / 3)
    none = scores_folder(tmp_path / "none", choices, "true_false", dict.fromkeys(scores))
    with pytest.raises(UsageError, match="no item has all the values"):
        study(open_runs([none], [choices]))


def test_models_of_both_experiments_stand_in_one_report(datasets: SharedDatasets, tmp_path: Path) -> None:
    one = datasets("scope/continuation_universal_indefinite", n=FEW)
    two = datasets("scope/choice_universal_indefinite", n=FEW)
    values: Scores = {}
    for i, row in enumerate(rows(one)):
        values |= quadruple(row["id"], float(i))
    files = [values_file(tmp_path / "a.csv", values)]
    files.append(values_file(tmp_path / "b.csv", choosing(two, {"surface": 1.0, "inverse": -1.0})))
    found = study(open_runs(files, [one, two]))
    assert {"scope_models", "scope_answers"} <= {t.name for t in found.tables}
    assert isinstance(cells(table(found, "scope_models"), 0)["alpha"], Interval)


def test_a_run_without_a_whole_item_is_an_error(continuations: Path, tmp_path: Path) -> None:
    item = rows(continuations)[0]["id"]
    values = {key: v for key, v in quadruple(item, 1.0).items() if "control" not in key[1]}
    runs = open_runs([values_file(tmp_path / "m.csv", values)], [continuations])
    with pytest.raises(UsageError, match="no item has all the values"):
        study(runs)
