"""From trivalent JSON formulas to one classical question: is there a pointed model with these values?

Core formulas are nested tuples over `true false atom equal not and or box neighbourhood here all some atleast
most`; everything else is compiled away: implications, diamonds, presuppositions, `the`, `exactly`, `atmost`,
restricted quantifiers. A trivalent formula becomes a true part and a false part, by the tables of
`evaluator.Projection`. Constants are folded, negations never doubled.

`formula.trivalence` does the same for the search for models, with tables and a reading of its own, on purpose: proofs
and their checks take this road, so that a mistake in one does not enter the other, and laws of the tests (engines
agree, and agree with `evaluator`) hold the two together.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from gramprobe.certify.evaluator import LENGTHS, Projection, projection_of
from gramprobe.certify.model import ModelError
from gramprobe.certify.reject import Budget, CertificateError

Core: TypeAlias = tuple[Any, ...]
Halves: TypeAlias = tuple[Core, Core]

TRUE: Core = ("true",)
FALSE: Core = ("false",)
REMEMBERED = 4096
"""How many formulas are remembered with their halves."""
MAX_OPERATORS = 30
"""The most operators of a theory slice."""
KINDS = ("box", "diamond", "neighbourhood", "dual")
CONDITIONS = frozenset({"reflexive", "serial", "transitive", "euclidean", "symmetric", "functional"})


@dataclass(frozen=True, slots=True)
class Frame:
    """The declaration of an operator in a theory; `within` and `introspected_by` name other operators."""

    kind: str
    conditions: frozenset[str]
    within: tuple[str, ...]
    introspected_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Is there a pointed model where `axioms` hold at every world and `goals` at the actual one?

    `distinct`: different constants denote different individuals. What is found of a problem is remembered for this
    object: equal ones are not looked for.
    """

    operators: dict[str, Frame]
    axioms: tuple[Core, ...]
    goals: tuple[Core, ...]
    distinct: bool


def problem(theory: Mapping[str, Any], wanted: Sequence[tuple[Any, str]], budget: Budget | None = None) -> Problem:
    """The problem of a theory slice and formulas with the value wanted of each (T, F, U; D: T or F; N: F or U).

    A question `? F` stands for F. Raises CertificateError for data that is not a theory or formula.
    """
    return problems(theory, [wanted], budget)[0]


def problems(
    theory: Mapping[str, Any], questions: Sequence[Sequence[tuple[Any, str]]], budget: Budget | None = None
) -> list[Problem]:
    """`problem` for several questions in one theory; formulas that they share are compiled once."""
    operators = frames(theory["operators"])
    try:
        projection = projection_of(theory["projection"])
    except ModelError as error:
        raise CertificateError(str(error)) from None
    kinds, budget = tuple([(name, frame.kind) for name, frame in operators.items()]), budget or Budget()

    def closed(formula: Any) -> Halves:
        halves, steps = _remembered(marshal.dumps(formula, 0), projection, kinds)  # version 0: by value alone
        budget.spend(steps)
        return halves

    axioms = tuple([closed(postulate)[0] for postulate in theory["postulates"]])
    compiled: dict[int, Halves] = {}
    posed = []
    for wanted in questions:
        goals = []
        for formula, value in wanted:
            halves = compiled.get(id(formula))
            if halves is None:
                halves = closed(formula[1] if formula[:1] == ["question"] else formula)
                compiled[id(formula)] = halves
            goals.append(_of_value(halves, value))
        if _exclude(wanted):
            goals = [FALSE]
        posed.append(Problem(operators, axioms, tuple(goals), theory["distinct"] is True))
    return posed


_MEANT = {"T": "T", "F": "F", "U": "U", "D": "TF", "N": "FU"}


def _exclude(wanted: Sequence[tuple[Any, str]]) -> bool:
    """Whether a formula, its negations removed, is wanted with values that exclude each other.

    The halves alone do not show it: their axioms may leave open which value the formula has.
    """
    left: list[tuple[Any, set[str]]] = []
    for formula, value in wanted:
        formula = formula[1] if formula[:1] == ["question"] else formula
        values = set(_MEANT.get(value, ""))
        while formula[:1] == ["not"] and len(formula) == 2:
            formula, values = formula[1], {{"T": "F", "F": "T", "U": "U"}[each] for each in values}
        for other, others in left:
            if other == formula:
                others &= values
                break
        else:
            left.append((formula, values))
    return any(not values for _, values in left)


