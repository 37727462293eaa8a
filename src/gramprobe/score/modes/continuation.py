"""`continuation`: the log-probability of each follow-up after each context, in nats.

For an ambiguous sentence S, a control C with one reading, and the follow-ups F1 (of the reading that both have) and F2
(of the other), Kamath et al. (2024, 11) define

    alpha = -[(log P(F1|S) - log P(F2|S)) - (log P(F1|C) - log P(F2|C))]

which is positive if the ambiguity makes F2 better. A value is the sum over the tokens of a follow-up: in alpha its
length cancels, as each follow-up stands after both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gramprobe.score.mode import Asked, Measures, Mode, Scores, known, part_name, share, texts
from gramprobe.score.request import Continue
from gramprobe.score.source import Table


class Continuation(Mode):
    """Contexts with continuations: two contexts and two follow-ups give four values, a second control six."""

    name = "continuation"
    about = "the log-probability of texts after a context"
    kinds = ("causal", "ngram")

    def fits(self, table: Table) -> bool:
        return bool(table.scored.context and table.scored.continuations)

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        scored = table.scored
        after = texts(row, scored.continuations)
        return [
            Asked(
                Continue(context, tuple((f" {text}",) for text in after.values())),
                tuple((part_name(scored.context, column, name), text) for name, text in after.items()),
            )
            for column, context in texts(row, scored.context).items()
        ]

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        contexts, after = table.scored.context, table.scored.continuations
        found: Measures = {}
        if len(after) != 2 or len(contexts) < 2:
            for part in scores:
                found[part] = known(scores, part)
            return found
        first = _difference(scores, contexts[0], after)
        for number, control in enumerate(contexts[1:], 1):
            if not texts(row, [control]):
                continue
            end = "" if number == 1 else f"_{number}"
            second = _difference(scores, control, after)
            alpha = None if first is None or second is None else second - first
            found[f"alpha{end}"] = alpha
            found[f"alpha{end}_positive"] = None if alpha is None else share(alpha, 0.0, tie)
        return found


def _difference(scores: Scores, context: str, after: Sequence[str]) -> float | None:
    one, other = (known(scores, f"{context}/{name}") for name in after)
    return None if one is None or other is None else one - other
