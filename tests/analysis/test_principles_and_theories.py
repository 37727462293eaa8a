"""The studies of principles and of theories: by hand on predicted labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from support.datasets import FEW, MANY, SharedDatasets
from support.scores import labels_file, scores_folder

import gramprobe
from gramprobe.analysis.answers import answers, answers_of_models
from gramprobe.analysis.findings import Bars
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table, Value
from gramprobe.analysis.pairs import items_of
from gramprobe.analysis.studies import principles, theories
from gramprobe.analysis.studies.principles import beside_comparable, comparable, kind, principles_of, regression
from gramprobe.analysis.studies.theories import fits_of
from gramprobe.analysis.study import Given
from gramprobe.analysis.theory_labels import COLUMNS
from gramprobe.certify.rule import LABELS
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
    found = principles.STUDY.findings(open_runs(files, [dataset]), Given())
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
    difference = column(table, "difference_1")[0]
    assert value(difference) == pytest.approx(-others)
    assert isinstance(difference, Interval) and difference.high < 0
    assert value(column(table, "joint_1")[0]) == pytest.approx(-others, abs=0.05)
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
    cells = np.array([0, 0, 1, 0, 1, 1])
    found = comparable(right, where, cells)
    assert found is not None
    others, influence = found
    assert others == pytest.approx((2 * 1.0 + 1 * 0.5) / 3)
    # the difference is (2 * (.5 - 1) + 1 * (0 - .5)) / 3; an item moves it by its distance from the mean of its kind
    assert influence.tolist() == pytest.approx([0.5 / 3, -0.5 / 3, 0.0, 0.0, -0.5 / 6, 0.5 / 6])
    assert comparable(right, ~where, np.array([0, 0, 0, 1, 1, 1])) is None


@pytest.mark.slow
def test_principles_that_go_together_are_told_apart_by_a_regression() -> None:
    """Answers lack the first principle alone, which half of the time comes with the second. Estimates and standard
    errors are those of statsmodels with clusters; the third principle is the paradigm."""
    import statsmodels.api as sm

    rng = np.random.default_rng(4)
    clusters, cells = np.repeat(np.arange(60), 6), np.tile(np.arange(6) % 3, 60)
    first = rng.random(360) < 0.5
    rests = np.column_stack([first, np.where(rng.random(360) < 0.5, first, rng.random(360) < 0.3), cells == 1])
    right = (rng.random(360) < 0.9 - 0.6 * first).astype(float)
    found = regression(right, rests, cells, clusters)
    assert found[2] is None
    design = np.column_stack([rests[:, :2], np.eye(3)[cells]]).astype(float)
    fit = sm.OLS(right, design).fit(cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True)
    for at, (low, high) in enumerate(fit.conf_int()[:2].tolist()):
        effect = found[at]
        assert isinstance(effect, Interval)
        wanted = (fit.params[at], low, high)  # t of the clusters of the smaller side, here 59 of 60
        assert (effect.value, effect.low, effect.high) == pytest.approx(wanted, abs=1e-3)
    alone = [right[rests[:, at]].mean() - right[~rests[:, at]].mean() for at in (0, 1)]
    assert alone[1] < -0.2 and abs(value(found[1])) < 0.15 and value(found[0]) < -0.5


def test_a_difference_of_one_item_has_no_interval() -> None:
    """However many others there are: one item right of forty, all of one cell."""
    right, rests = np.arange(40) % 3 == 0, np.arange(40) == 0
    own = principles._Measured(right.astype(float), rests[:, None], np.zeros(40, np.int64), np.arange(40))
    others, difference = beside_comparable(own, rests)
    assert others == pytest.approx(13 / 39) and difference == pytest.approx(26 / 39)
    assert regression(own.right, own.rests, own.cells, own.clusters) == [pytest.approx(26 / 39)]
    rests = np.arange(40) < 8  # as many as have an interval
    assert isinstance(beside_comparable(own, rests)[1], Interval)


def test_principles_that_are_not_lacking_are_seldom_said_to_be() -> None:
    """Of answers that are right at .8 whatever they rest on, in sets of 12 instances of 6 items, the intervals of what
    is beside comparable items and of the regression leave out 0 about as often as they say."""
    rng, out = np.random.default_rng(8), np.zeros(2)
    clusters, cells = np.repeat(np.arange(12), 6), np.tile(np.arange(6) % 2, 12)
    for _ in range(300):
        share = np.repeat(rng.beta(4, 1, 12), 6)
        right, rests = (rng.random(72) < share).astype(float), rng.random((72, 2)) < 0.5
        own = principles._Measured(right, rests, cells, clusters)
        found = [beside_comparable(own, rests[:, 0])[1], regression(right, rests, cells, clusters)[0]]
        out += [isinstance(each, Interval) and not each.low <= 0 <= each.high for each in found]
    assert (out / 300 < 0.1).all() and (out > 0).all()


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
    given = Given(labels=(gramprobe.read(symmetric),))
    found = theories.STUDY.findings(open_runs(files, [own]), given)
    summary, pairs, rivals = found.tables
    assert summary.rows[0][0] == "numerals-symmetric"
    assert dict(zip(column(rivals, "theory"), column(rivals, "ahead"), strict=True))["numerals-symmetric"] == "yes"
    fits = dict(zip(column(summary, "theory"), column(summary, "fit"), strict=True))
    assert value(fits["numerals-symmetric"]) == pytest.approx(1 - 1 / len(gold))
    assert value(fits["numerals"]) == pytest.approx(fmean(answers[item] == gold[item] for item in gold))
    row = next(row for row in pairs.rows if set(row[:2]) == {"numerals-symmetric", "numerals"})
    assert row[2:4] == (len(differ) - 1, 1)
    assert value(row[4]) == pytest.approx((len(differ) - 2) / len(gold))
    chance = dict(zip(column(summary, "theory"), map(value, column(summary, "chance")), strict=True))
    assert value(row[5]) == pytest.approx(value(row[4]) - chance["numerals-symmetric"] + chance["numerals"])
    assert row[6] == "numerals-symmetric"
    found.figures[0].draw()


def test_labels_of_other_readings_are_theories_too(own: Path, tmp_path: Path) -> None:
    items = rows(own)
    files = [labels_file(tmp_path / "m.csv", {row["id"]: row["label_literal"] for row in items})]
    found = theories.STUDY.findings(open_runs(files, [own]), Given())
    assert found.tables[0].rows[0][0] == "literal"
    assert value(found.tables[0].rows[0][5]) == 1.0
    differing = sum(
        len({row["label_literal"], row["label_imppres"], *json.loads(row["labels_by_theory"]).values()}) > 1
        for row in items
    )
    assert found.tables[0].rows[0][1] == differing


def test_with_two_labels_theories_differ_where_the_model_can_tell(own: Path, symmetric: Path, tmp_path: Path) -> None:
    labels = {row["id"]: row["label_name"] for row in rows(symmetric)}
    scores = {
        (item, "hypothesis"): (0.0, -9.0) if label == "entailment" else (-9.0, 0.0) for item, label in labels.items()
    }
    folder = scores_folder(tmp_path / "two", own, "nli", scores, values=("entailment", "not_entailment"))
    found = theories.STUDY.findings(open_runs([folder], [own]), Given(labels=(gramprobe.read(symmetric),)))
    told = {
        row["id"]: {
            label == "entailment"
            for label in (row["label_literal"], row["label_imppres"], *json.loads(row["labels_by_theory"]).values())
        }
        for row in rows(own)
    }
    assert found.tables[0].rows[0][0] == "numerals-symmetric"
    assert found.tables[0].rows[0][1] == sum(len(each) > 1 for each in told.values())


@pytest.mark.slow
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
    found = theories.STUDY.findings(open_runs(files, [own]), Given(labels=(gramprobe.read(fewer),)))
    lost = len(rows(own)) - len(shared)
    assert f"m: {lost:,} items have no label under some theory and are left out" in found.warnings
    assert found.tables[0].rows[0][4] == len(shared)


def verdicts(dataset: Path, file: Path, given: Given, answer: Mapping[str, str]) -> set[Value]:
    found = theories.STUDY.findings(open_runs([labels_file(file, answer)], [dataset]), given)
    return set(column(found.tables[1], "better")) - {None}


@pytest.mark.slow
def test_who_does_not_reason_follows_no_theory(own: Path, symmetric: Path, tmp_path: Path) -> None:
    """No constant answer, no rate of labels, no rule and no reader; and a theory is found below much noise."""
    rng = np.random.default_rng(2)
    given = Given(labels=(gramprobe.read(symmetric),))
    labels = {row["id"]: row["label_name"] for row in rows(symmetric)}
    read = gramprobe.read(own)
    seen = items_of(read, read.paradigms)
    blind = {label: dict.fromkeys(labels, label) for label in LABELS}
    blind["rates"] = dict(zip(labels, rng.choice(LABELS, len(labels), p=[0.25, 0.45, 0.3]).tolist(), strict=True))
    for name, said in {**seen.said, **seen.guesses}.items():
        blind[name] = {i: (*LABELS, "neutral")[n] for i, n in zip(seen.ids, said.tolist(), strict=True)}
    for name, answer in blind.items():
        assert verdicts(own, tmp_path / f"{name.replace(' ', '_')}.csv", given, answer) == set(), name
    for noise in (0.2, 0.6):
        answer = {i: str(rng.choice(LABELS)) if rng.random() < noise else label for i, label in labels.items()}
        assert "numerals-symmetric" in verdicts(own, tmp_path / f"{noise}.csv", given, answer)


def test_theories_with_the_same_labels_share_one_line(own: Path, tmp_path: Path) -> None:
    """For a model that only tells entailment from its absence more theories are one."""
    labels = {row["id"]: row["label_name"] for row in rows(own)}
    scores = {
        (item, "hypothesis"): (0.0, -9.0) if label == "entailment" else (-9.0, 0.0) for item, label in labels.items()
    }
    folder = scores_folder(tmp_path / "two", own, "nli", scores, values=("entailment", "not_entailment"))
    runs = open_runs([folder, labels_file(tmp_path / "three.csv", labels)], [own])
    (two,), (three,) = (fits_of(each, Given(), []) for each in answers_of_models(runs, COLUMNS))
    names = [[set(line.split(" = ")) for line in fitted.theories] for fitted in (two, three)]
    assert set().union(*names[0]) == set().union(*names[1])
    for fitted in (two, three):
        assert len({own.tobytes() for own in fitted.right.T}) == len(fitted.theories)


@pytest.mark.slow
def test_the_fit_by_chance_is_that_of_answers_dealt_out_anew(own: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    answer = {row["id"]: str(rng.choice(LABELS, p=[0.6, 0.3, 0.1])) for row in rows(own)}
    (run,) = open_runs([labels_file(tmp_path / "m.csv", answer)], [own])
    (fitted,) = fits_of(answers(run, COLUMNS), Given(), [])
    means = []
    for n in range(4):
        dealt = dict(zip(answer, rng.permutation(list(answer.values())).tolist(), strict=True))
        (run,) = open_runs([labels_file(tmp_path / f"{n}.csv", dealt)], [own])
        (again,) = fits_of(answers(run, COLUMNS), Given(), [])
        assert again.chance.mean(axis=0).tolist() == pytest.approx(fitted.chance.mean(axis=0).tolist())
        means.append(again.right.mean(axis=0))
    assert np.mean(means, axis=0).tolist() == pytest.approx(fitted.chance.mean(axis=0).tolist(), abs=0.04)


@pytest.mark.slow
def test_paradigms_of_several_theories_are_compared_by_those_that_they_share(
    datasets: SharedDatasets, tmp_path: Path
) -> None:
    """Numerals have three theories, bare quantifiers two others; readings beside the derived one are shared by all.
    Two models stand in one figure."""
    numerals, bare, adverbs = among = ("numerals_2_3_have", "quantifiers_bare", "adverbs_sometimes")
    whole = datasets("implicature", among=among, n=FEW)
    items = {row["id"]: row for row in rows(whole) if row["label_name"]}
    files = [labels_file(tmp_path / "literal.csv", {item: row["label_literal"] for item, row in items.items()})]
    files.append(labels_file(tmp_path / "derived.csv", {item: row["label_name"] for item, row in items.items()}))
    found = theories.STUDY.findings(open_runs(files, [whole]), Given())
    of = {
        theory: next(
            table for table in found.tables[::3] if any(theory in str(row[0]).split(" = ") for row in table.rows)
        )
        for theory in ("numerals-symmetric", "implicature-no-import")
    }
    assert f"Paradigms: {numerals}." in of["numerals-symmetric"].caption
    assert f"Paradigms: {bare}." in of["implicature-no-import"].caption
    for table in of.values():
        assert list(table.sections.values()) == ["literal", "derived"]
        assert table.rows[0][0] == "literal" and value(table.rows[0][5]) == 1.0
    shared = next(table for table in found.tables[::3] if table not in of.values())
    assert adverbs in shared.caption and bare in shared.caption and numerals not in shared.caption
    # `implicature` is the theory of both of these
    assert {row[0] for row in shared.rows} >= {"implicature", "literal"}
    drawn = found.figures[0].draw
    assert isinstance(drawn, Bars) and list(drawn.series) == ["literal", "derived"]
    drawn()
