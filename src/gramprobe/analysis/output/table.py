"""Tables: what an analysis returns.

A table keeps its numbers as they were computed. How many digits are printed is said by the column; the writers
(`gramprobe.analysis.output.writers`) round, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import isfinite, isnan


class Unit(Enum):
    """What the numbers of a column are, which decides how they are printed."""

    PLAIN = "plain"
    SHARE = "share"
    """Between 0 and 1, printed as a percentage."""
    PROBABILITY = "probability"
    """A p-value, printed without the leading zero, and as `< .001` below that (APA style, 7th edition, 6.36)."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the ends of its confidence interval, in the estimate's unit."""

    value: float
    low: float
    high: float


Value = str | int | float | Interval | None
"""None stands for what there is no number for (an empty cell of a design)."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    `key` names it in CSV and JSON, `heading` in print. Neighbours of the same `group` stand below one heading.
    """

    key: str
    heading: str
    digits: int = 2
    unit: Unit = Unit.PLAIN
    group: str = ""


def percent(key: str, heading: str, group: str = "") -> Column:
    """A column of shares: in print as percent with one digit."""
    return Column(key, heading, 3, Unit.SHARE, group)


@dataclass(frozen=True, slots=True)
class Method:
    """How the intervals and tests of a table were made, each part as words that follow its name in a sentence.

    Attributes:
        estimator: what is estimated.
        cluster: what is drawn independently, in the plural.
        df: the degrees of freedom.
        population: for what more of an interval or a test holds.
        interval: how intervals of 95 % are made; empty where there are none.
        least: of how little there is none.
        test: what p is of; empty where nothing is tested.
        correction: for several tests.
        of: which columns or rows, where a table has several methods.
    """

    estimator: str
    cluster: str
    df: str
    population: str
    interval: str = ""
    least: str = ""
    test: str = ""
    correction: str = "none"
    of: str = ""

    def note(self) -> str:
        """The parts in one fixed order."""
        of = f"{self.of[0].upper()}{self.of[1:]}. " if self.of else ""
        interval = f"95 %, {self.interval}" if self.interval else "none"
        least = f"; none from {self.least}" if self.least else ""
        test = f"Test: {self.test}. " if self.test else ""
        return (
            f"{of}Estimator: {self.estimator}. Interval: {interval}{least}. {test}Cluster: {self.cluster}. Degrees of "
            f"freedom: {self.df}. Correction: {self.correction}. It holds for {self.population}."
        )


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below columns, with a caption that can be read alone.

    Raises ValueError for a row of another length, and for two columns of one key.
    """

    name: str
    """Names its files: small letters, digits and `_`."""
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()
    """Sentences below the table: what was left out and why."""
    stub: int = 1
    """How many columns at the left name the row."""
    sections: dict[int, str] = field(default_factory=dict)
    """Number of a row -> the heading that stands above it."""
    methods: tuple[Method, ...] = ()
    """How its intervals and tests were made."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """All that is printed below the table."""
        return (*self.notes, *(method.note() for method in self.methods))

    def __post_init__(self) -> None:
        keys = [column.key for column in self.columns]
        if len(set(keys)) != len(keys):
            raise ValueError(f"{self.name}: two columns have one key in {keys}")
        for row in self.rows:
            if len(row) != len(keys):
                raise ValueError(f"{self.name}: a row of {len(row)} cells below {len(keys)} columns: {row}")

    def without(self, key: str) -> Table:
        """The table without a column, if it has it."""
        kept = [i for i, column in enumerate(self.columns) if column.key != key]
        rows = tuple(tuple(row[i] for i in kept) for row in self.rows)
        return replace(self, columns=tuple(self.columns[i] for i in kept), rows=rows)

    def numeric(self, i: int) -> bool:
        """Whether a column holds numbers, which stand at the right."""
        values = [row[i] for row in self.rows if row[i] is not None]
        return bool(values) and not any(isinstance(value, str) for value in values)


def groups(columns: Sequence[Column]) -> Iterator[tuple[str, int]]:
    """(heading, number of columns) of each run of columns of one group; columns without a group have no heading."""
    start = 0
    for i, column in enumerate(columns):
        if i + 1 == len(columns) or columns[i + 1].group != column.group or not column.group:
            yield column.group, i + 1 - start
            start = i + 1


MINUS = "−"
NONE = "–"


def printed(value: Value, column: Column) -> str:
    """A cell as it is read: rounded, with a real minus sign, an interval in brackets."""
    match value:
        case None:
            return NONE
        case str():
            return value
        case Interval():
            if isnan(value.value):
                return NONE
            low, high = (number(end, column).removesuffix(" %") for end in (value.low, value.high))
            return f"{number(value.value, column)} [{low}, {high}]"
        case _:
            return number(value, column)


def number(value: float, column: Column) -> str:
    """A number by the column's unit and digits. Whole numbers have no digits after the point, but for shares."""
    if isinstance(value, float) and not isfinite(value):
        return NONE if isnan(value) else ("∞" if value > 0 else f"{MINUS}∞")
    match column.unit:
        case Unit.SHARE:
            text = f"{100 * value:.{max(column.digits - 2, 0)}f} %"
        case Unit.PROBABILITY:
            text = "< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")
        case Unit.PLAIN:
            text = f"{value:,}" if isinstance(value, int) else f"{value:.{column.digits}f}"
    # -0.00 is 0.00 when it is printed.
    return text.replace("-", MINUS) if any(digit in text for digit in "123456789") else text.replace("-", "")


def records(table: Table) -> Iterator[dict[str, str | int | float | None]]:
    """Each row by the keys of the columns, unrounded; an interval takes `KEY`, `KEY_low` and `KEY_high`."""
    spans = interval_columns(table)
    for row in table.rows:
        record: dict[str, str | int | float | None] = {}
        for i, (column, value) in enumerate(zip(table.columns, row, strict=True)):
            ends = (value.value, value.low, value.high) if isinstance(value, Interval) else (value, None, None)
            record[column.key] = ends[0]
            if i in spans:
                record[f"{column.key}_low"], record[f"{column.key}_high"] = ends[1:]
        yield record


def interval_columns(table: Table) -> Sequence[int]:
    """The numbers of the columns in which any cell is an interval."""
    return [i for i in range(len(table.columns)) if any(isinstance(row[i], Interval) for row in table.rows)]
