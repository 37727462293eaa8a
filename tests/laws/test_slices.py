"""Laws of theory slices: what is left out changes no label (each case was once wrong)."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from support.shipped import declarations, grammar_of

from gramprobe.decide.label import Decider
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import MIDDLE, Operator, TheorySlice
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.slicing import needed, related_words, slice_for
from gramprobe.source.diagnostic import Findings, Span

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
    operators = (Operator(name="poss", kind="diamond", frame=frozenset()),)
    axiom = parse(postulate, operators=["poss"])
    pair = parse(premise, operators=["poss"]), parse(hypothesis, operators=["poss"])
    theory = Theory(
        name="t",
        operators=operators,
        lexical_operators=(),
        postulates=(axiom,),
        schemas=(),
        projection=MIDDLE,
        conditional="material",
        span=Span(str(Path()), 1, 1),
    )
    whole = Decider().decision(*pair, TheorySlice(operators=operators, postulates=(axiom,)))
    part = Decider().decision(*pair, slice_for(pair, theory, {}))
    assert (part.verdict.label, whole.verdict.label) == (label, label)


def test_what_cannot_matter_is_left_out() -> None:
    axiom = parse("forall x. (cat(x) -> animal(x))")
    theory = Theory(
        name="t",
        operators=(),
        lexical_operators=(),
        postulates=(axiom,),
        schemas=(),
        projection=MIDDLE,
        conditional="material",
        span=Span("t", 1, 1),
    )
    assert slice_for((parse("cat(tom)"), parse("dog(tom)")), theory, {}).postulates == ()
    assert slice_for((parse("cat(tom)"), parse("animal(tom)")), theory, {}).postulates == (axiom,)


def theory(name: str) -> Theory:
    found = declarations().theory(name, None, Findings())
    assert found is not None
    return found


SPOKEN = {
    "B": ["B[a] p", "B[a] B[a] p", "~B[a] ~p", "B[a] (B[b] p & ~p)"],
    "K": ["K[a] p", "~K[a] ~K[a] p", "K[a] K[b] p"],
    "see": ["see[a] p", "see[a] ~see[b] p"],
}


@pytest.mark.parametrize("name", ["attitudes", "attitudes-s5"])
@pytest.mark.parametrize(("one", "other"), [("B", "B"), ("K", "K"), ("see", "see"), ("see", "B"), ("K", "see")])
def test_an_operator_that_no_model_lacks_is_left_out(name: str, one: str, other: str) -> None:
    declared = theory(name).operators
    for left, right in product(SPOKEN[one], SPOKEN[other]):
        pair = parse(left), parse(right)
        part = needed(declared, frozenset({one, other}))
        whole = Decider().decision(*pair, TheorySlice(operators=declared)).verdict.label
        assert Decider().decision(*pair, TheorySlice(operators=part)).verdict.label == whole


def names(name: str, *spoken: str) -> tuple[str, ...]:
    return tuple(operator.name for operator in needed(theory(name).operators, frozenset(spoken)))


def test_which_operators_stay() -> None:
    assert names("attitudes", "B") == ("B",)
    assert names("attitudes", "K") == ("K", "B")  # that belief is possible makes knowledge S4.2
    assert names("attitudes", "suspect") == ("suspect",)
    assert names("attitudes", "see", "B") == ("K", "see", "B")
    assert names("attitudes", "K", "B", "earlier") == ("K", "B", "earlier")
    # S5 knowledge is no identity and belief: it stays
    assert names("attitudes-s5", "B") == ("K", "B")


def test_existential_import_goes_by_the_restrictors_in_view() -> None:
    pair = parse("forall x. (N(x), V(x))"), parse("exists x. (N(x) & ~V(x))")
    assert slice_for(pair, theory("classical-import"), {}).postulates == (parse("exists x. N(x)"),)
    assert slice_for(pair, theory("classical"), {}).postulates == ()
    open_ = parse("forall x. (N(x), exists y. (r(x, y), V(y)))"), parse("the x. (M(x), V(x))")
    assert slice_for(open_, theory("classical-import"), {}).postulates == (parse("exists x. N(x)"),)


def test_rows_with_other_names_and_nouns_share_a_slice() -> None:
    """Only what is in a slice matters: axioms and operators, those of words too."""
    grammar = grammar_of("theory_of_mind/inference_hypernym")
    attitudes = declarations().theory("attitudes", grammar, Findings())
    assert attitudes is not None
    lexemes = grammar.symbols()
    related, operating = related_words(attitudes, lexemes), {n for n, x in lexemes.items() if attitudes.has_operator(x)}
    people, verbs = ([x.id for x in grammar.categories[c].lexemes] for c in ("PN", "VS"))
    nouns = [name for name in sorted(lexemes) if name not in related | operating and name not in people][:2]

    def part(person: str, noun: str, operator: str) -> TheorySlice:
        formula = parse(f"exists x. ({noun}(x), {operator}[{person}] q(x))", operators=[operator])
        return slice_for((formula,), attitudes, lexemes)

    one = part(people[0], nouns[0], "K")
    assert one is part(people[1], nouns[1], "K")
    assert one != part(people[0], nouns[0], "B")
    verb, other = [name for name in verbs if name in operating - attitudes.named_outright][:2]
    of_verb = part(people[0], nouns[0], verb)
    assert of_verb is part(people[1], nouns[1], verb)
    assert [each.name for each in of_verb.operators][-1] == verb
    assert [each.name for each in part(people[0], nouns[0], other).operators][-1] == other
    above = next(str(lexemes[name].columns["isa"]) for name in sorted(related) if lexemes[name].columns.get("isa"))
    below = next(name for name in sorted(related) if lexemes[name].columns.get("isa") == above)
    both = slice_for((parse(f"{below}(jo) & {above}(jo)"),), attitudes, lexemes)
    assert both.postulates == (parse(f"forall x. ({below}(x) -> {above}(x))"),)
    assert slice_for((parse(f"{below}(jo)"),), attitudes, lexemes).postulates == ()
