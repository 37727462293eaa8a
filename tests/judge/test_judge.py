"""The one door to a decision: formulas and trees, and what it refuses."""

from __future__ import annotations

import pytest
from support import shipped

from gramprobe.decide.label import Decider
from gramprobe.formula.notation import parse
from gramprobe.judge.judge import Undecidable, decision, equivalent, readings_of
from gramprobe.resolve.theory.data import Theory
from gramprobe.source.diagnostic import Findings


def theory(name: str) -> Theory:
    found = shipped.declarations().theory(name, None, Findings())
    assert found is not None
    return found


def label(premise: str, hypothesis: str, name: str = "attitudes") -> str | None:
    return decision(parse(premise), parse(hypothesis), theory(name)).verdict.label


def test_formulas_are_decided_in_a_theory() -> None:
    assert label("B[jo] K[amy] rain", "B[jo] rain") == "entailment"
    assert label("B[jo] rain", "rain") == "neutral"


@pytest.mark.parametrize(
    ("premise", "hypothesis", "side"),
    [("q & [! p] true", "p", "premise"), ("([! p] true) & q", "p", "premise"), ("p", "[! p] true", "hypothesis"),
     ("[! p] true", "q | [! p] true", "hypothesis")],
)  # fmt: skip
def test_a_story_in_a_part_of_a_formula_is_refused(premise: str, hypothesis: str, side: str) -> None:
    with pytest.raises(Undecidable, match=f"in the {side} would be ignored") as refused:
        label(premise, hypothesis)
    assert refused.value.code == "E41"


def test_a_whole_story_and_an_update_that_something_stands_behind_are_decided() -> None:
    assert label("[! p] [! q] true", "p") == "entailment"
    assert label("p & q", "[! p] q") == "entailment"


def test_numbers_past_the_engines_are_refused() -> None:
    with pytest.raises(Undecidable) as refused:
        label("[! p] q", "B[jo] [! q] forall x. [! r(x)] p", "classical")
    assert refused.value.code in ("E07", "E41", "E43")


@pytest.mark.parametrize("decider", [Decider(), Decider().of_labels, Decider().of_tries])
def test_formulas_are_equivalent_if_they_are_true_and_false_in_the_same_models(decider: Decider) -> None:
    def same(one: str, other: str) -> bool:
        return equivalent(parse(one), parse(other), theory("attitudes"), decider=decider)

    assert same("p & q", "q & p")
    assert same("B[jo] p", "~~B[jo] (p & p)")
    assert same("q / p", "q / (p & q)")
    assert not same("p & q", "p")
    assert not same("p", "p & q")
    assert not same("q / p", "p & q")  # true in the same models
    assert not same("q / p", "q -> p")  # false in the same models
    assert not same("q / p", "p")  # true, and false, where the other is
    assert not same("p", "q / p")
    assert not same("[! p] true", "p")


def test_a_tree_stands_for_its_surface_reading() -> None:
    """The premise and the presupposed hypothesis of a shipped paradigm, with words in their slots' places.

    Of a possessed thing in the singular, which takes no scope: `Emma's cats` has a scope word.
    """
    name = "presupposition/possessed_definites_existence"
    paradigm, space, grammar = shipped.paradigm(name), shipped.space(name), shipped.grammar_of(name)
    trees = {}
    drawn = (space.draws(space.permutation(seed), 0, 1) for seed in range(20))
    one = next(d for d in drawn if "Possessive(sg," in str(shipped.source_of(name, paradigm.conditions["trigger"], d)))
    for condition in ("trigger", "presupposed"):
        term = shipped.source_of(name, paradigm.conditions[condition], one)
        trees[condition] = shipped.built(term, grammar, "S")
    known = shipped.declarations().theory(paradigm.theory, grammar, Findings())
    assert known is not None
    assert decision(trees["trigger"], trees["presupposed"], known, grammar).verdict.label == "entailment"
    assert [reading.id for reading in readings_of(trees["trigger"], known, grammar)] == [""]


def test_a_tree_has_no_meaning_without_a_grammar() -> None:
    name = "presupposition/only"
    tree = next(iter(shipped.paradigm(name).conditions.values())).tree
    with pytest.raises(ValueError, match="grammar"):
        decision(tree, parse("p"), theory("classical"))
