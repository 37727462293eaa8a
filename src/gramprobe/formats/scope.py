"""The files of the scope ambiguity paper (Kamath et al. 2024; github.com/McGill-NLP/scope-ambiguity): CSV.

Experiment 1 has two rows for each `idx`, a sentence with two options in either order. Experiment 2 has a quadruple of
rows: the sentence S and its control Sc, each with the follow-ups F1 and F2. The file of people's ratings repeats the
columns of the items.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa

from gramprobe.formats import writing
from gramprobe.formats.tabular import Record, cell, finite, records, refused


def _schema(texts: tuple[str, ...], **others: pa.DataType) -> pa.Schema:
    return pa.schema([*((name, pa.string()) for name in texts), *others.items()])


_OPERATORS = ("op1", "op1_kind", "op2", "op2_kind")
CONTINUATION = _schema(("item", "part", "sentence", "followup", *_OPERATORS))
RATINGS = _schema(("item", "part", "person"), rating=pa.float64())

_CONTINUATION_COLUMNS = ("idx", "sentence", "followup", "stype", "ftype")
_OPERATOR_COLUMNS = ("OP1", "OP1_type", "OP2", "OP2_type")
PARTS = {("S", "F1"): "s_f1", ("S", "F2"): "s_f2", ("Sc", "F1"): "control_f1", ("Sc", "F2"): "control_f2"}


def continuation(path: Path) -> pa.Table:
    """The items of Experiment 2, as `CONTINUATION`: four rows for each item, whose `part` is one of `PARTS`. Operators
    are those of the sentence S. Raises UsageError (E44, E46), also for an item with a part missing or twice."""
    rows = [
        {
            "item": row["idx"],
            "part": part,
            "sentence": row["sentence"],
            "followup": row["followup"].strip(),
            **_operators(row),
        }
        for _, row, part in _quadruples(path, _OPERATOR_COLUMNS)
    ]
    operators = {row["item"]: {name: row[name] for name in _OPERATORS} for row in rows if row["part"] == "s_f1"}
    return pa.Table.from_pylist([{**row, **operators[row["item"]]} for row in rows], CONTINUATION)


def ratings(path: Path) -> pa.Table:
    """People's ratings of Experiment 2, from 1 to 7, as `RATINGS`. Raises UsageError (E44, E46)."""

    def rating(text: str) -> float:
        value = finite(text)
        if not 1 <= value <= 7:
            raise ValueError(text)
        return value

    rows = [
        {
            "item": row["idx"],
            "part": _part(path, line, row),
            "person": row["workerid"],
            "rating": cell(path, line, row, "response", rating),
        }
        for line, row in records(path, ("idx", "stype", "ftype", "workerid", "response"), "a file of ratings")
    ]
    return pa.Table.from_pylist(rows, RATINGS)


def _operators(row: Record) -> dict[str, str]:
    return {name: row[column] for name, column in zip(_OPERATORS, _OPERATOR_COLUMNS, strict=True)}


def _quadruples(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, Record, str]]:
    """(line, row, part) of a file in which every item has each part once."""
    seen: dict[str, set[str]] = {}
    line = 0
    for line, row in records(path, (*_CONTINUATION_COLUMNS, *needed), "a file of Experiment 2"):
        part = _part(path, line, row)
        parts = seen.setdefault(row["idx"], set())
        if part in parts:
            what = f"the item {row['idx']} has {row['stype']} with {row['ftype']} twice"
            raise refused(path, line, what, "keep one of the rows")
        parts.add(part)
        yield line, row, part
    for item, parts in seen.items():
        if len(parts) < len(PARTS):
            lacks = ", ".join(sorted(set(PARTS.values()) - parts))
            raise refused(path, line, f"the item {item} lacks {lacks}", "an item has four rows")


def _part(path: Path, line: int, row: Record) -> str:
    part = PARTS.get((row["stype"], row["ftype"]))
    if part is None:
        what = f"`{row['stype']}` with `{row['ftype']}`"
        raise refused(path, line, what, "stype is S or Sc, and ftype F1 or F2")
    return part


