"""The lines of a `.paradigm` file, as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from gramprobe.source.diagnostic import Span
from gramprobe.syntax.tree import Broken, Condition, Node, Operand, ScaleLine, Uses, Word, relations
from gramprobe.syntax.tree import Term as Term
from gramprobe.syntax.tree import names_in as names_in


class Restriction(Node, frozen=True):
    """``kind=animal`` or, for a drawn feature, bare values."""

    feature: Annotated[Word | None, "feature | column"]
    values: Annotated[tuple[Word, ...], "value | group | word"]


class Draw(Node, frozen=True):
    names: tuple[Word, ...]
    category: Annotated[Word, "category | feature"]
    restrictions: tuple[Restriction, ...]
    by: Annotated[tuple[Word, ...], "constructor"]
    where: tuple[Condition, ...]
    #: how often a category may stand inside itself; None: never
    depth: Word | None = None


class Let(Node, frozen=True):
    name: Word
    term: Term


class Breaking(Node, frozen=True):
    """``breaking agree sv in c as past``: the constraint that a sentence breaks, the `let` line in whose tree it does
    (None: the outermost use), and the value that stands instead (None: the other one of two)."""

    constraint: Word
    within: Annotated[Word | None, "let"] = None
    value: Annotated[Word | None, "value"] = None


class ConditionLine(Node, frozen=True):
    """A named tree under ``premise`` or ``hypothesis``, or a text of several: ``p = Assert(a), Assert(b)``."""

    heading: str
    name: Word
    terms: tuple[Term, ...]
    redraws: Annotated[tuple[tuple[Word, Term], ...], "draw"]
    reading: Word | None
    breaking: Breaking | None = None


class At(Node, frozen=True):
    """``q = every | no``: a draw, a column of its words or a `cross` line, with some of its values."""

    operand: Operand
    values: tuple[Word, ...]


class Claim(Node, frozen=True):
    """A label after `expect`: ``entailment``, or with a column ``literal neutral``; ``at``: of which instances (`where
    q = every`)."""

    column: Word | None
    label: Word
    at: tuple[At, ...] = ()


class ReadingClaim(Node, frozen=True):
    """``fits "every > a", "a > every"``: the readings that a pair claims; ``of_all``: `any` or `none` instead."""

    kind: Literal["fits", "entailed"]
    words: tuple[Word, ...]
    of_all: bool


class Pair(Node, frozen=True, kw_only=True):
    premises: Annotated[tuple[Word, ...], "condition"]
    hypotheses: Annotated[tuple[Word, ...], "condition"]
    claims: tuple[Claim, ...]
    tag: Word | None
    via: Word | None
    span: Span
    claim: ReadingClaim | None = None
    share: Word | None = None
    published: Word | None = None
    measured: Word | None = None
    gold: Word | None = None


class Alike(Node, frozen=True):
    """``presupposition = presupposition-weak``: theories that are said to give the same labels on the paradigm."""

    names: Annotated[tuple[Word, ...], "theory"]


class Theories(Node, frozen=True):
    """``theories presupposition = presupposition-weak, presupposition-strong``: whose labels stand in the rows."""

    alike: tuple[Alike, ...]


class Balance(Node, frozen=True):
    """``balance owner, other``: the draws that change places in the premises of swapped pairs."""

    draws: Annotated[tuple[Word, ...], "draw"]
    span: Span


class Limit(Node, frozen=True):
    """``each word at most 2 times``, or of draws (``each noun``) and of values of a column (``each noun.class``).

    ``per``: the number of instances that the count is for (``in 100``).
    """

    of: tuple[Operand, ...]
    count: Word
    per: Word | None = None


class Carry(Node, frozen=True):
    """``carry freq, noun.length``: columns of drawn words."""

    columns: tuple[Operand, ...]


class Allow(Node, frozen=True):
    gate: Word
    because: Word


class Level(Node, frozen=True):
    """``subject: src_the, src_a``: a level of a factor, and its conditions."""

    name: Word
    conditions: tuple[Word, ...]


class Factor(Node, frozen=True):
    """``factor clause = subject: src | object: orc``, ``factor q = draw quantifier``, ``factor length = noun.length``.

    One of ``levels``, ``draw`` and ``column`` is given.
    """

    name: Word
    levels: tuple[Level, ...] = ()
    draw: Word | None = None
    column: Operand | None = None


class Contrast(Node, frozen=True):
    """``contrast gap = orc_the - 0.5 src_the - 0.5 src_you``: conditions with their signed weights."""

    name: Word
    weights: tuple[tuple[str, Word], ...]


class Cross(Node, frozen=True):
    """``cross q = every, no``: a condition that mentions `q` stands for several, one with each level in its place."""

    name: Word
    levels: Annotated[tuple[Word, ...], "word | value"]


class EmptyCell(Node, frozen=True):
    """``empty object*plural because "..."``: levels that no condition has together."""

    levels: tuple[Word, ...]
    because: Word


class Region(Node, frozen=True):
    """``region verb = Passive, Clause.v``: the words of a constructor, or of an argument of one, are a region."""

    name: Word
    of: tuple[Operand, ...]


class SameWords(Node, frozen=True):
    """``same words in verb, after_verb``: regions that have the same words in all conditions of an instance."""

    regions: tuple[Word, ...]


class PairClaim(Node, frozen=True):
    """``unique repair``, ``one word``, ``same words``, ``same length``: what an author claims of minimal pairs."""

    kind: Literal["unique repair", "one word", "same words", "same length"]
    span: Span


class Solvable(Node, frozen=True):
    """``solvable by premise 0.80 because "..."``: what a reader that does not reason may reach; without a number, what
    the conditions alone give away."""

    reader: Word
    accuracy: Word | None
    because: Word


class Paradigm(Node, frozen=True, kw_only=True):
    """A whole paradigm file; ``settings`` holds the lines of names or texts by keyword (``theory``, ``size``)."""

    name: Word
    settings: dict[str, tuple[Word, ...]]
    uses: tuple[Uses, ...] = ()
    draws: tuple[Draw, ...] = ()
    where: tuple[Condition, ...] = ()
    lets: tuple[Let, ...] = ()
    conditions: tuple[ConditionLine, ...] = ()
    pairs: tuple[Pair, ...] = ()
    allows: tuple[Allow, ...] = ()
    broken: tuple[Broken, ...] = ()
    scale: ScaleLine | None = None
    balances: tuple[Balance, ...] = ()
    limits: tuple[Limit, ...] = ()
    carried: tuple[Operand, ...] = ()
    solvable: tuple[Solvable, ...] = ()
    theories: tuple[Alike, ...] = ()
    factors: tuple[Factor, ...] = ()
    empty_cells: tuple[EmptyCell, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    crosses: tuple[Cross, ...] = ()
    regions: tuple[Region, ...] = ()
    same_words: tuple[SameWords, ...] = ()
    pair_claims: tuple[PairClaim, ...] = ()

    @property
    def base(self) -> Word | None:
        """The full name of the paradigm that it is made from, `presupposition/only`; None if it stands by itself."""
        words = self.settings.get("paradigm", ())
        return Word("/".join(word.text for word in words[1:]), words[1].span) if len(words) > 1 else None

    def mentioned(self) -> Iterator[str]:
        """The names of its draws, trees and conditions, some of which are those of declarations of a grammar."""
        for draw in self.draws:
            yield draw.category.text
            yield from (word.text for word in draw.by)
            yield from relations(draw.where)
        yield from relations(self.where)
        for term in (*(let.term for let in self.lets), *(t for condition in self.conditions for t in condition.terms)):
            yield from names_in(term)
        for condition in self.conditions:
            for _, term in condition.redraws:
                yield from names_in(term)
