"""Searches type eliminations: refutations and models of propositional modal problems (Pratt 1979; Blackburn, de Rijke &
Venema 2001, ch. 6).

The tables, the conditions on the worlds in view and the rule of a kill are the kernel's (`certify.types`). Here is the
search: which types to kill until every type that is left has all that it demands, which kills a refutation needs, and a
pointed model of the types that are left, if there are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

from gramprobe.certify.classical import FALSE, Core, Problem, consequences
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.certify.types import (
    MAX_BITS,
    MAX_DEPTH,
    QUANTIFIERS,
    Space,
    constants,
    instances,
    keys,
    mentioned,
    named,
    substituted,
)
from gramprobe.certify.views import Table, by_sets
from gramprobe.decide.prove import Steps
from gramprobe.decide.prove.worlds import model_of
from gramprobe.stop import ask_stop

EFFORT = 1_000_000
"""Operations on tables (of up to 4096 types; larger ones count as several) before the search gives up."""
STEPS = 2_000_000
"""The most steps of building the tables."""
MAX_INSTANCES = 200
"""The most instances of an axiom that give bits."""
MAX_NESTED = 12
"""The most bits if conditions on sets of worlds need boxes of boxes: each pair of boxes is a demand."""


Answers: TypeAlias = "list[dict[str, Any] | Model | None]"


def prove(problems: Sequence[Problem]) -> Answers:
    """For each problem (all of one theory): a refutation for `certify.types`, a model, or None (not known).

    Bits that no formula needs are tried only if no bit is a quantified formula: `prove_more` tries them there. None if
    more than MAX_BITS formulas would be bits, if the search takes more than EFFORT, or if a type with all goals is left
    of which no model can be built: because bits are quantified formulas, or because the conditions are not complete for
    these frames.
    """
    return _proved(problems, more=False)


def prove_at_once(problems: Sequence[Problem]) -> Answers:
    """`prove` with no bits but those that the formulas need, which are few."""
    return _proved(problems, more=False, tries=1)


def refute_at_once(problems: Sequence[Problem]) -> Answers:
    """`prove_at_once` without models."""
    return _proved(problems, more=False, tries=1, models=False)


def prove_more(problems: Sequence[Problem]) -> Answers:
    """`prove` for problems that it leaves open, with more bits: instances of quantified formulas, boxes of boxes."""
    return _proved(problems, more=True)


def _proved(problems: Sequence[Problem], more: bool, tries: int | None = None, models: bool = True) -> Answers:
    answers: Answers = [None] * len(problems)
    groups: dict[Any, list[int]] = {}  # problems with the same relations and names share a space
    for number, problem in enumerate(problems):
        if FALSE in problem.goals:
            answers[number] = {"kind": "type-elimination", "bits": [], "kills": []}
        else:
            groups.setdefault((mentioned(problem), frozenset(constants(problem))), []).append(number)
    for numbers in groups.values():
        open_, tried = numbers, -1
        for bits in islice(_closures([problems[number] for number in numbers], more), tries):
            if len(bits) > tried:
                tried = len(bits)
                found = _answers([problems[each] for each in open_], bits, models)
                for number, answer in zip(open_, found, strict=True):
                    answers[number] = answer
                open_ = [number for number in open_ if answers[number] is None]
            if not open_:
                break
    return answers


def _answers(problems: Sequence[Problem], bits: list[Core], models: bool) -> Iterator[dict[str, Any] | Model | None]:
    try:
        search = Elimination(problems[0], bits)
    except CertificateError:  # the kernel would not count the instances of the axioms
        yield from [None] * len(problems)
        return
    for problem in problems:
        goals = search.space.goals(problem)
        if search.alive & goals:
            yield model_of(problem, search.space, search.alive, goals) if models and search.finished else None
        elif search.listed is None:
            yield None
        else:
            yield {"kind": "type-elimination", "bits": search.listed, "kills": search.kills_of(goals)}


def _closures(problems: Sequence[Problem], more: bool) -> Iterator[list[Core]]:
    """The sets of bits to try, one after the other, none larger than the limits."""
    bits = closure(problems)
    if len(bits) > MAX_BITS:
        return
    if not more:
        yield bits
    if more or not any(bit[0] in QUANTIFIERS for bit in bits):
        bits = _related(problems[0], _instantiated(problems[0], bits))
        if len(bits) <= MAX_BITS:
            yield bits
            bits = _nested(problems[0], bits)
            if len(bits) <= MAX_NESTED:
                yield bits


def closure(problems: Sequence[Problem]) -> list[Core]:
    """The bits that problems of one theory, with the same names, need: atoms, equalities, quantified formulas, `here`
    and boxes, inner ones first.
    """
    bits: dict[Core, None] = {}
    for problem in problems:
        for formula in problem.goals:
            _enter(bits, formula, problem.distinct)
    names = constants(problems[0])
    for axiom in problems[0].axioms:
        for each in islice(instances(axiom, names, Budget()), MAX_INSTANCES):
            if each[0] not in ("all", "and"):
                _enter(bits, each, problems[0].distinct)
    return list(bits)


def _enter(bits: dict[Core, None], formula: Core, distinct: bool) -> None:
    head = formula[0]
    if head in ("not", "and", "or"):
        for part in formula[1:]:
            _enter(bits, part, distinct)
    elif head not in ("true", "false"):
        formula = named(formula, distinct)
        if formula in bits or formula[0] in ("true", "false"):
            return
        if head in ("box", "neighbourhood"):
            _enter(bits, formula[3], distinct)
        elif head == "here":
            _enter(bits, formula[1], distinct)
        bits[formula] = None


def _instantiated(problem: Problem, bits: list[Core]) -> list[Core]:
    """More bits: the instances of quantified formulas for names."""
    more, names = dict.fromkeys(bits), constants(problem)
    for bit in bits:
        if bit[0] in ("all", "some") and bit[2] == "individual":
            for name in names:
                if len(more) <= MAX_BITS:
                    _enter(more, substituted(bit[3], bit[1], ("const", name), Budget()), problem.distinct)
    return list(more)


def _related(problem: Problem, bits: list[Core]) -> list[Core]:
    """More bits: for every box_k f and b within k, box_b f and box_b box_k f if they are wanted; if k has sets of
    worlds, box_k f for every box_b f too.

    The bits of a world then determine what all the worlds that b sees agree on.
    """
    more = dict.fromkeys(bits)
    for operator, agent in keys(problem):
        head = _head(problem, operator)
        for name in _wider(problem, operator):
            direct, again = _wanted(problem, operator, name)
            wide = _head(problem, name)
            for bit in bits:
                if bit[:3] == (wide, name, agent):
                    if direct:
                        more[(head, operator, agent, bit[3])] = None
                    if again:
                        more[(head, operator, agent, bit)] = None
                elif bit[:3] == (head, operator, agent) and direct and wide == "neighbourhood":
                    more[(wide, name, agent, bit[3])] = None
    return list(more)


def _head(problem: Problem, operator: str) -> str:
    return "neighbourhood" if by_sets(problem.operators[operator]) else "box"


def _nested(problem: Problem, bits: list[Core]) -> list[Core]:
    """More bits: N N f and N not N f for every N f with sets of worlds, if the frame has a condition on them."""
    more = dict.fromkeys(bits)
    for bit in bits:
        if bit[0] == "neighbourhood":
            conditions = problem.operators[bit[1]].conditions
            if "transitive" in conditions:
                more[(*bit[:3], bit)] = None
            if "euclidean" in conditions:
                more[(*bit[:3], ("not", bit))] = None
    return list(more)


def _wanted(problem: Problem, narrow: str, wide: str) -> tuple[bool, bool]:
    """Whether box_b f, and whether box_b box_k f, is wanted for b within k.

    They are if the frame closes the relation of b in a way that does not preserve the formulas that k makes true at the
    worlds that b sees.
    """
    if by_sets(problem.operators[narrow]) or by_sets(problem.operators[wide]):
        return narrow != wide and by_sets(problem.operators[wide]), False
    b, k = consequences(problem.operators[narrow]), consequences(problem.operators[wide])
    if narrow == wide:
        return False, "euclidean" in b and "transitive" not in b
    watchers = problem.operators[narrow].introspected_by
    closed = (
        ("euclidean" in b and "symmetric" not in b)
        or ("transitive" in b and "transitive" not in k)
        or any("transitive" not in k or wide not in _wider(problem, name) for name in watchers)
    )
    if not closed or k >= {"transitive", "symmetric"}:
        return False, False
    return not k >= {"transitive", "reflexive"}, "transitive" in k


def _wider(problem: Problem, operator: str) -> list[str]:
    wider = [operator]
    for each in wider:
        wider += [name for name in problem.operators[each].within if name not in wider]
    return wider


@dataclass(frozen=True, slots=True)
class _Kill:
    view: int
    demand: int
    signature: list[int]
    killed: Table
    candidates: Table  # all types that would have kept the killed ones alive


class Elimination:
    """The types of some problems of one theory after the elimination: `alive`, unless it grew too long (`finished`)."""

    def __init__(self, problem: Problem, bits: list[Core]) -> None:
        self.problem, self.bits = problem, bits
        self.space = Space(problem, bits, Steps(STEPS))
        self.alive = self.space.local
        self.kills: list[_Kill] = []
        self.effort = EFFORT
        size = (1 << len(bits) >> 3) + 1
        # of each view where each transfer applies, as bytes: one bit of a table of a million is read without a copy
        self._applies = [[x.to_bytes(size, "little") for x, _ in transfers] for transfers, _ in self.space.views]
        self.finished = self._run()

    def _run(self) -> bool:
        """Kill types until every type has what it demands. False if that takes more than EFFORT."""
        last: dict[tuple[int, int], Table] = {}
        changed = True
        while changed:
            changed = False
            for view, (_, demands) in enumerate(self.space.views):
                for demand, (p, q, f, g) in enumerate(demands):
                    ask_stop()
                    before, wanted = self.alive, f ^ g
                    if (view, demand) in last and not (last[view, demand] ^ before) & wanted:
                        continue
                    if not self._serve(view, demand, p & q, wanted):
                        return False
                    last[view, demand] = before
                    changed = changed or self.alive != before
        return True

    def _serve(self, view: int, demand: int, where: Table, wanted: Table) -> bool:
        """Kill the types whose demand no type that is left can serve. False if EFFORT is spent."""
        transfers, applies = self.space.views[view][0], self._applies[view]
        rest = self.alive & where
        while rest:
            self.effort -= self.space.cost * (2 + len(transfers))
            if self.effort < 0:
                return False
            at = (rest & -rest).bit_length() - 1
            byte, bit = at >> 3, 1 << (at & 7)
            seen, signature, others = self.alive & wanted, [], []
            for number, (_, y) in enumerate(transfers):
                if not applies[number][byte] & bit:
                    others.append(number)
                elif (fewer := seen & y) != seen:
                    seen = fewer
                    signature.append(number)
                    if not seen:
                        break
            if seen:  # there is a witness: the witness that meets most transfers serves most types
                served = rest
                for number in others:
                    x, y = transfers[number]
                    seen, served = (fewer, served) if (fewer := seen & y) else (seen, served ^ (served & x))
                rest ^= served
            else:
                kill = self._kill(view, demand, where, wanted, signature)
                self.kills.append(kill)
                self.alive &= ~kill.killed
                rest &= ~kill.killed
        return True

    def _kill(self, view: int, demand: int, where: Table, wanted: Table, signature: list[int]) -> _Kill:
        """The kill with as few transfers as suffice, so that it kills as many types as possible."""
        transfers = self.space.views[view][0]
        for number in signature[:-1]:  # without the last there would be a witness
            fewer = [each for each in signature if each != number]
            seen = self.alive & wanted
            for each in fewer:
                seen &= transfers[each][1]
            if not seen:
                signature = fewer
        killed, candidates = self.alive & where, self.space.local & wanted
        for each in signature:
            killed &= transfers[each][0]
            candidates &= transfers[each][1]
        return _Kill(view, demand, signature, killed, candidates)

    @cached_property
    def listed(self) -> list[Any] | None:
        """The bits as JSON data; None if the kernel would not read them, as they are nested too deep."""
        try:
            return [_json(bit) for bit in self.bits]
        except CertificateError:
            return None

    def kills_of(self, goals: Table) -> list[list[Any]]:
        """The kills, in order, that a refutation of these goals needs, as the kernel reads them."""
        needed, dead = [], self.space.local & goals
        for kill in reversed(self.kills):
            if kill.killed & dead:
                needed.append([kill.view, kill.demand, kill.signature])
                dead |= kill.candidates
        return needed[::-1]


def _json(formula: Core, depth: int = 0) -> list[Any]:
    if depth > MAX_DEPTH:
        raise CertificateError("a formula nested too deep")
    depth += 1
    return [_json(part, depth) if type(part) is tuple else part for part in formula]
