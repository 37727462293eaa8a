"""The study of IMPPRES: shares, filter and contrasts of answers that were written for it, counted by hand."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support import imppres_files as files
from support import models
from support.datasets import FEW, SOME_TRIGGERS, SharedDatasets
from support.released import EXACTLY, from_released
from support.tables import cells, number, table

import gramprobe
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.papers import imppres
from gramprobe.analysis.papers.imppres import Pairs
from gramprobe.analysis.studies import chosen
from gramprobe.analysis.studies.imppres import findings_of
from gramprobe.analysis.study import Given
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.read import Dataset
from gramprobe.formats import labels as label_files
from gramprobe.formats.imppres import RELATIONS
from gramprobe.score.order import RunOrder
from gramprobe.score.run import score
from gramprobe.source.diagnostic import UsageError

GIVEN = Given()
Answer = Callable[[dict[str, Any], int], str | None]
"""The label that is written for a row, whose instance has a number; None leaves the row out."""


def rows_of(dataset: Dataset) -> Iterator[tuple[dict[str, Any], int]]:
    """Rows with the number of their instance within the paradigm."""
    for paradigm in dataset.paradigms:
        numbers: dict[str, int] = {}
        for batch in dataset.rows(
            paradigm, ["id", "instance", "condition", "design", "label_name", "label_literal", "label_imppres"]
        ):
            for row in batch.to_pylist():
                yield row, numbers.setdefault(row["instance"], len(numbers))


def written(path: Path, dataset: Dataset, answer: Answer) -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines)
        writer.writerow(["item", "label"])
        for row, number in rows_of(dataset):
            label = answer(row, number)
            if label is not None:
                writer.writerow([row["id"], label])
    return path


def found(folder: Path, path: Path, *answers: Answer, labels: tuple[Path, ...] = ()) -> Findings:
    """The findings about answers that a file has."""
    dataset = gramprobe.read(folder)
    paths = [written(path / f"m{i + 1}.csv", dataset, answer) for i, answer in enumerate(answers)]
    given = Given(labels=tuple(gramprobe.read(each) for each in labels))
    ((study, runs),) = chosen(["imppres"], open_runs(paths, [folder]))
    return study.findings(runs, given)


# -- presuppositions


def presupposing(row: dict[str, Any], number: int) -> str | None:
    """Right, but for six of the 95 pairs; the fifth instance lacks a control."""
    wrong = {
        (0, "trigger-presupposed"): "neutral",
        (1, "negated-trigger"): "neutral",
        (2, "trigger-denied"): "neutral",
        (3, "negated-neutral"): "entailment",
        (3, "interrogative-presupposed"): "neutral",
        (0, "conditional-neutral"): "entailment",
        (4, "modal-trigger"): None,
    }
    return wrong.get((number, row["condition"]), row["label_name"])


@pytest.fixture(scope="module")
def both(datasets: SharedDatasets, tmp_path_factory: pytest.TempPathFactory) -> Findings:
    folder = datasets("presupposition/both", n=FEW)
    return found(folder, tmp_path_factory.mktemp("both"), presupposing, lambda row, _: "entailment")


def test_accuracy_by_embedding_and_item_type(both: Findings) -> None:
    accuracy = table(both, "imppres_presupposition")
    assert len(accuracy.rows) == 19
    plain = cells(accuracy, "plain", "presupposed")
    assert (plain["label"], plain["n_1"], plain["model_1"], plain["model_2"]) == ("entailment", 5, 0.8, 1.0)
    assert cells(accuracy, "plain", "denied")["model_1"] == 0.8
    assert cells(accuracy, "plain", "denied")["model_2"] == 0.0
    modal = cells(accuracy, "modal", "plain trigger (control)")
    assert (modal["n_1"], modal["model_1"], modal["n_2"], modal["model_2"]) == (4, 1.0, 5, 0.0)
    assert cells(accuracy, "negated", "plain trigger (control)")["model_1"] == 0.8


def test_the_filter_is_of_the_plain_trigger_and_of_the_operators_own_control(both: Findings) -> None:
    projection = table(both, "imppres_projection")
    assert len(projection.rows) == 15
    expected = {
        # plain: instance 0 is out
        ("plain", "presupposed"): (5, 0.8, 4, 1.0),
        ("plain", "denied"): (5, 0.8, 4, 0.75),
        ("plain", "neutral"): (5, 1.0, 4, 1.0),
        # negated: instance 1 too
        ("negated", "presupposed"): (5, 1.0, 3, 1.0),
        ("negated", "neutral"): (5, 0.8, 3, 2 / 3),
        ("interrogative", "presupposed"): (5, 0.8, 4, 0.75),
        # modal: 4 cannot be judged
        ("modal", "presupposed"): (5, 1.0, 3, 1.0),
        ("conditional", "neutral"): (5, 0.8, 4, 1.0),
    }
    for stub, numbers in expected.items():
        row = cells(projection, *stub)
        assert tuple(row[f"{key}_1"] for key in ("n_before", "before", "n_after", "after")) == pytest.approx(numbers)


def test_what_the_filter_keeps_nothing_of_is_empty(both: Findings) -> None:
    row = cells(table(both, "imppres_projection"), "negated", "presupposed")
    assert (row["n_before_2"], row["before_2"], row["n_after_2"], row["after_2"]) == (5, 1.0, 0, None)


def test_a_control_without_an_answer_is_said(both: Findings) -> None:
    said = "\n".join(both.warnings)
    assert "m1: pairs of presuppositions without an answer, which are left out: 1" in said
    assert "pair that the filter reads has no answer: 3" in said
    assert any("Figures 2 to 4" in sentence and "implicature" in sentence for sentence in both.omitted)


@pytest.mark.slow
def test_triggers_are_kept_apart_and_counted_together(datasets: SharedDatasets, tmp_path: Path) -> None:
    folder = datasets("presupposition", among=SOME_TRIGGERS, n=FEW)

    def answer(row: dict[str, Any], number: int) -> str:
        wrong = "/possessed_definites_existence/" in row["id"] and row["condition"] == "trigger-presupposed"
        return "neutral" if wrong else str(row["label_name"])

    findings = found(folder, tmp_path, answer)
    count = len(gramprobe.read(folder).paradigms)
    by_trigger = table(findings, "imppres_projection_triggers")
    assert cells(by_trigger, "plain", "denied", section="possessed_definites_existence")["n_after_1"] == 0
    assert cells(by_trigger, "plain", "denied", section="both")["n_after_1"] == FEW
    together = table(findings, "imppres_projection")
    assert list(together.sections.values()) == ["all triggers"]
    assert cells(together, "plain", "denied")["n_after_1"] == FEW * count - FEW


def test_two_labels_make_neutral_and_contradiction_one(datasets: SharedDatasets, tmp_path: Path) -> None:
    def answer(row: dict[str, Any], number: int) -> str:
        return "entailment" if row["condition"].endswith("presupposed") else "not_entailment"

    findings = found(datasets("presupposition/both", n=FEW), tmp_path, answer)
    assert {number(row[-1]) for row in table(findings, "imppres_presupposition").rows} == {1.0}
    assert any("two labels" in warning for warning in findings.warnings)


# -- implicatures


def implicating(row: dict[str, Any], number: int) -> str | None:
    """The label of `imppres`, but where the strong word or a negation comes first in instance 0; one literal, one
    neither."""
    if row["condition"] in ("strong-weak", "not_strong-weak") and number == 0:
        return str(row["label_literal"])
    if row["condition"] == "weak-strong" and number == 1:
        return "entailment"
    if row["condition"] == "strong-not_strong" and number == 2:
        return "neutral"
    return str(row["label_imppres"])


@pytest.fixture(scope="module")
def quantifiers(datasets: SharedDatasets, tmp_path_factory: pytest.TempPathFactory) -> Findings:
    return found(datasets("implicature/quantifiers_subject", n=FEW), tmp_path_factory.mktemp("some"), implicating)


def test_answers_are_pragmatic_or_literal_or_neither(quantifiers: Findings) -> None:
    row = cells(table(quantifiers, "imppres_implicature"), "quantifiers_subject")
    assert (row["targets"], row["controls"]) == (30, 30)
    assert [row[name] for name in imppres.BEHAVIOURS] == pytest.approx([27 / 30, 2 / 30, 0, 1 / 30])
    assert row["control"] == pytest.approx(29 / 30)


def test_conditions_have_the_relations_of_table_2(quantifiers: Findings) -> None:
    by_condition = table(quantifiers, "imppres_conditions")
    assert len(by_condition.rows) == 12
    row = cells(by_condition, "strong-weak")
    assert (row["relation"], row["trigger"], row["negation"]) == (
        "reverse negated implicature (+)", "hypothesis", "neither",
    )  # fmt: skip
    assert (row["literal"], row["pragmatic"], row["n"]) == ("entailment", "contradiction", 5)
    assert [row[f"share_{name}"] for name in imppres.BEHAVIOURS] == [0.8, 0.2, 0.0, 0.0]
    assert cells(by_condition, "weak-strong")["share_neither"] == 0.2
    assert cells(by_condition, "strong-not_strong")["share_both"] == 0.8


def test_contrasts_are_within_an_instance(quantifiers: Findings) -> None:
    contrasts = table(quantifiers, "imppres_contrasts")
    assert {row[1] for row in contrasts.rows} == {5}
    differences: dict[Any, Any] = {row[0]: number(row[2]) for row in contrasts.rows}
    # weak-strong 1 0 1 1 1 (of instances 0 to 4) less strong-weak 0 1 1 1 1
    assert differences["order, +: trigger in the premise, less in the hypothesis"] == 0.0
    assert differences["order, −: trigger in the premise, less in the hypothesis"] == 0.0
    # 1 less the mean of the two above, in instances 0 and 1
    assert differences["negation in both sentences, less in neither"] == pytest.approx(0.2)
    assert differences["negation in the premise, less in the hypothesis"] == pytest.approx(-0.2)
    assert differences["negation in the hypothesis, less in neither"] == pytest.approx(0.2)


def test_the_published_relations_are_those_of_the_sentences() -> None:
    for relation in imppres.RELATIONS:
        premise, hypothesis = relation.condition.split("-")
        triggers = {"premise": premise in ("weak", "not_strong"), "hypothesis": hypothesis in ("weak", "not_strong")}
        both = "both" if all(triggers.values()) else next((side for side, it_is in triggers.items() if it_is), "")
        assert relation.trigger in ("", both)
    said = [relation.negation for relation in imppres.RELATIONS[:5]]
    assert said == ["hypothesis", "premise", "neither", "neither", "both"]


@pytest.mark.slow
def test_exactly_is_a_third_behaviour_of_numerals(datasets: SharedDatasets, tmp_path: Path) -> None:
    name = "implicature/numerals_2_3_existential"
    folder, other = datasets(name, n=FEW), datasets(name, n=FEW, theory="numerals-exact")
    exact = {row["id"]: row["label_name"] for row, _ in rows_of(gramprobe.read(other))}
    findings = found(folder, tmp_path, lambda row, _: exact[row["id"]], labels=(other,))
    numerals = table(findings, "imppres_numerals")
    assert {row[0]: row[3] for row in numerals.rows if row[0] != "agreement"} == EXACTLY
    whole = cells(numerals, "agreement")
    assert (whole["n"], whole["agree_exactly"]) == (60, 1.0)
    # of twelve pairs `exactly` has another label than `at least` in six, than `at least` with implicatures in three
    assert whole["agree_literal"] == pytest.approx(6 / 12)
    assert whole["agree_pragmatic"] == pytest.approx(9 / 12)
    assert findings.omitted == tuple(sentence for sentence in findings.omitted if "third behaviour" not in sentence)


def test_what_to_build_for_exactly_is_said(datasets: SharedDatasets, tmp_path: Path) -> None:
    findings = found(
        datasets("implicature/numerals_2_3_existential", n=FEW), tmp_path, lambda row, _: row["label_name"]
    )
    assert any("--theory numerals-exact" in sentence for sentence in findings.omitted)
    assert all(each.name != "imppres_numerals" for each in findings.details)
    assert any("two labels are one" in warning and "numerals" in warning for warning in findings.warnings)


def test_a_partial_run_says_what_lacks(datasets: SharedDatasets, tmp_path: Path) -> None:
    def answer(row: dict[str, Any], number: int) -> str | None:
        return None if row["condition"] == "weak-strong" and number < 3 else str(row["label_imppres"])

    findings = found(datasets("implicature/quantifiers_subject", n=FEW), tmp_path, answer)
    counts = {row[0]: row[1] for row in table(findings, "imppres_contrasts").rows}
    assert counts["order, +: trigger in the premise, less in the hypothesis"] == 2
    assert counts["order, −: trigger in the premise, less in the hypothesis"] == 5
    assert any("without answers to all six target pairs: 3" in warning for warning in findings.warnings)


def column(*values: str) -> Any:
    return np.array(values, dtype=object)


def test_a_tie_is_shared_and_does_not_pass_the_filter() -> None:
    pairs = Pairs(
        "m", column("t", "t"), column("i", "j"), column("plain-presupposed", "plain-presupposed"),
        *(column("entailment", "entailment"),) * 2, column("", ""), ("entailment", "neutral", "contradiction"),
        np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]),
    )  # fmt: skip
    assert imppres.filtered(pairs).kept.tolist() == [False, True]
    findings = findings_of([pairs])
    assert cells(table(findings, "imppres_presupposition"), "plain", "presupposed")["model_1"] == 0.75
    assert any(
        "answers to presuppositions with two or more labels equally likely, each counted in parts: 1" in warning
        for warning in findings.warnings
    )


def test_figures_are_drawn(quantifiers: Findings, both: Findings) -> None:
    names = {figure.name for findings in (quantifiers, both) for figure in findings.figures}
    assert {"imppres_implicature_targets", "imppres_determiners", "imppres_projection"} <= names
    for findings in (quantifiers, both):
        for figure in findings.figures:
            assert figure.draw().axes
    (drawn,) = (figure.draw() for figure in quantifiers.figures if figure.name == "imppres_determiners")
    assert drawn.axes[0].get_yticklabels()[0].get_text() == "weak ⇒ not strong (n = 5)"


def test_the_models_of_a_figure_stand_beside_each_other(quantifiers: Findings) -> None:
    assert len({figure.name for figure in quantifiers.figures}) == len(quantifiers.figures) == 3


# -- the released files: rows of ours in their format


def released_implicature(path: Path, paradigms: int = 2) -> Path:
    labels = {"target": ("neutral", "entailment"), "control": ("contradiction", "contradiction")}
    with path.open("w", encoding="utf-8") as lines:
        for _ in range(paradigms):
            for relation in imppres.RELATIONS:
                kind = "target" if relation.trigger else "control"
                log, prag = labels[kind]
                row = {
                    "sentence1": "Some clocks stopped.", "sentence2": "Not all clocks stopped.",
                    "gold_label_log": log, "gold_label_prag": prag, "spec_relation": RELATIONS[relation.condition],
                    "item_type": kind, "trigger": "some", "lexemes": "some - all",
                }  # fmt: skip
                lines.write(json.dumps(row) + "\n")
    return path


def released_presupposition(path: Path, paradigms: int = 3) -> Path:
    versions = {"positive": "entailment", "negated": "contradiction", "neutral": "neutral"}
    operators = ("negated", "interrogative", "modal", "conditional")
    rows: list[dict[str, Any]] = []
    for paradigm in range(paradigms):
        common = {"sentence1": "Kim's cat ran.", "sentence2": "Kim has a cat.", "UID": "x", "paradigmID": paradigm}
        for trigger in ("unembedded", *operators):
            for version, label in versions.items():
                rows.append({**common, "trigger": trigger, "presupposition": version, "gold_label": label})
        for trigger in operators:
            label = "contradiction" if trigger == "negated" else "neutral"
            control = {"trigger1": trigger, "trigger2": "unembedded", "control_item": True}
            rows.append({**common, **control, "gold_label": label})
    for i, row in enumerate(rows):
        row["pairID"] = f"{i}{row['gold_label'][0]}"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def as_numbers(labels: list[str]) -> Any:
    return np.array([[float(label == each) for each in LABELS] for label in labels])


def test_released_predictions_pass_the_same_filter(tmp_path: Path) -> None:
    items = files.presupposition(released_presupposition(tmp_path / "both_presupposition.jsonl"))
    labels = items.column("label").to_pylist()
    labels[0] = "neutral"  # paradigm 0: plain => positive
    labels[19 + 15] = "entailment"  # paradigm 1: the negated control
    labels[2 * 19 + 4] = "entailment"  # paradigm 2: negated => negated presupposition
    np.save(tmp_path / "bert.npy", as_numbers(labels))
    pairs = from_released(items, files.predictions(tmp_path / "bert.npy", items), "BERT")
    findings = findings_of([pairs])
    projection = table(findings, "imppres_projection")
    assert {projection.sections[0]} == {"both"}
    kept = {row[:2]: row[4] for row in projection.rows}
    assert [kept[each, "presupposed"] for each in imppres.EMBEDDINGS] == [2, 1, 2, 2, 2]
    assert cells(projection, "negated", "denied")["after_1"] == 0.0
    assert cells(projection, "negated", "denied")["before_1"] == pytest.approx(2 / 3)


def test_released_implicatures_are_known_by_their_place(tmp_path: Path) -> None:
    items = files.implicature(released_implicature(tmp_path / "numerals_2_3.jsonl"))
    answers = ["neutral", *items.column("label_imppres").to_pylist()[1:]]
    predicted = pa.table({"item": items.column("item"), "label": answers}).slice(0, 23)
    pairs = from_released(items.take(list(range(24))[::-1]), predicted, "people")
    assert (pairs.missing, set(pairs.types.tolist())) == (1, {"numerals"})
    findings = findings_of([pairs])
    row = cells(table(findings, "imppres_conditions"), "weak-not_strong")
    assert (row["share_pragmatic"], row["share_literal"]) == (0.5, 0.5)
    assert cells(table(findings, "imppres_numerals"), "strong-not_weak")["label_exactly"] == "entailment"


def test_answers_in_csv_are_taken_too(tmp_path: Path) -> None:
    items = files.implicature(released_implicature(tmp_path / "quantifiers.jsonl", 1))
    with (tmp_path / "m.csv").open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerows([("item", "label"), *((each, "entailment") for each in items["item"].to_pylist())])
    pairs = from_released(items, label_files.read(tmp_path / "m.csv"), "m")
    assert imppres.behaviours(pairs)["pragmatic"][pairs.of(*imppres.TARGETS)].tolist() == [1.0] * 6


@pytest.mark.parametrize(
    ("predicted", "what"),
    [
        ({"item": ["quantifiers/0/0", "other/0/0"], "label": ["neutral", "neutral"]}, "`other/0/0`"),
        ({"item": ["quantifiers/0/0"] * 2, "label": ["neutral", "neutral"]}, "two answers"),
        ({"item": ["quantifiers/0/0"], "label": ["maybe"]}, "`maybe`"),
        ({"item": ["quantifiers/0/0"], **{n: [float("nan")] for n in LABELS}}, "no finite number"),
    ],
)
def test_answers_that_do_not_fit_are_refused(tmp_path: Path, predicted: dict[str, Any], what: str) -> None:
    items = files.implicature(released_implicature(tmp_path / "quantifiers.jsonl", 1))
    with pytest.raises(UsageError, match=what) as error:
        from_released(items, pa.table(predicted), "m")
    assert error.value.code == "E47"


def test_rows_in_another_order_are_refused(tmp_path: Path) -> None:
    path = released_implicature(tmp_path / "quantifiers.jsonl", 1)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[1], lines[0], *lines[2:]]) + "\n", "utf-8")
    items = files.implicature(path)
    with pytest.raises(UsageError, match="`implicature_NtoP` where `implicature_PtoN` is expected"):
        from_released(items, pa.table({"item": items["item"], "label": items["label_literal"]}), "m")


@pytest.mark.slow
def test_a_folder_of_scores_is_read_with_its_gaps(datasets: SharedDatasets, tmp_path: Path) -> None:
    """A tiny classifier over a part of the instances, some too long for it; its answers are counted from its scores."""
    folder = datasets("presupposition", among=SOME_TRIGGERS, n=FEW)
    (tmp_path / "model").mkdir()
    model = models.bert(tmp_path / "model", ("contradiction", "neutral", "entailment"), positions=48)
    score(RunOrder(source=str(folder), model=str(model), out=str(tmp_path / "scores"), total=12, skip_refused=True))
    ((study, runs),) = chosen(["imppres"], open_runs([tmp_path / "scores"], [folder]))
    findings = study.findings(runs, GIVEN)
    rows = [row for row, _ in rows_of(gramprobe.read(folder)) if row["design"] == "paper"]
    labels = {row["id"]: (row["condition"], row["label_name"]) for row in rows}
    right: dict[str, list[bool]] = {}
    for row in gramprobe.read_scores(tmp_path / "scores").table().to_pylist():
        condition, gold = labels.get(row["item"], ("", ""))
        numbers = {label: row[label] for label in LABELS}
        if condition and None not in numbers.values():
            right.setdefault(condition, []).append(max(LABELS, key=numbers.__getitem__) == gold)
    accuracy = table(findings, "imppres_presupposition")
    for condition, name in (("trigger-presupposed", "plain"), ("modal-presupposed", "modal")):
        row = cells(accuracy, name, "presupposed", section="all triggers")
        assert row["n_1"] == len(right[condition])
        assert row["model_1"] == pytest.approx(np.mean(right[condition]))
    lacking = len(rows) - sum(map(len, right.values()))
    assert any("could not be scored" in warning for warning in findings.warnings)
    assert any(f"without an answer, which are left out: {lacking}" in warning for warning in findings.warnings)


@pytest.mark.slow
def test_conditions_that_the_paper_does_not_have_are_named(both: Findings, tmp_path: Path) -> None:
    assert not any("does not know" in sentence for sentence in both.warnings)
    (tmp_path / "grammars" / "mine").mkdir(parents=True)
    name = "possessed_definites_existence"
    text = (Path(__file__).parents[2] / "grammars" / "presupposition" / f"{name}.paradigm").read_text("utf-8")
    renamed = text.replace(f"paradigm {name}", "paradigm other").replace("interrogative", "asked")
    (tmp_path / "grammars" / "mine" / "other.paradigm").write_text(renamed, "utf-8")
    (built,) = gramprobe.load([tmp_path], names=["mine/other"]).build("mine/other", tmp_path / "data", n=2)
    findings = found(built.folder, tmp_path, lambda row, _: row["label_name"])
    said = next(sentence for sentence in findings.warnings if "does not know" in sentence)
    assert "asked-presupposed" in said
