"""Two datasets side by side: rows gone, new, and labels moved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.dataset.exchange import recover
from gramprobe.source.diagnostic import UsageError


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
                    yield {k: row[k] for k in ("id", "label_name", "premise", "hypothesis")}
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
        if old["label_name"] != row["label_name"]:
            found.moved.append((id_, old["label_name"], row["label_name"]))
        for side in ("premise", "hypothesis"):
            if old[side] != row[side]:
                found.reworded.append((id_, old[side], row[side]))
    found.gone = [i for i in before if i not in seen]
    return found
