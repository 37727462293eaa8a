"""The conditions that the frames of a theory put on the worlds in view, as tables of types (see `types`).

A *transfer* (X, Y): where X holds, Y holds at every world in view. A *demand* (P, Q, F, G): where P and Q hold, F and G
have different values at some world in view. The worlds in view are the successors of a relation, or all worlds. Every
line below is a condition that the frames must meet, and docs/theory/propositional-modal.md has its proof; operators
with sets of worlds follow the schemata of Chellas 1980, ch. 7-8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from gramprobe.certify.classical import Core, Frame, consequences

Table: TypeAlias = int
Key: TypeAlias = tuple[str, Core | None]
Transfer: TypeAlias = tuple[Table, Table]
Demand: TypeAlias = tuple[Table, Table, Table, Table]

CONSISTENT = {"reflexive", "serial", "functional"}
SETTLED = {"serial", "transitive", "euclidean"}


class Box(NamedTuple):
    """The tables of a box and its body, and their complements."""

    box: Table
    not_box: Table
    body: Table
    not_body: Table


def by_sets(frame: Frame) -> bool:
    """Whether an operator has sets of worlds, not a relation."""
    return frame.kind in ("neighbourhood", "dual")


class Views:
    """The views of a problem. `boxes`: those of every key (operator, agent); `every`: the table of all types;
    `negated`: the complement of a table.
    """

    def __init__(
        self,
        operators: Mapping[str, Frame],
        boxes: Mapping[Key, Sequence[Box]],
        every: Table,
        negated: Callable[[Table], Table],
    ) -> None:
        self.operators, self.boxes, self.every, self.negated = operators, boxes, every, negated
        self.relations = [key for key in boxes if not by_sets(operators[key[0]])]
        self._own = {key: list(self._of_relation(key)) for key in self.relations}

    def transfers(self, key: Key) -> Iterator[Transfer]:
        """The transfers of a relation: its own, those of the relations that it is within, and, of a symmetric relation,
        the same backwards (if not Y here, then not X there).
        """
        for wider in self._wider(key):
            yield from self._own[wider]
            if "symmetric" in consequences(self.operators[wider[0]]):
                for widest in self._wider(wider):
                    yield from ((self.negated(y), self.negated(x)) for x, y in self._own[widest])

    def demands(self, key: Key) -> Iterator[Demand]:
        """The demands of a relation: a world for each box that is not true, and some world if it is serial.

        So too for the boxes of operators with sets of worlds that it is within: a formula that holds at all successors
        is one of the sets, and if no two of the sets may be disjoint, each holds at some successor.
        """
        for box in self.boxes[key]:
            yield box.not_box, self.every, self.every, box.body
        if "serial" in consequences(self.operators[key[0]]):
            yield self.every, self.every, self.every, 0
        for (operator, agent), boxes in self.boxes.items():
            frame = self.operators[operator]
            if by_sets(frame) and agent == key[1] and key[0] in frame.within:
                for box in boxes:
                    yield box.not_box, self.every, self.every, box.body
                    if consequences(frame) & CONSISTENT:
                        yield box.box, self.every, box.body, 0

    def of_sets(self) -> Iterator[Demand]:
        """The demands on all worlds: two formulas are the same set if they have the same value at every world."""
        for (operator, agent), boxes in self.boxes.items():
            frame = self.operators[operator]
            if by_sets(frame):
                for one in boxes:
                    for other in boxes:
                        yield from self._of_pair(one, other, frame.conditions)
            for name in frame.within:
                if by_sets(frame) and by_sets(self.operators[name]):
                    for wide in self.boxes[name, agent]:
                        yield from ((wide.box, box.not_box, wide.body, box.body) for box in boxes)
                        if consequences(frame) & CONSISTENT:
                            yield from ((wide.box, box.box, wide.body, box.not_body) for box in boxes)
            for name in frame.introspected_by:
                if by_sets(self.operators[name]):
                    for outer in self.boxes[name, agent]:
                        yield from ((box.box, outer.not_box, outer.body, box.box) for box in boxes)

    def _of_pair(self, one: Box, other: Box, conditions: frozenset[str]) -> Iterator[Demand]:
        yield one.box, other.not_box, one.body, other.body
        if "reflexive" in conditions and one is other:
            yield one.box, one.not_body, 0, 0
        if conditions & CONSISTENT:
            yield one.box, other.box, one.body, other.not_body
        if "functional" in conditions:
            yield one.not_box, other.not_box, one.body, other.not_body
        if "transitive" in conditions:
            yield one.box, other.not_box, one.box, other.body
        if "euclidean" in conditions:
            yield one.not_box, other.not_box, one.not_box, other.body
        if "symmetric" in conditions:
            yield one.not_body, other.not_box, one.not_box, other.body

    def _of_relation(self, key: Key) -> Iterator[Transfer]:
        operator, agent = key
        conditions, faces = consequences(self.operators[operator]), self._faces(key)
        for face in faces:
            yield face.box, face.body
            if "transitive" in conditions:
                yield face.box, face.box
            if "euclidean" in conditions:
                yield face.not_box, face.not_box
                yield self.every, face.not_box | face.body
                for outer in faces:  # of the same relation: box f, where its box is a bit too
                    if outer.body == face.box:
                        yield self.every, face.not_box | outer.box
        for name in self.operators[operator].within:
            if by_sets(self.operators[name]):
                yield from ((wide.box, wide.body) for wide in self.boxes[name, agent])
        for name, frame in self.operators.items():
            if operator in frame.introspected_by and (name, agent) in self.boxes:
                settled = consequences(frame) >= SETTLED and not by_sets(frame)
                for face in self._faces((name, agent)):
                    yield face.box, face.box
                    if settled:
                        yield face.not_box, face.not_box

    def _faces(self, key: Key) -> Sequence[Box]:
        """The boxes of a key; of a functional relation, not box f is a box too: box not f."""
        boxes, frame = self.boxes[key], self.operators[key[0]]
        if "functional" not in frame.conditions or by_sets(frame):
            return boxes
        return [*boxes, *[Box(not_box, box, not_body, body) for box, not_box, body, not_body in boxes]]

    def _wider(self, key: Key) -> list[Key]:
        wider = [key]
        for operator, agent in wider:
            for name in self.operators[operator].within:
                if (name, agent) not in wider and not by_sets(self.operators[name]):
                    wider.append((name, agent))
        return wider
