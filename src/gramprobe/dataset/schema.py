"""The Arrow schema of rows, from the columns in `design.json`: whoever reads a dataset needs to know no task."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET

from gramprobe.dataset.manifest import Column

if TYPE_CHECKING:
    import pyarrow as pa


def schema(columns: Sequence[Column], draws: Sequence[str]) -> pa.Schema:
    """The schema of rows with these columns and draws, with the metadata for `datasets` that a build writes."""
    import pyarrow as pa

    text = {"dtype": "string", "_type": "Value"}
    number = {"dtype": "int64", "_type": "Value"}
    struct = pa.struct([(name, pa.string()) for name in draws])
    types = {"text": pa.string(), "number": pa.int64(), "label": pa.int64(), "draws": struct}
    features: dict[str, object] = {}
    for column in columns:
        if column.type == "draws":
            features[column.name] = dict.fromkeys(draws, text)
        elif column.type == "label":
            names = [] if column.values is UNSET else list(column.values)
            features[column.name] = {"names": names, "_type": "ClassLabel"}
        else:
            features[column.name] = number if column.type == "number" else text
    info = json.dumps({"info": {"features": features}}, separators=(",", ":"))
    return pa.schema([pa.field(c.name, types[c.type]) for c in columns], metadata={"huggingface": info})
