"""The long frame: one row an answer, with all that is known of its item, for a statistician's own models and figures.

    frame = LongFrame(runs, people)          frame.write(Path("answers.parquet"))

An answer is the label that a pair is given, or the choice between two options; where an item has other parts
(follow-ups after contexts, regions of a text) each part's score is one. A first pass over the rows finds the columns,
the levels of factors and the means of numbers, a second one writes, so that no more than a batch of rows is in memory
at once beside the scores themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from gramprobe.analysis.answer_columns import Choice, Labels, Parts, mode_of, of_people
from gramprobe.analysis.item_columns import DECIMALS, NOT_CODED, Columns, ItemColumns, constant, kind
from gramprobe.analysis.judgments import Norms, People
from gramprobe.analysis.runs import Run
from gramprobe.dataset.read import Dataset
from gramprobe.folders import put_whole
from gramprobe.records import ANSWERED
from gramprobe.score.modes import MODES
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

Floats = NDArray[np.float64]
SUFFIXES = (".csv", ".parquet")


@dataclass
class Found:
    """What the first pass finds of a column.

    Attributes:
        type: of its values.
        levels: of a text, its values, as long as they are at most two.
        several: whether it has more than two.
        total, count: the sum and the number of its values.
        low, high: the least and the greatest, of numbers.
    """

    type: pa.DataType
    levels: set[str] = field(default_factory=set)
    several: bool = False
    total: float = 0.0
    count: int = 0
    low: float = np.inf
    high: float = -np.inf

    def add(self, column: pa.Array) -> None:
        """Count the values of a batch."""
        count = len(column) - column.null_count
        if not count:
            return
        self.count += count
        if pa.types.is_string(self.type):
            if not self.several:
                self.levels |= set(pc.unique(column.drop_null()).to_pylist())
                self.several = len(self.levels) > 2
        else:
            self.total += float(pc.sum(column).as_py())
            ends = pc.min_max(column)
            self.low, self.high = min(self.low, ends["min"].as_py()), max(self.high, ends["max"].as_py())


@dataclass(frozen=True)
class Code:
    """A column `NAME_c`: +0.5 for the first of two levels and -0.5 for the second, or a number less its mean.

    Attributes:
        column: what it is a code of.
        levels: the two levels, in the order in which the author declares them, else of their code points, as in R; none
            of a number.
        mean: of a number, over the rows of the frame that have it.
    """

    column: str
    levels: tuple[str, ...] = ()
    mean: float = 0.0

    @property
    def about(self) -> str:
        """What it is, in words."""
        if self.levels:
            return f"+0.5 {self.levels[0]}, -0.5 {self.levels[1]}"
        return f"{self.column} less its mean, {self.mean:g}"

    def of(self, values: pa.Array) -> pa.Array:
        """The code of some values; null where there is none."""
        if not self.levels:
            return pc.subtract(values.cast(DECIMALS), self.mean)
        return pc.if_else(pc.equal(values, self.levels[0]), pa.scalar(0.5), pa.scalar(-0.5))


@dataclass(frozen=True)
class LongFrame:
    """The answers of models and of people, an answer a row.

    Attributes:
        runs: the models.
        people: answers of people, as `formats.people` reads them or a folder of judgments has them.
        datasets: the datasets that people answered; those of the runs are among them.
        wide: whether an item is a row also where each of its parts has a score, with a column for each part.
        texts: whether the texts that were read stand in the rows.
        norms: what people said of the items, which is joined with their rows.
    """

    runs: tuple[Run, ...]
    people: tuple[People, ...] = ()
    datasets: tuple[Dataset, ...] = ()
    wide: bool = False
    texts: bool = False
    norms: tuple[Norms, ...] = ()

    def write(self, path: Path) -> int:
        """Write the rows as csv or Parquet, by the ending of the path, and return their number.

        Raises UsageError for another ending, for a frame without rows, and for answers of people that cannot be read
        (E46) or are of no item (E47); OSError.
        """
        if path.suffix.lower() not in SUFFIXES:
            raise UsageError(f"`{path.name}` is no csv and no Parquet file", f"end it in {' or '.join(SUFFIXES)}")
        schema = self.schema
        if not len(schema):
            raise UsageError("no item has an answer that could be a row", "give scores of this dataset")
        counts: list[int] = []
        write = pq.ParquetWriter if path.suffix.lower() == ".parquet" else pyarrow.csv.CSVWriter

        def written(place: Path) -> None:
            with write(place, schema) as writer:
                for batch in self.batches():
                    writer.write_batch(batch)
                    counts.append(batch.num_rows)

        put_whole(path, written)
        return sum(counts)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows, source by source, in the order of the datasets' items."""
        for columns in self._rows():
            count = len(next(iter(columns.values())))
            coded = {name: code.of(columns[code.column]) for name, code in self.codes.items() if code.column in columns}
            every = {**columns, **coded}
            yield pa.record_batch(
                [every[f.name].cast(f.type) if f.name in every else pa.nulls(count, f.type) for f in self.schema],
                schema=self.schema,
            )

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns: those that have a value in some row, each code behind its column; those of the item first."""
        fields = []
        codes = {code.column: name for name, code in self.codes.items()}
        places = {name: place for place, name in enumerate(ANSWERED, 1)}
        for name, found in sorted(self.found.items(), key=lambda each: places.get(kind(each[0]), 0)):
            if found.count:
                fields.append(pa.field(name, found.type))
                if name in codes:
                    fields.append(pa.field(codes[name], DECIMALS))
        return pa.schema(fields)

    @cached_property
    def codes(self) -> dict[str, Code]:
        """Column -> what it is a code of: of factors with two levels, and of numbers that vary."""
        codes = {}
        for name, found in self.found.items():
            if kind(name) in NOT_CODED or f"{name}_c" in self.found:
                continue
            if len(found.levels) == 2 and not found.several:
                declared = [level for level in self._declared.get(name, ()) if level in found.levels]
                codes[f"{name}_c"] = Code(name, tuple(declared if len(declared) == 2 else sorted(found.levels)))
            elif not pa.types.is_string(found.type) and found.low < found.high:
                codes[f"{name}_c"] = Code(name, mean=found.total / found.count)
        return codes

    @cached_property
    def _declared(self) -> dict[str, list[str]]:
        """Column -> the levels of a declared factor, in order."""
        every = [(run.dataset, name) for run in self.runs for name in run.paradigms]
        every += [(dataset, name) for dataset in self.datasets for name in dataset.paradigms]
        described = (ItemColumns(dataset, name, self.texts).declared for dataset, name in every)
        return {column: factor.levels for each in described for column, factor in each.items()}

    @cached_property
    def found(self) -> dict[str, Found]:
        """Column -> what the first pass finds."""
        found: dict[str, Found] = {}
        for columns in self._rows():
            for name, column in columns.items():
                own = found.setdefault(name, Found(column.type))
                if own.type != column.type:
                    own.type = _wider(own.type, column.type)
                own.add(column)
        return found

    def _rows(self) -> Iterator[Columns]:
        for columns in self._answers():
            place = [pc.index_in(columns["id"], value_set=norms.ids) for norms in self.norms]
            joined = {
                name: values.take(at)
                for norms, at in zip(self.norms, place, strict=True)
                for name, values in norms.columns.items()
                if name not in columns
            }
            yield {**columns, **joined}

    def _answers(self) -> Iterator[Columns]:
        for run in self.runs:
            for paradigm in run.paradigms:
                for columns in self._of_run(run, paradigm):
                    if len(next(iter(columns.values()))):
                        yield columns
        for people in self.people:
            yield from self._of_people(people)

    # -- models

    def _of_run(self, run: Run, paradigm: str) -> Iterator[Columns]:
        described = ItemColumns(run.dataset, paradigm, self.texts)
        form = self._form(run, described)
        at = run.joined.places[paradigm].start
        for batch in run.dataset.rows(paradigm, described.read):
            here = slice(at, at + batch.num_rows)
            at = here.stop
            kept = np.flatnonzero(run.joined.scored[here])
            rows = batch.take(pa.array(kept))
            values = {name: whole[here][kept] for name, whole in run.joined.values.items()}
            where, answers = form.answers(rows, values)
            columns = {"source": constant(run.model, len(where)), "source_kind": constant("model", len(where))}
            if run.parameters is not None:
                columns["parameters"] = pa.array(np.full(len(where), run.parameters, np.int64))
            whole = described.columns(rows)
            taken = pa.array(where)
            yield {**columns, **{name: column.take(taken) for name, column in whole.items()}, **answers}

    def _form(self, run: Run, described: ItemColumns) -> Labels | Choice | Parts:
        if run.labels:
            return Labels(run, described)
        mode = mode_of(run, described.table)
        options = described.table.scored.options
        if self.wide or len(options) == 2 and set(options) <= set(run.parts):
            return Choice(run, described, mode)
        return Parts(run, described)

    # -- people

    def _of_people(self, people: People) -> Iterator[Columns]:
        path, table = people.path, people.table
        left = np.ones(table.num_rows, np.bool_)
        for dataset in self.datasets:
            for paradigm in dataset.paradigms:
                described = ItemColumns(dataset, paradigm, self.texts)
                for batch in dataset.rows(paradigm, described.read):
                    place = pc.index_in(table.column("id").combine_chunks(), value_set=batch.column("id"))
                    mine = np.flatnonzero(place.is_valid().to_numpy(zero_copy_only=False))
                    if len(mine):
                        left[mine] = False
                        rows = batch.take(place.take(pa.array(mine)))
                        yield of_people(people, table.take(pa.array(mine)), rows, described)
        if left.any():
            first = table.slice(int(np.flatnonzero(left)[0]), 1).to_pylist()[0]
            folder = ", ".join(str(dataset.folder) for dataset in self.datasets)
            count = pc.count_distinct(table.column("id").filter(pa.array(left))).as_py()
            place = f"{path.name}, line {first['line']}"
            raise messages.analysis.unknown_items(place, folder, first["id"], count)


def item_frame(run: Run) -> tuple[pa.Table, dict[str, Floats]]:
    """What is known of the items that a run scored, with the texts that were read, and what they reach: name of a
    measure -> (items,) numbers, NaN where it says nothing. Of labels the measure is `accuracy`."""
    frame = LongFrame((run,), wide=True, texts=True)
    table = pa.Table.from_batches(list(frame.batches()), schema=frame.schema)
    names = {"right": "accuracy"} if run.labels else {n: n.removeprefix("measure_") for n in table.column_names}
    measures = {
        said: table.column(name).to_numpy()
        for name, said in names.items()
        if name in table.column_names and (name == "right" or kind(name) == "measure")
    }
    measures |= _of_two(run, table)
    right = measures.pop("right", None)
    return table, measures if right is None else {"accuracy": right, **measures}


def _of_two(run: Run, table: pa.Table) -> dict[str, Floats]:
    """Where a model says two of three labels and never the third, which some item has: whether it is right about
    entailment; of an item without a single answer nothing."""
    if len(run.labels) != 3 or run.people or "label" not in table.column_names:
        return {}
    given, gold = (np.array(table.column(name).to_pylist(), object) for name in ("answer", "label"))
    if "contradiction" in {*given.tolist()} or "contradiction" not in {*gold.tolist()}:
        return {}
    right = (given == "entailment") == (gold == "entailment")
    return {"binary_accuracy": np.where((given == None) | (gold == None), np.nan, right.astype(float))}  # noqa: E711


def is_measured(run: Run) -> bool:
    """Whether a mode says what the scores of some paradigm mean."""
    if run.people:
        return True
    if run.mode != "values":
        return run.mode in MODES
    tables = [ItemColumns(run.dataset, paradigm, False).table for paradigm in run.paradigms]
    return any(mode.fits(table) for mode in MODES.values() for table in tables)


def _wider(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    return DECIMALS if not pa.types.is_string(one) and not pa.types.is_string(other) else pa.string()
