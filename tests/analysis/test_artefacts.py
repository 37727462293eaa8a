"""The study of artefacts: planted cues are found, balanced sets have none, and a reader's errors are recognised."""

from __future__ import annotations

from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from support.datasets import SharedDatasets
from support.scores import labels_file, scores_folder

import gramprobe
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.output.table import Table
from gramprobe.analysis.runs import LABELS, open_runs
from gramprobe.analysis.seen import Seen, levels, tokens_of
from gramprobe.analysis.studies.artefacts import STUDY, Items, cramer, errors, items_of, slots, tokens
from gramprobe.analysis.study import Given
from gramprobe.baselines.table import cross_validated, predicted
from gramprobe.dataset.manifest import Word


@pytest.fixture(scope="module")
def dataset(datasets: SharedDatasets) -> Path:
    """Two paradigms in which the hypothesis alone says something."""
    return datasets("presupposition/possessed_definites_existence", n=25)


def study(files: list[Path], dataset: Path) -> Findings:
    runs = open_runs(files, [dataset])
    assert all(STUDY.fits(run) for run in runs)
    return STUDY.findings(runs, Given(draws=100))


def table(found: Findings, name: str) -> Table:
    return next(t for t in found.tables if t.name == name)


def made(premises: list[str], hypotheses: list[str], labels: list[int], words: list[str] | None = None) -> Items:
    count = len(labels)
    return Items(
        ids=[str(i) for i in range(count)],
        paradigms=np.array(["p"] * count, dtype=object),
        instances=np.array([str(i) for i in range(count)], dtype=object),
        premises=premises,
        hypotheses=hypotheses,
        draws=[{"w": word} for word in words or [""] * count],
        labels=np.array(labels),
        guesses={},
    )


def test_readers_do_as_well_as_tables_of_the_other_folds(dataset: Path) -> None:
    found = items_of(gramprobe.read(dataset), gramprobe.read(dataset).paradigms)
    assert len(found.ids) == 25 * 19
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


def test_a_model_that_reads_the_hypothesis_makes_its_errors(dataset: Path, tmp_path: Path) -> None:
    read = gramprobe.read(dataset)
    found = items_of(read, read.paradigms)
    answers = {item: LABELS[guess] for item, guess in zip(found.ids, found.guesses["hypothesis"].tolist(), strict=True)}
    gold = {item: LABELS[label] for item, label in zip(found.ids, found.labels.tolist(), strict=True)}
    files = [labels_file(tmp_path / f"{name}.csv", labels) for name, labels in (("shallow", answers), ("right", gold))]
    result = study(files, dataset)
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
    assert accuracy["model_2"] == 1.0
    (measured,) = (part.baselines for part in read.manifest.paradigms.values())
    assert accuracy["built_hypothesis"] == measured.hypothesis  # type: ignore[union-attr]
    result.figures[0].draw()


def test_errors_by_hand() -> None:
    gold = np.array([0, 0, 1, 1])
    shares = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1], [0.5, 0, 0.5]])
    guess = np.array([1, 0, 2, 2])
    wrong, same = errors(shares, gold, {"r": guess})
    assert wrong == 3
    assert same["r"][0] == (1 + 1 + 0.5) / 3
    # of the items labelled 0 the reader calls half 1, of those labelled 1 all 2
    assert same["r"][1] == pytest.approx((0.5 * 1 + 1 + 0.5) / 3)


def test_a_model_with_two_labels_is_compared_in_two(dataset: Path, tmp_path: Path) -> None:
    read = gramprobe.read(dataset)
    found = items_of(read, read.paradigms)
    scores = {(item, "label"): (-2.0, -1.0) for item in found.ids[:40]}
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
    test = chi2_contingency(counts, correction=False)
    phi = test.statistic / 40 - 1 / 39
    assert row[:4] == ("p", "w", 2, 40)
    assert row[4] == pytest.approx(sqrt(phi / (2 - 1 / 39 - 1)))
    assert row[5] == pytest.approx(0.9 - 22 / 40)
    assert row[6] == pytest.approx(test.pvalue)
    assert cramer(np.array([[10.0, 10.0], [5.0, 5.0]])) == (0.0, 1.0)


def test_a_balanced_slot_is_counted_and_not_shown() -> None:
    found = slots(made([""] * 4, [""] * 4, [0, 1, 0, 1], ["a", "a", "b", "b"]))
    assert found.rows == ()
    assert found.notes[0].startswith("1 more slots are balanced")


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
