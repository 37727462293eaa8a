"""Tables of readings: the formula of each reading, and its label with each reading of another sentence.

Plain lines with aligned columns, for a terminal and for pictures with a monospaced font.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gramprobe.items.label import Entry

ONE = "(one reading)"
NAMELESS = "(no name)"


def nameless(readings: int) -> str:
    """How a reading without a name is called, beside so many."""
    return ONE if readings == 1 else NAMELESS


"""The name of the only reading of a sentence, which has no id."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A reading on a page: its id, its formula as text, and whether it is the gold reading."""

    id: str
    form: str
    gold: bool = False

    @property
    def name(self) -> str:
        return self.id or ONE


def side_by_side(rows: Sequence[tuple[str, Sequence[str]]], heads: Sequence[str], corner: str = "reading") -> list[str]:
    """A table: names down, heads across, a cell for each."""
    first = max(len(corner), *(len(name or nameless(len(rows))) for name, _ in rows)) + 2
    widths = [max(len(head), *(len(cells[i]) for _, cells in rows)) + 2 for i, head in enumerate(heads)]
    lines = [corner.ljust(first) + "".join(h.ljust(w) for h, w in zip(heads, widths, strict=True)).rstrip()]
    for name, cells in rows:
        row = "".join(c.ljust(w) for c, w in zip(cells, widths, strict=True))
        lines.append(((name or nameless(len(rows))).ljust(first) + row).rstrip())
    return lines


def reading_lines(readings: Sequence[Shown]) -> list[str]:
    """A line for each reading with its formula; of several readings the gold one has a star."""
    width = max(len(reading.name) for reading in readings) + 2
    several = len(readings) > 1
    mark = ("* " if each.gold else "  " for each in readings)
    return [(m if several else "") + each.name.ljust(width) + each.form for m, each in zip(mark, readings, strict=True)]


def label_tables(premise: Sequence[Shown], hypothesis: Sequence[Shown], judged: Iterable[Entry]) -> list[str]:
    """The labels of the premise's readings (down) with the hypothesis' readings (across), one table for each column of
    labels."""
    by_column: dict[str, dict[tuple[str, str], str]] = {}
    for each in judged:
        by_column.setdefault(each.column, {})[each.premise, each.hypothesis] = each.label
    lines: list[str] = []
    for column, labels in by_column.items():
        rows = [(p.id, [labels.get((p.id, h.id), ".") for h in hypothesis]) for p in premise]
        corner = column if len(by_column) > 1 else "reading"
        lines += side_by_side(rows, [h.name for h in hypothesis], corner)
    return lines
