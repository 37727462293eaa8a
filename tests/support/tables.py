"""Finds tables and rows in what a study found."""

from __future__ import annotations

from gramprobe.analysis.findings import Findings
from gramprobe.analysis.output.table import Interval, Table, Value


def table(findings: Findings, name: str) -> Table:
    return next(table for table in (*findings.tables, *findings.details) if table.name == name)


def number(value: Value) -> Value:
    """A value without its interval."""
    return value.value if isinstance(value, Interval) else value


def cells(table: Table, *stub: str, section: str = "") -> dict[str, Value]:
    """The cells of the row that begins with these, below a section, by the keys of the columns."""
    at = ""
    for i, row in enumerate(table.rows):
        at = table.sections.get(i, at)
        if row[: len(stub)] == stub and section in ("", at):
            return {column.key: number(value) for column, value in zip(table.columns, row, strict=True)}
    raise AssertionError(f"no row {stub} below {section} in {table.name}")
