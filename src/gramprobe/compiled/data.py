"""The records of a compiled grammar, and their JSON.

A tree is built from the bottom up. A word fits a daughter, or a whole tree does, if it has the daughter's category and
agrees with every feature that the daughter names; a feature whose value is null has the same value in the mother and in
the daughter that is her head. Nothing else is open: tables, cases, groups and requests are written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import field

from gramprobe.language import Language, one_of
from gramprobe.records import Record

VERSION: Literal[3] = 3

#: feature -> its value; None for the value that mother and head share
Features = dict[str, str | None]


class Daughter(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a production with words of its own: the number of the argument, and what it must be.

    ``constraints``: feature -> the constraint that is broken where the part has another value. ``others``: feature ->
    the values that the same line asks for where another part has another value, with which that part is at fault.
    ``handed``: the features of which the mother has the part's own value.
    """

    argument: int
    category: str
    features: Features
    constraints: dict[str, str]
    others: dict[str, tuple[str, ...]] = field(default_factory=dict)
    handed: tuple[str, ...] = ()


class Carried(Record, frozen=True, kw_only=True):
    """What may be carried upward from a part to the whole, at most one of a kind, until a production closes it.

    ``by_line``: it passes only where a production says so, else from any part. ``constraint``: what is broken where a
    sentence still carries it.
    """

    name: str
    features: tuple[str, ...]
    by_line: bool
    constraint: str


