"""The files of the scope ambiguity paper (Kamath et al. 2024; github.com/McGill-NLP/scope-ambiguity): CSV.

Experiment 2 has a quadruple of rows for each `idx`: the sentence S and its control Sc, each with the follow-ups F1 and
F2. The file of people's ratings repeats the columns of the items.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

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
