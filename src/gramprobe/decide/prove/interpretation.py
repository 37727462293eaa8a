"""Reads a model off a propositional model of the instances, if these are all instances.

Individuals are the terms modulo the equations that are true. At a class of places whose universe lacks a term, its
individual is like the first of the universe: no equation about the two needs to be true, so that no formula
distinguishes them. Relations are closed under their frame conditions. The result is a candidate, for the kernel's
evaluator to confirm.

Symbols that folding removed from the formulas get a value in a candidate too (:func:`completed`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from gramprobe.certify.classical import Core, Frame, Problem, related
from gramprobe.certify.clauses import TRUE
from gramprobe.certify.ground import Grounding
from gramprobe.certify.model import Extension, Model
from gramprobe.formula.encoding import Json, nodes

LARGEST = 40
"""The most worlds, individuals or occasions of a candidate."""

Pairs: TypeAlias = "set[tuple[int, int]]"


def interpretation(problem: Problem, grounding: Grounding, assignment: Iterable[int]) -> Model | None:
    """The candidate for a grounding and the literals that are true; None if it would be too large."""
    reader = _Reader(problem, grounding, {TRUE, *assignment})
    if max(len(reader.worlds), *map(len, reader.numbers.values())) > LARGEST:
        return None
    return reader.model()


class _Reader:
    def __init__(self, problem: Problem, grounding: Grounding, true: set[int]) -> None:
        self.problem, self.grounding, self.true = problem, grounding, true
        reach = grounding.reach
        alive = [w for w, world in enumerate(reach.worlds) if all(-edge in true for edge in world.exists)]
        self.worlds = {world: number for number, world in enumerate(alive)}
        self.numbers = {sort: self._numbered(sort) for sort in ("individual", "occasion")}

    def _numbered(self, sort: str) -> dict[int, int]:
        """Term -> number of its individual; equal terms have the same."""
        numbers: dict[int, int] = {}
        for term, its in enumerate(self.grounding.terms):
            if its.sort == sort:
                equals = self.grounding.may_equal.get(term, {}).items()
                same = [numbers[other] for other, literal in equals if literal in self.true and other in numbers]
                numbers[term] = same[0] if same else max(numbers.values(), default=-1) + 1
        return numbers

    def model(self) -> Model:
        grounding = self.grounding
        people = max(1, len(set(self.numbers["individual"].values())))
        times = len(set(self.numbers["occasion"].values())) or int(
            any("occasion" in core[1:4] for core in _parts(self.problem))
        )
        constants = {name: self.numbers["individual"][term] for name, term in grounding.constants.items()}
        predicates: dict[str, list[set[tuple[int, ...]]]] = {}
        for core in _parts(self.problem):
            if core[0] == "atom":
                predicates.setdefault(core[1], [set() for _ in self.worlds])
        for (predicate, world, *args), literal in grounding.atoms.items():
            if literal in self.true and world in self.worlds and isinstance(predicate, str):
                places = [self._standing_for((predicate, at), arg, people) for at, arg in enumerate(args)]
                predicates[predicate][self.worlds[world]].update(product(*places))
        extensions: dict[str, Extension] = {name: tuple(map(frozenset, each)) for name, each in predicates.items()}
        return Model(
            worlds=len(self.worlds),
            individuals=people,
            actual=0,
            constants=constants,
            predicates=extensions,
            relations=self._relations(people),
            occasions=times,
        )

    def _standing_for(self, position: tuple[str, int] | tuple[str, str], term: int, people: int) -> list[int]:
        """The individuals that a term stands for at an argument position."""
        sort = self.grounding.terms[term].sort
        numbers, shift = self.numbers[sort], people if sort == "occasion" else 0
        universe = self.grounding.universe(sort, self.grounding.nodes.place(position))
        known = {numbers[each] for each in universe.terms}
        standing_for = [numbers[term] + shift]
        if universe.terms and numbers[universe.terms[0]] == numbers[term]:
            standing_for += [number + shift for number in sorted(set(numbers.values()) - known)]
        return standing_for

    def _relations(self, people: int) -> dict[str, frozenset[tuple[int, int]]]:
        operators, reach = self.problem.operators, self.grounding.reach
        bare, of_agents = _mentioned(self.problem)
        keys: dict[str, tuple[str, str]] = {name: (name, "") for name in bare}
        keys |= {f"{name}[{who}]": (name, f"[{who}]") for name in of_agents for who in range(people)}
        relations: dict[str, Pairs] = {key: set() for key in keys}
        for (name, agent), source in list(reach.edges):
            for member in reach.members((name, agent), source):
                if member not in self.worlds:
                    continue
                for seen, edge in reach.edges[(name, agent), source].items():
                    if edge in self.true and seen in self.worlds:
                        pair = self.worlds[member], self.worlds[seen]
                        agents = [""] if agent is None else self._agents(name, agent, people)
                        for which in agents:
                            relations.setdefault(name + which, set()).add(pair)
        _close(relations, keys, operators, len(self.worlds))
        return {key: frozenset(pairs) for key, pairs in relations.items()}

    def _agents(self, name: str, agent: int, people: int) -> list[str]:
        return [f"[{who}]" for who in self._standing_for(("agent", name), agent, people)]


def _close(
    relations: Mapping[str, Pairs], keys: Mapping[str, tuple[str, str]], operators: Mapping[str, Frame], worlds: int
) -> None:
    """Add the pairs that the frame conditions demand; a world that must see a world and does not sees itself."""
    _follow(relations, keys, operators)
    for key, (name, _) in keys.items():
        conditions, pairs = operators[name].conditions, relations[key]
        if conditions & {"serial", "functional", "reflexive"}:
            seeing = {w for w, _ in pairs}
            pairs |= {(w, w) for w in range(worlds) if "reflexive" in conditions or w not in seeing}
    _follow(relations, keys, operators)


def _follow(
    relations: Mapping[str, Pairs], keys: Mapping[str, tuple[str, str]], operators: Mapping[str, Frame]
) -> None:
    """Add the pairs that follow from others."""
    size = -1
    while size != (size := sum(map(len, relations.values()))):
        for key, (name, agent) in keys.items():
            frame, pairs = operators[name], relations[key]
            if "symmetric" in frame.conditions:
                pairs |= {(v, w) for w, v in pairs}
            if "transitive" in frame.conditions:
                pairs |= {(w, u) for w, v in pairs for x, u in pairs if v == x}
            if "euclidean" in frame.conditions:
                pairs |= {(v, u) for w, v in pairs for x, u in pairs if w == x}
            for other in frame.within:
                relations[other + agent].update(pairs)
            for other in frame.introspected_by:
                pairs |= {(w, u) for w, v in relations[other + agent] for x, u in pairs if v == x}


def _parts(problem: Problem) -> Iterable[Core]:
    """All parts of the formulas of a problem, terms among them."""
    todo: list[Core] = [*problem.axioms, *problem.goals]
    for core in todo:
        yield core
        todo += [part for part in core[1:] if type(part) is tuple]


def _mentioned(problem: Problem) -> tuple[list[str], list[str]]:
    """The operators that occur without and with an agent, and those that they are related to."""
    bare: list[str] = []
    of_agents: list[str] = []
    for core in _parts(problem):
        if core[0] == "box":
            (bare if core[2] is None else of_agents).append(core[1])
    for names in (bare, of_agents):
        for name in names:
            names += [other for other in related(problem.operators, name) if other not in names]
    return list(dict.fromkeys(bare)), list(dict.fromkeys(of_agents))


def completed(model: Model, formulas: Iterable[Json]) -> Model:
    """The model with an interpretation of every symbol of the formulas; a candidate, for the kernel to confirm.

    A missing predicate is true of no individual, a missing name denotes an unnamed individual (a new one if
    necessary), a missing relation leads from every world to itself only.
    """
    atoms, names, seers = set[str](), set[str](), set[tuple[str, str | None]]()
    for kind, *parts in (node for formula in formulas for node in nodes(formula)):
        if kind == "atom":
            atoms.add(parts[0])
        elif kind == "const":
            names.add(parts[0])
        elif kind == "modal":
            agent = parts[1]
            if agent is None or agent[0] == "const":
                seers.add((parts[0], None if agent is None else agent[1]))
    predicates = model.predicates | {
        name: (frozenset(),) * model.worlds for name in sorted(atoms - set(model.predicates))
    }
    constants = dict(model.constants)
    unnamed = [who for who in range(model.individuals) if who not in constants.values()]
    individuals = model.individuals
    for name in sorted(names - set(constants)):
        if not unnamed:
            unnamed, individuals = [individuals], individuals + 1
        constants[name] = unnamed.pop(0)
    relations = dict(model.relations)
    for operator, agent in sorted(seers, key=str):
        key = operator if agent is None else f"{operator}[{constants[agent]}]"
        if key not in model.neighbourhoods:
            relations.setdefault(key, frozenset((w, w) for w in range(model.worlds)))
    return replace(model, individuals=individuals, predicates=predicates, constants=constants, relations=relations)
