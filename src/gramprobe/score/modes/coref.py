"""`coref`: how well does each candidate fill the place of a pronoun?

Masked models: the candidate's tokens are masked together, and its score is the mean of their log-probabilities (the
span score of the Winograd Schema Challenge in fairseq, as Kamath & Bradford 2023 used it), so that a span is not worse
for being longer. Causal models: the log-probability of the candidate and of what follows it, after what comes before,
which differs between candidates as the whole texts do (Trinh & Le 2018).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.score.mode import Asked, Measures, Mode, Scores, Values, known, share, texts
from gramprobe.score.request import Fill, Reply
from gramprobe.score.source import Table


class Coref(Mode):
    """A text with a slot, and candidates for it. The mark of the slot is never shown to a model."""

    name = "coref"
    about = "how well each candidate fills the place of a pronoun"
    kinds = ("masked", "causal", "ngram")

    def fits(self, table: Table) -> bool:
        scored = table.scored
        return bool(scored.slot and len(scored.context) == 1 and scored.options)

    def reduction(self, kind: str) -> str:
        return "mean over the candidate's tokens" if kind == "masked" else "sum over the tokens from the candidate on"

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        scored = table.scored
        options = texts(row, scored.options)
        (text,) = texts(row, scored.context).values()
        return [Asked(Fill(text, scored.slot, tuple(options.values())), tuple(options.items()))]

    def values(self, answer: Reply, kind: str) -> Values:
        (value,) = answer.values
        return (None if value is None else value / answer.tokens,) if kind == "masked" else (value,)

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        """`subject_bias` is the score of the first candidate minus that of the second (the paper's *matrix subject
        bias*), `subject_preferred` whether it is positive."""
        options = table.scored.options
        if len(options) != 2:
            return {}
        one, other = (known(scores, column) for column in options)
        if one is None or other is None:
            return {}
        return {"subject_bias": one - other, "subject_preferred": share(one, other, tie)}
