"""From the values that H takes where P is committed to the label, as `decide.label` defines it."""

from __future__ import annotations


def label_of(values: str) -> str | None:
    """The label of a set of values, written as a part of `TFU` in that order; None for the empty one.

    True throughout: entailment. True somewhere, not everywhere: neutral. True nowhere and false somewhere:
    contradiction. Undefined throughout: presupposition failure.
    """
    if values == "":
        return None
    if values == "T":
        return "entailment"
    if "T" in values:
        return "neutral"
    return "contradiction" if "F" in values else "presupposition failure"
