"""Hold the labels of a dataset against each other before anybody counts them: what a row says of its label in several
columns, and what the line of `certificates.jsonl` says that it rests on; what it says of readings, and what its account
says; which of two sentences is the good one, and what their charts say. Ids, conditions, tags and numbers of rows are
held against the design and the manifest (`dataset.identity`).

    check_labels(dataset)

Lines of certificates and accounts are taken as they stand: whether they are right, `gramprobe verify` asks the kernel.
Rows with the same answers are looked at once, so that this takes little more than reading their columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.identity import Numbers, Places, identity, other_numbers, unlike_design
from gramprobe.dataset.manifest import CHARTS, DESIGN, GRAMMAR, MANIFEST, written
from gramprobe.dataset.read import Dataset
from gramprobe.dataset.verify.accounts import CheckedAccount, Lacking, account_in, wrong_by_account
from gramprobe.dataset.verify.charts import Charts
from gramprobe.dataset.verify.folder import OWN_THEORIES
from gramprobe.dataset.verify.problems import Problems
from gramprobe.items.licensing import LicensingAccount
from gramprobe.items.task import Task
from gramprobe.items.tasks import TASKS
from gramprobe.source.diagnostic import UsageError

OF_THE_ROW = frozenset({
    "id", "instance", "draws", "split", "rests_on", "premise_form", "hypothesis_form", "readings", "paraphrase_surface",
    "paraphrase_inverse",
})  # fmt: skip
"""Columns that differ between rows with the same answer, beside the sentences; readings have their id in `shape`."""


class Lines:
    """The lines of a dataset as they stand, for `Task.check` (`items.task.Evidence`); formulas are not compared."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self.number = self.rows = 0
        self._known: dict[str, CheckedAccount | str] = {}
        self.account: CheckedAccount | None = None
        self.before: Mapping[str, Any] = {}
        self.problems = Problems()
        there = CHARTS in dataset.manifest.files
        self.charts = Charts(dataset.folder, CHARTS, GRAMMAR, self.problems) if there else None

    def line(self, shape: str) -> Mapping[str, Any] | None:
        return self._dataset.certificates.get(shape)

    def is_rejected(self, shape: str) -> bool:
        return False

    def licensing(self, id_: str) -> LicensingAccount | None:
        line = self._dataset.accounts.get(id_)
        return None if line is None else msgspec.convert(line, LicensingAccount)

    def wrong_formulas(self, premise: str, hypothesis: str, shape: str) -> str:
        return ""

    def wrong(self, row: Mapping[str, Any], task: Task) -> Iterator[str]:
        """What is wrong with a row by its lines."""
        if task.form.claims is None and self.charts is None:
            return
        if task.form.claims != "readings":
            yield from task.check(row, self)
            yield from map(str, self.problems.kept)
            return
        found = self._account(row["shape"])
        if isinstance(found, str):
            yield found
            return
        self.account = found
        yield from wrong_by_account(row, task, self)

    def _account(self, id_: str) -> CheckedAccount | str:
        """The account of an id, or what is wrong with it."""
        if id_ not in self._known:
            line = self._dataset.accounts.get(id_)
            try:
                wrong, account = ("", None) if line is None else account_in(line, self.line)
                self._known[id_] = account or wrong or f"no account has its shape `{id_}`"
            except Lacking as error:
                self._known[id_] = str(error)
        return self._known[id_]


def check_labels(dataset: Dataset) -> None:
    """Raise UsageError (E44) for the first row with an answer that contradicts itself or what it rests on.

    Also for a design with another reading of its columns than its task's: `label` 0 is *entailment*, and the premise is
    what a hypothesis is scored behind.
    """
    lines = Lines(dataset)
    for paradigm, name in dataset.tasks.items():
        task = TASKS.get(name)
        if task is None:
            continue
        design, wanted = dataset.design(paradigm), {column.name: column for column in columns_of(task)}
        if design.scored != task.scored or any(each != wanted.get(each.name, each) for each in design.columns):
            wrong = f"what is scored in `{paradigm}`, or how a column is written, is not as in the task `{name}`"
            raise contradicts(dataset.folder, DESIGN, wrong)
        for place, wrong in _wrong(dataset, paradigm, task, lines):
            raise contradicts(dataset.folder, place, wrong)


def contradicts(folder: Path, place: str, wrong: str) -> UsageError:
    """Of a dataset whose labels cannot be taken as they stand."""
    return UsageError(
        f"`{folder}`: {place}: {wrong}",
        f"`gramprobe verify {folder}` shows all; build it again, or get it again",
        "E44",
    )


def _wrong(dataset: Dataset, paradigm: str, task: Task, evidence: Lines) -> Iterator[tuple[str, str]]:
    """The rows with something wrong, each with what it is."""
    import pyarrow as pa

    part, numbers = written(dataset.manifest.paradigms[paradigm]), Numbers()
    places, design = Places(part, numbers), dataset.design(paradigm)
    phenomenon, claimed = dataset.manifest.name.partition("--")[0], dataset.manifest.theory == OWN_THEORIES
    own = OF_THE_ROW | set(task.sentences)
    keys = [name for name in dataset.columns(paradigm) if name not in own]
    seen, before, last = set[tuple[Any, ...]](), 0, dict[str, Any]()
    evidence.rows = dataset.count(paradigm)
    for split in dataset.splits(paradigm):
        for batch in dataset.rows(paradigm, split=split):
            for at, wrong in places.wrong(batch, split):
                (row,) = batch.slice(at, 1).to_pylist()
                yield row["id"], wrong or next(identity(row, phenomenon, paradigm, part))
            table = pa.Table.from_batches([batch]).append_column("", pa.array(range(batch.num_rows)))
            groups = table.group_by(keys, use_threads=False).aggregate([("", "min"), ("", "count")])
            times = groups.column("_count").to_pylist()
            for row, count in zip(table.take(groups.column("_min")).to_pylist(), times, strict=True):
                key = tuple(row[name] for name in keys)
                numbers.add(row, task, count)
                if key not in seen:
                    seen.add(key)
                    place = row.pop("")
                    evidence.number = before + place + 1
                    evidence.before = batch.slice(place - 1, 1).to_pylist()[0] if place else last
                    yield from ((row["id"], wrong) for wrong in identity(row, phenomenon, paradigm, part))
                    yield from ((row["id"], wrong) for wrong in unlike_design(row, design, claimed))
                    try:
                        yield from ((row["id"], wrong) for wrong in evidence.wrong(row, task))
                    except (LookupError, TypeError, ValueError, AttributeError) as error:
                        what = "a certificate, an account or a chart that it rests on lacks the form of one"
                        yield row["id"], f"{what} ({error!r})"
            before += batch.num_rows
            (last,) = batch.slice(batch.num_rows - 1).to_pylist()
    if instance := places.twice():
        yield f"{phenomenon}/{paradigm}/{instance}", "this instance stands at two places"
    for field in other_numbers(numbers, part, task):
        yield MANIFEST, f"`{field}` of `{paradigm}` is not what its rows give"
