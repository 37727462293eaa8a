"""A training: what it leaves, that it goes on where it was killed, and never mixes two settings."""

from __future__ import annotations

import errno
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import gramprobe
from finetune.conftest import Folder, order
from finetune.killed import Moment, watch
from gramprobe.cli.main import main
from gramprobe.finetune.data import check_training
from gramprobe.finetune.order import TrainingOrder
from gramprobe.finetune.record import DynamicsRow, Training
from gramprobe.finetune.results import TrainingFolder, read_dynamics, read_training
from gramprobe.finetune.run import finetune
from gramprobe.records import sha256_of
from gramprobe.score.order import RunOrder
from gramprobe.score.run import score
from gramprobe.source.diagnostic import UsageError


@pytest.fixture(scope="session")
def trained(data: Folder, model: Folder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished training. Not to be changed."""
    out = tmp_path_factory.mktemp("trained") / "out"
    finetune(order(data("small"), model("nli"), out, epochs=3, rate=1e-3, tests=(str(data("other")),)))
    return out


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


@pytest.mark.slow
def test_a_trained_model_is_scored(trained: Path, data: Folder, tmp_path: Path) -> None:
    score(RunOrder(source=str(data("other")), model=str(trained), out=str(tmp_path / "scores")))
    table = gramprobe.read_scores(tmp_path / "scores").table().to_pylist()
    assert len(table) == 12
    right = [max(("entailment", "neutral", "contradiction"), key=lambda n: row[n]) for row in table]
    gold = [row["label_name"] for batch in gramprobe.read(data("other")).rows("other") for row in batch.to_pylist()]
    found = sum(a == b for a, b in zip(right, gold, strict=True)) / 12
    (tested,) = read_training(trained).tests
    assert tested.all.accuracy == pytest.approx(found)
    assert set(tested.conditions) == {"other/KX-X", "other/KX-NotX"}


@pytest.mark.slow
def test_the_record_says_what_decides_the_weights_and_no_place(trained: Path, data: Folder, model: Folder) -> None:
    text = (trained / "finetune.json").read_text("utf-8")
    for place in (trained.parent, model("nli").parent, data("small").parent):
        assert str(place) not in text
    record = msgspec.json.decode(text, type=Training, strict=True)
    settings = record.settings
    assert record.complete
    assert (settings.epochs, settings.batch, settings.rate, settings.seed) == (3, 8, 1e-3, 0)
    assert (settings.betas, settings.epsilon, settings.weight_decay) == ([0.9, 0.999], 1e-8, 0.0)
    assert (settings.schedule, settings.warmup_steps, settings.optimizer) == ("linear", 0, "adamw_torch_fused")
    assert settings.head == ["contradiction", "neutral", "entailment"]
    assert record.mapping == "labels as they are"
    assert (record.train.instances, record.train.examples, record.validation.examples) == (14, 28, 12)
    assert record.train.labels == {"contradiction": 14, "entailment": 14}
    assert [epoch.epoch for epoch in record.epochs] == [1, 2, 3]
    assert record.epochs[-1].loss < record.epochs[0].loss
    assert record.sessions[0].versions["accelerate"]
    assert set(record.files or ()) == {path.name for path in trained.iterdir()} - {"finetune.json"}
    assert json.loads((trained / "config.json").read_text())["id2label"]["2"] == "entailment"


def test_defaults_are_those_that_are_documented() -> None:
    base = TrainingOrder(source="", model="", out="")
    assert (base.epochs, base.batch, base.learning_rate) == (5, 8, 5e-5)
    assert msgspec.structs.replace(base, new_head=True).learning_rate == 1e-4


@pytest.mark.slow
def test_dynamics_are_the_probabilities_of_gold_labels(trained: Path, data: Folder, tmp_path: Path) -> None:
    table = read_dynamics(trained).to_pylist()
    for row in table[:3]:
        msgspec.convert(row, DynamicsRow, strict=True)
    assert [row["epoch"] for row in table] == [1] * 28 + [2] * 28 + [3] * 28
    # the last epoch's are the trained model's: a scorer that is not left out from training rows finds the same
    rows = [r for b in gramprobe.read(data("small")).rows("small", split="train") for r in b.to_pylist()]
    assert [row["item"] for row in table[-28:]] == [row["id"] for row in rows]
    file = tmp_path / "train.jsonl"
    lines = [{key: row[key] for key in ("id", "instance", "premise", "hypothesis")} for row in rows]
    file.write_text(
        "".join(json.dumps({**x, "label": r["label_name"]}) + "\n" for x, r in zip(lines, rows, strict=True))
    )
    score(RunOrder(source=str(file), task="nli", model=str(trained), out=str(tmp_path / "scores")))
    scored = gramprobe.read_scores(tmp_path / "scores").table().to_pylist()
    for dynamics, found in zip(table[-28:], scored, strict=True):
        assert np.log(dynamics["probability"]) == pytest.approx(found[dynamics["label"]], abs=1e-4)
        values = [found[name] for name in ("entailment", "neutral", "contradiction")]
        assert dynamics["correct"] == (found[dynamics["label"]] == max(values))


@pytest.mark.slow
def test_one_seed_is_one_model(trained: Path, data: Folder, model: Folder, tmp_path: Path) -> None:
    same = order(data("small"), model("nli"), tmp_path / "same", epochs=3, rate=1e-3, tests=(str(data("other")),))
    finetune(msgspec.structs.replace(same, out=str(tmp_path / "1"), seed=1))
    finetune(same)
    assert weights(tmp_path / "same") == weights(trained)
    assert weights(tmp_path / "1") != weights(trained)
    assert (tmp_path / "same" / "dynamics.parquet").read_bytes() == (trained / "dynamics.parquet").read_bytes()


@pytest.mark.slow
def test_the_trainer_takes_the_steps_of_a_plain_loop(data: Folder, model: Folder, tmp_path: Path) -> None:
    """AdamW, the linear schedule and the bound on gradients, written out, on the Trainer's own batches: no other
    setting decides the weights. Without dropout, whose random numbers are drawn in another order."""
    import torch
    from transformers import AutoModelForSequenceClassification

    from gramprobe.finetune import train as training

    still = tmp_path / "still"
    shutil.copytree(model("nli"), still)
    config = json.loads((still / "config.json").read_text())
    config |= {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    (still / "config.json").write_text(json.dumps(config))
    made: list[dict[str, Any]] = []
    batch = training._batch

    def kept(*arguments: Any) -> Any:
        made.append(batch(*arguments))
        return dict(made[-1])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "_batch", kept)
        finetune(order(data("small"), still, tmp_path / "out", rate=1e-3))
    assert [len(each["labels"]) for each in made] == [8, 8, 8, 4] * 2
    loop: Any = AutoModelForSequenceClassification.from_pretrained(still)
    optimizer = torch.optim.AdamW(loop.parameters(), lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0)
    loop.train()
    for number, values in enumerate(made):
        optimizer.param_groups[0]["lr"] = 1e-3 * (1 - number / len(made))
        labels = values.pop("labels")
        torch.nn.functional.cross_entropy(loop(**values).logits, labels).backward()
        torch.nn.utils.clip_grad_norm_(loop.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    ours: Any = AutoModelForSequenceClassification.from_pretrained(tmp_path / "out")
    for (name, mine), (_, plain) in zip(ours.named_parameters(), loop.named_parameters(), strict=True):
        assert torch.allclose(mine, plain, atol=1e-4), name


# ---- killed trainings

KILLS = [(2, "step", 0), (6, "step", 1), (8, "save", 1), (0, "end", 3)]
"""The step at which a training is killed, where in it, and the epoch from which it goes on."""


@pytest.fixture(
    scope="module", params=["copied", pytest.param("killed", marks=[pytest.mark.process, pytest.mark.deep])]
)
def left(
    request: pytest.FixtureRequest, data: Folder, model: Folder, tmp_path_factory: pytest.TempPathFactory
) -> dict[Moment, TrainingOrder]:
    """What trainings leave that are killed: copies of the folder of one that goes on, made at each moment; or what
    processes left that died then."""
    orders = {
        (step, where): order(
            data("small"), model("nli"), tmp_path_factory.mktemp("killed") / "out",
            epochs=3, rate=1e-3, tests=(str(data("other")),),
        )
        for step, where, _ in KILLS
    }  # fmt: skip
    if request.param == "copied":
        whole = tmp_path_factory.mktemp("whole") / "out"
        with pytest.MonkeyPatch.context() as patch:
            watch(orders, lambda moment: shutil.copytree(whole, orders[moment].out), patch.setattr)
            finetune(msgspec.structs.replace(next(iter(orders.values())), out=str(whole)))
        return orders
    lines = [msgspec.json.encode((each, moment)) for moment, each in orders.items()]
    command = [sys.executable, str(Path(__file__).with_name("killed.py"))]
    done = subprocess.run(command, input=b"\n".join(lines), capture_output=True, check=False)
    assert done.stdout.split() == [b"-9"] * len(KILLS), done.stderr.decode()
    return orders


@pytest.mark.slow
@pytest.mark.parametrize(("step", "where", "from_epoch"), KILLS)
def test_a_killed_training_goes_on_and_ends_with_the_same_weights(
    step: int, where: str, from_epoch: int, trained: Path, left: dict[Moment, TrainingOrder]
) -> None:
    what = left[step, where]
    out = Path(what.out)
    assert not read_training(out).complete
    assert not (out / "model.safetensors").exists()
    with pytest.raises(UsageError, match="has a training that was not finished"):
        finetune(what)
    record = finetune(msgspec.structs.replace(what, resume=True))
    assert record.sessions[0].from_epoch == from_epoch
    assert weights(out) == weights(trained)
    assert (out / "dynamics.parquet").read_bytes() == (trained / "dynamics.parquet").read_bytes()
    assert {path.name for path in out.iterdir()} == {path.name for path in trained.iterdir()}


@pytest.mark.slow
def test_a_complete_training_is_resumed_at_once(
    trained: Path, data: Folder, model: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gramprobe.finetune import run

    shutil.copytree(trained, tmp_path / "out")
    monkeypatch.setattr(run, "_trained", lambda *_: pytest.fail("it is trained again"))
    again = order(data("small"), model("nli"), tmp_path / "out", epochs=3, rate=1e-3, tests=(str(data("other")),))
    assert finetune(msgspec.structs.replace(again, resume=True)) == read_training(trained)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"epochs": 4}, "`epochs` was 3 and is 4"),
        ({"seed": 1}, "`seed` was 0 and is 1"),
        ({"batch": 4}, "`batch` was 8 and is 4"),
        ({"size": 5}, "`size` was null and is 5"),
        ({"rate": 1e-4}, "`rate` was 0.001 and is 0.0001"),
        ({"two_labels": "neutral"}, "`labels` was"),
        ({"tests": ()}, "`tests` was"),
        ({"model": "nli_two"}, "`weights` was"),
    ],
)
def test_two_settings_never_mix(options: dict[str, Any], name: str, trained: Path, data: Folder, model: Folder) -> None:
    options = {"epochs": 3, "rate": 1e-3, "tests": (str(data("other")),), "resume": True, **options}
    other = model(options.pop("model", "nli"))
    before = weights(trained)
    with pytest.raises(UsageError, match="other settings") as error:
        finetune(order(data("small"), other, trained, **options))
    assert error.value.code == "E59"
    assert name in error.value.message
    assert weights(trained) == before


@pytest.mark.slow
def test_a_folder_of_something_else_is_left_alone(data: Folder, model: Folder, trained: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for out in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(UsageError, match="is not a folder of a training"):
            finetune(order(data("small"), model("nli"), out, resume=True))
    with pytest.raises(UsageError, match="has a trained model already"):
        finetune(order(data("small"), model("nli"), trained))


def test_two_processes_do_not_train_into_one_folder(tmp_path: Path) -> None:
    one, other = TrainingFolder(tmp_path / "out", False), TrainingFolder(tmp_path / "out", False)
    with one, pytest.raises(UsageError, match="another process is training"):
        other.__enter__()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: (f / "finetune.json").unlink(), "did not write this folder"),
        (lambda f: (f / "finetune.json").write_text("{"), "it is no record of a training"),
        (lambda f: (f / "model.safetensors").unlink(), "the file is missing"),
        (lambda f: (f / "dynamics.parquet").write_bytes(b"PAR1"), "its SHA-256 is not that of finetune.json"),
    ],
)
def test_damaged_folders_are_refused(
    change: Callable[[Path], object], message: str, trained: Path, tmp_path: Path
) -> None:
    shutil.copytree(trained, tmp_path / "out")
    change(tmp_path / "out")
    with pytest.raises(UsageError, match=message) as error:
        read_training(tmp_path / "out")
    assert error.value.code == "E59"


def test_dynamics_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pytest.raises(UsageError, match="it cannot be read"):
        read_dynamics(tmp_path)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "dynamics.parquet")
    with pytest.raises(UsageError, match="its columns are not those"):
        read_dynamics(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["checkpoint-8", "model"])
def test_a_full_disk_is_an_error_of_the_system_and_training_goes_on(
    place: str, trained: Path, data: Folder, model: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors import SafetensorError
    from transformers import BertForSequenceClassification

    what = order(data("small"), model("nli"), tmp_path / "out", epochs=3, rate=1e-3, tests=(str(data("other")),))
    save = BertForSequenceClassification.save_pretrained

    def full(self: Any, folder: Any, *rest: Any, **options: Any) -> Any:
        if Path(folder).name == place:
            raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")
        return save(self, folder, *rest, **options)

    with monkeypatch.context() as patch:
        patch.setattr(BertForSequenceClassification, "save_pretrained", full)
        with pytest.raises(OSError, match="No space left") as error:
            finetune(what)
    assert error.value.errno == errno.ENOSPC
    finetune(msgspec.structs.replace(what, resume=True))
    assert weights(tmp_path / "out") == weights(trained)


@pytest.mark.slow
def test_a_loss_that_is_no_number_ends_a_training(data: Folder, model: Folder, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the loss of epoch 1 is no number") as error:
        finetune(order(data("small"), model("nli"), tmp_path / "out", rate=1e30))
    assert error.value.code == "E59"


@pytest.mark.slow
def test_progress_is_told(data: Folder, model: Folder, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    finetune(order(data("small"), model("nli"), tmp_path / "out"), lambda *each: told.append(each))
    assert told[0] == ("checking", 0, 0)
    assert [each for each in told if each[2]] == [
        *((f"epoch {1 + step // 4} of 2", step + 1, 8) for step in range(8)),
    ]


def forged(folder: Path, trained: Path, edit: Callable[[dict[str, Any]], Any], rows: bool = False) -> Path:
    """A copy of a training with its record, or the columns of its dynamics (``rows``), edited and its hashes redone."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    shutil.copytree(trained, folder)
    file, dynamics = folder / "finetune.json", folder / "dynamics.parquet"
    record = json.loads(file.read_text("utf-8"))
    if rows:
        table = pq.read_table(dynamics)
        columns = table.to_pydict()
        edit(columns)
        pq.write_table(pa.table(columns, schema=table.schema), dynamics)
        record["files"][dynamics.name] = sha256_of(dynamics)
    else:
        edit(record)
    file.write_text(json.dumps(record), "utf-8")
    return folder


def exchanged(columns: dict[str, Any]) -> None:
    other = {"entailment": "contradiction", "contradiction": "entailment"}
    columns["label"] = [other[label] for label in columns["label"]]


FORGED = [
    (exchanged, True, "in its dynamics"),
    (lambda r: r["words"][0].update(same_pairs=0, shared=0, examples=[]), False, "share with `validation`"),
    (lambda r: r["validation"].update(labels={"entailment": 12}), False, "`validation` is not what the dataset has"),
    (lambda r: r["tests"][0].update(conditions={"other/KX-X": r["tests"][0]["all"]}), False, "tested on other rows"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "rows", "message"), FORGED)
def test_what_its_datasets_say_otherwise_is_refused(
    edit: Callable[[dict[str, Any]], Any], rows: bool, message: str, trained: Path, data: Folder, tmp_path: Path
) -> None:
    known = {(data(name).name, sha256_of(data(name) / "manifest.json")): data(name) for name in ("small", "other")}
    assert check_training(trained, known) == {*known.values()}
    folder = forged(tmp_path / "out", trained, edit, rows)
    assert check_training(folder, {}) == set()
    with pytest.raises(UsageError, match=message) as error:
        check_training(folder, known)
    assert error.value.code == "E59"


@pytest.mark.slow
def test_a_forged_training_is_not_resumed(trained: Path, data: Folder, model: Folder, tmp_path: Path) -> None:
    folder = forged(tmp_path / "out", trained, exchanged, rows=True)
    options: dict[str, Any] = {"epochs": 3, "rate": 1e-3, "tests": (str(data("other")),), "resume": True}
    with pytest.raises(UsageError, match="in its dynamics"):
        finetune(order(data("small"), model("nli"), folder, **options))


@pytest.mark.slow
def test_a_dataset_that_no_training_is_of_is_told(
    trained: Path, data: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["analyze", "--training", str(trained), "--dataset", str(data("small"))]
    assert main(arguments) == 0
    assert main([*arguments, "--dataset", str(data("alike"))]) == 2
    assert f"no training is of the dataset `{data('alike')}`" in capsys.readouterr().err


@pytest.mark.slow
def test_a_trained_model_that_was_changed_is_not_scored(
    trained: Path, data: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its labels turned, right answers would count as wrong ones."""
    folder = Path(shutil.copytree(trained, tmp_path / "model"))
    file = folder / "config.json"
    config = json.loads(file.read_text("utf-8"))
    config["id2label"] = dict(zip("012", reversed(config["id2label"].values()), strict=True))
    file.write_text(json.dumps(config), "utf-8")
    arguments = ["score", str(data("other")), "--model", str(folder), "--out", str(tmp_path / "scores")]
    assert main(arguments) == 2
    assert "its SHA-256 is not that of finetune.json" in capsys.readouterr().err
