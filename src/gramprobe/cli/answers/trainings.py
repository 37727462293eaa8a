"""What `finetune` answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from gramprobe.cli.answers.answer import Answer
from gramprobe.finetune.results import Training
from gramprobe.records import Record


class TrainedFolder(Record, frozen=True, kw_only=True):
    """A trained model: its folder, and its finetune.json."""

    folder: str
    training: Training


class Finetuned(Answer, frozen=True, kw_only=True):
    """`gramprobe finetune --json`: the folder of `--out`, and a training for each size and seed."""

    folder: str
    trainings: list[TrainedFolder]


def plain(out: Path, found: Sequence[tuple[Path, Training]]) -> dict[str, Any]:
    """The answer as plain data."""
    trainings = [{"folder": str(folder), "training": msgspec.to_builtins(each)} for folder, each in found]
    return {"folder": str(out), "trainings": trainings}