def _of_value(halves: Halves, value: str) -> Core:
    true, false = halves
    match value:
        case "T":
            return true
        case "F":
            return false
        case "U":
            return FALSE if _total(halves) else conj(neg(true), neg(false))
        case "D":
            return _defined(halves)
        case "N":
            return neg(true)
    raise CertificateError(f"no value {value!r}")


def frames(operators: Any) -> dict[str, Frame]:
    """The operators of a theory slice, `[name, kind, conditions, within, introspected_by]` each, by name."""
    declared: dict[str, Frame] = {}
    if len(operators) > MAX_OPERATORS:
        raise CertificateError(f"more than {MAX_OPERATORS} operators")
    for entry in operators:
        name, kind, conditions, within, introspected_by = entry
        if kind not in KINDS or not set(conditions) <= CONDITIONS or name in declared:
            raise CertificateError(f"no operator of a theory: {entry!r}")
        declared[name] = Frame(kind, frozenset(conditions), tuple(within), tuple(introspected_by))
    related = {other for frame in declared.values() for other in (*frame.within, *frame.introspected_by)}
    if not related <= declared.keys():
        raise CertificateError("an operator is related to one that the theory slice lacks")
    return declared


@lru_cache(256)
def consequences(frame: Frame) -> frozenset[str]:
    """The conditions on a relation together with those that follow from them."""
    known = set(frame.conditions)
    for _ in _CONSEQUENCES:  # at most one new condition in each round
        for premises, consequence in _CONSEQUENCES:
            if premises <= known:
                known |= consequence
    return frozenset(known)


_CONSEQUENCES = (
    ({"reflexive"}, {"serial"}),
    ({"functional"}, {"serial"}),
    ({"functional", "reflexive"}, {"transitive", "euclidean"}),
    ({"functional", "transitive"}, {"euclidean"}),
    ({"functional", "euclidean"}, {"transitive"}),
    ({"reflexive", "euclidean"}, {"symmetric", "transitive"}),
    ({"symmetric", "transitive"}, {"euclidean"}),
    ({"symmetric", "euclidean"}, {"transitive"}),
    ({"serial", "symmetric", "transitive"}, {"reflexive"}),
)
"""Conditions that together entail others, for any relation."""


def related(operators: Mapping[str, Frame], name: str) -> list[str]:
    """The operators that a theory relates to `name` by `within` or `introspected_by`, declared on either side.

    A model with a relation for one of them has a relation for each.
    """
    own = operators[name]
    others = [other for other, frame in operators.items() if name in (*frame.within, *frame.introspected_by)]
    return [*own.within, *own.introspected_by, *others]


def neg(body: Core) -> Core:
    """The negation, folded."""
    if body == TRUE:
        return FALSE
    if body == FALSE:
        return TRUE
    return body[1] if body[0] == "not" else ("not", body)


def conj(left: Core, right: Core) -> Core:
    """The conjunction, folded."""
    if left == TRUE or right == FALSE:
        return right
    return left if right == TRUE or left == FALSE or left is right else ("and", left, right)


def disj(left: Core, right: Core) -> Core:
    """The disjunction, folded."""
    if left == FALSE or right == TRUE:
        return right
    return left if right == FALSE or left == TRUE or left is right else ("or", left, right)


def _both(one: Halves, other: Halves) -> Core:
    """The formula that both are defined."""
    return conj(_defined(one), _defined(other))


def _defined(halves: Halves) -> Core:
    return TRUE if _total(halves) else disj(*halves)


def _total(halves: Halves) -> bool:
    """Whether the false part is by its form the negation of the true part."""
    true, false = halves
    if TRUE in halves:
        return FALSE in halves
    return (true[0] == "not" and true[1] is false) or (false[0] == "not" and false[1] is true)


def _swap(halves: Halves) -> Halves:
    return halves[1], halves[0]


@lru_cache(REMEMBERED)  # a sentence stands in many pairs
def _remembered(formula: bytes, projection: Projection, kinds: tuple[tuple[str, str], ...]) -> tuple[Halves, int]:
    """The halves of a formula, and the steps that they took; `kinds`: those of the operators."""
    budget, known = Budget(), dict[int, int]()
    halves = _Compiler(projection, dict(kinds), budget).halves(marshal.loads(formula), {})
    budget.spend(_nodes(halves[0], known) + _nodes(halves[1], known))
    return halves, budget.spent


