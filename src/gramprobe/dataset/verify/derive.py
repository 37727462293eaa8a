"""Derive from the source files again, byte for byte: instances, their sentences, formulas, shapes and columns, and the
numbers of the manifest.

Labels come from the certificates that the kernel has accepted, so that no engine runs. Lines and tables are made as a
build makes them, and compared as bytes and as Arrow columns. Rows that are equal follow from their draws and the
accepted certificates, and need no further check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.gates import READING, Gates
from gramprobe.dataset.gates.reading import RoundTrip
from gramprobe.dataset.gates.sentences import Reason
from gramprobe.dataset.manifest import CHARTS, GRAMMAR
from gramprobe.dataset.report import Report
from gramprobe.dataset.schema import schema
from gramprobe.dataset.verify.certificates import Certificates
from gramprobe.dataset.verify.charts import Charts
from gramprobe.dataset.verify.folder import CERTIFICATES, MANIFEST, Dataset
from gramprobe.dataset.verify.parquet import ParquetRows
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.read_back import impossible
from gramprobe.dataset.verify.rows import Counted
from gramprobe.dataset.verify.text import LONGEST_ROW, Malformed, lines
from gramprobe.dataset.verify.updates import UpdatingDecider
from gramprobe.dataset.write import tables
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Shape, Verdict, verdict_from
from gramprobe.items import cells
from gramprobe.items.decisions import Decisions
from gramprobe.items.instance import draws_of, names
from gramprobe.items.plan import Plan
from gramprobe.items.prepare import prepare
from gramprobe.items.rows import Chunk, Rows
from gramprobe.items.stream import Stream, Turns, split_runs
from gramprobe.items.tasks import task_of
from gramprobe.progress import report_progress
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws

WALKED = 1 << 22
"""The largest space that is walked to its end to count skipped instances."""
BLOCK = 1 << 12
"""Instances whose rows are derived at once, when differing rows are looked for."""
DIFFERENT = 1_000
"""The largest number of differing rows that are reported one by one."""


class Checked:
    """Gives verdicts from accepted certificates, so that no engine runs (`decide.label.Verdicts`)."""

    def __init__(self, certificates: Certificates) -> None:
        self.by_shape, self.used = certificates.by_shape, certificates.used

    def get(self, shape: Shape, dependence: bool) -> Verdict:
        """The verdict of the shape's certificate; without one an empty verdict (`UpdatingDecider` decides anew)."""
        line = self.by_shape.get(shape.id)
        self.used.add(shape.id)
        if line is None or line.text != shape.text:
            return Verdict(label=None, h_values="", kind="", models={}, absent={})
        return verdict_from(line.data)

    def uncertified(self, shape: Shape) -> None:
        """What has no certificate stands in no dataset."""

    def put(self, shape: Shape, verdict: Verdict) -> None:
        """Nothing is decided here, so there is nothing to keep."""


