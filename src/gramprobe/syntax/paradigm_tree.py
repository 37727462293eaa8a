"""The lines of a `.paradigm` file, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gramprobe.source.span import Span
from gramprobe.syntax.tree import Broken, Condition, ScaleLine, Word


@dataclass(frozen=True, slots=True)
class Restriction:
    """``kind=animal`` or, for a drawn feature, bare values."""

    feature: Word | None
    values: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    names: tuple[Word, ...]
    category: Word
    restrictions: tuple[Restriction, ...]
    by: tuple[Word, ...]
    where: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """``Clause(t, owner, act)``, ``owner`` or ``change.pre``; ``arguments`` is None for a reference."""

    name: Word
    column: Word | None
    arguments: tuple[Term, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class Let:
    name: Word
    term: Term


@dataclass(frozen=True, slots=True)
class ConditionLine:
    """A named tree under ``premise`` or ``hypothesis``."""

    heading: str
    name: Word
    term: Term
    redraws: tuple[tuple[Word, Term], ...]
    reading: Word | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A label after `expect`: ``entailment``, or with a column ``literal neutral``."""

    column: Word | None
    label: Word


@dataclass(frozen=True, slots=True)
class ReadingClaim:
    """``fits "every > a", "a > every"``: the readings that a pair claims; ``of_all``: `any` or `none` instead."""

    kind: Literal["fits", "entailed"]
    words: tuple[Word, ...]
    of_all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    premises: tuple[Word, ...]
    hypotheses: tuple[Word, ...]
    claims: tuple[Claim, ...]
    tag: Word | None
    via: Word | None
    span: Span
    claim: ReadingClaim | None = None
    share: Word | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """``balance owner, other``: the draws whose roles the companion swaps."""

    draws: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Allow:
    gate: Word
    because: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Paradigm:
    """A whole paradigm file; ``settings`` holds the lines of names or texts by keyword (``theory``, ``uses``)."""

    name: Word
    settings: dict[str, tuple[Word, ...]]
    draws: tuple[Draw, ...]
    where: tuple[Condition, ...]
    lets: tuple[Let, ...]
    conditions: tuple[ConditionLine, ...]
    pairs: tuple[Pair, ...]
    allows: tuple[Allow, ...]
    broken: tuple[Broken, ...] = ()
    scale: ScaleLine | None = None
    balances: tuple[Balance, ...] = ()
