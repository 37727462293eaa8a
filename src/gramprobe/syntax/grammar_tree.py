"""The declarations of a `.gram` file, as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from gramprobe.source.diagnostic import Span
from gramprobe.syntax.tree import Broken, Case, Condition, Node, Operand, Term, Uses, Word, names_in, relations


class Feature(Node, frozen=True):
    name: Word
    values: tuple[Word, ...]


class Group(Node, frozen=True):
    name: Word
    feature: Annotated[Word, "feature"]
    values: Annotated[tuple[Word, ...], "value"]


class Column(Node, frozen=True):
    """A feature (``num``), a fixed feature (``class=named``) or a typed column (``object: class*``).

    ``added``: an `extend` line adds it to the category, so that tables of words may lack it.
    """

    name: Word
    fixed: Annotated[tuple[Word, ...], "value"] = ()
    type: Annotated[Word | None, "category | feature"] = None
    is_set: bool = False
    optional: bool = False
    added: bool = False


class Type(Node, frozen=True):
    """A basic type or a function type, curried to the right."""

    text: str
    span: Span


class Category(Node, frozen=True, kw_only=True):
    name: Word
    columns: tuple[Column, ...]
    type: Type | None
    file: Word | None
    forms: tuple[Word, ...]
    single_form: bool
    #: tables that `extend table` lines add
    more_files: tuple[Word, ...] = ()

    @property
    def files(self) -> tuple[Word, ...]:
        """All tables with its words."""
        return (*(() if self.file is None else (self.file,)), *self.more_files)


class Constant(Node, frozen=True):
    names: tuple[Word, ...]
    type: Type


class Row(Node, frozen=True):
    cells: Annotated[tuple[Word, ...], "value | word"]
    quoted: tuple[bool, ...]


class Relation(Node, frozen=True):
    name: Word
    left: Operand
    right: Operand
    rows: tuple[Row, ...]


class ConstraintLine(Node, frozen=True):
    """``constraint agree sv = NP.num``: what is broken where a part has another value of the feature than it must."""

    name: Word
    features: tuple[Operand, ...]


class Claimed(Node, frozen=True):
    """``partitive not existential "atleast 2 x. (n(x), true)"``: what a value claims; the text: what is presupposed."""

    value: Annotated[Word, "value"]
    property: Word
    presupposed: Word | None = None


class ClaimLine(Node, frozen=True):
    """``claim NP.strength weak existential | strong not existential``: what values of a feature say about meanings."""

    feature: Operand
    rows: tuple[Claimed, ...]


class AlsoLine(Node, frozen=True):
    """``also V1 as V2 unless takes_object = no``: words of one category are read as words of another one, too."""

    category: Annotated[Word, "category"]
    other: Annotated[Word, "category"]
    column: Word | None = None
    values: Annotated[tuple[Word, ...], "value"] = ()


class Former(Node, frozen=True):
    """``former StrongNo "Negative(no, n)"``: the name of a constructor that is gone, and what is written instead."""

    name: Word
    instead: Word


class Table(Node, frozen=True):
    name: Word
    keys: Annotated[tuple[Word, ...], "feature"]
    result: Annotated[Word | None, "feature"]
    rows: tuple[Row, ...]
    #: whether some row could not be read
    broken: bool = False


class Argument(Node, frozen=True):
    name: Word
    category: Annotated[Word, "category"]
    modifiers: tuple[Word, ...]


class Computed(Node, frozen=True):
    """``finite(t, s.num)``: a table's value."""

    table: Annotated[Word, "table"]
    values: tuple[Value, ...]


Value = Operand | Computed


class Text(Node, frozen=True):
    """A quoted word of a ``lin``."""

    word: Word


class Words(Node, frozen=True):
    """An argument's words, with the features that they are requested to have."""

    name: Annotated[Word, "argument"]
    requests: Annotated[tuple[tuple[Word, Value], ...], "feature"]


class Lookup(Node, frozen=True):
    """A word out of a table."""

    table: Annotated[Word, "table"]
    values: tuple[Value, ...]


class Held(Node, frozen=True):
    """``v.particle``: the words that a column of an argument's word holds."""

    operand: Operand


