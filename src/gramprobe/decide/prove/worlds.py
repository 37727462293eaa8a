"""Builds a pointed model from the types that an elimination left.

Its worlds have a few of these types: one with all goals, then for each world the worlds that it demands, which are
worlds of the model already if possible. A relation leads to all worlds that its transfers allow: then every box has the
value that its bit says, and the frame conditions hold if they are complete. A functional relation leads to the world
that was chosen for its demand. Operators with sets of worlds get the sets that their boxes name and those that their
frame conditions add.
"""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.certify.classical import Problem
from gramprobe.certify.frames import LARGEST_BY_SETS
from gramprobe.certify.frames import problems as problems_of
from gramprobe.certify.model import Model
from gramprobe.certify.types import QUANTIFIERS, Space, constants
from gramprobe.certify.views import Key, Table, by_sets

MAX_WORLDS = 40
"""The most worlds of a model that is built."""
ROUNDS = 8
"""How often the conditions on sets of worlds are applied; if they do not hold then, no model is built."""

Sets = list[set[frozenset[int]]]


def model_of(problem: Problem, space: Space, alive: Table, goals: Table) -> Model | None:
    """A pointed model with the goals of the problem; None if the types that are left do not make a model.

    None too if a bit is a quantified formula. Different names denote different individuals in the model.
    """
    goals &= alive
    for bit, own in space.columns.items():
        if bit[0] in QUANTIFIERS:
            return None
        if bit[0] == "equal":
            goals &= ~own
    if not goals:
        return None
    worlds, taken = _worlds(space, alive, goals)
    if len(worlds) > MAX_WORLDS:
        return None
    numbers = {name: number for number, name in enumerate(constants(problem))}

    def name_of(key: Key) -> str:
        operator, agent = key
        return operator if agent is None else f"{operator}[{numbers[agent[1]]}]"

    relations: dict[Key, frozenset[tuple[int, int]]] = {}
    for view, key in enumerate(key for key in space.boxes if not by_sets(problem.operators[key[0]])):
        functional = "functional" in problem.operators[key[0]].conditions
        pairs: list[tuple[int, int]] = []
        for w, at in enumerate(worlds):
            seen = _seen(space, view, at, alive)
            pairs += [(w, v) for v in ([taken[view, w]] if functional else range(len(worlds))) if seen >> worlds[v] & 1]
        relations[key] = frozenset(pairs)
    sets = {key: _named(space, key, worlds) for key in space.boxes if key not in relations}
    if sets and len(worlds) <= LARGEST_BY_SETS:
        for _ in range(ROUNDS):
            for key in sets:
                _add(problem, key, relations, sets, len(worlds))
    if any(sets[key][w] & false for key in sets for w, false in enumerate(_named(space, key, worlds, False))):
        return None
    predicates: dict[str, list[set[tuple[int, ...]]]] = {}
    for bit, own in space.columns.items():
        if bit[0] == "atom":
            extension = predicates.setdefault(bit[1], [set() for _ in worlds])
            for w, at in enumerate(worlds):
                if own >> at & 1:
                    extension[w].add(tuple([numbers[term[1]] for term in bit[2:]]))
    model = Model(
        worlds=len(worlds),
        individuals=len(numbers),
        actual=0,
        constants={name: number for name, number in numbers.items() if name},
        predicates={name: tuple(map(frozenset, each)) for name, each in predicates.items()},
        relations={name_of(key): pairs for key, pairs in relations.items()},
        occasions=0,
        neighbourhoods={name_of(key): tuple(map(frozenset, each)) for key, each in sets.items()},
    )
    operators = [
        [name, frame.kind, sorted(frame.conditions), frame.within, frame.introspected_by]
        for name, frame in problem.operators.items()
    ]
    return None if problems_of(model, operators, problem.distinct) else model


def _worlds(space: Space, alive: Table, goals: Table) -> tuple[list[int], dict[tuple[int, int], int]]:
    """The types of the worlds, the actual one first; (view, world) -> the world chosen for its last demand."""
    worlds = [_simplest(space, goals)]
    taken: dict[tuple[int, int], int] = {}
    for w, at in enumerate(worlds):
        if len(worlds) > MAX_WORLDS:
            break
        for view, (_, demands) in enumerate(space.views):
            for p, q, f, g in demands:
                if not (p & q) >> at & 1:
                    continue
                seen = _seen(space, view, at, alive & (f ^ g))
                there = [v for v, each in enumerate(worlds) if seen >> each & 1]
                if not there:
                    there = [len(worlds)]
                    worlds.append(_simplest(space, seen))
                taken[view, w] = w if w in there else there[0]
    return worlds, taken


def _seen(space: Space, view: int, at: int, among: Table) -> Table:
    """The types among some that a world of type `at` can have in view."""
    for x, y in space.views[view][0]:
        if x >> at & 1:
            among &= y
    return among


def _simplest(space: Space, among: Table) -> int:
    """A type in which many boxes are true, which then demand no world, and otherwise few bits."""
    for bit, own in reversed(space.columns.items()):
        among = (among & own if bit[0] in ("box", "neighbourhood") else among & ~own) or among
    return among.bit_length() - 1


def _named(space: Space, key: Key, worlds: Sequence[int], value: bool = True) -> Sets:
    """For each world the sets of worlds that are the bodies of an operator's boxes true (or false) there."""
    boxes = space.boxes[key]
    bodies = [frozenset(v for v, at in enumerate(worlds) if box.body >> at & 1) for box in boxes]
    return [{body for body, box in zip(bodies, boxes, strict=True) if box.box >> at & 1 == value} for at in worlds]


def _add(
    problem: Problem, key: Key, relations: dict[Key, frozenset[tuple[int, int]]], sets: dict[Key, Sets], worlds: int
) -> None:
    """Add the sets that the conditions on an operator demand, given those that it has (Chellas 1980, ch. 7-8)."""
    frame, agent, mine = problem.operators[key[0]], key[1], sets[key]
    every = range(worlds)

    def needs(operator: str, world: int, truths: frozenset[int]) -> bool:
        if (operator, agent) in sets:
            return truths in sets[operator, agent][world]
        return all(v in truths for w, v in relations[operator, agent] if w == world)

    for bits in range(1 << worlds):
        truths = frozenset(v for v in every if bits >> v & 1)
        rest = frozenset(every) - truths
        needing = frozenset(v for v in every if truths in mine[v])
        excluding = frozenset(v for v in every if rest in mine[v])
        for w in every:
            if any(needs(name, w, truths) for name in frame.within):
                mine[w].add(truths)
            if "transitive" in frame.conditions and w in needing:
                mine[w].add(needing)
            if "euclidean" in frame.conditions and w not in needing:
                mine[w].add(frozenset(every) - needing)
            if "symmetric" in frame.conditions and w in truths:
                mine[w].add(frozenset(every) - excluding)
            for name in frame.introspected_by:
                if w in needing and (name, agent) in relations:
                    for u, v in relations[name, agent]:
                        if u == w:
                            mine[v].add(truths)