class _Compiler:
    def __init__(self, projection: Projection, kinds: Mapping[str, str], budget: Budget) -> None:
        self.projection, self.kinds, self.budget = projection, kinds, budget

    def halves(self, formula: Any, bound: Mapping[str, str]) -> Halves:
        """The true part and the false part; `bound`: the variables in scope with their sorts."""
        self.budget.spend()
        head = formula[0] if isinstance(formula, list) and formula else None
        if not isinstance(head, str) or LENGTHS.get(head, len(formula)) != len(formula):
            raise CertificateError(f"no formula with a truth value: {str(formula)[:80]}")
        match head:
            case "atom" if len(formula) > 1 and isinstance(formula[1], str):
                return _two(("atom", formula[1], *[self.term(arg, bound) for arg in formula[2:]]))
            case "and" | "or" | "implies":
                return self.connected(head, self.halves(formula[1], bound), self.halves(formula[2], bound))
            case "not":
                return _swap(self.halves(formula[1], bound))
            case "true":
                return TRUE, FALSE
            case "false":
                return FALSE, TRUE
            case "equal":
                return _two(("equal", self.term(formula[1], bound), self.term(formula[2], bound)))
            case "iff":
                (at, af), (bt, bf) = one, other = self.halves(formula[1], bound), self.halves(formula[2], bound)
                true = disj(conj(at, bt), conj(af, bf))
                return _two(true) if _total(one) and _total(other) else (true, disj(conj(at, bf), conj(af, bt)))
            case "presupposing":
                held = self.halves(formula[1], bound)[0]
                true, false = self.halves(formula[2], bound)
                return conj(held, true), conj(held, false)
            case "here":
                true, false = self.halves(formula[1], bound)
                here = _here(true)
                return _two(here) if _total((true, false)) else (here, _here(false))
            case "modal" if isinstance(formula[1], str) and formula[1] in self.kinds:
                _, operator, agent, body = formula
                who = None if agent is None else self.term(agent, bound)
                return self.modal(operator, who, self.halves(body, bound))
            case "quantified" if isinstance(formula[3], str) and formula[4] in ("individual", "occasion"):
                _, quantifier, count, variable, sort, r, s = formula
                inner = {**bound, variable: sort}
                number = count if type(count) is int and 0 <= count < 1_000_000 else None
                if (number is None) != (quantifier not in ("atleast", "atmost", "exactly")) or number != count:
                    raise CertificateError(f"no quantifier {quantifier!r} with the count {count!r}")
                parts = self.halves(r, inner), self.halves(s, inner)
                return self.quantified(quantifier, number or 0, variable, sort, *parts)
            case _:
                raise CertificateError(f"no formula with a truth value: {str(formula)[:80]}")

    def term(self, term: Any, bound: Mapping[str, str]) -> Core:
        if isinstance(term, list) and len(term) == 2 and isinstance(term[1], str):
            kind, name = term
            if kind == "const" or (kind == "var" and name in bound):
                return kind, name
        raise CertificateError(f"no term: {str(term)[:80]}")

    def connected(self, connective: str, left: Halves, right: Halves) -> Halves:
        """The disjunctions of the cells that are true, and of those that are false."""
        cells = self.projection.cells[connective]
        if _total(left) and _total(right):  # one of four cells has a value of its own: it, and its negation
            cell = _SINGLE[connective]
            single = _cell(left, right, cell)
            return _two(single) if cells[cell] == "T" else _swap(_two(single))
        return self.united(cells, "T", left, right), self.united(cells, "F", left, right)

    def united(self, cells: Mapping[tuple[str, str], str], value: str, left: Halves, right: Halves) -> Core:
        """The cells with a value: whole rows, whole columns, then what is left of them one by one."""
        wanted = [cell for cell, each in cells.items() if each == value]
        if len(wanted) == 3 and not any("U" in cell for cell in wanted):  # a value only where both sides have one
            (other,) = (each for each in cells if "U" not in each and each not in wanted)
            one, two = (_of_value(h, "F" if v == "T" else "T") for h, v in zip((left, right), other, strict=True))
            return conj(_both(left, right), disj(one, two))
        union: Core = FALSE
        for place, half in enumerate((left, right)):
            for each in "TFU":
                line = [cell for cell in cells if cell[place] == each]
                if all(cells[cell] == value for cell in line):
                    union = disj(union, _of_value(half, each))
                    wanted = [cell for cell in wanted if cell not in line]
        for cell in wanted:
            union = disj(union, _cell(left, right, cell))
        return union

    def modal(self, operator: str, agent: Core | None, body: Halves) -> Halves:
        kind = self.kinds[operator]
        if kind == "neighbourhood":  # about the set of worlds where the body is true: bivalent
            return _two(("neighbourhood", operator, agent, body[0]))
        if kind == "dual":
            return _swap(_two(("neighbourhood", operator, agent, body[1])))
        true, false = body if kind == "box" else _swap(body)

        def everywhere(inner: Core) -> Core:
            return TRUE if inner == TRUE else ("box", operator, agent, inner)

        always = everywhere(true)
        if _total(body):
            halves = _two(always)
        elif self.projection.modals == "some":
            halves = always, neg(everywhere(neg(false)))
        else:
            halves = always, conj(everywhere(_defined(body)), neg(everywhere(neg(false))))
        return halves if kind == "box" else _swap(halves)

    def quantified(self, quantifier: str, n: int, x: str, sort: str, restrictor: Halves, scope: Halves) -> Halves:
        """Counts of sure and possible cases (restrictor and scope), as in `evaluator.quantified`."""
        (rt, rf), (st, sf) = restrictor, scope

        def some(body: Core) -> Core:
            return body if body == FALSE else ("some", x, sort, body)

        def every(body: Core) -> Core:
            return body if body == TRUE else ("all", x, sort, body)

        def atleast(number: int, body: Core) -> Core:
            if number < 2:
                return some(body) if number == 1 else TRUE
            return body if body == FALSE else ("atleast", number, x, sort, body)

        if quantifier == "the":
            only = conj(every(_defined(restrictor)), conj(some(rt), neg(atleast(2, rt))))
            return conj(only, some(conj(rt, st))), conj(only, some(conj(rt, sf)))
        sure, may_be = conj(rt, st), conj(neg(rf), neg(sf))
        against, may_be_against = conj(rt, sf), conj(neg(rf), neg(st))
        if self.projection.quantifiers == "every":  # where the formula is defined, possible cases are sure
            may_be, may_be_against = sure, conj(rt, neg(st))
            against = may_be_against
        match quantifier:
            case "forall":
                halves = every(neg(may_be_against)), some(against)
            case "exists":
                halves = some(sure), neg(some(may_be))
            case "atleast":
                halves = atleast(n, sure), neg(atleast(n, may_be))
            case "atmost":
                halves = neg(atleast(n + 1, may_be)), atleast(n + 1, sure)
            case "exactly":
                halves = (
                    conj(atleast(n, sure), neg(atleast(n + 1, may_be))),
                    disj(atleast(n + 1, sure), neg(atleast(n, may_be))),
                )
            case "most":
                more = ("most", x, sort, disj(sure, may_be_against), st)
                at_best = ("most", x, sort, disj(may_be, against), neg(sf))
                halves = more, neg(at_best if self.projection.quantifiers == "some" else more)
            case _:
                raise CertificateError(f"no quantifier {quantifier!r}")
        if _total(restrictor) and _total(scope):
            return _two(halves[0])
        if self.projection.quantifiers == "some":
            return halves
        valued = conj(every(_defined(restrictor)), every(disj(neg(rt), _defined(scope))))
        return conj(valued, halves[0]), conj(valued, halves[1])


_SINGLE = {"and": ("T", "T"), "or": ("F", "F"), "implies": ("T", "F")}
"""The cell whose value no other has, of those where both sides have a value."""


def _cell(left: Halves, right: Halves, cell: tuple[str, str]) -> Core:
    """The formula that is true where the sides have these two values."""
    return conj(_of_value(left, cell[0]), _of_value(right, cell[1]))


def _nodes(formula: Core, known: dict[int, int]) -> int:
    """How many nodes a walk over the formula meets: parts are shared, and it meets each of them again."""
    nodes = known.get(id(formula))
    if nodes is None:
        nodes = 1
        for part in formula[1:]:
            if type(part) is tuple:
                nodes += _nodes(part, known)
        known[id(formula)] = nodes
    return nodes


def _two(formula: Core) -> Halves:
    return formula, neg(formula)


def _here(body: Core) -> Core:
    return body if body in (TRUE, FALSE) else ("here", body)
