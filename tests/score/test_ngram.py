"""n-gram models of a corpus, scored like causal models."""

from __future__ import annotations

import json
from math import fsum
from pathlib import Path

import pytest
from support.datasets import FEW, SharedDatasets

from gramprobe.baselines.ngrams import NGrams, words_of
from gramprobe.cli.main import main
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from score.conftest import order, written

CORPUS = "The boy saw a dog.\nA dog slept.\nThe girls see the boy.\nThe dog sees a girl.\nA boy slept.\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "corpus.txt").write_text(CORPUS, "utf-8")
    return tmp_path / "corpus.txt"


def values(folder: Path) -> dict[tuple[str, str], float]:
    return {(row["item"], row["part"]): row["value"] for row in read_scores(folder).table().to_pylist()}


def test_a_sentence_is_the_sum_of_its_words_in_nats(corpus: Path, tmp_path: Path) -> None:
    rows = [{"id": "1", "sentence_good": "The girls see a dog.", "sentence_bad": "The girls sees a wombat."}]
    file = written(tmp_path / "pairs.csv", rows)
    run = score(order(file, f"ngram:{corpus}", tmp_path / "s", task="minimal_pair"))
    assert (run.model.kind, run.model.name, list(run.settings.weights)) == ("ngram", "ngram:corpus.txt", ["corpus.txt"])
    assert run.sessions[-1].found == {"sentences": 5, "tokens": 31, "words": 11}
    model, found = NGrams.read(corpus), values(tmp_path / "s")
    for column in ("sentence_good", "sentence_bad"):
        assert found["1", column] == pytest.approx(fsum(model.text(words_of(rows[0][column]))))
    assert found["1", "sentence_good"] > found["1", "sentence_bad"]
    flags = {row["part"]: (row["flags"], row["tokens"]) for row in read_scores(tmp_path / "s").table().to_pylist()}
    assert flags == {"sentence_good": ("", 6), "sentence_bad": ("unknown_word", 6)}


def test_a_continuation_is_read_behind_its_context_and_a_sentence_by_itself(corpus: Path, tmp_path: Path) -> None:
    texts = {
        "ambiguous": "The boy",
        "control": "The boy slept.",
        "followup_inverse": "saw",
        "followup_surface": "A dog",
    }
    file = written(tmp_path / "q.csv", [{"id": "1", **texts}])
    score(order(file, f"ngram:{corpus}", tmp_path / "s", task="continuation"))
    model, found = NGrams.read(corpus), values(tmp_path / "s")
    assert found["1", "ambiguous/followup_inverse"] == pytest.approx(model.log_probability("saw", ["the", "boy"]))
    alone = fsum(model.text(["a", "dog"]))
    assert found["1", "control/followup_surface"] == pytest.approx(alone)
    assert found["1", "ambiguous/followup_surface"] != pytest.approx(alone)


def test_an_ambiguous_sentence_says_nothing_about_the_next_one(scope: Path, corpus: Path, tmp_path: Path) -> None:
    score(order(scope, f"ngram:{corpus}", tmp_path / "s"))
    found = values(tmp_path / "s")
    for item, part in found:
        context, _, followup = part.partition("/")
        if context == "ambiguous":
            assert found[item, part] == pytest.approx(found[item, f"control/{followup}"])


def test_regions_are_minus_the_sums_of_their_words(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    row = {"id": "1", "text": "The boy saw a dog.", "regions": json.dumps(["The boy", "saw", "a dog."])}
    file.write_text(json.dumps(row) + "\n", "utf-8")
    score(order(file, f"ngram:{corpus}", tmp_path / "s", task="surprisal", ngram=2))
    each = NGrams.read(corpus, 2).text(words_of("The boy saw a dog."))
    wanted = {"1": -sum(each[:2]), "2": -each[2], "3": -sum(each[3:])}
    assert {part: value for (_, part), value in values(tmp_path / "s").items()} == pytest.approx(wanted)


def test_a_candidate_is_scored_with_what_follows_it(corefs: Path, corpus: Path, tmp_path: Path) -> None:
    run = score(order(corefs, f"ngram:{corpus}", tmp_path / "s"))
    assert run.settings.mode == "coref" and run.refused == 0


def test_the_length_of_the_n_grams_is_a_setting(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "1", "sentence_good": "The girls see a dog.", "sentence_bad": "The girls sees a dog."}]
    file = written(tmp_path / "pairs.csv", rows)
    command = ["score", str(file), "--task", "minimal_pair", "--model", f"ngram:{corpus}", "--out", str(tmp_path / "s")]
    assert main([*command, "--order", "2"]) == 0
    assert read_scores(tmp_path / "s").run.settings.engine["order"] == 2
    assert main([*command, "--order", "3", "--resume"]) == 2
    assert "error[E94]" in capsys.readouterr().err


def test_a_run_of_another_model_is_refused_before_the_model_is_opened(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "1", "sentence_good": "The girls see a dog.", "sentence_bad": "The girls sees a dog."}]
    file = written(tmp_path / "pairs.csv", rows)
    command = ["score", str(file), "--task", "minimal_pair", "--out", str(tmp_path / "s")]
    assert main([*command, "--model", f"ngram:{corpus}"]) == 0
    for other in (f"ngram:{tmp_path}/nowhere.txt", "rule:overlap"):
        assert main([*command, "--model", other, "--resume"]) == 2
        printed = capsys.readouterr().err
        assert f"error[E94]: `{tmp_path / 's'}` has the scores of the model `ngram:{corpus.name}`" in printed


def test_a_corpus_that_is_none_is_an_error_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "1", "sentence_good": "The girls see a dog.", "sentence_bad": "The girls sees a dog."}]
    file = written(tmp_path / "pairs.csv", rows)
    command = ["score", str(file), "--task", "minimal_pair", "--out", str(tmp_path / "s")]
    assert main([*command, "--model", f"ngram:{tmp_path / 'nowhere.txt'}"]) == 2
    assert "error[E44]" in capsys.readouterr().err
    (tmp_path / "latin.txt").write_bytes(b"fine\nna\xefve\n")
    assert main([*command, "--model", f"ngram:{tmp_path / 'latin.txt'}"]) == 2
    assert "latin.txt, line 2: no UTF-8" in capsys.readouterr().err
    assert not (tmp_path / "s").exists()


def test_an_n_gram_model_gives_no_labels(
    datasets: SharedDatasets, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = datasets("presupposition/both", n=FEW)
    assert main(["score", str(data), "--model", f"ngram:{corpus}"]) == 2
    assert "is an n-gram model, and the mode `nli` needs" in capsys.readouterr().err


def test_a_text_whose_regions_are_wrong_has_a_row_that_says_so(corpus: Path, tmp_path: Path) -> None:
    """It had none, so that its folder of scores was taken for damaged."""
    rows = [
        {"id": id_, "text": f"The {noun} slept.", "regions": '["The dog", "slept."]'}
        for id_, noun in (("1", "dog"), ("2", "boy"))
    ]
    file = written(tmp_path / "texts.csv", rows)
    record = score(order(file, f"ngram:{corpus}", tmp_path / "s", task="surprisal", skip_refused=True))
    found = [
        (row["item"], row["value"] is None, row["flags"]) for row in read_scores(tmp_path / "s").table().to_pylist()
    ]
    assert record.refused == 1
    assert found == [("1", False, ""), ("1", False, ""), ("2", True, "regions")]
