"""`nli`: the label that a classifier gives to a premise and a hypothesis, three-way, and collapsed to two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.certify.rule import LABELS
from gramprobe.score.mode import Asked, Measures, Mode, Scores, part_name, share_of, texts
from gramprobe.score.request import Classify
from gramprobe.score.source import Table


class Nli(Mode):
    """Pairs with a label. The binary prediction is the three-way one, collapsed: neutral and contradiction are both
    non-entailment, and their probabilities are not added."""

    name = "nli"
    about = "the label of a premise and a hypothesis, by a classifier"
    kinds = ("classifier", "rule", "reader")
    kept = ("label",)

    def fits(self, table: Table) -> bool:
        return bool(table.labels and table.scored.context and table.scored.continuations)

    def reduction(self, kind: str) -> str:
        return "log-softmax over the labels"

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        scored = table.scored
        return [
            Asked(Classify(first, second), ((part_name(scored.context, context, column), second),))
            for context, first in texts(row, scored.context).items()
            for column, second in texts(row, scored.continuations).items()
        ]

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        found: Measures = {}
        gold = row.get("label")
        for values in scores.values():
            every = [value for value in values if value is not None]
            if gold in ("", None) or not every:
                continue
            label = table.labels[gold]
            if len(every) == len(LABELS):
                found["accuracy"] = share_of(every, LABELS.index(label), tie)
            entailed = share_of(every, 0, tie)
            found["binary_accuracy"] = entailed if label == "entailment" else 1 - entailed
        return found
