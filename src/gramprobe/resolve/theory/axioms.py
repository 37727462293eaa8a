"""Which axioms of a theory matter to a pair, and the existential import that the pair's formulas add to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import free_variables
from gramprobe.formula.measure import symbols


@lru_cache(maxsize=16_384)
def names_in(formula: Formula) -> tuple[str, ...]:
    """The names of all symbols of a formula: predicates, constants, operators."""
    used = symbols(formula)
    return (*(p for p, _ in used.predicates), *used.constants, *(o for o, *_ in used.operators))


def without_pure(axioms: list[Formula], named: frozenset[str]) -> list[Formula]:
    """Leave out axioms that cannot matter (pure literals; Davis & Putnam 1960).

    A predicate that is not in ``named`` and that the axioms only affirm may be true of everything, and a predicate that
    they only deny may be false of everything; an axiom that is then true by its form excludes no model. Leaving it out
    may make more predicates pure, hence the loop. Example: `forall x. (poodle(x) -> dog(x))` is left out where `dog` is
    neither named nor denied by another axiom.
    """
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
    """The value that a formula has by its form if each pure predicate has its value of everything; None: open."""
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
    """The value of a disjunction (``by`` true) or a conjunction (``by`` false) from the values of its sides.

    If either side has the value ``by``, so has the whole; else the value follows from both sides, or is open (None).
    """
    if by in (left, right):
        return by
    return None if None in (left, right) else not by


def polarities(formula: Formula, sign: bool) -> Iterator[tuple[str, bool]]:
    """The predicates of a formula with the signs of their occurrences; with both where neither sign is sure."""
    if isinstance(formula, ast.Atom):
        yield formula.predicate, sign
        return
    signs = ast.signature(formula, "polarities").signs
    if signs is None:
        raise ast.NoRule("polarities", type(formula))
    for part, own in zip(ast.children(formula), signs(formula), strict=True):
        if own:
            yield from polarities(part, sign == (own > 0))
        else:
            for predicate, _ in symbols(part).predicates:
                yield predicate, True
                yield predicate, False


def nonempty(formulas: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Existential import: `exists x. R` for every restrictor R of a quantifier whose only free variable is bound by it.

    The restrictor is R in `Q x. (R, S)`, `forall x. (R -> S)` and `exists x. (R & S)`; `the` presupposes existence
    anyway. Restrictors that may be undefined, or contain `exh` or an update, are left out.
    """
    imports: dict[Formula, None] = {}
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
                imports[
                    ast.Quantified(
                        quantifier="exists",
                        variable=node.variable,
                        restrictor=ast.TRUE,
                        scope=restrictor,
                        sort=node.sort,
                    )
                ] = None
    return tuple(imports)


def _plain(formula: Formula) -> bool:
    """Whether a formula always has one of two truth values: it contains no presupposition, `exh` or update."""
    return not any(
        ast.signature(part, "nonempty").stage != "shape" or ast.may_be_undefined(part) for part in ast.walk(formula)
    )
