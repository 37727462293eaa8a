"""The constituent heuristic, scored like a model: `--model rule:constituent` (`gramprobe.baselines.constituents`).

Rows whose trees are not known, as those of plain files, are refused with the flag `trees`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gramprobe.baselines.constituents import ABOUT, CONDITIONS, Constituents, says
from gramprobe.score.engines.rule import RuleEngine
from gramprobe.score.request import Classify, Refusal, Request

if TYPE_CHECKING:
    from gramprobe.score.source import Source


class ConstituentEngine(RuleEngine):
    """The engine of the rule. ``tables``: those whose rows are asked about."""

    def __init__(self, source: Source, tables: Sequence[str]) -> None:
        super().__init__(ABOUT, lambda pair: says(self._inside[pair.item], pair.premise, pair.hypothesis))
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
        found = super().prepare(request)
        if isinstance(found, Classify) and found.item not in self._inside:
            return Refusal("trees", "the trees of its sentences are not known")
        return found
