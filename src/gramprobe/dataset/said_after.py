"""Updates in the sentences of a paradigm: what may go wrong with one, and what certificates say behind a story.

The rule that a hypothesis is said where a story leaves off is `decide.narrative`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from gramprobe.dataset.plan import Plan
from gramprobe.decide.narrative import tells
from gramprobe.decide.reduce import BelievesAll, Irreducible, TooLarge
from gramprobe.decide.shape import Decision
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import FormulaError, parse
from gramprobe.resolve.paradigm import Pair
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic

SETTLED = frozenset({"hypothesis valid", "hypothesis impossible"})
"""Findings of a certificate that a story brings about: after it a hypothesis may well be settled."""


class Undecided(Exception):
    """A pair without a label; `diagnostic` says why, at its place."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def decided(
    plan: Plan, pair: Pair, premise: Formula, hypothesis: Formula, sentences: Callable[[], tuple[str, str]]
) -> Decision:
    """The decision on a pair of formulas. Raises Undecided where an update goes wrong, or the pair is too large."""
    try:
        return plan.decider.decide(premise, hypothesis, plan.theory.slice((premise, hypothesis), plan.symbols))
    except BelievesAll as error:
        said = messages.believes_all(error.side, error.update, error.operator)
    except Irreducible as error:
        said = messages.no_reduction(str(error))
    except TooLarge as error:
        said = messages.too_large_a_formula(str(error))
    raise Undecided(messages.undecided(pair.span, said, sentences()))


@lru_cache(maxsize=4096)
def settled_by_a_story(premise: str, findings: tuple[str, ...]) -> bool:
    """Whether a premise (its formula as text) is a story that may well settle a hypothesis, as the findings say."""
    if not SETTLED.issuperset(findings):
        return False
    try:
        return tells(parse(premise))
    except (FormulaError, RecursionError):
        return False
