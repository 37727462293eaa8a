"""The folder of a trained classifier of InferSent's form: `infersent.json` beside the files that `score` reads.

The files are put in place when the training has ended, the record last. Until then the folder holds `.progress/`: what
is trained (`settings.json`), and what the last finished epoch left (`epoch.safetensors`). It is deleted at the end.
Reading and writing the records needs no torch.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from gramprobe.cli.answers.answer import Answer
from gramprobe.finetune.record import TrainingSession
from gramprobe.finetune.results import PROGRESS, disk_errors
from gramprobe.folders import FilledFolder, put_whole, read_record
from gramprobe.records import Count, Record, Sha256
from gramprobe.source import messages

RECORD, SETTINGS, STATE = "infersent.json", "settings.json", "epoch.safetensors"
FORMAT: Literal[1] = 1


class InferSentSettings(Record, frozen=True, kw_only=True):
    """What decides the weights: a training goes on only with equal ones.

    `corpora`, `validation`, `vectors`: name of the file -> its SHA-256; of a dataset, its manifest's. `dimensions`: of
    vectors that are learned. `rate`: the learning rate of the first epoch.
    """

    corpora: dict[str, Sha256]
    validation: dict[str, Sha256]
    vectors: dict[str, Sha256]
    dimensions: Count
    hidden: Count
    head: Count
    epochs: Count
    batch: Count
    optimizer: Literal["sgd", "adam"]
    rate: float
    seed: Count


class InferSentEpoch(Record, frozen=True, kw_only=True):
    """An epoch. `rate`: its learning rate. `loss`: the mean loss while it trained, in nats. `validation`: the accuracy
    on held-out pairs at its end."""

    epoch: Count
    rate: float
    loss: float
    validation: float


class InferSentTraining(Record, frozen=True, kw_only=True):
    """The file infersent.json.

    `labels`: the names of the outputs in their order. `pairs`: how many were trained on; `validation_pairs`: held out;
    `unlabelled`: without a label, and left out; `unknown`: with a sentence of which no word has a vector, also left
    out. `kept`: the epoch whose weights these are. `sessions`: the starts of the training that ended.
    """

    format: Literal[1]
    settings: InferSentSettings
    labels: list[str]
    pairs: Count
    validation_pairs: Count
    unlabelled: Count
    unknown: Count
    epochs: list[InferSentEpoch]
    kept: Count
    sessions: list[TrainingSession]


class InferSentTrained(Answer, frozen=True, kw_only=True):
    """`gramprobe infersent --json`: the folder of `--out`, and its infersent.json."""

    folder: str
    training: InferSentTraining


class Left(Record, frozen=True, kw_only=True):
    """What a finished epoch leaves beside its arrays. `rate`: the learning rate, not yet that of the next epoch."""

    epochs: list[InferSentEpoch]
    kept: Count
    rate: float


@dataclass(frozen=True)
class State:
    """A training at the end of an epoch: numbers, and arrays by name."""

    left: Left
    arrays: dict[str, Any]


class InferSentFolder(FilledFolder[InferSentTraining]):
    """The folder of one training while it is made. Use as a context: the folder is ours within it.

    Raises UsageError (E59) for a folder of something else, and of a training that is not to be resumed.
    """

    def __init__(self, folder: Path, resume: bool) -> None:
        self.progress = folder / PROGRESS
        super().__init__(folder, resume, messages.folders.TRAINING)

    def found(self) -> tuple[InferSentTraining | None, bool]:
        """The record of a finished training; None of one that was begun."""
        if not (self.folder / RECORD).is_file() and (self.progress / SETTINGS).is_file():
            return None, False
        return self.record_in(RECORD, InferSentTraining), True

    def begin(self, settings: InferSentSettings) -> State | None:
        """Note what is trained; of a training that goes on, give what its last finished epoch left.

        Raises UsageError (E59) if it was begun with other settings, or if what it left cannot be read.
        """
        noted = self.progress / SETTINGS
        before = self.before.settings if self.before else None
        if before is None and noted.is_file():
            before = read_record(noted, InferSentSettings, self.says)
        if before is not None:
            self.check(before, settings)
            if self.before is None:
                return self._state()
            shutil.rmtree(self.progress, ignore_errors=True)  # it ended in this very moment
            return None
        self.progress.mkdir(exist_ok=True)
        put_whole(noted, lambda place: place.write_bytes(msgspec.json.encode(settings)))
        return None

    def _state(self) -> State | None:
        file = self.progress / STATE
        if not file.is_file():
            return None
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(file, "pt") as opened:
                left = msgspec.json.decode(opened.metadata()["left"], type=Left, strict=True)
                return State(left, {name: opened.get_tensor(name) for name in opened.keys()})  # noqa: SIM118
        except (OSError, SafetensorError, msgspec.MsgspecError, KeyError, TypeError) as error:
            raise self.says.damaged(str(file), f"what the last epoch left cannot be read: {error}") from None

    def keep(self, state: State) -> None:
        """Keep what an epoch left, in the place of what the epoch before it left. Raises OSError."""
        from safetensors.torch import save_file

        about = {"left": msgspec.json.encode(state.left).decode()}
        with disk_errors(self.progress):
            put_whole(self.progress / STATE, lambda place: save_file(state.arrays, place, metadata=about))

    def discard(self) -> None:
        """Leave nothing of a training that cannot end."""
        shutil.rmtree(self.progress, ignore_errors=True)

    def end(self, files: Mapping[str, Callable[[Path], Any]], record: InferSentTraining) -> None:
        """Write the files of the trained model, the record behind them, and clean up. Raises OSError."""
        text = msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"
        for name, write in {**files, RECORD: lambda place: place.write_bytes(text)}.items():
            with disk_errors(self.folder):
                put_whole(self.folder / name, write)
            (self.folder / name).chmod((self.progress / SETTINGS).stat().st_mode)  # one library keeps files private
        shutil.rmtree(self.progress, ignore_errors=True)
