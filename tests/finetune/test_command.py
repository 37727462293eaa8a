"""`gramprobe finetune`: several trainings at once, what it prints, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from finetune.conftest import Folder
from gramprobe.cli.answers.scores import Finetuned
from gramprobe.cli.main import main
from gramprobe.finetune.results import read_training


def answered(arguments: Sequence[Any], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main([str(each) for each in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.slow
def test_a_table_with_a_line_for_each_training(
    data: Folder, model: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["finetune", data("small"), "--model", model("nli"), "--out", tmp_path / "m", "--epochs", "1"]
    arguments += ["--seeds", "0,1", "--sizes", "4,all", "--test", data("other"), "--test", data("alike")]
    code, out, err = answered(arguments, capsys)
    assert (code, err) == (0, "")
    heading, *lines = out.splitlines()
    assert heading.split()[:6] == ["training", "instances", "epochs", "loss", "validation", "binary"]
    names = ["size-4--seed-0", "size-4--seed-1", "size-all--seed-0", "size-all--seed-1"]
    assert [line.split()[:2] for line in lines[:4]] == [[n, "4" if n < "size-a" else "14"] for n in names]
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == names
    assert f"  {data('other').name}: shares no word with the training rows" in lines
    assert any(line.startswith(f"  {data('alike').name}: shares ") for line in lines)
    assert "labels as they are, " in lines[-1]
    few, whole = (read_training(tmp_path / "m" / name) for name in names[::2])
    assert (few.train.instances, whole.train.instances) == (4, 14)


@pytest.mark.slow
def test_its_answer_is_of_its_schema_and_options_reach_the_training(
    data: Folder, model: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["finetune", f"{data('small')}/small", "--model", model("nli_unnamed"), "--out", tmp_path / "m"]
    arguments += ["--epochs", "1", "--batch", "4", "--rate", "0.001", "--seeds", "3", "--sizes", "5", "--json"]
    arguments += ["--labels", "entailment, neutral,contradiction", "--two-labels", "neutral", "--matmul", "medium"]
    arguments += ["--test", data("other"), "--disjoint-words", "--threads", "1", "--device", "cpu"]
    code, out, _ = answered(arguments, capsys)
    assert code == 0
    found = msgspec.json.decode(out, type=Finetuned, strict=True)
    (only,) = found.trainings
    settings = only.training.settings
    assert only.folder == str(tmp_path / "m")
    assert (settings.batch, settings.rate, settings.seed, settings.size) == (4, 0.001, 3, 5)
    assert settings.labels["contradiction"] == "neutral"
    assert settings.matmul == "medium"
    assert json.loads((tmp_path / "m" / "finetune.json").read_text()) == json.loads(out)["trainings"][0]["training"]


@pytest.mark.slow
def test_seeds_of_a_list_are_those_of_their_own(
    data: Folder, model: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["finetune", data("small"), "--model", model("encoder"), "--new-head", "--epochs", "1"]
    assert answered([*arguments, "--seeds", "0,1", "--out", tmp_path / "both"], capsys)[0] == 0
    assert answered([*arguments, "--seeds", "1", "--out", tmp_path / "one"], capsys)[0] == 0
    one, same = ((tmp_path / p / "model.safetensors").read_bytes() for p in ("one", "both/seed-1"))
    assert one == same


@pytest.mark.slow
def test_an_interrupted_list_of_trainings_goes_on(
    data: Folder, model: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from gramprobe.finetune import train

    arguments = ["finetune", data("small"), "--model", model("nli"), "--epochs", "1", "--seeds", "0,1"]
    arguments += ["--out", tmp_path / "m"]

    class Interrupting(train._Keeper):
        def on_step_end(self, *rest: Any, **more: Any) -> None:
            if self.order.seed == 1:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(train, "_Keeper", Interrupting)
        code, _, err = answered(arguments, capsys)
    assert code == 130
    assert f"the epochs that were finished stay in {tmp_path / 'm'}: go on with --resume" in err
    assert read_training(tmp_path / "m" / "seed-0").complete
    code, _, err = answered(arguments, capsys)
    assert code == 2
    assert "seed-0` has a trained model already" in err
    code, out, _ = answered([*arguments, "--resume"], capsys)
    assert code == 0
    assert len([line for line in out.splitlines() if line.startswith("seed-")]) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seeds", "0,0"], "is no list of different whole numbers"),
        (["--seeds", "x"], "is no list of different whole numbers"),
        (["--sizes", "0"], "is no list of different sizes"),
        (["--sizes", "all,all"], "is no list of different sizes"),
        (["--sizes", "2,1000"], "--sizes asks for 1,000 instances"),
        (["--epochs", "0"], "--epochs"),
        (["--two-labels", "three"], "--two-labels"),
        (["--disjoint-words"], "error[E58]: the training rows share"),
    ],
)
def test_wrong_use_is_told(
    options: list[str], message: str, data: Folder, model: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["finetune", data("small"), "--model", model("nli"), "--out", tmp_path / "m", "--epochs", "1"]
    code, _, err = answered([*arguments, *options], capsys)
    assert code == 2
    assert message in err


@pytest.mark.slow
def test_without_accelerate_it_says_what_to_install(
    data: Folder, model: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    place = model("nli")
    monkeypatch.setitem(sys.modules, "accelerate", None)
    code, _, err = answered(["finetune", data("small"), "--model", place, "--out", tmp_path / "m"], capsys)
    assert code == 2
    assert "error[E91]: fine-tuning needs the package `accelerate`, which is not installed" in err
    assert "gramprobe[finetune]" in err
