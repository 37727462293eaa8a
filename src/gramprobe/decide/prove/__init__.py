"""Engines that prove that a problem has no model: each searches for proofs that one module of `certify` can check."""

from __future__ import annotations

import hashlib
import marshal
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from gramprobe.certify.check import check_proof
from gramprobe.certify.classical import Problem
from gramprobe.certify.reject import TOO_LONG, Budget, CertificateError, Unfollowed
from gramprobe.stop import ask_stop

REMEMBERED = 4096
"""How many answers of an engine, and of the kernel about proofs, are remembered."""

Found = TypeVar("Found")

_UNKNOWN = object()
_memories: list[OrderedDict[Hashable, Any]] = []


class Steps(Budget):
    """The steps of a search: like those of checking, and it asks now and then whether to go on."""

    def spend(self, steps: int = 1) -> None:
        before = self.left
        after = self.left = before - steps
        if after < 0:
            raise Unfollowed(TOO_LONG)
        if before >> 12 != after >> 12:
            ask_stop()


def learnt_of(solver: Any) -> list[list[int]]:
    """The clauses that a solver of pysat has learnt, by its proof, in their order."""
    lines = (line.split() for line in solver.get_proof())
    return [[int(literal) for literal in line[:-1]] for line in lines if line[0] != "d"]


def posed(problem: Problem) -> Hashable:
    """All of a problem, as a key: what engines find of it, and what the kernel says of a proof, depends on nothing
    else. Theories that differ only in a projection pose the same problem for many values of a pair."""
    return problem.axioms, problem.goals, tuple(problem.operators.items()), problem.distinct


def remembered(prove: Callable[..., Found]) -> Callable[..., Found]:
    """An engine that looks at each problem (its first argument) once in a process. Its results are shared: nobody may
    change them."""
    known: OrderedDict[Hashable, Found | object] = OrderedDict()
    _memories.append(known)

    @wraps(prove)
    def once(problem: Problem, *others: Hashable) -> Found:
        key = posed(problem), others
        found = known.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = prove(problem, *others)
            _keep(known, key, found)
        return cast(Found, found)

    return once


_REFUTED: OrderedDict[Hashable, None] = OrderedDict()
_memories.append(_REFUTED)


def note_refuted(problem: Problem, proof: Mapping[str, Any]) -> None:
    """Remember a refutation that the kernel has accepted, if the engines find it whenever they are asked: not one of
    elimination of types, which looks at several problems together, nor one of a long search."""
    if proof["kind"] in ("herbrand", "venn") and not (proof.get("naming") or proof.get("looking")):
        _keep(_REFUTED, posed(problem), None)


def was_refuted(problem: Problem) -> bool:
    """Whether `note_refuted` remembers a refutation of the problem, so that no model needs be looked for."""
    return posed(problem) in _REFUTED


def forget() -> None:
    """Look at each problem and each proof anew from now on."""
    for known in _memories:
        known.clear()


def _keep(known: OrderedDict[Hashable, Found], key: Hashable, found: Found) -> None:
    known[key] = found
    if len(known) > REMEMBERED:
        known.popitem(last=False)


_CHECKED: OrderedDict[Hashable, str | bool] = OrderedDict()
_memories.append(_CHECKED)


def check_once(problem: Problem, proof: Any, budget: Budget | None = None) -> bool:
    """`certify.check.check_proof`, once in a process for each proof of a problem; raises as that does. What was too
    long to check is checked again: another budget may do."""
    key = posed(problem), hashlib.sha256(marshal.dumps(proof, 0)).digest()  # version 0: by value alone
    found = _CHECKED.get(key)
    if found is None:
        try:
            found = check_proof(problem, proof, budget)
        except Unfollowed:
            raise
        except CertificateError as error:
            found = str(error)
        _keep(_CHECKED, key, found)
    if isinstance(found, str):
        raise CertificateError(found)
    return found
