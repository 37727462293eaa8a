"""The rows to analyse: a csv or Parquet file, or a table in memory, read batch by batch and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from gramprobe.analysis.mixed.layout import Floats, Indices
from gramprobe.analysis.mixed.text import Strays, Text, is_number
from gramprobe.source.diagnostic import AuthoringError, Diagnostic, Span, UsageError
from gramprobe.source.messages import analysis as messages

#: rows of a batch: what is in memory at once
BATCH = 65_536
#: a column of numbers with at most so many values is kept as a code
FEW = 64


@dataclass(frozen=True)
class Frame:
    """A table that can be read several times.

    Attributes:
        name: what messages call it: the path, or `the frame`.
        schema: its columns.
        source: the file, or the table.
        text: the file, where it is a text with lines.
    """

    name: str
    schema: pa.Schema
    source: Path | pa.Table
    text: Text | None = None

    def place(self, row: int) -> Span:
        """The place of a row, counted from 1: its line in a text, its number elsewhere."""
        return Span(self.name, row if self.text is None else self.text.line_of(row), 1)

    def strays(self, column: str) -> Strays | None:
        """The cells of a column of texts that are no numbers, if other cells are numbers and the frame has lines."""
        if self.text is None or not isinstance(self.source, pa.Table):
            return None
        values = pc.unique(self.source.column(column)).to_pylist()
        if not any(isinstance(value, str) and is_number(value) for value in values):
            return None
        return self.text.strays(column)

    def batches(self, columns: Iterable[str]) -> Iterator[pa.RecordBatch]:
        """The rows in order, with these columns."""
        names = list(dict.fromkeys(columns))
        if isinstance(self.source, Path):
            with pq.ParquetFile(self.source, read_dictionary=_texts(self.schema, names)) as file:
                yield from file.iter_batches(BATCH, columns=names)
        else:
            yield from self.source.select(names).to_batches(BATCH)


def frame_of(source: Path | pa.Table) -> Frame:
    """A frame of a csv file, a Parquet file, or an Arrow table.

    Raises UsageError for another or unreadable file, and AuthoringError (E97) for a row that has another number of
    cells than the heading, and for two columns of one name.
    """
    frame = _frame_of(source)
    twice = next((name for name, count in Counter(frame.schema.names).items() if count > 1), None)
    if twice is not None:
        raise AuthoringError([messages.two_columns(Span(frame.name, 1, 1), twice)])
    return frame


def _frame_of(source: Path | pa.Table) -> Frame:
    if not isinstance(source, Path):
        return Frame("the frame", source.schema, source)
    if not source.is_file():
        help = "--frame names a csv or Parquet file with one row a score"
        if source.is_dir():
            what = f"`{source}` is a folder"
            raise UsageError(what, f"{help}: of scores, gramprobe frame {source} --out answers.csv writes it")
        raise UsageError(f"there is no file `{source}`", help)
    if source.suffix.lower() not in (".parquet", ".pq"):
        text = Text(source)
        table = text.read()
        return Frame(str(source), table.schema, table, text)
    try:
        return Frame(str(source), pq.read_schema(source), source)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"`{source}` cannot be read: {reason}", "--frame takes csv, tsv and Parquet files") from error


def _texts(schema: pa.Schema, names: list[str]) -> list[str]:
    return [
        n for n in names if pa.types.is_string(schema.field(n).type) or pa.types.is_large_string(schema.field(n).type)
    ]


@dataclass
class Values:
    """The values of a column, numbered as they are met.

    Attributes:
        numbers: whether they are numbers, or the texts of levels.
        codes: value -> its number.
        many: there are more than :data:`FEW` numbers, so that they are not numbered.
    """

    numbers: bool
    codes: dict[Any, int] = field(default_factory=dict)
    many: bool = False

    def coded(self, column: pa.Array) -> Indices:
        """The number of each value; new ones get the next."""
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        values = column.dictionary.to_pylist()
        if not self.numbers:
            values = [level(v) for v in values]
        local = np.array([self.codes.setdefault(v, len(self.codes)) for v in values], dtype=np.int64)
        if self.numbers and len(self.codes) > FEW:
            self.many = True
        return local[column.indices.to_numpy(zero_copy_only=False)] if len(local) else np.zeros(len(column), np.int64)


def level(value: Any) -> str:
    """A value as the name of a level."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def ordered(values: Values) -> tuple[str, ...]:
    """Levels in the order of R's `factor`: numbers by size, texts by code point."""

    def key(text: str) -> tuple[int, float, str]:
        try:
            return (0, float(text), text)
        except ValueError:
            return (1, 0.0, text)

    return tuple(sorted(values.codes, key=key))


