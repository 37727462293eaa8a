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


COLUMNS: dict[str, tuple[str, ...]] = {
    "nli": NLI,
    "choice": (
        *LEADING, "sentence", "option_a", "option_b", "fits_a", "fits_b", "preferred", "readings", "order",
    ),
    "continuation": (
        *LEADING, "ambiguous", "control", "followup_inverse", "followup_surface", "readings", "fits",
    ),
    "coref": (
        *LEADING, "text", "pronoun", "candidate_subject", "candidate_embedded", "ambiguous_readings",
        "embedded_accessible_in", "embedded_exists_in", "readings",
    ),
}  # fmt: skip
NUMBERS = ("label", "order")
"""Columns that are numbers; all others are texts, but for `draws`."""


def schema(task: str, draws: list[str]) -> pa.Schema:
    """The Arrow schema of a task's items; ``huggingface`` metadata says the same to `datasets`."""
    import pyarrow as pa

    if task == "nli":
        return nli_schema(draws)
    struct = pa.struct([(name, pa.string()) for name in draws])
    types = {"draws": struct, **{name: pa.int64() for name in NUMBERS}}
    features: dict[str, object] = {
        name: {"dtype": "int64" if name in NUMBERS else "string", "_type": "Value"} for name in COLUMNS[task]
    }
    features["draws"] = {name: {"dtype": "string", "_type": "Value"} for name in draws}
    info = json.dumps({"info": {"features": features}}, separators=(",", ":"))
    fields = [pa.field(name, types.get(name, pa.string())) for name in COLUMNS[task]]
    return pa.schema(fields, metadata={"huggingface": info})


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
