"""One training: a dataset, a model and a seed -> a folder with a model that `gramprobe score` reads."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from gramprobe import __version__
from gramprobe.finetune.data import Data, rows_of, wrong_data
from gramprobe.finetune.examples import Example, Paradigms
from gramprobe.finetune.labels import mapping
from gramprobe.finetune.order import TrainingOrder
from gramprobe.finetune.record import (
    DYNAMICS,
    ENTAILMENT,
    FORMAT,
    Right,
    Tested,
    Training,
    TrainingSession,
    TrainingSettings,
    arrow_schema,
    rule,
)
from gramprobe.finetune.results import SAYS, TrainingFolder, disk_errors, read_dynamics
from gramprobe.score.record import ModelEntry, SourceEntry
from gramprobe.source import messages

if TYPE_CHECKING:
    from gramprobe.finetune.start import Start
    from gramprobe.finetune.train import Examples, Floats, Show, Trained


def finetune(order: TrainingOrder, show: Show = lambda what, done, of: None) -> Training:
    """Train the model of an order, and return the record of the finished training.

    Raises UsageError for a dataset that cannot be trained on (E44, E58), a model that cannot be trained (E91, E92,
    E93) and a folder that cannot be used (E59); OSError. Whatever ends it, `resume` goes on from the last epoch that
    was finished.
    """
    store = TrainingFolder(Path(order.out), order.resume)
    data = Data(order)
    try:
        import accelerate  # noqa: F401
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise messages.packages.lacking("fine-tuning", error.name or "accelerate", "finetune") from None
    from gramprobe.finetune.start import start_of

    show("checking", 0, 0)
    start = start_of(order)
    mapped = mapping(data.part.labels, start.head, order.two_labels, start.folder.name)
    prepared = _Prepared(order, data, start)
    with store:
        record = store.begin(_record(order, data, start, mapped, prepared))
        wrong = wrong_data(record, data, read_dynamics(store.folder, record) if record.complete else None)
        if wrong:
            raise SAYS.damaged(str(store.folder), wrong)
        if record.complete:
            return record
        from gramprobe.finetune.train import computing

        with computing(order):
            return _trained(order, data, prepared, store, record, show)


def check_data(orders: Sequence[TrainingOrder]) -> None:
    """Raise what the rows of several orders would raise, before any of them begins: of the largest size."""
    Data(max(orders, key=lambda order: order.size or 0))


class _Prepared:
    """The rows of an order as the model's tokens. Raises UsageError (E58, E92)."""

    def __init__(self, order: TrainingOrder, data: Data, start: Start) -> None:
        from gramprobe.finetune.train import Examples

        self.start = start

        def of(part: Paradigms, rows: Sequence[Example]) -> Examples:
            its = mapping(part.labels, start.head, order.two_labels, start.folder.name)
            return Examples(start.texts(rows, part.name), [start.head.index(its[row.label]) for row in rows])

        self.train = of(data.part, data.train)
        self.validation = of(data.part, data.validation)
        self.tests = [of(part, rows) for part, rows in data.tests]


def _record(order: TrainingOrder, data: Data, start: Start, mapped: dict[str, str], prepared: _Prepared) -> Training:
    from gramprobe.finetune import train

    hashes = start.folder.hashes()
    settings = TrainingSettings(
        source=data.part.source.sha256,
        tables=list(data.part.tables),
        labels=mapped,
        head=list(start.head),
        new_head=order.new_head,
        weights=hashes["weights"],
        tokenizer=hashes["tokenizer"],
        config=hashes["config"],
        seed=order.seed,
        size=order.size,
        epochs=order.epochs,
        batch=order.batch,
        rate=order.learning_rate,
        optimizer=train.OPTIMIZER,
        betas=list(train.BETAS),
        epsilon=train.EPSILON,
        weight_decay=train.WEIGHT_DECAY,
        schedule=train.SCHEDULE,
        warmup_steps=train.WARMUP_STEPS,
        max_grad_norm=train.MAX_GRAD_NORM,
        device=order.device,
        dtype="float32",
        matmul=order.matmul,
        tests={part.name: part.source.sha256 for part, _ in data.tests},
    )
    return Training(
        format=FORMAT,
        model=msgspec.convert({key: getattr(start.folder, key) for key in ("name", "revision", "kind")}, ModelEntry),
        source=SourceEntry(name=data.part.name, sha256=data.part.source.sha256),
        settings=settings,
        mapping=rule(mapped),
        train=rows_of(data.train, prepared.train.tokens),
        validation=rows_of(data.validation, prepared.validation.tokens),
        words=data.words,
        complete=False,
        new_weights=[],
        epochs=[],
        tests=[],
        files=UNSET,
        sessions=[],
    )


