"""People's ratings in the form in which Kamath et al. (2024) released theirs: a follow-up after a sentence, 1 to 7."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gramprobe.formats import scope
from gramprobe.judgments.answers import Read, Response, Trial
from gramprobe.source.messages.judgments import Place

COLUMNS = {"idx", "stype", "ftype", "workerid", "response"}
PARTS = {
    "s_f1": "ambiguous/followup_inverse", "s_f2": "ambiguous/followup_surface",
    "control_f1": "control/followup_inverse", "control_f2": "control/followup_surface",
}  # fmt: skip
"""The paper's sentence and follow-up -> the part of an item of ours."""


def reads(path: Path, heading: Sequence[str], begin: bytes) -> bool:
    return set(heading) >= COLUMNS


def read(path: Path) -> Read:
    """The ratings; `idx` is the id of an item. Raises UsageError (E44, E46)."""
    table = scope.ratings(path)
    answers = [
        Response(
            Trial(row["person"], row["item"], "", None, PARTS.get(row["part"], row["part"]), Place(path.name, line)),
            f"{row['rating']:g}",
        )
        for line, row in enumerate(table.to_pylist(), 2)
    ]
    return Read(answers)
