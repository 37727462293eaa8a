"""`exh` of some and all is its definition (Fox 2007), computed again over all the kinds of things that there may be.

A sentence about f and g, with one variable and no counting, looks at nothing but which kinds there are: f or not, g or
not. The largest sets of alternatives that can be denied together with it are the largest that some domain denies.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product
from typing import TypeAlias

from fragments import determiner_formulas
from hypothesis import given, settings
from msgspec.structs import replace
from strategies import examples

from gramprobe.decide.reduce import reduce
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import TheorySlice

Kind: TypeAlias = tuple[bool, ...]
Domain: TypeAlias = tuple[Kind, ...]

KINDS: tuple[Kind, ...] = tuple(product((False, True), repeat=2))
DOMAINS: tuple[Domain, ...] = tuple(chain.from_iterable(combinations(KINDS, size) for size in range(1, 5)))
SCALES = TheorySlice(scales=(("some", "all"), ("or", "and")))


def true(formula: Formula, domain: Domain, thing: Kind = ()) -> bool:
    """Truth in a domain; every variable is `x`, and `thing` is what it stands for."""
    match formula:
        case ast.Truth(value):
            return value
        case ast.Atom(name, _):
            return thing["fg".index(name)]
        case ast.Not(body):
            return not true(body, domain, thing)
        case ast.And(left, right):
            return true(left, domain, thing) and true(right, domain, thing)
        case ast.Or(left, right):
            return true(left, domain, thing) or true(right, domain, thing)
        case ast.Quantified(quantifier="exists", restrictor=restrictor, scope=scope):
            return any(true(restrictor, domain, each) and true(scope, domain, each) for each in domain)
        case ast.Quantified(quantifier="forall", restrictor=restrictor, scope=scope):
            return all(true(scope, domain, each) for each in domain if true(restrictor, domain, each))
    raise AssertionError(formula)


def mates(formula: Formula) -> Iterator[Formula]:
    """Every way to put scale-mates at the places of scale words."""
    match formula:
        case ast.Not(body):
            yield from map(ast.Not, mates(body))
        case ast.And(left, right):
            for one, other in product(list(mates(left)), list(mates(right))):
                yield ast.Or(one, other)
                yield ast.And(one, other)
        case ast.Quantified():
            yield replace(formula, quantifier="exists")
            yield replace(formula, quantifier="forall")


def strengthened(formula: Formula) -> set[Domain]:
    """The domains in which the formula is true and no innocently excludable alternative is."""
    others = list(mates(formula))
    denied = {
        domain: frozenset(at for at, other in enumerate(others) if not true(other, domain))
        for domain in DOMAINS
        if true(formula, domain)
    }
    largest = [one for one in denied.values() if not any(one < other for other in denied.values())]
    excluded = frozenset.intersection(*largest) if largest else frozenset()
    return {domain for domain, each in denied.items() if excluded <= each}


@settings(max_examples=examples(40), deadline=None)
@given(determiner_formulas())
def test_exh_of_determiners_is_its_definition(formula: Formula) -> None:
    read, _, _ = reduce(ast.Exhaustified(formula), ast.TRUE, SCALES)
    found = {domain for domain in DOMAINS if true(read, domain)}
    meant = {domain for domain in DOMAINS if true(formula, domain)}
    assert found == strengthened(formula)
    assert found <= meant
    assert bool(found) == bool(meant)


def test_some_is_not_all() -> None:
    """The definition by itself finds what it was made for."""
    some, every = parse("exists x. (f(x), g(x))"), parse("forall x. (f(x), g(x))")
    assert strengthened(some) == {d for d in DOMAINS if true(some, d) and not true(every, d)}
    assert strengthened(ast.Not(every)) == strengthened(some)
