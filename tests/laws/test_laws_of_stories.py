"""Stories: what is derived after one is what the updated models say, built outright world by world.

Random stories of the shipped events are told of random models of knowledge and belief (`K` an equivalence, `B` within
it: KD45). The product update (Baltag, Moss & Solecki 1998; postconditions of van Benthem, van Eijck & Kooi 2006) is
carried out on the whole model, event after event, and hypotheses are looked up in the last one; nothing is reduced.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from strategies import examples
from support import shipped

from gramprobe.certify.model import Model
from gramprobe.decide.label import Decider
from gramprobe.decide.reduce import BelievesAll
from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula
from gramprobe.formula.theory import EventModel
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.source.diagnostic import Findings

AGENTS, THINGS, PLACES = ("ann", "ben", "cal"), ("ball", "key"), ("bag", "box", "hall")
#: what the parameters of the events stand for
SORTS = {**dict.fromkeys("abc", AGENTS), **dict.fromkeys("xy", THINGS), **dict.fromkeys("opqrt", PLACES)}
Fact: TypeAlias = tuple[str, ...]


@cache
def stories() -> Theory:
    found = shipped.declarations().theory("stories", None, Findings())
    assert found is not None
    return found


@dataclass(frozen=True)
class Kripke:
    """Worlds by number with the facts that hold there; `sees[K, ann]`: pairs of worlds."""

    facts: tuple[frozenset[Fact], ...]
    sees: Mapping[tuple[str, str], frozenset[tuple[int, int]]]
    actual: int


class Blind(Exception):
    """Somebody whose belief is asked for sees no world: he believes everything."""


def named(term: Argument, given: Mapping[str, str]) -> str:
    assert isinstance(term, (ast.Const, ast.Var))
    return given[term.name] if isinstance(term, ast.Var) else term.name


def holds(formula: Formula, model: Kripke, world: int, given: Mapping[str, str]) -> bool:
    match formula:
        case ast.Truth(value):
            return value
        case ast.Atom(predicate, args):
            return (predicate, *(named(each, given) for each in args)) in model.facts[world]
        case ast.Not(body):
            return not holds(body, model, world, given)
        case ast.And(left, right):
            return holds(left, model, world, given) and holds(right, model, world, given)
        case ast.Or(left, right):
            return holds(left, model, world, given) or holds(right, model, world, given)
        case ast.Modal(operator, agent, body):
            assert agent is not None
            there = [v for w, v in model.sees[operator, named(agent, given)] if w == world]
            if not there:
                raise Blind
            return all(holds(body, model, v, given) for v in there)
        case _:
            raise AssertionError(formula)


def arrows(event: EventModel, operator: str, agent: str, given: Mapping[str, str]) -> set[tuple[str, str]]:
    """An agent's arrows: by the last name that is the agent's, else everybody's, else each action to itself."""
    own = [each for each in event.arrows if each.agent is not None and given.get(each.agent, each.agent) == agent]
    last = own[-1].agent if own else None
    for whose in (last, None):
        for each in event.arrows:
            if (each.operator, each.agent) == (operator, whose):
                return set(each.pairs)
    return {(action.name, action.name) for action in event.actions}


def updated(model: Kripke, event: EventModel, given: Mapping[str, str]) -> Kripke | None:
    """The product of a model and an event; None where the event cannot happen."""
    points = [
        (w, action) for w in range(len(model.facts)) for action in event.actions if holds(action.pre, model, w, given)
    ]
    number = {(w, action.name): at for at, (w, action) in enumerate(points)}
    if (model.actual, event.actual) not in number:
        return None
    facts = []
    for w, action in points:
        now = set(model.facts[w])
        new = [
            ((target.predicate, *(named(each, given) for each in target.args)), holds(value, model, w, given))
            for target, value in action.post
        ]
        for fact, value in new:
            (now.add if value else now.discard)(fact)
        facts.append(frozenset(now))
    sees = {
        (operator, agent): frozenset(
            (number[w, e], number[v, f])
            for w, v in pairs
            for e, f in arrows(event, operator, agent, given)
            if (w, e) in number and (v, f) in number
        )
        for (operator, agent), pairs in model.sees.items()
    }
    return Kripke(tuple(facts), sees, number[model.actual, event.actual])


# ---- random models, stories, hypotheses --------------------------------------------------------------------


def some_model(chance: Random) -> Kripke:
    worlds = range(3)
    atoms: list[Fact] = [("in", x, p) for x in (*THINGS, *AGENTS) for p in PLACES]
    atoms += [("guesses", a, x, p) for a in AGENTS for x in THINGS for p in PLACES]
    sees: dict[tuple[str, str], frozenset[tuple[int, int]]] = {}
    for agent in AGENTS:
        cell = [chance.randrange(2) for _ in worlds]
        sees["K", agent] = frozenset((w, v) for w in worlds for v in worlds if cell[w] == cell[v])
        believed = set()
        for number in (0, 1):
            inside = [w for w in worlds if cell[w] == number]
            believed |= set(chance.sample(inside, chance.randint(1, len(inside)))) if inside else set()
        sees["B", agent] = frozenset((w, v) for w, v in sees["K", agent] if v in believed)
    facts = tuple(frozenset(fact for fact in atoms if chance.random() < 0.5) for _ in worlds)
    return Kripke(facts, sees, chance.randrange(3))


