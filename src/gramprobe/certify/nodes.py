"""Core formulas as a shared graph: equal parts are one node, however often they occur.

A node knows its free variables, whether it is rigid (has one value in all worlds), and the *places* at which
its variables stand. Places are argument positions; if a variable stands at two, both take the same individuals and
are in one class (sort inference: Abadi, Rabinovich & Sagiv 2010; Claessen & Soerensson 2003).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gramprobe.certify.classical import Core, Problem
from gramprobe.certify.reject import Budget

_PARTS = {"not": 1, "and": 1, "or": 1, "box": 3, "neighbourhood": 3, "here": 1, "all": 3, "some": 3, "atleast": 4}


@dataclass(slots=True, eq=False, kw_only=True)
class Node:
    """A formula whose parts are shared.

    Attributes:
        number: Its index among the nodes of the problem.
        kind: The head of `core`, such as `and` or `box`.
        core: The formula.
        parts: The nodes of its immediate subformulas.
        places: A place of each free variable.
        free: The free variables.
        rigid: Whether it has the same value in all worlds.
        place: The place of the variable that the node binds, else -1.
    """

    number: int
    kind: str
    core: Core
    parts: tuple[Node, ...]
    places: dict[str, int]
    free: tuple[str, ...]
    rigid: bool
    place: int


class Nodes:
    """The nodes of one problem. `constants`: the places of each constant; `relations`: operators with their agents.

    Without `inferred`, all places are in one class.
    """

    def __init__(self, problem: Problem, budget: Budget, inferred: bool = True) -> None:
        self.budget, self.inferred = budget, inferred
        self.constants: dict[str, dict[int, None]] = {}
        self.relations: dict[tuple[str, Core | None], None] = {}
        self._nodes: dict[tuple[Any, ...], Node] = {}
        self._known: dict[int, tuple[Core, Node]] = {}  # by identity; holding the formula keeps its number taken
        self._classes: list[int] = []
        self._places: dict[tuple[Any, ...], int] = {}
        for name, frame in problem.operators.items():
            for other in (*frame.within, *frame.introspected_by):
                self._join(self.place(("agent", name)), self.place(("agent", other)))

    def node(self, core: Core) -> Node:
        """The node of a formula."""
        known = self._known.get(id(core))
        if known is None:
            self.budget.spend()
            known = self._known[id(core)] = core, self._node(core)
        return known[1]

    def class_of(self, place: int) -> int:
        """The class of a place: places of one class share their universe."""
        classes = self._classes
        if not self.inferred:
            return 0
        while classes[place] != place:
            place = classes[place] = classes[classes[place]]
        return place

    def place(self, position: tuple[Any, ...]) -> int:
        """The number of an argument position, as (predicate, 0) or ("agent", operator)."""
        place = self._places.get(position)
        if place is None:
            place = self._places[position] = len(self._classes)
            self._classes.append(place)
        return place

    def _node(self, core: Core) -> Node:
        kind = core[0]
        if kind in ("true", "false"):
            return self._made(core, core, (), {}, True)
        if kind in ("atom", "equal") and core in self._nodes:
            return self._nodes[core]
        if kind == "atom":
            terms = [((core[1], number), term) for number, term in enumerate(core[2:])]
            return self._made(core, core, (), self._terms(terms), False)
        if kind == "equal":
            left, right = (core, 0), (core, 1)
            places = self._terms([(left, core[1]), (right, core[2])])
            self._join(self.place(left), self.place(right))
            return self._made(core, core, (), places, True)
        first = 3 if kind == "most" else _PARTS[kind]
        parts = tuple([self.node(part) for part in core[first:]])
        key = (*core[:first], *[part.number for part in parts])
        known = self._nodes.get(key)
        if known is not None and kind not in ("box", "neighbourhood"):
            self.budget.spend(sum([len(part.places) for part in parts]))  # as `_merged`, which has done it
            return known
        places = self._merged([part.places for part in parts])
        rigid = kind == "here" or (kind not in ("box", "neighbourhood") and all(part.rigid for part in parts))
        if kind in ("box", "neighbourhood"):
            self.relations[core[1], core[2]] = None
            agent = {} if core[2] is None else self._terms([(("agent", core[1]), core[2])])
            places = self._merged([places, agent])
        elif kind in ("all", "some", "atleast", "most"):
            variable = core[2] if kind == "atleast" else core[1]
            place = places.pop(variable, None)
            return self._made(key, core, parts, places, rigid, self.place(key) if place is None else place)
        return self._made(key, core, parts, places, rigid)

    def _made(
        self,
        key: tuple[Any, ...],
        core: Core,
        parts: tuple[Node, ...],
        places: dict[str, int],
        rigid: bool,
        place: int = -1,
    ) -> Node:
        node = self._nodes.get(key)
        if node is None:
            node = Node(
                number=len(self._nodes),
                kind=core[0],
                core=core,
                parts=parts,
                places=places,
                free=tuple(places),
                rigid=rigid,
                place=place,
            )
            self._nodes[key] = node
        return node

    def _terms(self, terms: Iterable[tuple[tuple[Any, ...], Core]]) -> dict[str, int]:
        """The places of the variables among the terms, each at its argument position; adds those of constants to
        `constants`."""
        places: dict[str, int] = {}
        for position, (kind, name) in terms:
            place = self.place(position)
            if kind == "const":
                self.constants.setdefault(name, {})[place] = None
            elif name in places:
                self._join(places[name], place)
            else:
                places[name] = place
        return places

    def _join(self, one: int, other: int) -> None:
        self._classes[self.class_of(one)] = self.class_of(other)

    def _merged(self, tables: list[dict[str, int]]) -> dict[str, int]:
        filled = [table for table in tables if table]
        self.budget.spend(sum(map(len, filled)))
        if len(filled) < 2:
            return dict(filled[0]) if filled else {}
        merged = dict(filled[0])
        for table in filled[1:]:
            for name, place in table.items():
                if name in merged:
                    self._join(merged[name], place)
                else:
                    merged[name] = place
        return merged
