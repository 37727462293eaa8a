"""Whether a Parquet file holds its rows and nothing by which a reader would pass over some of them.

Readers that filter leave out row groups and pages by what a file says about itself: smallest and largest values, page
indexes, Bloom filters, the order of the rows, the encodings of pages, and the places and numbers of all of these. No
library shows all of it, so the footer and the headers of pages are read here: structures of Thrift's compact protocol
with the fields of the format (github.com/apache/parquet-format, `parquet.thrift`). A build writes none of the first
kinds, and the others must be those of the pages that are there.
"""

from __future__ import annotations

import mmap
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

MAGIC = b"PAR1"
_FILE, _GROUP, _CHUNK = frozenset({1, 2, 3, 4, 5, 6, 7}), frozenset({1, 2, 3, 5, 6, 7}), frozenset({2, 3})
"""The fields of a file (`FileMetaData`), of a row group and of a column chunk that a build writes. Not: sorting
columns, another file, indexes, keys."""
_COLUMN = frozenset({1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16})
"""The fields of a column's metadata. Not: keys and values, index pages, statistics, Bloom filters. (Sizes, 16, are
written by newer versions of Arrow whatever it is asked for, and are compared with the rows.)"""
_PAGE = frozenset({1, 2, 3, 5, 7})
_KINDS = {0: (5, frozenset({1, 2, 3, 4}), 5), 2: (7, frozenset({1, 2, 3}), 0)}
"""Type of a page -> the field of its header, the fields there, and which one is its statistics, left empty."""
BYTES = 6
"""The physical type of texts."""
DICTIONARY_PAGE = 2

Struct = Mapping[int, Any]


DAMAGE = (
    ArithmeticError, LookupError, TypeError, ValueError, RecursionError, OSError, struct.error, pa.ArrowException,
)  # fmt: skip
"""What reading a damaged file raises."""


class Unlike(ValueError):
    """What in a file is not as a build writes it."""


def beside_rows(file: Path, parquet: pq.ParquetFile | None = None) -> str:
    """What a Parquet file says beside its rows that no build writes; empty where there is nothing. ``parquet``: the
    file, if it is open.

    Raises OSError.
    """
    if file.stat().st_size < 3 * len(MAGIC):
        return "it is no Parquet file"
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        try:
            end = len(data) - 8
            (length,) = struct.unpack("<I", data[end : end + 4])
            if data[:4] != MAGIC or data[-4:] != MAGIC or length > end - 4:
                raise Unlike("it is no Parquet file")
            footer, stop = _struct(data, end - length)
            if stop != end:
                raise Unlike("its footer is not as long as it says")
            _file(parquet or pq.ParquetFile(file), data, footer, end - length)
        except Unlike as error:
            return str(error)
        except DAMAGE:
            return "it cannot be read: its footer or a page is damaged"
    return ""


def _file(parquet: pq.ParquetFile, data: mmap.mmap, footer: Struct, end: int) -> None:
    _only(footer, _FILE, "its footer")
    groups = footer[4]
    paths = [parquet.schema.column(number).path.encode() for number in range(len(parquet.schema))]
    for number, group in enumerate(groups):
        _only(group, _GROUP, "a row group")
        chunks = group[1]
        if [b".".join(chunk[3][3]) for chunk in chunks] != paths:
            raise Unlike("the columns of a row group are not those of the file, in their order")
        starts, sizes = [], []
        for chunk in chunks:
            _only(chunk, _CHUNK, "a column chunk")
            column = chunk[3]
            _only(column, _COLUMN, "a column")
            starts.append(_pages(data, column, group[3], end))
            sizes.append(column[7])
        _sizes(parquet, number, [chunk[3] for chunk in chunks])
        wrong = group.get(5, starts[0]) != starts[0] or group.get(6, sum(sizes)) != sum(sizes)
        if wrong or group.get(7, number) != number:
            raise Unlike("a row group does not stand where it says")
        ends = [start + size for start, size in zip(starts, sizes, strict=True)]
        if any(start < end for start, end in zip(starts[1:], ends, strict=False)):
            raise Unlike("two columns stand in the same place")
    if list(accumulate(group[3] for group in groups))[-1:] not in ([], [footer[3]]):
        raise Unlike("its row groups have not as many rows as it says")


