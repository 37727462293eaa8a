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

from gramprobe.finetune.results import PROGRESS, TrainingSession, disk_errors
from gramprobe.records import Count, Record, Sha256
from gramprobe.score.results import LOCK, differences, is_empty, locked, put_whole
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


class InferSentFolder:
    """The folder of one training while it is made. Use as a context: the folder is ours within it."""

    def __init__(self, folder: Path, resume: bool) -> None:
        """Raises UsageError (E59) for a folder of something else, and of a training that is not to be resumed."""
        self.folder, self.progress = folder, folder / PROGRESS
        self.finished: InferSentTraining | None = None
        self._lock: Any = None
        if folder.exists() and not folder.is_dir():
            raise messages.finetune.foreign_folder(str(folder))
        if not folder.is_dir() or all(each.name == LOCK or is_empty(each) for each in folder.iterdir()):
            return
        begun = (self.progress / SETTINGS).is_file()
        if (folder / RECORD).is_file():
            self.finished = _read(folder / RECORD, InferSentTraining)
        elif not begun:
            raise messages.finetune.foreign_folder(str(folder))
        if not resume:
            raise messages.finetune.existing_training(str(folder), self.finished is not None)

    def __enter__(self) -> InferSentFolder:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = locked(self.folder, messages.finetune.busy_folder)
        return self

    def __exit__(self, *error: object) -> None:
        if self._lock is not None:
            self._lock.close()
            (self.folder / LOCK).unlink(missing_ok=True)

    def begin(self, settings: InferSentSettings) -> State | None:
        """Note what is trained; of a training that goes on, give what its last finished epoch left.

        Raises UsageError (E59) if it was begun with other settings, or if what it left cannot be read.
        """
        noted = self.progress / SETTINGS
        before = self.finished.settings if self.finished else None
        if before is None and noted.is_file():
            before = _read(noted, InferSentSettings)
        if before is not None:
            changed = list(differences(before, settings))
            if changed:
                raise messages.finetune.other_settings(str(self.folder), changed)
            if self.finished is None:
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
            raise messages.finetune.damaged(str(file), f"what the last epoch left cannot be read: {error}") from None

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


def _read(file: Path, record: Any) -> Any:
    try:
        return msgspec.json.decode(file.read_bytes(), type=record, strict=True)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise messages.finetune.damaged(str(file), f"it is no record of a training: {error}") from None
