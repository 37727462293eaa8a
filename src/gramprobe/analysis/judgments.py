"""People's judgments (`gramprobe judgments`) as a run beside those of models, and as answers of the long frame.

A run has the people as one source, called `people`: the share of them that gives each label or picks each option, the
share that gives the first name of a scale, the mean rating, the mean time of each region.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from gramprobe.analysis.runs import Run
from gramprobe.dataset.read import Dataset
from gramprobe.judgments.record import ANSWERS, NORMS, SAYS, TIMES, Folder
from gramprobe.source import messages

PEOPLE = "people"
RATING, TIME = "rating", "time"
"""The part that a rating is of; the beginning of a part's name that is the time of a region."""


class People(NamedTuple):
    """Answers of people for the long frame.

    Attributes:
        path: where they are from.
        table: columns `person`, `id`, `answer`, `line`, and others that are handed on.
        names: words that are answers beside labels and options.
        judged: whether the table is one of a folder of judgments, in which `part` says what was answered of an item.
    """

    path: Path
    table: pa.Table
    names: tuple[str, ...] = ()
    judged: bool = False


class Norms(NamedTuple):
    """What people said of items, to be joined with rows about these.

    Attributes:
        ids: of the items.
        columns: name of a column -> (items,) its values.
    """

    ids: pa.Array
    columns: dict[str, pa.Array]


def norms_of(folder: Folder) -> Norms:
    """The norms of a folder, by item: each column of `items.csv` that is about answers, called by the name of the
    folder. Raises UsageError: a file that is no such table (E94), norms of parts of items, or none (E47)."""
    table = _norms(folder.place / NORMS) if NORMS in folder.entry.files else None
    if table is None or "part" in table.column_names:
        raise messages.judgments.no_norms(str(folder.place), table is not None)
    name = "".join(letter if letter.isalnum() else "_" for letter in folder.place.resolve().name)
    own = [column for column in table.column_names if column not in ("id", "paradigm", "instance", "condition")]
    columns = {f"{name}_{column}": table.column(column).combine_chunks() for column in own}
    kept = {column: values for column, values in columns.items() if values.null_count < len(values)}
    return Norms(table.column("id").combine_chunks(), kept)


def _norms(file: Path) -> pa.Table:
    types = pyarrow.csv.ConvertOptions(column_types={"id": pa.string()})
    try:
        table = pyarrow.csv.read_csv(file, convert_options=types)
    except pa.ArrowInvalid as error:
        raise SAYS.damaged(str(file), f"it cannot be read: {str(error).splitlines()[0]}") from None
    names = table.column_names
    twice = len({*names}) < len(names) or "id" not in names
    if twice or ("part" not in names and len(pc.unique(table.column("id"))) < table.num_rows):
        raise SAYS.damaged(str(file), "it has no column `id`, or a column or an item twice")
    return table


def run_of(folder: Folder, dataset: Dataset) -> Run:
    """The people of a folder as one run."""
    entry, answers = folder.entry, folder.counted
    labels = tuple(str(value) for value in entry.values) if entry.kind == "label" else ()
    values = labels or ("value",)
    if entry.kind == "label":
        parts = pa.array(["label"] * answers.num_rows, pa.string())
        numbers = {label: _is(answers, label) for label in labels}
        scores = _means(answers.column("id"), parts, numbers)
    elif entry.kind == "option":
        scores = pa.concat_tables([_share(answers, str(option), str(option)) for option in entry.values])
    elif entry.kind == "rating":
        part = pc.if_else(pc.equal(answers.column("part"), ""), RATING, answers.column("part"))
        scores = _means(answers.column("id"), part, {"value": answers.column("number")})
        scores = scores.set_column(2, "value", _proxies(scores, entry.values))
    else:
        scores = _share(answers, str(entry.values[0]), str(entry.values[0])) if entry.values else _none(values)
    if not labels:
        scores = pa.concat_tables([scores, _times(folder)])
    answered = {*answers.column("paradigm").to_pylist(), *folder.read.column("paradigm").to_pylist()}
    paradigms = tuple(name for name in dataset.paradigms if name in answered)
    rated = entry.kind != "option"
    return Run(PEOPLE, PEOPLE, dataset, scores, values, paradigms, rated=rated, path=folder.place)


def _none(values: tuple[str, ...]) -> pa.Table:
    fields = [("item", pa.string()), ("part", pa.string()), *((name, pa.float64()) for name in values)]
    return pa.schema(fields).empty_table()


def _is(answers: pa.Table, name: str) -> pa.ChunkedArray:
    return pc.equal(answers.column("answer"), name).cast(pa.float64())


def _share(answers: pa.Table, name: str, part: str) -> pa.Table:
    """The share that gives an answer, by item."""
    parts = pa.array([part] * answers.num_rows, pa.string())
    return _means(answers.column("id"), parts, {"value": _is(answers, name)})


