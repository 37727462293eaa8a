"""What the engines decide of minimal pairs: whether both sentences mean the same, and what their noun phrases license.

    the trees of a pair --readings--> two formulas --Decider--> `equivalent`: entailment both ways, or not
    their noun phrases --Claims--> `licensing`: an account (`items.licensing`)

Both are decided in the theory that adds nothing, of the first instance of a group (`ChartGrouping`: all of its
instances mean the same). Of a sentence with several readings the surface reading counts. Each decision has its line of
`certificates.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gramprobe.decide.narrative import lost_story
from gramprobe.decide.reduce import BelievesAll, Irreducible, TooLarge
from gramprobe.decide.verdict import Decision, doubt
from gramprobe.formula.notation import FormulaError
from gramprobe.items.licensing import LicensingAccount, account_of
from gramprobe.items.pages.trees import filled_tree
from gramprobe.meaning.compose import readings
from gramprobe.resolve.tree import unbroken, without_meaning

if TYPE_CHECKING:
    from gramprobe.items.plan import Plan
    from gramprobe.resolve.paradigm.data import Condition
    from gramprobe.space.space import Draws


@dataclass(frozen=True, slots=True)
class PairMeaning:
    """``equivalent``: `yes`, `no`, or empty where it was not decided; ``same``: the shapes of the decisions that say
    so; ``licensing``: what the noun phrases license, where that is asked."""

    equivalent: str = ""
    same: tuple[str, ...] = ()
    licensing: LicensingAccount | None = None

    @property
    def licensed_by(self) -> str:
        """The id of the account of what the noun phrases license; empty where nothing is asked."""
        return "" if self.licensing is None else self.licensing.shape

    @property
    def shapes(self) -> tuple[str, ...]:
        """The shapes of all decisions."""
        return (*self.same, *(self.licensing.decisions if self.licensing is not None else ()))


def meaning_of(plan: Plan, good: Condition, bad: Condition, draws: Draws) -> PairMeaning:
    """What is decided of a pair, for the first instance."""
    trees = [filled_tree(plan, condition, draws) for condition in (good, bad)]
    licensing = account_of(plan, *trees)
    if any(map(without_meaning, trees)):
        return PairMeaning("", (), licensing)
    whole = [unbroken(tree) for tree in trees]
    if whole[0] == whole[1]:
        return PairMeaning("yes", (), licensing)
    one, other = (plan.meant(readings(tree, {}, plan.grammar)[0].formula) for tree in whole)
    if any(lost_story(each, True) is not None for each in (one, other)):
        return PairMeaning("", (), licensing)
    try:
        both = [plan.decider.decision(one, other), plan.decider.decision(other, one)]
    except (BelievesAll, Irreducible, TooLarge, FormulaError, RecursionError):
        return PairMeaning("", (), licensing)
    if any(doubt(each.verdict) or each.verdict.label is None for each in both):
        return PairMeaning("", _shapes(both), licensing)
    same = all(each.verdict.h_values == "T" for each in both)
    return PairMeaning("yes" if same else "no", _shapes(both), licensing)


def _shapes(decisions: Iterable[Decision]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.shape.id for each in decisions))
