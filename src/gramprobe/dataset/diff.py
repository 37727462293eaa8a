"""Two datasets side by side: rows gone, new, and labels moved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.dataset.exchange import recover
from gramprobe.source.diagnostic import UsageError

SENTENCES: dict[str, tuple[str, ...]] = {
    "premise": ("premise", "hypothesis"),
    "sentence": ("sentence", "option_a", "option_b"),
    "ambiguous": ("ambiguous", "control", "followup_inverse", "followup_surface"),
    "text": ("text", "candidate_subject", "candidate_embedded"),
}
"""The columns with words, by the first one that only this task has."""
ANSWERS = (
    "label_name",
    "fits_a",
    "fits_b",
    "fits",
    "ambiguous_readings",
    "embedded_accessible_in",
    "embedded_exists_in",
)
"""Columns whose change is a label that moved."""


@dataclass(slots=True)
class Difference:
    """Ids of rows in one dataset only; rows in both whose label or words differ (id, before, after)."""

    gone: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    moved: list[tuple[str, str, str]] = field(default_factory=list)
    reworded: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def any(self) -> bool:
        return bool(self.gone or self.new or self.moved or self.reworded)


def items(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of a dataset folder. Raises UsageError when it is none, or holds a line that is no item."""
    recover(folder)
    files = sorted((folder / "items").glob("*.jsonl"))
    if not files:
        raise UsageError(
            f"`{folder}` is no dataset folder: it has no items/*.jsonl",
            "give a folder that `build` wrote",
            "E44",
        )
    for file in files:
        with file.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    row = json.loads(line)
                    words = SENTENCES["premise" if "premise" in row else next(iter(row.keys() & SENTENCES.keys()))]
                    answers = {k: row[k] for k in ANSWERS if k in row}
                    yield {"id": row["id"], "answers": answers, "words": {k: row[k] for k in words}}
                except (ValueError, KeyError, TypeError) as error:
                    raise UsageError(f"{file}:{number}: this line is no item: {error}", code="E44") from error


def compare(one: Path, other: Path) -> Difference:
    """What changed from ``one`` to ``other``, by item id, in the order of the files."""
    before = {r["id"]: r for r in items(one)}
    found = Difference()
    seen: set[str] = set()
    for row in items(other):
        id_ = row["id"]
        seen.add(id_)
        if id_ not in before:
            found.new.append(id_)
            continue
        old = before[id_]
        for said in row["answers"].keys() & old["answers"].keys():
            if old["answers"][said] != row["answers"][said]:
                found.moved.append((id_, old["answers"][said], row["answers"][said]))
        for side in row["words"].keys() & old["words"].keys():
            if old["words"][side] != row["words"][side]:
                found.reworded.append((id_, old["words"][side], row["words"][side]))
    found.gone = [i for i in before if i not in seen]
    return found
