"""Models beside people (`gramprobe judgments`): one model against a sample of people, several as a group, and whether
what is hard, or how it is rated, goes together item by item.

A model is one, people are a sample: a model is compared with them by the modified t test of Crawford & Howell (1998),
which asks whether it could be one more of them. A correlation with people's means can reach the ceiling of noise, no 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gramprobe.analysis.findings import Findings
from gramprobe.analysis.inference import holm, one_case, pearson, spearman
from gramprobe.analysis.judgment_tables import agreement, groups, numbers
from gramprobe.analysis.judgments import people_of, region_times
from gramprobe.analysis.long_frame import LongFrame, is_measured, item_frame
from gramprobe.analysis.output.table import Column, Method, Table, Unit, Value
from gramprobe.analysis.runs import Run
from gramprobe.analysis.studies.scalar_diversity import probabilities
from gramprobe.analysis.study import Given
from gramprobe.judgments.agreement import ceiling
from gramprobe.judgments.folder import is_judgments, open_folder
from gramprobe.judgments.record import ANSWERS, Folder

Floats = NDArray[np.float64]
FEWEST_PEOPLE, FEWEST_MODELS, FEWEST_ITEMS = 3, 5, 4
"""People that are a sample; models that are a group; items that have a correlation."""


class PeopleStudy:
    name = "people"
    about = "a model against a sample of people, and item by item with the ceiling of noise"
    source = ""
    needs = "give a folder of `gramprobe judgments` beside scores of the same dataset"

    def fits(self, run: Run) -> bool:
        return run.people and is_judgments(run.path)

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        tables: list[Table] = []
        details: list[Table] = []
        warnings: list[str] = []
        omitted: list[str] = []
        for number, run in enumerate(runs, 1):
            end = f"_{number}" if number > 1 else ""
            folder = open_folder(run.path)
            models = [each for each in given.runs if not each.people and each.dataset is run.dataset]
            if folder.counted.num_rows:
                tables.append(agreement(folder, f"people_agreement{end}"))
            if not models:
                omitted.append(f"{run.model}: no scores of a model of {run.dataset.folder.name} stand beside them.")
                continue
            people = _People(folder, run)
            compared = list(_compared(people, models))
            whole, by_condition = against(compared, end), against(compared, f"_conditions{end}", True)
            several = as_group(compared, end)
            tables += filter(None, (whole, several, correlations(people, models, end)))
            details += filter(None, (by_condition,))
            if len(people.persons) < FEWEST_PEOPLE:
                omitted.append(f"{run.model}: {len(people.persons)} people are no sample to test a model against.")
            if several is None and compared:
                omitted.append(f"Models as a group: they are {len(models)}, and a group has {FEWEST_MODELS} or more.")
        return Findings(
            self.name, "Models beside people", tuple(tables), warnings=tuple(warnings), omitted=tuple(omitted),
            details=tuple(details),
        )  # fmt: skip


STUDY = PeopleStudy()


class _People:
    """The answers of the people of a folder, a row an answer, with what they measure."""

    def __init__(self, folder: Folder, run: Run) -> None:
        self.folder, self.run = folder, run

    @cached_property
    def frame(self) -> pa.Table:
        own = tuple(each for each in people_of(self.folder) if each.path.name == ANSWERS)
        if not own:
            return pa.table({"source": pa.array([], pa.string())})
        frame = LongFrame((), own, (self.run.dataset,))
        return pa.Table.from_batches(list(frame.batches()), schema=frame.schema)

    @cached_property
    def persons(self) -> list[str]:
        return list(dict.fromkeys(self.frame.column("source").to_pylist()))

    @cached_property
    def measures(self) -> dict[str, Floats]:
        """Name -> (answers,) what a mode measures of each; NaN where it says nothing."""
        names = {"accuracy": "right"} if self.run.labels else {}
        names |= {n.removeprefix("measure_"): n for n in self.frame.column_names if n.startswith("measure_")}
        if "right" in self.frame.column_names and not self.run.labels:
            names["accuracy"] = "right"
        return {name: numbers(self.frame.column(column)) for name, column in names.items()}


@dataclass(frozen=True)
class Compared:
    """One measure of people and models in one condition.

    Attributes:
        persons: (people,) the mean of each person.
        models: model -> its mean on the items that people answered.
    """

    measure: str
    condition: str
    persons: Floats
    models: Mapping[str, float]


def _compared(people: _People, models: Sequence[Run]) -> Iterator[Compared]:
    """Each measure that people and models have, over all items and by condition."""
    if len(people.persons) < FEWEST_PEOPLE:
        return
    sources = np.array(people.frame.column("source").to_pylist(), dtype=object)
    ids = np.array(people.frame.column("id").to_pylist(), dtype=object)
    frames = {run.model: _by_item(run) for run in models}
    for measure, values in people.measures.items():
        having = {model: own[measure] for model, own in frames.items() if measure in own}
        if not having:
            continue
        for condition, where in groups(people.frame):
            kept = where & ~np.isnan(values)
            persons = [float(values[kept & (sources == person)].mean()) for person in set(sources[kept].tolist())]
            items = set(ids[kept].tolist())
            reached = {
                model: float(np.mean([own[item] for item in items if item in own]))
                for model, own in having.items()
                if items & own.keys()
            }
            if len(persons) >= FEWEST_PEOPLE and reached:
                yield Compared(measure, condition, np.array(persons), reached)


def _by_item(run: Run) -> dict[str, dict[str, float]]:
    """Measure -> id -> what a model reaches."""
    if not run.labels and not is_measured(run):
        return {}
    table, measures = item_frame(run)
    ids = table.column("id").to_pylist()
    return {
        name: {id_: value for id_, value in zip(ids, values.tolist(), strict=True) if value == value}
        for name, values in measures.items()
    }


def against(compared: Sequence[Compared], end: str, conditions: bool = False) -> Table | None:
    """Each model against the sample of people, over all items or by condition."""
    rows: list[list[Value]] = []
    sections: dict[int, str] = {}
    tested: list[tuple[int, float]] = []
    shown = [each for each in compared if (each.condition != "all") == conditions]
    for model in dict.fromkeys(model for each in shown for model in each.models):
        sections[len(rows)] = model
        for each in shown:
            if model not in each.models:
                continue
            value, n = each.models[model], len(each.persons)
            found = one_case(value, each.persons)
            row: list[Value] = [each.measure.replace("_", " ")]
            row += [each.condition] if conditions else []
            row += [n, float(each.persons.mean()), float(each.persons.std(ddof=1)), value]
            if found is None:
                row += [None, None, None, None, NO]
            else:
                tested.append((len(rows), found.p))
                row += [found.below, found.t, found.df, None, NO]
            rows.append(row)
    if not rows:
        return None
    for (at, _), p in zip(tested, holm([p for _, p in tested]).tolist() if tested else [], strict=True):
        rows[at][-2] = p
        if p < 0.05:
            t = rows[at][-4]
            assert isinstance(t, float)
            rows[at][-1] = "above people" if t > 0 else "below people"
    columns = (
        Column("measure", "measure"), *([Column("condition", "condition")] if conditions else []),
        Column("people", "people"), Column("mean", "their mean", 3), Column("sd", "sd", 3),
        Column("value", "the model", 3), Column("below", "people below it", 3, Unit.SHARE), Column("t", "t"),
        Column("df", "df"), Column("p", "p (Holm)", unit=Unit.PROBABILITY), Column("verdict", "the model is"),
    )  # fmt: skip
    notes = (
        "Of each person the mean over the answered items, of a model that over the same items. People below it: the "
        "share of the population that is estimated to lie below the model. Where all people have one mean there is no "
        f"test. Tests: {len(tested)}.",
    )
    by = ", by condition" if conditions else ""
    return Table(
        f"people_against{end}", f"Each model beside a sample of people{by}: whether it could be one of them.", columns,
        tuple(map(tuple, rows)), notes, 1 + conditions, sections,
        (
            Method(
                estimator="mean of each person, and of the model",
                test="the modified t test of Crawford and Howell (1998), two-sided",
                cluster="people",
                df="people less 1",
                correction="Holm's method over the tests of a table",
                population="one more of the people, with these items",
            ),
        ),
    )  # fmt: skip


NO = "not clearly different"


def as_group(compared: Sequence[Compared], end: str) -> Table | None:
    """The models as a group against people by Welch's t test; None for fewer than `FEWEST_MODELS`."""
    rows: list[list[Value]] = []
    ps: list[float] = []
    for each in compared:
        values = np.array(list(each.models.values()))
        if len(values) < FEWEST_MODELS or (found := _welch(values, each.persons)) is None:
            continue
        t, df, p = found
        ps.append(p)
        rows.append(
            [each.measure.replace("_", " "), each.condition, len(values), float(values.mean()), len(each.persons),
             float(each.persons.mean()), t, df, None]
        )  # fmt: skip
    if not rows:
        return None
    for row, p in zip(rows, holm(ps).tolist(), strict=True):
        row[-1] = p
    columns = (
        Column("measure", "measure"), Column("condition", "condition"), Column("models", "models"),
        Column("models_mean", "their mean", 3), Column("people", "people"), Column("people_mean", "their mean", 3),
        Column("t", "t"), Column("df", "df", 1), Column("p", "p (Holm)", unit=Unit.PROBABILITY),
    )  # fmt: skip
    return Table(
        f"people_models{end}", "The models as a group against people.", columns, tuple(map(tuple, rows)), (), 2,
        methods=(
            Method(
                estimator="mean of each person, and of each model", test="Welch's t test, two-sided",
                cluster="people and models", df="Welch and Satterthwaite's",
                correction="Holm's method over the tests of a table",
                population="new people and new models like these, with these items",
            ),
        ),
    )  # fmt: skip


