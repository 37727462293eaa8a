"""The rows of tests/suite/*.tsv: pairs of formulas with the label that the literature gives them.

A row has the columns `id theory premise hypothesis label needs frame source finding note`. `label` and `finding` come
from `source`, never from a run; `needs` names the engines that the row is there for, `frame` the frame classes.
`label` is `none` where the premise is inconsistent; `finding` is empty but for the rows of degenerate.tsv. Theories
that are not shipped stand in tests/suite/logic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
COLUMNS = ("id", "theory", "premise", "hypothesis", "label", "needs", "frame", "source", "finding", "note")


@dataclass(frozen=True, slots=True)
class Row:
    """One line; `file` is the fragment."""

    file: str
    id: str
    theory: str
    premise: str
    hypothesis: str
    label: str | None
    needs: tuple[str, ...]
    frames: tuple[str, ...]
    source: str
    finding: str
    note: str

    @property
    def name(self) -> str:
        return f"{self.file}/{self.id}"


@cache
def rows() -> tuple[Row, ...]:
    """Every row, by file and line. Raises ValueError for a line with the wrong number of columns."""
    all_rows: list[Row] = []
    for file in sorted(FOLDER.glob("*.tsv")):
        head, *lines = file.read_text(encoding="utf-8").splitlines()
        if tuple(head.split("\t")) != COLUMNS:
            raise ValueError(f"{file.name}: the columns are {' '.join(COLUMNS)}")
        for number, line in enumerate(lines, 2):
            cells = line.split("\t")
            if len(cells) != len(COLUMNS):
                raise ValueError(f"{file.name}:{number}: {len(cells)} columns")
            id, theory, premise, hypothesis, label, needs, frame, source, finding, note = cells
            engines, frames = (tuple(filter(None, cell.split(","))) for cell in (needs, frame))
            known = None if label == "none" else label
            all_rows.append(
                Row(file.stem, id, theory, premise, hypothesis, known, engines, frames, source, finding, note)
            )
    return tuple(all_rows)
