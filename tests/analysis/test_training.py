"""The map of training examples, and what trainings reached."""

from __future__ import annotations

import json
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
from gramprobe.finetune import results
from gramprobe.finetune.results import (
    Epoch,
    Right,
    Rows,
    Training,
    TrainingSettings,
    arrow_schema,
)
from gramprobe.records import sha256_of
from gramprobe.score.record import ModelEntry, SourceEntry
from gramprobe.source.diagnostic import UsageError

P = [[0.9, 0.2, 0.1], [0.9, 0.6, 0.1], [0.9, 0.7, 0.1], [0.9, 0.9, 0.1]]
"""(epochs, examples): the probability of the label of an easy, an ambiguous and a hard example."""
HASH = "0" * 64


def training(folder: Path, instances: int = 3, seed: int = 0, accuracy: float = 0.5, complete: bool = True) -> Path:
    """A folder as `gramprobe finetune` leaves it, without a model."""
    folder.mkdir(parents=True)
    right = Right(examples=10, accuracy=accuracy, binary_accuracy=accuracy)
    epochs = [
        Epoch(epoch=n, loss=1 / n, validation=right, validation_loss=0.5, train_seconds=1.0, seconds=1.0)
        for n in range(1, len(P) + 1)
    ]
    settings = TrainingSettings(
        source=HASH, tables=["p"], labels={"entailment": "entailment"}, head=["entailment", "neutral"], new_head=False,
        weights={"w": HASH}, tokenizer={"t": HASH}, config={"c": HASH},
        seed=seed, size=None, epochs=4, batch=8, rate=5e-5, optimizer="adamw",
        betas=[0.9, 0.999], epsilon=1e-8, weight_decay=0.0, schedule="linear", warmup_steps=0, max_grad_norm=1.0,
        device="cpu", dtype="float32", matmul="highest", tests={},
    )  # fmt: skip
    rows = Rows(instances=instances, examples=3, tokens=30, labels={"entailment": 3})
    record = Training(
        format=1, model=ModelEntry(name="m", revision="", kind="classifier"), source=SourceEntry(name="d", sha256=HASH),
        settings=settings, mapping="labels as they are", train=rows, validation=rows, words=[], complete=complete,
        new_weights=[], epochs=epochs, tests=[results.Tested(rows="other", all=right, conditions={})], sessions=[],
    )  # fmt: skip
    table = [
        (f"i{n}", "hypothesis", "p", "hard" if n == 2 else "other", "entailment", epoch, p, p > 0.5)
        for epoch, each in enumerate(P, 1)
        for n, p in enumerate(each)
    ]
    schema = arrow_schema()
    columns = [pa.array(c, f.type) for c, f in zip(zip(*table, strict=True), schema, strict=True)]
    file = folder / "dynamics.parquet"
    pq.write_table(pa.Table.from_arrays(columns, schema=schema), file)
    files = {file.name: sha256_of(file)} if complete else msgspec.UNSET
    record = msgspec.structs.replace(record, files=files)
    (folder / "finetune.json").write_text(json.dumps(msgspec.to_builtins(record)), "utf-8")
    return folder


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
    ],
)
def test_a_record_that_contradicts_itself_is_refused(
    tmp_path: Path, edit: Callable[[dict[str, Any]], Any], reason: str
) -> None:
    file = training(tmp_path / "a") / "finetune.json"
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
        ("item", "i1", "other examples|stands twice"),
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
    record = json.loads((folder / "finetune.json").read_text("utf-8"))
    record["files"][file.name] = sha256_of(file)
    (folder / "finetune.json").write_text(json.dumps(record), "utf-8")
    with pytest.raises(UsageError, match=reason):
        training_findings([folder])


def test_the_map_is_mean_deviation_and_share_over_the_epochs(tmp_path: Path) -> None:
    mapped = data_map([training(tmp_path / "a")])
    assert [example[0] for example in mapped.examples] == ["i0", "i1", "i2"]
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
    assert [row[0] for row in hardest.rows] == ["i2", "i1", "i0"]
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
