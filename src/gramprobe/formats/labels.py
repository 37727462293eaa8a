"""Labels: CSV `item,label`, the label that a model gave, or with a column `person` that each person gave."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from gramprobe.formats.tabular import header, records, refused

suffixes, gives = (".csv",), "scores"
SCHEMA = pa.schema([("item", pa.string()), ("label", pa.string()), ("person", pa.string()), ("line", pa.int64())])


def reads(path: Path) -> bool:
    """Whether it has a column of labels. Raises UsageError (E44)."""
    return "label" in header(path)


def read(path: Path) -> pa.Table:
    """The rows, as `SCHEMA`; `person` is empty without this column. Raises UsageError (E44, E46), also for an item that
    stands twice with one person."""
    rows, seen = [], set[tuple[str, str]]()
    for line, row in records(path, ("item", "label"), "a file of predicted labels"):
        key = row["item"], row.get("person", "")
        if key in seen:
            help = "keep one of the rows, or say in a column `person` who gave each label"
            raise refused(path, line, f"`{row['item']}` a second time", help)
        seen.add(key)
        rows.append({"item": row["item"], "label": row["label"], "person": key[1], "line": line})
    return pa.Table.from_pylist(rows, SCHEMA)
