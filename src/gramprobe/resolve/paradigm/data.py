"""A resolved paradigm: draws, conditions as typed trees, pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A named sentence of the paradigm, as a tree over slots."""

    name: str
    side: str
    tree: Tree
    reading: str | None
    span: Span
    reading_span: Span | None = None


#: the labels of a row: of the formulas as they are; of premise and hypothesis strengthened; of the premise alone
COLUMNS = ("literal", "pragmatic", "premise_only")


@dataclass(frozen=True, slots=True)
class Claim:
    """What the author claims of the label of a pair in one column, where it stands."""

    column: str
    label: str
    span: Span


@dataclass(frozen=True, slots=True)
class ReadingClaim:
    """The readings that a pair is claimed to fit, or that entail its right side: ids; `any` all, `none` none."""

    kind: Literal["fits", "entailed"]
    readings: tuple[str, ...]
    every: bool
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Premise and hypothesis by name, with what the author claims of their label: in the gold column (`expect`), and
    in other ones (`claims`); or of the readings of the first (`claim`).

    ``share``: how many percent of the rows it gets (None: a row of every instance).
    """

    premise: str
    hypothesis: str
    expect: str | None
    tag: str
    via_failure: bool
    span: Span
    expect_span: Span | None
    claims: tuple[Claim, ...] = ()
    claim: ReadingClaim | None = None
    share: float | None = None

    @property
    def condition(self) -> str:
        return f"{self.premise}-{self.hypothesis}"

    def every_claim(self, gold: str) -> tuple[Claim, ...]:
        """What is claimed of the gold column and of others."""
        if self.expect is None or self.expect_span is None:
            return self.claims
        return (Claim(gold, self.expect, self.expect_span), *self.claims)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paradigm:
    """A paradigm with every name resolved. ``companion``: the balanced one, where there is a ``balance`` line;
    ``balanced_at``: the place of that line, of a companion only."""

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
    #: words from weak to strong, and slots that words fill: what strengthening denies; none: the theory's own scales
    scale: tuple[str | Slot, ...] = ()
    scale_spans: tuple[Span, ...] = ()
    gold: str = "literal"
    #: how many instances each split has, in order; empty: all are of `split`
    splits: tuple[tuple[str, int], ...] = ()
    companion: Paradigm | None = None
    balanced_at: Span | None = None

    @property
    def shared(self) -> bool:
        """Whether every instance gives one row, of the pair whose turn it is."""
        return any(pair.share is not None for pair in self.pairs)

    @property
    def paired(self) -> tuple[Condition, ...]:
        """The conditions that stand in some pair, in the order of the pairs."""
        names = dict.fromkeys(name for pair in self.pairs for name in (pair.premise, pair.hypothesis))
        return tuple(self.conditions[name] for name in names)

    @property
    def full_name(self) -> str:
        return f"{self.phenomenon}/{self.name}"

    @property
    def looked_at(self) -> int:
        """How many instances stand for the paradigm where it is looked at and not built."""
        return DEFAULT_SIZE if self.size is None else self.size

    def without_expectations(self) -> Paradigm:
        """The same paradigm, claiming nothing of any label or reading."""
        silent = (replace(pair, expect=None, expect_span=None, claims=(), claim=None) for pair in self.pairs)
        return replace(self, pairs=tuple(silent))
