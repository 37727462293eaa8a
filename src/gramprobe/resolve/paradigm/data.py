"""A resolved paradigm: draws, conditions as typed trees, pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import prod
from typing import Literal

from msgspec import Struct

from gramprobe.resolve.tasks import Role
from gramprobe.resolve.tree import Regions, Slot, Tree
from gramprobe.source.diagnostic import Span

PAPER, SWAPPED, WHOLE = "paper", "swapped", "whole"
BUILDS = (WHOLE, PAPER)
"""What a build may take of a paradigm: every pair, or those that the file states."""
DEFAULT_SIZE = 100
"""How many instances a paradigm without a `size` line has."""


class Domain(Struct, frozen=True):
    """The members that may fill a slot: indices of lexemes of its category, or of values of its feature."""

    slot: Slot
    members: tuple[int, ...]


class Skeleton(Struct, frozen=True):
    """One way to build a drawn tree.

    Attributes:
        constructors: the names of its constructors, from the root, left to right.
        tree: the tree over slots of its own.
        domains: a domain for each of these slots.
    """

    constructors: tuple[str, ...]
    tree: Tree
    domains: tuple[Domain, ...]


class Draw(Struct, frozen=True):
    """One drawn variable.

    Attributes:
        name: as declared.
        category: the category or feature of its values.
        skeletons: the ways to fill it; for a lexeme or a feature value a single skeleton, the bare slot.
        named: whether the name of the skeleton is part of the instance's id, since there are several constructors.
        span: the place of its declaration.
    """

    name: str
    category: str
    skeletons: tuple[Skeleton, ...]
    named: bool
    span: Span

    @property
    def members(self) -> int:
        """How many words, values or phrases may be drawn, before any ``where``."""
        return sum(prod(len(domain.members) for domain in skeleton.domains) for skeleton in self.skeletons)


class Measure(Struct, frozen=True):
    """A side of a comparison of numbers: columns of trees with their signs (1 or -1), and a constant."""

    terms: tuple[tuple[int, Tree, str], ...]
    constant: Decimal


class Constraint(Struct, frozen=True):
    """A condition of a ``where`` over trees.

    Attributes:
        kind: equality, difference, a declared relation, a comparison of numbers, or several of which one must hold.
        relation: the name of the relation, or the sign of the comparison; else empty.
        operands: pairs of a tree and a column (None: the tree itself is compared); two, but for the last two kinds.
        span: the place of the condition.
        measures: the two sides of a comparison of numbers.
        parts: the conditions of which one must hold.
    """

    kind: Literal["=", "!=", "relation", "numbers", "either"]
    relation: str
    operands: tuple[tuple[Tree, str | None], ...]
    span: Span
    measures: tuple[Measure, ...] = ()
    parts: tuple[Constraint, ...] = ()


class Factor(Struct, frozen=True):
    """What an author compares.

    Attributes:
        name: as declared.
        of: what its levels are: sets of conditions, values of a draw, or values of a column of a draw's words.
        kind: `within` where every instance has each level, `between` where it has one of them, `number` where the
            column holds numbers.
        levels: the names of its levels, in order; none of a number.
        conditions: of each level, its conditions; none of a draw.
        draw, column: what is drawn; empty of conditions.
        span: the place of its name.
        sides: which of the conditions of a row have its levels: the premise, the hypothesis, or any.
    """

    name: str
    of: Literal["condition", "draw", "column"]
    kind: Literal["within", "between", "number"]
    levels: tuple[str, ...]
    span: Span
    conditions: tuple[tuple[str, ...], ...] = ()
    draw: str = ""
    column: str = ""
    sides: slice = slice(None)

    def level(self, condition: str) -> str:
        """The level that a condition has; empty if it has none."""
        return next((name for name, own in zip(self.levels, self.conditions, strict=False) if condition in own), "")


class Contrast(Struct, frozen=True):
    """A comparison that the author declares: rows by their condition, each with its weight; weights sum to 0."""

    name: str
    weights: tuple[tuple[str, float], ...]
    span: Span


class SameWords(Struct, frozen=True):
    """Regions that have the same words in all conditions of an instance, the critical one first."""

    regions: tuple[str, ...]
    span: Span


class Carried(Struct, frozen=True):
    """A column of the words of a draw that the rows repeat; ``field``: its name among the fields of `draws`."""

    draw: str
    column: str

    @property
    def field(self) -> str:
        return f"{self.draw}.{self.column}"


class Limit(Struct, frozen=True):
    """How often a word, or a value of a column, may stand in the instances of a dataset.

    Attributes:
        of: the slots that count together, each with the column whose value counts (None: the word itself).
        count: the largest number.
        span: the place of the line.
        per: the number of instances that this number is for; None: for all of them.
        text: the line, for messages.
    """

    of: tuple[tuple[Slot, str | None], ...]
    count: int
    span: Span
    per: int | None = None
    text: str = ""

    def after(self, instances: int) -> int:
        """The largest number when this many instances are there already."""
        return self.count if self.per is None else self.count * (instances // self.per + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A named sentence of the paradigm.

    Attributes:
        name: as declared.
        side: the heading above it (`premise`, `option`, ...).
        role: what it does in its instance (`resolve.tasks.Role`).
        tree: the sentence, as a tree over slots.
        reading: the id of its gold reading; None where the author names no reading.
        span: the place of its name.
        reading_span: the place of the id of the reading.
        levels: of each `cross` line that the sentence depends on, its name and the level of this sentence.
    """

    name: str
    side: str
    role: Role
    tree: Tree
    reading: str | None
    span: Span
    reading_span: Span | None = None
    levels: tuple[tuple[str, str], ...] = ()

    @property
    def may_break(self) -> bool:
        """Whether it may break a constraint of grammar: below the heading `bad`, where charts decide what it breaks."""
        return self.side == "bad"

    def goes_with(self, other: Condition) -> bool:
        """Whether two sentences stand in a pair: they have one level of each `cross` line on which both depend."""
        mine = dict(self.levels)
        return all(mine.get(name, level) == level for name, level in other.levels)


