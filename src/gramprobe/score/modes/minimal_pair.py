"""`minimal_pair`: which of two sentences is likelier?

Causal models: the log-probability of each. Masked models: its pseudo-log-likelihood. A value is the sum over tokens;
the counts of tokens, words and characters stand beside it, for a comparison by length. Where a row says at which word
the second sentence goes wrong (`critical`) and that both are equal up to there (`one_prefix`), the log-probabilities of
that word and of the next one, the spill-over, are parts of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.records import CRITICAL, SPILL, regions_around
from gramprobe.score.mode import Asked, Measures, Mode, Scores, known, share, texts
from gramprobe.score.request import Regions, Whole
from gramprobe.score.source import Table


class MinimalPair(Mode):
    """Sentences of which the first should be likelier, without a context."""

    name = "minimal_pair"
    about = "which of two sentences is likelier"
    kinds = ("causal", "masked", "ngram")
    kept = ("critical", "one_prefix")

    def fits(self, table: Table) -> bool:
        scored = table.scored
        return bool(not scored.context and len(scored.options) > 1 and not scored.slot)

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        sentences = texts(row, table.scored.options)
        whole = Asked(Whole(tuple(sentences.values())), tuple(sentences.items()))
        cut = [(column, regions_around(text, row)) for column, text in sentences.items()]
        by_region = [(tuple(at.values()), tuple((f"{c}/{name}", t) for name, t in at.items())) for c, at in cut if at]
        return [whole, *(Asked(Regions(regions), parts) for regions, parts in by_region)]

    def naming(self, table: Table) -> tuple[str, ...]:
        return (*table.scored.options, *self.kept) if set(self.kept) <= set(table.columns) else ()

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        good, *others = table.scored.options
        values = [known(scores, column) for column in (good, *others)]
        every = [value for value in values if value is not None]
        if len(every) < len(values):
            return {}
        lengths = [len(str(row[column])) for column in (good, *others)]
        each = [value / length for value, length in zip(every, lengths, strict=True)]
        critical = {
            f"accuracy_{place}": share(ours, theirs, tie)
            for place in (CRITICAL, SPILL)
            for ours, theirs in [(known(scores, f"{good}/{place}"), known(scores, f"{others[0]}/{place}"))]
            if ours is not None and theirs is not None
        }
        return {
            "accuracy": min(share(every[0], other, tie) for other in every[1:]),
            "accuracy_per_character": min(share(each[0], other, tie / max(lengths)) for other in each[1:]),
            **critical,
        }
