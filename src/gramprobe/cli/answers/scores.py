"""What `score` answers."""

from __future__ import annotations

from gramprobe.cli.answers.answer import Answer
from gramprobe.score.results import Run
from gramprobe.score.summary import Line


class Scored(Answer, frozen=True, kw_only=True):
    """`gramprobe score --json`: the folder, its run.json, and means by condition."""

    folder: str
    run: Run
    summary: list[Line]
