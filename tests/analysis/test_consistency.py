"""The study of consistency: derived labels break no law, and a planted break is counted where it applies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.datasets import FEW, MANY, SOME_TRIGGERS, SharedDatasets
from support.scores import labels_file, scores_folder, values_file

import gramprobe
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Value
from gramprobe.analysis.studies.consistency import LAWS, STUDY, dealt, unlike
from gramprobe.analysis.study import Given
from gramprobe.source.diagnostic import UsageError

Row = dict[str, Any]
Label = Callable[[Row], str | None]


@pytest.fixture(scope="module")
def scales(datasets: SharedDatasets) -> Path:
    """Every ordered pair of four sentences: weak, strong and their negations."""
    return datasets("implicature/quantifiers_bare", n=FEW)


def rows(dataset: Path) -> list[Row]:
    found = gramprobe.read(dataset)
    return [row for name in found.paradigms for batch in found.rows(name) for row in batch.to_pylist()]


def study(files: list[Path], *datasets: Path) -> Findings:
    runs = open_runs(files, datasets)
    assert all(STUDY.fits(run) for run in runs)
    return STUDY.findings(runs, Given())


def laws(found: Findings) -> dict[str, dict[str, Value]]:
    table = found.tables[0]
    return {str(row[0]): dict(zip((c.key for c in table.columns), row, strict=True)) for row in table.rows}


def share(value: Value) -> float:
    assert isinstance(value, float | Interval)
    return value.value if isinstance(value, Interval) else value


def answered(dataset: Path, file: Path, label: Label) -> Path:
    given = {row["id"]: label(row) for row in rows(dataset)}
    return labels_file(file, {id_: said for id_, said in given.items() if said})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "among"),
    [
        ("presupposition", SOME_TRIGGERS),
        pytest.param("presupposition", (), marks=pytest.mark.deep),
        ("theory_of_mind/depth", ()),
        ("theory_of_mind/story_search", ()),
    ],
    ids=["triggers", "every trigger", "depth", "story_search"],
)
def test_derived_labels_break_no_law(name: str, among: Sequence[str], datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = datasets(name, among=among, n=FEW)
    found = study([answered(dataset, tmp_path / "gold.csv", lambda row: row["label_name"])], dataset)
    every = laws(found)
    (sentence,) = found.omitted
    assert {law for law, what in LAWS.items() if what in sentence} == set(LAWS) - set(every)
    for row in every.values():
        assert row["gold"] == 0
        if row["applies_1"]:
            assert share(row["broken_1"]) == 0
    assert all(row[4] is None or share(row[4]) == 0 for table in found.tables[1:] for row in table.rows)


def test_what_premises_convey_breaks_laws_of_what_is_said(scales: Path, tmp_path: Path) -> None:
    """All => some, and some => not all; and some contradicts all, which entails it."""
    file = answered(scales, tmp_path / "literal.csv", lambda row: row["label_literal"])
    every = laws(study([file], scales))
    assert all(not row["applies_1"] or share(row["broken_1"]) == 0 for row in every.values())
    assert {law for law, row in every.items() if row["gold"]} == {"symmetry", "transitivity"}


def test_a_contradiction_in_one_direction_is_a_break(scales: Path, tmp_path: Path) -> None:
    one_way = answered(
        scales, tmp_path / "m.csv", lambda row: "contradiction" if row["condition"] == "weak-not_weak" else "neutral"
    )
    row = laws(study([one_way], scales))["symmetry"]
    assert row["cases_1"] == FEW * 12
    assert row["applies_1"] == FEW  # one of the twelve in each instance
    assert share(row["broken_1"]) == pytest.approx(1 / 12)


def test_chains_are_followed(scales: Path, tmp_path: Path) -> None:
    links = {"strong-weak": "entailment", "weak-not_strong": "entailment", "strong-not_strong": "neutral"}
    links |= {"not_weak-weak": "contradiction", "weak-not_weak": "contradiction", "strong-not_weak": "contradiction"}
    file = answered(scales, tmp_path / "m.csv", lambda row: links.get(row["condition"], "neutral"))
    found = laws(study([file], scales))
    # three of four sentences, or the first of them about the other noun
    assert found["transitivity"]["cases_1"] == FEW * 2 * 4 * 3 * 2
    assert found["transitivity"]["applies_1"] == FEW
    assert share(found["transitivity"]["broken_1"]) == pytest.approx(1 / (2 * 4 * 3 * 2))
    # strong => weak, weak x not_weak: strong x not_weak is said; weak => not_strong, which contradicts nothing
    assert (found["excluded"]["applies_1"], share(found["excluded"]["broken_1"])) == (FEW, 0.0)


def negate(one: str, other: str) -> bool:
    return one in (f"~{other}", f"~({other})") or other in (f"~{one}", f"~({one})")


def plain(row: Row) -> bool:
    forms = (row["premise_form"], row["hypothesis_form"])
    return not any(form.startswith(("exh ", "? ")) or " / " in form for form in forms)


@pytest.mark.slow
def test_contraposition_is_tested_without_presupposition(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = datasets("implicature/modals_bare", n=MANY)
    every = rows(dataset)
    both = [
        (one, other)
        for one in every
        for other in every
        if one["instance"] == other["instance"] and one is not other and plain(one) and plain(other)
        if negate(one["hypothesis_form"], other["premise_form"])
        and negate(one["premise_form"], other["hypothesis_form"])
    ]
    assert both
    first = {one["id"] for one, _ in both[:1]}
    file = answered(dataset, tmp_path / "m.csv", lambda row: "entailment" if row["id"] in first else "neutral")
    found = laws(study([file], dataset))["contraposition"]
    assert found["cases_1"] == len(both)
    assert found["applies_1"] == 1
    assert share(found["broken_1"]) == pytest.approx(1 / len(both))


def test_pairs_of_one_shape_are_compared_up_to_renaming(scales: Path, tmp_path: Path) -> None:
    odd = rows(scales)[0]
    file = answered(scales, tmp_path / "m.csv", lambda row: "entailment" if row["id"] == odd["id"] else "neutral")
    group = [row for row in rows(scales) if row["shape"] == odd["shape"]]
    row = laws(study([file], scales))["renaming"]
    n = len(group)
    assert n > 1
    # the odd item differs from all others of its group, each of them from one of n - 1
    assert isinstance(row["applies_1"], int)
    assert share(row["broken_1"]) * row["applies_1"] == pytest.approx(1 + (n - 1) / (n - 1))


def test_ties_are_left_out_and_two_labels_do(scales: Path, tmp_path: Path) -> None:
    scores = {
        (row["id"], "hypothesis"): (log(0.5),) * 2 if i == 0 else (log(0.2), log(0.8))
        for i, row in enumerate(rows(scales))
    }
    folder = scores_folder(tmp_path / "two", scales, "nli", scores, values=("entailment", "not_entailment"))
    found = study([folder], scales)
    assert found.warnings == ("two: 1 items in which labels tie are left out",)
    assert laws(found)["transitivity"]["applies_1"] == 0


def test_a_choice_that_hangs_on_the_order_is_a_break(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = datasets("scope/choice_universal_indefinite", n=FEW)
    values: dict[tuple[str, str], float] = {}
    for row in rows(dataset):
        values |= {(row["id"], "option_a"): log(0.6), (row["id"], "option_b"): log(0.3)}
    found = study([values_file(tmp_path / "m.csv", values)], dataset)
    row = laws(found)["order"]
    assert (row["cases_1"], share(row["broken_1"])) == (5, 1.0)


def test_choices_without_a_whole_item_are_an_error(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = datasets("scope/choice_universal_indefinite", n=FEW)
    first = rows(dataset)[0]["id"]
    scores = {(first, "option_a"): -1.0, (first, "option_b"): None}
    folder = scores_folder(tmp_path / "m", dataset, "choice", scores)
    with pytest.raises(UsageError, match="no choice has values of both options"):
        study([folder], dataset)


def test_a_law_broken_by_chance_is_broken_so_often_where_answers_are_dealt_out_anew() -> None:
    given, rng = Counter(a=7, b=4, c=2), np.random.default_rng(1)
    answers = np.array(list(given.elements()))
    drawn = np.array([rng.permutation(answers)[:3] for _ in range(4000)])
    twice = ((drawn[:, 0] == "a") & (drawn[:, 1] == "a") & (drawn[:, 2] != "a")).mean()
    assert dealt(given, ["a", "a"], "a") == pytest.approx(twice, abs=0.02)
    assert unlike(given) == pytest.approx((drawn[:, 0] != drawn[:, 1]).mean(), abs=0.03)
    assert dealt(Counter(a=9), ["a"], "a") == unlike(Counter(a=9)) == 0.0
    assert dealt(Counter(a=9), ["b", "b"], "a") == 0.0


def test_who_answers_at_random_breaks_laws_as_often_as_by_chance(scales: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    said = ("entailment", "neutral", "contradiction")
    file = answered(scales, tmp_path / "m.csv", lambda row: str(rng.choice(said, p=[0.5, 0.2, 0.3])))
    row = laws(study([file], scales))["transitivity"]
    assert share(row["broken_1"]) == pytest.approx(share(row["chance_1"]), abs=0.03)
    assert share(row["chance_1"]) == pytest.approx(0.5 * 0.5 * 0.5, abs=0.03)


def test_theories_whose_labels_break_a_law_are_named(scales: Path, tmp_path: Path) -> None:
    file = answered(scales, tmp_path / "m.csv", lambda row: row["label_literal"])
    every = laws(study([file], scales))
    assert every["symmetry"]["gold"] and "literal" not in str(every["symmetry"]["theories"])
    assert "pragmatic" in str(every["transitivity"]["theories"])
