"""`minimal_pair`: which of two sentences is likelier?

Causal models: the log-probability of each. Masked models: its pseudo-log-likelihood. A value is the sum over tokens;
the counts of tokens, words and characters stand beside it, for a comparison by length.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.score.mode import Asked, Measures, Mode, Scores, known, share, texts
from gramprobe.score.request import Whole
from gramprobe.score.source import Table


class MinimalPair(Mode):
    """Sentences of which the first should be likelier, without a context."""

    name = "minimal_pair"
    about = "which of two sentences is likelier"
    kinds = ("causal", "masked", "ngram")

    def fits(self, table: Table) -> bool:
        scored = table.scored
        return bool(not scored.context and len(scored.options) > 1 and not scored.slot)

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        sentences = texts(row, table.scored.options)
        return [Asked(Whole(tuple(sentences.values())), tuple(sentences.items()))]

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        good, *others = table.scored.options
        values = [known(scores, column) for column in (good, *others)]
        every = [value for value in values if value is not None]
        if len(every) < len(values):
            return {}
        lengths = [len(str(row[column])) for column in (good, *others)]
        each = [value / length for value, length in zip(every, lengths, strict=True)]
        return {
            "accuracy": min(share(every[0], other, tie) for other in every[1:]),
            "accuracy_per_character": min(share(each[0], other, tie / max(lengths)) for other in each[1:]),
        }
