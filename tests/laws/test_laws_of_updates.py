"""Updates: what the reduction says of the model before is what the updated model says.

The updated model is built here world by world (Baltag, Moss & Solecki 1998: product update, postconditions of
van Benthem, van Eijck & Kooi 2006), and a formula is evaluated in it with no reduction at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from strategies import OPERATORS, examples

from gramprobe.certify.evaluator import value
from gramprobe.certify.model import Model
from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula, as_formula, map_parts
from gramprobe.formula.encoding import to_json
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


@dataclass(frozen=True)
class Point:
    """A world of a model, with where it came from: `old` is the point before the last update."""

    world: int
    history: tuple[str, ...] = ()


class Updated:
    """A model after events: its points are worlds with a history, `before` the model as it was."""

    def __init__(
        self,
        model: Model,
        operators: dict[str, Operator],
        before: Updated | None = None,
        event: EventModel | None = None,
        given: dict[str, int] | None = None,
    ) -> None:
        self.model, self.operators, self.before, self.event = model, operators, before, event
        self.given = given or {}  # who the parameters of the event stand for
        self.here = Point(model.actual)
        if before is not None and event is not None:
            self.here = Point(model.actual, (*before.here.history, event.actual))

    def exists(self, point: Point) -> bool:
        if self.before is None:
            return True
        assert self.event is not None
        old = Point(point.world, point.history[:-1])
        return self.before.exists(old) and self.before.true(self.event.action(point.history[-1]).pre, old, self.given)

    def atom(self, predicate: str, who: tuple[int, ...], point: Point) -> bool:
        if self.before is None:
            return who in self.model.predicates[predicate][point.world]
        assert self.event is not None
        old = Point(point.world, point.history[:-1])
        for target, new in reversed(self.event.action(point.history[-1]).post):
            named = tuple(self.who(arg, self.given) for arg in target.args)
            if (target.predicate, named) == (predicate, who):
                return self.before.true(new, old, self.given)
        return self.before.atom(predicate, who, old)

    def seen(self, operator: str, agent: int | None, point: Point) -> list[Point]:
        if self.before is None:
            key = operator if agent is None else f"{operator}[{agent}]"
            return [Point(v) for w, v in sorted(self.model.relations[key]) if w == point.world]
        assert self.event is not None
        known = {**self.model.constants, **self.given}
        names = [a.agent for a in self.event.arrows if a.agent is not None and known[a.agent] == agent]
        old = Point(point.world, point.history[:-1])
        actions = self.event.seen(operator, names[-1] if names else None, point.history[-1])
        found = [Point(o.world, (*o.history, a)) for o in self.before.seen(operator, agent, old) for a in actions]
        return [each for each in found if self.exists(each)]

    def who(self, term: Argument, bound: dict[str, int]) -> int:
        return bound[term.name] if isinstance(term, ast.Var) else self.model.constants[term.name]  # type: ignore[union-attr]

    def true(self, formula: Formula, point: Point, bound: dict[str, int]) -> bool:
        """Two-valued truth; `F @ here` is true where the actual world has not survived."""

        def inner(part: Formula, at: Point = point, more: dict[str, int] = bound) -> bool:
            return self.true(part, at, more)

        given: dict[str, int] = {}
        match formula:
            case ast.Truth(held):
                return held
            case ast.Atom(predicate, args):
                return self.atom(predicate, tuple(self.who(arg, bound) for arg in args), point)
            case ast.Not(body):
                return not inner(body)
            case ast.And(left, right):
                return inner(left) and inner(right)
            case ast.Or(left, right):
                return inner(left) or inner(right)
            case ast.Implies(left, right):
                return not inner(left) or inner(right)
            case ast.Iff(left, right):
                return inner(left) == inner(right)
            case ast.Here(body):
                return not self.exists(self.here) or inner(body, self.here)
            case ast.Quantified(
                quantifier=quantifier, count=count, variable=variable, restrictor=restrictor, scope=scope
            ):
                cases = [{**bound, variable: who} for who in range(self.model.individuals)]
                cases = [each for each in cases if inner(restrictor, point, each)]
                held_of = sum(inner(scope, point, each) for each in cases)
                wanted = {"forall": len(cases), "exists": 1, "atleast": count}[quantifier]
                assert isinstance(wanted, int)
                return held_of >= wanted
            case ast.Modal(operator, agent, body):
                declared = self.operators[operator]
                who = None if agent is None else self.who(agent, bound)
                if "functional" in declared.frame:
                    first = self
                    while first.before is not None:
                        first = first.before
                    there = [
                        first.true(body, Point(p.world), bound) for p in first.seen(operator, who, Point(point.world))
                    ]
                else:
                    there = [inner(body, each) for each in self.seen(operator, who, point)]
                return all(there) if declared.kind == "box" else any(there)
            case ast.Announced(said, body):
                event = EventModel("!", "!", (Action("!", bind(said, bound)),))
            case ast.EventUpdate(name, body, args):
                event = EVENTS[name]
                given = {each: self.who(arg, bound) for each, arg in zip(event.parameters, args, strict=True)}
            case _:
                raise AssertionError(formula)
        after = Updated(self.model, self.operators, self, event, given)
        new = Point(point.world, (*point.history, event.actual))
        if not after.exists(new):
            return True
        return after.true(body, new, bound)


def bind(formula: Formula, bound: dict[str, int]) -> Formula:
    """The formula with its free variables as the names of individuals: `d2`."""

    def visit(node: Argument, free: dict[str, int]) -> Argument:
        if isinstance(node, ast.Var) and node.name in free:
            return ast.Const(f"d{free[node.name]}")
        if isinstance(node, ast.Quantified):
            free = {name: who for name, who in free.items() if name != node.variable}
        return map_parts(lambda part: visit(part, free), node)

    return as_formula(visit(formula, bound))


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
        wanted = Updated(model, operators).true(formula, Point(model.actual), {})
        assert value(data, model, "middle", kinds) == ("T" if wanted else "F")
