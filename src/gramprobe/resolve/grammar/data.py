"""The declarations of grammar files, with every name looked up."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from gramprobe.language import Language, english
from gramprobe.source.diagnostic import Span
from gramprobe.syntax.grammar_tree import Branch, Lin
from gramprobe.syntax.grammar_tree import Carrying as WrittenCarrying
from gramprobe.syntax.grammar_tree import Value as WrittenValue
from gramprobe.syntax.tree import Case, Condition, Word

if TYPE_CHECKING:
    from gramprobe.formula.ast import Argument as Argument_
    from gramprobe.resolve.grammar.types import Type

Given = TypeVar("Given")
#: the content of a column of a lexeme: a value, a set of values, a number
Cell = str | tuple[str, ...] | int | Decimal
#: the types of columns that hold numbers: whole ones, and decimal ones
NUMBERS = ("number", "decimal")
#: the type of columns that hold words, which a `lin` says with `v.particle`
WORDS = "words"


@dataclass(frozen=True, slots=True)
class Feature:
    """A closed set of values, with named groups of them."""

    name: str
    values: tuple[str, ...]
    span: Span
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def expand(self, value: str) -> tuple[str, ...]:
        """The values that a value or the name of a group stands for."""
        return self.groups.get(value, (value,))


class Column(Struct, frozen=True):
    """A typed column of a category: values of a feature, lexemes of a category, numbers, or words.

    An ``optional`` column may hold ``-``, which is read as an empty text (in a set, an empty tuple). An ``added`` one
    was declared by an `extend` line: tables may lack it, which is like ``-``.
    """

    name: str
    type: str
    is_set: bool
    optional: bool
    span: Span
    added: bool = False


class Lexeme(Struct, frozen=True, kw_only=True):
    """One row of a lexicon file. ``id`` is its symbol in formulas and in the ids of instances."""

    id: str
    category: str
    index: int
    forms: Mapping[str, str]
    columns: Mapping[str, Cell]
    span: Span

    @property
    def is_verb(self) -> bool:
        """Whether it has more than two forms, as verbs have."""
        return len(self.forms) > 2


@dataclass(slots=True, kw_only=True)
class Category:
    """A category.

    Attributes:
        name: as declared.
        features: the features that vary.
        fixed: the features with the same values for all its words and phrases.
        columns: the typed columns of its words.
        type: its semantic type; None where it has no meaning of its own.
        span: the place of its declaration.
        files: the tables of its words; empty for a category of built trees.
        form_features: the features whose values choose the column with the words; none for a single form.
        form_names: the columns with the words.
        form_columns: the column for each choice of values of the form features.
        file_spans: the places where the tables are named.
        lexemes: its words.
        by_id: its words by their ids.
        memory: what later passes make of its words once for all grammars that share it.
    """

    name: str
    features: tuple[str, ...]
    fixed: dict[str, tuple[str, ...]]
    columns: dict[str, Column]
    type: Type | None
    span: Span
    files: tuple[str, ...] = ()
    form_features: tuple[str, ...] = ()
    form_names: tuple[str, ...] = ()
    form_columns: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    file_spans: tuple[Span, ...] = ()
    lexemes: list[Lexeme] = field(default_factory=list)
    by_id: dict[str, Lexeme] = field(default_factory=dict)
    memory: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def form(self, requests: Mapping[str, str]) -> str:
        """The column with the words for requested values. Raises KeyError where there is none."""
        if not self.form_features:
            return self.form_names[0]
        return self.form_columns[tuple(requests[feature] for feature in self.form_features)]

    def form_values(self, feature: str) -> tuple[str, ...]:
        """The values of a form feature for which there is some form."""
        at = self.form_features.index(feature)
        return tuple(dict.fromkeys(values[at] for values in self.form_columns))

    @property
    def lexical(self) -> bool:
        return bool(self.files)

    @property
    def known(self) -> tuple[str, ...]:
        """Every name that may follow a dot."""
        return tuple(dict.fromkeys([*self.features, *self.fixed, *self.columns, *(["id"] if self.lexical else [])]))


class Relation(Struct, frozen=True, kw_only=True):
    """A relation between two columns: membership (no ``pairs``), or the listed pairs of values.

    A name may be declared for several pairs of categories. ``left`` and ``right`` are pairs of category and column;
    ``rows``: the pairs of values as they are written.
    """

    name: str
    left: tuple[str, str]
    right: tuple[str, str]
    pairs: frozenset[tuple[Cell, Cell]] | None
    span: Span
    rows: tuple[tuple[Word, Word], ...] = ()

    @property
    def named(self) -> tuple[str, str, str]:
        """Its name and its sides as they are written: ``suits``, ``tense``, ``VP.aspect``."""
        left, right = (name if name == column else f"{name}.{column}" for name, column in (self.left, self.right))
        return self.name, left, right


class Claim(Struct, frozen=True, kw_only=True):
    """What a value of a feature says about the meanings of the constructors that give it to their result.

    Attributes:
        feature: the category and its feature.
        value: of the feature.
        property: a key of :data:`gramprobe.resolve.grammar.claims.PROPERTIES`.
        holds: whether the meanings have the property, or lack it.
        presupposed: what is presupposed beside the meaning, of the noun ``n``.
        span: the place of the property.
    """

    feature: tuple[str, str]
    value: str
    property: str
    holds: bool
    presupposed: Argument_ | None
    span: Span


class Also(Struct, frozen=True):
    """Words of a ``category`` are read as words of the ``other``, too, unless a ``column`` has one of the values."""

    category: str
    other: str
    column: str | None
    values: frozenset[str]


class Table(Struct, frozen=True):
    """A function from values of the features ``keys`` to words, or to values of the feature ``result``."""

    name: str
    keys: tuple[str, ...]
    result: str | None
    cells: dict[tuple[str, ...], str]
    span: Span


class Argument(Struct, frozen=True):
    """An argument of a constructor: of a category, or of a feature (then it has no words).

    ``head``: it gives its features to the whole; ``island``: quantifiers cannot leave it; ``repeats``: the number of
    the argument whose words it has once more. An author writes that one twice, and terms give one tree for both.
    """

    name: str
    category: str
    is_feature: bool
    head: bool
    island: bool
    repeats: int | None = None


class Constant(Struct, frozen=True):
    """A value, or words, that a line writes out."""

    text: str


class Operand(Struct, frozen=True):
    """A value that each use of a constructor decides: ``t``, ``s.num``, ``mode``.

    ``text``: as it is written. ``argument``: the number of the argument that has it, with the ``column`` (None: the
    argument is the value itself); None for a feature that the constructor around requests.
    """

    text: str
    argument: int | None
    column: str | None
    span: Span


class Lookup(Struct, frozen=True):
    """What a table gives for some values."""

    table: str
    values: tuple[Value, ...]


Value = Constant | Operand | Lookup


class ArgumentWords(Struct, frozen=True):
    """The words of an argument (its number), with the features that they are requested to have."""

    argument: int
    requests: tuple[tuple[str, Value], ...]
    span: Span


class Line(Struct, frozen=True):
    """A ``lin`` with its names looked up and groups of values spelled out: what every pass but the realiser reads.

    Attributes:
        cases: operands, each with the values for which the line is meant.
        atoms: words (constants, operands, lookups) and parts, in order.
        glued: for each atom, whether no space stands before it.
    """

    cases: tuple[tuple[Operand, frozenset[str]], ...]
    atoms: tuple[Value | ArgumentWords, ...]
    glued: tuple[bool, ...]

    @property
    def parts(self) -> tuple[ArgumentWords, ...]:
        return tuple(atom for atom in self.atoms if isinstance(atom, ArgumentWords))

    @property
    def values(self) -> Iterator[Constant | Operand]:
        """What stands in a case, is requested, or gives words, in order; the values inside of lookups too."""
        yield from (operand for operand, _ in self.cases)
        for atom in self.atoms:
            for value in [v for _, v in atom.requests] if isinstance(atom, ArgumentWords) else [atom]:
                yield from leaves(value)


def leaves(value: Value) -> Iterator[Constant | Operand]:
    """The values that a value is made of."""
    if isinstance(value, Lookup):
        for inner in value.values:
            yield from leaves(inner)
    else:
        yield value


class Meaning(Struct, frozen=True):
    """One ``sem`` line: cases, and the term as a formula over the arguments' names.

    With ``reading`` it is a further meaning in the same case, and gives a reading with this id. With ``conveys`` it is
    no meaning: what a sentence conveys beside its meaning if it asserts or denies what the constructor makes.
    """

    cases: tuple[Case, ...]
    formula: Argument_
    text: str
    span: Span
    reading: str = ""
    conveys: bool = False

    def find(self, name: str) -> Span:
        """The last place of a name in the text, as a whole word; else the whole text."""
        places = list(re.finditer(rf"(?<![\w.]){re.escape(name)}(?![\w.])", self.text))
        return self.span.at(places[-1].start(), len(name)) if places else self.span


class Scope(Struct, frozen=True):
    """One ``scope`` line: in these cases the constructor takes scope by this name, above these operators at least.

    ``trace`` is the number of a numeral with a plural trace: an argument and its column (``k.value``), or the number
    itself. With ``exceptional``, the constructor may take scope out of islands; with ``in_place``, it has the scope of
    its place and no other, as a polarity item has (Ladusaw 1979).
    """

    cases: tuple[Case, ...]
    name: str
    above: tuple[str, ...]
    trace: str | None = None
    exceptional: bool = False
    in_place: bool = False


class Refers(Struct, frozen=True):
    """One ``refers`` line: the constructor is an anaphor, and its antecedent takes scope by one of these names."""

    cases: tuple[Case, ...]
    names: tuple[str, ...]
    span: Span


class Carried(Struct, frozen=True):
    """A ``carry`` line: something that is carried upward through a sentence, with its features.

    ``by_line``: it passes only where a line says so; ``constraint``: what is wrong where it is left.
    """

    name: str
    features: tuple[str, ...]
    by_line: bool
    constraint: str
    span: Span


class Carrying(Struct, frozen=True, kw_only=True):
    """A line of a constructor about what is carried, in these cases (`syntax.grammar_tree.Carrying`).

    ``equal``: the features that must be those of the argument ``by``; ``related``: feature, column of ``by``, and the
    pairs of values of which one must hold.
    """

    written: WrittenCarrying
    how: str
    kind: str
    cases: tuple[tuple[Operand, frozenset[str]], ...] = ()
    arguments: tuple[int, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()
    by: int | None = None
    equal: tuple[str, ...] = ()
    related: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = ()
    constraint: str

    @property
    def consulted(self) -> Iterator[Constant | Operand]:
        """The values on which it depends what the line says."""
        yield from (operand for operand, _ in self.cases)
        for _, value in self.values:
            yield from leaves(value)


class Constructor(Struct, frozen=True, kw_only=True):
    """A ``fun``: the type, words and meaning of a way to build a tree."""

    name: str
    arguments: tuple[Argument, ...]
    result: str
    fixed: Mapping[str, tuple[str, ...]]
    where: tuple[Condition, ...]
    #: its words as they are written, which the realiser reads by itself; and with names looked up, for everybody else
    lins: tuple[Lin, ...]
    lines: tuple[Line, ...]
    sems: tuple[Meaning, ...]
    scopes: tuple[Scope, ...]
    span: Span
    #: whether a line below it could not be read: then it may have further words or meanings
    broken: bool = False
    refers: tuple[Refers, ...] = ()
    #: what it does with what is carried upward
    carrying: tuple[Carrying, ...] = ()
    #: features of the result that an argument or a table gives
    computed: Mapping[str, WrittenValue] = {}
    #: how many arguments at the end are what a definition stands for, one a case; None for a `fun`
    branches: int | None = None

    @property
    def decided(self) -> frozenset[str]:
        """The features of the result that the constructor decides itself, whatever its head has."""
        return frozenset(self.fixed) | frozenset(self.computed)

    @property
    def given(self) -> tuple[Argument, ...]:
        """The arguments that a term gives: those that repeat none."""
        return tuple(argument for argument in self.declared if argument.repeats is None)

    def filled(self, given: Sequence[Given]) -> tuple[Given, ...]:
        """What is given for :attr:`given`, and for the arguments that repeat some of these."""
        each = iter(given)
        found: list[Given] = []
        for argument in self.arguments:
            found.append(next(each) if argument.repeats is None else found[argument.repeats])
        return tuple(found)

    @property
    def head(self) -> Argument | None:
        return next((a for a in self.arguments if a.head), None)

    @property
    def unsaid(self) -> tuple[str, ...]:
        """The arguments that no ``lin`` has the words of: a reader of the sentence does not learn what they are."""
        said = {part.argument for line in self.lines for part in line.parts}
        return tuple(a.name for index, a in enumerate(self.arguments) if not a.is_feature and index not in said)

    @property
    def cases(self) -> tuple[tuple[Case, ...], ...]:
        """The cases of all its lines but ``lin``."""
        lines = (*(m.cases for m in self.sems), *(s.cases for s in self.scopes), *(r.cases for r in self.refers))
        return tuple(lines)

    def argument(self, name: str) -> int | None:
        for number, argument in enumerate(self.arguments):  # asked for at every part of a meaning
            if argument.name == name:
                return number
        return None

    @property
    def declared(self) -> tuple[Argument, ...]:
        """The arguments that a term gives it."""
        return self.arguments[: len(self.arguments) - (self.branches or 0)]


class Definition(Struct, frozen=True):
    """A ``define``: what is written in its place. It adds no words, no meaning and no tree to the grammar.

    ``chooser``: a constructor whose last arguments are the trees of the ``branches``, of which it is the one whose case
    holds: a tree has it until the values are known that decide (`words.settled`). ``holder``: the same with a single
    branch, for where these are known at once, and there is a `where`.
    """

    chooser: Constructor
    holder: Constructor
    branches: tuple[Branch, ...]

    @property
    def span(self) -> Span:
        return self.chooser.span


@dataclass(slots=True, kw_only=True)
class Grammar:
    """Everything that grammar files and lexicon declare."""

    features: dict[str, Feature] = field(default_factory=dict)
    categories: dict[str, Category] = field(default_factory=dict)
    constructors: dict[str, Constructor] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    relations: dict[str, list[Relation]] = field(default_factory=dict)
    constants: dict[str, Type] = field(default_factory=dict)
    sentences: dict[str, str] = field(default_factory=dict)
    #: categories of sentences that go on from another one, and begin with a small letter
    continuing: set[str] = field(default_factory=set)
    #: how its sentences are written
    language: Language = field(default_factory=english)
    #: order of scope -> the name that the field has for readings with this order
    readings: dict[str, str] = field(default_factory=dict)
    #: name of a scope -> the kind of operator that takes scope by it
    kinds: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    #: the name of a constructor that is gone -> what is written instead
    former: dict[str, str] = field(default_factory=dict)
    #: category and feature -> the constraint that a part with another value breaks; `form` where there is none
    constraints: dict[tuple[str, str], str] = field(default_factory=dict)
    #: words that are read as words of another category, too
    also: tuple[Also, ...] = ()
    #: what values of features say about meanings
    claims: tuple[Claim, ...] = ()
    #: what is carried upward, by name
    carried: dict[str, Carried] = field(default_factory=dict)
    #: results that later passes compute once for all paradigms of the grammar
    memory: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    #: the same of its constructors and words alone, which grammars share that are parts of one grammar
    shared: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    #: names whose declarations could not be read: their absence is not reported again
    unread: frozenset[str] = frozenset()
    #: the content that it was resolved from (`resolve.memory`): equal content means equal grammars
    content: Hashable = field(default=None, repr=False, compare=False)
    #: whether all of its files are shipped
    is_shipped: bool = field(default=False, repr=False, compare=False)

    def lexeme(self, category: str, id: str) -> Lexeme | None:
        return self.categories[category].by_id.get(id)

    def symbols(self) -> dict[str, Lexeme]:
        """Every lexeme by its id (ids are unique in the whole lexicon)."""
        return {x.id: x for c in self.categories.values() for x in c.lexemes}

    def is_symbol(self, id: str) -> bool:
        """Whether some lexeme has this id."""
        return any(id in c.by_id for c in self.categories.values())

    def expanded(self, words: Iterable[Word]) -> frozenset[str]:
        """The values that the words of a case stand for: themselves, or the members of the group of this name."""
        if "groups" not in self.memory:
            self.memory["groups"] = {}
            for feature in self.features.values():
                for name, values in feature.groups.items():
                    self.memory["groups"].setdefault(name, []).extend(values)
        groups: dict[str, list[str]] = self.memory["groups"]
        return frozenset(value for word in words for value in (word.text, *groups.get(word.text, ())))

    @property
    def unsaid(self) -> dict[str, tuple[str, ...]]:
        """Constructor -> its arguments that no words say, where there are some."""
        return {name: each.unsaid for name, each in self.constructors.items() if each.unsaid}

    def makers(self, category: str) -> list[Constructor]:
        return [c for c in self.constructors.values() if c.result == category]

    def listed_pairs(self, relation: str) -> frozenset[tuple[Cell, Cell]]:
        """The pairs of values of all declarations of a relation; empty if it is membership."""
        return frozenset(pair for declared in self.relations[relation] for pair in declared.pairs or ())

    def related_columns(self, relation: str, categories: Sequence[str]) -> tuple[str, str] | None:
        """The columns that a relation compares in operands of these categories; None if it is not declared for them."""
        if len(categories) != 2:
            return None
        for each in self.relations[relation]:
            if [each.left[0], each.right[0]] == [*categories]:
                return each.left[1], each.right[1]
        return None