def some_story(chance: Random) -> list[tuple[EventModel, dict[str, str]]]:
    """A scene that settles where things are, and a few events with whatever names."""
    events = {event.name: event for event in stories().events}
    x, (p, q) = chance.choice(THINGS), chance.sample(PLACES, 2)
    told = [(events["puts"], {"x": x, "p": p, "q": q})]
    for _ in range(chance.randint(1, 3)):
        event = chance.choice(stories().events)
        told.append((event, {name: chance.choice(SORTS[name]) for name in event.parameters}))
    return told


def some_hypothesis(chance: Random, depth: int) -> Formula:
    if depth == 0 or chance.random() < 0.2:
        thing = ast.Const(chance.choice((*THINGS, *AGENTS)))
        return ast.Atom("in", (thing, ast.Const(chance.choice(PLACES))))
    inner = some_hypothesis(chance, depth - 1)
    if chance.random() < 0.25:
        return ast.Not(inner)
    return ast.Modal(chance.choice(("B", "B", "K")), ast.Const(chance.choice(AGENTS)), inner)


def formula_of(told: list[tuple[EventModel, dict[str, str]]]) -> Formula:
    story: Formula = ast.TRUE
    for event, names in reversed(told):
        story = ast.EventUpdate(event.name, story, tuple(ast.Const(names[name]) for name in event.parameters))
    return story


def after(model: Kripke, told: list[tuple[EventModel, dict[str, str]]]) -> Kripke | None:
    now: Kripke | None = model
    for event, names in told:
        now = updated(now, event, names) if now is not None else None
    return now


def as_kripke(model: Model) -> Kripke:
    """A model that a certificate shows, in the names of the pair; what it is silent on holds nowhere."""
    names: dict[int, str] = {who: name for name, who in model.constants.items()}
    facts = tuple(
        frozenset(
            (predicate, *(names.get(who, f"d{who}") for who in members))
            for predicate, extension in model.predicates.items()
            for members in extension[world]
        )
        for world in range(model.worlds)
    )
    loops = frozenset((w, w) for w in range(model.worlds))
    sees = {
        (operator, agent): frozenset(model.relations.get(f"{operator}[{model.constants.get(agent, -1)}]", loops))
        for operator in ("B", "K")
        for agent in AGENTS
    }
    return Kripke(facts, sees, model.actual)


@pytest.mark.slow
@settings(max_examples=examples(150), phases=[Phase.generate])
@given(st.integers(0, 2**32))
def test_a_label_after_a_story_is_what_the_updated_models_say(seed: int) -> None:
    chance = Random(seed)
    told = some_story(chance)
    hypothesis = some_hypothesis(chance, 3)
    premise = formula_of(told)
    try:
        decision = Decider().decision(premise, hypothesis, slice_for((premise, hypothesis), stories(), {}))
    except BelievesAll:
        return
    label, values = decision.verdict.label, decision.verdict.h_values
    for _ in range(25):
        last = after(some_model(chance), told)
        if last is None:
            continue
        assert label is not None
        assert ("T" if holds(hypothesis, last, last.actual, {}) else "F") in values
    for value in values:
        last = after(as_kripke(decision.model(value)), told)
        assert last is not None
        assert holds(hypothesis, last, last.actual, {}) == (value == "T")


def test_random_stories_are_of_every_kind() -> None:
    """The law above speaks of stories that can happen and of every label, and of some that go wrong."""
    seen: dict[str, int] = {}
    for seed in range(150):
        chance = Random(seed)
        told, hypothesis = some_story(chance), some_hypothesis(chance, 3)
        premise = formula_of(told)
        try:
            theory = slice_for((premise, hypothesis), stories(), {})
            found = str(Decider().decision(premise, hypothesis, theory).verdict.label)
        except BelievesAll:
            found = "believes all"
        seen[found] = seen.get(found, 0) + 1
    assert all(seen.get(kind, 0) >= 4 for kind in ("entailment", "neutral", "contradiction", "believes all", "None"))


def test_who_believes_the_contrary_of_what_must_be_goes_blind() -> None:
    """The error is no false alarm: there is a model in which that very agent sees nothing."""
    events = {event.name: event for event in stories().events}
    told = [(events["moves"], {"a": "ann", "x": "ball", "p": "bag", "q": "box", "r": "hall"})]
    hypothesis = ast.Modal("B", ast.Const("ben"), ast.Atom("in", (ast.Const("ball"), ast.Const("box"))))
    premise = formula_of(told)
    with pytest.raises(BelievesAll):
        Decider().decision(premise, hypothesis, slice_for((premise, hypothesis), stories(), {}))
    chance, blind = Random(0), 0
    for _ in range(300):
        last = after(some_model(chance), told)
        try:
            blind += last is not None and not holds(hypothesis, last, last.actual, {})
        except Blind:
            break
    else:
        raise AssertionError(f"nobody went blind ({blind} false)")
