"""The samples of lm-eval (`--log_samples`): JSON lines, with the row of the dataset in `doc`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from gramprobe.formats.tabular import finite, json_records, refused

suffixes, gives = (".jsonl",), "scores"
SCHEMA = pa.schema([("item", pa.string()), ("choice", pa.string()), ("value", pa.float64()), ("line", pa.int64())])


def reads(path: Path) -> bool:
    """Whether its first line is a sample. Raises UsageError (E44, E46)."""
    first = next(json_records(path, (), "a file of samples of lm-eval"), (0, {}))
    return {"doc", "filtered_resps"} <= first[1].keys()


def read(path: Path) -> pa.Table:
    """The log likelihoods of the choices of each sample, in nats, as `SCHEMA`.

    `choice` is the place of the choice, from 0, and `item` the field `id` of the document. Raises UsageError (E44,
    E46).
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
        for place, response in enumerate(sample["filtered_resps"]):
            value = _log_likelihood(path, line, response)
            rows.append({"item": doc["id"], "choice": str(place), "value": value, "line": line})
    return pa.Table.from_pylist(rows, SCHEMA)


def _log_likelihood(path: Path, line: int, response: Any) -> float:
    """The first of (log likelihood, whether greedy decoding gives it); lm-eval writes both as texts."""
    try:
        return finite(str(response[0]))
    except (ValueError, IndexError, TypeError, KeyError):
        what = f"`{response}` is no log likelihood"
        raise refused(path, line, what, "score the task with output_type multiple_choice or loglikelihood") from None
