"""`exh` against its definition (Fox 2007), computed from truth tables with nothing of the package but the trees."""

from __future__ import annotations

from itertools import chain, combinations, product
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from strategies import examples

from gramprobe.decide.exhaustify import strengthened
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.theory import EXHAUSTIFY, Exhaustify, TheorySlice

ATOMS = ("p", "q", "r")
Valuation: TypeAlias = frozenset[str]
VALUATIONS = [frozenset(each) for size in range(4) for each in combinations(ATOMS, size)]
SCALES: dict[str, tuple[str, ...]] = {"horn": ("or", "and"), "sauerland": ("left", "right", "or", "and")}


def holds(formula: Formula, valuation: Valuation) -> bool:
    match formula:
        case ast.Atom(predicate):
            return predicate in valuation
        case ast.Not(body):
            return not holds(body, valuation)
        case ast.And(left, right):
            return holds(left, valuation) and holds(right, valuation)
        case ast.Or(left, right):
            return holds(left, valuation) or holds(right, valuation)
        case _:
            raise AssertionError(formula)


def variants(formula: Formula, words: tuple[str, ...]) -> list[frozenset[Valuation]]:
    """What the formula and its alternatives say, the formula itself first: sets of valuations."""
    every = frozenset(VALUATIONS)
    match formula:
        case ast.Atom(predicate):
            return [frozenset(v for v in VALUATIONS if predicate in v)]
        case ast.Not(body):
            return [every - each for each in variants(body, words)]
        case ast.And(left, right) | ast.Or(left, right):
            own = "and" if isinstance(formula, ast.And) else "or"
            found = []
            for one, other in product(variants(left, words), variants(right, words)):
                said = {"and": one & other, "or": one | other, "left": one, "right": other}
                found += [said[word] for word in (own, *words)]
            return found
        case ast.Exhaustified(body):
            inner = variants(body, words)
            return [exhaustive(each, inner) for each in inner]
        case _:
            raise AssertionError(formula)


def exhaustive(said: frozenset[Valuation], alternatives: list[frozenset[Valuation]]) -> frozenset[Valuation]:
    """Minus what stands in every largest set of alternatives that can be denied together."""
    distinct = [each for each in dict.fromkeys(alternatives) if each != said]
    every = chain.from_iterable(combinations(distinct, size) for size in range(len(distinct) + 1))
    able = [frozenset(some) for some in every if said.difference(*some)]
    largest = [some for some in able if not any(some < other for other in able)]
    excluded = frozenset.intersection(*largest) if largest else frozenset()
    return said.difference(*excluded)


def some_formula(chance: Random, depth: int) -> Formula:
    if depth == 0:
        return ast.Atom(chance.choice(ATOMS))
    kind = chance.choice(["and", "or", "or", "not", "exh"])
    first = some_formula(chance, depth - 1)
    if kind in ("not", "exh"):
        return ast.Not(first) if kind == "not" else ast.Exhaustified(first)
    second = some_formula(chance, chance.randrange(min(depth, 2)))
    return ast.And(first, second) if kind == "and" else ast.Or(first, second)


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
@settings(max_examples=examples(30), phases=[Phase.generate])  # a smaller seed is no smaller formula
@given(st.integers(0, 2**32))
def test_exh_is_what_its_definition_says(scale: str, seed: int) -> None:
    chance = Random(seed)
    formula = ast.Exhaustified(some_formula(chance, 3 if scale == "horn" else 2))
    plain = strengthened(formula, TheorySlice(scales=(SCALES[scale],)), lambda each: each)
    wanted = variants(formula, SCALES[scale])[0]
    assert frozenset(v for v in VALUATIONS if holds(plain, v)) == wanted


def plain_formula(chance: Random, depth: int) -> Formula:
    """A formula without `exh`."""
    if depth == 0:
        return ast.Atom(chance.choice(ATOMS))
    if chance.random() < 0.3:
        return ast.Not(plain_formula(chance, depth - 1))
    left, right = plain_formula(chance, depth - 1), plain_formula(chance, depth - 1)
    return ast.And(left, right) if chance.random() < 0.5 else ast.Or(left, right)


def strengthened_models(formula: Formula, theory: TheorySlice) -> frozenset[Valuation]:
    """Where a formula holds once it is strengthened."""
    plain = strengthened(formula, theory, lambda each: each)
    return frozenset(v for v in VALUATIONS if holds(plain, v))


def column(premise: frozenset[Valuation], hypothesis: frozenset[Valuation]) -> str:
    """The label of two bivalent statements."""
    if premise <= hypothesis:
        return "entailment"
    return "neutral" if premise & hypothesis else "contradiction"


@pytest.mark.parametrize("where", EXHAUSTIFY)
@settings(max_examples=examples(40), phases=[Phase.generate])
@given(st.integers(0, 2**32))
def test_exh_strengthens_and_stays_possible(where: Exhaustify, seed: int) -> None:
    theory = TheorySlice(scales=(SCALES["horn"],), exhaustify=where)
    formula = plain_formula(Random(seed), 2)
    literal, strong = strengthened_models(formula, theory), strengthened_models(ast.Exhaustified(formula), theory)
    assert strong <= literal
    assert bool(strong) == bool(literal)


@settings(max_examples=examples(40), phases=[Phase.generate])
@given(st.integers(0, 2**32))
def test_the_pragmatic_column_lies_between_the_others(seed: int) -> None:
    """What is entailed or contradicted stays so when the premise says more; a hypothesis that says more is
    entailed by less, and contradicted by more."""
    chance, theory = Random(seed), TheorySlice(scales=(SCALES["horn"],))
    sides = [plain_formula(chance, 2), plain_formula(chance, 2)]
    weak = [strengthened_models(f, theory) for f in sides]
    strong = [strengthened_models(ast.Exhaustified(f), theory) for f in sides]
    if not all(weak):
        return
    literal, imppres, pragmatic = column(*weak), column(*strong), column(strong[0], weak[1])
    if literal != "neutral":
        assert pragmatic == literal
    if imppres == "entailment":
        assert pragmatic == "entailment"
    if pragmatic == "contradiction":
        assert imppres == "contradiction"


@settings(max_examples=examples(40), phases=[Phase.generate])
@given(st.integers(0, 2**32))
def test_unnegated_words_below_a_negation_have_no_mates(seed: int) -> None:
    theory = TheorySlice(scales=(SCALES["horn"],), exhaustify="unnegated")
    formula = ast.Not(plain_formula(Random(seed), 2))
    assert strengthened(ast.Exhaustified(formula), theory, lambda each: each) == formula


def test_a_description_is_strengthened_as_it_stands() -> None:
    body = ast.Quantified(
        quantifier="the",
        variable="x",
        restrictor=ast.Atom("cat", (ast.Var("x"),)),
        scope=ast.Atom("big", (ast.Var("x"),)),
    )
    theory = TheorySlice(scales=(("big", "enormous"),))
    found = strengthened(ast.Exhaustified(body), theory, lambda each: each)
    other = ast.Quantified(
        quantifier="the",
        variable="x",
        restrictor=ast.Atom("cat", (ast.Var("x"),)),
        scope=ast.Atom("enormous", (ast.Var("x"),)),
    )
    assert found == ast.And(body, ast.Not(other))
