"""`surprisal`: the surprisal of each region of a text, minus its log-probability given what comes before, in nats.

`regions` cuts the text: a JSON list of texts, or of regions with their names (`name`, `text`), as the task `sentences`
has them. Without it each word is a region. A `context` stands before the text, as a region `context`, which counts in
no measure of the text. For a masked model the text after the region is seen too, and each token is masked in turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gramprobe.score.mode import Asked, Measures, Mode, Scores, Values, known
from gramprobe.score.request import Regions, Reply
from gramprobe.score.source import Table

#: the region of what stands before the text; no measure of the text counts it in
CONTEXT = "context"


class Surprisal(Mode):
    """A text by region; the parts are the names of its regions, else `1`, `2`, ... in the text's order."""

    name = "surprisal"
    about = "the surprisal of each region of a text"
    kinds = ("causal", "masked", "ngram")
    kept = ("regions", "context")

    def fits(self, table: Table) -> bool:
        scored = table.scored
        return bool(not scored.context and not scored.options and len(scored.continuations) == 1)

    def reduction(self, kind: str) -> str:
        return "minus the sum over the region's tokens"

    def asked(self, table: Table, row: Mapping[str, Any]) -> list[Asked]:
        regions = regions_of(str(row[table.scored.continuations[0]]), str(row.get("regions") or ""))
        if regions and row.get("context"):
            regions = {CONTEXT: str(row["context"]), **regions} if CONTEXT not in regions else {}
        return [Asked(Regions(tuple(regions.values())), tuple(regions.items()))]

    def naming(self, table: Table) -> tuple[str, ...]:
        return (table.scored.continuations[0], *(name for name in self.kept if name in table.columns))

    def values(self, answer: Reply, kind: str) -> Values:
        (value,) = answer.values
        return (None if value is None else -value,)

    def measures(self, table: Table, row: Mapping[str, Any], scores: Scores, tie: float) -> Measures:
        """The surprisal of the whole text, then of each region, or the mean of its words; never of the context."""
        own = {part: known(scores, part) for part in scores if part != CONTEXT}
        values = [value for value in own.values() if value is not None]
        whole = {"surprisal": sum(values) if len(values) == len(own) else None}
        if row.get("regions"):
            return whole | {f"region_{part}": value for part, value in own.items()}
        return whole | ({"mean_surprisal": sum(values) / len(values)} if values else {})


def regions_of(text: str, regions: str) -> dict[str, str]:
    """The regions of a text by name, in order. They are empty if they are no such list that makes up the text, or if
    two have one name."""
    if not regions:
        return _numbered(text.split())
    try:
        found = json.loads(regions)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, list):
        return {}
    if all(isinstance(each, str) for each in found):
        named = _numbered(found)
    elif all(isinstance(each, dict) and {str} == {type(each.get(key)) for key in ("name", "text")} for each in found):
        named = {each["name"]: each["text"] for each in found}
    else:
        return {}
    return named if len(named) == len(found) and " ".join(named.values()) == text else {}


def _numbered(texts: Sequence[str]) -> dict[str, str]:
    return {str(number): text for number, text in enumerate(texts, 1)}
