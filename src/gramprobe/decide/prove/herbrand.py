"""Refutation by Herbrand instances: CaDiCaL (Biere et al. 2020) on the kernel's own instances, with its proof."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from gramprobe.certify import rup
from gramprobe.certify.classical import Problem
from gramprobe.certify.ground import Grounding
from gramprobe.certify.herbrand import bound
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget, CertificateError, Unfollowed
from gramprobe.decide.prove import Steps, learnt_of, remembered
from gramprobe.decide.prove.interpretation import interpretation

STEPS = 30_000
"""The most steps of one grounding in the search: some 20 ms."""
FEW = STEPS // 3
"""With more steps than this, instances are not tried with all places in one class: they were too many, or no help."""
DEPTHS = (2, 4)
"""Most universes are closed at depth 2; a universe that is not, and is still small, may be refuted deeper."""


def prove(problems: Sequence[Problem], sure: bool = False) -> list[dict[str, Any] | Model | None]:
    """For each problem a refutation, a candidate model (for the kernel to confirm), or None: not known.

    ``sure``: no refutation with steps that cannot be followed.
    """
    return [_prove(problem, sure) for problem in problems]


@remembered
def _prove(problem: Problem, sure: bool) -> dict[str, Any] | Model | None:
    inferred, steps = True, STEPS
    for depth in DEPTHS:
        outcome = _at(problem, depth, inferred, steps, sure)
        if isinstance(outcome, Grounding) and inferred and outcome.limited:
            if outcome.budget.spent > FEW:
                return None
            inferred = False  # a limit on the individuals of one class can limit all other classes
            outcome = _at(problem, depth, inferred, steps, sure)
        if not isinstance(outcome, Grounding):
            return outcome
        if not outcome.cut:
            return None
        steps //= 2
    return None


def _at(
    problem: Problem, depth: int, inferred: bool, steps: int, sure: bool
) -> dict[str, Any] | Model | Grounding | None:
    """A refutation; a candidate; the grounding if it decides neither; None if it is too large."""
    try:
        grounding = Grounding(problem, depth, Steps(steps), inferred)
    except (CertificateError, RecursionError):
        outcome = _at(problem, 1, inferred, steps, sure) if inferred and depth == DEPTHS[0] else None
        return None if isinstance(outcome, Grounding) else outcome
    proof, assignment = solved(grounding)
    if proof is not None and sure:
        try:
            rup.check(grounding.clauses, proof, grounding.top, Budget())
        except Unfollowed:
            return grounding
    if proof is not None:
        return {"kind": "herbrand", "depth": depth, "inferred": inferred, "bound": bound(grounding), "steps": proof}
    if assignment is None or grounding.cut or grounding.loose or (inferred and grounding.limited):
        return grounding
    try:
        return interpretation(problem, grounding, assignment)
    except Unfollowed:  # the worlds that it would lay out are too many for the steps that are left
        return None


def solved(grounding: Grounding) -> tuple[list[list[int]] | None, list[int] | None]:
    """The proof that the instances have no propositional model, or None and the literals true in such a model.

    That each step follows by unit propagation is for the kernel to check (a RAT step does not; none is known to
    happen).
    """
    if grounding.refuted:
        return [], None
    solvers: Any = import_module("pysat.solvers")  # here, as it takes 20 ms
    with solvers.Minisat22(bootstrap_with=grounding.clauses) as units:
        if not units.propagate()[0]:
            return [], None
    solver = solvers.Cadical153(bootstrap_with=grounding.clauses, with_proof=True)
    try:
        solver.configure({"phase": 0})
        if solver.solve():
            return None, solver.get_model() or []
        return learnt_of(solver), None
    finally:
        solver.delete()
