"""Read CSV and JSON lines with known columns, and refuse what does not fit (E46)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean

T = TypeVar("T")
Record = dict[str, str]


def records(path: Path, needed: Sequence[str], form: str, tabs: bool = False) -> Iterator[tuple[int, Record]]:
    """(number of the line at which it begins, row by column) of a CSV file with a header.

    Args:
        needed: columns that must be there; others are handed on.
        form: what a file with these columns is called, for the message.
        tabs: cells end at tabs, and quotation marks are letters as all others (MultiNLI, the lexicon).

    Raises UsageError (E44, E46).
    """
    try:
        lines = path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise missing(path, error) from None
    with lines:
        tabbed = partial(csv.reader, delimiter="\t", quoting=csv.QUOTE_NONE)
        reader = (tabbed if tabs else csv.reader)(lines, strict=True)
        try:
            header = next(reader, [])
            check_columns(path, header, needed, form)
            line = reader.line_num + 1
            for row in reader:
                if len(row) != len(header):
                    what = f"{len(row)} cells below {len(header)} columns"
                    help = "leave no tab within a cell" if tabs else "quote the texts that hold a comma"
                    raise refused(path, line, what, help)
                yield line, dict(zip(header, row, strict=True))
                line = reader.line_num + 1
        except csv.Error as error:
            raise refused(
                path, reader.line_num, f"no CSV: {error}", "quote the texts that hold a quotation mark"
            ) from None
        except UnicodeDecodeError:
            raise refused(path, reader.line_num + 1, "no UTF-8", "write the file anew in UTF-8") from None


def json_records(path: Path, needed: Sequence[str], form: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number of the line, object) of a file with a JSON object in each line, which has the fields `needed`.

    Raises UsageError (E44, E46).
    """
    try:
        lines = path.open(encoding="utf-8")
    except OSError as error:
        raise missing(path, error) from None
    with lines:
        for number, text in enumerate(lines, 1):
            if not text.strip():
                continue
            try:
                found = json.loads(text)
            except json.JSONDecodeError as error:
                raise refused(
                    path, number, f"no JSON: {error.msg}", "cut off files end so: fetch the file anew"
                ) from None
            if not isinstance(found, dict):
                raise refused(path, number, "no JSON object", f"{form} has an object in each line")
            check_columns(path, list(found), needed, form, number)
            yield number, found


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
    """A number that is neither NaN nor infinite; ValueError otherwise."""
    value = float(text)
    if not isfinite(value):
        raise ValueError(text)
    return value


def one_of(*words: str) -> Callable[[str], str]:
    """A reader of cells that hold one of some words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return read


def missing(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path} cannot be read: {error.strerror}", "give the path of a file", "E44")


def refused(path: Path, line: int, what: str, help: str) -> UsageError:
    return UsageError(f"{path.name}, line {line}: {what}", help, "E46")