@dataclass
class Scan:
    """What one pass over the rows finds.

    Attributes:
        rows: their number.
        mean: of the scores.
        scores: their values.
        values: predictor -> its values.
        levels: column of a grouping factor -> its values, as texts.
        pairs: grouping factor of several columns -> the combinations of the numbers of their values, as they are met.
    """

    rows: int
    mean: float
    scores: Values
    values: dict[str, Values]
    levels: dict[str, Values]
    pairs: dict[tuple[str, ...], dict[tuple[int, ...], int]]


def scan(
    frame: Frame,
    score: str,
    predictors: dict[str, bool],
    factors: tuple[tuple[str, ...], ...],
    scores_of: Callable[[pa.RecordBatch], Floats],
) -> Scan:
    """Read all rows once, and find their values.

    ``scores_of``: batch -> its scores, out of the column ``score``; ``predictors``: column -> whether it is taken as a
    number; ``factors``: of each grouping factor its columns. Raises AuthoringError (E97) with the first row of each
    column that holds nothing, no number or an infinite one, and for columns that never vary.
    """
    found = {name: Values(number) for name, number in predictors.items()}
    levels = {name: Values(False) for factor in factors for name in factor}
    pairs: dict[tuple[str, ...], dict[tuple[int, ...], int]] = {factor: {} for factor in factors if len(factor) > 1}
    bad: dict[str, tuple[int, str, int]] = {}
    rows, total, low, high = 0, 0.0, np.inf, -np.inf
    scores = Values(True)
    for batch in frame.batches([score, *found, *levels]):
        if not len(batch):
            continue
        for name in dict.fromkeys((score, *found, *levels)):
            what, at, count = _unusable(batch.column(name), name == score or name in found and found[name].numbers)
            if count:
                first, said, before = bad.get(name, (rows + at + 1, what, 0))
                bad[name] = (first, said, before + count)
        if not bad:
            y = scores_of(batch)
            if not scores.many:
                scores.coded(batch.column(score))
            total, low, high = total + float(y.sum()), min(low, float(y.min())), max(high, float(y.max()))
            for name, values in found.items():
                if not values.many:
                    values.coded(batch.column(name))
            codes = {name: values.coded(batch.column(name)) for name, values in levels.items()}
            for factor, known in pairs.items():
                for combination in np.unique(np.column_stack([codes[name] for name in factor]), axis=0).tolist():
                    known.setdefault(tuple(combination), len(known))
        rows += len(batch)
    problems: list[Diagnostic] = []
    if not rows:
        problems.append(messages.no_rows(frame.place(1)))
    for name, (first, what, count) in bad.items():
        problems.append(messages.bad_value(frame.place(first), name, what, count))
    if rows and not problems:
        if low == high:
            problems.append(messages.constant(frame.place(1), score, f"{low:g}", rows))
        for name in predictors:
            if len(found[name].codes) == 1:
                (value,) = found[name].codes
                problems.append(messages.constant(frame.place(1), name, f"`{level(value)}`", rows))
    if problems:
        raise AuthoringError(problems)
    return Scan(rows, total / rows, scores, found, levels, pairs)


def numbers(column: pa.Array) -> Floats:
    """A column as floats."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    found: Floats = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return found


def _unusable(column: pa.Array, number: bool) -> tuple[str, int, int]:
    """What no analysis can take in a column: its name, the index of the first, how many there are."""
    if column.null_count:
        return "no value", int(pc.index(column.is_null(), True).as_py()), column.null_count
    if number or pa.types.is_floating(column.type):
        finite = np.isfinite(numbers(column))
        if not finite.all():
            at = int(np.argmin(finite))
            value = numbers(column.slice(at, 1))[0]
            what = "NaN (no number)" if np.isnan(value) else "an infinite value"
            return what, at, int((~finite).sum())
    return "", 0, 0
