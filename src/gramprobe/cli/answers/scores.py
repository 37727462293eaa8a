"""What `score` and `finetune` answer."""

from __future__ import annotations

from gramprobe.cli.answers.answer import Answer
from gramprobe.finetune.record import Training
from gramprobe.records import Record
from gramprobe.score.record import Run
from gramprobe.score.summary import Line


class ScoredFolder(Answer, frozen=True, kw_only=True):
    """`gramprobe score --json`: the folder, its run.json, and means by condition."""

    folder: str
    run: Run
    summary: list[Line]


class TrainedFolder(Record, frozen=True, kw_only=True):
    """A trained model: its folder, and its finetune.json."""

    folder: str
    training: Training


class Finetuned(Answer, frozen=True, kw_only=True):
    """`gramprobe finetune --json`: the folder of `--out`, and a training for each size and seed."""

    folder: str
    trainings: list[TrainedFolder]
