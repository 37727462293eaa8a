"""Which axioms of a theory matter to a pair, and what the pair itself adds to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import free_variables
from gramprobe.formula.measure import symbols


@lru_cache(maxsize=16_384)
def spoken(formula: Formula) -> tuple[str, ...]:
    """Every name of a formula: predicates, constants, operators."""
    found = symbols(formula)
    return (*(p for p, _ in found.predicates), *found.constants, *(o for o, *_ in found.operators))


def without_pure(axioms: list[Formula], named: frozenset[str]) -> list[Formula]:
    """Leave out axioms that cannot matter: a predicate that nobody speaks of and that all axioms only affirm (only
    deny) may be true (false) of everything, and what is then true by its form says nothing (pure literals; Davis &
    Putnam 1960)."""
    kept = list(axioms)
    while True:
        signs: dict[str, set[bool]] = {}
        for axiom in kept:
            for predicate, sign in polarities(axiom, True):
                signs.setdefault(predicate, set()).add(sign)
        pure = {p: next(iter(s)) for p, s in signs.items() if len(s) == 1 and p not in named}
        left = [a for a in kept if _folded(a, pure) is not True]
        if len(left) == len(kept):
            return left
        kept = left


def _folded(formula: Formula, pure: Mapping[str, bool]) -> bool | None:
    """The value that a formula has by its form when the pure predicates are everywhere as given; None: open."""
    match formula:
        case ast.Truth(value):
            return value
        case ast.Atom(predicate, _):
            return pure.get(predicate)
        case ast.Not(body):
            inner = _folded(body, pure)
            return None if inner is None else not inner
        case ast.And(left, right):
            return _settled(False, _folded(left, pure), _folded(right, pure))
        case ast.Or(left, right):
            return _settled(True, _folded(left, pure), _folded(right, pure))
        case ast.Implies(left, right):
            before = _folded(left, pure)
            return _settled(True, None if before is None else not before, _folded(right, pure))
        case ast.Quantified(quantifier="forall", restrictor=restrictor, scope=scope):
            true = _folded(scope, pure) is True or _folded(restrictor, pure) is False
            return True if true else None
        case _:
            return None


def _settled(by: bool, left: bool | None, right: bool | None) -> bool | None:
    """A disjunction is settled by truth, a conjunction by falsity, of either side; else by both."""
    if by in (left, right):
        return by
    return None if None in (left, right) else not by


def polarities(formula: Formula, sign: bool) -> Iterator[tuple[str, bool]]:
    """The predicates of a formula with the signs of their occurrences; both where that is not plain."""
    match formula:
        case ast.Atom(predicate, _):
            yield predicate, sign
        case ast.Not(body):
            yield from polarities(body, not sign)
        case ast.And(left, right) | ast.Or(left, right):
            yield from polarities(left, sign)
            yield from polarities(right, sign)
        case ast.Implies(left, right):
            yield from polarities(left, not sign)
            yield from polarities(right, sign)
        case ast.Quantified(quantifier="forall", restrictor=restrictor, scope=scope):
            yield from polarities(restrictor, not sign)
            yield from polarities(scope, sign)
        case ast.Quantified(quantifier="exists" | "atleast", restrictor=restrictor, scope=scope):
            yield from polarities(restrictor, sign)
            yield from polarities(scope, sign)
        case _:
            for predicate, _ in symbols(formula).predicates:
                yield predicate, True
                yield predicate, False


def nonempty(formulas: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Existential import: for every restrictor of a quantifier, closed by its variable alone, that something fits.

    The restrictor is R in `Q x. (R, S)`, `forall x. (R -> S)` and `exists x. (R & S)`; that of `the` presupposes as
    much by itself. One that may be undefined, or holds `exh` or an update, is passed over.
    """
    found: dict[Formula, None] = {}
    for formula in formulas:
        for node in ast.walk(formula):
            if not isinstance(node, ast.Quantified) or node.quantifier == "the":
                continue
            restrictor = node.restrictor
            match node.quantifier, node.scope:
                case ("forall", ast.Implies(left, _)) | ("exists", ast.And(left, _)) if restrictor == ast.TRUE:
                    restrictor = left
                case _:
                    pass
            if restrictor != ast.TRUE and free_variables(restrictor) == (node.variable,) and _plain(restrictor):
                found[
                    ast.Quantified(
                        quantifier="exists",
                        variable=node.variable,
                        restrictor=ast.TRUE,
                        scope=restrictor,
                        sort=node.sort,
                    )
                ] = None
    return tuple(found)


_PARTIAL = (ast.Presupposing, ast.Exhaustified, ast.Announced, ast.EventUpdate, ast.Lambda)


def _plain(formula: Formula) -> bool:
    return not any(
        isinstance(part, _PARTIAL) or (isinstance(part, ast.Quantified) and part.quantifier == "the")
        for part in ast.walk(formula)
    )
