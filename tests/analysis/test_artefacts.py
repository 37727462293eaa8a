"""The study of artefacts: planted cues are found, balanced sets have none, and a reader's errors are recognised."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
import scipy
from support.datasets import FEW, MANY, SharedDatasets
from support.scores import labels_file, scores_folder

import gramprobe
from gramprobe.analysis import shallow
from gramprobe.analysis.answers import answers
from gramprobe.analysis.associations import cramer, slots, tokens
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.inference import wilson
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table
from gramprobe.analysis.pairs import Items, items_of
from gramprobe.analysis.studies.artefacts import STUDY, _above, errors
from gramprobe.analysis.study import Given
from gramprobe.baselines.rules import RULES
from gramprobe.baselines.table import cross_validated, predicted
from gramprobe.baselines.views import Seen, levels, tokens_of
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.manifest import Word
from gramprobe.score.order import RunOrder
from gramprobe.score.run import score


@pytest.fixture(scope="module")
def dataset(datasets: SharedDatasets) -> Path:
    """Two paradigms in which the hypothesis alone says something."""
    return datasets("presupposition/possessed_definites_existence", n=MANY, design="paper")


def study(files: list[Path], dataset: Path) -> Findings:
    runs = open_runs(files, [dataset])
    assert all(STUDY.fits(run) for run in runs)
    return STUDY.findings(runs, Given())


def table(found: Findings, name: str) -> Table:
    return next(t for t in found.tables if t.name == name)


def made(premises: list[str], hypotheses: list[str], labels: list[int], words: list[str] | None = None) -> Items:
    count = len(labels)
    return Items(
        ids=[str(i) for i in range(count)],
        paradigms=np.array(["p"] * count, dtype=object),
        clusters=np.arange(count),
        premises=premises,
        hypotheses=hypotheses,
        draws=[{"w": word} for word in words or [""] * count],
        labels=np.array(labels),
        guesses={},
    )


def shallow_and_right(dataset: Path, folder: Path) -> tuple[dict[str, str], dict[str, str], Findings]:
    """A model that answers like the reader of hypotheses, and one that is always right: their labels, and the study."""
    found = items_of(gramprobe.read(dataset), gramprobe.read(dataset).paradigms)
    shallow, right = (
        {item: LABELS[label] for item, label in zip(found.ids, labels.tolist(), strict=True)}
        for labels in (found.guesses["hypothesis"], found.labels)
    )
    files = [labels_file(folder / f"{name}.csv", own) for name, own in (("shallow", shallow), ("right", right))]
    return shallow, right, study(files, dataset)


@pytest.mark.slow
def test_readers_do_as_well_as_tables_of_the_other_folds(dataset: Path) -> None:
    found = items_of(gramprobe.read(dataset), gramprobe.read(dataset).paradigms)
    assert len(found.ids) == MANY * 19
    right = {reader: float((guess == found.labels).mean()) for reader, guess in found.guesses.items()}
    majority = np.bincount(found.labels).max() / len(found.labels)
    assert right["hypothesis"] > majority + 0.1  # a denial is a contradiction or neutral, never entailed
    assert right["premise"] < right["hypothesis"]


def test_predictions_are_what_cross_validation_scores() -> None:
    random = np.random.default_rng(0)
    labels, keys, instances = random.integers(0, 3, 300), random.integers(0, 5, 300), np.arange(300) // 3
    guess = predicted([keys], labels, instances)
    assert np.array_equal(guess == labels, cross_validated([keys], labels, instances))
    held = instances % 5 == 0  # by hand, for one fold and one key
    of = (keys == 2) & ~held
    assert set(guess[held & (keys == 2)].tolist()) == {int(np.bincount(labels[of]).argmax())}


@pytest.mark.slow
def test_a_model_that_reads_the_hypothesis_makes_its_errors(dataset: Path, tmp_path: Path) -> None:
    answers, gold, result = shallow_and_right(dataset, tmp_path)
    rows = table(result, "artefact_errors")
    assert rows.sections == {0: "shallow", 1: "right"}
    keys = [column.key for column in rows.columns]
    shallow, right = (dict(zip(keys, row, strict=True)) for row in rows.rows)
    assert shallow["wrong"] == sum(answers[item] != gold[item] for item in gold)
    assert shallow["hypothesis"] == 1.0
    assert shallow["explains"] == "hypothesis alone"
    assert (right["wrong"], right["hypothesis"], right["explains"]) == (0.0, None, None)
    readers = table(result, "artefact_readers")
    accuracy = dict(zip((column.key for column in readers.columns), readers.rows[0], strict=True))
    assert isinstance(accuracy["model_2"], Interval) and accuracy["model_2"].value == 1.0
    assert "built_hypothesis" not in accuracy, "so few instances are not measured at the build"
    result.figures[0].draw()


@pytest.mark.slow
def test_readers_at_the_build_stand_beside_those_of_the_study(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = datasets("theory_of_mind/given_pairs")
    _, _, result = shallow_and_right(dataset, tmp_path)
    readers = table(result, "artefact_readers")
    accuracy = dict(zip((column.key for column in readers.columns), readers.rows[0], strict=True))
    (measured,) = (part.baselines for part in gramprobe.read(dataset).manifest.paradigms.values())
    assert accuracy["built_hypothesis"] == measured.readers["hypothesis"]  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_model_that_reads_the_hypothesis_is_no_better_than_the_reader_and_is_warned_of(
    dataset: Path, tmp_path: Path
) -> None:
    _, _, result = shallow_and_right(dataset, tmp_path)
    beside = table(result, "artefact_shallow")
    assert beside.sections == {0: "shallow", 1: "right"}
    rows = [dict(zip((column.key for column in beside.columns), row, strict=True)) for row in beside.rows]
    assert rows[0]["verdict"] == "no better"
    same = rows[0]["difference"]  # in all instances: the interval is that of Wilson for 0 of as many
    assert isinstance(same, Interval) and same.value == 0.0 and same.high == -same.low == wilson(0, MANY).high
    assert (rows[1]["accuracy"], rows[1]["verdict"]) == (1.0, "better")
    (headline,) = result.headlines
    assert headline.startswith("shallow is no better than a baseline that does not reason on 1 of 1 paradigm (")
    assert headline.endswith("its accuracy there does not show that it reasons")


@pytest.mark.slow
def test_rules_stand_beside_models_with_as_many_labels_as_they_tell_apart(dataset: Path, tmp_path: Path) -> None:
    read = gramprobe.read(dataset)
    found = items_of(read, read.paradigms)
    gold = {item: LABELS[label] for item, label in zip(found.ids, found.labels.tolist(), strict=True)}
    result = study([labels_file(tmp_path / "right.csv", gold)], dataset)
    rules = table(result, "artefact_rules")
    row = dict(zip((column.key for column in rules.columns), rules.rows[0], strict=True))
    pairs = list(zip(found.premises, found.hypotheses, found.labels.tolist(), strict=True))
    three = [RULES["negation"].says(one, other) == LABELS[label] for one, other, label in pairs]
    assert row["negation"] == pytest.approx(np.mean(three))
    two = [(RULES["overlap"].says(one, other) == "entailment") == (label == 0) for one, other, label in pairs]
    assert row["overlap"] == pytest.approx(np.mean(two))
    assert np.mean(two) > np.mean([RULES["overlap"].says(one, other) == LABELS[label] for one, other, label in pairs])
    assert (row["model_1"], row["model_1_two"]) == (1.0, 1.0)
    silent = [RULES["verbs"].says(one, other) is None for one, other, _ in pairs]
    assert all(silent)  # no verb of the set embeds a clause: each of three labels gets a third
    assert row["verbs"] == pytest.approx(np.mean([1 / 3 if label == 0 else 2 / 3 for *_, label in pairs]))
    assert result.details[0].name == "artefact_errors_rules"


@pytest.mark.slow
def test_the_constituents_of_the_study_are_those_that_are_scored(datasets: SharedDatasets, tmp_path: Path) -> None:
    data = datasets("theory_of_mind/nesting_exchanged", n=FEW)
    score(RunOrder(source=str(data), model="rule:constituent", out=str(tmp_path / "s")))
    (run,) = open_runs([tmp_path / "s"], [data])
    found = answers(run)
    items = items_of(gramprobe.read(data), gramprobe.read(data).paradigms)
    assert found.column("id") == items.ids
    assert found.shares.argmax(axis=1).tolist() == items.said["constituent"].tolist()
    result = study([tmp_path / "s"], data)
    rules = table(result, "artefact_rules")
    assert dict(zip((c.key for c in rules.columns), rules.rows[0], strict=True))["constituent"] == 0.75


@pytest.mark.slow
def test_runs_of_rules_are_no_models_that_are_warned_of(dataset: Path, tmp_path: Path) -> None:
    rule, read = tmp_path / "rule", gramprobe.read(dataset)
    score(RunOrder(source=str(dataset), model="rule:negation", out=str(rule)))
    result = study([rule], dataset)
    assert result.headlines == ()
    assert "artefact_shallow" not in [t.name for t in result.tables]
    (only,) = open_runs([rule], [dataset])
    found = answers(only)
    same = {
        item or "": LABELS[int(share.argmax())] for item, share in zip(found.column("id"), found.shares, strict=True)
    }
    assert len(same) == read.count()
    result = study([labels_file(tmp_path / "same.csv", same), rule], dataset)
    (row,) = table(result, "artefact_shallow").rows
    assert row[-1] == "no better"


def test_verdicts_by_hand() -> None:
    def beside(model: list[float], other: list[float], instances: list[str]) -> shallow.Beside:
        one, two = (shallow.Rights(n, np.array(v), np.array(v)) for n, v in (("m", model), ("o", other)))
        sets = {"p": np.ones(len(model), np.bool_)}
        (found,) = shallow.compared(one, [two], sets, np.array(instances, dtype=object))
        return found

    many = [str(n) for n in range(40)]
    assert beside([1.0] * 40, [1.0] * 40, many).verdict == "no better"
    assert beside([1.0] * 40, [0.0] * 20 + [1.0] * 20, many).verdict == "better"
    close = beside([1.0, *[0.0] * 39], [0.0] * 40, many)
    assert close.verdict == "not clearly better"
    assert isinstance(close.difference, Interval)
    assert close.difference.low <= 0 < close.difference.value == pytest.approx(1 / 40)
    assert beside([1.0, 1.0], [0.0, 0.0], ["a", "a"]).verdict == "not clearly better"  # one instance shows nothing
    missing = beside([1.0, float("nan"), 1.0], [0.0, 1.0, float("nan")], ["a", "b", "c"])
    assert (missing.items, missing.accuracy, missing.reaches) == (1, 1.0, 0.0)


def test_of_people_nobody_says_that_they_do_not_reason() -> None:
    rights = shallow.Rights("people", np.ones(3), np.ones(3))
    found = shallow.compared(
        rights, [replace(rights, name="o")], {"p": np.ones(3, np.bool_)}, np.array([*"abc"], object)
    )
    of_a_model, of_people = shallow.warnings(found), shallow.warnings(found, {"people"})
    assert of_a_model == [
        "people is no better than a baseline that does not reason on 1 of 1 paradigm (`p`: o 1.000, the model 1.000): "
        "its accuracy there does not show that it reasons"
    ]
    assert of_people == [
        "the label that is derived stands among the answers of people no more often than a baseline that does not "
        "reason on 1 of 1 paradigm (`p`: o 1.000, people 1.000): where people answer otherwise, the theory of the "
        "label is in question too"
    ]


def test_two_labels_are_compared_where_one_of_both_has_no_more() -> None:
    three = shallow.Rights("m", np.array([1.0, 0.0, 0.0]), np.array([1.0, 1.0, 1.0]))
    two = shallow.Rights("o", None, np.array([1.0, 1.0, 1.0]))
    names = np.array(["a", "b", "c"], dtype=object)
    (found,) = shallow.compared(three, [two], {"p": np.ones(3, np.bool_)}, names)
    assert (found.labels, found.accuracy, found.verdict) == (2, 1.0, "no better")


def test_errors_by_hand() -> None:
    gold = np.array([0, 0, 1, 1])
    shares = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1], [0.5, 0, 0.5]])
    guess = np.array([1, 0, 2, 2])
    wrong, same = errors(shares, gold, {"r": guess})
    assert wrong.tolist() == [1.0, 0.0, 1.0, 1.0]
    assert same["r"][0].tolist() == [1.0, 0.0, 1.0, 0.5]
    # of the items labelled 0 the reader calls half 1, of those labelled 1 all 2
    assert same["r"][1].tolist() == [0.5, 0.0, 1.0, 0.5]


def test_errors_in_whole_instances_are_not_taken_for_a_readers() -> None:
    """In sets of 12 instances of 10 items a reader answers each item by a coin, and the model is wrong on the whole of
    every other instance: as single answers they would be above chance too often."""
    rng, named = np.random.default_rng(6), 0
    clusters = np.repeat(np.arange(12), 10).astype(object)
    wrong = np.repeat(np.arange(12) % 2, 10).astype(float)
    for _ in range(400):
        reader = np.repeat(rng.random(12) < 0.5, 10)  # one answer in the whole instance
        named += _above(wrong, wrong * (reader - 0.5), clusters)
    assert 0 < named / 400 < 0.06


@pytest.mark.slow
def test_a_model_with_two_labels_is_compared_in_two(dataset: Path, tmp_path: Path) -> None:
    read = gramprobe.read(dataset)
    found = items_of(read, read.paradigms)
    scores = {(item, "hypothesis"): (log(0.3), log(0.7)) for item in found.ids[:40]}
    folder = scores_folder(tmp_path / "two", dataset, "nli", scores, values=("not_entailment", "entailment"))
    result = study([folder], dataset)
    row = table(result, "artefact_errors").rows[0]
    assert row[1:3] == (40, float((found.labels[:40] != 0).sum()))
    assert any("two labels" in note for note in table(result, "artefact_readers").notes)


def test_a_planted_token_has_the_z_and_pmi_of_the_papers() -> None:
    hypotheses = ["He did not go."] * 30 + ["He went."] * 60
    labels = [2] * 27 + [0] * 3 + [0] * 30 + [2] * 3 + [1] * 27
    found = tokens(made(["Kim left."] * 90, hypotheses, labels))
    rows = {(row[0], row[2]): row for row in found.rows}
    n, share, label_share, pmi, z = rows["not", "contradiction"][3:8]
    assert (n, share, label_share) == (30, 27 / 30, 30 / 90)
    assert z == pytest.approx((27 / 30 - 1 / 3) / sqrt(1 / 3 * 2 / 3 / 30))
    # tokens of hypotheses: he, did, not, go, ., went -> 6 types, three labels; "he" and "." stand in all
    occurrences = 30 * 5 + 60 * 3
    whole = occurrences + 100 * 6 * 3
    of_label = 27 * 5 + 3 * 3 + 100 * 6
    assert pmi == pytest.approx(log((27 + 100) / whole / ((30 + 300) / whole * of_label / whole)))
    assert ("he", "contradiction") not in rows
    corrected = found.rows[0][-2]
    assert isinstance(corrected, float) and corrected < 0.001
    assert len(found.rows) == 4 * 3


def test_a_slot_that_goes_with_a_label_has_a_v() -> None:
    words = ["know"] * 20 + ["think"] * 20
    labels = [0] * 18 + [1] * 2 + [0] * 4 + [1] * 16
    found = slots(made([""] * 40, [""] * 40, labels, words))
    (row,) = found.rows
    counts = np.array([[18.0, 2.0], [4.0, 16.0]])
    test = scipy.stats.chi2_contingency(counts, correction=False)
    phi = test.statistic / 40 - 1 / 39
    assert row[:4] == ("p", "w", 2, 40)
    assert row[4] == pytest.approx(sqrt(phi / (2 - 1 / 39 - 1)))
    assert row[5] == pytest.approx(0.9 - 22 / 40)
    assert row[6] == pytest.approx(test.pvalue)
    assert cramer(np.array([[10.0, 10.0], [5.0, 5.0]])) == (0.0, 1.0)


def test_a_balanced_slot_is_counted_and_not_shown() -> None:
    found = slots(made([""] * 4, [""] * 4, [0, 1, 0, 1], ["a", "a", "b", "b"]))
    assert found.rows == ()
    assert found.notes[0].startswith("Of 1 slots that are not listed")


def test_drawn_words_are_seen_by_class_and_by_category() -> None:
    factive = {"know": "yes", "see": "yes", "think": "no"}
    words = {
        name: Word(category="V", values={"factive": value}, forms={"s": f"{name}s that", "base": name})
        for name, value in factive.items()
    }
    premises = [f"Kim {name}s that it rains." for name in factive]
    draws = [{"v": name} for name in factive]
    seen = Seen(words)
    left, right = seen.texts(premises, draws), seen.texts(["It rains."] * 3, draws)
    found = levels("premise", left, right)
    assert [len(set(level.tolist())) for level in found] == [3, 2, 1, 1]
    assert found[1][0] == found[1][1] != found[1][2]
    both = levels("verbs", left, right)
    assert [len(set(level.tolist())) for level in both] == [3, 2, 1, 1]
    assert tokens_of("An owl sleeps, Kim says.") == ("a", "owl", "sleeps", ",", "kim", "says", ".")
