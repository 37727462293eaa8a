"""Syntax trees as JSON and back, by the declared types of their fields.

A record is the array of its fields; if a field may hold several classes of records, the name of the class stands first.
The words and spans of a file are in tables, column by column, and the tree has their numbers: most of a tree is words,
and so they are made in one go. All spans of a file have its path, which is not written.

Reading builds the declared classes only, and rejects any value of another type: a file that somebody else wrote can
hold another tree, and do no other harm.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from gramprobe.source.span import Span
from gramprobe.syntax.tree import Word


class Foreign(ValueError):
    """JSON that is not a value of the type, or a value of another type than declared."""


def write(value: Any, type_: Any, path: str) -> bytes:
    """The JSON of a value of the type. Raises Foreign for a value of another type or a span of another path, and
    RecursionError for a tree that is too deep."""
    tables = _Tables(path)
    tree = _coder(type_).write(value, tables)
    data = {"words": tables.columns(tables.words), "spans": tables.columns(tables.spans), "tree": tree}
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def read(raw: bytes, type_: Any, path: str) -> Any:
    """The value that was written. Raises ValueError (Foreign, or for text that is not JSON) or RecursionError."""
    match json.loads(raw):
        case {"words": [list(texts), *word_places], "spans": list(places), "tree": tree}:
            _all(str, texts)
            words = list(map(Word, texts, _spans(word_places, path, len(texts))))
            return _coder(type_).read(tree, _Tables(path, words, _spans(places, path, None)))
    raise Foreign("no tables of words and spans with a tree")


@dataclass
class _Tables:
    """The tables to which the tree refers by number: the words, and the spans that do not belong to a word."""

    path: str
    words: list[Any] = field(default_factory=list)
    spans: list[Any] = field(default_factory=list)

    def columns(self, table: list[Any]) -> list[list[Any]]:
        """The rows as they were added, column by column."""
        return [list(column) for column in zip(*table, strict=True)] if table else [[] for _ in range(4)]

    def row(self, span: Any) -> tuple[int, int, int]:
        if type(span) is not Span or span.path != self.path:
            raise Foreign("a span of another file")
        return span.line, span.column, span.length


def _all(type_: type, values: list[Any]) -> None:
    if not set(map(type, values)) <= {type_}:
        raise Foreign(f"a value that is not of type {type_.__name__}")


def _spans(columns: list[Any], path: str, count: int | None) -> list[Span]:
    """The spans of three columns of numbers; ``count``: the number of rows, if that is known."""
    if not all(type(column) is list for column in columns) or len(columns) < 3:
        raise Foreign("no columns of spans")
    lines, starts, lengths = columns[:3]
    for column in columns[:3]:
        _all(int, column)
        if len(column) != (len(lines) if count is None else count):
            raise Foreign("columns of different length")
    return [Span(path, *place) for place in zip(lines, starts, lengths, strict=True)]


class _Coder(Protocol):
    """Writes and reads the values of one type."""

    def write(self, value: Any, tables: _Tables) -> Any: ...
    def read(self, data: Any, tables: _Tables) -> Any: ...


@cache
def _coder(type_: Any) -> _Coder:
    """The coder of a type. Raises TypeError for a type that cannot be stored."""
    origin, arguments = get_origin(type_), get_args(type_)
    if type_ in (str, int, bool):
        return _Plain(type_)
    if type_ is Word:
        return _Words()
    if type_ is Span:
        return _Spans()
    if origin is Literal:
        return _Choice(arguments)
    if origin in (Union, UnionType):
        others = tuple(each for each in arguments if each is not NoneType)
        inner = _coder(others[0]) if len(others) == 1 else _AnyOf(others)
        return _Optional(inner) if len(others) < len(arguments) else inner
    if origin is tuple and arguments[1:] != (...,):
        return _Fixed(arguments)
    if origin in (tuple, list):
        return _Sequence(origin, arguments[0])
    if origin is dict and arguments[0] is str:
        return _Mapping(arguments[1])
    if isinstance(type_, type) and (issubclass(type_, Struct) or is_dataclass(type_)):
        return _Record(type_)
    raise TypeError(f"{type_} has no form in JSON")


@dataclass
class _Plain:
    type: type

    def write(self, value: Any, tables: _Tables) -> Any:
        if type(value) is not self.type:
            raise Foreign(f"{type(value).__name__} in the place of {self.type.__name__}")
        return value

    read = write


@dataclass
class _Choice:
    values: tuple[Any, ...]

    def write(self, value: Any, tables: _Tables) -> Any:
        if type(value) is not str or value not in self.values:
            raise Foreign(f"a text that is not one of {self.values}")
        return value

    read = write


class _Words:
    def write(self, value: Any, tables: _Tables) -> int:
        if type(value) is not Word:
            raise Foreign(f"{type(value).__name__} in the place of a word")
        tables.words.append((value.text, *tables.row(value.span)))
        return len(tables.words) - 1

    def read(self, data: Any, tables: _Tables) -> Any:
        return tables.words[_number(data, tables.words)]


class _Spans:
    def write(self, value: Any, tables: _Tables) -> int:
        tables.spans.append(tables.row(value))
        return len(tables.spans) - 1

    def read(self, data: Any, tables: _Tables) -> Any:
        return tables.spans[_number(data, tables.spans)]


def _number(data: Any, table: list[Any]) -> int:
    if type(data) is not int or not 0 <= data < len(table):
        raise Foreign("no number of a row")
    return data


@dataclass
class _Optional:
    inner: _Coder

    def write(self, value: Any, tables: _Tables) -> Any:
        return None if value is None else self.inner.write(value, tables)

    def read(self, data: Any, tables: _Tables) -> Any:
        return None if data is None else self.inner.read(data, tables)


class _Sequence:
    def __init__(self, container: Callable[[list[Any]], Any], member: Any) -> None:
        self.container, self.member = container, _coder(member)

    def write(self, value: Any, tables: _Tables) -> list[Any]:
        if type(value) is not self.container:
            raise Foreign(f"{type(value).__name__} in the place of a sequence")
        return [self.member.write(each, tables) for each in value]

    def read(self, data: Any, tables: _Tables) -> Any:
        if type(data) is not list:
            raise Foreign("no array")
        read = self.member.read
        return self.container([read(each, tables) for each in data])


class _Fixed:
    """A tuple of fixed length, with a type for each member."""

    def __init__(self, members: tuple[Any, ...]) -> None:
        self.members = [_coder(member) for member in members]

    def write(self, value: Any, tables: _Tables) -> list[Any]:
        if type(value) is not tuple or len(value) != len(self.members):
            raise Foreign("no tuple of this length")
        return [member.write(each, tables) for member, each in zip(self.members, value, strict=True)]

    def read(self, data: Any, tables: _Tables) -> Any:
        if type(data) is not list or len(data) != len(self.members):
            raise Foreign("no array of this length")
        return tuple([member.read(each, tables) for member, each in zip(self.members, data, strict=True)])


class _Mapping:
    def __init__(self, member: Any) -> None:
        self.member = _coder(member)

    def write(self, value: Any, tables: _Tables) -> dict[str, Any]:
        if type(value) is not dict or not all(type(key) is str for key in value):
            raise Foreign("no mapping of texts")
        return {key: self.member.write(each, tables) for key, each in value.items()}

    def read(self, data: Any, tables: _Tables) -> dict[str, Any]:
        if type(data) is not dict:
            raise Foreign("no object")
        return {key: self.member.read(each, tables) for key, each in data.items()}


class _AnyOf:
    """A record of one of several classes: the name of the class, and the record."""

    def __init__(self, records: tuple[type, ...]) -> None:
        self.records = {record.__name__: record for record in records}

    def write(self, value: Any, tables: _Tables) -> list[Any]:
        record: type = type(value)
        if self.records.get(record.__name__) is not record:
            raise Foreign(f"{record.__name__} is not one of {', '.join(self.records)}")
        return [record.__name__, _coder(record).write(value, tables)]

    def read(self, data: Any, tables: _Tables) -> Any:
        match data:
            case [str(name), inner] if name in self.records:
                return _coder(self.records[name]).read(inner, tables)
        raise Foreign(f"no record of {', '.join(self.records)}")


class _Record:
    """A struct or dataclass. Types of fields are looked up on first use: records may contain their own class."""

    def __init__(self, record: Any) -> None:
        self.record = record
        self.fields = record.__struct_fields__ if issubclass(record, Struct) else [f.name for f in fields(record)]
        self.members: list[_Coder] = []

    def write(self, value: Any, tables: _Tables) -> list[Any]:
        if type(value) is not self.record:
            raise Foreign(f"{type(value).__name__} in the place of {self.record.__name__}")
        members = self.members or self._look_up()
        values = [getattr(value, name) for name in self.fields]
        return [member.write(each, tables) for member, each in zip(members, values, strict=True)]

    def read(self, data: Any, tables: _Tables) -> Any:
        if type(data) is not list or len(data) != len(self.fields):
            raise Foreign(f"no fields of {self.record.__name__}")
        members = self.members or self._look_up()
        values = [member.read(each, tables) for member, each in zip(members, data, strict=True)]
        return self.record(**dict(zip(self.fields, values, strict=True)))

    def _look_up(self) -> list[_Coder]:
        hints = get_type_hints(self.record)
        self.members = [_coder(hints[name]) for name in self.fields]
        return self.members
