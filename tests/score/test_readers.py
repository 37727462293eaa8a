"""Readers that learn from a set's own labels, scored like models."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.datasets import FEW, SharedDatasets

import gramprobe
from gramprobe.analysis.pairs import items_of
from gramprobe.certify.rule import LABELS
from gramprobe.cli.main import main
from gramprobe.score.engines.reader import READERS, ReaderEngine, Rows
from gramprobe.score.engines.vectors import open_vectors
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.source.diagnostic import UsageError
from score.conftest import Model, order, written


@pytest.fixture(scope="module")
def dataset(datasets: SharedDatasets) -> Path:
    return datasets("presupposition/both", n=FEW)


def logs(folder: Path) -> dict[str, tuple[float, ...]]:
    rows = read_scores(folder).table().to_pylist()
    return {row["item"]: tuple(row[label] for label in LABELS) for row in rows}


@pytest.fixture(scope="module")
def scored(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The scores of a reader by its name. Not to be changed."""

    @cache
    def made(name: str) -> Path:
        out = tmp_path_factory.mktemp(name) / "s"
        score(order(dataset, f"reader:{name}", out))
        return out

    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_reader_gives_probabilities_by_item(name: str, dataset: Path, scored: Callable[[str], Path]) -> None:
    run = read_scores(scored(name)).run
    assert (run.model.kind, run.model.name, run.settings.weights) == ("reader", f"reader:{name}", {})
    assert run.settings.engine["reader"] == READERS[name].about
    found = logs(scored(name))
    assert len(found) == gramprobe.read(dataset).count()
    assert np.exp(np.array(list(found.values()))).sum(axis=1) == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hypothesis", "premise", "verbs"])
def test_a_table_gives_the_labels_of_the_study_of_artefacts(
    name: str, dataset: Path, scored: Callable[[str], Path]
) -> None:
    items = items_of(gramprobe.read(dataset), gramprobe.read(dataset).paradigms)
    found = logs(scored(name))
    for item, guess in zip(items.ids, items.guesses[name].tolist(), strict=True):
        assert found[item][guess] == max(found[item])


def test_the_bag_of_words_finds_a_cue_and_no_instance_answers_for_itself(tmp_path: Path) -> None:
    lines = [
        {
            "id": str(n), "instance": str(n // 2), "premise": f"Kim met friend{n // 2}.",
            "hypothesis": "Kim did not go." if n % 2 else "Kim went.",
            "label": "contradiction" if n % 2 else "entailment",
        }
        for n in range(80)
    ]  # fmt: skip
    lines[0]["label"] = "neutral"  # friend0 would say so, if the rows of its instance were learned from
    file = written(tmp_path / "pairs.csv", lines)
    score(order(file, "reader:bag", tmp_path / "s", task="nli"))
    found = logs(tmp_path / "s")
    right = [LABELS[int(np.argmax(found[str(n)]))] for n in range(80)]
    assert right == ["contradiction" if n % 2 else "entailment" for n in range(80)]


@pytest.mark.slow
def test_which_others_are_scored_moves_no_score(dataset: Path, scored: Callable[[str], Path], tmp_path: Path) -> None:
    score(order(dataset, "reader:bag", tmp_path / "some", total=3, seed=1))
    whole, some = logs(scored("bag")), logs(tmp_path / "some")
    assert len(some) == 3 * len(whole) // FEW
    assert some == {item: whole[item] for item in some}


@pytest.mark.slow
def test_shuffled_words_are_what_a_reader_learns_from_too(
    dataset: Path, scored: Callable[[str], Path], tmp_path: Path
) -> None:
    score(order(dataset, "reader:bag", tmp_path / "shuffled", shuffle_words=True))
    assert logs(scored("bag")) != logs(tmp_path / "shuffled")


@pytest.mark.slow
def test_vectors_are_the_input_embeddings_of_a_model(dataset: Path, model: Model, tmp_path: Path) -> None:
    folder = model("bert")
    vectors = open_vectors(str(folder))
    from transformers import AutoModel

    own = AutoModel.from_pretrained(folder).get_input_embeddings().weight.detach().numpy()
    assert np.array_equal(vectors.matrix, own)
    run = score(order(dataset, f"vectors:{folder}", tmp_path / "s"))
    assert run.model.name == "vectors:bert"
    assert list(run.settings.weights) == ["model.safetensors"]
    assert "scipy" in run.sessions[0].versions
    assert np.exp(np.array(list(logs(tmp_path / "s").values()))).sum(axis=1) == pytest.approx(1.0)


def test_vectors_are_read_from_a_text_file_as_gloves_are(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("3 2\nKim 1 0\nnot 0.5 -2\n. . 0 1\n", "utf-8")
    vectors = open_vectors(str(file))
    assert vectors.matrix.tolist() == [[1, 0], [0.5, -2], [0, 1]]
    assert vectors.numbers("Kim did not.") == [0, 1]  # `did` and `.` have no vector
    assert open_vectors(str(file), ["not", "me"]).matrix.tolist() == [[0.5, -2]]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "line 1: it has no vectors"),
        ("a 1 2\nb 1 x\n", "line 2: what stands behind the word is no number"),
        ("a 1 2\nb 1\n", "line 2: it has not a word and 2 numbers"),
        ("a 1 nan\n", "line 1: a number of `a` is not finite"),
    ],
)
def test_a_file_of_vectors_that_is_none_is_refused_with_the_line(text: str, what: str, tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match="cannot be used") as error:
        open_vectors(str(file))
    assert what in str(error.value)


