"""The task `sentences`: single sentences or short texts without labels, cut into regions for reading times.

An instance gives a row for each of its sentences. Nothing is derived, so that a paradigm names no theory, and its
constructors need no meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gramprobe.items.task import PLACE
from gramprobe.items.tasks.reading import conditions_below
from gramprobe.items.tasks.text import TextTask
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm

if TYPE_CHECKING:
    from gramprobe.items.cells import Row
    from gramprobe.items.rows import ChunkCells


class Sentences(TextTask):
    """Sentences without labels, a row for each."""

    name = "sentences"
    form = TaskForm(
        name=name,
        headings=(Heading("sentence"),),
        claims=None,
        theory=False,
        meaning=False,
        regions=True,
        gates=("spelling", "articles", "regions"),
    )
    columns = (*PLACE, "sentence", "regions")
    sentences = ("sentence",)
    about = "sentences"
    scored = Scored.of(continuations=("sentence",))

    def rows(self, cells: ChunkCells) -> list[Row]:
        return [
            {
                **cells.leading(condition.name),
                "sentence": cells.sentence(condition.name),
                "regions": cells.regions(condition.name),
            }
            for condition in conditions_below(cells.paradigm, "sentence")
        ]