class PairClaim(Struct, frozen=True):
    """What an author claims of minimal pairs: `unique repair`, `one word`, `same words` or `same length`."""

    kind: str
    span: Span


class Solvable(Struct, frozen=True):
    """What a reader that does not reason may reach on a paradigm, with the author's reason; ``accuracy``: None where it
    is what the conditions and factors alone give away."""

    reader: str
    accuracy: float | None
    because: str
    span: Span


#: the readings of a pair: nothing strengthened, the premise strengthened, premise and hypothesis strengthened
LABEL_COLUMNS = ("literal", "pragmatic", "imppres")
#: what a pair line claims of the label over the models in which the hypothesis has a value (von Fintel 1999)
STRAWSON = "strawson"
CLAIMED = (*LABEL_COLUMNS, STRAWSON)
#: the `gold` of a graded set: its rows have the labels of these readings, and none of them is the right answer
NO_GOLD = "none"


class NamedTheory(Struct, frozen=True):
    """A theory whose labels stand beside those of the paradigm's own, with the place where it is named."""

    name: str
    span: Span


class At(Struct, frozen=True):
    """Which instances a claim is about: the name of a slot and its members, or of a `cross` line and its levels."""

    name: str
    members: tuple[int, ...] = ()
    levels: tuple[str, ...] = ()


class Claim(Struct, frozen=True):
    """The label of a pair in one column, as the author claims it, with the place of the claim; ``at``: of the instances
    for which all of these hold."""

    column: str
    label: str
    span: Span
    at: tuple[At, ...] = ()

    def about(self, levels: Mapping[str, str]) -> Claim | None:
        """The claim about the sentences of these levels of `cross` lines; None if it is about others."""
        if any(at.levels and levels.get(at.name, "") not in at.levels for at in self.at):
            return None
        drawn = tuple(at for at in self.at if not at.levels)
        return self if drawn == self.at else Claim(self.column, self.label, self.span, drawn)


