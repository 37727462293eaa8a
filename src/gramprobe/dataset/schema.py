"""The columns of rows, task by task, and their Arrow schema with the metadata for `datasets`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gramprobe.items.task import LEADING, Scored
from gramprobe.items.tasks import TASKS

if TYPE_CHECKING:
    import pyarrow as pa

SCORED: dict[str, Scored] = {name: TASKS[name].scored for name in TASKS.shipped}
"""Task -> the columns that a model reads and is scored on."""


def schema(task: str, draws: Sequence[str]) -> pa.Schema:
    """The Arrow schema of a task's rows, with the fields of `draws`.

    With the metadata `huggingface`, `datasets` reads a label as ClassLabel.
    """
    import pyarrow as pa

    numbers = TASKS[task].numbers
    struct = pa.struct([(name, pa.string()) for name in draws])
    types = {"draws": struct, **{name: pa.int64() for name in numbers}}
    features: dict[str, object] = {name: {"dtype": "string", "_type": "Value"} for name in TASKS[task].columns}
    for name, values in numbers.items():
        plain = {"dtype": "int64", "_type": "Value"}
        features[name] = plain if values is None else {"names": list(values), "_type": "ClassLabel"}
    features["draws"] = {name: {"dtype": "string", "_type": "Value"} for name in draws}
    info = json.dumps({"info": {"features": features}}, separators=(",", ":"))
    fields = [pa.field(name, types.get(name, pa.string())) for name in TASKS[task].columns]
    return pa.schema(fields, metadata={"huggingface": info})


__all__ = ["LEADING", "SCORED", "schema"]