def _welch(one: Floats, other: Floats) -> tuple[float, float, float] | None:
    """Welch's t, its degrees of freedom, and p, two-sided; None where neither sample varies."""
    from scipy.stats import t as students

    first, second = (own.var(ddof=1) / len(own) if np.ptp(own) > 1e-12 else 0.0 for own in (one, other))
    if not first + second:
        return None
    t = float((one.mean() - other.mean()) / (first + second) ** 0.5)
    df = float((first + second) ** 2 / (first**2 / (len(one) - 1) + second**2 / (len(other) - 1)))
    return t, df, float(2 * students.sf(abs(t), df))


# -- item by item


def correlations(people: _People, models: Sequence[Run], end: str) -> Table | None:
    """What people and models make of each item: correlations over items, beside the ceiling of noise."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    every = [(said, ceiling(keys, values), _means(keys, values)) for said, keys, values in _asked(people)]
    for run in models:
        found: list[tuple[Value, ...]] = []
        for said, most, mean in every:
            for measure, own in _scores(run, said):
                both = [item for item in mean if item in own]
                x, y = (np.array([source[item] for item in both]) for source in (mean, own))
                if len(both) < FEWEST_ITEMS or np.ptp(x) == 0 or np.ptp(y) == 0:
                    continue
                found.append(
                    (said.replace("_", " "), measure.replace("_", " "), len(both), pearson(x, y)[0],
                     spearman(x, y)[0], most and most.ceiling, most and most.reliability)
                )  # fmt: skip
        if found:
            sections[len(rows)] = run.model
            rows += found
    if not rows:
        return None
    columns = (
        Column("people", "of people"), Column("model", "of the model"), Column("n", "items"),
        Column("pearson", "Pearson's r"), Column("spearman", "Spearman's rho"), Column("ceiling", "ceiling of r"),
        Column("reliability", "reliability"),
    )  # fmt: skip
    notes = (
        "Of people the mean by item; of the model its probability of the label, the score of the first option less "
        "that of the second, or its measure of the item. The reliability of people's means is that of random halves "
        "of the people of each item, after Spearman and Brown; its square root is the r that a model which knew the "
        "means of all people would reach. None where halves do not go together, or an item has one answer.",
    )
    return Table(
        f"people_items{end}", "How models go with people, item by item: correlations, and their ceiling.", columns,
        tuple(rows), notes, 2, sections,
        (
            Method(
                estimator="correlation over items", cluster="items", df="items less 3",
                interval="Fisher's z, of rho with the variance of Bonett and Wright (2000)",
                population="new items like these, each of its own",
            ),
        ),
    )  # fmt: skip


def _asked(people: _People) -> Iterator[tuple[str, list[str], Floats]]:
    """What people were asked: its name, and beside each other the item of each answer and the answer as a number."""
    folder, run = people.folder, people.run
    table = folder.counted
    ids = table.column("id").to_pylist()
    if folder.entry.kind in ("label", "option", "name"):
        given = np.array(table.column("answer").to_pylist(), dtype=object)
        names = run.labels or tuple(str(value) for value in folder.entry.values[:1])
        for name in names:
            yield name, ids, (given == name).astype(np.float64)
    else:
        ratings, parts = numbers(table.column("number")), np.array(table.column("part").to_pylist(), dtype=object)
        for part in dict.fromkeys(parts.tolist()):
            where = parts == part
            yield part or "rating", [id_ for id_, own in zip(ids, where, strict=True) if own], ratings[where]
    times = region_times(folder)
    regions = np.array(times.column("region").to_pylist(), dtype=object)
    ids, ms = times.column("id").to_pylist(), numbers(times.column("rt"))
    for region in dict.fromkeys(regions.tolist()):
        where = regions == region
        yield f"time {region}", [id_ for id_, own in zip(ids, where, strict=True) if own], ms[where]


def _scores(run: Run, said: str) -> Iterator[tuple[str, dict[str, float]]]:
    """What a model makes of what people were asked: the name of a measure, and id -> number."""
    part = said.removeprefix("time ")
    options = next((o for name in run.paradigms if said in (o := run.dataset.design(name).scored.options)), ())
    if run.labels:  # of ratings all labels
        for label in run.labels:
            if said in (label, "rating"):
                column = partial(_probability, run, run.labels.index(label))
                yield f"probability of {label}", _of_rows(run, column)
    elif len(options) == 2 and set(options) <= set(run.parts):
        one, other = options
        yield f"{one} less {other}", _of_rows(run, lambda rows: _part(rows, one) - _part(rows, other))
    elif part in run.parts:
        yield part, _of_rows(run, lambda rows: _part(rows, part))
    elif part == said:
        yield from _by_item(run).items()


def _of_rows(run: Run, values: Callable[[pa.Table], Floats]) -> dict[str, float]:
    """Id -> number, of all scored items that have one."""
    found: dict[str, float] = {}
    for paradigm in run.paradigms:
        rows = run.rows(paradigm)
        if rows.num_columns > 2:  # else nothing of the paradigm was scored
            own = zip(rows.column("id").to_pylist(), values(rows).tolist(), strict=True)
            found |= {id_: value for id_, value in own if value == value}
    return found


def _probability(run: Run, at: int, rows: pa.Table) -> Floats:
    return probabilities(run, rows)[:, at]


def _part(rows: pa.Table, name: str) -> Floats:
    return numbers(rows.column(name)) if name in rows.column_names else np.full(rows.num_rows, np.nan)


def _means(keys: Sequence[str], values: Floats) -> dict[str, float]:
    own: dict[str, list[float]] = {}
    for key, value in zip(keys, values.tolist(), strict=True):
        own.setdefault(key, []).append(value)
    return {key: float(np.mean(given)) for key, given in own.items()}
