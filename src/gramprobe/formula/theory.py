"""The logical theory as data: operators with their frame classes, meaning postulates, projection.

Frame conditions are those of the correspondence table in Blackburn, de Rijke & Venema 2001 (ch. 3); two more
relate operators: `within` (inclusion of relations: R of this operator is part of R of that one, so the
other's box entails this one's) and `introspected_by` (R of the other, then R of this one, is part of R of
this one: B p -> K B p).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gramprobe.formula.ast import Formula

Kind: TypeAlias = Literal["box", "diamond"]
Frame: TypeAlias = Literal["reflexive", "serial", "transitive", "euclidean", "symmetric", "functional"]
Projection: TypeAlias = Literal["middle", "strong", "weak"]

FRAMES: tuple[Frame, ...] = ("reflexive", "serial", "transitive", "euclidean", "symmetric", "functional")
PROJECTIONS: tuple[Projection, ...] = ("middle", "strong", "weak")


@dataclass(frozen=True, slots=True)
class Operator:
    """A modal operator: a box or a diamond over a relation of some frame class (one relation an agent)."""

    name: str
    kind: Kind
    frame: frozenset[Frame] = frozenset()
    within: tuple[str, ...] = ()
    introspected_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TheorySlice:
    """The part of a theory that a pair rests on. `distinct`: different constants denote different
    individuals.
    """

    operators: tuple[Operator, ...] = ()
    postulates: tuple[Formula, ...] = ()
    projection: Projection = "middle"
    distinct: bool = True

    def operator(self, name: str) -> Operator:
        """The operator of that name; raises KeyError."""
        for operator in self.operators:
            if operator.name == name:
                return operator
        raise KeyError(name)
