"""The task `sentences`: single sentences or short texts without labels, cut into regions for reading times.

An instance gives a row for each of its sentences, which may stand behind a context and before a question with its
answer: one for all sentences of the instance, or one for each. Nothing is derived, so that a paradigm names no theory,
and its constructors need no meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gramprobe.items.task import PLACE
from gramprobe.items.tasks.reading import conditions_below
from gramprobe.items.tasks.text import TextTask
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm
from gramprobe.source import messages

if TYPE_CHECKING:
    from gramprobe.items.cells import Row, Text
    from gramprobe.items.decisions import Decisions
    from gramprobe.items.rows import ChunkCells

BESIDE = ("context", "question", "answer")
"""What may stand beside a sentence."""


class Sentences(TextTask):
    """Sentences without labels, a row for each."""

    name = "sentences"
    form = TaskForm(
        name=name,
        headings=(Heading("sentence"), *(Heading(name, least=0) for name in BESIDE)),
        claims=None,
        theory=False,
        meaning=False,
        regions=True,
        gates=("spelling", "articles", "regions"),
    )
    columns = (*PLACE, "context", "sentence", "regions", "question", "answer")
    sentences = ("sentence", *BESIDE)
    about = "sentences"
    scored = Scored.of(continuations=("sentence",))

    def rows(self, cells: ChunkCells) -> list[Row]:
        conditions = conditions_below(cells.paradigm, "sentence")
        beside = {name: self._beside(cells, name, len(conditions)) for name in BESIDE}
        return [
            {
                **cells.leading(condition.name),
                "sentence": cells.sentence(condition.name),
                "regions": cells.regions(condition.name),
                **{name: texts[number] for name, texts in beside.items()},
            }
            for number, condition in enumerate(conditions)
        ]

    def _beside(self, cells: ChunkCells, heading: str, rows: int) -> list[Text]:
        """For each row the text below a heading: that of its own place, or the only one; empty if there is none."""
        texts = [cells.sentence(condition.name) for condition in conditions_below(cells.paradigm, heading)]
        return texts if len(texts) == rows else (texts or [cells.constant("")]) * rows

    def begin(self, decisions: Decisions) -> None:
        """Report a heading with several texts that are not as many as there are sentences."""
        paradigm = decisions.plan.paradigm
        rows = len(conditions_below(paradigm, "sentence"))
        for heading in BESIDE:
            below = conditions_below(paradigm, heading)
            if len(below) not in (0, 1, rows):
                decisions.findings.add(messages.task.one_or_each(below[-1].span, heading, len(below), rows, self.name))
