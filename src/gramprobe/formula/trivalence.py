"""Three values in two classical formulas: when a formula is true, when it is false (undefined otherwise).

`middle`: Peters 1979, Krahmer 1998, George 2008: left to right, the right side counts only where the left has
not settled the value. `strong`: Kleene 1952, any witness settles. `weak`: Bochvar 1938, a gap anywhere is a
gap. A modal is defined iff its body is at every accessible world; a quantifier iff its restrictor is for all
and its scope for every individual that satisfies the restrictor (universal projection, Heim 1983). `the`
needs exactly one.

The same tables stand a second time in `certify.classical`, on purpose: the search for models takes this road, proofs
and their checks take that one, so that a mistake in one table does not enter the other, and the laws of
`tests/laws/test_laws_of_engines.py` hold the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import FALSE, TRUE, And, Formula, Modal, Not, Or, Presupposing, Quantified, Truth
from gramprobe.formula.theory import Operator, Projection

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
                return self.conjunction(self.halves(left), self.halves(right))
            case Or(left, right):
                return _swap(self.conjunction(_swap(self.halves(left)), _swap(self.halves(right))))
            case ast.Implies(left, right):
                return _swap(self.conjunction(self.halves(left), _swap(self.halves(right))))
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

    def conjunction(self, left: Halves, right: Halves) -> Halves:
        (at, af), (bt, bf) = left, right
        true = _and(at, bt)
        if _total(left) and _total(right):
            return true, _not(true)
        if self.projection == "strong":
            return true, _or(af, bf)
        if self.projection == "middle":
            return true, _or(af, _and(at, bf))
        return true, _or(_and(af, _defined(bt, bf)), _and(at, bf))

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
        elif self.projection == "strong":
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
        if self.projection == "strong":
            return self.witnessed(formula, restrictor, scope)
        valued = _and(every(_defined(rt, rf)), every(_defined(st, sf), rt))
        plain = replace(formula, restrictor=rt, scope=st)
        return _and(valued, plain), _and(valued, _not(plain))

    def witnessed(self, formula: Quantified, restrictor: Halves, scope: Halves) -> Halves:
        """Strong Kleene: true (false) if it is however the gaps are filled."""
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
