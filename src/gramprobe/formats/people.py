"""Answers of people: CSV `person,id,answer`, one row an answer; further columns are handed on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from gramprobe.formats.tabular import finite, records, refused

NEEDED = ("person", "id", "answer")


def read(path: Path) -> pa.Table:
    """The rows as texts, with `line`; further columns as numbers where every cell that is not empty is one.

    Two people's answers to one item are two rows. Raises UsageError (E44, E46), also for a person who answers an item
    twice, and for an empty cell of a person, id or answer.
    """
    rows: list[dict[str, Any]] = []
    seen = dict[tuple[str, str], int]()
    for line, row in records(path, NEEDED, "a file of people's answers"):
        empty = next((name for name in NEEDED if not row[name].strip()), None)
        if empty is not None:
            raise refused(path, line, f"no {empty}", "fill the cell, or leave the row out")
        before = seen.setdefault((row["person"], row["id"]), line)
        if before != line:
            what = f"`{row['person']}` answers `{row['id']}` a second time (first in line {before})"
            raise refused(path, line, what, "keep one of the rows, or tell the two sittings apart in `person`")
        rows.append({**row, "line": line})
    names = [name for name in rows[0] if name not in (*NEEDED, "line")]
    columns = {name: pa.array([row[name].strip() for row in rows], pa.string()) for name in NEEDED}
    columns |= {name: _typed([str(row[name]) for row in rows]) for name in names}
    return pa.table({**columns, "line": pa.array([row["line"] for row in rows], pa.int64())})


def _typed(cells: list[str]) -> pa.Array:
    """Cells as whole numbers, numbers or texts; what is empty is null."""
    kinds: tuple[tuple[Callable[[str], object], pa.DataType], ...] = ((int, pa.int64()), (finite, pa.float64()))
    for read_cell, kind in kinds:
        try:
            return pa.array([read_cell(cell) if cell else None for cell in cells], kind)
        except (ValueError, OverflowError, pa.ArrowInvalid):
            continue
    return pa.array([cell or None for cell in cells], pa.string())
