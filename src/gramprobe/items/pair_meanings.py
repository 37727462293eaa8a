"""What the engines decide of minimal pairs: whether both sentences mean the same, and what their noun phrases license.

    the trees of a pair --readings--> two formulas --Decider--> `equivalent`: entailment both ways, or not
    the noun phrases that differ --Claims--> `licensing`: the decisions that their monotonicity rests on

Both are decided in the theory that adds nothing, of the first instance of a group. Each decision has its line of
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
from gramprobe.items.pages.trees import filled_tree
from gramprobe.judge.claims import Claims, determiners
from gramprobe.meaning.compose import readings
from gramprobe.resolve.tree import Apply, Given, Tree, nodes, unbroken, without_meaning

if TYPE_CHECKING:
    from gramprobe.items.plan import Plan
    from gramprobe.resolve.paradigm.data import Condition
    from gramprobe.space.space import Draws

#: constraint -> what a noun phrase must be for it, in the order in which it is asked
PROPERTIES = {"licence": ("licensing", "antiadditive", "noun licensing"), "existential": ("existential",)}


@dataclass(frozen=True, slots=True)
class PairMeaning:
    """``equivalent``: `yes`, `no`, or empty where it was not decided; ``same``, ``licensing``: the shapes of the
    decisions that say so, and that say what the noun phrases license."""

    equivalent: str = ""
    same: tuple[str, ...] = ()
    licensing: tuple[str, ...] = ()


def meaning_of(plan: Plan, good: Condition, bad: Condition, draws: Draws) -> PairMeaning:
    """What is decided of a pair, for the first instance."""
    trees = [filled_tree(plan, condition, draws) for condition in (good, bad)]
    licensing = _licensing(plan, *trees)
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


def _licensing(plan: Plan, good: Tree, bad: Tree) -> tuple[str, ...]:
    """The decisions on the noun phrases that one of the trees has and the other has not, and where both have the same
    (*no* and *the* change places), on all: what a property rests on, and what speaks against one."""
    asked = PROPERTIES.get(plan.paradigm.constraint, ())
    if not asked:
        return ()
    ours, theirs = (dict.fromkeys(_cases(tree)) for tree in (good, bad))
    cases = (ours.keys() ^ theirs.keys()) or ours.keys()
    claims, found = Claims(plan.decider), list[Decision]()
    for name, case in (each for each in (ours | theirs) if each in cases):
        for determiner in determiners(plan.grammar.constructors[name], plan.grammar):
            if tuple(determiner.case.items()) == case:
                for answer in filter(None, (claims.has(each, determiner) for each in asked)):
                    speaking = [answer.against] if answer.against is not None else answer.rests_on.values()
                    found += [each.decision for each in speaking]
    return _shapes(found)


def _cases(tree: Tree) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The noun phrases of a tree: constructor, and the values of its features."""
    return [
        (
            node.constructor.name,
            tuple(
                (argument.name, each.value)
                for argument, each in zip(node.constructor.arguments, node.arguments, strict=True)
                if isinstance(each, Given) and argument.is_feature
            ),
        )
        for node in nodes(tree)
        if isinstance(node, Apply)
    ]


def _shapes(decisions: Iterable[Decision]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.shape.id for each in decisions))
