"""Defined operators written out, and alternatives by scale-mates."""

from __future__ import annotations

import pytest

from gramprobe.formula import ast
from gramprobe.formula.alternatives import alternatives
from gramprobe.formula.ast import Formula
from gramprobe.formula.definitions import circle, expand, flattened
from gramprobe.formula.notation import parse, show
from gramprobe.formula.theory import Definition
from gramprobe.formula.updates import TooLarge


def defined(name: str, agent: str | None, text: str) -> Definition:
    variables = () if agent is None else (agent,)
    return Definition(name, agent, "F", parse(text, variables=variables))


DEFINITIONS = {
    d.name: d
    for d in (
        defined("nec", None, "~poss ~F"),
        defined("knows", "a", "F / K[a] F"),
        defined("someone", "a", "exists x. (likes(a, x) & F)"),
        defined("everyone", "a", "exists a. K[a] F"),
    )
}
OPERATORS = ("poss", "K", *DEFINITIONS)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("nec p", "~poss ~p"),
        ("nec nec p", "~poss ~~poss ~p"),
        ("knows[jo] p", "p / K[jo] p"),
        ("knows[a] knows[b] p", "(p / K[b] p) / K[a] (p / K[b] p)"),
        ("forall x. knows[x] f(x)", "forall x. (f(x) / K[x] f(x))"),
        ("forall x. someone[y] f(x)", "forall x. exists x1. (likes(y, x1) & f(x))"),
        ("forall x. someone[x] p", "forall x. exists x1. (likes(x, x1) & p)"),
        ("someone[jo] p", "exists x. (likes(jo, x) & p)"),
        ("everyone[jo] p", "exists a1. K[a1] p"),
    ],
)
def test_definitions_are_written_out_without_capture(text: str, wanted: str) -> None:
    assert expand(parse(text, operators=OPERATORS), DEFINITIONS) == parse(wanted, operators=OPERATORS)


def test_an_agent_must_stand_where_the_definition_has_one() -> None:
    with pytest.raises(ValueError, match="takes an agent"):
        expand(parse("knows p", operators=OPERATORS), DEFINITIONS)
    with pytest.raises(ValueError, match="takes no agent"):
        expand(parse("nec[a] p", operators=OPERATORS), DEFINITIONS)


def test_definitions_of_definitions_are_flattened_and_circles_reported() -> None:
    can, must = defined("can", None, "may F"), defined("have_to", None, "~can ~F")
    assert show(flattened("have_to", {"can": can, "have_to": must}).formula) == "~may ~F"
    around = {"a": defined("a", None, "~b F"), "b": defined("b", None, "~a F")}
    assert circle(around) == ("a", "b", "a")
    assert circle({"can": can, "have_to": must}) == ()


SCALES = (("some", "all"), ("or", "and"), ("may", "must"), ("atleast 2", "atleast 3"), ("big", "enormous"))
MODALS = ("may", "must")


def of(text: str, scales: tuple[tuple[str, ...], ...] = SCALES) -> list[str]:
    def bracketed(formulas: list[Formula]) -> list[Formula]:
        return [ast.Presupposing(ast.Atom("exh"), each) for each in formulas]

    return [show(each) for each in alternatives(parse(text, operators=MODALS), scales, bracketed)]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("exists x. (N(x), V(x))", ["forall x. (N(x), V(x))"]),
        ("forall x. (N(x), V(x))", ["exists x. (N(x), V(x))"]),
        ("exists x. N(x) & V(x)", ["forall x. N(x) -> V(x)"]),
        ("forall x. N(x) -> V(x)", ["exists x. N(x) & V(x)"]),
        ("~exists x. (N(x), V(x))", ["~forall x. (N(x), V(x))"]),
        ("p | q", ["p & q"]),
        ("may p", ["must p"]),
        ("atleast 2 x. (N(x), V(x))", ["atleast 3 x. (N(x), V(x))"]),
        ("atleast 4 x. (N(x), V(x))", []),
        ("big(jo)", ["enormous(jo)"]),
        ("may (p | q)", ["must (p | q)", "may (p & q)", "must (p & q)"]),
        ("r(jo) -> q", []),
    ],
)
def test_scale_mates_stand_at_the_same_place(text: str, others: list[str]) -> None:
    assert of(text) == [text, *others]


def test_one_side_of_a_disjunction_is_an_alternative_where_declared() -> None:
    assert of("p | q", (("left", "right", "or", "and"),)) == ["p | q", "p", "q", "p & q"]


def test_the_alternatives_of_exh_are_exh_of_the_alternatives() -> None:
    assert of("~exh (p | q)") == ["~(exh / (p | q))", "~(exh / (p & q))"]


def test_too_many_alternatives_are_refused() -> None:
    with pytest.raises(TooLarge, match="64"):
        of(" | ".join(f"p{number}" for number in range(9)))
