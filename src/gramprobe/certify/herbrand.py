"""Refutation by Herbrand instances: the kernel makes the instances again and follows the propositional proof.

`{"kind": "herbrand", "depth": 2, "inferred": true, "bound": {"worlds": 1, "individuals": 3, "occasions": 0},
"steps": [[-4], []]}`.
A problem whose instances (`ground`) have no propositional model has no model (Herbrand 1930), whatever depth
the proof names, and with sort inference or without. The bound is the size of the universe at that depth, which the
kernel computes again and compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.certify import rup
from gramprobe.certify.classical import Problem
from gramprobe.certify.ground import Grounding
from gramprobe.certify.reject import Budget, CertificateError

FIELDS = {"kind", "depth", "inferred", "bound", "steps"}
DEEPEST = 50
"""Skolem terms nested deeper than this are refused."""
LARGEST = 400_000
"""The most steps that the instances of one problem may take: a bound on memory."""


def check(problem: Problem, proof: Mapping[str, Any], budget: Budget) -> None:
    """Check a Herbrand proof. Raises CertificateError unless it shows that the problem has no model."""
    if set(proof) != FIELDS or proof["kind"] != "herbrand":
        raise CertificateError(f"a Herbrand proof has exactly the fields {', '.join(sorted(FIELDS))}")
    depth, steps = proof["depth"], proof["steps"]
    if type(proof["inferred"]) is not bool:
        raise CertificateError("a proof says whether sorts were inferred")
    if type(depth) is not int or not 0 <= depth <= DEEPEST:
        raise CertificateError(f"the depth is no number from 0 to {DEEPEST}")
    allowed = Budget(min(budget.left, LARGEST))
    try:
        grounding = Grounding(problem, depth, allowed, proof["inferred"])
    except RecursionError:
        raise CertificateError("its formulas are nested too deep") from None
    budget.spend(min(budget.left, LARGEST) - allowed.left)
    if proof["bound"] != bound(grounding):
        raise CertificateError(f"the universe is not as large as the proof says, but {bound(grounding)}")
    if not isinstance(steps, list):
        raise CertificateError("the steps of a proof are a list")
    for number, step in enumerate(steps):
        if not isinstance(step, list) or not all(type(i) is int and 0 < abs(i) <= grounding.top for i in step):
            raise CertificateError(f"step {number} of the proof is no clause over its {grounding.top} literals")
    rup.check(grounding.clauses, steps, grounding.top, budget)


def bound(grounding: Grounding) -> dict[str, int]:
    """How many terms of each sort there are."""
    sorts = [term.sort for term in grounding.terms]
    return {
        "worlds": len(grounding.reach.worlds),
        "individuals": sorts.count("individual"),
        "occasions": sorts.count("occasion"),
    }
