"""What items are scored on, for who reads scores: the names of parts, and the items as a run read them.

parts_of(folder) -> {paradigm: {mode: (part, ...)}}          source_of(dataset, settings) -> a source
"""

from __future__ import annotations

from pathlib import Path

from gramprobe.dataset.read import Dataset
from gramprobe.score.modes import MODES
from gramprobe.score.record import Settings
from gramprobe.score.source import DatasetSource, Source, Table
from gramprobe.score.word_order import ShuffledSource


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


def source_of(dataset: Dataset, settings: Settings) -> Source:
    """The items of a dataset as a run with these settings read them: with their words in another order if it did."""
    source = DatasetSource(dataset)
    return ShuffledSource(source, settings.seed) if settings.shuffle_words is True else source
