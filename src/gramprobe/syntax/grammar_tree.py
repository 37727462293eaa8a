"""The declarations of a `.gram` file, as data."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from gramprobe.source.span import Span
from gramprobe.syntax.tree import Broken, Case, Condition, Operand, Word


class Feature(Struct, frozen=True):
    name: Word
    values: tuple[Word, ...]


class Group(Struct, frozen=True):
    name: Word
    feature: Word
    values: tuple[Word, ...]


class Column(Struct, frozen=True):
    """A feature (``num``), a fixed feature (``class=named``) or a typed column (``object: class*``)."""

    name: Word
    fixed: tuple[Word, ...] = ()
    type: Word | None = None
    is_set: bool = False
    optional: bool = False


class Type(Struct, frozen=True):
    """A basic type or a function type, curried to the right."""

    text: str
    span: Span


class Category(Struct, frozen=True, kw_only=True):
    name: Word
    columns: tuple[Column, ...]
    type: Type | None
    file: Word | None
    forms: tuple[Word, ...]
    single_form: bool


class Constant(Struct, frozen=True):
    names: tuple[Word, ...]
    type: Type


class Row(Struct, frozen=True):
    cells: tuple[Word, ...]
    quoted: tuple[bool, ...]


class Relation(Struct, frozen=True):
    name: Word
    left: Operand
    right: Operand
    rows: tuple[Row, ...]


class Table(Struct, frozen=True):
    name: Word
    keys: tuple[Word, ...]
    result: Word | None
    rows: tuple[Row, ...]
    #: whether some row could not be read
    broken: bool = False


class Argument(Struct, frozen=True):
    name: Word
    category: Word
    modifiers: tuple[Word, ...]


class Computed(Struct, frozen=True):
    """``finite(t, s.num)``: a table's value."""

    table: Word
    values: tuple[Value, ...]


Value = Operand | Computed


class Text(Struct, frozen=True):
    """A quoted word of a ``lin``."""

    word: Word


class Words(Struct, frozen=True):
    """An argument's words, with the features that are requested of it."""

    name: Word
    requests: tuple[tuple[Word, Value], ...]


class Lookup(Struct, frozen=True):
    """A word out of a table."""

    table: Word
    values: tuple[Value, ...]


class Lin(Struct, frozen=True):
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


class Sem(Struct, frozen=True):
    """A meaning; with ``reading`` a further meaning in the same case, and the id of its reading."""

    cases: tuple[Case, ...]
    formula: Word
    reading: Word | None = None


class Scope(Struct, frozen=True):
    """``scope "two" above "not" trace k.value``; ``exceptional``: it may leave islands."""

    cases: tuple[Case, ...]
    name: Word
    above: tuple[Word, ...]
    trace: Word | Operand | None = None
    exceptional: bool = False


class Refers(Struct, frozen=True):
    """``refers "a", "some"``: an anaphor and the scope names that its antecedent may have."""

    cases: tuple[Case, ...]
    names: tuple[Word, ...]
    span: Span


class Function(Struct, frozen=True, kw_only=True):
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


class Sentence(Struct, frozen=True):
    """``sentence S "."``: trees of this category are whole sentences, and end in the quoted text."""

    category: Word
    final: Word


class ReadingName(Struct, frozen=True):
    """``reading "de re" = "a > attitude"``: the name that the field has for these orders of scope."""

    name: Word
    orders: tuple[Word, ...]


GrammarLine = Feature | Group | Category | Constant | Relation | Table | Function | Sentence | ReadingName | Broken
