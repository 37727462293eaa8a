"""`gramprobe score`: what it prints, where it writes, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import gramprobe
from gramprobe.cli.answers.scores import ScoredFolder
from gramprobe.cli.main import main
from gramprobe.score import run as running
from gramprobe.score.record import LabelsRow, Run
from score.conftest import Model, written


def answered(arguments: Sequence[Any], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main([str(each) for each in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_it_prints_accuracy_by_condition(
    model: Model, pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = model("nli")
    capsys.readouterr()  # what making the model prints
    code, out, err = answered(["score", pairs, "--model", place], capsys)
    assert (code, err) == (0, "")
    heading, *lines = out.splitlines()
    assert heading.split() == ["paradigm", "condition", "items", "accuracy", "binary_accuracy"]
    assert lines[0].split()[:3] == ["both", "trigger-presupposed", "5"]
    assert f"scores/{pairs.name}--nli--nli: 95 items, mode nli, " in out
    assert gramprobe.read_scores(tmp_path / "scores" / f"{pairs.name}--nli--nli").complete


def test_its_answer_is_of_its_schema(
    model: Model, pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = answered(["score", pairs, "--model", model("nli"), "--out", tmp_path / "s", "--json"], capsys)
    assert code == 0
    found = msgspec.json.decode(out, type=ScoredFolder, strict=True)
    assert found.folder == str(tmp_path / "s")
    assert sum(line.items for line in found.summary) == found.run.items == 95
    msgspec.json.decode((tmp_path / "s" / "run.json").read_bytes(), type=Run, strict=True)
    for row in gramprobe.read_scores(tmp_path / "s").table().slice(0, 3).to_pylist():
        msgspec.convert(row, LabelsRow, strict=True)


def test_options_reach_the_run(model: Model, choices: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--total", "2", "--seed", "3", "--batch-tokens", "700", "--prompt", "completion", "--bos", "always"]
    options += ["--dtype", "float64", "--device", "cpu", "--threads", "1", "--mode", "choice"]
    code, out, _ = answered(
        ["score", choices, "--model", model("chat"), "--out", tmp_path / "s", "--json", *options], capsys
    )
    assert code == 0
    settings = json.loads(out)["run"]["settings"]
    assert (settings["total"], settings["seed"], settings["batch_tokens"], settings["dtype"]) == (2, 3, 700, "float64")
    assert settings["engine"]["bos"]["policy"] == "always"
    assert settings["prompt"]["form"] == "completion"
    assert json.loads(out)["run"]["items"] == 4


def test_labels_are_said_where_the_model_does_not(
    model: Model, pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["score", pairs, "--model", model("nli_unnamed"), "--out", tmp_path / "s"]
    code, _, err = answered(arguments, capsys)
    assert code == 2
    assert "error[E93]" in err
    code, out, _ = answered([*arguments, "--labels", "contradiction, neutral, entailment"], capsys)
    assert code == 0
    assert gramprobe.read_scores(tmp_path / "s").run.settings.engine["labels"] == [
        "contradiction",
        "neutral",
        "entailment",
    ]
    sure = gramprobe.read_scores(tmp_path / "s").run.sessions[0].found["sure_pairs"]
    assert ("none of 4 sure pairs rightly: are its labels in this order?" in out) == (sure["right"] == 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{scope}", "--model", "{nli}"], "is a classifier of sequences, and the mode `continuation` needs a causal"),
        (["{pairs}", "--model", "{gpt2}"], "this model scores these items with --mode continuation"),
        (["{pairs}", "--model", "{nli}", "--mode", "coref"], "does not fit items of the task nli"),
        (["{pairs}", "--model", "{nli}", "--task", "nli"], "--task is for plain files"),
        (["{file}", "--model", "{gpt2}"], "is a plain file: say its task"),
        (["{text}", "--model", "{gpt2}", "--task", "minimal_pair"], "is no file of items"),
        (["nowhere", "--model", "{gpt2}"], "there is no dataset folder `nowhere`"),
        (["{pairs}/both", "--model", "{gpt2}"], "`, with all of its paradigms"),
        (["{pairs}", "--model", "nowhere"], "there is no such folder"),
        (["{pairs}"], "--model"),
        (["{pairs}", "--model", "{nli}", "--bow-correction"], "--bow-correction is for surprisal by a causal model"),
        (["{pairs}", "--model", "rule:overlap", "--bow-correction"], "leave it out, or add --mode surprisal"),
        (["{pairs}", "--model", "{nli}", "--total", "0"], "--total"),
        (["{scope}", "--model", "{gpt2}", "--bow-correction"], "--bow-correction is for surprisal by a causal model"),
        (
            ["{pairs}", "--model", "rule:overlap", "--device", "cuda"],
            "masked and classifier models, and `rule:overlap`",
        ),
        (["{pairs}", "--model", "rule:overlap", "--dtype", "int8"], "--dtype is for"),
        (["{pairs}", "--model", "rule:overlap", "--bos", "always"], "--bos is for causal models"),
        (["{pairs}", "--model", "reader:bag", "--revision", "main"], "is of the kind reader"),
        (["{pairs}", "--model", "rule:overlap", "--endpoint", "https://host/v1"], "--endpoint is for endpoint models"),
        (["{pairs}", "--model", "{nli}", "--pll", "original"], "--pll is for masked models"),
        (["{pairs}", "--model", "{nli}", "--order", "2"], "--order is for ngram models"),
        (["{scope}", "--model", "{gpt2}", "--labels", "a,b,c"], "--labels is for classifier models"),
        (["{pairs}", "--model", "{nli}", "--prompt", "chat"], "--prompt chat decides nothing: the mode `nli`"),
        (
            ["{pairs}", "--model", "rule:overlap", "--prompt", "completion"],
            "--prompt completion decides nothing: rules",
        ),
        (["{pairs}", "--model", "rule:overlap", "--rate", "3"], "--retries and --timeout are for --endpoint"),
    ],
)
def test_wrong_use_is_told(
    arguments: list[str], message: str, model: Model, pairs: Path, scope: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    file = written(tmp_path / "pairs.csv", [{"sentence_good": "A.", "sentence_bad": "B."}])
    text = tmp_path / "pairs.txt"
    text.write_text("A.\tB.\n", "utf-8")
    places = {"scope": scope, "pairs": pairs, "file": file, "text": text, "nli": model("nli"), "gpt2": model("gpt2")}
    words = [each.format(**places) for each in arguments]
    code, _, err = answered(["score", *words, "--out", tmp_path / "s"], capsys)
    assert code == 2
    assert message in err
    assert not (tmp_path / "s").exists()


def test_what_cannot_be_scored_is_a_finding(model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "pairs.csv", [{"sentence_good": "A.", "sentence_bad": ""}])
    arguments = ["score", file, "--task", "minimal_pair", "--model", model("gpt2"), "--out", tmp_path / "s"]
    code, _, err = answered(arguments, capsys)
    assert code == 1
    assert "error[E92]" in err
    code, out, _ = answered([*arguments, "--skip-refused"], capsys)
    assert code == 0
    assert "1 item, 1 refused (see `flags`)" in out


def test_an_interrupted_run_says_how_to_go_on(
    model: Model, scope: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["score", scope, "--model", model("gpt2"), "--out", tmp_path / "s"]

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(running, "score_shard", interrupted)
        code, _, err = answered(arguments, capsys)
    assert code == 130
    assert f"the scores so far stay in {tmp_path / 's'}: go on with --resume" in err
    code, _, err = answered(arguments, capsys)
    assert code == 2
    assert "has the scores of a run that was not finished" in err
    assert answered([*arguments, "--resume"], capsys)[0] == 0


def test_without_torch_it_says_what_to_install(
    model: Model, pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    code, _, err = answered(["score", pairs, "--model", model("nli"), "--out", tmp_path / "s"], capsys)
    assert code == 2
    assert "error[E91]: scoring needs the package `torch`, which is not installed" in err
    assert "gramprobe[score]" in err
