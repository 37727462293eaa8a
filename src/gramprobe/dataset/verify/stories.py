"""What certificates may say of a hypothesis behind a story.

The rule that a hypothesis is said where a story leaves off is `decide.narrative`.
"""

from __future__ import annotations

from functools import lru_cache

from gramprobe.decide.narrative import tells
from gramprobe.formula.notation import FormulaError, parse

SETTLED = frozenset({"hypothesis valid", "hypothesis impossible"})
"""Findings of a certificate that a story brings about: after it a hypothesis may well be settled."""


@lru_cache(maxsize=4096)
def settled_by_a_story(premise: str, findings: tuple[str, ...]) -> bool:
    """Whether a premise (its formula as text) is a story that may well settle a hypothesis, as the findings say."""
    if not SETTLED.issuperset(findings):
        return False
    try:
        return tells(parse(premise))
    except (FormulaError, RecursionError):
        return False
