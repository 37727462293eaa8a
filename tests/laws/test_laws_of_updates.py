"""Updates: what the reduction says of the model before is what the updated model says.

The updated model is the kernel's (`certify.product`: Baltag, Moss & Solecki 1998, postconditions of van Benthem, van
Eijck & Kooi 2006), and a formula is evaluated in it with no reduction at all.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from strategies import OPERATORS, examples

from gramprobe.certify.evaluator import projection_of, value
from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.product import Updating
from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula
from gramprobe.formula.encoding import event_to_json, to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Action, Arrows, EventModel, Operator
from gramprobe.formula.updates import Language, has_updates, reduced

F_OF_A = ast.Atom("f", (ast.Const("a"),))
EVENT = EventModel(
    "E",
    "flip",
    (
        Action("flip", parse("p | f(a)"), ((ast.Atom("p"), parse("~q")), (F_OF_A, parse("g(b)")))),
        Action("look", parse("g(a)")),
        Action("nothing", ast.TRUE),
    ),
    (
        Arrows("K", None, frozenset({("flip", "flip"), ("flip", "look"), ("look", "look"), ("nothing", "nothing")})),
        Arrows("K", "a", frozenset({("flip", "nothing"), ("look", "nothing"), ("nothing", "nothing")})),
        Arrows("dia", "b", frozenset({("flip", "look"), ("flip", "flip"), ("look", "nothing")})),
    ),
)  # fmt: skip
ABOUT = EventModel(
    "about",
    "push",
    (
        Action("push", parse("f(u) | r(u, v)", variables=("u", "v")), (
            (ast.Atom("f", (ast.Var("v"),)), parse("~g(u)", variables=("u",))),
            (ast.Atom("r", (ast.Var("u"), ast.Var("v"))), parse("p")),
            (ast.Atom("r", (ast.Var("v"), ast.Var("u"))), parse("f(v)", variables=("v",))),
        )),
        Action("miss", parse("exists x. r(x, v)", variables=("v",)), ((ast.Atom("g", (ast.Const("a"),)), ast.TRUE),)),
    ),
    (
        Arrows("K", "u", frozenset({("push", "miss"), ("miss", "miss")})),
        Arrows("K", "v", frozenset({("push", "push"), ("push", "miss"), ("miss", "miss")})),
        Arrows("dia", "v", frozenset({("push", "miss")})),
        Arrows("K", "b", frozenset({("miss", "push")})),
    ),
    ("u", "v"),
)  # fmt: skip
EVENTS = {"E": EVENT, "about": ABOUT}
OPERATORS_WITH_TIME = (*OPERATORS[1:], Operator(name="box", kind="box", frame=frozenset({"functional"})))


def some_formula(chance: Random, depth: int, bound: tuple[str, ...] = ()) -> Formula:
    """A formula in which most operators stand below an update."""

    def term() -> Argument:
        terms: list[Argument] = [*map(ast.Var, bound), ast.Const("a"), ast.Const("b")]
        return chance.choice(terms)

    def below(*more: str) -> Formula:
        return some_formula(chance, depth - 1, (*bound, *more))

    if depth == 0:
        atom = chance.choice([("p", 0), ("q", 0), ("f", 1), ("f", 1), ("g", 1), ("r", 2)])
        return ast.Atom(atom[0], tuple(term() for _ in range(atom[1])))
    match chance.choice(["modal"] * 4 + ["event", "event", "announced", "quantified", "not", "binary", "here", "atom"]):
        case "modal":
            operator = chance.choice(["box", "dia", "K", "K"])
            return ast.Modal(operator, term() if chance.random() < 0.7 else None, below())
        case "event":
            if chance.random() < 0.5:
                return ast.EventUpdate("about", below(), (term(), term()))
            return ast.EventUpdate("E", below())
        case "announced":
            return ast.Announced(some_formula(chance, 1, bound), below())
        case "quantified":
            quantifier: ast.Quantifier = chance.choice(["forall", "exists", "atleast"])
            variable = chance.choice(["x", "y"])
            restrictor = some_formula(chance, 0, (*bound, variable))
            return ast.Quantified(
                quantifier=quantifier,
                count=2 if quantifier == "atleast" else None,
                variable=variable,
                restrictor=restrictor,
                scope=below(variable),
            )
        case "not":
            return ast.Not(below())
        case "binary":
            first, second = below(), below()
            both: list[Formula] = [
                ast.And(first, second),
                ast.Or(first, second),
                ast.Implies(first, second),
                ast.Iff(first, second),
            ]
            return both[chance.randrange(4)]
        case "here":
            return ast.Here(below())
        case _:
            return some_formula(chance, 0, bound)


def some_model(chance: Random) -> Model:
    """Three worlds, three individuals (a, b and one without a name), every symbol by chance."""
    worlds, who = range(3), range(3)

    def extension(arity: int) -> tuple[frozenset[tuple[int, ...]], ...]:
        members = list(product(who, repeat=arity))
        return tuple(frozenset(m for m in members if chance.random() < 0.5) for _ in worlds)

    predicates = {"p": extension(0), "q": extension(0), "f": extension(1), "g": extension(1), "r": extension(2)}
    keys = [key for o in OPERATORS for key in (o.name, *(f"{o.name}[{each}]" for each in who))]
    pairs = [(one, other) for one in worlds for other in worlds]
    relations = {key: frozenset(pair for pair in pairs if chance.random() < 0.5) for key in keys}
    names = {"a": 0, "b": 1, **{f"d{each}": each for each in who}}
    return Model(
        worlds=3, individuals=3, actual=chance.randrange(3), constants=names, predicates=predicates, relations=relations
    )


@pytest.mark.slow
@pytest.mark.parametrize("with_time", [False, True])
@settings(max_examples=examples(150), phases=[Phase.generate])  # a smaller seed is no smaller formula
@given(st.integers(0, 2**32))
def test_the_reduction_says_what_the_updated_model_says(with_time: bool, seed: int) -> None:
    chance = Random(seed)
    operators = {o.name: o for o in (OPERATORS_WITH_TIME if with_time else OPERATORS)}
    kinds = {name: str(o.kind) for name, o in operators.items()}
    formula = ast.EventUpdate("E", some_formula(chance, 4))
    static = reduced(formula, Language(operators, EVENTS))
    assert not has_updates(static)
    data = to_json(static)
    for _ in range(5):
        model = some_model(chance)
        wanted = in_the_updated_model(formula, model, operators)
        assert wanted or with_time
        assert wanted in ("", value(data, model, "middle", kinds))


def in_the_updated_model(formula: Formula, model: Model, operators: dict[str, Operator]) -> str:
    """The value of a formula; empty if it has `here` below an operator of time."""
    kinds = {name: str(o.kind) for name, o in operators.items()}
    events = {name: event_to_json(event) for name, event in EVENTS.items()}
    past = [o.name for o in operators.values() if "functional" in o.frame]
    try:
        return Updating(model, projection_of("middle"), kinds, events, past).value(to_json(formula), model.actual, {})
    except ModelError:
        return ""


def test_most_formulas_with_time_are_compared() -> None:
    """The law above skips few: `here` seldom stands below an operator that looks back."""
    operators = {o.name: o for o in OPERATORS_WITH_TIME}
    pairs = [(ast.EventUpdate("E", some_formula(chance, 4)), some_model(chance)) for chance in map(Random, range(100))]
    assert sum(bool(in_the_updated_model(formula, model, operators)) for formula, model in pairs) > 90
