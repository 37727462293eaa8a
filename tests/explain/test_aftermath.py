"""Stories told: what each event does, and the model as the story leaves it."""

from __future__ import annotations

import pytest

from gramprobe.certify.model import Model
from gramprobe.decide.label import Decider
from gramprobe.explain.reason import Reasons
from gramprobe.explain.stories import NoProduct, final_model, happenings
from gramprobe.explain.words import in_words
from gramprobe.formula import ast
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Action, Arrows, EventModel, Operator, TheorySlice
from gramprobe.project import Project

OPERATORS = (
    Operator(
        name="B",
        kind="box",
        frame=frozenset({"serial", "transitive", "euclidean"}),
        within=("K",),
        introspected_by=("K",),
    ),
    Operator(name="K", kind="box", frame=frozenset({"reflexive", "transitive"})),
    Operator(name="earlier", kind="box", frame=frozenset({"functional"})),
)


def atom(name: str, *args: str) -> ast.Atom:
    return ast.Atom(name, tuple(ast.Var(a) if len(a) == 1 else ast.Const(a) for a in args))


PUTS = EventModel("puts", "put", (Action("put", ast.TRUE, ((atom("in", "p"), ast.TRUE),)),), (), ("p",))
MOVES = EventModel(
    "moves", "move",
    (
        Action("move", atom("in", "p"), ((atom("in", "p"), ast.FALSE), (atom("in", "q"), ast.TRUE))),
        Action("nothing", ast.TRUE),
    ),
    (
        Arrows("B", "a", frozenset({("move", "nothing"), ("nothing", "nothing")})),
        Arrows("K", "a", frozenset({("move", "move"), ("move", "nothing"), ("nothing", "nothing")})),
    ),
    ("a", "p", "q"),
)  # fmt: skip
THEORY = TheorySlice(operators=OPERATORS, events=(PUTS, MOVES))
TALE = parse("[puts(bag)] [moves(jo, bag, tin)] true", operators=("B", "K", "earlier"))


def parsed(text: str) -> ast.Formula:
    return parse(text, operators=("B", "K", "earlier"))


def test_each_event_is_listed_with_who_takes_it_for_what() -> None:
    first, second = happenings(TALE, parsed("B[jo] in(bag)"), THEORY)
    assert first == "1. `puts(bag)`: what happens is `put` and makes `in(bag)` true. Everybody sees it."
    assert second == (
        "2. `moves(jo, bag, tin)`: what happens is `move`, which needs `in(bag)`, and makes `in(bag)` false and "
        "`in(tin)` true. By `B` jo takes it to be `nothing`, everybody else takes it for what it is. "
        "`nothing` changes nothing."
    )


def test_operators_are_those_of_the_hypothesis() -> None:
    assert (
        "By `K` jo cannot tell whether it is `move` or `nothing`, everybody"
        in (happenings(TALE, parsed("K[jo] in(bag)"), THEORY)[1])
    )


BEFORE = Model(worlds=1, individuals=1, actual=0, constants={}, predicates={})


def test_a_model_after_the_story() -> None:
    left = final_model(BEFORE, TALE, parsed("B[jo] in(bag) & B[amy] in(tin)"), THEORY)
    jo, amy = f"B[{left.constants['jo']}]", f"B[{left.constants['amy']}]"
    bag, tin = (left.constants["bag"],), (left.constants["tin"],)
    assert (left.worlds, left.actual) == (2, 0)
    assert left.predicates["in"] == (frozenset({tin}), frozenset({bag}))
    assert left.relations == {jo: frozenset({(0, 1), (1, 1)}), amy: frozenset({(0, 0), (1, 1)})}


def test_worlds_that_look_alike_are_one() -> None:
    assert final_model(BEFORE, TALE, parsed("in(tin)"), THEORY).worlds == 1
    four = Model(
        worlds=4,
        individuals=1,
        actual=2,
        constants={},
        predicates={},
        relations={"B[0]": frozenset((w, 3 - w) for w in range(4)) | {(w, w) for w in range(4)}},
    )
    assert final_model(four, parsed("[puts(bag)] true"), parsed("B[jo] in(bag)"), THEORY).worlds == 1


@pytest.mark.parametrize("hypothesis", ["earlier in(bag)", "[puts(bag)] in(bag)"])
def test_what_no_product_is_built_for(hypothesis: str) -> None:
    with pytest.raises(NoProduct):
        final_model(BEFORE, TALE, parsed(hypothesis), THEORY)


@pytest.mark.parametrize(
    "hypothesis",
    ["B[jo] in(bag)", "B[amy] B[jo] in(bag)", "K[jo] in(tin)", "forall x. (x != jo, B[x] in(tin))", "q & in(tin)",
     "B[jo] q", "exists x. (in(x), B[jo] in(x))", "K[amy] ~K[jo] in(tin)"],
)  # fmt: skip
def test_the_hypothesis_has_the_value_of_the_certificate(hypothesis: str) -> None:
    """After the story it is evaluated as it stands; the certificate has what it comes to before the story."""
    asked = parsed(hypothesis)
    decision = Decider().decision(TALE, asked, THEORY)
    assert decision.verdict.models
    for value in decision.verdict.models:
        left = final_model(decision.model(value), TALE, asked, THEORY)
        assert Reasons(left, THEORY).value(asked) == value
    found = in_words(decision, TALE, asked, THEORY)
    assert set(found.after) == set(decision.verdict.models)
    assert all("is always" not in each for _, sentences in found.scenes.values() for each in sentences)


@pytest.fixture(scope="module")
def explained(project: Project) -> dict[str, tuple[str, dict[str, object], str]]:
    """Every fortieth pair of every story, explained: text, data, drawing."""
    found: dict[str, tuple[str, dict[str, object], str]] = {}
    for name in ("contents", "search", "second_order", "transfer"):
        rows = project.paradigm(f"theory_of_mind/story_{name}").sample(1).to_pylist()
        for row in rows[::40]:
            each = project.explain(row["id"])
            found[row["id"]] = each.text, each.data, each.svg
    return found


@pytest.mark.slow
def test_shipped_stories_are_explained_by_what_holds_after_them(
    explained: dict[str, tuple[str, dict[str, object], str]],
) -> None:
    for name, (text, data, drawing) in explained.items():
        assert "what the story does:\n  1. `" in text, name
        assert "as the story leaves it" in text
        assert "is always" not in text
        assert set(data["after"]) == set(data["models"]), name  # type: ignore[call-overload]
        assert data["told"]["events"]  # type: ignore[index]
        assert "as the story leaves it" in drawing
        assert "1. `" in drawing