class Carrying(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What a production does with a kind of what is carried.

    Attributes:
        kind: its name.
        how: `carries`: the mother has one, with these values. `through`: it passes from these arguments; `all`: from
            all parts, which have the same one. `barrier`: it does not pass from these. `fills`: this argument has one,
            which ends here; `binds`: if it has one, it ends here; `licenses`: so it does if the values fit, and else
            it passes.
        arguments: their numbers.
        values: those of what the mother has.
        by: the number of the argument with which its values are compared.
        equal: the features that must be those of `by`.
        related: feature, feature of `by`, and the pairs of values that may be. A value that `by` does not have fits.
        constraint: what is broken where it passes a barrier, is not there to be filled, or has other values.
    """

    kind: str
    how: Literal["carries", "through", "all", "barrier", "fills", "binds", "licenses"]
    arguments: tuple[int, ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    by: int | None = None
    equal: tuple[str, ...] = ()
    related: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = ()
    constraint: str


class Production(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A way to build a tree: `mother -> daughters`, for one case and one choice of values.

    Attributes:
        constructor: the name of the constructor.
        category, features: those of the mother.
        daughters: tokens and parts, in order. An argument that is not among them has no words.
        values: argument -> its value, of arguments that are features and decide something here.
        carrying: what it does with what is carried; what is not said of a kind is done by that kind.
    """

    constructor: str
    category: str
    features: Features
    daughters: tuple[str | Daughter, ...]
    values: dict[str, str]
    carrying: tuple[Carrying, ...] = ()


class Argument(Record, frozen=True, kw_only=True):
    """An argument of a constructor. ``feature``: it is a value of a feature, not a tree; ``head``: the mother shares
    its features; ``unsaid``: no production has its words."""

    name: str
    category: str
    feature: bool
    head: bool
    unsaid: bool


class Condition(Record, frozen=True, kw_only=True):
    """A condition as it is written, and the constraint that it states; `plausible`: which words go together."""

    constraint: str
    text: str


class Constructor(Record, frozen=True, kw_only=True):
    """A constructor: its arguments, and the conditions that hold between them.

    Those that state a constraint of grammar are in its productions, too. The others, `plausible`, are not: a parser
    accepts more trees than the compiler draws.
    """

    name: str
    category: str
    arguments: tuple[Argument, ...]
    where: tuple[Condition, ...]


class Word(Record, frozen=True, kw_only=True):
    """A form of a word: its lexeme's id, its tokens, and all of its features that some production names;
    `nothing` in a column that is empty."""

    category: str
    id: str
    features: dict[str, str]
    tokens: tuple[str, ...]


class Sentence(Record, frozen=True, kw_only=True):
    """A category whose trees are sentences, and the sign behind them. ``continues``: they begin with a small letter."""

    category: str
    final: str
    continues: bool


class Compiled(Record, frozen=True, kw_only=True):
    """A compiled grammar.

    Attributes:
        version: of this form.
        language: how its sentences are written, and what a token is.
        sentences: what a parse may be.
        constructors: by their order in the grammar.
        productions: those of a constructor together.
        words: every form of every word.
        carried: the kinds of what is carried upward.
        texts: features that hold words themselves (a particle) -> these words.
    """

    version: Literal[3]
    language: Language
    sentences: tuple[Sentence, ...]
    constructors: tuple[Constructor, ...]
    productions: tuple[Production, ...]
    words: tuple[Word, ...]
    carried: tuple[Carried, ...]
    texts: dict[str, tuple[str, ...]]


def written(grammar: Compiled) -> bytes:
    """The JSON of a compiled grammar, a production or word a line."""
    encoder = msgspec.json.Encoder()
    fields: list[bytes] = []
    for name in grammar.__struct_fields__:
        value = getattr(grammar, name)
        text = encoder.encode(value)
        if isinstance(value, tuple) and value:
            text = b"[\n" + b",\n".join(map(encoder.encode, value)) + b"\n]"
        fields.append(encoder.encode(name) + b": " + text)
    return b"{\n" + b",\n".join(fields) + b"\n}\n"


class _Line(Record, frozen=True, kw_only=True):
    """A production, of which parts are read later."""

    constructor: str
    category: str
    features: msgspec.Raw
    daughters: tuple[msgspec.Raw, ...]
    values: msgspec.Raw
    carrying: msgspec.Raw = msgspec.Raw(b"[]")


class _Lines(Record, frozen=True, kw_only=True):
    """A compiled grammar, of which productions are read later."""

    version: Literal[3]
    language: Language
    sentences: tuple[Sentence, ...]
    constructors: tuple[Constructor, ...]
    productions: tuple[_Line, ...]
    words: tuple[Word, ...]
    carried: tuple[Carried, ...]
    texts: dict[str, tuple[str, ...]]


class _Read(dict[bytes, Any]):
    """Texts, each read once: of sixty thousand daughters of the shipped English a thousand differ."""

    def __init__(self, type: Any) -> None:
        self._decode = msgspec.json.Decoder(type).decode

    def __missing__(self, text: bytes) -> Any:
        found = self[text] = self._decode(text)
        return found


def read(text: bytes) -> Compiled:
    """The grammar of a JSON text; what is written alike is one object. Raises msgspec.ValidationError,
    msgspec.DecodeError."""
    lines = msgspec.json.decode(text, type=_Lines)
    features, daughters, carrying = _Read(Features), _Read(str | Daughter), _Read(tuple[Carrying, ...])
    values = _Read(dict[str, str])
    rest = {name: getattr(lines, name) for name in lines.__struct_fields__ if name not in ("language", "productions")}
    return Compiled(
        language=one_of(lines.language),
        productions=tuple(
            Production(
                constructor=line.constructor,
                category=line.category,
                features=features[bytes(line.features)],
                daughters=tuple([daughters[bytes(each)] for each in line.daughters]),
                values=values[bytes(line.values)],
                carrying=carrying[bytes(line.carrying)],
            )
            for line in lines.productions
        ),
        **rest,
    )


#: a category, and one of its features
Place: TypeAlias = tuple[str, str]


def shared(production: Production, part: Daughter) -> Iterator[tuple[Place, Place]]:
    """The features that the mother and a daughter of a production have in common."""
    for name, value in part.features.items():
        if (value is None and production.features.get(name, "") is None) or name in part.handed:
            yield (production.category, name), (part.category, name)


class Components:
    """Features of categories, joined where a mother has her daughter's value."""

    def __init__(self, pairs: Iterable[tuple[Place, Place]]) -> None:
        self._above: dict[Place, Place] = {}
        for one, other in pairs:
            if (one := self.of(one)) != (other := self.of(other)):
                self._above[one] = other

    def of(self, place: Place) -> Place:
        """The feature that stands for all that this one is joined with."""
        while place in self._above:
            place = self._above[place]
        return place
