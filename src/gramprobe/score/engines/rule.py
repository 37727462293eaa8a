"""A rule that does not reason, scored like a model: `--model rule:overlap` (`gramprobe.baselines.rules`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gramprobe.baselines.constituents import ABOUT, CONDITIONS, Constituents, says
from gramprobe.baselines.constituents import NAME as CONSTITUENT
from gramprobe.baselines.options import OPTION_RULES
from gramprobe.baselines.rules import RULES, Rule
from gramprobe.certify.rule import LABELS
from gramprobe.score.record import OTHERS
from gramprobe.score.request import Classify, NoChat, Refusal, Reply, Request
from gramprobe.source import messages

if TYPE_CHECKING:
    from gramprobe.score.source import Source

EVEN = (-math.log(len(LABELS)),) * len(LABELS)
"""The values where it says nothing: all tie."""


class RuleEngine(NoChat):
    """The engine of a rule.

    ``about``: what it does, as a sentence; ``says``: the label that it gives to a pair, None where it says nothing.
    """

    kind = "rule"
    labels: tuple[str, ...] = LABELS

    def __init__(self, about: str, says: Callable[[Classify], str | None]) -> None:
        self._about, self._says = about, says

    def prepare(self, request: Request) -> Classify | Refusal:
        if not isinstance(request, Classify):
            return Refusal("mode", "a rule gives labels to pairs, and no probability of a text")
        return request

    def settings(self) -> dict[str, Any]:
        return {"rule": self._about}

    def load(self) -> dict[str, Any]:
        return {}

    def answer(self, prepared: Sequence[Classify]) -> list[tuple[Reply, ...]]:
        found: list[tuple[Reply, ...]] = []
        for pair in prepared:
            said = self._says(pair)
            values = EVEN if said is None else tuple(0.0 if said == label else OTHERS for label in LABELS)
            found.append((Reply(values, 0),))
        return found


class ConstituentEngine(RuleEngine):
    """The engine of the constituent heuristic (`gramprobe.baselines.constituents`): `--model rule:constituent`.

    ``tables``: those whose rows are asked about. Rows whose trees are not known, as those of plain files, are refused
    with the flag `trees`.
    """

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


def rule_of(name: str) -> Rule:
    """The rule from words to a label of a name. Raises UsageError for one that there is not."""
    rule = RULES.get(name)
    if rule is None:
        there = (*RULES, CONSTITUENT)
        if name in OPTION_RULES:
            raise messages.score.of_other_items("rule", name, True, there)
        raise messages.names.none_called("rule", name, there)
    return rule


def rule_engine(rule: Rule) -> RuleEngine:
    """The engine of a rule from words to a label."""
    return RuleEngine(rule.about, lambda pair: rule.says(pair.premise, pair.hypothesis, pair.language))
