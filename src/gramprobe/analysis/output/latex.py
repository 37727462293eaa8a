"""A table as LaTeX (booktabs, threeparttable) that fits its page: smaller letters first, then both columns of a page of
two, then parts that repeat the columns that name the rows. Nothing is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gramprobe.analysis.output.table import Table, groups, printed

_LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "<": "$<$",
        ">": "$>$",
        "|": r"\textbar{}",
        "−": "$-$",
        "–": "--",
        "∞": r"$\infty$",
        "±": r"$\pm$",
        "×": r"$\times$",
        "⇒": r"$\Rightarrow$",
        "²": r"\textsuperscript{2}",
        "α": r"$\alpha$",
        "β": r"$\beta$",
        "σ": r"$\sigma$",
        "ρ": r"$\rho$",
        "χ": r"$\chi$",
    }
)

#: Points: the width of a line of the class article (10 pt, letter), and of one and of both columns of a page of two, as
#: in the style of the ACL.
LINE, COLUMN, BOTH = 345.0, 219.0, 455.0
#: How wide letters of a size are beside those of 10 points: smaller ones are cut wider than their size says.
SIZES = {"": 1.0, r"\small": 0.93, r"\footnotesize": 0.85}
#: Points between two columns; a text that is wider than this is broken into lines; lines of a page of normal size.
BETWEEN, WIDEST, LINES = 8.0, 130.0, 42
#: Points of a letter of Computer Modern Roman at 10 points, from above: those that are not listed take `OTHER`.
_WIDTHS = {"ijl.,;:'|!": 2.8, "ftrsIJ-()[] ": 3.9, "mwMW%−±×∞": 8.5, "ABCDEFGHKLNOPQRSTUVXYZ⇒": 7.5}
_WIDTH = {letter: width for letters, width in _WIDTHS.items() for letter in letters}
OTHER = 5.4


@dataclass(frozen=True)
class _Part:
    """A float: which rows and columns it has, in which environment and size."""

    rows: range
    columns: tuple[int, ...]
    environment: str
    size: str
    widths: tuple[float, ...]


def latex(table: Table, columns: int = 1) -> str:
    """`table` floats for the packages booktabs and threeparttable, labelled `tab:NAME`; those after the first
    `tab:NAME-2` and so on. With a page of two ``columns``, wide tables are floats `table*` over both."""
    parts = list(_parts(table, columns))
    return "\n".join(_float(table, part, number, len(parts)) for number, part in enumerate(parts, 1))


def _parts(table: Table, columns: int) -> Iterator[_Part]:
    cells = [[printed(v, c) for v, c in zip(row, table.columns, strict=True)] for row in table.rows]
    heads = [column.heading for column in table.columns]
    wide = [max(map(_points, texts)) for texts in zip(heads, *cells, strict=True)]
    widths = [w if table.numeric(i) else min(w, WIDEST) for i, w in enumerate(wide)]
    rooms = [("table", LINE)] if columns == 1 else [("table", COLUMN), ("table*", BOTH)]
    every = tuple(range(len(heads)))
    whole = ((e, name) for e, room in rooms for name, share in SIZES.items() if _total(widths, every) * share <= room)
    environment, size = next(whole, (rooms[-1][0], r"\footnotesize"))
    room = dict(rooms)[environment] / SIZES[size]
    runs = [every] if _total(widths, every) <= room else _divided(table, widths, room)
    tall = [max(-(-w // WIDEST) for w in map(_points, row)) if row else 1 for row in cells]
    for start, end in pairwise(_breaks(tall, int(LINES / SIZES[size]))):
        for run in runs:
            yield _Part(range(start, end), run, environment, size, tuple(w * SIZES[size] for w in widths))


def _points(text: str) -> float:
    return sum(_WIDTH.get(letter, OTHER) for letter in text)


def _total(widths: Sequence[float], columns: Sequence[int]) -> float:
    return sum(widths[i] for i in columns) + BETWEEN * len(columns)


def _divided(table: Table, widths: Sequence[float], room: float) -> list[tuple[int, ...]]:
    """Columns for each part: those that name the rows, and as many others as fit, groups whole where one fits."""
    stub = tuple(range(table.stub))
    units: list[tuple[int, ...]] = []
    at = 0
    for _, count in groups(table.columns):
        unit = tuple(i for i in range(at, at + count) if i >= table.stub)
        whole = _total(widths, stub + unit) <= room
        units += [unit] if whole else [(i,) for i in unit]
        at += count
    runs = [stub]
    for unit in filter(None, units):
        if len(runs[-1]) > len(stub) and _total(widths, runs[-1] + unit) > room:
            runs.append(stub)
        runs[-1] += unit
    return runs


def _breaks(tall: Sequence[float], lines: int) -> list[int]:
    """Where parts begin and end, so that none has more ``lines`` than a page."""
    ends, held = [0], 0.0
    for row, height in enumerate(tall):
        if held and held + height > lines:
            ends.append(row)
            held = 0.0
        held += height
    return [*ends, len(tall)]


def _float(table: Table, part: _Part, number: int, count: int) -> str:
    columns = [table.columns[i] for i in part.columns]
    kinds = "".join(
        "r" if table.numeric(i) else "l" if _fits(table, i) else rf"p{{{part.widths[i]:.0f}pt}}" for i in part.columns
    )
    label, which = (table.name, "") if count == 1 else (f"{table.name}-{number}", f" Part {number} of {count}.")
    lines = [rf"\begin{{{part.environment}}}", r"\centering", *filter(None, [part.size]), r"\begin{threeparttable}"]
    lines += [rf"\caption{{{_tex(table.caption)}{which}}}", rf"\label{{tab:{label.removesuffix('-1')}}}"]
    lines += [rf"\setlength{{\tabcolsep}}{{{BETWEEN / 2:.0f}pt}}", rf"\begin{{tabular}}{{{kinds}}}", r"\toprule"]
    if any(column.group for column in columns):
        cells, rules, at = [], [], 1
        for group, width in groups(columns):
            cells.append(rf"\multicolumn{{{width}}}{{c}}{{{_tex(group)}}}" if group else " & ".join([""] * width))
            rules += [rf"\cmidrule(lr){{{at}-{at + width - 1}}}"] if group else []
            at += width
        lines += [" & ".join(cells) + r" \\", *rules]
    lines += [" & ".join(_tex(column.heading) for column in columns) + r" \\", r"\midrule"]
    for r in part.rows:
        above = max((start for start in table.sections if start <= r), default=None)
        if above is not None and (above == r or r == part.rows.start):
            lines += [r"\addlinespace"] if r > part.rows.start else []
            lines.append(rf"\multicolumn{{{len(columns)}}}{{l}}{{\emph{{{_tex(table.sections[above])}}}}} \\")
        lines.append(" & ".join(_tex(printed(table.rows[r][i], table.columns[i])) for i in part.columns) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    if table.remarks and number == count:
        lines += [r"\begin{tablenotes}[flushleft]", r"\footnotesize"]
        lines += [rf"\item {_tex(note)}" for note in table.remarks]
        lines.append(r"\end{tablenotes}")
    return "\n".join([*lines, r"\end{threeparttable}", rf"\end{{{part.environment}}}"]) + "\n"


def _fits(table: Table, i: int) -> bool:
    """Whether no text of a column is broken into lines."""
    column = table.columns[i]
    return all(_points(printed(row[i], column)) <= WIDEST for row in table.rows)


def _tex(text: str) -> str:
    return text.translate(_LATEX)