@dataclass
class Derivation:
    """Derives one paradigm of a dataset. Call :meth:`compare` first; the other methods report what it has shown.

    With ``parses`` a sentence of each shape is parsed (`gates.reading`), and ``parsed`` says how many were.
    """

    dataset: Dataset
    paradigm: Paradigm
    declarations: Declarations
    certificates: Certificates
    parses: bool = False
    charts: Charts | None = None

    def __post_init__(self) -> None:
        self.part: dict[str, Any] = self.dataset.manifest["paradigms"][self.paradigm.name]
        self.name = self.dataset.items(self.paradigm.name)
        self.findings = Findings()
        self.report: Report | None = None
        self.parsed = 0
        self.hanging: list[Reason] = []
        self._seen = set[tuple[str, ...]]()  # sentences of rows, where some are left out
        self.decider = UpdatingDecider(kept=Checked(self.certificates), dependence=True)

    def compare(self) -> bool:
        """Whether the lines and the rows of Parquet are those that the source files give.

        ``report`` has the numbers of the lines if these are the same byte for byte. Raises OSError.
        """
        stream = self._stream(self.findings)
        if stream is None:
            return False
        task = task_of(self.paradigm)
        parsing = Decider() if self.parses and READING in task.form.gates else None
        gates = Gates(stream.decisions, self.findings, parsing)
        trip = None if gates.parsing is None else RoundTrip(stream.decisions, gates.parsing, most=None)
        report = Report.of(stream, gates, self.declarations, self.dataset.theory)
        columns = schema(columns_of(task), self.paradigm.draw_fields)
        made = Rows(stream.decisions, task)
        length = (self.dataset.folder / self.name).stat().st_size
        parquet: dict[tuple[str, int], ParquetRows] = {}
        names = self.dataset.parquet_of(self.paradigm.name)
        same_tables = True
        with (self.dataset.folder / self.name).open("rb") as there:
            for chunk in stream.chunks():
                report_progress(f"{self.paradigm.name}: instances derived again", stream.taken, self.part["instances"])
                report.add(chunk)
                gates.read(chunk)
                if trip is not None:
                    trip.read(chunk)
                rows = made.cells(chunk)
                for buffer in cells.lines(rows, len(chunk), task.columns, chunk.kept):
                    if there.read(buffer.size) != buffer.to_pybytes():
                        return False
                place = chunk.split, chunk.part
                if place not in parquet:
                    if place not in names:
                        same_tables = False
                        continue
                    parquet[place] = ParquetRows(self.dataset.folder / names[place], columns, length)
                same_tables = same_tables and all(parquet[place].has(table) for table in tables(rows, chunk, columns))
            if there.read(1) or not stream.decisions.complete:
                return False
        self.report = report
        gates.end()
        if trip is not None:
            self.parsed = trip.counted.sentences
            if READING in self.paradigm.allows:
                gates.reasons(READING, [] if stream.lenient else trip.reasons)
            elif not stream.lenient:
                self.hanging = trip.reasons
        same_splits = dict(report.splits) == self.part["splits"]
        return (
            same_tables
            and same_splits
            and parquet.keys() == names.keys()
            and all(each.at_end for each in parquet.values())
        )

    def numbers(self, problems: Problems) -> None:
        """Compare the derived numbers with the manifest, and the derived labels with the author's claims."""
        assert self.report is not None
        derived = self.report.to_json()
        if not self.parses:  # these are what the build found when it parsed
            kept = {gate: reasons for gate, reasons in self.part["allowed"].items() if gate == READING}
            derived["allowed"] = dict(sorted((derived["allowed"] | kept).items()))
            derived |= {key: value for key, value in self.part.items() if key == "read_back"}
            for what in impossible(self.part, self.report.stream.decisions):
                problems.add("E54", MANIFEST, f"`{self.paradigm.name}`: {what}; no build says so")
        for key in dict.fromkeys((*derived, *self.part)):
            if self.part.get(key, derived) != derived.get(key, self.part):
                problems.add("E54", MANIFEST, f"`{key}` of `{self.paradigm.name}` is not what the source files give")
        made = self.report.plan.charts
        if made is not None and (self.dataset.folder / GRAMMAR).read_bytes() != made.grammar:
            problems.add("E54", GRAMMAR, "it is not the grammar that the source files give")
        if made is not None and self.charts is not None and self.charts.grammar is not None:
            for shape in sorted(self.report.charted):
                judged = made.judged[shape]
                if not self.charts.holds(shape, judged.good, judged.repairs):
                    problems.add("E54", CHARTS, "no chart of this shape says what the source files give", id=shape)
        if self.dataset.theory in (None, self.paradigm.theory):
            claims = self.report.task.broken_claims(self.report.stream.decisions, self.paradigm)
            for reason in claims:
                problems.add("E54", self.name, reason)

    def lacking(self, problems: Problems) -> None:
        """Report certificates that instances rest on and that are missing: what names these is right."""
        self.certificates.missing(self.decider.lacking, CERTIFICATES, problems)

    def objections(self, problems: Problems) -> None:
        """Report errors that would have stopped a build, certificates that are missing (without one, a derived label is
        no more than what the row says), and updates that certificates do not mean."""
        if self.report is not None:
            of_sentences = frozenset[str]() if self.report.plan.charts is None else self.report.charted
            self.certificates.missing(self.report.shapes - of_sentences, CERTIFICATES, problems)
        for shape, reason in self.decider.wrong.items():
            problems.add("E51", CERTIFICATES, reason, self.certificates.by_shape[shape].number, shape)
        for each in self.hanging:
            problems.add("E54", self.name, f"{each.what}: {'; '.join(each.examples)}")
        for diagnostic in self.findings.items:
            if diagnostic.is_error:
                problems.add("E54", self.name, f"no build has this: {diagnostic.span}: {diagnostic.message}")

    def differences(self, counted: Counted, problems: Problems) -> None:
        """Report rows that differ from those that their draws give, and the first other instance. Raises OSError."""
        before = problems.count
        stream = self._stream(Findings())
        if stream is None or self.decider.open:
            return
        self._other_instances(stream, counted, problems)
        rows = _instances(lines(self.dataset.folder / self.name, LONGEST_ROW))
        turns, number = Turns(self.paradigm), 0
        while block := dict(islice(rows, BLOCK)):
            splits = [s for s, size in split_runs(self.paradigm, number, number + len(block)) for _ in range(size)]
            self._block(stream.plan, block, turns.deal(len(block)), splits, counted, problems)
            number += len(block)
            if problems.count - before > DIFFERENT:
                return
        if problems.count == before:
            problems.add("E54", self.name, "its lines are not those that the source files give")

    @staticmethod
    def _texts(row: dict[str, Any]) -> tuple[str, ...]:
        return row.get("premise", ""), row.get("hypothesis", "")

    # -- how rows are derived

    def _stream(self, findings: Findings) -> Stream | None:
        """The stream of the paradigm as the manifest describes it.

        Claims are left out and compared at the end (:meth:`numbers`), since an unmet claim would start engines for
        advice.
        """
        part = self.part
        count: int | None = part["instances"]
        drawn = part["instances"] + part["passed_over"] + part["vetoed"] + sum(part.get("no_items", {}).values())
        if drawn == part["space"] <= WALKED:
            count = None  # `--n all`, or fewer instances than asked for: the walk went to its end
        return prepare(
            self.paradigm.without_expectations(),
            self.declarations,
            findings,
            count,
            seed=self.dataset.manifest["seed"],
            theory=self.dataset.theory,
            decider=self.decider,
            at_most=True,
            allow_bounded=self.dataset.manifest["allow_bounded"],
            together=self.together,
            part_rows=None if self.dataset.record.parquet_rows is UNSET else self.dataset.record.parquet_rows,
        )

    @property
    def together(self) -> tuple[str, ...]:
        """The paradigms of the dataset that have charts, by full name."""
        parts = self.dataset.manifest["paradigms"]
        return tuple(f"{self.dataset.phenomenon}/{name}" for name, part in parts.items() if "charts" in part)

    def _other_instances(self, stream: Stream, counted: Counted, problems: Problems) -> None:
        """Report the first instance that differs from the one that the seed draws."""
        there = iter(counted.first)
        number = 0
        for draws in _drawn(stream):
            for wanted in names(stream.plan, draws):
                number += 1
                instance = next(there, "none")
                if instance != wanted:
                    reason = f"instance {number} is `{instance}`, and the seed draws `{wanted}`"
                    problems.add("E54", self.name, reason, counted.first.get(instance, 0))
                    return
        more = next(there, None)
        if more is not None:
            reason = f"instance {number + 1} is `{more}`, and the seed draws `none`"
            problems.add("E54", self.name, reason, counted.first[more])

    def _block(
        self,
        plan: Plan,
        block: dict[str, list[tuple[int, dict[str, Any]]]],
        turns: NDArray[np.bool_] | None,
        splits: Sequence[str],
        counted: Counted,
        problems: Problems,
    ) -> None:
        """Compare the rows of some instances with those that their draws give.

        ``block``: instance -> its rows with their line numbers; ``turns``, ``splits``: of each instance.
        """
        known: dict[str, Draws] = {}
        for instance in block:
            draws = draws_of(plan, instance)
            if draws is None:
                line = counted.first[instance]
                problems.add("E54", self.name, f"`{instance}` is not an instance of the paradigm", line)
            else:
                known[instance] = draws
        there = np.array([instance in known for instance in block], np.bool_)
        dealt = None if turns is None else turns[there]
        expected = {row["id"]: row for row in _rows(plan, list(known.values()), dealt)}
        for (instance, rows), split in zip(block.items(), splits, strict=True):
            for number, row in rows:
                if "equal_rows" in self.part:
                    self._seen.add(self._texts(row))
                wanted = expected.pop(row["id"], None)
                if wanted is None:
                    if instance in known:
                        problems.add("E54", self.name, "its draws give no such row, or one only", number, row["id"])
                    continue
                wanted["split"] = split
                for column in task_of(plan.paradigm).columns:
                    if row[column] != wanted[column]:
                        reason = f"`{column}` is `{row[column]}`, and its draws give `{wanted[column]}`"
                        problems.add("E54", self.name, reason, number, row["id"])
                        break
        for id_, row in expected.items():
            if "equal_rows" in self.part and self._texts(row) in self._seen:
                continue  # it stands in an earlier row
            problems.add("E54", self.name, "the row is missing", id=id_)


