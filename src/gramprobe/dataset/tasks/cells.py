"""Columns of a chunk as pieces, and from pieces to JSON lines and Arrow tables without a Python string a row.

A cell is a list of pieces: texts, and parts (a small dictionary of texts with a number for each row). A line of JSON is
the pieces of all its cells, joined once; a column of a table is the pieces of one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from gramprobe.words.realise import Filled, Group, Realiser


@dataclass(frozen=True)
class Words:
    """A dictionary of texts."""

    texts: tuple[str, ...]

    @cached_property
    def plain(self) -> pa.Array:
        return pa.array(self.texts, pa.string())

    @cached_property
    def escaped(self) -> pa.Array:
        """As inside a JSON text, without the quotes."""
        return pa.array([json.dumps(t, ensure_ascii=False)[1:-1] for t in self.texts], pa.string())


@dataclass(frozen=True, slots=True)
class Part:
    """For each row the number of its text in a dictionary."""

    words: Words
    codes: NDArray[np.int64]


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
                else:
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


@dataclass
class Dictionaries:
    """The dictionaries of segments, made once: a text for every variant of a segment and every member of a category."""

    realiser: Realiser
    known: dict[Any, Words] = field(default_factory=dict)

    def text(self, groups: list[Group], count: int, sentence: bool) -> Text:
        """Groups of segments (those of a realiser) to a column; a sentence is capitalised."""
        if len(groups) == 1:
            rows, columns = groups[0]
            order = None if _in_order(rows) else np.argsort(rows, kind="stable")
            return Text.of(*(self._part(c, sentence and i == 0, order) for i, c in enumerate(columns)))
        return Text((_merged(self.realiser.column(groups, sentence)),))

    def _part(self, filled: Filled, first: bool, order: NDArray[np.intp] | None) -> Piece:
        form = filled.variants[0].form
        size = 1 if form is None else self._size(form.slot.name)
        key = filled.variants, first
        if key not in self.known:
            texts = [self.realiser.text(v, m, first) for v in filled.variants for m in range(size)]
            self.known[key] = Words(tuple(texts))
        words = self.known[key]
        if len(words.texts) == 1:
            return words.texts[0]
        codes = filled.variant * size + filled.member
        return Part(words, codes if order is None else codes[order])

    def _size(self, slot: str) -> int:
        drawn = self.realiser.space.slots[slot].category
        grammar = self.realiser.grammar
        if drawn in grammar.features:
            return len(grammar.features[drawn].values)
        return len(grammar.categories[drawn].lexemes)


def _in_order(rows: NDArray[np.intp]) -> bool:
    return len(rows) < 2 or bool((rows[1:] > rows[:-1]).all())


def _merged(column: pa.Array) -> Part:
    """A column as one part."""
    encoded = column.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return Part(Words(tuple(encoded.dictionary.to_pylist())), codes)


def by_code(texts: Sequence[str], codes: NDArray[np.int64]) -> Piece:
    """A text by the code of each row; one text where it is the same for all that occur."""
    used = np.unique(codes)
    if len({texts[int(u)] for u in used}) == 1:
        return texts[int(used[0])]
    return Part(Words(tuple(texts)), codes)


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
            return pa.repeat(pa.scalar(value, pa.int64()), count)
        case Struct(fields):
            return pa.StructArray.from_arrays([_array(t, count) for t in fields.values()], names=list(fields))
        case Text((str() as text,)):
            return pa.repeat(pa.scalar(text, pa.string()), count)
        case Text((Part(words, codes),)):
            return words.plain.take(pa.array(codes))
    pieces = [pa.scalar(p) if isinstance(p, str) else p.words.plain.take(pa.array(p.codes)) for p in cell.pieces]
    return pc.binary_join_element_wise(*pieces, "")


def lines(rows: Sequence[Row], names: Sequence[str]) -> pa.Array:
    """The lines of each instance as one text: keys in order, no spaces between tokens, a newline behind each."""
    found: list[Piece] = []
    for row in rows:
        for number, name in enumerate(names):
            found += [("," if number else "{") + f'"{name}":', *_json(row[name])]
        found.append("}\n")
    pieces: list[Any] = []
    for piece in Text.of(*found).pieces:
        if isinstance(piece, str):
            pieces.append(pa.scalar(piece))
        else:
            pieces.append(piece.words.plain.take(pa.array(piece.codes)))
    return pc.binary_join_element_wise(*pieces, "")


def _json(cell: Cell) -> Iterable[Piece]:
    match cell:
        case Number(value):
            return (str(value),)
        case Struct(fields):
            found: list[Piece] = []
            for number, (name, text) in enumerate(fields.items()):
                found += [("," if number else "{") + f"{json.dumps(name)}:", *_json(text)]
            return (*found, "}") if found else ("{}",)
    inner = [_escaped(piece) for piece in cell.pieces]
    return ('"', *inner, '"')


def _escaped(piece: Piece) -> Piece:
    if isinstance(piece, str):
        return json.dumps(piece, ensure_ascii=False)[1:-1]
    return Part(_inside(piece.words), piece.codes)


def _inside(words: Words) -> Words:
    """The dictionary escaped: nearly always it is that already."""
    if words.escaped.equals(words.plain):
        return words
    known: Words | None = words.__dict__.get("_inside")
    if known is None:
        known = words.__dict__["_inside"] = Words(tuple(words.escaped.to_pylist()))
    return known


def bytes_of(column: pa.Array) -> pa.Buffer:
    """The text of a string array end to end, without making Python strings."""
    offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)[column.offset : column.offset + len(column) + 1]
    data: pa.Buffer = column.buffers()[2]
    return data.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
