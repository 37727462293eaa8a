"""The long frame: one row an answer, with all that is known of its item, for a statistician's own models and figures.

    frame = LongFrame(runs, people)          frame.write(Path("answers.parquet"))

An answer is the label that a pair is given, or the choice between two options; where an item has other parts
(follow-ups after contexts, regions of a text) each part's score is one. A first pass over the rows finds the columns,
the levels of factors and the means of numbers, a second one writes, so that no more than a batch of rows is in memory
at once beside the scores themselves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
from msgspec import UNSET
from numpy.typing import NDArray

from gramprobe.analysis.runs import Run, named, shares_of
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.read import Dataset
from gramprobe.formats.nli import KNOWN
from gramprobe.formats.tabular import refused
from gramprobe.score.mode import Mode, Options
from gramprobe.score.modes import MODES
from gramprobe.score.source import Table
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

Floats = NDArray[np.float64]
Columns = dict[str, pa.Array]
SUFFIXES = (".csv", ".parquet")
NO_FACTORS = (
    "shape", "certificate", "premise_form", "hypothesis_form", "labels", "label_name", "label_binary", "readings",
    "fits", "paraphrase_surface", "paraphrase_inverse", "regions",
)  # fmt: skip
"""Columns of the rows of a dataset that the frame leaves out: formulas, proofs, texts, and labels a second time."""
ANSWERED = ("part", "context", "continuation", "answer", "score", "right", "measure")
"""The columns of an answer, in their order behind those of its item; others of a kind go on with `_`."""
OWN = (*ANSWERED, "source", "parameters")
"""The names that no column of an item and no draw has in the frame."""
NOT_CODED = ("id", "instance", "label", *OWN[:-2], "parameters")
"""Columns of which no code is made, nor of those that go on with `_`."""
RIGHT = ("accuracy", "preferred")
"""The measures of modes that say how far an answer is right."""
DECIMALS = pa.float64()


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
        levels: the two levels, in the order of their code points, as in R; none of a number.
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
        people: answers as `formats.people` reads them, with the file; None if there are none.
        datasets: the datasets that people answered; those of the runs are among them.
        wide: whether an item is a row also where each of its parts has a score, with a column for each part.
        texts: whether the texts that were read stand in the rows.
    """

    runs: tuple[Run, ...]
    people: tuple[Path, pa.Table] | None = None
    datasets: tuple[Dataset, ...] = ()
    wide: bool = False
    texts: bool = False

    def write(self, path: Path) -> int:
        """Write the rows as csv or Parquet, by the ending of the path, and return their number.

        Raises UsageError for another ending, for a frame without rows, and for answers of people that cannot be read
        (E46) or are of no item (E47); OSError.
        """
        if path.suffix not in SUFFIXES:
            raise UsageError(f"`{path.name}` is no csv and no Parquet file", f"end it in {' or '.join(SUFFIXES)}")
        schema = self.schema
        if not len(schema):
            raise UsageError("no item has an answer that could be a row", "give scores of this dataset")
        rows = 0
        writer = pq.ParquetWriter(path, schema) if path.suffix == ".parquet" else pyarrow.csv.CSVWriter(path, schema)
        with writer:
            for batch in self.batches():
                writer.write_batch(batch)
                rows += batch.num_rows
        return rows

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
        for name, found in sorted(self.found.items(), key=lambda each: places.get(_kind(each[0]), 0)):
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
            if _kind(name) in NOT_CODED or f"{name}_c" in self.found:
                continue
            if len(found.levels) == 2 and not found.several:
                codes[f"{name}_c"] = Code(name, tuple(sorted(found.levels)))
            elif not pa.types.is_string(found.type) and found.low < found.high:
                codes[f"{name}_c"] = Code(name, mean=found.total / found.count)
        return codes

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
        for run in self.runs:
            for paradigm in run.paradigms:
                for columns in self._of_run(run, paradigm):
                    if len(next(iter(columns.values()))):
                        yield columns
        if self.people is not None:
            yield from self._of_people(*self.people)

    # -- models

    def _of_run(self, run: Run, paradigm: str) -> Iterator[Columns]:
        described = Described(run.dataset, paradigm, self.texts)
        form = self._form(run, described)
        at = run.joined.places[paradigm].start
        for batch in run.dataset.rows(paradigm, described.read):
            here = slice(at, at + batch.num_rows)
            at = here.stop
            kept = np.flatnonzero(run.joined.scored[here])
            rows = batch.take(pa.array(kept))
            values = {name: whole[here][kept] for name, whole in run.joined.values.items()}
            where, answers = form.answers(rows, values)
            columns = {"source": _constant(run.model, len(where)), "source_kind": _constant("model", len(where))}
            if run.parameters is not None:
                columns["parameters"] = pa.array(np.full(len(where), run.parameters, np.int64))
            whole = described.columns(rows)
            taken = pa.array(where)
            yield {**columns, **{name: column.take(taken) for name, column in whole.items()}, **answers}

    def _form(self, run: Run, described: Described) -> _Labels | _Choice | _Parts:
        if run.labels:
            return _Labels(run, described)
        mode = _mode(run, described.table)
        options = described.table.scored.options
        if self.wide or len(options) == 2 and set(options) <= set(run.parts):
            return _Choice(run, described, mode)
        return _Parts(run, described)

    # -- people

    def _of_people(self, path: Path, table: pa.Table) -> Iterator[Columns]:
        left = np.ones(table.num_rows, np.bool_)
        for dataset in self.datasets:
            for paradigm in dataset.paradigms:
                described = Described(dataset, paradigm, self.texts)
                for batch in dataset.rows(paradigm, described.read):
                    place = pc.index_in(table.column("id").combine_chunks(), value_set=batch.column("id"))
                    mine = np.flatnonzero(place.is_valid().to_numpy(zero_copy_only=False))
                    if len(mine):
                        left[mine] = False
                        rows = batch.take(place.take(pa.array(mine)))
                        yield _answered(path, table.take(pa.array(mine)), rows, described)
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
        if name in table.column_names and (name == "right" or _kind(name) == "measure")
    }
    right = measures.pop("right", None)
    return table, measures if right is None else {"accuracy": right, **measures}


