"""A change of the theory under which an unmet claim holds: found by trying out small changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from msgspec.structs import replace

from gramprobe.decide.label import Decider
from gramprobe.decide.reduce import BelievesAll
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import symbols
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import FRAMES, KNOWN, Operator, TheorySlice
from gramprobe.items.label import Judgement
from gramprobe.items.plan import Plan
from gramprobe.items.slots import scales_at
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.tree import Slot
from gramprobe.source.files import shipped_folder
from gramprobe.space.space import Draws


def remedy(judgement: Judgement, plan: Plan, draws: Draws, row: int, expected: str) -> str:
    """The first small change of the theory under which the label is the expected one, as a sentence; empty if no
    change that was tried gives it.

    `row`: the instance that the judgement is about.
    """
    decider = Decider()
    for changed, text in _changes(judgement, plan, draws, row):
        try:
            label = decider.decision(judgement.premise, judgement.hypothesis, changed).verdict.label
        except BelievesAll:  # without that condition some update makes beliefs inconsistent
            continue
        if label == expected:
            return text.replace("ANSWER", f"it would be {expected}").replace("PLACE", _place(plan.theory))
    return ""


def _place(theory: Theory) -> str:
    """Where a line may be written: in the theory's file, if it is the author's."""
    if Path(theory.span.path).resolve().is_relative_to((shipped_folder() / "logic").resolve()):
        return f"in a theory of your own with `include {theory.name}`"
    return f"in logic/{theory.name}.logic"


def _changes(judgement: Judgement, plan: Plan, draws: Draws, row: int) -> Iterator[tuple[TheorySlice, str]]:
    """Changed theories, each with a sentence about the change.

    They are: the stronger word of the paradigm's scale entails the weaker; an operator that the theory names has one
    frame condition more, or none at all; another projection.
    """
    theory = judgement.decision.theory
    for postulate, words, line in _scale_postulates(judgement, plan, draws, row):
        text = f"no postulate relates {words}; ANSWER with `{line}` PLACE"
        yield replace(theory, postulates=(*theory.postulates, postulate)), text
    named = {operator.name: operator for operator in plan.theory.operators}
    for number, operator in enumerate(theory.operators):
        # Words that are operators by `operator each` have no line of their own to change; and `functional` would make
        # the operator equivalent to its body.
        if "functional" in operator.frame or operator.name not in named:
            continue
        frames = [operator.frame | {f} for f in FRAMES if f not in (*operator.frame, "functional")]
        for frame in (*frames, *([frozenset()] if operator.frame else [])):
            new = replace(operator, frame=frame)
            others = (*theory.operators[:number], new, *theory.operators[number + 1 :])
            yield (
                replace(theory, operators=others),
                f"ANSWER with `{_line(replace(named[operator.name], frame=frame))}` PLACE",
            )
    for name, projection in KNOWN.items():
        if projection != theory.projection:
            yield replace(theory, projection=projection), f"ANSWER with `projection {name}` PLACE"


def _line(operator: Operator) -> str:
    """The whole line that declares an operator, since it replaces the existing line."""
    parts = [f"operator {operator.name} {operator.kind}"]
    parts += [f"frame {', '.join(sorted(operator.frame))}"] if operator.frame else []
    parts += [f"within {', '.join(operator.within)}"] if operator.within else []
    parts += [f"introspected_by {', '.join(operator.introspected_by)}"] if operator.introspected_by else []
    parts += [f'called "{operator.gloss}"'] if operator.gloss else []
    return " ".join(parts)


def _scale_postulates(judgement: Judgement, plan: Plan, draws: Draws, row: int) -> Iterator[tuple[Formula, str, str]]:
    """For neighbours on the paradigm's scale that occur in no axiom together: the postulate that the stronger entails
    the weaker, the two words, and the line of a theory that declares it."""
    declared = plan.paradigm.scale
    drawn = scales_at(plan, draws, row)[0] if declared else ()
    arities = dict(symbols(judgement.premise, judgement.hypothesis).predicates)
    related = [{name for name, _ in symbols(p).predicates} for p in judgement.decision.theory.postulates]
    for (weak, strong), (low, high) in zip(pairwise(declared), pairwise(drawn), strict=True):
        arity = arities.get(low, arities.get(high, 0))
        if not arity or low == high or any({low, high} <= names for names in related):
            continue
        variables = ["x", "y", "z", "u", "v"][:arity]
        before = "".join(f"forall {v}. " for v in variables)
        names = [m.path if isinstance(m, Slot) else m for m in (strong, weak)]
        at = f"({', '.join(variables)})"
        line = f"postulate {before}({names[0]}{at} -> {names[1]}{at})"
        if isinstance(strong, Slot) and isinstance(weak, Slot):
            owner = next((s for s in (strong, weak) if s.column is None), None)
            if owner is None or owner.name not in {s.name for s in (strong, weak) if s.column is not None}:
                continue  # words of different draws: no schema covers just these
            line = f"each {owner.name} : {owner.category} {line}"
        elif isinstance(strong, Slot) or isinstance(weak, Slot):
            continue
        yield parse(f"{before}({high}{at} -> {low}{at})"), f"`{high}` and `{low}`", line
