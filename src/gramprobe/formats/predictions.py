"""Scores and predictions that other programs made for our items.

- CSV `item,part,value`: the log-probability of each scored part of an item, in nats.
- CSV `item,label`: the label that a model, or a person, gave.
- The samples of lm-eval (`--log_samples`): JSON lines, with the row of the dataset in `doc`.

The tables have the line at which each row begins in the column `line`, so that what does not fit the items can be
reported with its place.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pyarrow as pa

from gramprobe.formats.tabular import cell, finite, json_records, missing, records, refused
from gramprobe.source.nearest import listed

VALUES = pa.schema([("item", pa.string()), ("part", pa.string()), ("value", pa.float64()), ("line", pa.int64())])
PREDICTED = pa.schema([("item", pa.string()), ("label", pa.string()), ("line", pa.int64())])
ROUNDING = 0.001
"""How far above 0 the log of a probability may be, in nats: what low precision makes of a probability of 1."""


def header(path: Path) -> tuple[str, ...]:
    """The names of the columns of a CSV file, to choose its reader. Raises UsageError (E44)."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            return tuple(next(csv.reader(lines), ()))
    except OSError as error:
        raise missing(path, error) from None
    except csv.Error:
        return ()


def check_header(path: Path) -> None:
    """Raise UsageError (E46) for a file with several columns, of which none makes it one of the two CSV files."""
    names = header(path)
    if len(names) > 1 and not {"label", "part", "value"} & set(names):
        help = "a file of predicted labels has the columns item,label; a file of scores item,part,value"
        raise refused(path, 1, f"the columns {listed(names)}: no column `label`, and no `part` and `value`", help)


def values(path: Path) -> pa.Table:
    """`item,part,value`, as `VALUES`.

    Raises UsageError (E44, E46), also for a part of an item that stands twice and for a value above 0, which no
    log-probability is.
    """
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
    return pa.Table.from_pylist(rows, VALUES)


def predicted(path: Path) -> pa.Table:
    """`item,label`, as `PREDICTED`. Raises UsageError (E44, E46), also for an item that stands twice."""
    rows, seen = [], set[str]()
    for line, row in records(path, ("item", "label"), "a file of predicted labels"):
        if row["item"] in seen:
            raise refused(path, line, f"`{row['item']}` a second time", "keep one of the rows")
        seen.add(row["item"])
        rows.append({"item": row["item"], "label": row["label"], "line": line})
    return pa.Table.from_pylist(rows, PREDICTED)


def lm_eval_samples(path: Path) -> pa.Table:
    """The log likelihoods of the choices of each sample, in nats, as `VALUES`.

    `part` is the place of the choice, from 0, and `item` the field `id` of the document. Raises UsageError (E44, E46).
    """
    rows, seen = [], set[str]()
    for line, sample in json_records(path, ("doc", "filtered_resps"), "a file of samples of lm-eval"):
        doc = sample["doc"]
        if not isinstance(doc, dict) or not isinstance(doc.get("id"), str):
            what = "the document of the sample has no field `id`"
            raise refused(path, line, what, "give lm-eval the rows of the dataset as they are, with the column `id`")
        if doc["id"] in seen:
            help = "keep one of the lines: lm-eval writes one for each filter of the task"
            raise refused(path, line, f"`{doc['id']}` a second time", help)
        seen.add(doc["id"])
        if not isinstance(sample["filtered_resps"], list) or not sample["filtered_resps"]:
            help = "score the task with output_type multiple_choice or loglikelihood"
            raise refused(path, line, "`filtered_resps` is no list of log likelihoods", help)
        for part, response in enumerate(sample["filtered_resps"]):
            value = _log_likelihood(path, line, response)
            rows.append({"item": doc["id"], "part": str(part), "value": value, "line": line})
    return pa.Table.from_pylist(rows, VALUES)


def _log_likelihood(path: Path, line: int, response: Any) -> float:
    """The first of (log likelihood, whether greedy decoding gives it); lm-eval writes both as texts."""
    try:
        return finite(str(response[0]))
    except (ValueError, IndexError, TypeError, KeyError):
        what = f"`{response}` is no log likelihood"
        raise refused(path, line, what, "score the task with output_type multiple_choice or loglikelihood") from None
