"""Predicted labels: CSV `item,label`, the label that a model, or a person, gave."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from gramprobe.formats.tabular import header, records, refused

suffixes, gives = (".csv",), "scores"
SCHEMA = pa.schema([("item", pa.string()), ("label", pa.string()), ("line", pa.int64())])


def reads(path: Path) -> bool:
    """Whether it has a column of labels. Raises UsageError (E44)."""
    return "label" in header(path)


def read(path: Path) -> pa.Table:
    """The rows, as `SCHEMA`. Raises UsageError (E44, E46), also for an item that stands twice."""
    rows, seen = [], set[str]()
    for line, row in records(path, ("item", "label"), "a file of predicted labels"):
        if row["item"] in seen:
            raise refused(path, line, f"`{row['item']}` a second time", "keep one of the rows")
        seen.add(row["item"])
        rows.append({"item": row["item"], "label": row["label"], "line": line})
    return pa.Table.from_pylist(rows, SCHEMA)