def _means(items: pa.ChunkedArray, parts: pa.Array, numbers: dict[str, pa.ChunkedArray]) -> pa.Table:
    """Columns item, part, and the mean of each of ``numbers``, in the order in which items first stand."""
    table = pa.table({"item": items, "part": parts, **numbers})
    grouped = table.group_by(["item", "part"], use_threads=False).aggregate([(name, "mean") for name in numbers])
    return grouped.select(["item", "part", *(f"{name}_mean" for name in numbers)]).rename_columns(
        ["item", "part", *numbers]
    )


def _times(folder: Folder) -> pa.Table:
    """The mean time of each region, summed over the words of a region before."""
    table = region_times(folder)
    parts = pc.binary_join_element_wise(TIME, table.column("region"), "_")
    return _means(table.column("id"), parts, {"value": table.column("rt")})


def region_times(folder: Folder) -> pa.Table:
    """Columns person, id, paradigm, instance, condition, region, rt: the time of each region, summed over its words.
    Words without a region are one each, called by their number."""
    keys = ["person", "id", "paradigm", "instance", "condition", "region"]
    table = _with(folder.read, "region", _regions(folder.read))
    return (
        table.group_by(keys, use_threads=False)
        .aggregate([("rt", "sum")])
        .select([*keys, "rt_sum"])
        .rename_columns([*keys, "rt"])
    )


def _proxies(scores: pa.Table, values: list[str | float]) -> pa.ChunkedArray:
    """Mean ratings; of a follow-up after a context what Kamath et al. (2024, 5.3) put in the place of its log
    probability, log((x - low + 0.01) / (high - low + 0.01)), so that models and people have one measure."""
    numbers = [float(value) for value in values]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    mean = scores.column("value")
    proxy = pc.ln(pc.divide(pc.add(pc.subtract(mean, low), 0.01), high - low + 0.01))
    return pc.if_else(pc.match_substring(scores.column("part"), "/"), proxy, mean)


def people_of(folder: Folder, wide: bool = False) -> tuple[People, ...]:
    """The answers of a folder that count, and its reading times, for the long frame: an answer a row, the time of a
    word a row; ``wide``: what a person read and answered a row, the time of each region a column."""
    names = tuple(str(value) for value in folder.entry.values) if folder.entry.kind == "name" else ()
    answers, times = folder.counted, folder.read
    if wide and times.num_rows:
        return (People(folder.place / TIMES, _numbered(_wide(answers, times)), names, True),)
    found = []
    if answers.num_rows:
        columns = ["person", "id", "answer", "list", "position", "rt"]
        answers = _with(answers, "list", _filled(answers.column("list")))
        if pc.any(pc.not_equal(answers.column("part"), "")).as_py():
            columns.append("part")
        if pc.any(pc.not_equal(answers.column("expected"), "")).as_py():
            columns.append("expected")
        found.append(People(folder.place / ANSWERS, _numbered(answers.select(columns)), names, True))
    if times.num_rows:
        times = _with(times, "list", _filled(times.column("list")))
        table = times.select(["person", "id", "list", "position", "word_number"])
        table = table.append_column("part", _regions(times))
        table = table.append_column("answer", times.column("rt").cast(pa.string()))
        found.append(People(folder.place / TIMES, _numbered(table), names, True))
    return tuple(found)


def _wide(answers: pa.Table, times: pa.Table) -> pa.Table:
    """A row for each item of a person: columns person, id, list, position, answer, rt, expected, and for each region
    measure_time_REGION, the sum over its words in ms. What a person did not answer, or not read, is null."""
    asked = ("person", "id", "list", "position", "answer", "rt", "expected")
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in answers.select(asked).to_pylist():
        found[row["person"], row["id"]] = row
    for row in times.append_column("part", _regions(times)).to_pylist():
        begun = {name: row[name] if name in asked[:4] else None for name in asked}
        own = found.setdefault((row["person"], row["id"]), begun)
        measure = f"measure_{TIME}_{row['part']}"
        own[measure] = own.get(measure, 0.0) + row["rt"]
    names = dict.fromkeys(name for row in found.values() for name in row)
    types = {field.name: field.type for field in answers.schema}
    cells = {name: [None if row.get(name) == "" else row.get(name) for row in found.values()] for name in names}
    return pa.table({name: pa.array(own, types.get(name, pa.float64())) for name, own in cells.items()})


def _regions(times: pa.Table) -> pa.ChunkedArray:
    """The region of each word, or its number, where it is in none."""
    regions = times.column("region")
    return pc.if_else(pc.equal(regions, ""), times.column("word_number").cast(pa.string()), regions)


def _with(table: pa.Table, name: str, values: pa.ChunkedArray) -> pa.Table:
    """The table with other values in a column."""
    return table.set_column(table.column_names.index(name), name, values)


def _filled(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Texts with null in the place of empty ones."""
    return pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)


def _numbered(table: pa.Table) -> pa.Table:
    return table.append_column("line", pa.array(np.arange(1, table.num_rows + 1)))
