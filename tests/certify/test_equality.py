"""The clauses about equations are those of the definition, however often they are asked for while terms are added."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from gramprobe.certify.reject import Budget, Unfollowed
from gramprobe.certify.terms import Term, Terms


def by_definition(terms: Terms) -> set[frozenset[int]]:
    """Equations that may be true are transitive, and equal terms have the same atoms."""
    equal, wanted = terms.may_equal, set()
    for middle, those in equal.items():
        for one, other in permutations(those, 2):
            third = [equal[one][other]] if other in equal[one] else []
            assert third or (terms.distinct and terms.terms[one].name and terms.terms[other].name), middle
            wanted.add(frozenset((-those[one], -those[other], *third)))
    for ((name, *some), left), ((other_name, *others), right) in permutations(terms.atoms.items(), 2):
        if name == other_name and len(some) == len(others) and some[0] == others[0]:  # the same world
            differ = [(one, other) for one, other in zip(some[1:], others[1:], strict=True) if one != other]
            if all(other in equal.get(one, {}) for one, other in differ):
                wanted.add(frozenset((-left, right, *[-equal[one][other] for one, other in differ])))
    return wanted


@pytest.mark.parametrize("distinct", [True, False])
@pytest.mark.parametrize("seed", range(30))
def test_the_clauses_are_those_of_the_definition(seed: int, distinct: bool) -> None:
    draw, terms = random.Random(seed), Terms(distinct, Budget())
    for _ in range(draw.randint(1, 4)):  # a grounding asks again when it has added terms, atoms and equations
        for _ in range(draw.randint(1, 3)):
            terms.term(Term("individual", 0, draw.choice([None, None, "a"])))
        numbers = range(len(terms.terms))
        for _ in range(draw.randint(0, 8)):
            arity = draw.randint(1, 3)
            terms.atom(f"p{arity}", draw.randint(0, 1), [draw.choice(numbers) for _ in range(arity)])
        for _ in range(draw.randint(0, 3)):
            terms.equal(draw.choice(numbers), draw.choice(numbers), positive=draw.random() < 0.8)
        terms.congruence()
    assert {frozenset(clause) for clause in terms.clauses} == by_definition(terms)
    assert len(terms.clauses) == len({frozenset(clause) for clause in terms.clauses})


def test_equality_is_paid_for_before_it_is_written_down() -> None:
    terms = Terms(True, Budget(20_000))
    for one in range(60):
        terms.term(Term("individual", 1))
        for other in range(one):
            terms.equal(one, other, positive=True)
    with pytest.raises(Unfollowed):
        terms.congruence()
    assert len(terms.clauses) < 20_000