def _pages(data: mmap.mmap, column: Struct, rows: int, end: int) -> int:
    """Hold the pages of a column against its metadata; where they begin."""
    start = at = column.get(11, column[9])
    stop = start + column[7]
    if not 4 <= start <= stop <= end:
        raise Unlike("a column stands outside of the file's pages")
    found: Counter[tuple[int, int]] = Counter()
    values = 0
    first = None
    while at < stop:
        header, body = _struct(data, at)
        _only(header, _PAGE, "the header of a page")
        kind = header[1]
        place, fields, statistics = _KINDS[kind]
        if header.keys() - {1, 2, 3} != {place}:
            raise Unlike("the header of a page is of another kind than the page")
        about = header[place]
        _only({key: each for key, each in about.items() if key != statistics or each}, fields, "the header of a page")
        if kind == DICTIONARY_PAGE:
            if at != start or 11 not in column or about.get(3):
                raise Unlike("a dictionary stands in the wrong place, or says that it is sorted")
        else:
            first = at if first is None else first
            values += about[1]
        found[kind, about[2]] += 1
        if header[3] < 0:
            raise Unlike("a page has a size below 0")
        at = body + header[3]
    if at != stop or first not in (None, column[9]) or (first is None) != (rows == 0):
        raise Unlike("the pages of a column do not stand where it says")
    if values != rows or column[5] != rows:
        raise Unlike("the pages of a column have not as many values as there are rows")
    said = Counter({(each[1], each[2]): each[3] for each in column.get(13, ())})
    if +said != found:
        raise Unlike("the encodings of a column are not those of its pages")
    return int(start)


def _sizes(parquet: pq.ParquetFile, number: int, columns: Sequence[Struct]) -> None:
    """Hold what a row group says of the sizes of its columns (`SizeStatistics`: how many bytes its texts have, how many
    values are missing at each level) against its rows."""
    if not any(16 in column for column in columns):
        return
    table = parquet.read_row_group(number)
    for column in columns:
        name, *inner = (part.decode() for part in column[3])
        values = table.column(name).combine_chunks()
        missing = [values.null_count]
        for part in inner:
            values = pc.struct_field(values, part)
            missing.append(values.null_count - missing[-1])
        wanted: dict[int, Any] = {3: [*missing, len(table) - sum(missing)]}
        if column[1] == BYTES:
            wanted[1] = pc.sum(pc.binary_length(values)).as_py() or 0
        if 16 in column and {key: each for key, each in column[16].items() if key != 2 or each} != wanted:
            raise Unlike("what it says of the sizes of a column is not so")


def _only(there: Struct, known: frozenset[int], what: str) -> None:
    """Raise Unlike for a field that no build writes."""
    if there.keys() - known:
        raise Unlike(f"{what} has statistics, an index or another entry by which readers skip rows: no build writes it")


# -- Thrift's compact protocol


def _struct(data: mmap.mmap, at: int) -> tuple[dict[int, Any], int]:
    """The fields of a structure by number, and where it ends."""
    fields: dict[int, Any] = {}
    number = 0
    while True:
        head = data[at]
        at += 1
        if not head:
            return fields, at
        if head >> 4:
            number += head >> 4
        else:
            raw, at = _varint(data, at)
            number = _signed(raw)
        if number in fields:
            raise Unlike("a field stands twice")
        kind = head & 15
        fields[number], at = (kind == 1, at) if kind in (1, 2) else _value(data, at, kind)


def _value(data: mmap.mmap, at: int, kind: int) -> tuple[Any, int]:
    if kind in (1, 2, 3):  # an element of a list that is a truth value takes a byte
        return data[at], at + 1
    if kind in (4, 5, 6):
        raw, at = _varint(data, at)
        return _signed(raw), at
    if kind == 8:
        length, at = _varint(data, at)
        if length > len(data) - at:
            raise Unlike("a text is longer than the file")
        return data[at : at + length], at + length
    if kind == 9:
        head, at = data[at], at + 1
        size = head >> 4
        if size == 15:
            size, at = _varint(data, at)
        each = []
        for _ in range(size):
            one, at = _value(data, at, head & 15)
            each.append(one)
        return each, at
    if kind == 12:
        return _struct(data, at)
    raise Unlike("a field has a type that no build writes")


def _varint(data: mmap.mmap, at: int) -> tuple[int, int]:
    number, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7
        if shift > 63:
            raise Unlike("a number is too long")


def _signed(number: int) -> int:
    return (number >> 1) ^ -(number & 1)
