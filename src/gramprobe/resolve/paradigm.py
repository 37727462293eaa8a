"""A resolved paradigm: draws, conditions as typed trees, pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from gramprobe.resolve.declarations import Grammar
from gramprobe.resolve.tree import Slot, Tree
from gramprobe.source.span import Span

DEFAULT_SIZE = 100
"""Instances of a paradigm that does not say how many."""


@dataclass(frozen=True, slots=True)
class Domain:
    """What a slot may be filled with: indices of lexemes of its category, or of values of its feature."""

    slot: Slot
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Skeleton:
    """One way to build a drawn tree: its constructors in order, the tree over its own slots, their domains."""

    constructors: tuple[str, ...]
    tree: Tree
    domains: tuple[Domain, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """One drawn variable. A lexeme or feature value has one skeleton, the bare slot."""

    name: str
    category: str
    skeletons: tuple[Skeleton, ...]
    named: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition of a ``where`` over trees: equality or difference of columns, or a declared relation."""

    kind: Literal["=", "!=", "relation"]
    relation: str
    operands: tuple[tuple[Tree, str | None], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Condition:
    """A named sentence of the paradigm, as a tree over slots."""

    name: str
    side: str
    tree: Tree
    reading: str | None
    span: Span
    reading_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """The readings that a pair is claimed to fit (or that entail its right side): ids, or all (`any`), or none."""

    kind: Literal["fits", "entailed"]
    readings: tuple[str, ...]
    every: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Pair:
    """Premise and hypothesis by name, with what the author claims of their label, or of the readings of the first."""

    premise: str
    hypothesis: str
    expect: str | None
    tag: str
    via_failure: bool
    span: Span
    expect_span: Span | None
    claim: Claim | None = None

    @property
    def condition(self) -> str:
        return f"{self.premise}-{self.hypothesis}"


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A paradigm with every name resolved."""

    name: str
    phenomenon: str
    about: str
    citation: str
    theory: str
    theory_span: Span
    task: str
    size: int | None  # None: every instance there is
    split: str
    draws: tuple[Draw, ...]
    constraints: tuple[Constraint, ...]
    conditions: dict[str, Condition]
    pairs: tuple[Pair, ...]
    allows: dict[str, str]
    span: Span
    size_span: Span | None = None

    @property
    def full_name(self) -> str:
        return f"{self.phenomenon}/{self.name}"

    @property
    def looked_at(self) -> int:
        """How many instances stand for the paradigm where it is looked at and not built."""
        return DEFAULT_SIZE if self.size is None else self.size

    def without_expectations(self) -> Paradigm:
        """The same paradigm, claiming nothing of any label or reading."""
        return replace(self, pairs=tuple(replace(p, expect=None, expect_span=None, claim=None) for p in self.pairs))


def relation_for(name: str, categories: list[str], grammar: Grammar) -> tuple[str, str] | None:
    """The columns that the declared relation compares for operands of these categories."""
    if len(categories) != 2:
        return None
    for relation in grammar.relations[name]:
        if [relation.left[0], relation.right[0]] == categories:
            return relation.left[1], relation.right[1]
    return None
