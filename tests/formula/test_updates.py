"""Updates written out, formula by formula; a law (tests/laws) says that they agree with the updated model."""

from __future__ import annotations

import pytest

from gramprobe.formula import ast
from gramprobe.formula.notation import parse, show
from gramprobe.formula.theory import Action, Arrows, EventModel, Operator
from gramprobe.formula.updates import Irreducible, Language, TooLarge, dangers, reduced

K = Operator(name="K", kind="box", frame=frozenset({"reflexive", "transitive"}))
B = Operator(
    name="B", kind="box", frame=frozenset({"serial", "transitive", "euclidean"}), within=("K",), introspected_by=("K",)
)
POSS = Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"}))
MAY = Operator(name="may", kind="diamond", frame=frozenset({"serial"}))
EARLIER = Operator(name="earlier", kind="box", frame=frozenset({"functional"}))
N = Operator(name="N", kind="neighbourhood")
HIDE = EventModel(
    "hide", "move",
    (Action("move", ast.TRUE, ((parse("in(box)"), ast.TRUE),)), Action("nothing", ast.TRUE)),  # type: ignore[arg-type]
    (Arrows("B", "sally", frozenset({("move", "nothing"), ("nothing", "nothing")})),),
)  # fmt: skip
MOVE = EventModel(
    "carry", "move",
    (
        Action("move", parse("in(x, p)", variables=("x", "p")), (
            (parse("in(x, p)", variables=("x", "p")), ast.FALSE),  # type: ignore[arg-type]
            (parse("in(x, q)", variables=("x", "q")), ast.TRUE),
        )),
        Action("nothing", ast.TRUE),
    ),
    (Arrows("B", "a", frozenset({("move", "nothing"), ("nothing", "nothing")})),),
    ("a", "x", "p", "q"),
)  # fmt: skip
NAMES = ("K", "B", "poss", "may", "earlier", "N")
LANGUAGE = Language({o.name: o for o in (K, B, POSS, MAY, EARLIER, N)}, {"hide": HIDE, "carry": MOVE})


def written(text: str, language: Language = LANGUAGE) -> str:
    return show(reduced(parse(text, operators=NAMES), language))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[! p] q", "p -> q"),
        ("[! p] ~q", "p -> ~q"),
        ("[! p] K[a] q", "p -> K[a] (p -> q)"),
        ("[! p] poss q", "p -> poss (p & q)"),
        ("[! p] [! q] r", "p -> q -> r"),
        ("[! p] (q @ here)", "p -> (p -> q) @ here"),
        ("[! p] (q / r)", "p -> q / r"),
        ("[! p] earlier K[a] q", "p -> earlier K[a] q"),
        ("[! true] K[a] q", "K[a] q"),
        ("[! p] forall x. (f(x), K[x] q)", "p -> forall x. (f(x), K[x] (p -> q))"),
        ("forall x. [! f(x)] exists x. K[a] g(x)", "forall x. (f(x) -> (exists x1. K[a] (f(x) -> g(x1))))"),
        ("[hide] in(box)", "true"),
        ("[hide] in(basket)", "in(basket)"),
        ("[hide] exists x. in(x)", "exists x. (x = box & true | x != box & in(x))"),
        ("[hide] B[sally] in(box)", "B[sally] in(box)"),
        ("[hide] B[anne] in(box)", "B[anne] true"),
        ("[hide] B[anne] B[sally] in(box)", "B[anne] B[sally] in(box)"),
        ("[hide] forall x. B[x] in(box)", "forall x. (x = sally & B[x] in(box) | x != sally & B[x] true)"),
        ("[carry(jo, ball, box, bag)] in(ball, bag)", "in(ball, box) -> true"),
        ("[carry(jo, ball, box, bag)] in(ball, tin)", "in(ball, box) -> in(ball, tin)"),
        ("[carry(jo, ball, box, bag)] B[jo] in(ball, bag)", "in(ball, box) -> B[jo] in(ball, bag)"),
        ("[carry(jo, ball, box, bag)] B[amy] in(ball, bag)", "in(ball, box) -> B[amy] (in(ball, box) -> true)"),
        # out of the box and into the box again: the later line of the event counts
        ("[carry(jo, ball, box, box)] in(ball, box)", "in(ball, box) -> true"),
        (
            "forall x. [carry(x, ball, box, bag)] B[jo] p",
            "forall x. (in(ball, box) -> jo = x & B[jo] p | jo != x & B[jo] (in(ball, box) -> p))",
        ),
    ],
)
def test_reductions(before: str, after: str) -> None:
    assert parse(written(before), operators=NAMES) == parse(after, operators=NAMES)


