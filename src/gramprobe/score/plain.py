"""A plain file of items: CSV or TSV with a heading, or JSON lines.

The columns that are scored have the names of the task (`forms`). `id` and `instance` may be missing: then the id is
the name of the file with the number of the row, and each row is an instance of its own. Rows of one instance stand
together. Values of `label` are the names of labels or their numbers.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gramprobe.dataset.manifest import Word
from gramprobe.formats.nli import check_label
from gramprobe.formats.tabular import UNCLOSED, is_unclosed
from gramprobe.score.forms import LABELS_OF, OPTIONAL, form_of
from gramprobe.score.source import Item, Table
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Span
from gramprobe.source.files import is_utf16
from gramprobe.source.messages.analysis import SEPARATORS

SUFFIXES = (".csv", ".tsv", ".jsonl")


class PlainSource:
    """A plain file. Raises AuthoringError (E95) for a file that cannot be read as rows of the task."""

    def __init__(self, file: Path, task: str) -> None:
        from gramprobe.records import sha256_of

        self._path = str(file)
        self.name = file.name
        form = form_of(task)
        self._rows = _read(file)
        self.sha256 = sha256_of(file)
        columns = tuple(self._rows[0][1])
        wanted = dict.fromkeys([*form.context, *form.options, *form.continuations])
        missing = [column for column in wanted if column not in columns and column not in OPTIONAL]
        if missing:
            raise _bad(messages.score.no_columns(Span(self._path, 1, 1), missing, columns, task))
        self.tables: Mapping[str, Table] = {file.stem: Table(file.stem, task, form, columns, LABELS_OF.get(task, ()))}
        self.words: Mapping[str, Word] = {}
        self._check_ids()

    def trees(self, table: str) -> Mapping[str, Any]:
        return {}

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Item]:
        labels = self.tables[table].labels
        for number, (line, row) in enumerate(self._rows, 1):
            id_ = str(row.get("id") or f"{table}/{number}")
            chosen = {column: row.get(column, "") for column in columns}
            if labels and "label" in chosen:
                chosen["label"] = _label(chosen["label"], labels, Span(self._path, line, 1))
                check_label(Path(self._path), line, row, labels[chosen["label"]])
            yield Item(id_, str(row.get("instance") or id_), (self._path, line), {"id": id_, **chosen})

    def _check_ids(self) -> None:
        seen: dict[str, int] = {}
        instances, before = set[str](), ""
        for item in self.rows(next(iter(self.tables)), ()):
            if item.id in seen:
                raise _bad(messages.score.repeated_id(Span(*item.place, 1), item.id, seen[item.id]))
            seen[item.id] = item.place[1]
            if item.instance != before and item.instance in instances:
                raise _bad(messages.score.split_instance(Span(*item.place, 1), item.instance))
            instances.add(before := item.instance)


def _read(file: Path) -> list[tuple[int, dict[str, Any]]]:
    """The rows of a file, each with its line. Raises AuthoringError."""
    path = str(file)
    raw = file.read_bytes()
    if is_utf16(raw):
        raise _bad(messages.score.unreadable(Span(path, 1, 1), "it is UTF-16, and not UTF-8"))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise _bad(messages.score.unreadable(Span(path, line, 1), "it is not UTF-8")) from None
    rows = list(
        _json_lines(text, path) if file.suffix.lower() == ".jsonl" else _separated(text, path, file.suffix.lower())
    )
    if not rows:
        raise _bad(messages.score.unreadable(Span(path, 1, 1), "it has no rows"))
    return rows


def _json_lines(text: str, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict) or not all(isinstance(value, str | int) for value in row.values() if value):
            what = "this line is no JSON object of texts and numbers"
            raise _bad(messages.score.unreadable(Span(path, number, 1), what))
        yield number, {name: "" if value is None else value for name, value in row.items()}


def _separated(text: str, path: str, suffix: str) -> Iterator[tuple[int, dict[str, Any]]]:
    separator = "\t" if suffix == ".tsv" else ","
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True)
    heading: list[str] = []
    line = 1
    try:
        for cells in reader:
            if not cells:
                continue
            if not heading:
                heading = cells
                other = next((each for each in ",;\t|" if each in cells[0]), "")
                if len(cells) == 1 and other:
                    what = (
                        f"{SEPARATORS[other]} stand between the names of its columns, and not {SEPARATORS[separator]}"
                    )
                    raise _bad(messages.score.unreadable(Span(path, reader.line_num, 1), what))
                if len(set(cells)) < len(cells):
                    raise _bad(messages.score.unreadable(Span(path, 1, 1), "a column stands twice in its heading"))
            elif len(cells) != len(heading):
                what = f"this row has {len(cells)} cells, and the heading {len(heading)}"
                raise _bad(messages.score.unreadable(Span(path, reader.line_num, 1), what))
            else:
                yield reader.line_num, dict(zip(heading, cells, strict=True))
            line = reader.line_num + 1
    except csv.Error as error:
        is_open = is_unclosed(error)
        place = Span(path, line if is_open else reader.line_num, 1)
        what = UNCLOSED if is_open else str(error)
        raise _bad(messages.score.unreadable(place, what)) from None


def _label(value: Any, labels: Sequence[str], span: Span) -> int:
    text = str(value)
    if text in labels:
        return labels.index(text)
    if text.isdecimal() and int(text) < len(labels):
        return int(text)
    raise _bad(messages.score.unknown_label(span, text, labels))


def _bad(diagnostic: Any) -> AuthoringError:
    return AuthoringError([diagnostic])
