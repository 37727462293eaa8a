"""`verify` evaluates updates in the models of certificates: a reduction that says something else is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from projects import write
from support.datasets import SharedDatasets

from gramprobe.dataset.verify import derive
from gramprobe.dataset.verify.updates import UpdatingDecider, difference
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide import reduce as reducing
from gramprobe.decide import shapes
from gramprobe.decide.label import Decider
from gramprobe.formula.ast import Atom, Modal
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Action, Arrows, EventModel, Operator, TheorySlice
from gramprobe.formula.updates import _After
from gramprobe.project import Project, load

FALLS = {
    "logic/accident.logic": """theory accident
include stories
event falls(a, x, p, q)
  action fall
    pre in(x, p)
    post in(x, p) := false
    post in(x, q) := true
  action nothing
  actual fall
  arrows B[a]: fall -> nothing
""",
    "grammars/accident.gram": r"""fun Falls (a: PN, x: Belonging, p: Container, q: Container) : Happening
  lin "While" a "is not looking, the" x "falls out of the" p "into the" q
  sem \F. [falls(a, x, p, q)] F
""",
    "grammars/small/accident.paradigm": """paradigm accident
about  "An accident that one of two does not see."
source "the tests"
uses   english.stories, accident
theory accident
draw a, b : PN
draw r    : Room
draw p, q, o : Container
draw x    : Belonging
let placed = Then(Setting(owner_first, a, b, r, InARow(first, p, q, o, r)), Puts(a, x, p, q, o))
premise
  after = Told(Then(placed, Falls(a, x, p, q)))
hypothesis
  one   = Say(Thinks(a, ThingIn(x, p)))
  other = Say(Thinks(b, ThingIn(x, q)))
pair after => one, other
allow leak because "a toy"
""",
}


@pytest.fixture
def accident(tmp_path: Path) -> Project:
    return load(write(tmp_path, FALLS), names=["small/accident"])


def forget_reductions() -> None:
    """Forget what was compiled, by whatever reduction."""
    reducing._reduced.cache_clear()
    shapes._compiled.cache_clear()


def everybody_sees(self: _After, node: Modal, operator: Operator, action: str) -> Any:
    """A wrong reduction: arrows of one agent are forgotten."""
    return self.seen(node, operator, self.event.seen(operator.name, None, action))


@pytest.mark.slow
def test_a_wrong_reduction_is_found_though_build_and_verify_share_it(
    accident: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = accident.build("small/accident", tmp_path / "honest", n=2)[0].folder
    assert not verify(honest, accident.declarations).problems.count
    monkeypatch.setattr(_After, "by_cases", everybody_sees)
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")  # what is kept of shapes is of the code as it stands in its files
    forget_reductions()
    project = load(tmp_path, names=["small/accident"])
    wrong = project.build("small/accident", tmp_path / "wrong", n=2)[0].folder
    found = verify(wrong, project.declarations).problems.kept
    assert [(each.code, each.file) for each in found] == [("E51", "certificates.jsonl")]
    assert "the hypothesis, updated by its events, is T in its model for F" in found[0].reason
    monkeypatch.undo()
    forget_reductions()
    assert "E54" in {
        each.code for each in verify(wrong, accident.declarations).problems.kept
    }  # and the shape is another


@pytest.mark.slow
def test_every_model_of_the_shipped_stories_is_evaluated_again(
    project: Project, datasets: SharedDatasets, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[UpdatingDecider] = []

    def noted(**given: Any) -> UpdatingDecider:
        made.append(UpdatingDecider(**given))
        return made[-1]

    monkeypatch.setattr(derive, "UpdatingDecider", noted)
    assert not verify(datasets("theory_of_mind/story_second_order", n=1), project.declarations).problems.count
    assert made[0].evaluated[True] > 50
    assert made[0].evaluated[False] == 0


def atom(text: str) -> Atom:
    found = parse(text)
    assert isinstance(found, Atom)
    return found


THEORY = TheorySlice(
    operators=(Operator(name="B", kind="box"),),
    events=(
        EventModel(
            "moves", "move",
            (Action("move", parse("in(bag)"), ((atom("in(bag)"), parse("false")), (atom("in(tin)"), parse("true")))),
             Action("nothing", parse("true"))),
            (Arrows("B", "jo", frozenset({("move", "nothing"), ("nothing", "nothing")})),),
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("[moves] true", "in(tin)"),
        ("[moves] true", "in(bag)"),
        ("[moves] true", "B[jo] in(bag)"),
        ("B[jo] in(bag) & in(bag)", "[moves] B[jo] in(bag)"),
        ("[! p] B[jo] q", "p -> B[jo] (p -> q)"),
        ("p & ~B[jo] p", "[! (p & ~B[jo] p)] (p & ~B[jo] p)"),
        ("? B[jo] p", "[! p] q"),
        ("p", "forall x. [! B[x] p] B[x] p"),
    ],
)
def test_only_the_value_that_a_model_shows_is_accepted(premise: str, hypothesis: str) -> None:
    pair = parse(premise), parse(hypothesis)
    decision = Decider(THEORY).decision(*pair)
    assert decision.verdict.models
    for value in decision.verdict.models:
        model = decision.model(value)
        assert difference(*pair, THEORY, model, value) == ""
        others = [each for each in "TF" if each != value]
        assert all(f"is {value} in its model for {each}" in difference(*pair, THEORY, model, each) for each in others)


def test_a_premise_that_does_not_commit_is_no_premise() -> None:
    decision = Decider(THEORY).decision(parse("~in(bag) & p"), parse("q | ~q & p"))
    model = next(decision.model(value) for value in decision.verdict.models)
    assert "cannot happen" in difference(parse("[moves] true"), parse("p"), THEORY, model, "T")
    assert "the premise, updated by its events, is F" in difference(
        parse("[! p] q & ~p"), parse("p"), THEORY, model, "T"
    )
