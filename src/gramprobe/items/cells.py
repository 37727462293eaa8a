"""Columns of a chunk as pieces, and from pieces to JSON lines and Arrow tables, without making Python strings for rows.

A cell is a list of pieces. A piece is a text, the same in all rows, or a part: a dictionary of texts with sources that
say which text each row has. A line of JSON consists of the pieces of all its cells, a column of a table of the pieces
of one cell.

Lines and columns are one lookup each: the texts of all pieces stand in one dictionary, the numbers of the pieces of
each row one after the other, and what Arrow takes from the dictionary by these numbers are the bytes of all rows. A
text that several rows of an instance have is put together once, in the same way, and then is a piece itself.

Example: `{"noun":"` + (newt | owl) + `"}` over a source with the codes [0, 1, 1] has the dictionary `{"noun":"`,
newt, owl, `"}`, and its three lines have the numbers [0, 1, 3, 0, 2, 3, 0, 2, 3].
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from gramprobe.words.arrow import numbers, run_together, strings

if TYPE_CHECKING:
    import pyarrow as pa

LINES = 1 << 14
"""Lines made at once: the memory of a block is used again for the next."""

NULL = "null"
"""The digits of a number that there is not."""

_ESCAPED = re.compile(r'[\x00-\x1f"\\]')
"""What is written in another way in a JSON string."""

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
    mixed: dict[tuple[int, ...], Codes32] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.codes)


def index(sources: tuple[Source, ...]) -> Codes32:
    """(rows,) the number of each row in the product of the sources, of which the last one varies fastest."""
    first, rest = sources[0], sources[1:]
    if not rest:
        return first.codes
    key = tuple(source.serial for source in rest)
    codes = first.mixed.get(key)
    if codes is None:
        codes = first.codes
        for source in rest:
            codes = codes * np.int32(source.size) + source.codes
        first.mixed[key] = codes
    return codes


@dataclass(frozen=True, eq=False)
class Words:
    """A dictionary of texts; two are equal only when they are one object."""

    texts: Sequence[str]

    @cached_property
    def inside(self) -> Words:
        """The texts escaped for a JSON string; this dictionary itself where there is nothing to escape."""
        return Words([_inside(text) for text in self.texts]) if _ESCAPED.search("".join(self.texts)) else self

    @cached_property
    def array(self) -> pa.Array:
        """The texts as an array: made once for lines and tables, if nothing is escaped."""
        return strings(self.texts)


class Lookup(msgspec.Struct, frozen=True):
    """A dictionary over the product of some sources, of which the last one varies fastest."""

    words: Words
    sources: tuple[Source, ...]


Piece: TypeAlias = "str | Lookup | Text"


class Text(msgspec.Struct, frozen=True):
    """A column of texts. A text within others is put together once where it is one object."""

    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, *pieces: Piece) -> Text:
        """Pieces one after the other, neighbouring constants joined."""
        joined: list[Piece] = []
        for piece in pieces:
            each = piece.pieces[0] if isinstance(piece, Text) and len(piece.pieces) == 1 else piece
            if isinstance(each, str) and joined and isinstance(joined[-1], str):
                joined[-1] += each
            elif each != "":
                joined.append(each)
        return cls(tuple(joined) or ("",))


class Number(msgspec.Struct, frozen=True):
    """A column of integers, as a text of their digits, or `null` where there is no number."""

    digits: Text

    @classmethod
    def constant(cls, value: int) -> Number:
        """One number for all rows."""
        return cls(Text((str(value),)))


class Struct(msgspec.Struct, frozen=True):
    """A column of objects whose fields are texts."""

    fields: Mapping[str, Text]


Cell: TypeAlias = Text | Number | Struct
Row: TypeAlias = Mapping[str, Cell]


# ---- putting texts together ----------------------------------------------------------------------------------


class _Together:
    """Texts of instances, of which several consist of the same pieces.

    ``rows``: the texts of each row of an instance. ``often``: how many of these rows an instance has of each, on
    average.
    """

    def __init__(self, rows: Sequence[Sequence[Text]], often: Sequence[float]):
        self._uses: dict[int, float] = {}
        for texts, times in zip(rows, often, strict=True):
            self._count(texts, times)
        self._rows = rows  # by their `id` texts are known
        self._columns: dict[str | int, int] = {}
        self._pieces: list[Piece] = []
        self._known: dict[int, list[int]] = {}
        self._shared: list[Text] = []

    def _count(self, texts: Sequence[Piece], times: float) -> None:
        for text in texts:
            if isinstance(text, Text):
                before = self._uses.get(id(text), 0)
                self._uses[id(text)] = before + times
                if not before:
                    self._count(text.pieces, times)

    def places(self, text: Text) -> list[int]:
        """The numbers of the pieces of a text."""
        known = self._known.get(id(text))
        if known is None:
            known = self._known[id(text)] = [self._column(piece) for piece in _merged(self._flat(text))]
        return known

    def _flat(self, text: Text) -> Iterator[Piece]:
        if len(text.pieces) > 1 and self._uses[id(text)] > 1:
            yield text
            return
        for piece in text.pieces:
            if isinstance(piece, Text):
                yield from self._flat(piece)
            else:
                yield piece

    def _column(self, piece: Piece) -> int:
        """The number of a piece; the same for one text."""
        key = piece if isinstance(piece, str) else id(piece)
        if key not in self._columns:
            self._columns[key] = len(self._pieces)
            self._pieces.append(piece)
            if isinstance(piece, Text):
                self._shared.append(piece)
        return self._columns[key]

    @cached_property
    def _inner(self) -> _Together | None:
        """The texts that several rows share."""
        return _Together([self._shared], [1.0]) if self._shared else None

    @cached_property
    def _fixed(self) -> tuple[pa.Array, list[int]]:
        """The texts of all pieces that are no shared texts, and where those of each piece begin."""
        import pyarrow as pa

        alone = [piece for piece in self._pieces if isinstance(piece, str)]
        every = {id(each.words): each.words.array for each in self._pieces if isinstance(each, Lookup)}
        ends = np.cumsum([len(alone), *map(len, every.values())]).tolist()
        first, single = dict(zip(every, ends, strict=False)), itertools.count()
        begins = []
        for piece in self._pieces:
            match piece:
                case str():
                    begins.append(next(single))
                case Lookup(words):
                    begins.append(first[id(words)])
                case Text():
                    begins.append(-1)
        return pa.concat_arrays([strings(alone), *every.values()]), begins

    def block(self, start: int, count: int) -> _Block:
        """The pieces of ``count`` instances from ``start`` on. All texts that are asked for must have been asked
        before."""
        dictionary, begins = self._fixed
        found = np.empty((len(begins), count), np.int32)
        shared = itertools.count(len(dictionary))
        for row, begin, piece in zip(found, begins, self._pieces, strict=True):
            if isinstance(piece, Lookup):
                np.add(index(piece.sources)[start : start + count], np.int32(begin), out=row)
            elif isinstance(piece, str):
                row[:] = begin
            else:
                row[:] = np.arange(next(shared), len(dictionary) + count * len(self._shared), len(self._shared))
        if self._inner is not None:
            import pyarrow as pa

            places = [self._inner.places(text) for text in self._inner._rows[0]]
            dictionary = pa.concat_arrays([dictionary, self._inner.block(start, count).texts(places, None)])
        return _Block(dictionary, found)


class _Block(msgspec.Struct, frozen=True):
    """The pieces of some instances.

    ``dictionary``: their texts. ``found``: (pieces, instances) the number of each piece in the dictionary.
    """

    dictionary: pa.Array
    found: Codes32

    def texts(self, rows: Sequence[Sequence[int]], kept: NDArray[np.bool_] | None) -> pa.Array:
        """The texts of the rows, instance by instance, each of the pieces with these numbers. ``kept``: (instances,
        rows) which rows an instance has; None where it has all."""
        taken = self.found[[place for places in rows for place in places]].T
        widths = np.array([len(places) for places in rows], np.int32)
        if kept is None:
            each, wide = taken.ravel(), np.tile(widths, len(taken))
        else:
            each = taken[np.repeat(kept, widths, axis=1)]
            wide = np.broadcast_to(widths, kept.shape)[kept]
        return run_together(self.dictionary.take(numbers(each)), wide)


def _merged(pieces: Iterator[Piece]) -> Iterator[Piece]:
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


# ---- to tables and lines -------------------------------------------------------------------------------------


def table(
    rows: Sequence[Row], count: int, schema: pa.Schema, kept: NDArray[np.bool_] | None = None, start: int = 0
) -> pa.Table:
    """The table of ``count`` instances from ``start`` on, with all rows of an instance together.

    ``kept``: (count, rows) which rows an instance has; None where it has all.
    """
    import pyarrow as pa

    every = np.ones((count, len(rows)), np.bool_) if kept is None else kept
    which = numbers(np.nonzero(every)[1])
    columns = [[_texts(row[column.name]) for row in rows] for column in schema]
    texts = [[texts[key] for texts in column] for column in columns for key in column[0]]
    constants = [[_constant(text) for text in each] for each in texts]
    others = [each for each, known in zip(texts, constants, strict=True) if None in known]
    together = _Together(list(zip(*others, strict=True)) if others else [() for _ in rows], _often(rows, kept))
    places = {id(each): [together.places(text) for text in each] for each in others}
    block = together.block(start, count)
    found = (
        block.texts(places[id(each)], kept) if None in known else strings([text or "" for text in known]).take(which)
        for each, known in zip(texts, constants, strict=True)
    )
    arrays = []
    for column, fields in zip(schema, columns, strict=True):
        if pa.types.is_struct(column.type):
            arrays.append(pa.StructArray.from_arrays([next(found) for _ in fields[0]], names=list(fields[0])))
        else:
            arrays.append(_array(next(found), column.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def _constant(text: Text) -> str | None:
    """The text that all rows have; None where they have different ones."""
    match text.pieces:
        case (str() as constant,):
            return constant
    return None


def _texts(cell: Cell) -> Mapping[str, Text]:
    match cell:
        case Struct(fields):
            return fields
        case Number(digits):
            return {"": digits}
    return {"": cell}


def _often(rows: Sequence[Row], kept: NDArray[np.bool_] | None) -> list[float]:
    """How many of each row an instance has, on average."""
    return [1.0] * len(rows) if kept is None else (kept.sum(axis=0) / max(1, len(kept))).tolist()


def _array(texts: pa.Array, type_: pa.DataType) -> pa.Array:
    """Texts, or the numbers of which they are the digits."""
    import pyarrow as pa

    if type_ == pa.string():
        return texts
    import pyarrow.compute as pc

    number = pc.is_null(pc.index_in(texts, value_set=strings([NULL])))
    return pc.if_else(number, texts, pa.nulls(len(texts), pa.string())).cast(type_)


def lines(
    rows: Sequence[Row], count: int, names: Sequence[str], kept: NDArray[np.bool_] | None = None
) -> Iterator[pa.Buffer]:
    """The JSON lines of ``count`` instances, all rows of an instance together, about :data:`LINES` lines at once.

    Keys are in the order of ``names``, without spaces between tokens, and every line ends in a newline. ``kept``:
    (count, rows) which rows an instance has; None where it has all.
    """
    known: dict[int, Text] = {}
    every = [_line(row, names, known) for row in rows]
    together = _Together([[line] for line in every], _often(rows, kept))
    places = [together.places(line) for line in every]
    size = max(1, LINES // max(1, len(rows)))
    for start in range(0, count, size):
        some = None if kept is None else kept[start : start + size]
        yield _bytes(together.block(start, min(size, count - start)).texts(places, some))


def _line(row: Row, names: Sequence[str], known: dict[int, Text]) -> Text:
    """A line. ``known``: by the `id` of a cell or text, how it is written in JSON."""
    pieces: list[Piece] = []
    for number, name in enumerate(names):
        key = f'{"," if number else "{"}"{name}":'
        match row[name]:
            case Number(digits):
                pieces += key, *digits.pieces
            case Struct() as struct:
                if id(struct) not in known:
                    known[id(struct)] = Text(tuple(_fields(struct, known)))
                pieces += key, known[id(struct)]
            case Text((str() as constant,)):
                pieces.append(f'{key}"{_inside(constant)}"')
            case Text() as text:
                pieces += f'{key}"', _escaped(text, known), '"'
    return Text((*pieces, "}\n"))


def _fields(struct: Struct, known: dict[int, Text]) -> Iterator[Piece]:
    """A JSON object."""
    for number, (name, text) in enumerate(struct.fields.items()):
        yield ("," if number else "{") + f'{json.dumps(name)}:"'
        yield _escaped(text, known)
        yield '"'
    yield "}" if struct.fields else "{}"


def _escaped(text: Text, known: dict[int, Text]) -> Text:
    """A text as it stands in a JSON string."""
    if id(text) not in known:
        pieces: list[Piece] = []
        for piece in text.pieces:
            match piece:
                case str():
                    pieces.append(_inside(piece))
                case Lookup(words, sources):
                    pieces.append(Lookup(words.inside, sources))
                case Text():
                    pieces.append(_escaped(piece, known))
        known[id(text)] = Text(tuple(pieces))
    return known[id(text)]


def _inside(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1] if _ESCAPED.search(text) else text


def _bytes(column: pa.Array) -> pa.Buffer:
    """The texts of a string array one after the other, without making Python strings."""
    offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)[column.offset : column.offset + len(column) + 1]
    data: pa.Buffer = column.buffers()[2]
    return data.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