def test_no_argument_of_an_event_captures_a_variable_of_the_formula() -> None:
    formula = written("forall x. [carry(jo, x, box, bag)] exists x. in(x, bag)")
    assert formula == "forall x. in(x, box) -> exists x1. x1 = x & true | x1 != x & in(x1, bag)"


def test_names_that_may_denote_the_same_are_distinguished_by_cases() -> None:
    loose = Language(LANGUAGE.operators, LANGUAGE.events, distinct=False)
    assert written("[hide] in(basket)", loose) == "basket = box & true | basket != box & in(basket)"


def test_an_update_without_reduction_is_reported() -> None:
    with pytest.raises(Irreducible, match="neighbourhoods"):
        written("[! p] N q")
    with pytest.raises(Irreducible, match="no event `show`"):
        written("[show] p")
    with pytest.raises(Irreducible, match="event `carry` is about 4, and is given 1"):
        written("[carry(jo)] p")
    with pytest.raises(Irreducible, match="no operator `see`"):
        reduced(parse("[! p] see q"), LANGUAGE)


@pytest.mark.slow
def test_a_formula_that_doubles_too_often_is_refused() -> None:
    assert len(written("[! ~K[a] p] " * 8 + "K[a] p")) > 8 * len(written("[! ~K[a] p] " * 5 + "K[a] p"))
    with pytest.raises(TooLarge, match="20,000"):
        written("[! ~K[a] p] " * 20 + "K[a] p")


def dangers_of(text: str) -> list[tuple[str, str, str]]:
    reported = dangers(parse(text, operators=NAMES), LANGUAGE)
    return [(show(d.update), d.operator, show(d.formula)) for d in reported]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[! p] K[a] q", []),
        ("[! p] q & B[a] q", []),
        ("[! p] earlier B[a] q", []),
        ("[! p] B[a] q", ["~[! p] ~B[a] false"]),
        ("[! p] may q", ["~[! p] ~~may true"]),
        ("q -> [! p] B[a] q", ["q & ~[! p] ~B[a] false"]),
        ("q | [! p] B[a] q", ["~q & ~[! p] ~B[a] false"]),
        ("[! p] K[b] B[a] q", ["~[! p] ~~K[b] ~B[a] false"]),
        ("[! p] [! q] B[a] q", ["~[! p] ~B[a] false", "~[! p] ~~[! q] ~B[a] false"]),
        ("[! p] forall x. (f(x), B[x] q)", ["~[! p] ~exists x. (f(x), B[x] false)"]),
        ("earlier [! p] B[a] q", ["~earlier ~~[! p] ~B[a] false"]),
        ("[! p] earlier [! q] B[a] q", ["~[! p] ~~earlier ~~[! q] ~B[a] false"]),
        ("? [! p] B[a] q", ["~[! p] ~B[a] false"]),
        ("[hide] B[sally] q", []),
        ("[hide] [! p] B[a] q", ["~[hide] ~~[! p] ~B[a] false"]),
        ("[carry(a, b, c, d)] B[a] q", ["~[carry(a, b, c, d)] ~B[a] false"]),
    ],
)
def test_where_an_agent_might_believe_everything(text: str, wanted: list[str]) -> None:
    assert [formula for _, _, formula in dangers_of(text)] == wanted


def test_a_danger_names_update_and_operator() -> None:
    assert dangers_of("[! p] [hide] B[a] q")[1][:2] == ("[hide] B[a] q", "B")
    with pytest.raises(Irreducible, match="below `N`"):
        dangers_of("N [! p] B[a] q")
