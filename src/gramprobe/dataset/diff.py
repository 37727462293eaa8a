"""Compare two datasets: rows that are gone or new, labels that moved, sentences that were reworded.

If ids of words were changed between them, a table of the old and new ids makes them comparable again: then every column
is compared.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import UNSET

from gramprobe.dataset.exchange import recover
from gramprobe.dataset.manifest import FORMAT, MANIFEST, Invalid, manifest_from
from gramprobe.items.task import Task
from gramprobe.items.tasks import TASKS
from gramprobe.records import Record, sha256_of
from gramprobe.registry import check_installed
from gramprobe.source.diagnostic import UsageError

_AGAIN = "get the dataset again, or build it again; `gramprobe verify` shows more"
_ID = re.compile(r"[^\W\d]\w*")


class Change(Record, frozen=True):
    """A row of two datasets with a column that differs."""

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
        others: changes in other columns, if all columns were compared.
    """

    gone: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    moved: list[Change] = field(default_factory=list)
    reworded: list[Change] = field(default_factory=list)
    others: list[Change] = field(default_factory=list)

    @property
    def any(self) -> bool:
        return bool(self.gone or self.new or self.moved or self.reworded or self.others)


def rows(folder: Path, everything: bool = False) -> Iterator[tuple[Task, dict[str, Any]]]:
    """The rows of a dataset folder, each with its task: the id, the answers and the sentences, or every column; as far
    as they are there, since another release may have had fewer.

    Raises UsageError if the folder is not a dataset, its manifest is damaged or a line is not a row of a registered
    task; E64 if a task is of a package that is not installed: its rows might pass for those of another task,
    without their answers.
    """
    recover(folder)
    check_installed(_packages(folder), ["task"])
    files = sorted((folder / "items").glob("*.jsonl"))
    if not files:
        raise UsageError(
            f"`{folder}` is not a dataset folder: it has no items/*.jsonl", "give a folder that `build` wrote", "E44"
        )
    for file in files:
        with file.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    row = json.loads(line)
                    task = _task(frozenset(row))
                    columns = task.columns if everything else ("id", *task.answers, *task.sentences)
                    yield task, {name: row[name] for name in columns if name in row}
                except (ValueError, TypeError, RecursionError) as error:
                    raise UsageError(f"{file}:{number}: this line is not a row of a task", code="E44") from error


@lru_cache(maxsize=64)
def _task(columns: frozenset[str]) -> Task:
    """The task that wrote rows of these columns, in this release or another: of those whose sentences are there, the
    one with most columns in common. Raises ValueError if there is none."""
    fits = [task for task in TASKS.values() if columns.issuperset({"id", *task.sentences})]
    return max(fits, key=lambda task: len(columns & {*task.columns}) - len(columns ^ {*task.columns}))


def _packages(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """The packages that the manifest of a dataset names; nothing where it has none, or is of another format.

    Raises UsageError (E44) for a manifest that is damaged, or has another hash for a file of rows.
    """
    file = folder / MANIFEST
    if not file.is_file():
        return {}
    try:
        data = json.loads(file.read_bytes())
        if isinstance(data, dict) and type(data.get("format")) is int and data["format"] != FORMAT:
            return {}
        manifest = manifest_from(data)
    except (ValueError, RecursionError) as error:
        what = str(error) if isinstance(error, Invalid) else "it is no JSON, or cut off"
        raise UsageError(f"`{file}`: {what}", _AGAIN, "E44") from None
    for name in (f"items/{paradigm}.jsonl" for paradigm in manifest.paradigms):
        if not (folder / name).is_file() or manifest.files.get(name) != sha256_of(folder / name):
            raise UsageError(f"`{folder / name}`: it is not the file of the manifest", _AGAIN, "E44")
    return {} if manifest.packages is UNSET else manifest.packages


def by_condition(difference: Difference) -> dict[tuple[str, str], Counter[str]]:
    """Paradigm and condition (as ids name them) -> how many rows are `gone`, `new`, have `other sentences`, and how
    many answers moved (`label_name entailment -> neutral`)."""
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    kinds = {
        "gone": difference.gone,
        "new": difference.new,
        "other sentences": dict.fromkeys(change.id for change in difference.reworded),
    }
    for kind, ids in kinds.items():
        for id_ in ids:
            found[_place(id_)][kind] += 1
    for change in difference.moved:
        found[_place(change.id)][f"{change.column} {change.before} -> {change.after}"] += 1
    return dict(sorted(found.items()))


def _place(id_: str) -> tuple[str, str]:
    """Paradigm and condition of an item."""
    return "/".join(id_.split("/")[:2]), id_.rpartition("/")[2]


def read_map(file: Path) -> dict[str, str]:
    """A table of ids: two columns with a tab between them, old and new, and a header. Raises UsageError."""
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise UsageError(f"`{file}` cannot be read: {why}", "give a table of old and new ids", "E44") from None
    ids: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        cells = line.split("\t")
        if len(cells) != 2 or not all(_ID.fullmatch(cell) for cell in cells):
            raise UsageError(
                f"{file}:{number}: `{line}` is not an old and a new id with a tab between them",
                "the first line is a header, such as `before` and `after`",
                "E44",
            )
        if number > 1 and ids.setdefault(cells[0], cells[1]) != cells[1]:
            raise UsageError(f"{file}:{number}: `{cells[0]}` stands in the table twice", code="E44")
    return ids


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    """A cell with the new ids, wherever an old one stands as a whole word."""
    if isinstance(value, str):
        return _ID.sub(lambda match: ids.get(match.group(), match.group()), value)
    if isinstance(value, dict):
        return {key: _renamed(inner, ids) for key, inner in value.items()}
    return [_renamed(inner, ids) for inner in value] if isinstance(value, list) else value


def compare(one: Path, other: Path, ids: Mapping[str, str] | None = None) -> Difference:
    """What changed from ``one`` to ``other``, by item id, in the order of the files.

    ``ids``: the new ids of words whose id was changed. With it (it may be empty) all columns are compared, and old ids
    in the first dataset are read as new ones, but for sentences and answers, which hold no ids.

    A change that several answers of a row share (the label, and the same label in a column of strengthening) is listed
    once, for the first of them. Raises UsageError.
    """
    before: dict[str, dict[str, Any]] = {}
    for task, row in rows(one, ids is not None):
        if ids:
            fixed = {*task.answers, *task.sentences}
            row = {name: value if name in fixed else _renamed(value, ids) for name, value in row.items()}
        before[row["id"]] = row
    difference = Difference()
    seen: set[str] = set()
    for task, row in rows(other, ids is not None):
        id_ = row["id"]
        seen.add(id_)
        if id_ not in before:
            difference.new.append(id_)
            continue
        difference.moved += _changes(before[id_], row, task.answers, once=True)
        difference.reworded += _changes(before[id_], row, task.sentences, once=False)
        if ids is not None:
            rest = [name for name in task.columns if name not in (*task.answers, *task.sentences)]
            difference.others += _changes(before[id_], row, rest, once=False)
    difference.gone = [id_ for id_ in before if id_ not in seen]
    return difference


def _changes(old: dict[str, Any], new: dict[str, Any], columns: Sequence[str], once: bool) -> Iterator[Change]:
    known: set[tuple[str, str]] = set()
    for column in columns:
        if column not in old or old[column] == new[column]:
            continue
        change = _shown(old[column]), _shown(new[column])
        if not (once and change in known):
            known.add(change)
            yield Change(new["id"], column, *change)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