class ReadingClaim(Struct, frozen=True):
    """A claim about the readings of a pair's left side: the right side fits them, or they entail it.

    Attributes:
        kind: `fits`, or `entailed` where the right side is a hypothesis.
        readings: the ids of the claimed readings; empty for `any` and `none`.
        every: whether the claim is `any`: all readings.
        span: the place of the claim.
    """

    kind: Literal["fits", "entailed"]
    readings: tuple[str, ...]
    every: bool
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two conditions for which a label is derived.

    Attributes:
        premise: the name of the left condition.
        hypothesis: the name of the right condition.
        expect: the claimed label of the gold column; None where the author claims no such label.
        tag: `target`, or the tag of the line.
        via_failure: whether a presupposition failure counts as contradiction.
        span: the place of the `pair` line.
        expect_span: the place of ``expect``.
        claims: the claimed labels of other columns.
        claim: in a task about readings, the claim about the readings of the left condition.
        share: percent of the rows; None: every instance has a row of this pair.
        published: the label that the paper gives; empty where the author names none.
        design: `paper` for a pair that the file states, `swapped` for one that a `balance` line adds.
        graded: whether its rows have no gold label: they are scored by correlation and not by accuracy.
        measured: how often people draw the inference: the draw whose words have the columns `records.MEASURES`, or what
            these hold for one word; empty where the author names none.
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
    published: str = ""
    design: str = "paper"
    graded: bool = False
    measured: str | tuple[str, ...] = ()

    @property
    def condition(self) -> str:
        return f"{self.premise}-{self.hypothesis}"

    def every_claim(self, gold: str) -> tuple[Claim, ...]:
        """The claims about the gold column and the other columns."""
        if self.expect is None or self.expect_span is None:
            return self.claims
        return (Claim(gold, self.expect, self.expect_span), *self.claims)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paradigm:
    """A paradigm with every name resolved.

    With ``balance`` lines, its conditions and pairs are those that the file states and those with swapped premises;
    ``swapped`` are the swapped premises, and ``balanced_at`` is the place of the first line. :attr:`paper` has the
    stated pairs alone.
    """

    name: str
    phenomenon: str
    about: str
    citation: str
    theory: str  # empty: its task has none
    theory_span: Span | None
    task: str
    size: int | None  # None: every instance of the space
    split: str
    draws: tuple[Draw, ...]
    constraints: tuple[Constraint, ...]
    conditions: dict[str, Condition]
    pairs: tuple[Pair, ...]
    allows: dict[str, str]
    span: Span
    size_span: Span | None = None
    #: words from weak to strong, and slots that words fill, for strengthening; empty: the theory's own scales
    scale: tuple[str | Slot, ...] = ()
    scale_spans: tuple[Span, ...] = ()
    gold: str = "literal"
    #: the readings in which its pairs are decided, of :data:`LABEL_COLUMNS`
    columns: tuple[str, ...] = LABEL_COLUMNS[:1]
    #: how many instances each split has, in order; empty: all are of `split`
    splits: tuple[tuple[str, int], ...] = ()
    #: codes of the languages of its sentences (BCP 47), the licence of the data, its authors, the works to cite
    languages: tuple[str, ...] = ()
    licence: str = ""
    authors: tuple[str, ...] = ()
    cite: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    carried: tuple[Carried, ...] = ()
    solvable: tuple[Solvable, ...] = ()
    #: what is compared; levels that no condition has together, with the author's reason
    factors: tuple[Factor, ...] = ()
    empty_cells: tuple[tuple[frozenset[str], str], ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    #: what is a region of sentences beside what `lin` lines mark, and regions that are compared
    regions: Regions = field(default_factory=dict)
    same_words: tuple[SameWords, ...] = ()
    #: `frozen`: no noun phrase takes scope, `free`: those of definitions do, too; empty: as the grammar says
    scope: str = ""
    #: the constraint that bad sentences break, and what is claimed of pairs
    constraint: str = ""
    pair_claims: tuple[PairClaim, ...] = ()
    #: theories whose labels the rows have, those together that are said to give the same labels
    theories: tuple[tuple[NamedTheory, ...], ...] = ()
    swapped: dict[str, Condition] = field(default_factory=dict)
    balanced_at: Span | None = None

    @property
    def paper(self) -> Paradigm:
        """The paradigm as its file states it, over the same instances: without pairs that ``balance`` adds."""
        if self.balanced_at is None:
            return self
        conditions = {name: each for name, each in self.conditions.items() if name not in self.swapped}
        pairs = tuple(pair for pair in self.pairs if pair.design == PAPER)
        return replace(self, conditions=conditions, pairs=pairs, balanced_at=None)

    def in_design(self, design: str) -> Paradigm:
        """The paradigm in one of :data:`BUILDS`."""
        return self.paper if design == PAPER else self

    def gold_of(self, pair: Pair) -> str:
        """The gold column of a pair, or :data:`NO_GOLD`."""
        return NO_GOLD if pair.graded else self.gold

    @property
    def graded(self) -> bool:
        """Whether none of its rows has a gold label."""
        return bool(self.pairs) and all(pair.graded for pair in self.pairs)

    @property
    def shared(self) -> bool:
        """Whether every instance gives one row, of a single pair, so that pairs have shares of the rows."""
        return any(pair.share is not None for pair in self.pairs)

    @property
    def paired(self) -> tuple[Condition, ...]:
        """The conditions that occur in some pair, in the order of the pairs."""
        names = dict.fromkeys(name for pair in self.pairs for name in (pair.premise, pair.hypothesis))
        return tuple(self.conditions[name] for name in names)

    @property
    def draw_fields(self) -> list[str]:
        """The fields of the column `draws`: the draws, and the columns of their words that are carried."""
        return [*(draw.name for draw in self.draws), *(each.field for each in self.carried)]

    @property
    def full_name(self) -> str:
        return f"{self.phenomenon}/{self.name}"

    @property
    def sample_size(self) -> int:
        """How many instances represent the paradigm where it is inspected and not built."""
        return DEFAULT_SIZE if self.size is None else self.size

    def without_expectations(self) -> Paradigm:
        """The same paradigm without claims about labels or readings."""
        silent = (replace(pair, expect=None, expect_span=None, claims=(), claim=None) for pair in self.pairs)
        return replace(self, pairs=tuple(silent))