def test_a_line_that_is_not_utf_8_is_named_also_behind_words_that_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_bytes(b"a 1 2\nb 1 2\nna\xefve 1 2\n")
    with pytest.raises(UsageError, match="line 3: it is not UTF-8"):
        open_vectors(str(file), ["b"])


def test_a_reader_that_there_is_not_is_named_with_those_that_there_are(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean `bag`"):
        score(order(dataset, "reader:bags", tmp_path / "s"))


def test_a_reader_needs_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "pairs.csv", [{"premise": "Kim left.", "hypothesis": "Kim went.", "label": "neutral"}])
    assert main(["score", str(file), "--task", "nli", "--model", "reader:bag", "--out", str(tmp_path / "s")]) == 0
    (row,) = logs(tmp_path / "s").values()
    assert np.exp(row) == pytest.approx([1 / 3] * 3)  # one instance: no other to learn from
    lines = [{"premise": "Kim left.", "hypothesis": "Kim went."}]
    (tmp_path / "pairs.jsonl").write_text(json.dumps(lines[0]) + "\n")
    command = ["score", str(tmp_path / "pairs.jsonl"), "--task", "nli", "--out", str(tmp_path / "t")]
    assert main([*command, "--model", "reader:bag"]) == 2
    assert "no row of `pairs` has a label to learn from" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["hypothesis", "bag"])
def test_of_a_paradigm_without_labels_nothing_is_learned(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(label: int) -> Rows:
        keys = [(f"{label}/{n}", f"Kim met friend{n}.", "Kim went.") for n in range(4)]
        return Rows(keys, [{}] * 4, np.full(4, label, np.int64), np.arange(4), None)

    given: Any = SimpleNamespace(source=SimpleNamespace(words={}), bare=None, columns={"graded": (), "labelled": ()})
    engine = ReaderEngine(READERS[name], f"reader:{name}", given)
    monkeypatch.setattr(engine, "_rows", lambda name, columns: rows(1 if name == "labelled" else -1))
    engine.load()
    found = {item: np.exp(values) for (item, _, _), values in engine._known.items()}
    assert found["-1/0"] == pytest.approx([1 / 3] * 3)
    assert found["1/0"][1] > 0.5


def test_a_reader_has_no_continuations(choices: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(choices), "--model", "reader:bag", "--mode", "true_false"]) == 2
    assert "is a reader that does not reason" in capsys.readouterr().err
