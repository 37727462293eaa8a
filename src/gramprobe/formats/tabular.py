"""Read CSV and JSON lines with known columns, and refuse what does not fit (E46)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.files import is_utf16
from gramprobe.source.messages.analysis import SEPARATORS
from gramprobe.source.nearest import did_you_mean

T = TypeVar("T")
Record = dict[str, str]
TABS, JSON = (".tsv", ".txt"), (".jsonl", ".json")
"""The suffixes of files with tabs between cells, and of JSON lines."""
NUL = "a NUL character (U+0000) stands in a cell"
UNCLOSED = "a quotation mark opens in this row and is never closed"


def records(path: Path, needed: Sequence[str], form: str, tabs: bool = False) -> Iterator[tuple[int, Record]]:
    """(number of the line at which it begins, row by column) of a CSV file with a header.

    Args:
        needed: columns that must be there; others are handed on.
        form: what a file with these columns is called, for the message.
        tabs: cells end at tabs, and quotation marks are letters as all others (MultiNLI, the lexicon).

    Empty lines are passed over. Raises UsageError (E44, E46), also for a file without a row below its heading.
    """
    try:
        lines = path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise missing(path, error) from None
    with lines:
        tabbed = partial(csv.reader, delimiter="\t", quoting=csv.QUOTE_NONE)
        reader = (tabbed if tabs else csv.reader)(lines, strict=True)
        line = 1
        try:
            header = next(reader, [])
            _check_heading(path, header, needed, form, "\t" if tabs else ",")
            check_columns(path, header, needed, form)
            line, empty = reader.line_num + 1, True
            for row in reader:
                if not row:
                    line = reader.line_num + 1
                    continue
                empty = False
                if len(row) != len(header):
                    what = f"{len(row)} cells below {len(header)} columns"
                    help = "leave no tab within a cell" if tabs else "quote the texts that hold a comma"
                    if len(row) < len(header):
                        help = f"put a {'tab' if tabs else 'comma'} between cells, for an empty cell, too"
                    raise refused(path, line, what, help)
                if any("\0" in cell for cell in row):
                    raise refused(path, line, NUL, "a file that is no text, or was cut off, has such: save it as text")
                yield line, dict(zip(header, row, strict=True))
                line = reader.line_num + 1
            if empty:
                raise _no_rows(path, 1, "no row below the heading")
        except csv.Error as error:
            help = "quote the texts that hold a quotation mark"
            if is_unclosed(error):
                raise refused(path, line, UNCLOSED, help) from None
            raise refused(path, reader.line_num, f"no CSV: {error}", help) from None
        except UnicodeDecodeError:
            raise no_utf8(path) from None


def header(path: Path, separator: str = ",") -> tuple[str, ...]:
    """The names of the columns of a CSV file, to choose its reader. Raises UsageError (E44)."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            return tuple(next(csv.reader(lines, delimiter=separator), ()))
    except OSError as error:
        raise missing(path, error) from None
    except csv.Error:
        return ()


def fields(path: Path) -> set[str]:
    """The names of the columns of a file, or the fields of its first object, to choose its reader; none of a file that
    is broken there. Raises UsageError (E44)."""
    if path.suffix.lower() not in JSON:
        return set(header(path, "\t" if path.suffix.lower() in TABS else ","))
    try:
        return set(next(json_records(path, (), ""), (0, {}))[1])
    except UsageError as error:
        if error.code == "E44":
            raise
        return set()


