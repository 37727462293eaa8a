"""Which label of a head stands for a label of the data."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.certify.rule import LABELS
from gramprobe.finetune.record import ENTAILMENT
from gramprobe.formats.nli import TWO_WAY
from gramprobe.source import messages

NEUTRAL = "neutral"


def head_labels(two_labels: str | None) -> tuple[str, ...]:
    """The labels of a new head: two only where that is asked for."""
    return TWO_WAY if two_labels == "two_class" else LABELS


def mapping(data: Sequence[str], head: Sequence[str], two_labels: str | None, model: str) -> dict[str, str]:
    """Label of the data -> label of the head.

    To a head of two classes every label but entailment is `not_entailment`. To a head of three, labels go as they are;
    where the data have two labels, or ``two_labels`` is `neutral`, what is not entailment counts as neutral.
    Raises UsageError: E58 for labels of the data that are not those of entailment, E93 for `two_class` with a head of
    three.
    """
    if set(data) not in (set(LABELS), set(TWO_WAY)):
        raise messages.finetune.foreign_labels(data)
    if len(head) == len(TWO_WAY):
        return {label: label if label == ENTAILMENT else "not_entailment" for label in data}
    if two_labels == "two_class":
        raise messages.finetune.three_classes(model)
    if two_labels == "neutral" or len(data) == len(TWO_WAY):
        return {label: label if label == ENTAILMENT else NEUTRAL for label in data}
    return {label: label for label in data}
