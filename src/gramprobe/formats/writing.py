"""What the formats that write share: rows as dictionaries, whole instances, kinds of rows, what is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from gramprobe.records import in_headline
from gramprobe.source.diagnostic import UsageError

MOST = 100_000
"""The largest number of rows of a form that is one JSON document."""
UNASKED = (
    "they have no label (graded), no option that picks the reading asked for, or are out of headline scores (`tag`)"
)
CELLS = "they are two sentences of a design that differ in more than one factor (`tag` is `cell`), no minimal pairs"


def kind_of(design: Any) -> str:
    """What rows of a design ask, by what a model reads and is scored on: `label` of a pair, `slot` (which candidate
    fills it), `choice` (which option after a sentence), `pair` (which of two sentences), `continuation` (of contexts),
    `sentence`; empty where a row asks none of these."""
    scored = design.scored
    if design.labels is not None:
        return "label" if len(scored.context) == len(scored.continuations) == 1 else ""
    if scored.slot:
        return "slot" if len(scored.context) == 1 and len(scored.options) == 2 else ""
    if scored.options:
        return "choice" if scored.context and len(scored.options) == 2 else "" if scored.context else "pair"
    if scored.context:
        return "continuation" if len(scored.continuations) == 2 and len(scored.context) > 1 else ""
    return "sentence" if scored.continuations else ""


def rows(dataset: Any, paradigm: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a paradigm, those of the columns that it has."""
    known = dataset.columns(paradigm)
    for batch in dataset.rows(paradigm, [name for name in columns if name in known]):
        yield from batch.to_pylist()


def headline(dataset: Any, paradigm: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a paradigm that count in headline scores."""
    return (row for row in rows(dataset, paradigm, [*columns, "tag"]) if in_headline(row["tag"]))


def picking(row: Mapping[str, Any], scored: Any, reading: str | None) -> int:
    """The place of the option that picks a reading, from 0; -1 without one."""
    picked = [row[column] for column in scored.label]
    return picked.index(reading) if reading and reading in picked else -1


def instances(dataset: Any, paradigm: str, columns: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
    """The rows of each instance of a paradigm, with `instance` among their columns."""
    for _, group in groupby(rows(dataset, paradigm, [*columns, "instance"]), lambda row: row["instance"]):
        yield list(group)


def json_lines(file: Path, every: Iterable[Mapping[str, Any]]) -> int:
    """Write a JSON object a line; the number of lines."""
    count = 0
    with file.open("w", encoding="utf-8") as lines:
        for row in every:
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def json_file(file: Path, data: Any) -> None:
    """Write a JSON document."""
    file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")


def identifier(*names: str) -> str:
    """Names as one of ASCII letters, digits and `_`."""
    return re.sub(r"[^A-Za-z0-9]+", "_", "_".join(names)).strip("_")


def columns_left(dataset: Any, paradigms: Sequence[str], there: Iterable[str]) -> str:
    """A sentence about the columns that are not in the files, but ``there`` and what an id says."""
    said = {*there, "phenomenon", "paradigm", "instance", "condition", "id"}
    left = dict.fromkeys(c for each in paradigms for c in dataset.columns(each) if c not in said)
    return f"Columns that are not here: {', '.join(left)}; find them by `id` in the dataset." if left else ""


def counted(count: int, what: str, whole: Sequence[str] = ()) -> list[str]:
    """A sentence about rows that are left out, and the paradigms of which all are; none for no rows."""
    all_of = f" Among them are all rows of {', '.join(whole)}." if whole else ""
    return [f"{count:,} rows are not here: {what}.{all_of}"] if count else []


def nothing(dataset: Any) -> UsageError:
    """What a format says of a dataset of which it can take no row (E29)."""
    help = "score it by `gramprobe score`: docs/scoring.md has the measures of graded sets"
    return UsageError(f"all {dataset.count():,} rows would be left out: {UNASKED}", help, "E29")


def check_size(dataset: Any, paradigms: Sequence[str], called: str) -> None:
    """Raise UsageError (E29) for a dataset too large for a form that is one document."""
    for name in paradigms:
        if dataset.count(name) > MOST:
            raise UsageError(
                f"`{name}` has {dataset.count(name):,} rows, and {called} takes {MOST:,} at most",
                "build fewer instances: --n",
                "E29",
            )