def is_measured(run: Run) -> bool:
    """Whether a mode says what the scores of some paradigm mean."""
    if run.mode != "values":
        return run.mode in MODES
    tables = [Described(run.dataset, paradigm, False).table for paradigm in run.paradigms]
    return any(mode.fits(table) for mode in MODES.values() for table in tables)


# -- what is known of an item


class Described:
    """The columns of a paradigm's items as the frame has them."""

    def __init__(self, dataset: Dataset, paradigm: str, texts: bool) -> None:
        self.dataset, self.paradigm = dataset, paradigm
        design = dataset.design(paradigm)
        self.design = design
        labels = next((tuple(c.values) for c in design.columns if c.type == "label" and c.values is not UNSET), ())
        names = dataset.columns(paradigm)
        self.table = Table(paradigm, design.task, design.scored, names, labels)
        scored = {*design.scored.context, *design.scored.options, *design.scored.continuations}
        left_out = {*NO_FACTORS, *(() if texts else scored)}
        self.kept = [name for name in names if name not in left_out and name not in ("draws", "labels_by_theory")]
        measured = {column for mode in MODES.values() if mode.fits(self.table) for column in mode.kept}
        self.read = [name for name in names if name not in NO_FACTORS or name in measured]
        self.texts = [name for name in names if name in scored]
        self._columns = {draw.name: self._words(draw.category) for draw in design.draws if not draw.feature}

    def columns(self, rows: pa.RecordBatch) -> Columns:
        """The columns of some rows. An empty text is null; a label is its name."""
        found: Columns = {}
        for name in self.kept:
            values = named(self.dataset, self.paradigm, name, rows.column(name))
            values = _without_empty(values) if pa.types.is_string(values.type) else values
            found[f"item_{name}" if name in OWN else name] = values
        if "labels_by_theory" in self.table.columns:
            found |= _by_theory(rows.column("labels_by_theory"))
        draws = rows.column("draws") if "draws" in self.table.columns else None
        for draw in () if draws is None else self.design.draws:
            values = _without_empty(pc.struct_field(draws, draw.name))
            name = self._named(draw.name)
            found[name] = values
            if self._columns.get(draw.name) == {}:  # of no word's category: a phrase, whose constructor comes first
                found[f"{name}_constructor"] = pc.list_element(pc.split_pattern(values, ".", max_splits=1), 0)
            for column, (ids, own) in self._columns.get(draw.name, {}).items():
                found[f"{name}_{column}"] = own.take(pc.index_in(values, value_set=ids))
        for carried in () if draws is None or self.design.carried is UNSET else self.design.carried:
            name = carried.replace(".", "_")
            if name not in found:
                values = _without_empty(pc.struct_field(draws, carried))
                found[name] = values.cast(DECIMALS) if self._number(carried) else values
        return found

    def _named(self, draw: str) -> str:
        return f"draw_{draw}" if draw in (*self.table.columns, *OWN) else draw

    @property
    def words(self) -> list[str]:
        """The columns of drawn words."""
        return [self._named(draw.name) for draw in self.design.draws if not draw.feature]

    @property
    def factors(self) -> list[str]:
        """The columns that may be factors: those of the rows, of features, the classes of drawn words, and the
        constructors of drawn phrases."""
        no_factors = {*self.texts, *self.design.scored.label}
        rows = [name for name in self.kept if name not in no_factors and _kind(name) not in NOT_CODED]
        features = [self._named(draw.name) for draw in self.design.draws if draw.feature]
        return [*rows, *features, *(f"{name}_{column}" for name in self.words for column in ("class", "constructor"))]

    def _words(self, category: str) -> dict[str, tuple[pa.Array, pa.Array]]:
        """Column of the lexicon -> (ids, values) of the words of a category, where each has one value at most."""
        words = {id_: word.values for id_, word in self.dataset.words.items() if word.category == category}
        ids = pa.array(list(words), pa.string())
        found = {}
        for column in dict.fromkeys(name for values in words.values() for name in values):
            own = [values.get(column) for values in words.values()]
            if any(isinstance(value, list) for value in own):
                continue
            found[column] = ids, _numbers_or_texts([None if value in ("", None) else value for value in own])
        return found

    def _number(self, carried: str) -> bool:
        """Whether the words' own column is one of numbers."""
        column = carried.rpartition(".")[2]
        own = [word.values[column] for word in self.dataset.words.values() if word.values.get(column) not in ("", None)]
        return bool(own) and not pa.types.is_string(_numbers_or_texts(own).type)


