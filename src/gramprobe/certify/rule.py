"""The label of a certificate, from the values that H takes where P commits (as `decide.label` defines it); its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LABELS = ("entailment", "neutral", "contradiction")
"""The labels of rows, in the order of their numbers and of a classifier's answers."""
FAILURE = "presupposition failure"

EXCLUDED: dict[str | None, str] = {
    "entailment": "FU",
    "neutral": "",
    "contradiction": "T",
    FAILURE: "TF",
    None: "TFU",
}
"""The values whose absence a label rests on."""

ON_TRUST = ("prover", "bounded")
"""Kinds of proofs that cannot be checked here; the kind of a certificate whose label rests on one says so."""

_CERTAINTY = ("bounded", "prover", "herbrand", "venn", "type-elimination")


def label_of(values: str) -> str | None:
    """The label of a set of values, written as a part of `TFU` in that order; None for the empty set.

    True throughout: entailment. True somewhere, not everywhere: neutral. True nowhere and false somewhere:
    contradiction. Undefined throughout: presupposition failure.
    """
    if values == "":
        return None
    if values == "T":
        return "entailment"
    if "T" in values:
        return "neutral"
    return "contradiction" if "F" in values else FAILURE


def label_of_row(label: str) -> str:
    """A label as a row has it: a presupposition failure counts as a contradiction."""
    return "contradiction" if label == FAILURE else label


def strawson_of(values: str) -> str | None:
    """The label over the values of a set but U: Strawson entailment (von Fintel 1999), which asks about the models in
    which the hypothesis has a value. Where U alone is left, the label of the set."""
    return label_of(values.replace("U", "") or values)


def on_trust(absent: Mapping[str, Mapping[str, Any]]) -> str:
    """The values whose absence is on trust, a part of `TFU`.

    If the label excludes one of them, the label is uncertain, else only the list of values is.
    """
    return "".join(value for value in "TFU" if value in absent and absent[value]["kind"] in ON_TRUST)


def provers_of(line: Mapping[str, Any]) -> set[str]:
    """The outside provers on whose answers something in a line of certificates.jsonl rests."""
    shown = (*line["absent"].values(), *line["alone"].values())
    return {proof["name"] for proof in shown if proof.get("kind") == "prover"}


def kind_of(proofs: Sequence[Mapping[str, Any]]) -> str:
    """The kind of a certificate whose label rests on these proofs of absence: that of the weakest.

    `models` without any; `bounded(n)` with the smallest n searched; `prover(NAME)`.
    """
    weakest = min((_CERTAINTY.index(proof["kind"]) for proof in proofs), default=None)
    if weakest is None:
        return "models"
    kind = _CERTAINTY[weakest]
    if kind == "bounded":
        return f"bounded({min(int(proof['size']) for proof in proofs if proof['kind'] == kind)})"
    if kind == "prover":
        return f"prover({next(proof['name'] for proof in proofs if proof['kind'] == kind)})"
    return kind