def _trained(
    order: TrainingOrder, data: Data, prepared: _Prepared, store: TrainingFolder, record: Training, show: Show
) -> Training:
    """Train, test and put the folder in place."""
    from gramprobe.finetune.train import log_probabilities, train
    from gramprobe.score.engines.weights import versions

    started, start = time.monotonic(), prepared.start

    def measure(model: Any) -> tuple[float, Right]:
        logs = log_probabilities(model, start, prepared.validation.texts)
        loss = -float(logs[range(len(logs)), prepared.validation.labels].mean())
        return loss, _right(prepared.validation.labels, logs, start.head)

    trained = train(order, start, prepared.train, measure, store.progress, show)
    tests = []
    for (part, rows), examples in zip(data.tests, prepared.tests, strict=True):
        show("testing", 0, 0)
        logs = log_probabilities(trained.model, start, examples.texts)
        tests.append(_tested(part.name, rows, examples.labels, logs, start.head))
    made = store.progress / "model"
    made.mkdir(exist_ok=True)
    with disk_errors(made):
        trained.model.save_pretrained(made)
        start.tokens.tokenizer.save_pretrained(made)
    _write_dynamics(made, data.train, trained)
    session = TrainingSession(
        gramprobe=__version__,
        versions={**versions("classifier"), "accelerate": _version("accelerate")},
        from_epoch=trained.from_epoch,
        threads=order.threads,
        seconds=round(time.monotonic() - started, 3),
    )
    finished = msgspec.structs.replace(
        record,
        new_weights=trained.new_weights,
        epochs=[left.epoch for left in trained.epochs],
        tests=tests,
        sessions=[*record.sessions, session],
    )
    return store.end(finished, made)


def _version(package: str) -> str:
    from importlib.metadata import version

    return version(package)


def _right(labels: Sequence[int], logs: Floats, head: Sequence[str]) -> Right:
    """How much is right. ``labels``: of each example, its number in the head. ``logs``: (examples, labels of the head).
    Labels that tie get their share each."""
    import numpy as np

    shares = (logs == logs.max(axis=1, keepdims=True)).astype(float)
    shares /= shares.sum(axis=1, keepdims=True)
    gold, entailment = np.asarray(labels), head.index(ENTAILMENT)
    entailed = shares[:, entailment]
    return Right(
        examples=len(labels),
        accuracy=float(shares[np.arange(len(gold)), gold].mean()),
        binary_accuracy=float(np.where(gold == entailment, entailed, 1 - entailed).mean()),
    )


def _tested(name: str, rows: Sequence[Example], labels: Sequence[int], logs: Floats, head: Sequence[str]) -> Tested:
    places: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        places.setdefault(f"{row.table}/{row.condition}", []).append(number)
    conditions = {key: _right([labels[n] for n in own], logs[own], head) for key, own in places.items()}
    return Tested(rows=name, all=_right(labels, logs, head), conditions=conditions)


def _write_dynamics(folder: Path, rows: Sequence[Example], trained: Trained) -> None:
    """Write dynamics.parquet: the training examples at the end of each epoch, epoch after epoch. Raises OSError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    named = [
        [getattr(row, name) for row in rows] * len(trained.epochs)
        for name in ("item", "part", "table", "condition", "label")
    ]
    epochs = [left.epoch.epoch for left in trained.epochs for _ in rows]
    probabilities = [p for left in trained.epochs for p in left.probabilities]
    correct = [c for left in trained.epochs for c in left.correct]
    schema = arrow_schema()
    columns = [*named, epochs, probabilities, correct]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), folder / DYNAMICS)
