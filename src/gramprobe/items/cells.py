"""Columns of a chunk as pieces, and from pieces to JSON lines and Arrow tables, without making Python strings for rows.

A cell is a list of pieces. A piece is a text, the same in all rows, or a part: a dictionary of texts with sources that
say which text each row has. A line of JSON consists of the pieces of all its cells, a column of a table of the pieces
of one cell. Neighbouring pieces are fused into one dictionary over the product of their sources while that is small.

Example: `{"noun":"` + (newt | owl) + `"}` over a source with the codes [0, 1, 1] is fused into the dictionary
`{"noun":"newt"}`, `{"noun":"owl"}`; each of the three lines is then one lookup.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from gramprobe.words.arrow import numbers, strings

LARGEST = 1 << 14
"""The largest number of texts in a fused dictionary; it also never has more than there are rows."""
MOST_BYTES = 1 << 21
"""The largest number of bytes of a fused dictionary."""
LINES = 1 << 14
"""Lines made at once: the memory of a block is used again for the next."""

NULL = "null"
"""The digits of a number that there is not."""

Codes32: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """For each row of a chunk a number below ``size``: the member in a slot, or the variant of a text."""

    size: int
    codes: Codes32
    #: a different number for each source
    serial: int = field(default_factory=itertools.count().__next__)
    #: serial numbers of other sources -> the number of each row in the product with them. (Keys are numbers, since
    #: references to sources would be circular and keep the arrays of past chunks in memory.)
    mixed: dict[tuple[int, ...], pa.Array] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.codes)


def constant(text: str) -> pa.Scalar:
    """One text for all rows."""
    return strings([text])[0]


def index(sources: tuple[Source, ...]) -> pa.Array:
    """(rows,) the number of each row in the product of the sources, of which the last one varies fastest."""
    first, rest = sources[0], sources[1:]
    key = tuple(source.serial for source in rest)
    product_codes = first.mixed.get(key)
    if product_codes is None:
        codes = first.codes
        for source in rest:
            codes = codes * np.int32(source.size) + source.codes
        product_codes = first.mixed[key] = numbers(np.asarray(codes, np.int32))
    return product_codes


@dataclass(frozen=True, eq=False)
class Words:
    """A dictionary of texts; two are equal only when they are one object."""

    plain: pa.Array
    #: recipe -> a fused dictionary that begins with this one
    fused: dict[Any, Words] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, texts: Sequence[str]) -> Words:
        return cls(strings(texts))

    @cached_property
    def inside(self) -> Words:
        """The texts escaped for a JSON string; this dictionary itself where there is nothing to escape."""
        data = np.frombuffer(_bytes(self.plain), np.uint8)
        if not ((data < 0x20) | (data == ord('"')) | (data == ord("\\"))).any():
            return self
        return Words.of([json.dumps(text, ensure_ascii=False)[1:-1] for text in self.plain.to_pylist()])

    @cached_property
    def length(self) -> float:
        """The mean number of bytes of a text."""
        return int(_bytes(self.plain).size) / max(1, len(self.plain))


@dataclass(frozen=True, slots=True)
class Lookup:
    """A dictionary over the product of some sources, of which the last one varies fastest."""

    words: Words
    sources: tuple[Source, ...]

    @property
    def inside(self) -> Lookup:
        """The same, escaped for a JSON string."""
        return Lookup(self.words.inside, self.sources)


Piece: TypeAlias = "str | Lookup"


@dataclass(frozen=True, slots=True)
class Text:
    """A column of texts."""

    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, *pieces: Piece | Text) -> Text:
        """Pieces (and texts) one after the other, neighbouring constants joined."""
        joined: list[Piece] = []
        for piece in pieces:
            for each in piece.pieces if isinstance(piece, Text) else (piece,):
                if isinstance(each, str) and joined and isinstance(joined[-1], str):
                    joined[-1] += each
                elif each != "":
                    joined.append(each)
        return cls(tuple(joined) or ("",))


@dataclass(frozen=True, slots=True)
class Number:
    """A column of integers, as a text of their digits, or `null` where there is no number."""

    digits: Text

    @classmethod
    def constant(cls, value: int) -> Number:
        """One number for all rows."""
        return cls(Text((str(value),)))


@dataclass(frozen=True, slots=True)
class Struct:
    """A column of objects whose fields are texts."""

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
        """The texts of ``count`` rows from ``start`` on: a scalar where all rows have one text, else an array."""
        if not self.sources:
            return constant("".join(str(piece) for piece in self.pieces))
        part = self.part()
        return part.words.plain.take(index(part.sources).slice(start, count))

    def part(self) -> Lookup:
        if len(self.pieces) == 1 and isinstance(self.pieces[0], Lookup):
            return self.pieces[0]
        sources = tuple(self.sources)
        places = {source: place for place, source in enumerate(sources)}
        recipe = (
            tuple(source.size for source in sources),
            *(p if isinstance(p, str) else (p.words, *(places[s] for s in p.sources)) for p in self.pieces),
        )
        first = next(piece for piece in self.pieces if isinstance(piece, Lookup))
        words = first.words.fused.get(recipe)
        if words is None:
            words = first.words.fused[recipe] = self._product(sources)
        return Lookup(words, sources)

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


@dataclass(eq=False)
class _Shared:
    """The JSON text of a cell that several rows of an instance have: joined once for each block of lines."""

    runs: list[_Run]
    block: tuple[int, Any] = (-1, None)

    def column(self, start: int, count: int) -> Any:
        """The texts of ``count`` rows from ``start`` on."""
        if self.block[0] != start:
            self.block = start, _joined(self.runs, start, count)
        return self.block[1]


def _runs(pieces: Iterable[Piece | _Shared]) -> Iterator[_Run | _Shared]:
    """Pieces in as few runs as their dictionaries allow."""
    run = _Run()
    for piece in pieces:
        if isinstance(piece, _Shared):
            if run.pieces:
                yield run
            yield piece
            run = _Run()
            continue
        if not run.takes(piece):
            yield run
            run = _Run()
        run.add(piece)
    if run.pieces:
        yield run


def _joined(runs: Iterable[_Run | _Shared], start: int, count: int) -> Any:
    columns = [run.column(start, count) for run in runs]
    return columns[0] if len(columns) == 1 else pc.binary_join_element_wise(*columns, constant(""))


# ---- to tables and lines -------------------------------------------------------------------------------------


def table(
    rows: Sequence[Row], count: int, schema: pa.Schema, kept: NDArray[np.bool_] | None = None, start: int = 0
) -> pa.Table:
    """The table of ``count`` instances from ``start`` on, with all rows of an instance together.

    ``kept``: (count, rows) which rows an instance has; None where it has all.
    """
    every = np.ones((count, len(rows)), np.bool_) if kept is None else kept
    instance, row = np.nonzero(every)
    one_each = np.array_equal(instance, np.arange(count))
    order = numbers(row * count + instance)
    arrays = []
    known: dict[int, pa.Array] = {}
    for column in schema:
        cells = [r[column.name] for r in rows]
        texts = [_constant(cell) for cell in cells]
        if all(cell is cells[0] for cell in cells):
            array = _array(cells[0], start, count)
            whole = array if one_each else array.take(numbers(instance))
        elif None not in texts and NULL not in texts:
            whole = strings([text or "" for text in texts]).take(numbers(row))
        else:
            for cell in cells:
                if id(cell) not in known:
                    known[id(cell)] = _array(cell, start, count)
            whole = pa.concat_arrays([known[id(cell)] for cell in cells]).take(order)
        arrays.append(whole.cast(column.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def _constant(cell: Cell) -> str | None:
    """The text of a cell that is the same in all rows; None for other cells."""
    if isinstance(cell, Struct):
        return None
    pieces = (cell.digits if isinstance(cell, Number) else cell).pieces
    return pieces[0] if len(pieces) == 1 and isinstance(pieces[0], str) else None


def _array(cell: Cell, start: int, count: int) -> pa.Array:
    match cell:
        case Number(Text((str() as digits,))) if digits == NULL:
            return pa.nulls(count, pa.int64())
        case Number(Text((str() as digits,))):
            return numbers(np.full(count, int(digits), np.int64))
        case Number(Text((Lookup() as part,))):
            return part.words.plain.cast(pa.int64()).take(index(part.sources).slice(start, count))
        case Number(text):
            return _array(text, start, count).cast(pa.int64())
        case Struct(fields):
            return pa.StructArray.from_arrays([_array(t, start, count) for t in fields.values()], names=list(fields))
    text = _joined(_runs(cell.pieces), start, count)
    return pa.repeat(text, count) if isinstance(text, pa.Scalar) else text


def lines(
    rows: Sequence[Row], count: int, names: Sequence[str], kept: NDArray[np.bool_] | None = None
) -> Iterator[pa.Buffer]:
    """The JSON lines of ``count`` instances, all rows of an instance together, about :data:`LINES` lines at once.

    Keys are in the order of ``names``, without spaces between tokens, and every line ends in a newline. ``kept``:
    (count, rows) which rows an instance has; None where it has all.
    """
    shared = _shared(rows)
    every = [_runs_of(row, names, shared) for row in rows]
    block = max(1, LINES // max(1, len(rows)))
    if kept is None:
        whole = list(_runs(_merged(piece for pieces in every for piece in pieces)))
        for start in range(0, count, block):
            size = min(block, count - start)
            yield _bytes(_column(whole, start, size))
        return
    apart = [list(_runs(_merged(pieces))) for pieces in every]
    for start in range(0, count, block):
        size = min(block, count - start)
        instance, row = np.nonzero(kept[start : start + size])
        order = row * size + instance
        yield _bytes(pa.concat_arrays([_column(runs, start, size) for runs in apart]).take(numbers(order)))


def _column(runs: Sequence[_Run | _Shared], start: int, count: int) -> pa.Array:
    joined = _joined(runs, start, count)
    return pa.repeat(joined, count) if isinstance(joined, pa.Scalar) else joined


def _shared(rows: Sequence[Row]) -> dict[int, _Shared]:
    """By `id`, the cells that several rows share and that consist of several runs."""
    places = Counter(id(cell) for row in rows for cell in row.values())
    cells = {id(cell): cell for row in rows for cell in row.values()}
    shared: dict[int, _Shared] = {}
    for number, uses in places.items():
        if uses > 1:
            runs = list(_runs(_merged(_json(cells[number]))))
            if len(runs) > 1:
                shared[number] = _Shared([run for run in runs if isinstance(run, _Run)])
    return shared


def _runs_of(row: Row, names: Sequence[str], shared: Mapping[int, _Shared]) -> Iterator[Piece | _Shared]:
    """The pieces of one line."""
    for number, name in enumerate(names):
        cell = row[name]
        yield ("," if number else "{") + f'"{name}":'
        if id(cell) in shared:
            yield shared[id(cell)]
        else:
            yield from _json(cell)
    yield "}\n"


def _merged(pieces: Iterable[Piece | _Shared]) -> Iterator[Piece | _Shared]:
    """The pieces with neighbouring constants joined."""
    held = ""
    for piece in pieces:
        if isinstance(piece, str):
            held += piece
            continue
        if held:
            yield held
            held = ""
        yield piece
    if held:
        yield held


def _json(cell: Cell) -> Iterable[Piece]:
    match cell:
        case Number(digits):
            return digits.pieces
        case Struct(fields):
            pieces: list[Piece] = []
            for number, (name, text) in enumerate(fields.items()):
                pieces += [("," if number else "{") + f"{json.dumps(name)}:", *_json(text)]
            return (*pieces, "}") if pieces else ("{}",)
    inner = [
        json.dumps(piece, ensure_ascii=False)[1:-1] if isinstance(piece, str) else piece.inside for piece in cell.pieces
    ]
    return ('"', *inner, '"')


def _bytes(column: pa.Array) -> pa.Buffer:
    """The texts of a string array one after the other, without making Python strings."""
    offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)[column.offset : column.offset + len(column) + 1]
    data: pa.Buffer = column.buffers()[2]
    return data.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
