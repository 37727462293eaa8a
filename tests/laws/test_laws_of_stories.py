"""Stories: what is derived after one is what the updated models say, built outright world by world.

Random stories of the shipped events are told of random models of knowledge and belief (`K` an equivalence, `B` within
it: KD45). The product update (Baltag, Moss & Solecki 1998; postconditions of van Benthem, van Eijck & Kooi 2006) is
carried out on the whole model, event after event, and hypotheses are looked up in the last one; nothing is reduced.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from strategies import examples
from support import shipped

from gramprobe.certify.model import Model
from gramprobe.certify.product import Updating
from gramprobe.decide.label import Decider
from gramprobe.decide.reduce import BelievesAll, reduce
from gramprobe.decide.shapes import shape_text
from gramprobe.explain.stories import evaluator_of, filled_in
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename
from gramprobe.formula.canonical import canonical
from gramprobe.formula.encoding import event_to_json, to_json
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import EventModel, TheorySlice
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.source.diagnostic import Findings

AGENTS, THINGS, PLACES = ("ann", "ben", "cal"), ("ball", "key"), ("bag", "box", "hall")
#: what the parameters of the events stand for
SORTS = {**dict.fromkeys("abc", AGENTS), **dict.fromkeys("xy", THINGS), **dict.fromkeys("opqrt", PLACES)}


@cache
def stories() -> Theory:
    found = shipped.declarations().theory("stories", None, Findings())
    assert found is not None
    return found


@cache
def theory_of_stories() -> TheorySlice:
    return TheorySlice(operators=stories().operators, events=stories().events, definitions=stories().definitions)


class Blind(Exception):
    """Somebody whose belief is asked for sees no world: he believes everything."""


def holds(hypothesis: Formula, last: Updating) -> bool:
    """Whether a hypothesis is true in the last model. Raises Blind if it asks an agent who sees no world."""

    def sees(node: Formula, worlds: set[int]) -> None:
        if isinstance(node, ast.Modal):
            assert isinstance(node.agent, ast.Const)
            pairs = last.model.relations[f"{node.operator}[{last.model.constants[node.agent.name]}]"]
            seen = [{v for w, v in pairs if w == world} for world in worlds]
            if not all(seen):
                raise Blind
            sees(node.body, set().union(*seen))
        elif isinstance(node, ast.Not):
            sees(node.body, worlds)

    sees(hypothesis, {last.model.actual})
    return last.value(to_json(hypothesis), last.model.actual, {}) == "T"


# ---- random models, stories, hypotheses --------------------------------------------------------------------


def some_model(chance: Random) -> Model:
    worlds, names = range(3), (*AGENTS, *THINGS, *PLACES)
    number = {name: at for at, name in enumerate(names)}
    atoms = [("in", x, p) for x in (*THINGS, *AGENTS) for p in PLACES]
    atoms += [("guesses", a, x, p) for a in AGENTS for x in THINGS for p in PLACES]  # type: ignore[misc]
    atoms += [("unaware", a, b) for a in AGENTS for b in AGENTS]
    relations: dict[str, frozenset[tuple[int, int]]] = {}
    for agent in AGENTS:
        cell = [chance.randrange(2) for _ in worlds]
        knows = frozenset((w, v) for w in worlds for v in worlds if cell[w] == cell[v])
        believed = set()
        for side in (0, 1):
            inside = [w for w in worlds if cell[w] == side]
            believed |= set(chance.sample(inside, chance.randint(1, len(inside)))) if inside else set()
        relations[f"K[{number[agent]}]"] = knows
        relations[f"B[{number[agent]}]"] = frozenset((w, v) for w, v in knows if v in believed)
    facts = [[atom for atom in atoms if chance.random() < 0.5] for _ in worlds]
    predicates = {
        name: tuple(frozenset(tuple(number[each] for each in who) for head, *who in world if head == name)
                    for world in facts)
        for name in ("in", "guesses", "unaware")
    }  # fmt: skip
    return Model(
        worlds=3, individuals=len(names), actual=chance.randrange(3), constants=number, predicates=predicates,
        relations=relations,
    )  # fmt: skip


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


def after(model: Model, told: list[tuple[EventModel, dict[str, str]]]) -> Updating | None:
    """The last model of a story, event after event; None where one cannot happen."""
    now = evaluator_of(model, theory_of_stories())
    for event, names in told:
        now = now.after(event_to_json(event), {name: model.constants[who] for name, who in names.items()})
        if now.gone:
            return None
    return now


def whole(model: Model) -> Model:
    """A model that a certificate shows, with every symbol: what it is silent on holds nowhere."""
    used = [ast.Modal(operator, ast.Const(agent), ast.TRUE) for operator in "BK" for agent in AGENTS]
    facts = [ast.Atom("in", (ast.Const(one), ast.Const(other))) for one in (*AGENTS, *THINGS) for other in PLACES]
    facts += [ast.Atom("guesses", (ast.Const("ann"), ast.Const("ball"), ast.Const("bag")))]
    facts += [ast.Atom("unaware", (ast.Const("ann"), ast.Const("ben")))]
    return filled_in(model, symbols(*used, *facts), theory_of_stories())


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
        assert ("T" if holds(hypothesis, last) else "F") in values
    for value in values:
        last = after(whole(decision.model(value)), told)
        assert last is not None
        assert holds(hypothesis, last) == (value == "T")


def said_of(compiled: Callable[..., object], *pair: object) -> object:
    """What is compiled, or the error that is raised, in its own words."""
    try:
        return compiled(*pair)
    except BelievesAll as error:
        return str(error)


@settings(max_examples=examples(8), phases=[Phase.generate])
@given(st.integers(0, 2**32))
def test_a_story_has_the_shape_that_its_own_words_give(seed: int) -> None:
    """Shapes of stories are found by their skeletons: told of others, or of the same in other roles, a story that was
    compiled before gets its own names back, as if it had been compiled by itself."""
    chance = Random(seed)
    told, hypothesis = some_story(chance), some_hypothesis(chance, 2)
    everybody = [*AGENTS, *THINGS, *PLACES]
    for names in (everybody, chance.sample(everybody, len(everybody))):
        other = dict(zip(everybody, names, strict=True))
        pair = rename(formula_of(told), other), rename(hypothesis, other)
        theory = slice_for(pair, stories(), {})
        assert said_of(shape_text, *pair, theory) == said_of(lambda *each: canonical(*reduce(*each)), *pair, theory)


@pytest.mark.slow
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
            blind += last is not None and not holds(hypothesis, last)
        except Blind:
            break
    else:
        raise AssertionError(f"nobody went blind ({blind} false)")
