"""A task of sentences by themselves: without pairs, labels and readings."""

from typing import Any

from gramprobe.items.cells import Row
from gramprobe.items.task import PLACE
from gramprobe.items.tasks.text import TextTask
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm


class Plain(TextTask):
    name = "plain"
    form = TaskForm(name=name, headings=(Heading("sentence"),), claims=None, theory=False, meaning=False)
    columns = (*PLACE, "sentence")
    sentences = ("sentence",)
    about = "sentences"
    scored = Scored.of(context=("sentence",))

    def rows(self, cells: Any) -> list[Row]:
        return [{**cells.leading(name), "sentence": cells.sentence(name)} for name in cells.paradigm.conditions]


TASK = Plain()
