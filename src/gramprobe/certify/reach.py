"""World terms and the edges between them: the edges that the frame conditions derive between Skolem worlds.

An edge literal may be true only if R(w, v) is true; every clause made here follows from the frame conditions
as soon as the world it starts from exists. Two reductions keep worlds few. *Sources*: if R of two worlds is
the same set in every model (along a transitive and euclidean relation, and along one that introspects it),
both share the edges of the first: a KD45 or S5 operator is a cluster. *Functions*: a functional operator has
a term for its only successor, and no edges to choose from.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias
from weakref import proxy

from gramprobe.certify.classical import Frame, consequences, related
from gramprobe.certify.clauses import TRUE, Clauses

ACTUAL = 0

Key: TypeAlias = tuple[str, "int | None"]
"""An operator and the term of its agent."""


@dataclass(frozen=True, slots=True)
class World:
    """A world term.

    Attributes:
        depth: How deep its Skolem term is nested.
        exists: The negations of the edges that it depends on; it stands for a world of a model only where all those
            edges are true.
        made_by: The key and the world whose successor it was made as.
    """

    depth: int
    exists: tuple[int, ...]
    made_by: tuple[Key, int] | None


class Reach:
    """The worlds and edges of a grounding. Worlds are numbers, 0 the actual one; R of a key is kept at sources.

    `news` holds the edges that no box has been applied to yet: key, source, world, literal.
    """

    def __init__(self, operators: Mapping[str, Frame], clauses: Clauses, depth: int) -> None:
        self.operators = operators = _relational(operators)
        # a grounding has its worlds: in a circle, both would wait for the collector of circles
        self.clauses: Clauses = proxy(clauses)
        self.budget, self.depth = clauses.budget, depth
        self.worlds = [World(0, (), None)]
        self.edges: dict[tuple[Key, int], dict[int, int]] = {}
        self.news: deque[tuple[Key, int, int, int]] = deque()
        self.cut = self.loose = False
        self.narrower = {name: [other for other in operators if name in _wider(other, operators)] for name in operators}
        self.conditions = {name: consequences(frame) for name, frame in operators.items()}
        self.carriers = {name: self._carriers(name) for name in operators}
        self._mentioned: dict[Key, None] = {}
        self._sources: dict[tuple[Key, int], int] = {}
        self._members: dict[tuple[Key, int], tuple[int, tuple[int, ...]]] = {}
        self._wanted: dict[tuple[Key, int], None] = {}
        self._functions: dict[tuple[Key, int], int | None] = {}

    def _carriers(self, name: str) -> frozenset[str]:
        """The operators along whose edges R of this operator stays the same set."""
        conditions = self.conditions[name]
        if not {"transitive", "euclidean"} <= conditions:
            return frozenset()
        carriers = set(self.narrower[name])
        if "serial" in conditions:
            for other in self.operators[name].introspected_by:
                carriers.update(self.narrower[other])
        return frozenset(carriers)

    def source(self, key: Key, world: int) -> int:
        """The first world that has the same successors: its edges are those of `world`."""
        known = self._sources.get((key, world))
        if known is None:
            made_by, known = self.worlds[world].made_by, world
            if made_by and made_by[0][1] == key[1] and made_by[0][0] in self.carriers[key[0]]:
                known = self.source(key, made_by[1])
            self._sources[key, world] = known
        return known

    def members(self, key: Key, source: int) -> Sequence[int]:
        """The worlds with that source."""
        if not self.carriers[key[0]]:
            return (source,)
        self.budget.spend(len(self.worlds))
        seen, members = self._members.get((key, source), (source, ()))
        if seen < len(self.worlds):
            more = [world for world in range(seen, len(self.worlds)) if self.source(key, world) == source]
            members = (*members, *more) if more else members
            self._members[key, source] = len(self.worlds), members
        return members

    def successor(self, key: Key, source: int, depth: int = 0) -> tuple[int, int] | None:
        """A new world and the literal of the edge to it: true if there must be a successor. None: too deep."""
        depth = max(depth, 1 + self.worlds[source].depth)
        if depth > self.depth:
            self.cut = True
            return None
        serial, exists, new = "serial" in self.conditions[key[0]], self.worlds[source].exists, len(self.worlds)
        edge = TRUE if serial else self.clauses.fresh()
        self.worlds.append(World(depth, exists if serial else (*exists, -edge), (key, source)))
        self.budget.spend(len(self.edges) + len(self._wanted))
        for (other, at), seen in list(self.edges.items()):
            if self.carriers[other[0]] and self.source(other, new) == at:
                self.budget.spend(len(seen))
                for world, literal in list(seen.items()):
                    self._passed_on(other, new, world, literal)
        for other, at in self._wanted:
            if at != new and self.source(other, new) == at and "reflexive" in self.conditions[other[0]]:
                self.derive(other, new, new, new)
        self._edge(key, source, new, edge)
        return new, edge

    def anywhere(self, depth: int) -> int | None:
        """A new world that no edge leads to; None: too deep."""
        if depth > self.depth:
            self.cut = True
            return None
        self.worlds.append(World(depth, (), None))
        return len(self.worlds) - 1

    def mention(self, key: Key) -> None:
        """A formula mentions that relation, so that it and the relations that the theory relates to it must exist."""
        if key not in self._mentioned:
            self._mentioned[key] = None
            for other in related(self.operators, key[0]):
                self.mention((other, key[1]))

    def want(self, key: Key, source: int) -> None:
        """Something holds of all successors: those that must be there will be."""
        if (key, source) not in self._wanted:
            self._wanted[key, source] = None
            if "reflexive" in self.conditions[key[0]]:
                for world in self.members(key, source):
                    self.derive(key, world, world, world)

    def witness(self) -> None:
        """Give a wanted world the successors that it must have and lacks."""
        self.budget.spend(len(self._wanted) * len(self.worlds))
        for key, source in list(self._wanted):
            for other in self.narrower[key[0]]:
                if (other, key[1]) in self._mentioned and {"reflexive", "serial"} & self.conditions[other]:
                    for world in self.members(key, source):
                        self.want((other, key[1]), self.source((other, key[1]), world))
            if "transitive" in self.conditions[key[0]]:
                for world in list(self.edges.get((key, source), ())):
                    self.want(key, self.source(key, world))
        for key, source in () if self.news else self._wanted:
            if "serial" in self.conditions[key[0]] and TRUE not in self.edges.get((key, source), {}).values():
                made = self.function(key, source) if "functional" in self.conditions[key[0]] else None
                if made is not None or self.successor(key, source):
                    return

    def function(self, key: Key, source: int) -> int | None:
        """The one successor along a functional relation; None: too deep."""
        made_by = self.worlds[source].made_by
        if "reflexive" in self.conditions[key[0]]:
            return source
        if "symmetric" in self.conditions[key[0]] and made_by and made_by[0] == key:
            return made_by[1]
        if (key, source) not in self._functions:
            made = self.successor(key, source)
            self._functions[key, source] = None if made is None else made[0]
        return self._functions[key, source]

    def derive(self, key: Key, base: int, world: int, seen: int, premises: Sequence[int] = ()) -> None:
        """An edge from `world` to `seen`: it is there if `base` exists and the premises are true."""
        source = self.source(key, world)
        edge = self.edges.get((key, source), {}).get(seen)
        needed = [-premise for premise in premises if premise != TRUE]
        exists = self.worlds[base].exists
        self.budget.spend()
        if edge == TRUE or (edge is not None and -edge in needed):
            return
        if edge is None:
            sure = not needed and set(exists) <= set(self.worlds[source].exists)
            edge = TRUE if sure else self.clauses.fresh()
            self._edge(key, source, seen, edge)
            if "functional" in self.conditions[key[0]] and seen != source:
                self.loose = True  # perhaps two terms for the same world, which is not derived
        self.clauses.add((*needed, *exists, edge))

    def _edge(self, key: Key, source: int, seen: int, literal: int) -> None:
        self.edges.setdefault((key, source), {})[seen] = literal
        self.news.append((key, source, seen, literal))

    def follow(self, key: Key, source: int, seen: int, edge: int) -> None:
        """Derive the edges that the frame conditions demand for an edge together with the others."""
        (name, agent), conditions = key, self.conditions[key[0]]
        here = self.edges[key, source]
        self.budget.spend(len(self.edges))
        if "symmetric" in conditions:
            self.derive(key, source, seen, source, (edge,))
        if "euclidean" in conditions:
            for other, literal in list(here.items()):
                self.derive(key, source, seen, other, (edge, literal))
                self.derive(key, source, other, seen, (edge, literal))
        if "transitive" in conditions:
            for other, literal in list(self.edges.get((key, self.source(key, seen)), {}).items()):
                self.derive(key, source, source, other, (edge, literal))
            for (other_key, before), leads in list(self.edges.items()):
                if other_key == key:
                    self.budget.spend(len(leads))
                    for world, literal in list(leads.items()):
                        if self.source(key, world) == source:
                            self.derive(key, before, before, seen, (literal, edge))
        for world in self.members(key, source):
            self._passed_on(key, world, seen, edge)
        for watcher in self.operators[name].introspected_by:
            for (other_key, before), leads in list(self.edges.items()):
                if other_key == (watcher, agent):
                    self.budget.spend(len(leads))
                    for world, literal in list(leads.items()):
                        if self.source(key, world) == source:
                            for member in self.members(other_key, before):
                                self.derive(key, member, member, seen, (literal, edge))

    def _passed_on(self, key: Key, member: int, seen: int, edge: int) -> None:
        """Derive the edges of other operators for an edge that `member` has, or shares with its source."""
        name, agent = key
        for wider in self.operators[name].within:
            self.derive((wider, agent), member, member, seen, (edge,))
        for other, frame in self.operators.items():
            if name in frame.introspected_by:
                inner = other, agent
                for world, literal in list(self.edges.get((inner, self.source(inner, seen)), {}).items()):
                    self.derive(inner, member, member, world, (edge, literal))


def _relational(operators: Mapping[str, Frame]) -> dict[str, Frame]:
    """The operators that have a relation, as they are related to each other."""
    kept = {name: frame for name, frame in operators.items() if frame.kind in ("box", "diamond")}
    return {
        name: replace(
            frame,
            within=tuple(other for other in frame.within if other in kept),
            introspected_by=tuple(other for other in frame.introspected_by if other in kept),
        )
        for name, frame in kept.items()
    }


def _wider(name: str, operators: Mapping[str, Frame]) -> list[str]:
    """The operators whose relation contains that of `name`: `within`, step by step."""
    wider = [name]
    for each in wider:
        wider += [other for other in operators[each].within if other not in wider]
    return wider
