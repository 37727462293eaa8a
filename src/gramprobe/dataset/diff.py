"""Compare two datasets: rows that are gone or new, labels that moved, sentences that were reworded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gramprobe.dataset.exchange import recover
from gramprobe.items.task import Task
from gramprobe.items.tasks import TASKS
from gramprobe.source.diagnostic import UsageError


@dataclass(frozen=True, slots=True)
class Change:
    """A column whose value differs, of a row that is in both datasets."""

    id: str
    column: str
    before: str
    after: str


@dataclass(slots=True)
class Difference:
    """The difference between two datasets.

    Attributes:
        gone: ids of rows in the first only.
        new: ids of rows in the second only.
        moved: changes of answers (labels).
        reworded: changes of sentences.
    """

    gone: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    moved: list[Change] = field(default_factory=list)
    reworded: list[Change] = field(default_factory=list)

    @property
    def any(self) -> bool:
        return bool(self.gone or self.new or self.moved or self.reworded)


def rows(folder: Path) -> Iterator[tuple[Task, dict[str, str]]]:
    """The rows of a dataset folder, each with its task: the id, the answers and the sentences.

    Raises UsageError if the folder is not a dataset or a line is not a row of a registered task.
    """
    recover(folder)
    files = sorted((folder / "items").glob("*.jsonl"))
    if not files:
        raise UsageError(
            f"`{folder}` is not a dataset folder: it has no items/*.jsonl", "give a folder that `build` wrote", "E44"
        )
    by_columns = {frozenset(task.columns): task for task in TASKS.values()}
    for file in files:
        with file.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    row = json.loads(line)
                    task = by_columns[frozenset(row)]
                    yield task, {name: row[name] for name in ("id", *task.answers, *task.sentences)}
                except (ValueError, KeyError, TypeError) as error:
                    raise UsageError(f"{file}:{number}: this line is not a row of a task", code="E44") from error


def compare(one: Path, other: Path) -> Difference:
    """What changed from ``one`` to ``other``, by item id, in the order of the files.

    A change that several answers of a row share (the label, and the same label in a column of strengthening) is listed
    once, for the first of them. Raises UsageError.
    """
    before = {row["id"]: row for _, row in rows(one)}
    difference = Difference()
    seen: set[str] = set()
    for task, row in rows(other):
        id_ = row["id"]
        seen.add(id_)
        if id_ not in before:
            difference.new.append(id_)
            continue
        difference.moved += _changes(before[id_], row, task.answers, once=True)
        difference.reworded += _changes(before[id_], row, task.sentences, once=False)
    difference.gone = [id_ for id_ in before if id_ not in seen]
    return difference


def _changes(old: dict[str, str], new: dict[str, str], columns: Sequence[str], once: bool) -> Iterator[Change]:
    known: set[tuple[str, str]] = set()
    for column in columns:
        if column in old and old[column] != new[column] and not (once and (old[column], new[column]) in known):
            known.add((old[column], new[column]))
            yield Change(new["id"], column, old[column], new[column])
