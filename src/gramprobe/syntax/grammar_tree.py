"""The declarations of a `.gram` file, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gramprobe.source.span import Span
from gramprobe.syntax.tree import Broken, Case, Condition, Operand, Word


@dataclass(frozen=True, slots=True)
class Feature:
    name: Word
    values: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Group:
    name: Word
    feature: Word
    values: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A feature (``num``), a fixed feature (``class=named``) or a typed column (``object: class*``)."""

    name: Word
    fixed: tuple[Word, ...] = ()
    type: Word | None = None
    is_set: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Type:
    """A basic type or a function type, curried to the right."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    name: Word
    columns: tuple[Column, ...]
    type: Type | None
    file: Word | None
    forms: tuple[Word, ...]
    single_form: bool


@dataclass(frozen=True, slots=True)
class Constant:
    names: tuple[Word, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[Word, ...]
    quoted: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    name: Word
    left: Operand
    right: Operand
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Table:
    name: Word
    keys: tuple[Word, ...]
    result: Word | None
    rows: tuple[Row, ...]
    #: whether some row could not be read
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    name: Word
    category: Word
    modifiers: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Computed:
    """``finite(t, s.num)``: a table's value."""

    table: Word
    values: tuple[Value, ...]


Value = Operand | Computed


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted word of a ``lin``."""

    word: Word


@dataclass(frozen=True, slots=True)
class Words:
    """An argument's words, with the features that are requested of it."""

    name: Word
    requests: tuple[tuple[Word, Value], ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """A word out of a table."""

    table: Word
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Lin:
    """The words of a case: atoms, with ``glued[i]`` if no space stands between atom i and the atom before it."""

    cases: tuple[Case, ...]
    atoms: tuple[Text | Words | Lookup, ...]
    glued: tuple[bool, ...]
    unsaid: tuple[Word, ...]
    span: Span


def operands(line: Lin) -> Iterator[Operand]:
    """The operands of the lookups and requests of a line, in order."""
    for atom in line.atoms:
        match atom:
            case Words(_, requests):
                for _, value in requests:
                    yield from _operands_of(value)
            case Lookup(_, values):
                for value in values:
                    yield from _operands_of(value)
            case _:
                pass


def _operands_of(value: Value) -> Iterator[Operand]:
    if isinstance(value, Computed):
        for inner in value.values:
            yield from _operands_of(inner)
    else:
        yield value


@dataclass(frozen=True, slots=True)
class Sem:
    """A meaning; with ``reading`` a further meaning in the same case, and the id of its reading."""

    cases: tuple[Case, ...]
    formula: Word
    reading: Word | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """``scope "two" above "not" trace k.value``; ``exceptional``: it may leave islands."""

    cases: tuple[Case, ...]
    name: Word
    above: tuple[Word, ...]
    trace: Word | Operand | None = None
    exceptional: bool = False


@dataclass(frozen=True, slots=True)
class Refers:
    """``refers "a", "some"``: an anaphor and the scope names that its antecedent may have."""

    cases: tuple[Case, ...]
    names: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A ``fun`` with the lines below it."""

    name: Word
    arguments: tuple[Argument, ...]
    result: Word
    features: tuple[Case, ...]
    where: tuple[Condition, ...]
    lins: tuple[Lin, ...]
    sems: tuple[Sem, ...]
    scopes: tuple[Scope, ...]
    #: whether a line below it could not be read
    broken: bool = False
    refers: tuple[Refers, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """``sentence S "."``: trees of this category are whole sentences, and end in the quoted text."""

    category: Word
    final: Word


@dataclass(frozen=True, slots=True)
class ReadingName:
    """``reading "de re" = "a > attitude"``: the name that the field has for these orders of scope."""

    name: Word
    orders: tuple[Word, ...]


GrammarLine = Feature | Group | Category | Constant | Relation | Table | Function | Sentence | ReadingName | Broken
