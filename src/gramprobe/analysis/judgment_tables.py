"""What people answered, as tables: who is left out, how far they agree, means by condition, times.

findings = judgment_findings(folder, dataset)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gramprobe.analysis import means
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.judgments import people_of, region_times
from gramprobe.analysis.long_frame import LongFrame
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Value, percent
from gramprobe.dataset.read import Dataset
from gramprobe.judgments.agreement import Counts, Level, alpha, alpha_interval, alpha_without_each
from gramprobe.judgments.record import ANSWERS, Folder
from gramprobe.source.nearest import listed

Floats = NDArray[np.float64]
Texts = NDArray[np.object_]
ALL = "all"
_POPULATIONS = {"people": "new people who judge the same items", "instances": "new instances judged by the same people"}


def judgment_findings(folder: Folder, dataset: Dataset) -> Findings:
    """The tables of a folder; deviations from the experiment are its warnings."""
    tables = [_sample(folder)]
    details: list[Table] = []
    answers = [people for people in people_of(folder) if people.path.name == ANSWERS]
    if answers:
        frame = LongFrame((), tuple(answers), (dataset,))
        table = pa.Table.from_batches(list(frame.batches()), schema=frame.schema)
        tables.append(agreement(folder))
        details.append(_without(folder))
        tables.append(_answers(folder))
        if "right" in table.column_names:
            tables.append(_accuracy(table))
        if "rt" in table.column_names:
            tables.append(_times(table))
    if folder.read.num_rows:
        tables.append(_regions(folder))
    omitted = (
        [] if folder.entry.experiment else ["Deviations from a design: no experiment was given (--experiment DIR)."]
    )
    return Findings(
        "judgments", "People's judgments", tuple(tables), warnings=tuple(folder.entry.deviations),
        omitted=tuple(omitted), details=tuple(details),
    )  # fmt: skip


def _sample(folder: Folder) -> Table:
    entry = folder.entry
    rows: list[tuple[Value, ...]] = [("in the files", entry.persons, entry.answers)]
    rows += [(f"left out: {each.rule}", each.people, each.answers) for each in entry.excluded.values()]
    rows.append(("counted", entry.kept, entry.counted))
    columns = (Column("what", ""), Column("people", "people"), Column("answers", "answers"))
    notes = (
        "Answers in the files and counted are those to items of the dataset; those left out are to fillers and catch "
        "trials, too, and a rule that leaves out single trials leaves out no person.",
    )
    return Table("judgments_people", "People and answers, and what rules leave out.", columns, tuple(rows), notes)


def _levels(folder: Folder) -> tuple[Level, ...]:
    if folder.entry.kind == "rating":
        return ("nominal", "ordinal", "interval")
    return ("nominal", "ordinal") if folder.entry.kind == "name" and len(folder.entry.values) > 2 else ("nominal",)


def _given(folder: Folder, table: pa.Table) -> tuple[list[str], list[str], list[str | float]]:
    """Persons, items and answers, beside each other; an item with parts is one for each part."""
    persons, ids, parts = (table.column(name).to_pylist() for name in ("person", "id", "part"))
    answers = table.column("number" if folder.entry.kind == "rating" else "answer").to_pylist()
    return persons, [f"{id_}\t{part}" for id_, part in zip(ids, parts, strict=True)], answers


def agreement(folder: Folder, called: str = "judgments_agreement") -> Table:
    """Alpha of all items and of those of each condition."""
    table, levels = folder.counted, _levels(folder)
    rows: list[tuple[Value, ...]] = []
    bare: dict[bool, list[str]] = {False: [], True: []}
    for name, where in groups(table):
        own = table.filter(pa.array(where))
        persons, items, answers = _given(folder, own)
        counts = Counts.of(items, answers, folder.entry.values)
        of_item = dict(zip(items, _clusters(own), strict=True))
        clusters = means.numbered([of_item[item] for item in counts.items])
        alphas = [_with_interval(counts, level, clusters) for level in levels]
        rows.append((name, len(set(persons)), len(counts.items), len(answers), *alphas))
        if any(isinstance(each, float) for each in alphas):
            bare[_enough(clusters)].append(name)
    columns = (
        Column("condition", "condition"), Column("people", "people"), Column("items", "items"),
        Column("answers", "answers"), *(Column(f"alpha_{level}", level, 3, group="alpha") for level in levels),
    )  # fmt: skip
    notes = (
        "Krippendorff's alpha (2011): 1 where all agree, 0 where they agree as by chance; by condition, chance is that "
        "of the condition's own answers, so that alpha is low where nearly all answers are one.",
        *(
            f"No interval of {listed(bare[enough], 4)}: {why}."
            for enough, why in ((False, means.LEAST), (True, "all agree, or all but those of one instance"))
            if bare[enough]
        ),
    )
    method = Method(
        estimator="alpha of all items",
        interval="Student's t of log(1 - alpha), with the standard error of a jackknife over instances",
        least=f"{means.LEAST}, or for an alpha of 1",
        cluster="instances",
        df="instances less 1",
        population=_POPULATIONS["instances"],
    )
    return Table(called, "How far people agree, by condition.", columns, tuple(rows), notes, methods=(method,))


def _with_interval(counts: Counts, level: Level, clusters: NDArray[np.int64]) -> Interval | float | None:
    found = alpha(counts, level)
    from scipy.stats import t

    quantile = partial(t.ppf, 0.975)
    ends = alpha_interval(counts, level, clusters.tolist(), quantile) if _enough(clusters) else None
    return found if found is None or ends is None else Interval(found, *ends)


def _enough(clusters: NDArray[np.int64]) -> bool:
    return means.enough(len(set(clusters.tolist())), len(clusters))


def _without(folder: Folder) -> Table:
    levels = _levels(folder)
    given = _given(folder, folder.counted)
    each = [alpha_without_each(*given, level, folder.entry.values) for level in levels]
    whole = Counts.of(given[1], given[2], folder.entry.values)
    rows: list[tuple[Value, ...]] = [("nobody", None, *(alpha(whole, level) for level in levels))]
    for own in zip(*each, strict=True):
        rows.append((own[0].person, own[0].answers, *(one.alpha for one in own)))
    columns = (
        Column("person", "without"), Column("answers", "answers"),
        *(Column(f"alpha_{level}", level, 3, group="alpha") for level in levels),
    )  # fmt: skip
    return Table("judgments_without", "Alpha without each person.", columns, tuple(rows))


def _answers(folder: Folder) -> Table:
    """Shares of the answers by condition, or mean ratings."""
    table, entry = folder.counted, folder.entry
    people, instances = _texts(table, "person"), _clusters(table)
    rows: list[tuple[Value, ...]]
    if entry.kind == "rating":
        ratings = numbers(table.column("number"))
        low, high = (float(entry.values[end]) for end in (0, -1))
        columns = [Column("mean", "mean, over people"), Column("mean_items", "over instances"), Column("sd", "sd")]
        rows = []
        for name, where in groups(table):
            own = (_on_scale(ratings[where], clusters[where], low, high) for clusters in (people, instances))
            rows.append((name, int(where.sum()), *own, _sd(ratings[where])))
        methods = tuple(
            replace(_method(cluster, True), estimator="mean of all answers, between the ends of the scale")
            for cluster in _POPULATIONS
        )
    else:
        given = _texts(table, "answer")
        columns = [percent(f"share_{n}", str(value), "share of answers") for n, value in enumerate(entry.values, 1)]
        rows = [
            (
                name,
                int(where.sum()),
                *(means.mean((given[where] == value).astype(float), people[where]) for value in entry.values),
            )
            for name, where in groups(table)
        ]
        methods = (_method("people", True),)
    heads = (Column("condition", "condition"), Column("n", "answers"), *columns)
    caption = "Mean ratings by condition." if entry.kind == "rating" else "What people answer, by condition."
    return Table("judgments_answers", caption, heads, tuple(rows), methods=methods)


def _accuracy(frame: pa.Table) -> Table:
    right = numbers(frame.column("right"))
    rows = [(name, int(own.sum()), *both) for name, own, both in _by_condition(frame, right, True)]
    columns = (
        Column("condition", "condition"), Column("n", "answers"), percent("right", "right, over people"),
        percent("right_items", "over instances"),
    )  # fmt: skip
    return Table(
        "judgments_accuracy", "How often people give the answer that is right by the dataset, by condition.", columns,
        tuple(rows), methods=tuple(_method(cluster, True) for cluster in _POPULATIONS),
    )  # fmt: skip


def _times(frame: pa.Table) -> Table:
    times = numbers(frame.column("rt"))
    rows = [
        (name, int(own.sum()), *both, float(np.median(times[own])))
        for name, own, both in _by_condition(frame, times, False)
    ]
    columns = (
        Column("condition", "condition"), Column("n", "answers"), Column("rt", "mean ms, over people", 0),
        Column("rt_items", "over instances", 0), Column("median", "median ms", 0),
    )  # fmt: skip
    methods = tuple(_method(cluster, False) for cluster in _POPULATIONS)
    return Table("judgments_times", "Time of an answer by condition.", columns, tuple(rows), methods=methods)


def _regions(folder: Folder) -> Table:
    """Reading times by region, a section for each region."""
    table = region_times(folder)
    regions, times = _texts(table, "region"), numbers(table.column("rt"))
    people, instances = _texts(table, "person"), _clusters(table)
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for region in dict.fromkeys(regions.tolist()):
        sections[len(rows)] = region
        for name, where in groups(table, regions == region):
            rows.append((name, int(where.sum()), *_both(times, people, instances, where, False)))
    columns = (
        Column("condition", "condition"), Column("n", "readings"), Column("rt", "mean ms, over people", 0),
        Column("rt_items", "over instances", 0),
    )  # fmt: skip
    methods = tuple(_method(cluster, False) for cluster in _POPULATIONS)
    caption = "Reading times by region and condition; the time of a region is the sum over its words."
    return Table("judgments_regions", caption, columns, tuple(rows), sections=sections, methods=methods)


# -- what the tables share


def groups(table: pa.Table, of: NDArray[np.bool_] | None = None) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """All rows, or those ``of`` them, and those of each condition, with its paradigm before it where there are several,
    and the part that was asked about behind it."""
    every = np.ones(table.num_rows, np.bool_) if of is None else of
    conditions, paradigms, parts = (_texts(table, name).tolist() for name in ("condition", "paradigm", "part"))
    several = len(set(paradigms)) > 1
    before = [f"{name}: " if several else "" for name in paradigms]
    after = [f", {part}" if part else "" for part in parts]
    names = np.array(["".join(texts) for texts in zip(before, conditions, after, strict=True)], dtype=object)
    found = list(dict.fromkeys(names[every].tolist()))
    yield ALL, every
    if len(found) > 1:
        for name in found:
            yield str(name), every & (names == name)


def _by_condition(
    frame: pa.Table, values: Floats, share: bool
) -> Iterator[tuple[str, NDArray[np.bool_], tuple[Interval | float, Interval | float]]]:
    """(condition, its rows that have a value, the means of these over people and over instances) of each that has."""
    people, instances = _texts(frame, "source"), _clusters(frame)
    for name, where in groups(frame):
        own = where & ~np.isnan(values)
        if own.any():
            yield name, own, _both(values, people, instances, own, share)


def _both(
    values: Floats, people: Texts, instances: Texts, where: NDArray[np.bool_], share: bool
) -> tuple[Interval | float, Interval | float]:
    """The mean of some values with its interval over people, and over instances."""
    of = means.mean if share else _mean
    return of(values[where], people[where]), of(values[where], instances[where])


def _mean(values: Floats, clusters: Texts) -> Interval | float:
    """The mean of numbers of any scale with Student's interval; alone where all clusters have one mean."""
    return means.difference(values, clusters) if means.varies(values, clusters) else float(values.mean())


