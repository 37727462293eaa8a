"""Columns of a chunk as pieces, and from pieces to JSON lines and Arrow tables without a Python string a row.

A cell is a list of pieces: texts, and parts (a dictionary of texts, and sources that say which of them a row has). A
line of JSON is the pieces of all its cells, a column of a table is the pieces of one. Neighbouring pieces are fused
into one dictionary over the product of their sources as long as that is small, so that a row costs a few lookups.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

LARGEST = 1 << 14
"""Texts of a fused dictionary at most; never more than there are rows."""
MOST_BYTES = 1 << 21
"""Bytes of a fused dictionary at most."""
LINES = 1 << 13
"""Instances whose lines are made at once: what is in the cache is quick to join, and small blocks come back."""

Codes32: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """For each row of a chunk a number below ``size``: what fills a slot, or which variant of a text it has."""

    size: int
    codes: Codes32
    #: the serial number of this source; no two have one
    serial: int = field(default_factory=itertools.count().__next__)
    #: serial numbers of other sources -> the number of each row in the product with them (no circle of references,
    #: which would keep the arrays of past chunks)
    mixed: dict[tuple[int, ...], pa.Array] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.codes)


def numbers(codes: Codes32) -> pa.Array:
    """As an Arrow array, over the same memory (`pyarrow.array` would import pandas where there is one)."""
    return pa.Array.from_buffers(pa.int32(), len(codes), [None, pa.py_buffer(np.ascontiguousarray(codes, np.int32))])


def strings(texts: Sequence[str]) -> pa.Array:
    """Texts as an Arrow array."""
    encoded = [text.encode() for text in texts]
    offsets = np.zeros(len(encoded) + 1, np.int32)
    np.cumsum([len(each) for each in encoded], out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def constant(text: str) -> pa.Scalar:
    """One text for all rows."""
    return strings([text])[0]


def index(sources: tuple[Source, ...]) -> pa.Array:
    """The number of each row in the product of the sources, the last one fastest."""
    first, rest = sources[0], sources[1:]
    key = tuple(source.serial for source in rest)
    found = first.mixed.get(key)
    if found is None:
        codes = first.codes
        for source in rest:
            codes = codes * np.int32(source.size) + source.codes
        found = first.mixed[key] = numbers(codes)
    return found


@dataclass(frozen=True, eq=False)
class Words:
    """A dictionary of texts; two are equal only when they are one object."""

    plain: pa.Array
    #: recipes of fused dictionaries that begin with this one
    fused: dict[Any, Words] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, texts: Sequence[str]) -> Words:
        return cls(strings(texts))

    @cached_property
    def inside(self) -> Words:
        """The texts as they stand inside a JSON text; nearly always they do already."""
        if not pc.any(pc.match_substring_regex(self.plain, r'["\\\x00-\x1f]')).as_py():
            return self
        return Words.of([json.dumps(text, ensure_ascii=False)[1:-1] for text in self.plain.to_pylist()])

    @cached_property
    def length(self) -> float:
        """Bytes of a text, on the mean."""
        return float(pc.mean(pc.binary_length(self.plain)).as_py() or 0)


@dataclass(frozen=True, slots=True)
class Part:
    """A dictionary over the product of some sources, the last one fastest."""

    words: Words
    sources: tuple[Source, ...]

    @property
    def inside(self) -> Part:
        """As it stands inside a JSON text."""
        return Part(self.words.inside, self.sources)


Piece: TypeAlias = "str | Part"


@dataclass(frozen=True, slots=True)
class Text:
    """A column of texts."""

    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, *pieces: Piece | Text) -> Text:
        """Pieces (and texts) one behind the other, neighbouring constants joined."""
        found: list[Piece] = []
        for piece in pieces:
            for each in piece.pieces if isinstance(piece, Text) else (piece,):
                if isinstance(each, str) and found and isinstance(found[-1], str):
                    found[-1] += each
                elif each != "":
                    found.append(each)
        return cls(tuple(found) or ("",))


@dataclass(frozen=True, slots=True)
class Number:
    """A column of one number."""

    value: int


@dataclass(frozen=True, slots=True)
class Struct:
    """A column of objects with texts."""

    fields: Mapping[str, Text]


Cell: TypeAlias = Text | Number | Struct
Row: TypeAlias = Mapping[str, Cell]


# ---- fusing --------------------------------------------------------------------------------------------------


@dataclass
class _Run:
    """Pieces to be fused, and the sources on which they depend together."""

    pieces: list[Piece] = field(default_factory=list)
    sources: dict[Source, None] = field(default_factory=dict)
    length: float = 0

    def takes(self, piece: Piece) -> bool:
        """Whether the fused dictionary stays small with one more piece."""
        if isinstance(piece, str) or not self.sources:
            return True
        sources = {**self.sources, **dict.fromkeys(piece.sources)}
        size, rows = prod(s.size for s in sources), len(next(iter(sources)))
        return size <= min(LARGEST, rows) and size * (self.length + piece.words.length) <= MOST_BYTES

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        if isinstance(piece, str):
            self.length += len(piece)
        else:
            self.sources.update(dict.fromkeys(piece.sources))
            self.length += piece.words.length

    def column(self, start: int, count: int) -> Any:
        """One text for all rows, or an array of the texts of some rows."""
        if not self.sources:
            return constant("".join(str(piece) for piece in self.pieces))
        part = self.part()
        return part.words.plain.take(index(part.sources).slice(start, count))

    def part(self) -> Part:
        if len(self.pieces) == 1 and isinstance(self.pieces[0], Part):
            return self.pieces[0]
        sources = tuple(self.sources)
        places = {source: place for place, source in enumerate(sources)}
        recipe = (
            tuple(source.size for source in sources),
            *(p if isinstance(p, str) else (p.words, *(places[s] for s in p.sources)) for p in self.pieces),
        )
        first = next(piece for piece in self.pieces if isinstance(piece, Part))
        words = first.words.fused.get(recipe)
        if words is None:
            words = first.words.fused[recipe] = self._product(sources)
        return Part(words, sources)

    def _product(self, sources: tuple[Source, ...]) -> Words:
        """Every combination of the sources, each with its text."""
        size, inner = prod(s.size for s in sources), 1
        grid: dict[Source, Codes32] = {}
        for source in reversed(sources):
            once = np.repeat(np.arange(source.size, dtype=np.int32), inner)
            inner *= source.size
            grid[source] = np.tile(once, size // inner)
        columns: list[Any] = []
        for piece in self.pieces:
            if isinstance(piece, str):
                columns.append(constant(piece))
                continue
            codes = np.zeros(size, np.int32)
            for source in piece.sources:
                codes = codes * np.int32(source.size) + grid[source]
            columns.append(piece.words.plain.take(numbers(codes)))
        return Words(pc.binary_join_element_wise(*columns, constant("")))


def _runs(pieces: Iterable[Piece]) -> Iterator[_Run]:
    """Pieces in as few runs as their dictionaries allow."""
    run = _Run()
    for piece in pieces:
        if not run.takes(piece):
            yield run
            run = _Run()
        run.add(piece)
    yield run


def _joined(runs: Iterable[_Run], start: int, count: int) -> Any:
    columns = [run.column(start, count) for run in runs]
    return columns[0] if len(columns) == 1 else pc.binary_join_element_wise(*columns, constant(""))


# ---- to tables and lines -------------------------------------------------------------------------------------


def table(rows: Sequence[Row], count: int, schema: pa.Schema) -> pa.Table:
    """`count` instances with the given rows each, instance by instance."""
    each = len(rows)
    arrays = []
    for column in schema:
        cells = [row[column.name] for row in rows]
        if all(cell is cells[0] for cell in cells) and each > 1:
            repeated = pa.array(np.repeat(np.arange(count), each))
            arrays.append(_array(cells[0], count).take(repeated))
            continue
        parts = [_array(cell, count) for cell in cells]
        if each == 1:
            arrays.append(parts[0])
            continue
        order = pa.array(np.arange(count * each).reshape(each, count).T.reshape(-1))
        arrays.append(pa.concat_arrays(parts).take(order))
    return pa.Table.from_arrays([a.cast(f.type) for a, f in zip(arrays, schema, strict=True)], schema=schema)


def _array(cell: Cell, count: int) -> pa.Array:
    match cell:
        case Number(value):
            return pa.repeat(numbers(np.array([value], np.int32))[0], count)
        case Struct(fields):
            return pa.StructArray.from_arrays([_array(t, count) for t in fields.values()], names=list(fields))
    found = _joined(_runs(cell.pieces), 0, count)
    return pa.repeat(found, count) if isinstance(found, pa.Scalar) else found


def lines(rows: Sequence[Row], count: int, names: Sequence[str]) -> Iterator[pa.Buffer]:
    """`count` instances with the given rows each as lines: keys in order, no spaces between tokens, a newline behind
    each; :data:`LINES` instances at once."""
    found: list[Piece] = []
    for row in rows:
        for number, name in enumerate(names):
            found += [("," if number else "{") + f'"{name}":', *_json(row[name])]
        found.append("}\n")
    runs = list(_runs(Text.of(*found).pieces))
    for start in range(0, count, LINES):
        size = min(LINES, count - start)
        joined = _joined(runs, start, size)
        yield _bytes(pa.repeat(joined, size) if isinstance(joined, pa.Scalar) else joined)


def _json(cell: Cell) -> Iterable[Piece]:
    match cell:
        case Number(value):
            return (str(value),)
        case Struct(fields):
            found: list[Piece] = []
            for number, (name, text) in enumerate(fields.items()):
                found += [("," if number else "{") + f"{json.dumps(name)}:", *_json(text)]
            return (*found, "}") if found else ("{}",)
    inner = [
        json.dumps(piece, ensure_ascii=False)[1:-1] if isinstance(piece, str) else piece.inside for piece in cell.pieces
    ]
    return ('"', *inner, '"')


def _bytes(column: pa.Array) -> pa.Buffer:
    """The text of a string array end to end, without making Python strings."""
    offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)[column.offset : column.offset + len(column) + 1]
    data: pa.Buffer = column.buffers()[2]
    return data.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
