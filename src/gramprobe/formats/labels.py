"""Predicted labels: CSV `item,label`, the label that a model gave, or `item,label,person`, those that people gave."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from gramprobe.formats.tabular import header, records, refused

suffixes, gives = (".csv",), "scores"
SCHEMA = pa.schema([("item", pa.string()), ("label", pa.string()), ("line", pa.int64())])
BY_PERSON = SCHEMA.append(pa.field("person", pa.string()))


def reads(path: Path) -> bool:
    """Whether it has a column of labels. Raises UsageError (E44)."""
    return "label" in header(path)


def read(path: Path) -> pa.Table:
    """The rows, as `SCHEMA`, or `BY_PERSON` where the file has the column. Raises UsageError (E44, E46), also for an
    item that stands twice, if not by two people."""
    rows, seen = [], set[tuple[str, str]]()
    form = BY_PERSON if "person" in header(path) else SCHEMA
    needed = [name for name in form.names if name != "line"]
    for line, row in records(path, needed, "a file of predicted labels"):
        by = row["person"] if form is BY_PERSON else ""
        if (row["item"], by) in seen:
            what = f"`{row['item']}` a second time" + (f" by `{by}`" if by else "")
            help = "keep one of the rows" + ("" if by else ", or say in a column `person` whose they are")
            raise refused(path, line, what, help)
        seen.add((row["item"], by))
        rows.append({**{name: row[name] for name in needed}, "line": line})
    return pa.Table.from_pylist(rows, form)
