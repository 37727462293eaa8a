"""A csv or tsv file as a table of columns, and the lines at which its rows and cells stand."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from gramprobe.source.diagnostic import AuthoringError, Span, UsageError
from gramprobe.source.messages import analysis as messages

#: cells of a csv file that hold nothing
MISSING = ["", "NA", "N/A", "NaN", "nan", "null"]
TABS = (".tsv", ".tab")


def is_number(text: str) -> bool:
    """Whether a cell holds a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Strays:
    """The cells of a column that are no numbers.

    Attributes:
        line: of the first of them.
        cell: what it holds.
        count: how many there are.
        numbers: how many cells are numbers.
    """

    line: int
    cell: str
    count: int
    numbers: int


@dataclass(frozen=True)
class Text:
    """A file of rows with a heading. Empty lines are no rows."""

    path: Path

    def read(self) -> pa.Table:
        """The columns, as numbers where every cell is one.

        Raises UsageError for a file that is no text, and AuthoringError (E97) with the line of a row that has another
        number of cells than the heading.
        """
        options = pyarrow.csv.ConvertOptions(null_values=MISSING, strings_can_be_null=True, check_utf8=True)
        layout = pyarrow.csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=True)
        try:
            found = pyarrow.csv.read_csv(self.path, parse_options=layout, convert_options=options)
            names = found.column_names
        except (pa.ArrowException, UnicodeDecodeError) as error:
            self._check_rows()
            reason = str(error).splitlines()[0]
            raise UsageError(
                f"`{self.path}` cannot be read: {reason}", "--frame takes csv, tsv and Parquet files"
            ) from error
        strange = next((field.name for field in found.schema if pa.types.is_binary(field.type)), None)
        if strange is not None:  # bytes that are no UTF-8
            self._check_rows()
        other = next((sign for sign in (";", "\t", ",", "|") if len(names) == 1 and sign in names[0]), None)
        if other is not None:
            raise AuthoringError([messages.other_separator(Span(str(self.path), 1, 1), other, self._delimiter)])
        return found

    def line_of(self, row: int) -> int:
        """The line at which a row, counted from 1, begins."""
        return next((line for line, _ in islice(self._rows(), row, row + 1)), row + 1)

    def strays(self, column: str) -> Strays | None:
        """The cells of a column that hold something, but no number; None if there are none."""
        rows = self._rows()
        place = next(rows)[1].index(column)
        first, count, numbers = (0, ""), 0, 0
        for line, row in rows:
            if row[place] in MISSING:
                continue
            if is_number(row[place]):
                numbers += 1
            else:
                first = first if count else (line, row[place])
                count += 1
        return Strays(*first, count, numbers) if count else None

    @property
    def _delimiter(self) -> str:
        return "\t" if self.path.suffix.lower() in TABS else ","

    def _check_rows(self) -> None:
        """Raise the error of the first row that no table can have."""
        line, width = 0, 0
        try:
            for line, row in self._rows():
                width = width or len(row)
                if len(row) != width:
                    raise AuthoringError([messages.ragged_row(Span(str(self.path), line, 1), len(row), width)])
        except UnicodeDecodeError:
            raise UsageError(
                f"`{self.path}` is no UTF-8, from line {self._lines_of_utf8() + 1} on",
                "write the file anew in UTF-8, or as Parquet",
            ) from None
        except csv.Error as error:
            raise UsageError(
                f"`{self.path}`, below line {line}: {error}", "quote the texts that hold a quotation mark"
            ) from None

    def _lines_of_utf8(self) -> int:
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines):
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    return number
        return 0

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """(line at which it begins, cells) of the heading and of each row."""
        with self.path.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.reader(lines, delimiter=self._delimiter)
            line = 1
            for row in reader:
                if row:
                    yield line, row
                line = reader.line_num + 1