# -- writing

about = "CSV files with the columns of the items of Kamath et al. (2024), for scripts that read these"
_CHOICE_COLUMNS = ("idx", "sentence", "Option A", "Option B", "gold_ans", "gold_scope_label")
_FILES = {
    "choice": ("exp1_base_dataset.csv", (*_CHOICE_COLUMNS, *_OPERATOR_COLUMNS)),
    "continuation": ("exp2_base_dataset.csv", (*_CONTINUATION_COLUMNS, *_OPERATOR_COLUMNS)),
}
_KINDS = {
    "choice": {"numeral": "number"},
    "continuation": {"negation": "NEG", "adverb": "QA", "numeral": "NMR", "indefinite": "IND"},
}
"""What the files call the kinds of operators; in experiment 2 all others are `QD`."""


def fits(design: Any) -> bool:
    """Whether rows are sentences with two options, or contexts with continuations, and name their operators."""
    named = {column.name for column in design.columns} >= {*_OPERATORS, "surface"}
    return writing.kind_of(design) in _FILES and named


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """A file for each experiment, and the ids of its items. Raises OSError."""
    own = ("preferred", "surface", *_OPERATORS, "id", "instance")
    read, numbers, without = set(own), dict.fromkeys(_FILES, 0), 0
    with ExitStack() as open_files:
        lines = {}
        for kind in dict.fromkeys(writing.kind_of(dataset.design(name)) for name in paradigms):
            file, columns = _FILES[kind]
            for name, head in ((file, columns), (f"{file.partition('_')[0]}.ids.csv", ("idx", "id"))):
                stream = open_files.enter_context((folder / name).open("w", encoding="utf-8", newline=""))
                lines[name] = csv.writer(stream, lineterminator="\n")
                lines[name].writerow(head)
        for name in paradigms:
            scored, kind = dataset.design(name).scored, writing.kind_of(dataset.design(name))
            columns = (*own, *scored.context, *scored.options, *scored.continuations, *scored.label)
            read.update(columns)
            file = _FILES[kind][0]
            for group in writing.instances(dataset, name, columns):
                rows = list(_choices(scored, group) if kind == "choice" else _quadruple(scored, group[0]))
                without += len(group) if not rows else 0
                lines[file].writerows((numbers[kind], *row) for row in rows)
                ids = ((numbers[kind], row["id"]) for row in group if rows)
                lines[f"{file.partition('_')[0]}.ids.csv"].writerows(ids)
                numbers[kind] += bool(rows)
    return [
        "`gold_ans` is the option that picks the preferred reading, or the surface reading where nobody recorded which "
        "one people prefer; the files have no place for a second control, nor for ids, which are in `*.ids.csv`.",
        *writing.counted(without, "no option of theirs picks that reading"),
        writing.columns_left(dataset, paradigms, read),
    ]


def _choices(scored: Any, group: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """The two rows of an item; none without an option that picks the reading asked for."""
    for row in group:
        reading = row.get("preferred") or row["surface"]
        place = writing.picking(row, scored, reading)
        if place < 0:
            return
        label = "surface" if reading == row["surface"] else "inverse"
        options = [row[column].removesuffix(".") for column in scored.options]  # their prompt ends each with a point
        yield " ".join(row[c] for c in scored.context), *options, "AB"[place], label, *_written(row, "choice")


def _quadruple(scored: Any, row: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for (stype, ftype), _ in PARTS.items():
        context = row[scored.context[stype != "S"]]
        operators = _written(row, "continuation") if stype == "S" else ("na_control",) * 4
        yield context, row[scored.continuations[ftype != "F1"]], stype, ftype, *operators


def _written(row: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """The cells of the operators, as the files name them."""
    found: list[str] = []
    for name in ("op1", "op2"):
        of = _KINDS[kind].get(row[f"{name}_kind"], "QD" if kind == "continuation" else row[f"{name}_kind"])
        found += ["a/an" if row[name] == "a" else row[name], of]
    return tuple(found)
