"""Three values in two classical formulas: when a formula is true, when it is false (undefined otherwise).

The theory's `Projection` is read cell by cell: a connective is true (false) in the union of its cells with that value,
written with as few parts as they allow (`cover`). `search.planes` reads the tables by the same covers. That is one of
two roads: the search for models takes this one; the kernel has tables and a reading of its own (`certify.evaluator`,
cell by cell; `certify.classical`, for proofs), so that a mistake in one does not enter the other. Laws of the tests
hold the two together, over tables that are drawn at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import product
from typing import TypeAlias

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import FALSE, TRUE, And, Formula, Modal, Not, Or, Presupposing, Quantified, Truth, as_formula
from gramprobe.formula.theory import VALUES, Connective, Operator, Projection

Halves: TypeAlias = tuple[Formula, Formula]


def compile(formula: Formula, projection: Projection, operators: Mapping[str, Operator]) -> Halves:
    """`(true part, false part)`, classical formulas without presuppositions.

    Raises ValueError for a node that must be compiled away earlier (updates, exh, lambda, an inner question)
    and KeyError for an operator that the theory does not declare.
    """
    return _Compiler(projection, operators).halves(formula)


def defined(halves: Halves) -> Formula:
    """The classical formula that is true exactly where a compiled formula has a value."""
    true, false = halves
    return _defined(true, false)


@lru_cache(maxsize=4096)  # a sentence stands in several pairs
def may_differ(formula: Formula, one: Projection, other: Projection) -> bool:
    """Whether a formula may have different values under two projections: whether a connective, operator or quantifier
    in it meets a gap for which they say different things. It may say yes of a formula whose values are always equal."""
    return _values(formula, one, other) is None


def _values(formula: Formula, one: Projection, other: Projection) -> frozenset[str] | None:
    """The values that a formula may have under both projections; None if they may differ."""
    parts = [_values(as_formula(part), one, other) for part in ast.parts(formula) if ast.is_formula(part)]
    values = [part for part in parts if part is not None]
    if len(values) < len(parts):
        return None
    gap = any("U" in part for part in values)
    match formula:
        case And() | Or() | ast.Implies():
            connective = _CONNECTIVE[type(formula)]
            cells = [VALUES.index(a) * len(VALUES) + VALUES.index(b) for a, b in product(*values)]
            table, theirs = one.table(connective), other.table(connective)
            return frozenset(table[i] for i in cells) if all(table[i] == theirs[i] for i in cells) else None
        case Modal() if gap and one.modals != other.modals:
            return None
        case Quantified() if gap and one.quantifiers != other.quantifiers:
            return None
        case _:
            return _ANY if gap or ast.may_be_undefined(formula) else _TOTAL


_TOTAL, _ANY = frozenset("TF"), frozenset(VALUES)
_CONNECTIVE: dict[type, Connective] = {And: "and", Or: "or", ast.Implies: "implies"}


class _Compiler:
    def __init__(self, projection: Projection, operators: Mapping[str, Operator]) -> None:
        self.projection, self.operators = projection, operators

    def halves(self, formula: Formula) -> Halves:
        match formula:
            case Truth() | ast.Atom() | ast.Equal():
                return formula, _not(formula)
            case Not(body):
                true, false = self.halves(body)
                return false, true
            case And(left, right):
                return self.connected("and", self.halves(left), self.halves(right))
            case Or(left, right):
                return self.connected("or", self.halves(left), self.halves(right))
            case ast.Implies(left, right):
                return self.connected("implies", self.halves(left), self.halves(right))
            case ast.Iff(left, right):
                (at, af), (bt, bf) = one, other = self.halves(left), self.halves(right)
                if _total(one) and _total(other):
                    both = ast.Iff(at, bt)
                    return both, _not(both)
                return _or(_and(at, bt), _and(af, bf)), _or(_and(at, bf), _and(af, bt))
            case Presupposing(presupposition, assertion):
                held, _ = self.halves(presupposition)
                true, false = self.halves(assertion)
                return _and(held, true), _and(held, false)
            case Modal():
                return self.modal(formula)
            case Quantified():
                return self.quantified(formula)
            case ast.Here(body):
                true, false = inner = self.halves(body)
                here = ast.Here(true)
                return here, _not(here) if _total(inner) else ast.Here(false)
            case ast.Exhaustified() | ast.Announced() | ast.EventUpdate() | ast.Lambda() | ast.Interrogative():
                raise ValueError(f"{type(formula).__name__} has no truth value of its own: compile it away first")
            case _:
                ast.unknown(formula, "trivalence")

    def connected(self, connective: Connective, left: Halves, right: Halves) -> Halves:
        if _total(left) and _total(right):
            one, other, value = tuple(_SINGLE[connective])
            single = _and(_where(left, one), _where(right, other))
            return (single, _not(single)) if value == "T" else (_not(single), single)
        table = self.projection.table(connective)
        return _union(cover(table, "T"), left, right), _union(cover(table, "F"), left, right)

    def modal(self, formula: Modal) -> Halves:
        body = self.halves(formula.body)
        kind = self.operators[formula.operator].kind
        if kind == "neighbourhood":  # about the set of worlds where the body is true: bivalent
            near = replace(formula, body=body[0])
            return near, _not(near)
        if kind == "dual":  # the negation, about the set of worlds where the body is false
            other = replace(formula, body=_not(body[1]))
            return other, _not(other)
        true, false = body if kind == "box" else _swap(body)

        def everywhere(inner: Formula) -> Formula:
            """`inner` at all accessible worlds, expressed with the operator of `formula`."""
            if inner == TRUE:
                return TRUE
            return replace(formula, body=inner) if kind == "box" else _not(replace(formula, body=_not(inner)))

        always = everywhere(true)
        if _total(body):
            halves = always, _not(always)
        elif self.projection.modals == "some":
            halves = always, _not(everywhere(_not(false)))
        else:
            halves = always, _and(everywhere(_defined(true, false)), _not(everywhere(_not(false))))
        return halves if kind == "box" else _swap(halves)

    def quantified(self, formula: Quantified) -> Halves:
        restrictor, scope = self.halves(formula.restrictor), self.halves(formula.scope)
        (rt, rf), (st, sf) = restrictor, scope

        def every(inner: Formula, outer: Formula = TRUE) -> Formula:
            return _bound(formula, "forall", outer, inner)

        if formula.quantifier == "the":
            single = replace(formula, quantifier="exactly", count=1, restrictor=TRUE, scope=rt)
            one = _and(every(_defined(rt, rf)), single)
            return _and(one, _bound(formula, "exists", rt, st)), _and(one, _bound(formula, "exists", rt, sf))
        if _total(restrictor) and _total(scope):
            plain = replace(formula, restrictor=rt, scope=st)
            return plain, _not(plain)
        if self.projection.quantifiers == "some":
            return self.witnessed(formula, restrictor, scope)
        valued = _and(every(_defined(rt, rf)), every(_defined(st, sf), rt))
        plain = replace(formula, restrictor=rt, scope=st)
        return _and(valued, plain), _and(valued, _not(plain))

    def witnessed(self, formula: Quantified, restrictor: Halves, scope: Halves) -> Halves:
        """Some case settles the value: true (false) if it is however the gaps are filled (Kleene 1952)."""
        (rt, rf), (st, sf) = restrictor, scope
        sure, possible = _and(rt, st), _and(_not(rf), _not(sf))

        def counted(quantifier: ast.Quantifier, inner: Formula) -> Formula:
            return replace(formula, quantifier=quantifier, restrictor=TRUE, scope=inner)

        match formula.quantifier:
            case "forall":
                return counted("forall", _or(rf, st)), counted("exists", _and(rt, sf))
            case "exists":
                return counted("exists", sure), counted("forall", _or(rf, sf))
            case "atleast":
                return counted("atleast", sure), _not(counted("atleast", possible))
            case "atmost":
                return counted("atmost", possible), _not(counted("atmost", sure))
            case "exactly":
                return (
                    _and(counted("atleast", sure), counted("atmost", possible)),
                    _or(_not(counted("atmost", sure)), _not(counted("atleast", possible))),
                )
            case _:  # most: more sure cases than possible counter-cases; false if not even at best
                against, surely_against = _and(_not(rf), _not(st)), _and(rt, sf)
                true = replace(formula, restrictor=_or(sure, against), scope=st)
                at_best = replace(formula, restrictor=_or(possible, surely_against), scope=_not(sf))
                return true, _not(at_best)


_SINGLE: dict[Connective, str] = {"and": "TTT", "or": "FFF", "implies": "TFF"}
"""Of the cells where both sides have a value the one whose value no other has: left, right, value."""


@cache
def cover(table: str, value: str) -> tuple[tuple[str, str], ...]:
    """The cells of a table (nine values in the order of CELLS) that have a value, as rectangles: values of the left
    side, values of the right side. First come whole rows, then whole columns, then what is left of the rows.
    """
    rows = {left: "".join(right for at, right in enumerate(VALUES) if table[3 * number + at] == value)
            for number, left in enumerate(VALUES)}  # fmt: skip
    whole = "".join(left for left, columns in rows.items() if columns == VALUES)
    common = "".join(right for right in VALUES if all(right in columns for columns in rows.values()))
    left_over: dict[str, str] = {}
    for left, columns in rows.items():
        kept = "" if left in whole else "".join(right for right in columns if right not in common)
        left_over[kept] = left_over.get(kept, "") + left
    rest = sorted(((lefts, columns) for columns, lefts in left_over.items()), key=lambda each: -len(each[1]))
    rectangles = [(whole, VALUES), (VALUES if whole != VALUES else "", common), *rest]
    return tuple((lefts, columns) for lefts, columns in rectangles if lefts and columns)


def _union(rectangles: tuple[tuple[str, str], ...], left: Halves, right: Halves) -> Formula:
    union: Formula = FALSE
    for rows, columns in rectangles:
        union = _or(union, _and(_where(left, rows), _where(right, columns)))
    return union


def _where(halves: Halves, values: str) -> Formula:
    """The classical formula that is true exactly where a compiled formula has one of some values."""
    true, false = halves
    match values:
        case "T":
            return true
        case "F":
            return false
        case "U":
            return _not(defined(halves))
        case "TF":
            return defined(halves)
        case "TU":
            return _not(false)
        case "FU":
            return _not(true)
        case _:
            return TRUE


def _total(halves: Halves) -> bool:
    """Whether the false part is by its form the negation of the true part."""
    true, false = halves
    return (
        (isinstance(false, Not) and false.body is true)
        or (isinstance(true, Not) and true.body is false)
        or (isinstance(true, Truth) and isinstance(false, Truth) and true.value != false.value)
    )


def _swap(halves: Halves) -> Halves:
    return halves[1], halves[0]


def _defined(true: Formula, false: Formula) -> Formula:
    return TRUE if _total((true, false)) else _or(true, false)


def _not(body: Formula) -> Formula:
    if isinstance(body, Truth):
        return FALSE if body.value else TRUE
    return body.body if isinstance(body, Not) else Not(body)


def _and(left: Formula, right: Formula) -> Formula:
    if isinstance(left, Truth):
        return right if left.value else FALSE
    if isinstance(right, Truth):
        return left if right.value else FALSE
    return And(left, right)


def _or(left: Formula, right: Formula) -> Formula:
    if isinstance(left, Truth):
        return TRUE if left.value else right
    if isinstance(right, Truth):
        return TRUE if right.value else left
    return Or(left, right)


def _bound(formula: Quantified, quantifier: ast.Quantifier, restrictor: Formula, scope: Formula) -> Formula:
    if scope == TRUE and quantifier == "forall":
        return TRUE
    return replace(formula, quantifier=quantifier, count=None, restrictor=restrictor, scope=scope)
