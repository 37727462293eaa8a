"""The columns of an answer: of labels, of a choice between two options, of parts that each have a score; of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from gramprobe.analysis.answers import shares_of
from gramprobe.analysis.item_columns import DECIMALS, Columns, ItemColumns, constant, kind
from gramprobe.analysis.judgments import People
from gramprobe.analysis.runs import Run, named
from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import KNOWN
from gramprobe.formats.tabular import refused
from gramprobe.records import OWN
from gramprobe.score.mode import Mode, Options
from gramprobe.score.modes import MODES
from gramprobe.score.source import Table

Floats = NDArray[np.float64]
RIGHT = ("accuracy", "preferred")
"""The measures of modes that say how far an answer is right."""


def _decimals(values: Floats) -> pa.Array:
    return pa.array(values, DECIMALS, mask=np.isnan(values))


def mode_of(run: Run, table: Table) -> Mode | None:
    """The mode that says what the scores of a row mean; None where there is none."""
    chosen = run.people and set(table.scored.options) <= set(run.parts)
    fitting = (mode for mode in MODES.values() if mode.fits(table) and (chosen or run.mode == "values"))
    mode = MODES[run.mode] if run.mode in MODES else next(fitting, None)
    bare = run.people or (run.record is not None and run.record.model.kind in ("rule", "reader", "ngram"))
    return mode.configured(Options(bare=True)) if mode is not None and bare else mode


def _name(part: str) -> str:
    """The name of a part as that of a column."""
    return part.replace("/", "_").replace(".", "_")


@dataclass(frozen=True)
class Labels:
    """Labels of pairs: a row for each pair."""

    run: Run
    described: ItemColumns

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


def _gold(rows: pa.RecordBatch, described: ItemColumns) -> pa.Array:
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
class Choice:
    """An item with its parts as columns, and what its mode measures; of two options the difference is the score."""

    run: Run
    described: ItemColumns
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
        if self.run.people and not both:
            answers |= {f"measure_{_name(part)}": _decimals(whole[where]) for part, whole in values.items()}
        elif self.run.rated and self.mode is not None:  # whether the better one is rated higher
            found = _measured(self.mode, self.described.table, rows.take(pa.array(where)), scores, self.run.tie)
            answers |= {name: found[name] for name in ("right",) if name in found}
        elif self.run.people and self.mode is not None:
            answers |= _shared(self.mode, self.described.table, rows.take(pa.array(where)), scores)
        elif self.mode is not None:
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


def _shared(mode: Mode, table: Table, rows: pa.RecordBatch, shares: Mapping[str, list[float]]) -> Columns:
    """What a mode measures of people: the mean over them of what it measures of the option that each picks."""
    found: dict[str, Floats] = {}
    options = table.scored.options
    for option in options:
        picked = {name: [float(name == option)] * rows.num_rows for name in options}
        for name, column in _measured(mode, table, rows, picked, 0.0).items():
            own = column.to_numpy(zero_copy_only=False) * np.array(shares[option])
            found[name] = found.get(name, 0.0) + own
    return {name: _decimals(values) for name, values in found.items()}


@dataclass(frozen=True)
class Parts:
    """An item with a row for each of its parts."""

    run: Run
    described: ItemColumns

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


def of_people(people: People, given: pa.Table, rows: pa.RecordBatch, described: ItemColumns) -> Columns:
    """The answers of people to some items, which are ``given``: labels, options (their names, or A and B), numbers, or
    the names of a scale."""
    count, table, path = given.num_rows, described.table, people.path
    columns = {"source": given.column("person").combine_chunks(), "source_kind": constant("person", count)}
    parts = given.column("part").combine_chunks() if people.judged and "part" in given.column_names else None
    columns |= described.columns(rows, parts)
    for name in given.column_names:
        if name not in ("person", "id", "answer", "line", *(("expected",) if people.judged else ())):
            if name in columns or (kind(name) in OWN and not people.judged):
                what = f"the column `{name}` has the name of another column of the frame"
                raise refused(path, 1, what, "rename it")
            columns[name] = given.column(name).combine_chunks()
    options = table.scored.options if len(table.scored.options) == 2 else ()
    letters = dict(zip("AB", options, strict=False))
    said: list[str | None] = []
    numbers: list[float | None] = []
    for line, answer in zip(given.column("line").to_pylist(), given.column("answer").to_pylist(), strict=True):
        answer = letters.get(answer, answer)
        known = (*(KNOWN if table.labels else options), *people.names)
        number = None if answer is None else _number(answer)
        if answer is not None and answer not in known and number is None:
            wanted = f"{', '.join(known)}, or a number" if known else "a number"
            raise refused(path, line, f"`{answer}` in the column `answer`", f"an answer to this item is {wanted}")
        said.append(None if number is not None else answer)
        numbers.append(number)
    columns["answer"] = pa.array(said, pa.string())
    columns["score"] = pa.array(numbers, DECIMALS)
    columns |= _rights(said, rows, described)
    if people.judged and "expected" in given.column_names:  # the right answer to a question on what was read
        both = zip(given.column("expected").to_pylist(), given.column("answer").to_pylist(), strict=True)
        matches = [float(answer in expected.split("|")) if expected else None for expected, answer in both]
        columns["right"] = pc.coalesce(pa.array(matches, DECIMALS), columns["right"])
    return columns


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _rights(said: Sequence[str | None], rows: pa.RecordBatch, described: ItemColumns) -> Columns:
    """`right`: whether each answer is the label, or the option, that is right, null where that is not known; and what
    else a mode measures of a choice."""
    table = described.table
    none: Columns = {"right": pa.nulls(len(said), DECIMALS)}
    if table.labels:
        gold = _gold(rows, described).to_pylist()
        right = [
            None if answer not in KNOWN or label is None
            else float((label != "entailment") if answer == "not_entailment" else answer == label)
            for answer, label in zip(said, gold, strict=True)
        ]  # fmt: skip
        return {"right": pa.array(right, DECIMALS)}
    mode = next((mode for mode in MODES.values() if mode.fits(table)), None)
    options = table.scored.options
    if mode is None or len(options) != 2:
        return none
    # the option that was chosen stands above the other, by no amount that means anything
    scores = {n: [float(answer == n) if answer in options else np.nan for answer in said] for n in options}
    return none | _measured(mode.configured(Options(bare=True)), table, rows, scores, 0.0)