class Region(Node, frozen=True):
    """``|verb``: here a region of the sentence begins."""

    name: Word


Atom = Text | Words | Lookup | Held | Region


class Lin(Node, frozen=True):
    """The words of a case: atoms, with ``glued[i]`` if no space stands between atom i and the atom before it."""

    cases: tuple[Case, ...]
    atoms: tuple[Atom, ...]
    glued: tuple[bool, ...]
    unsaid: Annotated[tuple[Word, ...], "argument"]
    span: Span


def operands(line: Lin) -> Iterator[Operand]:
    """The operands of the lookups, requests and columns of a line, in order."""
    for value in _values(line):
        yield from operands_of(value)


def _values(line: Lin) -> Iterator[Value]:
    """The values that a line requests, looks words up by, or has the words of, in order."""
    for atom in line.atoms:
        match atom:
            case Words(_, requests):
                yield from (value for _, value in requests)
            case Lookup(_, values):
                yield from values
            case Held(operand):
                yield operand
            case _:
                pass


def operands_of(value: Value) -> Iterator[Operand]:
    """The operands of a value, those of a table among them."""
    if isinstance(value, Computed):
        for inner in value.values:
            yield from operands_of(inner)
    else:
        yield value


class Sem(Node, frozen=True):
    """A meaning; with ``reading`` a further meaning in the same case, and the id of its reading; with ``conveys`` what
    is conveyed beside the meaning."""

    cases: tuple[Case, ...]
    formula: Annotated[Word, "formula"]
    reading: Word | None = None
    conveys: bool = False


class Scope(Node, frozen=True):
    """``scope "two" above "not" trace k.value``; ``exceptional``: it may leave islands; ``in_place``: it stays."""

    cases: tuple[Case, ...]
    name: Word
    above: tuple[Word, ...]
    trace: Word | Operand | None = None
    exceptional: bool = False
    in_place: bool = False


class Refers(Node, frozen=True):
    """``refers "a", "some"``: an anaphor and the scope names that its antecedent may have."""

    cases: tuple[Case, ...]
    names: tuple[Word, ...]
    span: Span


class Branch(Node, frozen=True):
    """``as [k=one] A(n) in place``: what a definition stands for in a case; ``in_place``: its noun phrases stay."""

    cases: tuple[Case, ...]
    term: Term
    in_place: bool
    span: Span


class Carry(Node, frozen=True):
    """``carry gap[num] by line as gap``: what is carried upward through a sentence, with its features; ``constraint``:
    what is wrong with a sentence in which it is left."""

    name: Word
    features: Annotated[tuple[Word, ...], "feature"]
    by_line: bool = False
    constraint: Word | None = None


class Carrying(Node, frozen=True):
    """A line of a constructor about what is carried.

    ``how``: ``carries gap[num=n]`` (`values`), ``gap through o``, ``gap through all`` (`all`), ``barrier gap c as
    adjunct``, or ``fills``, ``binds``, ``licenses`` (``licenses unlicensed v by s``).
    """

    how: str
    kind: Word
    cases: tuple[Case, ...]
    arguments: Annotated[tuple[Word, ...], "argument"]
    span: Span
    values: tuple[tuple[Word, Value], ...] = ()
    by: Annotated[Word | None, "argument"] = None
    constraint: Word | None = None


class Function(Node, frozen=True, kw_only=True):
    """A ``fun`` with the lines below it, or a ``define`` (then it has ``branches`` and no words or meaning)."""

    name: Word
    arguments: tuple[Argument, ...]
    result: Annotated[Word, "category"]
    features: tuple[Case, ...]
    where: tuple[Condition, ...]
    lins: tuple[Lin, ...]
    sems: tuple[Sem, ...]
    scopes: tuple[Scope, ...]
    #: whether a line below it could not be read
    broken: bool = False
    refers: tuple[Refers, ...] = ()
    carrying: tuple[Carrying, ...] = ()
    #: features of the result that an argument or a table gives: ``N[onset=a.onset]``, ``NP[num=number(q)]``
    computed: Annotated[tuple[tuple[Word, Value], ...], "feature"] = ()
    defined: bool = False
    branches: tuple[Branch, ...] = ()