def rows_of(path: Path, needed: Sequence[str], form: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file whose suffix says its form: objects of JSON lines, cells between tabs, or CSV.

    Raises UsageError (E44, E46).
    """
    if path.suffix.lower() in JSON:
        return json_records(path, needed, form)
    return records(path, needed, form, path.suffix.lower() in TABS)


def json_of(text: str) -> Any:
    """The data in a text of JSON. Raises ValueError, also for half a character (a lone surrogate), which no file can
    hold, and RecursionError."""
    found = json.loads(text)
    if "\\ud" in text.lower():
        json.dumps(found, ensure_ascii=False).encode()
    return found


def json_records(path: Path, needed: Sequence[str], form: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number of the line, object) of a file with a JSON object in each line, which has the fields `needed`.

    Raises UsageError (E44, E46).
    """
    try:
        lines = path.open("rb")
    except OSError as error:
        raise missing(path, error) from None
    empty = True
    with lines:
        for number, raw in enumerate(lines, 1):
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise no_utf8(path) from None
            if not text.strip():
                continue
            empty = False
            try:
                found = json_of(text)
            except (ValueError, RecursionError) as error:
                what = (
                    error.msg
                    if isinstance(error, json.JSONDecodeError)
                    else "it is nested too deeply, a number too long, or half a character"
                )
                raise refused(
                    path, number, f"no JSON: {what}", "a file that was cut off ends so: get it anew"
                ) from None
            if not isinstance(found, dict):
                raise refused(path, number, "no JSON object", f"{form} has an object in each line")
            check_columns(path, list(found), needed, form, number)
            if any(isinstance(each, str) and "\0" in each for each in found.values()):
                raise refused(path, number, NUL, "take it out: no text has such a character")
            yield number, found
    if empty:
        raise _no_rows(path, 1, "the file has no rows")


def is_unclosed(error: csv.Error) -> bool:
    """Whether a table ends within quotation marks; the row that opens them is wrong, and not the last one."""
    return "unexpected end of data" in str(error)


def _check_heading(path: Path, header: Sequence[str], needed: Sequence[str], form: str, separator: str) -> None:
    """Raise UsageError (E46) for an empty file, and for a heading whose cells end at another separator."""
    if not any(cell.strip() for cell in header):
        raise _no_rows(path, 1, "no heading")
    if set(needed).intersection(header) or (len(header) > 1 and not needed):
        return
    for other, called in SEPARATORS.items():
        if other != separator and other in header[0]:
            what = f"there are {called} between the names of the columns, where {form} has {SEPARATORS[separator]}"
            help = f"save the file with {SEPARATORS[separator]} between its cells"
            if other == ";":
                help += " and points in its numbers (spreadsheets use semicolons where the comma is for decimals)"
            raise refused(path, 1, what, help)


def _no_rows(path: Path, line: int, what: str) -> UsageError:
    return refused(path, line, what, "give the file with its rows: nothing was written to this one, or it was cut off")


def check_columns(path: Path, found: Sequence[str], needed: Sequence[str], form: str, line: int = 1) -> None:
    """Raise UsageError (E46) for the first column of `needed` that is not there, or one that is there twice."""
    for name in needed:
        if name not in found:
            near = did_you_mean(name, found)
            raise refused(path, line, f"no column `{name}`{near}", f"{form} has the columns {', '.join(needed)}")
    twice = next((name for i, name in enumerate(found) if name in found[:i]), None)
    if twice is not None:
        raise refused(path, line, f"two columns `{twice}`", "keep one of them")


def cell(path: Path, line: int, row: Record, name: str, read: Callable[[str], T]) -> T:
    """A cell by `read`, which raises ValueError for what its column cannot hold."""
    try:
        return read(row[name])
    except (ValueError, KeyError):
        raise refused(
            path, line, f"`{row[name]}` in the column `{name}`", "correct the cell, or leave the row out"
        ) from None


def finite(text: str) -> float:
    """A number in ASCII digits that is neither NaN nor infinite; ValueError otherwise."""
    value = float(text)
    if not text.isascii() or "_" in text or not isfinite(value):
        raise ValueError(text)
    return value


def written(text: str) -> str:
    """A text that is not blank; ValueError otherwise."""
    if not text.strip():
        raise ValueError(text)
    return text


def one_of(*words: str) -> Callable[[str], str]:
    """A reader of cells that hold one of some words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return read


def missing(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path} cannot be read: {error.strerror}", "give the path of a file", "E44")


def no_utf8(path: Path) -> UsageError:
    """The refusal of a file, at the first byte that is no UTF-8: what decodes a file as a whole knows no line."""
    raw = path.read_bytes()
    if is_utf16(raw):
        return refused(path, 1, "UTF-16, and not UTF-8", "save the file anew as UTF-8 (`CSV UTF-8` in a spreadsheet)")
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        line, byte = raw.count(b"\n", 0, error.start) + 1, raw[error.start]
        what = f"no UTF-8: the byte 0x{byte:02x} here, which is `{bytes([byte]).decode('latin-1')}` in Latin-1"
        return refused(path, line, what if byte > 0xA0 else what.partition(",")[0], "save the file anew as UTF-8")
    return refused(path, 1, "no UTF-8", "save the file anew as UTF-8")


def refused(path: Path, line: int, what: str, help: str) -> UsageError:
    return UsageError(f"{path.name}, line {line}: {what}", help, "E46")


_RUN = "=+-@\t\r"
"""What a text begins with that a spreadsheet runs as a formula (OWASP, *CSV injection*)."""


def guarded(column: Any) -> Any:
    """An Arrow column of texts as a spreadsheet may open it: what it would run, and is no number, gets an apostrophe
    before it, and so does what begins with apostrophes before such a text, so that `unguarded` is its inverse."""
    import pyarrow as pa
    import pyarrow.compute as pc

    first = pc.binary_slice(column.cast(pa.binary()), 0, 1)
    if not pc.any(pc.is_in(first, value_set=pa.array([c.encode() for c in f"'{_RUN}"], pa.binary()))).as_py():
        return column
    run = pc.match_substring_regex(column, rf"^'*[{_RUN}]")
    number = pc.match_substring_regex(column, r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")
    return pc.if_else(pc.and_not(run, number), pc.binary_join_element_wise("'", column, ""), column)


def unguarded(column: Any) -> Any:
    """A column as it was before `guarded`."""
    import pyarrow.compute as pc

    return pc.replace_substring_regex(column, rf"^'('*[{_RUN}])", r"\1")
