"""The records of a compiled grammar, and their JSON.

A tree is built from the bottom up. A word fits a daughter, or a whole tree does, if it has the daughter's category and
agrees with every feature that the daughter names; a feature whose value is null has the same value in the mother and in
the daughter that is her head. Nothing else is open: tables, cases, groups and requests are written out.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from gramprobe.language import Language
from gramprobe.records import Record

VERSION: Literal[2] = 2

#: feature -> its value; None for the value that mother and head share
Features = dict[str, str | None]


class Daughter(Record, frozen=True, kw_only=True):
    """A part of a production with words of its own: the number of the argument, and what it must be.

    ``constraints``: feature -> the constraint that is broken where the part has another value.
    """

    argument: int
    category: str
    features: Features
    constraints: dict[str, str]


class Production(Record, frozen=True, kw_only=True):
    """A way to build a tree: `mother -> daughters`, for one case and one choice of values.

    Attributes:
        constructor: the name of the constructor.
        category, features: those of the mother.
        daughters: tokens and parts, in order. An argument that is not among them has no words.
        values: argument -> its value, of arguments that are features and decide something here.
    """

    constructor: str
    category: str
    features: Features
    daughters: tuple[str | Daughter, ...]
    values: dict[str, str]


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
        texts: features that hold words themselves (a particle) -> these words.
    """

    version: Literal[2]
    language: Language
    sentences: tuple[Sentence, ...]
    constructors: tuple[Constructor, ...]
    productions: tuple[Production, ...]
    words: tuple[Word, ...]
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


def read(text: bytes) -> Compiled:
    """The grammar of a JSON text. Raises msgspec.ValidationError, msgspec.DecodeError."""
    return msgspec.json.decode(text, type=Compiled)