def _on_scale(values: Floats, clusters: Texts, low: float, high: float) -> Interval | float:
    """The mean of ratings, with an interval that does not leave the scale."""
    if low == high:
        return float(values.mean())
    found = means.mean((values - low) / (high - low), clusters)
    ends = (found.value, found.low, found.high) if isinstance(found, Interval) else (found,)
    scaled = [low + (high - low) * end for end in ends]
    return Interval(*scaled) if len(scaled) == 3 else scaled[0]


def _sd(values: Floats) -> float | None:
    return float(values.std(ddof=1)) if len(values) > 1 else None


def _method(cluster: str, share: bool) -> Method:
    method = means.share_method() if share else means.difference_method()
    return replace(
        method,
        estimator="share of all answers" if share else "mean of all answers",
        interval=method.interval if share else "Student's t",
        least=means.LEAST if share else f"{means.LEAST}, or of one mean",
        cluster=cluster,
        df=f"{cluster} less 1",
        population=_POPULATIONS[cluster],
        of=f"over {cluster}",
    )


def _texts(table: pa.Table, name: str) -> Texts:
    """(rows,) a column of texts; empty ones where there is no such column."""
    there = name in table.column_names
    found = [value or "" for value in table.column(name).to_pylist()] if there else [""] * table.num_rows
    return np.array(found, dtype=object)


def numbers(column: pa.ChunkedArray) -> Floats:
    """(rows,) a column of numbers; NaN where there is none."""
    values: Sequence[float | None] = column.to_pylist()
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _clusters(table: pa.Table) -> Texts:
    """(rows,) the instance of each, those of two paradigms apart."""
    both = zip(_texts(table, "paradigm"), _texts(table, "instance"), strict=True)
    return np.array([f"{paradigm}/{instance}" for paradigm, instance in both], dtype=object)
