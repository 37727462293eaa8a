"""A rule that does not reason, scored like a model: `--model rule:overlap` (`gramprobe.baselines.rules`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gramprobe.baselines.constituents import NAME as CONSTITUENT
from gramprobe.baselines.rules import RULES, Rule
from gramprobe.score.request import THREE, Answer, Chat, Classify, Refusal, Request
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean

PREFIX = "rule:"
OTHERS = -100.0
"""The value of the labels that a rule does not give; the one that it gives has 0. Where it says nothing all tie."""


class RuleEngine:
    """The engine of a rule. Raises UsageError for an unknown rule."""

    kind = "rule"
    labels: tuple[str, ...] = THREE

    def __init__(self, name: str) -> None:
        if name not in RULES:
            there = (*RULES, CONSTITUENT)
            raise UsageError(f"no rule named `{name}`{did_you_mean(name, there)}", f"there are: {', '.join(there)}")
        self.rule: Rule = RULES[name]

    def prepare(self, request: Request) -> Classify | Refusal:
        if not isinstance(request, Classify):
            return Refusal("mode", "a rule gives labels to pairs, and no probability of a text")
        return request

    def settings(self) -> dict[str, Any]:
        return {"rule": self.rule.about}

    def shown(self, context: str | Chat) -> str:
        return context if isinstance(context, str) else "\n".join(text for _, text in context)

    def load(self) -> dict[str, Any]:
        return {}

    def answer(self, prepared: Sequence[Classify]) -> list[tuple[Answer, ...]]:
        found: list[tuple[Answer, ...]] = []
        for pair in prepared:
            said = self.rule.says(pair.premise, pair.hypothesis)
            values = tuple(0.0 if said in (None, label) else OTHERS for label in THREE)
            found.append((Answer(values, 0),))
        return found
