"""Proofs in numbered sentences, each step of which follows; and models as stories that tell them apart."""

from __future__ import annotations

import re

import pytest
from support import shipped
from support.shipped import reader

from gramprobe.catalog.terms import tree_of
from gramprobe.cli.main import main
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Decision
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import parse, show
from gramprobe.formula.theory import TheorySlice
from gramprobe.interpret.pairs import labelled
from gramprobe.telling.proof import MOST_STEPS, Step, is_proved, proof
from gramprobe.telling.teller import Teller


def follows(given: list[Formula], formula: Formula) -> Decision | None:
    whole = given[0]
    for each in given[1:]:
        whole = ast.And(whole, each)
    found = Decider(dependence=True).decision(whole, formula, TheorySlice())
    return found if is_proved(found) else None


def steps_of(premise: str, goal: str) -> list[Step]:
    return proof(parse(premise), parse(goal), follows, lambda found: ())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("premise", "goal", "steps"),
    [
        ("(p -> q) & p", "q", ["(p -> q) & p", "p -> q", "p", "q"]),
        ("p / q", "p", ["p / q", "p"]),
        ("~(p / q)", "p", ["~(p / q)", "p"]),
        ("~(p | q)", "~q", ["~(p | q)", "~q"]),
        ("(p & q) | (q & r)", "q", ["p & q | q & r", "p & q", "q", "q & r", "q", "q"]),
        ("~the x. (cat(x), yawn(x))", "exists x. (cat(x), true)", None),
    ],
)
def test_proofs(premise: str, goal: str, steps: list[str] | None) -> None:
    found = steps_of(premise, goal)
    if steps is not None:
        assert [each.formula for each in found] == [parse(step) for step in steps]
    for number, step in enumerate(found):
        assert all(source < number for source in step.sources)
        if step.rule not in ("premise", "case"):
            assert follows([found[n].formula for n in step.sources] or [step.formula], step.formula)
    assert show(found[-1].formula) == show(parse(goal)) and len(found) <= MOST_STEPS


def test_what_does_not_follow_has_no_proof() -> None:
    assert steps_of("p | q", "p") == []
    assert steps_of("p", "q") == []


def told(premise: str, hypothesis: str) -> tuple[list[str], dict[str, list[str]]]:
    (found, *_) = labelled([premise], hypothesis, reader()).by_reading
    terms = [each.term for each in (*found.premises, found.hypothesis) if "?" not in each.term]
    trees = [tree_of(term, reader().grammar) for term in terms]
    teller = Teller(trees, reader().grammar, reader().theory, reader().symbols)
    pair = found.premises[0].reading.formula, found.hypothesis.reading.formula
    return teller.proof(*pair, found.decision, premise), teller.stories(*pair, found.decision)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "lines"),
    [
        ("Adam's cat didn't yawn.", "Adam has a cat.", ["2. Adam has a cat. (1 presupposes it)"]),
        ("Adam knows that Alicia sang.", "Alicia sang.", ["2. Alicia sang. (1 presupposes it)"]),
        ("Adam didn't sing.", "Adam sang.", []),
        ("Adam yawned and Alicia sang.", "Alicia sang.", ["2. Alicia sang. (by 1)"]),
    ],
)
def test_a_label_is_proved_in_sentences(premise: str, hypothesis: str, lines: list[str]) -> None:
    (head, first, *others), stories = told(premise, hypothesis)
    assert head.startswith("why the hypothesis") and not stories
    assert first.startswith(f"1. {premise} (the premise")
    assert others == lines


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("~(p & q)", "it is not so both that `p` and that `q`"),
        ("K[adam] B[amy] yawn(adam)", "Adam knows that Amy believes that *yawn* is true of Adam"),
        ("forall x. (nurse(x) -> person(x))", "every nurse is a person"),
        ("forall x. (cat(x) -> elephant(x))", "every cat is an elephant"),
    ],
)
def test_what_no_tree_says_is_put_together(formula: str, said: str) -> None:
    teller = Teller([], reader().grammar, reader().theory, reader().symbols)
    assert teller.say(parse(formula, operators=("K", "B"))) == said


def test_models_are_told_as_stories() -> None:
    proved, stories = told("Adam's cat might have yawned.", "Adam's cat yawned.")
    assert not proved and {*stories} == {"T", "F"}
    assert stories["T"][0].startswith("Suppose: ") and "Adam's cat yawned" in stories["T"][0]
    assert "Adam's cat didn't yawn" in stories["F"][0]
    assert stories["F"][-1] == "Then the premise is true, and the hypothesis is false."


