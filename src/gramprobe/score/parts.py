"""The names of the parts that a paradigm's items are scored on, for files of scores that other programs wrote.

parts_of(folder) -> {paradigm: {mode: (part, ...)}}
"""

from __future__ import annotations

from pathlib import Path

from gramprobe.score.modes import MODES
from gramprobe.score.source import DatasetSource, Table


def parts_of(folder: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Paradigm -> each mode that fits it -> the parts of its items that have one value each.

    There are none where the answer is a label: such scores are labels. Raises UsageError for a folder that is not a
    dataset.
    """
    return {name: _parts(table) for name, table in DatasetSource(folder).tables.items()}


def _parts(table: Table) -> dict[str, tuple[str, ...]]:
    if table.labels:
        return {}
    row = dict.fromkeys(table.columns, table.scored.slot or "text")  # the names are those of the columns, not the texts
    return {
        mode.name: tuple(part for asked in mode.asked(table, row) for part, _ in asked.parts)
        for mode in MODES.values()
        if mode.fits(table)
    }
