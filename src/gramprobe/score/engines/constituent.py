"""The constituent heuristic, scored like a model: `--model rule:constituent` (`gramprobe.baselines.constituents`).

Rows whose trees are not known, as those of plain files, are refused with the flag `trees`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gramprobe.baselines.constituents import ABOUT, CONDITIONS, Constituents, says
from gramprobe.score.engines.rule import OTHERS
from gramprobe.score.request import THREE, Answer, Chat, Classify, Refusal, Request

if TYPE_CHECKING:
    from gramprobe.score.source import Source


class ConstituentEngine:
    """The engine of the rule. ``tables``: those whose rows are asked about."""

    kind = "rule"
    labels: tuple[str, ...] = THREE

    def __init__(self, source: Source, tables: Sequence[str]) -> None:
        self._inside: dict[str, bool] = {}
        for table in tables:
            if not set(CONDITIONS) <= set(source.tables[table].columns):
                continue
            constituents = Constituents(source.trees(table))
            for item in source.rows(table, CONDITIONS):
                premise, hypothesis = (str(item.row[name]) for name in CONDITIONS)
                inside = constituents.inside(premise, hypothesis)
                if inside is not None:
                    self._inside[item.id] = inside

    def prepare(self, request: Request) -> Classify | Refusal:
        if not isinstance(request, Classify):
            return Refusal("mode", "a rule gives labels to pairs, and no probability of a text")
        if request.item not in self._inside:
            return Refusal("trees", "the trees of its sentences are not known")
        return request

    def settings(self) -> dict[str, Any]:
        return {"rule": ABOUT}

    def shown(self, context: str | Chat) -> str:
        return context if isinstance(context, str) else "\n".join(text for _, text in context)

    def load(self) -> dict[str, Any]:
        return {}

    def answer(self, prepared: Sequence[Classify]) -> list[tuple[Answer, ...]]:
        found: list[tuple[Answer, ...]] = []
        for pair in prepared:
            said = says(self._inside[pair.item], pair.premise, pair.hypothesis)
            found.append((Answer(tuple(0.0 if label == said else OTHERS for label in THREE), 0),))
        return found
