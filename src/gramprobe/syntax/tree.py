"""The statements of an author as data: names are texts with spans, and are not looked up yet.

This module has the records that the three languages share; the others are in :mod:`~gramprobe.syntax.grammar_tree`,
:mod:`~gramprobe.syntax.paradigm_tree` and :mod:`~gramprobe.syntax.theory_tree`. A field's type says which declarations
its names stand for, the first one first: ``Annotated[Word, "category | feature"]``; `resolve.uses` goes by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from msgspec import Struct

from gramprobe.source.diagnostic import Span


class Node(Struct, frozen=True, array_like=True, tag=True, tag_field="class"):
    """Part of a tree. In JSON it is an array of the name of its class and its fields."""


class Word(Node, frozen=True):
    """A name, number or quoted text (without its quotes), with its place."""

    text: str
    span: Span


class Operand(Node, frozen=True):
    """``x`` or ``x.column``."""

    name: Word
    column: Word | None = None

    @property
    def text(self) -> str:
        return self.name.text + (f".{self.column.text}" if self.column else "")


class Sum(Node, frozen=True):
    """A side of a comparison of numbers: ``s.freq + 10``; ``terms`` are signs and operands, ``constant`` a number."""

    terms: tuple[tuple[str, Operand], ...]
    constant: str

    @property
    def text(self) -> str:
        number = [("-", self.constant[1:])] if self.constant.startswith("-") else [("+", self.constant)]
        terms = [(sign, operand.text) for sign, operand in self.terms]
        terms += number if self.constant != "0" or not terms else []
        return " ".join(f"{sign} {term}" for sign, term in terms).removeprefix("+ ")


class Condition(Node, frozen=True):
    """One condition of a ``where``.

    Attributes:
        kind: ``a.x = b.x``, ``a != b``, ``relation(a, b)``, ``a.n <= b.n + 1`` (all comparisons of numbers), or several
            of which one must hold.
        name: the name of the relation, or the sign of the comparison.
        operands: the operands, from left to right.
        span: the place of the condition.
        sums: the sides of a comparison of numbers.
        parts: the conditions of which one must hold.
        constraint: the name that it has in a grammar, ``agree sv``; None where none is written.
    """

    kind: Literal["=", "!=", "relation", "numbers", "either"]
    name: Annotated[Word | None, "relation"]
    operands: tuple[Operand, ...]
    span: Span
    sums: tuple[Sum, ...] = ()
    parts: tuple[Condition, ...] = ()
    constraint: Word | None = None

    @property
    def text(self) -> str:
        """The condition as it may be written: ``selects(v, o)``, ``v.aspect = state | event``."""
        name = self.name.text if self.name is not None else ""
        match self.kind:
            case "either":
                return " | ".join(part.text for part in self.parts)
            case "relation":
                return f"{name}({', '.join(operand.text for operand in self.operands)})"
            case "numbers":
                return f" {name} ".join(side.text for side in self.sums)
        return f" {self.kind} ".join(operand.text for operand in self.operands)


class Case(Node, frozen=True):
    """``mode=plain`` or ``v.polarity=pos|neg`` in the brackets of ``lin`` and ``sem``."""

    operand: Operand
    values: Annotated[tuple[Word, ...], "value | group"]


class Term(Node, frozen=True):
    """``Clause(t, owner, act)``, ``owner`` or ``change.pre``; ``arguments`` is None for a reference."""

    name: Annotated[Word, "argument | draw | let | constructor | word | value"]
    column: Word | None
    arguments: tuple[Term, ...] | None
    span: Span


class Uses(Node, frozen=True, kw_only=True):
    """``uses english.determiners only Every, Some as Two``: a module, and what of it is used.

    Attributes:
        module: the dotted name.
        only: the constructors that are used; None for all.
        excluded: the declarations that are left out.
        renamed: pairs of the name of a constructor and the name that it gets.
    """

    module: Annotated[Word, "module"]
    only: Annotated[tuple[Word, ...] | None, "constructor"] = None
    excluded: Annotated[tuple[Word, ...], "constructor | category | feature | table | constant | relation | group"] = ()
    renamed: Annotated[tuple[tuple[Word, Word], ...], "constructor"] = ()

    @property
    def selects(self) -> bool:
        """Whether the module is not used as it is."""
        return self.only is not None or bool(self.excluded or self.renamed)


class UsesLine(Node, frozen=True):
    """A ``uses`` line."""

    modules: tuple[Uses, ...]


class Broken(Node, frozen=True):
    """A statement that could not be read. ``names``: the names that it probably declares; ``mentioned``: all names."""

    keyword: str
    names: tuple[str, ...]
    mentioned: tuple[str, ...]


class ScaleLine(Node, frozen=True):
    """``scale some, all``: words from weak to strong; ``atleast 2`` is a word here, and in a paradigm ``g.weak``."""

    members: tuple[Word, ...]


def relations(where: Iterable[Condition]) -> Iterator[str]:
    """The relations that conditions name."""
    for condition in where:
        if condition.kind == "relation" and condition.name is not None:
            yield condition.name.text
        yield from relations(condition.parts)


def names_in(term: Term) -> Iterator[str]:
    """The names in a term: constructors, draws, words, values."""
    yield term.name.text
    for argument in term.arguments or ():
        yield from names_in(argument)
