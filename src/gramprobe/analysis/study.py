"""The protocol of studies: what one analysis reads, and what it returns.

A study is one module in `studies/` and one entry of `studies.STUDIES`. It gets the runs that it fits, side by side, and
what a user gives beside them, and returns tables and figures (`findings.Findings`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gramprobe.analysis.clusters import INSTANCE
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.runs import Run
from gramprobe.dataset.read import Dataset


@dataclass(frozen=True)
class Given:
    """What a user gives beside the scores.

    Attributes:
        ratings: a file of people's ratings or choices, in a form that the study knows.
        labels: datasets of the same items whose labels follow from other theories.
        cluster: what is drawn independently: `INSTANCE`, `SKELETON`, or a draw or column of the rows, for intervals
            that hold for more of its values; `studies.found` reads `USUAL`, too (`analysis.clusters`).
        runs: all that were given, for a study that compares those that it fits with others.
    """

    ratings: Path | None = None
    labels: tuple[Dataset, ...] = ()
    cluster: str = INSTANCE
    runs: tuple[Run, ...] = ()


class Study(Protocol):
    """One analysis.

    Attributes:
        name: the word after `--study`.
        about: one line about it.
        source: the paper whose results it computes; empty for an analysis of our own.
        needs: which scores it is of, as a clause for a message.
    """

    name: str
    about: str
    source: str
    needs: str

    def fits(self, run: Run) -> bool:
        """Whether it can say anything of a run: by the mode, the tasks and the columns of the dataset."""

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        """The results of the runs that it fits, models side by side. Raises UsageError for what it cannot use."""
