"""The columns of an item, task by task (DESIGN: items), and what goes into Parquet's metadata for them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

LABELS = ("entailment", "neutral", "contradiction")

#: columns that every task leads with
LEADING = (
    "id", "phenomenon", "paradigm", "condition", "instance", "tag", "split", "theory", "shape", "certificate",
    "rests_on", "draws",
)  # fmt: skip
NLI = (
    *LEADING,
    "premise_condition", "hypothesis_condition", "premise", "hypothesis", "label", "label_name", "label_binary",
    "label_literal", "label_pragmatic", "label_premise_only", "label_via", "h_values", "premise_form",
    "hypothesis_form", "labels",
)  # fmt: skip


def nli_schema(draws: list[str]) -> pa.Schema:
    """The Arrow schema of `nli` items; ``huggingface`` metadata makes `datasets` read the label as ClassLabel."""
    import pyarrow as pa

    struct = pa.struct([(name, pa.string()) for name in draws])
    types = {"label": pa.int64(), "label_binary": pa.int64(), "draws": struct}
    fields = [pa.field(name, types.get(name, pa.string())) for name in NLI]
    features: dict[str, object] = {name: {"dtype": "string", "_type": "Value"} for name in NLI}
    features["label"] = {"names": list(LABELS), "_type": "ClassLabel"}
    features["label_binary"] = {"dtype": "int64", "_type": "Value"}
    features["draws"] = {name: {"dtype": "string", "_type": "Value"} for name in draws}
    info = json.dumps({"info": {"features": features}}, separators=(",", ":"))
    return pa.schema(fields, metadata={"huggingface": info})
