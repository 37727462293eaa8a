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
    """The record of a trained model, complete or not. Raises UsageError (E59) for a folder without one, and for a
    complete one whose files are missing or have other hashes."""
    place = Path(folder)
    file = place / RECORD
    if not file.is_file():
        raise SAYS.damaged(str(file), "the file is missing: `gramprobe finetune` did not write this folder")
    found = read_record(file, Training, SAYS)
    check_files(place, found.files, RECORD, SAYS)
    return found


def read_dynamics(folder: str | Path) -> pa.Table:
    """The rows of dynamics.parquet: each training example at the end of each epoch, epoch after epoch. Raises
    UsageError (E59)."""
    return read_table(Path(folder) / DYNAMICS, arrow_schema(), "training dynamics", SAYS)


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