class Sentence(Node, frozen=True):
    """``sentence S "."``: trees of this category are whole sentences, and end in the quoted text.

    ``continues``: they go on from a sentence before them, and begin with a small letter.
    """

    category: Annotated[Word, "category"]
    final: Word
    continues: bool = False


class LanguageName(Node, frozen=True):
    """``language french``: the sentences are those of the language in ``languages/french.toml``."""

    name: Word


class ReadingName(Node, frozen=True):
    """``reading "de re" = "a > attitude"``: the name that the field has for these orders of scope."""

    name: Word
    orders: tuple[Word, ...]


class OperatorKind(Node, frozen=True):
    """``operators universal = "every", "each"``: the kind of the operators that take scope by these names."""

    kind: Word
    names: tuple[Word, ...]


class MoreValues(Node, frozen=True):
    """``extend feature class = spirit``"""

    name: Annotated[Word, "feature"]
    values: tuple[Word, ...]


class MoreMembers(Node, frozen=True):
    """``extend group person = spirit``"""

    name: Annotated[Word, "group"]
    values: Annotated[tuple[Word, ...], "value"]


class MoreColumns(Node, frozen=True):
    """``extend cat N with freq: number``"""

    name: Annotated[Word, "category"]
    columns: tuple[Column, ...]


class MoreWords(Node, frozen=True):
    """``extend table nouns from my_nouns.tsv``: the table of words by its name without the suffix."""

    name: Word
    file: Word


class MoreRows(Node, frozen=True):
    """``extend table article`` with rows."""

    name: Annotated[Word, "table"]
    rows: tuple[Row, ...] = ()
    broken: bool = False


class MorePairs(Node, frozen=True):
    """``extend relation suits(tense, VP.aspect)`` with rows; the operands may be left out."""

    name: Annotated[Word, "relation"]
    operands: tuple[Operand, ...]
    rows: tuple[Row, ...]


class MoreLines(Node, frozen=True):
    """``extend fun Clause`` with the lines below it."""

    name: Annotated[Word, "constructor"]
    lins: tuple[Lin, ...] = ()
    sems: tuple[Sem, ...] = ()
    scopes: tuple[Scope, ...] = ()
    refers: tuple[Refers, ...] = ()
    carrying: tuple[Carrying, ...] = ()
    broken: bool = False


Extension = MoreValues | MoreMembers | MoreColumns | MoreWords | MoreRows | MorePairs | MoreLines
Declaration = (
    Feature
    | Group
    | Category
    | Constant
    | Relation
    | ConstraintLine
    | ClaimLine
    | AlsoLine
    | Former
    | Table
    | Carry
    | Function
    | Sentence
    | LanguageName
    | ReadingName
    | OperatorKind
    | Broken
)
GrammarLine = Uses | Extension | Declaration


def mentioned(line: Declaration) -> Iterator[str]:
    """The categories, features, tables and relations that a declaration mentions."""
    match line:
        case Function():
            yield line.result.text
            yield from (argument.category.text for argument in line.arguments)
            for lin in line.lins:
                yield from tables(lin)
            for _, value in line.computed:
                yield from _tables_of(value)
            yield from relations(line.where)
            for branch in line.branches:
                yield from names_in(branch.term)
            yield from (each.kind.text for each in line.carrying)
        case Carry():
            yield from (feature.text for feature in line.features)
        case Relation():
            yield from (line.left.name.text, line.right.name.text)
        case Category():
            for column in line.columns:
                yield column.name.text if column.type is None else column.type.text
        case Table():
            yield from (key.text for key in line.keys)
            if line.result is not None:
                yield line.result.text
        case _:
            pass


def tables(line: Lin) -> Iterator[str]:
    """The tables that a line looks words or values up in."""
    yield from (atom.table.text for atom in line.atoms if isinstance(atom, Lookup))
    for value in _values(line):
        yield from _tables_of(value)


def _tables_of(value: Value) -> Iterator[str]:
    if isinstance(value, Computed):
        yield value.table.text
        for inner in value.values:
            yield from _tables_of(inner)
