"""Tables as Markdown, HTML, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramprobe.analysis.output.latex import latex
from gramprobe.analysis.output.table import Column, Interval, Table, Unit, Value, number, printed
from gramprobe.analysis.output.writers import as_json, comma_separated, html, markdown, text

TABLE = Table(
    "readings",
    "Accuracy by reading (50 % is chance).",
    (
        Column("pair", "operators"),
        Column("n", "n", group="items"),
        Column("kinds", "kinds", group="items"),
        Column("accuracy", "accuracy", digits=3, unit=Unit.SHARE, group="model"),
        Column("alpha", "α", group="model"),
        Column("p", "p", unit=Unit.PROBABILITY),
    ),
    (
        ("every & a|n", 40, 2, Interval(0.5, 0.4, 0.61239), -0.004, 0.0004),
        ("a_few", 40, 1, None, -4.3, 0.2),
    ),
    notes=("Intervals: Wilson, 95 %.",),
    sections={1: "Quantifiers"},
)


class Cells(HTMLParser):
    """The texts of the cells of a page, row by row, and what stays open at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def test_a_cell_is_rounded_by_its_column() -> None:
    share = Column("a", "a", digits=3, unit=Unit.SHARE)
    assert printed(Interval(0.5, 0.4, 0.6124), share) == "50.0 % [40.0, 61.2]"
    assert printed(0.0004, Column("p", "p", unit=Unit.PROBABILITY)) == "< .001"
    assert printed(0.0414, Column("p", "p", unit=Unit.PROBABILITY)) == ".041"
    assert printed(-1.25, Column("x", "x", digits=1)) == "−1.2"
    assert printed(-0.004, Column("x", "x")) == "0.00"
    assert printed(1036800, Column("n", "n")) == "1,036,800"
    assert printed(None, Column("n", "n")) == printed(float("nan"), Column("n", "n")) == "–"


@given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(0, 6))
def test_a_printed_number_is_the_number_rounded(value: float, digits: int) -> None:
    text = number(value, Column("x", "x", digits=digits)).replace("−", "-")
    assert float(text) == float(f"{value:.{digits}f}")
    assert not (float(text) == 0 and "-" in text)


def test_markdown_has_a_line_for_each_row_and_no_bar_inside_a_cell() -> None:
    lines = [line for line in markdown(TABLE).splitlines() if line.startswith("|")]
    assert [line.replace("\\|", "").count("|") for line in lines] == [7] * 5
    assert lines[0].startswith("| operators | items: n |")
    assert lines[1] == "|---|--:|--:|--:|--:|--:|"


def test_html_is_closed_and_says_what_the_table_says() -> None:
    page = Cells()
    page.feed(html(TABLE))
    assert page.open == []
    assert page.rows[0] == ["", "items", "model", ""]
    assert page.rows[2] == ["every & a|n", "40", "2", "50.0 % [40.0, 61.2]", "0.00", "< .001"]
    assert page.rows[3] == ["Quantifiers"]
    assert 'aria-labelledby="readings"' in html(TABLE)


def wide(columns: int, rows: int, long: str = "") -> Table:
    heads = tuple(Column(f"c{i}", f"column {i}") for i in range(columns))
    cells = tuple((f"row {r}", *(f"{r}.{i}" for i in range(1, columns - 1)), long or "end") for r in range(rows))
    return Table("wide", "Wide.", heads, cells, notes=("A note.",))


def tabulars(text: str) -> list[list[str]]:
    """The cells of each tabular of a text, without its commands."""
    found = re.findall(r"\\midrule\n(.*?)\\bottomrule", text, re.DOTALL)
    return [re.findall(r"[^&\n\\]+", each) for each in found]


def test_latex_divides_what_does_not_fit_a_page_and_loses_nothing() -> None:
    assert latex(wide(5, 3)).count(r"\begin{table}") == 1
    assert r"\small" in latex(wide(7, 3))
    text = latex(wide(25, 100))
    parts = tabulars(text)
    assert len(parts) > 4
    assert {cell.strip() for part in parts for cell in part} >= {f"{r}.{i}" for r in range(100) for i in range(1, 24)}
    assert all(part[0].strip().startswith("row") for part in parts)
    assert text.count(r"\label{tab:wide}") == text.count("A note.") == 1
    assert f"Part {len(parts)} of {len(parts)}." in text


def test_latex_for_two_columns_takes_both_for_a_wide_table() -> None:
    assert r"\begin{table}" in latex(wide(3, 3), 2)
    assert r"\begin{table*}" in latex(wide(8, 3), 2)


def test_latex_breaks_a_long_text_into_lines() -> None:
    assert r"lp{130pt}}" in latex(wide(2, 3, "a text that takes more than a line of its column " * 3))


def test_latex_has_as_many_cells_in_each_row_as_columns() -> None:
    text = latex(TABLE)
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")].splitlines()[1:]
    rows = [line for line in body if line.endswith(r"\\") and "multicolumn" not in line]
    assert [line.replace(r"\&", "").count("&") for line in rows] == [5, 5]
    assert r"every \& a\textbar{}n" in rows[0] and r"a\_few" in rows[1]
    assert r"\cmidrule(lr){2-3}" in text and r"\cmidrule(lr){4-5}" in text
    assert r"50 \% is chance" in text


def test_the_files_beside_it_are_unrounded() -> None:
    rows = list(csv.DictReader(io.StringIO(comma_separated(TABLE))))
    assert float(rows[0]["accuracy_high"]) == 0.61239
    assert rows[1]["accuracy"] == rows[1]["accuracy_low"] == ""
    data = json.loads(as_json(TABLE))
    assert data["rows"][0]["alpha"] == -0.004
    assert data["rows"][1]["accuracy"] is None
    assert data["notes"] == list(TABLE.notes)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_json_can_be_read_where_a_number_is_not_finite(value: float) -> None:
    table = Table("t", "t", (Column("x", "x"),), ((value,),))
    assert json.loads(as_json(table))["rows"] == [{"x": None}]


@pytest.mark.parametrize(
    ("columns", "rows"),
    [((Column("x", "x"),), ((1, 2),)), ((Column("x", "x"), Column("x", "y")), ())],
    ids=["a cell too many", "two columns of one key"],
)
def test_what_is_no_table_is_refused(columns: tuple[Column, ...], rows: tuple[tuple[Value, ...], ...]) -> None:
    with pytest.raises(ValueError, match="t: "):
        Table("t", "t", columns, rows)


def test_text_has_groups_above_headings_and_columns_in_line() -> None:
    lines = text(TABLE).split("\n")
    groups, heads, first, section = lines[2:6]
    assert "items" in groups and "model" in groups
    assert [len(line) <= len(first) for line in (groups, heads)] == [True, True]
    assert first.startswith("every & a|n") and "50.0 % [40.0, 61.2]" in first and section == "- Quantifiers"
    for heading, cell in (("n", "40"), ("kinds", "2"), ("α", "0.00"), ("p", "< .001")):
        right_edge = next(m.end() for m in re.finditer(r"\S+", heads) if m.group() == heading)
        assert right_edge == first.index(f" {cell} " if cell == "2" else cell) + len(cell) + (cell == "2")
    assert lines[-2] == "  Intervals: Wilson, 95 %."
