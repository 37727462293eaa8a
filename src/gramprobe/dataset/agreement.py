"""Hold the labels of a dataset against each other before anybody counts them: what a row says of its label in several
columns, and what the line of `certificates.jsonl` says that it rests on.

    check_labels(dataset)

Lines are taken as they stand: whether they are right, `gramprobe verify` asks the kernel. Rows with the same answers
are looked at once, so that this takes little more than reading their columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.manifest import CERTIFICATES, DESIGN
from gramprobe.dataset.read import Dataset
from gramprobe.items.task import Task
from gramprobe.items.tasks import TASKS
from gramprobe.source.diagnostic import UsageError

OF_THE_ROW = frozenset({"id", "instance", "draws", "split", "rests_on", "premise_form", "hypothesis_form"})
"""Columns that differ between rows with the same answer, beside the sentences."""


class Lines:
    """The lines of a dataset as they stand, for `Task.check` (`items.task.Evidence`); formulas are not compared."""

    account = charts = None
    number = rows = 0

    def __init__(self, dataset: Dataset) -> None:
        self._lines = dataset.certificates
        self.before: Mapping[str, Any] = {}

    def line(self, shape: str) -> Mapping[str, Any] | None:
        return self._lines.get(shape)

    def is_rejected(self, shape: str) -> bool:
        return False

    def licensing(self, id_: str) -> None:
        return None

    def wrong_formulas(self, premise: str, hypothesis: str, shape: str) -> str:
        return ""


def check_labels(dataset: Dataset) -> None:
    """Raise UsageError (E44) for the first row with a label that contradicts itself or its certificate.

    Also for a design with another reading of its columns than its task's: `label` 0 is *entailment*, and the premise is
    what a hypothesis is scored behind.
    """
    for paradigm, name in dataset.tasks.items():
        task = TASKS.get(name)
        if task is None:
            continue
        design, wanted = dataset.design(paradigm), {column.name: column for column in columns_of(task)}
        if design.scored != task.scored or any(each != wanted.get(each.name, each) for each in design.columns):
            wrong = f"what is scored in `{paradigm}`, or how a column is written, is not as in the task `{name}`"
            raise contradicts(dataset.folder, DESIGN, wrong)
        if task.form.claims == "label":
            for place, wrong in _wrong(dataset, paradigm, task):
                raise contradicts(dataset.folder, place, wrong)


def contradicts(folder: Path, place: str, wrong: str) -> UsageError:
    """Of a dataset whose labels cannot be taken as they stand."""
    return UsageError(
        f"`{folder}`: {place}: {wrong}",
        f"`gramprobe verify {folder}` shows all; build it again, or get it again",
        "E44",
    )


def _wrong(dataset: Dataset, paradigm: str, task: Task) -> Iterator[tuple[str, str]]:
    """The rows with something wrong, each with what it is."""
    import pyarrow as pa

    own = OF_THE_ROW | set(task.sentences)
    keys = [name for name in dataset.columns(paradigm) if name not in own]
    evidence, seen = Lines(dataset), set[tuple[Any, ...]]()
    for batch in dataset.rows(paradigm):
        table = pa.Table.from_batches([batch]).append_column("", pa.array(range(batch.num_rows)))
        first = table.group_by(keys, use_threads=False).aggregate([("", "min")]).column("_min")
        for row in table.take(first).to_pylist():
            key = tuple(row[name] for name in keys)
            if key not in seen:
                seen.add(key)
                try:
                    yield from ((row["id"], wrong) for wrong in task.check(row, evidence))
                except (LookupError, TypeError, ValueError, AttributeError) as error:
                    yield row["id"], f"it rests on a line of `{CERTIFICATES}` that is no certificate ({error!r})"
