"""The map of training examples, and what trainings reached."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gramprobe.analysis.training import data_map, training_findings
from gramprobe.cli.main import main
from gramprobe.finetune import record as records
from gramprobe.finetune.record import (
    Epoch,
    Right,
    Rows,
    SharedWords,
    Training,
    TrainingSession,
    TrainingSettings,
    arrow_schema,
)
from gramprobe.records import sha256_of
from gramprobe.score.record import ModelEntry, SourceEntry
from gramprobe.source.diagnostic import UsageError

P = [[0.9, 0.2, 0.1], [0.9, 0.6, 0.1], [0.9, 0.7, 0.1], [0.9, 0.9, 0.1]]
"""(epochs, examples): the probability of the label of an easy, an ambiguous and a hard example."""
HASH = "0" * 64
WEIGHTS = hashlib.sha256(b"weights").hexdigest()


def training(folder: Path, instances: int = 3, seed: int = 0, accuracy: float = 0.5, complete: bool = True) -> Path:
    """A folder as `gramprobe finetune` leaves it, with weights that are none. An example for each instance."""
    folder.mkdir(parents=True)
    right = Right(examples=10, accuracy=accuracy, binary_accuracy=accuracy)
    epochs = [
        Epoch(epoch=n, loss=1 / n, validation=right, validation_loss=0.5, train_seconds=1.0, seconds=1.0)
        for n in range(1, len(P) + 1)
    ]
    head = ["entailment", "not_entailment"]
    settings = TrainingSettings(
        source=HASH, tables=["p"], labels={label: label for label in head}, head=head, new_head=False,
        weights={"w": HASH}, tokenizer={"t": HASH}, config={"c": HASH},
        seed=seed, size=None, epochs=4, batch=8, rate=5e-5, optimizer="adamw",
        betas=[0.9, 0.999], epsilon=1e-8, weight_decay=0.0, schedule="linear", warmup_steps=0, max_grad_norm=1.0,
        device="cpu", dtype="float32", matmul="highest", tests={"other": HASH},
    )  # fmt: skip
    train, validation = (
        Rows(instances=n, examples=n, tokens=10 * n, labels={"entailment": n}) for n in (instances, right.examples)
    )
    words = [
        SharedWords(rows=name, train=4, other=4, shared=1, examples=["cat"], unknown=[], same_pairs=0)
        for name in ("validation", "other")
    ]
    session = TrainingSession(gramprobe="0.1.0", versions={}, from_epoch=0, threads=1, seconds=1.0)
    record = Training(
        format=1, model=ModelEntry(name="m", revision="", kind="classifier"), source=SourceEntry(name="d", sha256=HASH),
        settings=settings, mapping="labels as they are", train=train, validation=validation, words=words,
        complete=complete, new_weights=[], epochs=epochs, sessions=[session],
        tests=[records.Tested(rows="other", all=right, conditions={"p/all": right})],
    )  # fmt: skip
    table = [
        (item(n), "hypothesis", "p", condition(n), "entailment", epoch, each[n % 3] - seed / 1000, each[n % 3] > 0.5)
        for epoch, each in enumerate(P, 1)
        for n in range(instances)
    ]
    schema = arrow_schema()
    columns = [pa.array(c, f.type) for c, f in zip(zip(*table, strict=True), schema, strict=True)]
    pq.write_table(pa.Table.from_arrays(columns, schema=schema), folder / "dynamics.parquet")
    (folder / "model.safetensors").write_bytes(b"weights")
    (folder / "config.json").write_text(json.dumps({"id2label": dict(enumerate(head))}), "utf-8")
    files = {file.name: sha256_of(file) for file in sorted(folder.iterdir())} if complete else msgspec.UNSET
    record = msgspec.structs.replace(record, files=files)
    (folder / "finetune.json").write_text(json.dumps(msgspec.to_builtins(record)), "utf-8")
    return folder


def condition(number: int) -> str:
    return "hard" if number % 3 == 2 else "other"


def item(number: int) -> str:
    return f"d/p/i{number}/{condition(number)}"


def edited(folder: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    """The record changed, and the hashes of all files made anew."""
    file = folder / "finetune.json"
    record = json.loads(file.read_text("utf-8"))
    edit(record)
    for name in record.get("files", {}):
        record["files"][name] = sha256_of(folder / name)
    file.write_text(json.dumps(record), "utf-8")


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda r: r["settings"].update(source="1" * 64), "two hashes"),
        (lambda r: r["settings"].update(weights={}), "hash of the weights"),
        (lambda r: r["train"].update(examples=9), "not as many as its examples"),
        (lambda r: r["train"].update(labels={"maybe": 3}), "not those of its settings"),
        (lambda r: r["epochs"].pop(), "lacks an epoch"),
        (lambda r: r["epochs"][0].update(epoch=99), "not those from 1"),
        (lambda r: r["epochs"][0].update(loss=-1.0), "below 0"),
        (lambda r: r["epochs"][0]["validation"].update(accuracy=2.0), "between 0 and 1"),
        (lambda r: r.pop("files"), "the hash of its dynamics"),
        (lambda r: r["files"].pop("model.safetensors"), "the hash of its dynamics or its model"),
        (lambda r: r["files"].update({"../m": HASH}), "another folder"),
        (lambda r: r["settings"]["weights"].update({"model.safetensors": WEIGHTS}), "those that it began with"),
        (lambda r: r["settings"].update(rate=0.0), "no rate of learning"),
        (lambda r: r["settings"].update(size=7), "its `size` is 7"),
        (lambda r: r["settings"].update(tables=[]), "names none"),
        (lambda r: r["settings"].update(head=["entailment"] * 2), "not those of its head"),
        (lambda r: r["settings"]["labels"].update(entailment="not_entailment"), "not those of its head"),
        (lambda r: r["model"].update(kind="endpoint"), "is not trained so"),
        (lambda r: r["model"].update(name=""), "a name or a version is empty"),
        (lambda r: r.update(mapping="checked by two annotators"), "not what is done with the labels"),
        (lambda r: r.update(new_weights=["classifier.weight"]), "no head was made"),
        (lambda r: r["train"].update(instances=4), "without an instance"),
        (lambda r: r["train"].update(instances=2), "of 3 instances, and the record says 2"),
        (lambda r: r["epochs"][3]["validation"].update(examples=1000), "other rows than those of its validation"),
        (lambda r: r["epochs"][3]["validation"].update(accuracy=0.987, binary_accuracy=0.987), "none that 10 examples"),
        (lambda r: r["epochs"][3]["validation"].update(accuracy=0.9), "more labels are right"),
        (lambda r: r["epochs"][3].update(train_seconds=9.0), "longer than it lasted"),
        (lambda r: r["tests"].clear(), "not those of its settings"),
        (lambda r: r["tests"][0].update(rows="superglue"), "not those of its settings"),
        (lambda r: r["tests"][0]["all"].update(accuracy=1.0, binary_accuracy=1.0), "not that of its conditions"),
        (lambda r: r["tests"][0]["conditions"].clear(), "not that of its conditions"),
        (lambda r: r["words"].clear(), "not about its validation rows"),
        (lambda r: r["words"][1].update(shared=5), "more is shared with `other` than there is"),
        (lambda r: r["words"][1].update(shared=0), "not as many as are named"),
        (lambda r: r["sessions"].clear(), "lacks an epoch, a session"),
        (lambda r: r["sessions"][0].update(seconds=-1.0), "less than no time"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(
    tmp_path: Path, edit: Callable[[dict[str, Any]], Any], reason: str
) -> None:
    folder = training(tmp_path / "a")
    file = folder / "finetune.json"
    record = json.loads(file.read_text("utf-8"))
    edit(record)
    file.write_text(json.dumps(record), "utf-8")
    with pytest.raises(UsageError, match=reason):
        training_findings([tmp_path / "a"])


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("probability", 2.0, "between 0 and 1"),
        ("probability", float("nan"), "between 0 and 1"),
        ("probability", None, "a cell is empty"),
        ("epoch", 99, "not epoch after epoch"),
        ("label", "neutral", "labels are not|other examples"),
        ("item", "d/p/i1/other", "other examples|stands twice"),
        ("correct", False, "not what the probability says"),
    ],
)
def test_dynamics_that_contradict_themselves_are_refused(tmp_path: Path, column: str, value: Any, reason: str) -> None:
    """With their hash made anew."""
    folder = training(tmp_path / "a")
    file = folder / "dynamics.parquet"
    table = pq.read_table(file)
    values = table.column(column).to_pylist()
    values[0] = value
    at = table.schema.get_field_index(column)
    field = table.schema.field(at)
    pq.write_table(table.set_column(at, field, pa.array(values, field.type)), file)
    edited(folder, lambda record: None)
    with pytest.raises(UsageError, match=reason):
        training_findings([folder])


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("paradigm", "q", "none of the paradigms of the record"),
        ("condition", "easy", "no item of the condition `easy`"),
        ("item", "d/q/i{}/other", "no item of the condition"),
    ],
)
def test_examples_of_other_rows_are_refused(tmp_path: Path, column: str, value: str, reason: str) -> None:
    """In every epoch, with the hash made anew."""
    folder = training(tmp_path / "a")
    file = folder / "dynamics.parquet"
    table = pq.read_table(file)
    at = table.schema.get_field_index(column)
    values = pa.array([value.format(n % 3) for n in range(len(table))], pa.string())
    pq.write_table(table.set_column(at, table.schema.field(at), values), file)
    edited(folder, lambda record: None)
    with pytest.raises(UsageError, match=reason):
        training_findings([folder])


def test_a_model_that_does_not_fit_the_record_is_refused(tmp_path: Path) -> None:
    """With the hashes made anew."""
    folder = training(tmp_path / "turned")
    file = folder / "config.json"
    names = json.loads(file.read_text("utf-8"))["id2label"]
    file.write_text(json.dumps({"id2label": {"0": names["1"], "1": names["0"]}}), "utf-8")
    edited(folder, lambda record: None)
    with pytest.raises(UsageError, match=r"the labels of config\.json are not those"):
        training_findings([folder])
    for name in ("adapter_model.safetensors", "adapter_config.json", "chat_template.jinja", "vocab.txt"):
        folder = training(tmp_path / name)
        (folder / name).write_bytes(b"of another model")
        with pytest.raises(UsageError, match=f"knows of no file `{name}`"):
            training_findings([folder])


def test_what_is_not_read_of_a_model_may_stand_beside_it(tmp_path: Path) -> None:
    folder = training(tmp_path / "trained")
    for name in ("README.md", "notes.json", "trainer_state.json", ".gitattributes"):
        (folder / name).write_text("{}", "utf-8")
    training_findings([folder])


def test_a_training_does_not_count_twice_without_a_word(tmp_path: Path) -> None:
    folder = training(tmp_path / "a")
    with pytest.raises(UsageError, match="`a` is given twice"):
        training_findings([folder, folder])
    shutil.copytree(folder, tmp_path / "b")
    edited(tmp_path / "b", lambda record: record["settings"].update(seed=1))
    (warning,) = training_findings([folder, tmp_path / "b"]).warnings
    assert warning == "b has the dynamics of a: it may be one training, which counts twice here"


def test_the_map_is_mean_deviation_and_share_over_the_epochs(tmp_path: Path) -> None:
    mapped = data_map([training(tmp_path / "a")])
    assert [example[0] for example in mapped.examples] == [item(n) for n in range(3)]
    assert mapped.confidence.tolist() == pytest.approx([0.9, 0.6, 0.1])
    assert mapped.variability.tolist() == pytest.approx([0, np.sqrt((0.16 + 0 + 0.01 + 0.09) / 4), 0])
    assert mapped.correctness.tolist() == [1, 0.75, 0]
    both = data_map([tmp_path / "a", training(tmp_path / "b")])
    assert both.confidence.tolist() == pytest.approx(mapped.confidence.tolist())
    assert len(both.examples) == 3


def test_tables_of_one_training(tmp_path: Path) -> None:
    found = training_findings([training(tmp_path / "a")])
    assert [table.name for table in found.tables] == ["trainings", "data_map"]
    assert found.tables[0].rows[0][:4] == ("a", 3, 0, 4)
    assert [row[:3] for row in found.tables[1].rows] == [("p", "hard", 1), ("p", "other", 2)]
    (hardest,) = found.details
    assert [row[0] for row in hardest.rows] == [item(n) for n in (2, 1, 0)]
    assert found.warnings == ()


def test_a_curve_of_several_sizes_and_seeds(tmp_path: Path) -> None:
    for size, seed, accuracy in ((1, 0, 0.4), (1, 1, 0.6), (3, 0, 0.8), (3, 1, 1.0)):
        training(tmp_path / f"size-{size}--seed-{seed}", size, seed, accuracy)
    training(tmp_path / "size-3--seed-2", complete=False)
    found = training_findings([tmp_path])
    curve = {table.name: table for table in found.tables}["learning_curve"]
    assert [row[:5] for row in curve.rows] == [(1, 2, 0.5, 0.4, 0.6), (3, 2, 0.9, 0.8, 1.0)]
    assert [figure.name for figure in found.figures] == ["learning_curve", "data_map"]
    assert found.warnings == ("1 of 5 trainings are not finished, and left out",)


def test_what_is_no_training_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did not write this folder") as error:
        training_findings([tmp_path])
    assert error.value.code == "E59"


@pytest.mark.slow
def test_the_command_prints_tables_and_writes_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = training(tmp_path / "a")
    assert main(["analyze", "--training", str(place), "--out", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "What the trainings reached." in out
    assert "The map of the training examples, by condition." in out
    written = {file.name for file in (tmp_path / "out" / "training").iterdir()}
    assert {"data_map.svg", "data_map.csv", "hardest.csv", "trainings.md", "findings.md"} <= written
    assert main(["analyze", "--training", str(place), "--example"]) == 2


def test_a_report_of_trainings_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tables and figures of `analyze --training`, without sections about runs."""
    for size in (3, 6):
        training(tmp_path / "all" / f"size-{size}", size)
    out = tmp_path / "r.html"
    assert main(["report", "--training", str(tmp_path / "all"), "--out", str(out)]) == 0
    page = out.read_text("utf-8")
    for each in (
        'id="trainings"',
        'data-name="learning_curve"',
        "report --training all",
        "What the trainings reached.",
    ):
        assert each in page
    assert 'id="summary"' not in page and 'id="items"' not in page
    assert main(["report", "--out", str(out)]) == 2
    assert "nothing to report on" in capsys.readouterr().err
