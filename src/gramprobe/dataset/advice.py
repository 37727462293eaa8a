"""What would make an unmet expectation come true: tried out, not guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gramprobe.dataset.columns import Judgement
from gramprobe.decide.reduce import BelievesAll
from gramprobe.decide.shape import Decider
from gramprobe.formula.theory import FRAMES, PROJECTIONS, TheorySlice


def remedy(found: Judgement, theory: str, expected: str) -> str:
    """The first small change of the theory under which the label is as expected, as a sentence; else nothing."""
    decider = Decider()
    for changed, text in _changes(found.decision.theory):
        try:
            label = decider.decide(found.premise, found.hypothesis, changed).verdict.label
        except BelievesAll:  # without that condition some update leaves nobody's beliefs in order
            continue
        if label == expected:
            return f"it would be {expected} with {text} in logic/{theory}.logic"
    return ""


def _changes(theory: TheorySlice) -> Iterator[tuple[TheorySlice, str]]:
    """Each operator with one frame condition more or none; each other projection."""
    for number, operator in enumerate(theory.operators):
        if "functional" in operator.frame:
            continue
        # `functional` is no advice: a modality that sees one world only says what its body says.
        frames = [operator.frame | {f} for f in FRAMES if f not in (*operator.frame, "functional")]
        for frame in (*frames, *([frozenset()] if operator.frame else [])):
            new = replace(operator, frame=frame)
            others = (*theory.operators[:number], new, *theory.operators[number + 1 :])
            line = f"operator {operator.name} {operator.kind}" + (f" frame {', '.join(sorted(frame))}" if frame else "")
            yield replace(theory, operators=others), f"`{line}`"
    for projection in PROJECTIONS:
        if projection != theory.projection:
            yield replace(theory, projection=projection), f"`projection {projection}`"
