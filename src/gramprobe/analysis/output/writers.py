"""A table as text for a terminal, Markdown, HTML, CSV and JSON; as LaTeX in `gramprobe.analysis.output.latex`."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from math import isfinite
from textwrap import wrap
from typing import Any
from urllib.parse import quote

from gramprobe.analysis.output.table import Table, groups, printed, records


def markdown(table: Table) -> str:
    """A pipe table (GitHub's), the caption above it and the notes below. Sections are rows of their own."""
    headings = [f"{c.group}: {c.heading}" if c.group else c.heading for c in table.columns]
    rules = ["--:" if table.numeric(i) else "---" for i in range(len(headings))]
    lines = [f"**{table.caption}**", "", _piped(headings), _piped(rules, pad=False)]
    for r, row in enumerate(table.rows):
        if r in table.sections:
            lines.append(_piped([f"*{table.sections[r]}*", *[""] * (len(headings) - 1)]))
        lines.append(_piped([printed(v, c) for v, c in zip(row, table.columns, strict=True)]))
    for note in table.remarks:
        lines += ["", note]
    return "\n".join(lines) + "\n"


def _piped(cells: list[str], pad: bool = True) -> str:
    cells = [cell.replace("|", "\\|").replace("\n", " ") for cell in cells]
    return f"| {' | '.join(cells)} |" if pad else f"|{'|'.join(cells)}|"


def text(table: Table, before: dict[str, str] | None = None) -> str:
    """Columns set off by two spaces, numbers at the right; the caption above, the notes below, in lines of at most 100
    characters. The name of a group of columns stands above them.

    ``before``: how numbers are made -> the caption of the table below which that stands already, which is named
    instead; what this table says first is added.
    """
    numeric = [table.numeric(i) for i in range(len(table.columns))]
    rows = [[printed(v, c) for v, c in zip(row, table.columns, strict=True)] for row in table.rows]
    heads = [c.heading for c in table.columns]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    runs = list(groups(table.columns))
    at = 0
    for name, count in runs:  # the last column of a group is as wide as its name needs
        span = sum(widths[at : at + count]) + 2 * (count - 1)
        widths[at + count - 1] += max(len(name) - span, 0)
        at += count

    def line(cells: list[str]) -> str:
        set_off = (c.rjust(w) if n else c.ljust(w) for c, w, n in zip(cells, widths, numeric, strict=True))
        return "  ".join(set_off).rstrip()

    lines = [*wrap(table.caption, 100), ""]
    if any(name for name, _ in runs):
        at, names = 0, []
        for name, count in runs:
            span = sum(widths[at : at + count]) + 2 * (count - 1)
            names.append(f" {name} ".center(span, "-") if name and len(name) + 2 <= span else name.center(span))
            at += count
        lines.append("  ".join(names).rstrip())
    lines.append(line(heads))
    for r, row in enumerate(rows):
        if r in table.sections:
            lines += [f"- {table.sections[r]}"]
        lines.append(line(row))
    for note in table.remarks if before is None else (*table.notes, *_said_once(table, before)):
        lines += wrap(note, 100, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def _said_once(table: Table, before: dict[str, str]) -> Iterator[str]:
    """How the numbers of a table are made, or where that stands already."""
    for method in table.methods:
        note, of = replace(method, of="").note(), f"{method.of[:1].upper()}{method.of[1:]}. " if method.of else ""
        where = before.setdefault(note, table.caption.rstrip("."))
        own = where == table.caption.rstrip(".")
        yield of + note if own else f"{of}Estimator, interval and cluster: as below \u201c{where}\u201d."


def html(table: Table, download: bool = False) -> str:
    """A <table> with a caption, scopes for screen readers, and the notes in a paragraph of class `notes`.

    Stands in a <div class="table"> that may scroll sideways on a narrow screen, so that the page does not; in print a
    `wide` one lies across the sheet. ``download``: with a link to the unrounded rows as CSV, which the page holds.
    """
    name = escape(table.name, quote=True)
    kind = "table wide" if len(table.columns) > WIDE else "table"
    lines = [f'<div class="{kind}" role="region" aria-labelledby="{name}" tabindex="0">', "<table>"]
    lines += [f'<caption id="{name}">{_running(table.caption)}</caption>', "<thead>"]
    if any(column.group for column in table.columns):
        cells = [
            f'<th colspan="{width}" scope="colgroup">{escape(group)}</th>' if group else f'<td colspan="{width}"></td>'
            for group, width in groups(table.columns)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    numeric = [table.numeric(i) for i in range(len(table.columns))]
    heads = [
        f'<th scope="col"{_class(n)}>{escape(column.heading)}</th>'
        for column, n in zip(table.columns, numeric, strict=True)
    ]
    lines += [f"<tr>{''.join(heads)}</tr>", "</thead>", "<tbody>"]
    for r, row in enumerate(table.rows):
        if r in table.sections:
            heading = escape(table.sections[r])
            lines.append(f'<tr class="section"><th colspan="{len(row)}" scope="colgroup">{heading}</th></tr>')
        cells = []
        for i, (value, column) in enumerate(zip(row, table.columns, strict=True)):
            text = escape(printed(value, column))
            cells.append(
                f'<th scope="row"{_class(numeric[i])}>{text}</th>'
                if i < table.stub
                else f"<td{_class(numeric[i], len(text) > LONG)}>{text}</td>"
            )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines += ["</tbody>", "</table>"]
    lines += [f'<p class="notes">{_running(note)}</p>' for note in table.remarks]
    if download:
        rows = f"data:text/csv;charset=utf-8,{quote(comma_separated(table))}"
        lines.append(f'<p class="notes"><a class="file" download="{name}.csv" href="{rows}">csv</a></p>')
    return "\n".join([*lines, "</div>"]) + "\n"


def _running(text: str) -> str:
    """A sentence, with what stands between backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


LONG, WIDE = 40, 8
"""Characters: a longer cell is broken into lines. Columns: a table of more is wide."""


def _class(numeric: bool, long: bool = False) -> str:
    return ' class="number"' if numeric else ' class="long"' if long else ""


def comma_separated(table: Table) -> str:
    """The rows unrounded (RFC 4180, with line feeds); an empty cell for None."""
    out = io.StringIO()
    rows = list(records(table))
    writer = csv.DictWriter(
        out, fieldnames=list(rows[0]) if rows else [c.key for c in table.columns], lineterminator="\n"
    )
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def as_json(table: Table) -> str:
    """The data of a table as a JSON text."""
    return json.dumps(as_data(table), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def as_data(table: Table) -> dict[str, Any]:
    """Name, caption, notes, and the rows unrounded. A number that is not finite is null: JSON has no word for it."""
    rows = [{key: _finite(value) for key, value in record.items()} for record in records(table)]
    return {"name": table.name, "caption": table.caption, "notes": list(table.remarks), "rows": rows}


def _finite(value: str | int | float | None) -> str | int | float | None:
    return None if isinstance(value, float) and not isfinite(value) else value


# A table is data, and this module writes it: in a notebook and in a terminal too.
for _name, _method in (("_repr_html_", html), ("__repr__", text)):
    setattr(Table, _name, _method)
