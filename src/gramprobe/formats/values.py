"""Scores of other programs: CSV `item,part,value`, the log-probability of each scored part of an item, in nats."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from gramprobe.formats.tabular import cell, finite, header, records, refused
from gramprobe.source.nearest import listed

suffixes, gives = (".csv",), "scores"
SCHEMA = pa.schema([("item", pa.string()), ("part", pa.string()), ("value", pa.float64()), ("line", pa.int64())])
ROUNDING = 0.001
"""How far above 0 the log of a probability may be, in nats: what low precision makes of a probability of 1."""


def reads(path: Path) -> bool:
    """Whether it has these columns. Raises UsageError (E44)."""
    return {"item", "part", "value"} <= set(names := header(path)) and "label" not in names


def read(path: Path) -> pa.Table:
    """The rows, as `SCHEMA`.

    Raises UsageError (E44, E46), also for a part of an item that stands twice and for a value above 0, which no
    log-probability is.
    """
    names = header(path)
    if len(names) > 1 and not {"label", "part", "value"} & set(names):
        help = "a file of predicted labels has the columns item,label; a file of scores item,part,value"
        raise refused(path, 1, f"the columns {listed(names)}: no column `label`, and no `part` and `value`", help)
    rows, seen = [], set[tuple[str, str]]()
    for line, row in records(path, ("item", "part", "value"), "a file of scores"):
        key = (row["item"], row["part"])
        if key in seen:
            raise refused(path, line, f"`{key[1]}` of `{key[0]}` a second time", "keep one of the rows")
        seen.add(key)
        value = cell(path, line, row, "value", finite)
        if value > ROUNDING:
            what = f"`{row['value']}` in the column `value`: the logarithm of a probability is not above 0"
            help = "give natural logarithms of probabilities; a surprisal has the other sign"
            raise refused(path, line, what, help)
        rows.append({"item": key[0], "part": key[1], "value": value, "line": line})
    return pa.Table.from_pylist(rows, SCHEMA)
