"""The folder of a trained model: `finetune.json` and `dynamics.parquet` beside the files that `gramprobe score` reads.

    read_training(folder) -> Training

Reading needs pyarrow and no torch. The weights are put in place at the end, so that the folder of a training that was
killed has none; `.progress/` has what its finished epochs left, and is deleted at the end.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import UNSET, UnsetType

from gramprobe.folders import FilledFolder, check_files, read_record, read_table
from gramprobe.records import Count, Record, Sha256, sha256_of
from gramprobe.score.record import ModelEntry, SourceEntry
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

RECORD, DYNAMICS, PROGRESS = "finetune.json", "dynamics.parquet", ".progress"
SAYS = messages.folders.TRAINING
FORMAT: Literal[1] = 1
CLOSE = 1e-3
"""How far a probability may be rounded."""


class TrainingSettings(Record, frozen=True, kw_only=True):
    """What decides the weights: a training goes on only with equal ones.

    `source`: the hash of the dataset's manifest. `tables`: its paradigms. `labels`: label of the data -> label of the
    head. `head`: the labels of the head in their order. `weights`, `tokenizer`, `config`: the hashes of the files that
    training starts from. `size`: instances, null for all. `rate`: the learning rate at the first step. `optimizer`,
    `betas`, `epsilon`, `weight_decay`, `schedule`, `warmup_steps`, `max_grad_norm`: of AdamW. `tests`: name of the
    rows -> hash of their dataset's manifest.
    """

    source: Sha256
    tables: list[str]
    labels: dict[str, str]
    head: list[str]
    new_head: bool
    weights: dict[str, Sha256]
    tokenizer: dict[str, Sha256]
    config: dict[str, Sha256]
    seed: Count
    size: Count | None
    epochs: Count
    batch: Count
    rate: float
    optimizer: str
    betas: list[float]
    epsilon: float
    weight_decay: float
    schedule: str
    warmup_steps: Count
    max_grad_norm: float
    device: str
    dtype: str
    matmul: str
    tests: dict[str, Sha256]


class Rows(Record, frozen=True, kw_only=True):
    """Rows that are trained or validated on: `labels` are counts by label of the data."""

    instances: Count
    examples: Count
    tokens: Count
    labels: dict[str, Count]


class SharedWords(Record, frozen=True, kw_only=True):
    """Entries of the lexicon that training rows share with other rows.

    `rows`: which. `train`, `other`: how many entries each side has. `shared`: how many of the training rows' stand on
    the other side too, or have a word that a form there has. `examples`: the first of them. `unknown`: draws whose
    words are not known: if there are any, nothing is proved. `same_pairs`: how many of the other rows have premise and
    hypothesis of a training row.
    """

    rows: str
    train: Count
    other: Count
    shared: Count
    examples: list[str]
    unknown: list[str]
    same_pairs: Count

    @property
    def disjoint(self) -> bool:
        """Whether it is proved that no word is shared."""
        return not self.shared and not self.unknown


class Right(Record, frozen=True, kw_only=True):
    """How much of some examples is right. `accuracy`: of the labels that the data's are mapped to. `binary_accuracy`:
    of entailment and its absence, the likeliest label collapsed. Labels that tie get their share each."""

    examples: Count
    accuracy: float
    binary_accuracy: float


class Epoch(Record, frozen=True, kw_only=True):
    """An epoch. `loss`: the mean cross-entropy of its examples while it trained, in nats. `validation`,
    `validation_loss`: at its end. `train_seconds`: of training alone; `seconds`: with what is measured at its end."""

    epoch: Count
    loss: float
    validation: Right
    validation_loss: float
    train_seconds: float
    seconds: float


class Tested(Record, frozen=True, kw_only=True):
    """What the trained model reaches on rows that it was not trained on, as a whole and by paradigm and condition."""

    rows: str
    all: Right
    conditions: dict[str, Right]


class TrainingSession(Record, frozen=True, kw_only=True):
    """One start of the training: from which epoch on, with what, and how long it took in seconds."""

    gramprobe: str
    versions: dict[str, str]
    from_epoch: Count
    threads: Count
    seconds: float


class Training(Record, frozen=True, kw_only=True):
    """The file finetune.json.

    `mapping`: what was done with the labels, in words. `new_weights`: what no file had: random numbers at the start.
    `words`: what training rows share with others. `epochs`, `tests`, `files`: filled in as they are finished. `files`:
    the hashes of the folder's files.
    """

    format: Literal[1]
    model: ModelEntry
    source: SourceEntry
    settings: TrainingSettings
    mapping: str
    train: Rows
    validation: Rows
    words: list[SharedWords]
    complete: bool
    new_weights: list[str]
    epochs: list[Epoch]
    tests: list[Tested]
    files: dict[str, Sha256] | UnsetType = UNSET
    sessions: list[TrainingSession]


class DynamicsRow(Record, frozen=True, kw_only=True):
    """A row of dynamics.parquet: a training example at the end of an epoch.

    `label`: of the data. `probability`: of the label that it is mapped to. `correct`: whether that label is the
    likeliest (no other is as likely).
    """

    item: str
    part: str
    paradigm: str
    condition: str
    label: str
    epoch: Count
    probability: float
    correct: bool


def arrow_schema() -> pa.Schema:
    """The columns of dynamics.parquet."""
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("item", "part", "paradigm", "condition", "label")]
    return pa.schema([*texts, ("epoch", pa.int32()), ("probability", pa.float64()), ("correct", pa.bool_())])


# -- reading


def read_training(folder: str | Path) -> Training:
    """The record of a trained model, complete or not. Raises UsageError (E59) for a folder without one, for one that
    contradicts itself, and for a complete one whose files are missing or have other hashes."""
    place = Path(folder)
    file = place / RECORD
    if not file.is_file():
        raise SAYS.damaged(str(file), "the file is missing: `gramprobe finetune` did not write this folder")
    found = read_record(file, Training, SAYS)
    wrong = next(_contradictions(found), None)
    if wrong is not None:
        raise SAYS.damaged(str(file), wrong)
    check_files(place, found.files, RECORD, SAYS)
    return found


def _contradictions(record: Training) -> Iterator[str]:
    """What in a record contradicts the rest of it, as clauses."""
    settings = record.settings
    if settings.source != record.source.sha256:
        yield "`source` has two hashes"
    if not (settings.weights and settings.tokenizer and settings.config):
        yield "a hash of the weights, the tokenizer or the configuration is missing"
    for rows in (record.train, record.validation):
        if sum(rows.labels.values()) != rows.examples or not rows.labels.keys() <= settings.labels.keys():
            yield "the labels of its rows are not as many as its examples, or not those of its settings"
    numbers = [each.epoch for each in record.epochs]
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) > settings.epochs:
        yield f"its epochs are not those from 1 to {settings.epochs}"
    measured = [*(each.validation for each in record.epochs), *(each.all for each in record.tests)]
    measured += [each for tested in record.tests for each in tested.conditions.values()]
    if not all(0 <= share <= 1 for each in measured for share in (each.accuracy, each.binary_accuracy)):
        yield "an accuracy is not between 0 and 1"
    if any(loss < 0 for each in record.epochs for loss in (each.loss, each.validation_loss)):
        yield "a loss is below 0"
    files = {} if record.files is UNSET else record.files
    if record.complete and (DYNAMICS not in files or len(numbers) < settings.epochs):
        yield "it is said to be complete, and lacks an epoch or the hash of its dynamics"


def read_dynamics(folder: str | Path, record: Training | None = None) -> pa.Table:
    """The rows of dynamics.parquet: each training example at the end of each epoch, epoch after epoch. Raises
    UsageError (E59), also for rows that contradict themselves or the record beside them.

    ``record``: of the folder, where it is read already, which takes the hash of every file of the model.
    """
    file = Path(folder) / DYNAMICS
    table = read_table(file, arrow_schema(), "training dynamics", SAYS)
    wrong = _wrong_rows(table, record or read_training(folder))
    if wrong:
        raise SAYS.damaged(str(file), wrong)
    return table


def _wrong_rows(table: pa.Table, record: Training) -> str:
    """What in the rows of dynamics.parquet contradicts itself or the record; empty where nothing does."""
    import numpy as np
    import pyarrow.compute as pc

    epochs, examples = len(record.epochs), record.train.examples
    if len(table) != epochs * examples or not examples:
        return f"it has {len(table):,} rows, and the record says {examples:,} examples in {epochs} epochs"
    if any(column.null_count for column in table.columns):
        return "a cell is empty"
    if not np.array_equal(table.column("epoch").to_numpy(), np.repeat(np.arange(1, epochs + 1), examples)):
        return "its rows are not epoch after epoch"
    names = table.select(["item", "part", "paradigm", "condition", "label"])
    if any(not names.slice(n * examples, examples).equals(names.slice(0, examples)) for n in range(epochs)):
        return "an epoch has other examples than the first one"
    if len(names.slice(0, examples).group_by(["item", "part"]).aggregate([])) != examples:
        return "an example stands twice"
    counts = {each["values"]: each["counts"] for each in pc.value_counts(names.column("label")).to_pylist()}
    if counts != {label: epochs * rows for label, rows in record.train.labels.items() if rows}:
        return "its labels are not those of the record"
    probability, correct = (table.column(name).to_numpy() for name in ("probability", "correct"))
    if not ((probability >= 0) & (probability <= 1)).all():
        return "a probability is not between 0 and 1"
    least = 1 / max(1, len(record.settings.head)) - CLOSE
    if (correct & (probability < least)).any() or (~correct & (probability > 0.5 + CLOSE)).any():
        return "`correct` is not what the probability says"
    return ""


# -- writing


def check_folders(folders: Iterable[Path], resume: bool) -> None:
    """Raise UsageError (E59) if a training could not be written into one of the folders, before any of them begins."""
    for folder in folders:
        TrainingFolder(folder, resume)


class TrainingFolder(FilledFolder[Training]):
    """The folder of one training while it is made. Use as a context: the folder is ours within it.

    Raises UsageError (E59) for a folder of something else, and of a training that is not to be resumed.
    """

    def __init__(self, folder: Path, resume: bool) -> None:
        super().__init__(folder, resume, SAYS)

    def found(self) -> tuple[Training, bool]:
        training = self.record_in(RECORD, Training)
        return training, training.complete

    @property
    def progress(self) -> Path:
        """The folder of what finished epochs left."""
        return self.folder / PROGRESS

    def begin(self, record: Training) -> Training:
        """Write the record of a training that begins; of one that goes on, give back what is finished of it.

        Raises UsageError (E59) if it was begun with other settings.
        """
        if self.before is not None:
            self.check(self.before.settings, record.settings)
            return self.before
        self.progress.mkdir(exist_ok=True)
        self.write(RECORD, record)
        return record

    def end(self, record: Training, made: Path) -> Training:
        """Put the files of ``made`` in place, the record of the finished training behind them, and clean up."""
        names = sorted(file.name for file in made.iterdir())
        for name in names:
            (made / name).chmod((self.folder / RECORD).stat().st_mode)  # some libraries keep what they write private
            (made / name).replace(self.folder / name)
        files = {name: sha256_of(self.folder / name) for name in names}
        record = msgspec.structs.replace(record, complete=True, files=files)
        self.write(RECORD, record)
        shutil.rmtree(self.progress, ignore_errors=True)
        return record


_FULL = ("No space left", "PytorchStreamWriter failed", "unexpected pos", "File too large", "os error 28")
"""What libraries that write weights say of a disk that is full."""


@contextmanager
def disk_errors(place: Path) -> Iterator[None]:
    """Within this context a full disk is an OSError, whatever the library that writes makes of it."""
    try:
        yield
    except (OSError, UsageError):
        raise
    except Exception as error:
        if any(sign in str(error) for sign in _FULL):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), place.name) from None
        raise
