"""Readings by scope are what brute force over models gives: sets and relations in Python, no formula, no engine.

Each reading of a sentence of the shipped grammar is evaluated by the kernel in a random model, and beside it computed
from the determiners as relations between sets (Barwise & Cooper 1981), in both orders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import examples
from support import shipped
from support.chart_parser import Term

from gramprobe.certify.evaluator import value
from gramprobe.certify.model import Model
from gramprobe.decide.label import Decider
from gramprobe.formula.ast import Formula
from gramprobe.formula.demands import MOST, met
from gramprobe.formula.encoding import to_json
from gramprobe.formula.theory import TheorySlice
from gramprobe.meaning.compose import readings
from gramprobe.meaning.reading import Reading

PARADIGM = "scope/choice_universal_indefinite"
INDIVIDUALS, OCCASIONS = 4, 3
Things = frozenset[int]


def term(text: str) -> Term:
    """`Assert(Did(...))` as an abstract tree."""
    name, _, rest = text.partition("(")
    parts, depth, start = [], 0, 0
    for at, character in enumerate(rest):
        if character in ",)" and depth == 0 and rest[start:at].strip():
            parts.append(term(rest[start:at].strip()))
            start = at + 1
        depth += (character == "(") - (character == ")")
    return Term(name, tuple(parts))


def read(text: str) -> dict[str, Reading]:
    grammar = shipped.grammar("scope", "english.scope")
    found = readings(shipped.built(term(text), grammar, "S"), {}, grammar)
    return {r.id: replace(r, formula=met(r.formula, MOST)) for r in found}


# ---- brute force -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """Students, books, who read what, and who read what when. Ann is individual 0."""

    student: Things
    book: Things
    read: frozenset[tuple[int, int]]
    when: frozenset[tuple[int, int, int]]

    def model(self) -> Model:
        later = frozenset((x, y, INDIVIDUALS + t) for x, y, t in self.when)
        sets = {"student": frozenset((x,) for x in self.student), "novel": frozenset((x,) for x in self.book)}
        return Model(
            worlds=1,
            individuals=INDIVIDUALS,
            actual=0,
            constants={"amy": 0},
            predicates={k: (v,) for k, v in sets.items()} | {"read": (self.read | later,)},
            occasions=OCCASIONS,
        )


pairs = st.frozensets(st.tuples(*[st.integers(0, INDIVIDUALS - 1)] * 2))
triples = st.frozensets(st.tuples(*[st.integers(0, INDIVIDUALS - 1)] * 2, st.integers(0, OCCASIONS - 1)))
things = st.frozensets(st.integers(0, INDIVIDUALS - 1))
worlds = st.builds(World, things, things, pairs, triples)

Determiner = Callable[[Things, Things], bool]
#: noun phrase with its noun left open -> scope name, what it presupposes of its noun, and its relation of two sets
PHRASES: dict[str, tuple[str, int, Determiner]] = {
    "Universal(every, {})": ("every", 2, lambda n, p: n <= p),
    "Universal(each, {})": ("each", 2, lambda n, p: n <= p),
    "Universal(all, {})": ("all", 2, lambda n, p: n <= p),
    "Most({})": ("most", 2, lambda n, p: 2 * len(n & p) > len(n)),
    "Negative(no, {})": ("no", 2, lambda n, p: not n & p),
    "Indefinite(a, {})": ("a", 0, lambda n, p: bool(n & p)),
    "Indefinite(one, {})": ("one", 0, lambda n, p: bool(n & p)),
    "Number(two, {})": ("two", 0, lambda n, p: len(n & p) >= 2),
    "Number(three, {})": ("three", 0, lambda n, p: len(n & p) >= 3),
    "AFew(a_few, {})": ("a few", 0, lambda n, p: len(n & p) >= 3),
    "AFew(some, {})": ("some", 0, lambda n, p: len(n & p) >= 2),
    "Counting(exactly, two, {})": ("exactly", 0, lambda n, p: len(n & p) == 2),
    "Counting(at_least, two, {})": ("at least", 0, lambda n, p: len(n & p) >= 2),
    "Counting(more_than, two, {})": ("more than", 0, lambda n, p: len(n & p) > 2),
    "Negative(none, {})": ("none", 2, lambda n, p: not n & p),
}
phrases = st.sampled_from(sorted(PHRASES))


def quantified(phrase: str, noun: Things, scope: Callable[[int], bool]) -> bool:
    _, _, determiner = PHRASES[phrase]
    return determiner(noun, frozenset(x for x in range(INDIVIDUALS) if scope(x)))


def true_in(formula: Formula, world: World) -> bool:
    return value(to_json(formula), world.model(), "middle", {}) == "T"


def presupposed(world: World, subject: str, object_: str) -> bool:
    return len(world.student) >= PHRASES[subject][1] and len(world.book) >= PHRASES[object_][1]


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(phrases, phrases, worlds)
def test_two_quantifiers_have_their_two_orders(subject: str, object_: str, world: World) -> None:
    found = read(f"Assert(Did({subject.format('student')}, read, {object_.format('novel')}))")
    one, other = PHRASES[subject][0], PHRASES[object_][0]
    surface = quantified(
        subject, world.student, lambda x: quantified(object_, world.book, lambda y: (x, y) in world.read)
    )
    inverse = quantified(
        object_, world.book, lambda y: quantified(subject, world.student, lambda x: (x, y) in world.read)
    )
    if not presupposed(world, subject, object_):
        return
    assert true_in(found[f"{one} > {other}"].formula, world) == surface
    assert true_in(found[f"{other} > {one}" if one != other else f"{one} > {one}'"].formula, world) == inverse
    assert len(found) == 2


@settings(max_examples=examples(80), deadline=None)
@given(phrases, worlds)
def test_negation_stands_above_or_below(object_: str, world: World) -> None:
    found = read(f"Neg(Did(Name(amy), read, {object_.format('novel')}))")
    name = PHRASES[object_][0]
    if len(world.book) < PHRASES[object_][1]:
        return
    below = quantified(object_, world.book, lambda y: (0, y) not in world.read)
    above = not quantified(object_, world.book, lambda y: (0, y) in world.read)
    assert {r: true_in(x.formula, world) for r, x in found.items()} == {f"not > {name}": above, f"{name} > not": below}


ADVERBS: dict[str, Callable[[Things], bool]] = {
    "usually": lambda times: 2 * len(times) > OCCASIONS,
    "always": lambda times: len(times) == OCCASIONS,
    "sometimes": lambda times: len(times) >= 2,
    "never": lambda times: not times,
}


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(sorted(ADVERBS)), worlds)
def test_an_adverb_over_two_has_them_together(adverb: str, world: World) -> None:
    """`two > usually`: two books such that on most occasions Amy reads both; never: neither on any."""
    found = read(f"Often({adverb}, Does(Name(amy), read, Number(two, novel)))")

    def times(books: tuple[int, ...], together: bool = True) -> Things:
        quantifier = all if together else any
        return frozenset(t for t in range(OCCASIONS) if quantifier((0, y, t) in world.when for y in books))

    two = list(combinations(sorted(world.book), 2))
    inverse = any(ADVERBS[adverb](times(pair, together=adverb != "never")) for pair in two)
    surface = ADVERBS[adverb](
        frozenset(t for t in range(OCCASIONS) if sum((0, y, t) in world.when for y in world.book) >= 2)
    )
    assert true_in(found[f"{adverb} > two"].formula, world) == surface
    assert true_in(found[f"two > {adverb}"].formula, world) == inverse


# ---- islands, equivalence -------------------------------------------------------------------------------


@pytest.mark.parametrize("subject", [p.format("student") for p in sorted(PHRASES)])
def test_nothing_leaves_a_relative_clause(subject: str) -> None:
    for sentence in (
        f"There(was, Such(novel, ThatGap({subject}, read)))",
        f"Assert(Did(Such(student, ThatGap({subject}, read)), read, TheKnown(novel)))",
    ):
        found = read(sentence)
        assert len(found) == 1
        assert next(iter(found)).startswith("a > ")


def entails(one: Reading, other: Reading) -> bool:
    return Decider().decision(one.formula, other.formula, TheorySlice()).verdict.label == "entailment"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sentence", "surface_entails", "inverse_entails"),
    [
        ("Assert(Did(Universal(every, student), read, Indefinite(a, novel)))", False, True),
        ("Assert(Did(Indefinite(a, student), read, Universal(every, novel)))", True, False),
        ("Assert(Did(Universal(each, student), read, Number(two, novel)))", False, True),
        ("Assert(Did(Number(two, student), read, Universal(each, novel)))", True, False),
        ("Assert(Did(Number(two, student), read, Indefinite(a, novel)))", False, True),
        ("Assert(Did(Indefinite(one, student), read, Number(two, novel)))", True, False),
        ("Assert(Did(Number(two, student), read, Number(three, novel)))", False, False),
        ("Assert(Did(Most(student), read, Indefinite(one, novel)))", False, True),
        ("Assert(Did(Indefinite(a, student), read, Most(novel)))", True, False),
        ("Neg(Did(Name(amy), read, Indefinite(a, novel)))", False, False),
        ("Neg(Did(Name(amy), read, Universal(every, novel)))", False, True),
        ("Neg(Did(Name(amy), read, Number(two, novel)))", False, False),
        ("Neg(Did(Universal(every, student), read, TheKnown(novel)))", True, False),
        ("Neg(Did(Indefinite(a, student), read, TheKnown(novel)))", False, False),
        ("Neg(Did(Number(two, student), read, TheKnown(novel)))", False, False),
        ("Assert(Did(Negative(no, student), read, Universal(every, novel)))", False, True),
        ("Assert(Did(Negative(no, student), read, Indefinite(a, novel)))", False, False),
        ("Assert(Did(Negative(no, student), read, Number(two, novel)))", False, False),
        # collapse: these are no items
        ("Assert(Did(Universal(every, student), read, Universal(all, novel)))", True, True),
        ("Assert(Did(Indefinite(a, student), read, Indefinite(one, novel)))", True, True),
    ],
)
def test_which_reading_is_the_weaker(sentence: str, surface_entails: bool, inverse_entails: bool) -> None:
    """The table of docs/theory/scope.md: the reading with an option to itself does not entail the other."""
    ids = sorted(read(sentence), key=lambda id_: id_.startswith("not") == ("Name" not in sentence))
    surface, inverse = (read(sentence)[id_] for id_ in ids)
    assert (entails(surface, inverse), entails(inverse, surface)) == (surface_entails, inverse_entails)
