"""Laws of theory slices: what is left out changes no label (each case was once wrong)."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramprobe.decide.shape import Decider
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Operator, TheorySlice
from gramprobe.resolve.theory import Theory
from gramprobe.source.span import Span

CASES = [
    ("forall x. (cat(x) -> (animal(x) & furry(x)))", "cat(tom)", "animal(tom)", "entailment"),
    ("forall x. (cat(x) -> (~q(x) & furry(x)))", "cat(tom)", "q(tom)", "contradiction"),
    ("person(amy) & named(amy)", "q(amy)", "exists x. (person(x), q(x))", "entailment"),
    ("exists x. (cat(x) & furry(x))", "q(amy)", "exists x. cat(x)", "entailment"),
    ("atleast 2 x. (cat(x), furry(x))", "q(amy)", "exists x. cat(x)", "entailment"),
    ("poss true", "~poss q", "poss ~q", "entailment"),
    ("forall x. forall y. x = y", "q(amy)", "forall x. q(x)", "entailment"),
    ("atleast 2 x. animal(x)", "(forall x. x = amy) | q(amy)", "q(amy)", "entailment"),
    ("forall x. (cat(x) -> animal(x))", "cat(tom)", "dog(tom)", "neutral"),
]


@pytest.mark.parametrize(("postulate", "premise", "hypothesis", "label"), CASES)
def test_a_slice_labels_as_the_whole_theory_does(postulate: str, premise: str, hypothesis: str, label: str) -> None:
    operators = (Operator("poss", "diamond", frozenset()),)
    axiom = parse(postulate, operators=["poss"])
    pair = parse(premise, operators=["poss"]), parse(hypothesis, operators=["poss"])
    theory = Theory("t", operators, (), (axiom,), (), "middle", "material", Span(str(Path()), 1, 1))
    whole = Decider().decide(*pair, TheorySlice(operators, (axiom,)))
    part = Decider().decide(*pair, theory.slice(pair, {}))
    assert (part.verdict.label, whole.verdict.label) == (label, label)


def test_what_cannot_matter_is_left_out() -> None:
    axiom = parse("forall x. (cat(x) -> animal(x))")
    theory = Theory("t", (), (), (axiom,), (), "middle", "material", Span("t", 1, 1))
    assert theory.slice((parse("cat(tom)"), parse("dog(tom)")), {}).postulates == ()
    assert theory.slice((parse("cat(tom)"), parse("animal(tom)")), {}).postulates == (axiom,)