def _drawn(stream: Stream) -> Iterator[Draws]:
    """The draws of a stream's instances; nothing is decided for them where no task rejects some for their answers."""
    if stream.task.rejects:
        yield from (chunk.draws for chunk in stream.chunks())
        return
    left = stream.plan.space.size if stream.count is None else stream.count
    for stretch in stream.walk.stretches(stream.count):
        if left and len(stretch.draws):
            draws = stretch.draws.take(np.arange(min(left, len(stretch.draws))))
            yield draws
            left -= len(draws)
        if not left:
            return


def _instances(
    rows: Iterator[tuple[int, dict[str, Any] | Malformed]],
) -> Iterator[tuple[str, list[tuple[int, dict[str, Any]]]]]:
    """Each instance with its rows and their line numbers; rows of an instance stand together."""
    now: str | None = None
    held: list[tuple[int, dict[str, Any]]] = []
    for number, row in rows:
        assert not isinstance(row, Malformed)
        if row["instance"] != now:
            if now is not None:
                yield now, held
            now, held = row["instance"], []
        held.append((number, row))
    if now is not None:
        yield now, held


def _rows(plan: Plan, draws: list[Draws], kept: NDArray[np.bool_] | None) -> Iterator[dict[str, Any]]:
    """The rows that draws give."""
    if not draws:
        return
    joined = Draws.joined(draws)
    task = task_of(plan.paradigm)
    decisions = Decisions(plan, task, Findings())
    groups = decisions.grouping.of(joined)
    decisions.answer_groups(joined, groups)
    if not decisions.complete:
        return
    chunk = Chunk(draws=joined, groups=groups, kept=kept)
    columns = schema(columns_of(task), plan.paradigm.draw_fields)
    for table in tables(Rows(decisions, task).cells(chunk), chunk, columns):
        yield from table.to_pylist()