@pytest.mark.parametrize(
    ("premise", "hypothesis", "story"),
    [
        (
            "Some nurse sang.",
            "Every nurse sang.",
            "Adam was a nurse. Emma was a nurse. Adam sang. Emma did not sing.",
        ),
        pytest.param(
            "Some woman sang.",
            "Every woman sang.",
            "Anna was a woman. Emma was a woman. Anna sang. Emma did not sing.",
            marks=pytest.mark.deep,
        ),
        ("Most nurses sang.", "Every nurse sang.", "There were exactly three nurses. Exactly two nurses sang."),
        ("Some dog slept.", "Every dog slept.", "There were exactly two dogs. Exactly one dog slept."),
        ("Every farmer owns a donkey.", "Some farmer owns a donkey.", "There is no farmer."),
        ("Emma praised herself.", "Emma praised Noah.", "Emma did not praise Noah. Emma praised herself."),
        ("Emma or Noah sang.", "Noah sang.", "Emma sang. Noah didn't sing."),
        ("Someone sang.", "Everyone sang.", "Adam sang. Emma did not sing."),
        pytest.param(
            "Some mother sang.",
            "Every mother sang.",
            "Anna was a mother. Emma was a mother. Anna sang. Emma did not sing.",
            marks=pytest.mark.deep,
        ),
        (
            "Some nurse owns a dog.",
            "Every nurse owns a dog.",
            "There are exactly two nurses. Exactly one nurse owns a dog.",
        ),
        (
            "Emma praised a doctor.",
            "Emma praised every doctor.",
            "Adam is a doctor. Emma praised a doctor. Emma didn't praise Adam.",
        ),
    ],
)
def test_individuals_without_a_name_get_one_or_are_counted(premise: str, hypothesis: str, story: str) -> None:
    found = labelled([premise], hypothesis, shipped.project().reader())
    assert found.reader is not None
    (first, *_) = found.by_reading
    used = found.reader
    trees = [tree_of(each.term, used.grammar) for each in (*first.premises, first.hypothesis)]
    teller = Teller(trees, used.grammar, used.theory, used.symbols)
    pair = first.said, first.hypothesis.reading.formula
    told = teller.stories(*pair, first.decision)
    assert told["F"] == [f"Suppose: {story}", "Then the premise is true, and the hypothesis is false."]


def test_a_model_of_several_worlds_stands_beside_one_of_single_facts() -> None:
    _, stories = told("Adam doesn't think that Amy yawned.", "Amy yawned.")
    assert {*stories} == {"T", "F"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Emma gave some doctor a book.", "Emma gave every doctor a book."),
        pytest.param(
            "Some nurse gave some doctor a book.",
            "Every nurse gave every doctor a book.",
            marks=pytest.mark.deep,  # of 36 readings
        ),
    ],
)
def test_what_single_facts_do_not_show_is_not_told(premise: str, hypothesis: str) -> None:
    """Nothing says in a few sentences who gave whom which book, and a model in symbols is left."""
    found = labelled([premise], hypothesis, shipped.project().reader())
    (first, *_) = found.by_reading
    assert found.reader is not None
    trees = [tree_of(each.term, found.reader.grammar) for each in (*first.premises, first.hypothesis)]
    teller = Teller(trees, found.reader.grammar, found.reader.theory, found.reader.symbols)
    assert "F" not in teller.stories(first.said, first.hypothesis.reading.formula, first.decision)


def test_explain_and_label_tell_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["label", "Adam's cat didn't yawn.", "Adam has a cat."]) == 0
    assert "  2. Adam has a cat. (1 presupposes it)" in capsys.readouterr().out
    (row, *_) = shipped.project().paradigm("theory_of_mind/neg_raising").sample(1).to_pylist()
    assert main(["explain", row["id"], "--json"]) == 0
    said = re.search(r'"in_sentences": \[\n *"(.*)"', capsys.readouterr().out)
    assert said is not None


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Emma didn't see the dogs.", "Emma didn't see any of the dogs."),
        ("Emma doesn't believe that any nurse sang.", "Emma believes that no nurse sang."),
    ],
)
def test_no_story_has_a_sentence_that_is_not_read(
    premise: str, hypothesis: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """*Emma saw any of the dogs* and *Any nurse sang* have no tree: nothing licenses *any* there."""
    assert main(["label", premise, hypothesis]) == 1
    out = capsys.readouterr().out
    assert "saw any" not in out and "Any nurse" not in out
    assert "in which the premise holds and the hypothesis is false" in out  # what no sentence says is drawn up