def _numbers_or_texts(values: Sequence[Any]) -> pa.Array:
    if all(value is None or isinstance(value, int) for value in values):
        return pa.array(values, pa.int64())
    try:
        return pa.array([None if value is None else float(value) for value in values], DECIMALS)
    except (TypeError, ValueError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _without_empty(values: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(values, ""), pa.scalar(None, pa.string()), values)


def _by_theory(texts: pa.Array) -> Columns:
    """Labels of other theories, a column each: `label_THEORY`; null where the readings of a pair differ in it."""
    coded = texts.dictionary_encode()
    parsed = [json.loads(text) if text else {} for text in coded.dictionary.to_pylist()]
    found = {}
    for theory in dict.fromkeys(name for labels in parsed for name in labels):
        own = pa.array([label if isinstance(label := each.get(theory), str) else None for each in parsed], pa.string())
        found[f"label_{theory.replace('-', '_')}"] = own.take(coded.indices)
    return found


def _kind(name: str) -> str:
    """`score` of `score_neutral`."""
    return name.partition("_")[0]


def _constant(text: str, count: int) -> pa.Array:
    return pa.array([text] * count, pa.string())


def _wider(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    return DECIMALS if not pa.types.is_string(one) and not pa.types.is_string(other) else pa.string()


# -- what is answered


def _decimals(values: Floats) -> pa.Array:
    return pa.array(values, DECIMALS, mask=np.isnan(values))


def _mode(run: Run, table: Table) -> Mode | None:
    """The mode that says what the scores of a row mean; None where there is none."""
    fitting = (mode for mode in MODES.values() if mode.fits(table) and run.mode == "values")
    mode = MODES[run.mode] if run.mode in MODES else next(fitting, None)
    bare = run.record is not None and run.record.model.kind in ("rule", "reader", "ngram")
    return mode.configured(Options(bare=True)) if mode is not None and bare else mode


def _name(part: str) -> str:
    """The name of a part as that of a column."""
    return part.replace("/", "_").replace(".", "_")


@dataclass(frozen=True)
class _Labels:
    """Labels of pairs: a row for each pair."""

    run: Run
    described: Described

    def answers(self, rows: pa.RecordBatch, values: Mapping[str, Floats]) -> tuple[NDArray[np.int64], Columns]:
        run = self.run
        part = next((p for p in run.parts if f"{p}.{run.values[0]}" in values), None)
        if part is None:
            return np.zeros(0, np.int64), {"answer": pa.array([], pa.string())}
        numbers = np.column_stack([values[f"{part}.{label}"] for label in run.values])
        where = np.flatnonzero(~np.isnan(numbers).any(axis=1))
        numbers = numbers[where]
        shares = shares_of(numbers, run)
        gold = _gold(rows, self.described).take(pa.array(where))
        place = pc.index_in(_collapsed(gold, run.values), value_set=pa.array(run.values)).to_numpy(zero_copy_only=False)
        known = ~np.isnan(np.asarray(place, float))
        at = np.where(known, place, 0).astype(np.int64)
        each = np.arange(len(where))
        best = shares.argmax(axis=1)
        single = shares[each, best] == 1.0
        answers: Columns = {"answer": pa.array(np.array(run.values, object)[best], pa.string(), mask=~single)}
        if run.mode not in ("labels", "people"):  # else these are shares, and no log-probabilities
            answers["score"] = _decimals(np.where(known, numbers[each, at], np.nan))
            answers |= {f"score_{label}": _decimals(numbers[:, n]) for n, label in enumerate(run.values)}
        answers["right"] = _decimals(np.where(known, shares[each, at], np.nan))
        return where, answers


def _gold(rows: pa.RecordBatch, described: Described) -> pa.Array:
    """The label of each row, null where it has none."""
    if "label" not in described.table.columns or not described.table.labels:
        return pa.nulls(rows.num_rows, pa.string())
    return named(described.dataset, described.paradigm, "label", rows.column("label"))


def _collapsed(gold: pa.Array, labels: Sequence[str]) -> pa.Array:
    """Gold labels among two labels: what is not entailment is its absence."""
    if len(labels) == len(LABELS):
        return gold
    return pc.if_else(pc.equal(gold, labels[0]), labels[0], pc.if_else(gold.is_valid(), labels[1], None))


@dataclass(frozen=True)
class _Choice:
    """An item with its parts as columns, and what its mode measures; of two options the difference is the score."""

    run: Run
    described: Described
    mode: Mode | None

    def answers(self, rows: pa.RecordBatch, values: Mapping[str, Floats]) -> tuple[NDArray[np.int64], Columns]:
        options = self.described.table.scored.options
        both = len(options) == 2 and set(options) <= values.keys()
        there = [~np.isnan(values[name]) for name in (options if both else values)]
        where = np.flatnonzero(np.all(there, axis=0) if both else np.any(there, axis=0)) if there else np.zeros(0, int)
        answers: Columns = {}
        if both:
            difference = (values[options[0]] - values[options[1]])[where]
            tied = np.abs(difference) <= self.run.tie
            chosen = np.array(options, object)[(difference < 0).astype(int)]
            answers = {"answer": pa.array(chosen, pa.string(), mask=tied), "score": _decimals(difference)}
        answers |= {f"score_{_name(part)}": _decimals(whole[where]) for part, whole in values.items()}
        scores = {part: whole[where].tolist() for part, whole in values.items()}
        if self.mode is not None:
            answers |= _measured(self.mode, self.described.table, rows.take(pa.array(where)), scores, self.run.tie)
        return where, answers or {"score": pa.array([], DECIMALS)}


def _measured(mode: Mode, table: Table, rows: pa.RecordBatch, scores: Mapping[str, list[float]], tie: float) -> Columns:
    """What a mode measures of each row, a column a measure; `right` is the one that says how far an answer is right."""
    texts = [*table.scored.context, *table.scored.options, *table.scored.continuations]
    names = [n for n in dict.fromkeys([*mode.kept, *texts]) if n in table.columns]
    read = {name: rows.column(name).to_pylist() for name in names}
    found: dict[str, list[float | None]] = {}
    for number in range(rows.num_rows):
        row = {name: column[number] for name, column in read.items()}
        own = {part: (value[number],) for part, value in scores.items() if value[number] == value[number]}
        for name, value in mode.measures(table, row, own, tie).items():
            if name not in found:
                found[name] = [None] * rows.num_rows
            found[name][number] = value
    columns = {f"measure_{_name(name)}": pa.array(values, DECIMALS) for name, values in found.items()}
    right = next((name for name in RIGHT if name in found), None)
    return columns if right is None else {**columns, "right": columns.pop(f"measure_{right}")}


@dataclass(frozen=True)
class _Parts:
    """An item with a row for each of its parts."""

    run: Run
    described: Described

    def answers(self, rows: pa.RecordBatch, values: Mapping[str, Floats]) -> tuple[NDArray[np.int64], Columns]:
        numbers = np.column_stack(list(values.values())) if values else np.zeros((rows.num_rows, 0))
        where, which = np.nonzero(~np.isnan(numbers))
        parts = list(values)
        columns: Columns = {"part": pa.array(np.array(parts, object)[which], pa.string())}
        scored = self.described.table.scored
        split = [part.split("/") for part in parts]
        if split and all(len(each) == 2 and each[0] in scored.context for each in split):
            for place, name in enumerate(("context", "continuation")):
                columns[name] = pa.array(np.array([each[place] for each in split], object)[which], pa.string())
        return where.astype(np.int64), {**columns, "score": _decimals(numbers[where, which])}


def _answered(path: Path, given: pa.Table, rows: pa.RecordBatch, described: Described) -> Columns:
    """The answers of people to some items: labels, options (their names, or A and B), or numbers."""
    count, table = given.num_rows, described.table
    columns = {"source": given.column("person").combine_chunks(), "source_kind": _constant("person", count)}
    columns |= described.columns(rows)
    for name in given.column_names:
        if name not in ("person", "id", "answer", "line"):
            if name in columns or _kind(name) in OWN:
                what = f"the column `{name}` has the name of another column of the frame"
                raise refused(path, 1, what, "rename it")
            columns[name] = given.column(name).combine_chunks()
    options = table.scored.options if len(table.scored.options) == 2 else ()
    letters = dict(zip("AB", options, strict=False))
    said: list[str | None] = []
    numbers: list[float | None] = []
    for line, answer in zip(given.column("line").to_pylist(), given.column("answer").to_pylist(), strict=True):
        answer = letters.get(answer, answer)
        known = KNOWN if table.labels else options
        number = _number(answer)
        if answer not in known and number is None:
            wanted = f"{', '.join(known)}, or a number" if known else "a number"
            raise refused(path, line, f"`{answer}` in the column `answer`", f"an answer to this item is {wanted}")
        said.append(None if number is not None else answer)
        numbers.append(number)
    columns["answer"] = pa.array(said, pa.string())
    columns["score"] = pa.array(numbers, DECIMALS)
    columns["right"] = pa.array(_rights(said, rows, described), DECIMALS)
    return columns


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _rights(said: Sequence[str | None], rows: pa.RecordBatch, described: Described) -> list[float | None]:
    """Whether each answer is the label, or the option, that is right; None where that is not known."""
    table = described.table
    if table.labels:
        gold = _gold(rows, described).to_pylist()
        return [
            None if answer is None or label is None
            else float((label != "entailment") if answer == "not_entailment" else answer == label)
            for answer, label in zip(said, gold, strict=True)
        ]  # fmt: skip
    mode = next((mode for mode in MODES.values() if mode.fits(table)), None)
    options = table.scored.options
    if mode is None or len(options) != 2:
        return [None] * len(said)
    # the option that was chosen stands above the other, by no amount that means anything
    scores = {name: [np.nan if answer is None else float(answer == name) for answer in said] for name in options}
    right = _measured(mode, table, rows, scores, 0.0).get("right")
    return [None] * len(said) if right is None else list(right.to_pylist())
