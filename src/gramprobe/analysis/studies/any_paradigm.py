"""Any paradigm, one's own too: what models reach by condition, factor and word, and which items and words are hard.

Of labels the measure is whether the derived label is given; of other scores it is what the mode measures of an item
(`gramprobe score` prints the same by condition). Nothing here knows a paradigm: conditions, draws and the words'
columns are those of `design.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis import against
from gramprobe.analysis.answers import answers_of_models
from gramprobe.analysis.factor_tables import ADDED, TWO_LABELS, UNLIKE, Answered, Measure
from gramprobe.analysis.factor_tables import tables as factor_tables
from gramprobe.analysis.factorial import Factor
from gramprobe.analysis.findings import Figure, Findings, Number, bars_of
from gramprobe.analysis.long_frame import is_measured
from gramprobe.analysis.means import mean, mean_method, share_method
from gramprobe.analysis.measures import Measured, Numbers, measures_of
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Unit, Value
from gramprobe.analysis.runs import Run
from gramprobe.analysis.studies.accuracy import confusions
from gramprobe.analysis.study import Given

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawn


Floats = NDArray[np.float64]
NOWHERE = np.zeros(0, np.int64)
PAPER, SWAPPED = "paper", "swapped"
"""The column `design`: pairs that the file states, and those that `balance` adds."""
LEVELS = range(2, 13)
"""How many levels a column has that is shown as a factor."""
FEWEST = 5
"""In how many items a word must stand to be listed."""
_NO_CELLS = (
    "tables by the factors of {}: its rows do not have two levels of each factor with scores (of minimal pairs, "
    "`--study acceptability` has the differences of differences)"
)
SHOWN = 20
"""How many of the hardest items and words are shown."""


class AnyParadigm:
    name = "any"
    about = "any paradigm: by condition, factor and word, with the hardest items and words"
    source = ""
    needs = "give scores of a mode whose measures are known, or labels"

    def fits(self, run: Run) -> bool:
        return bool(run.scores.num_rows) and (bool(run.labels) or is_measured(run))

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        warnings = [warning for run in runs for warning in run.warnings()]
        tables: list[Table] = []
        details: list[Table] = []
        figures: list[Figure] = []
        numbers: list[Number] = []
        shown, factored = set[str](), set[str]()
        labelled = [run for run in runs if run.labels]
        for number, (name, measured) in enumerate(measures_of(runs, given.cluster, warnings).items(), 1):
            end = f"_{number}" if number > 1 else ""
            by_condition = _by(measured, "condition", ("condition",), f"any_conditions{end}", name)
            by_factor = _by(measured, "factor", _factors(measured), f"any_factors{end}", name)
            tables += filter(None, (by_condition,))
            declared = list(_declared(measured, name, end))
            tables += [table for _, table in declared]
            shown |= {paradigm for paradigm, _ in declared}
            factored |= {paradigm for each in measured for paradigm, own in each.declared.items() if own.factors}
            tables += filter(None, (by_factor,))
            caption = f"Every two models, by condition: paired differences of {_said(name)}."
            between = [each.against("condition") for each in measured]
            unit = Unit.SHARE if measured[0].share else Unit.PLAIN
            table = against.table(between, f"any_against{end}", caption, "condition", cluster=given.cluster, unit=unit)
            details += filter(None, [table])
            if by_condition is not None:
                figures.append(_condition_figure(by_condition, measured, name, end))
            if number == 1:  # what says how hard an item is
                columns = list(_models(measured))
                values = _cells(measured, [np.arange(len(each.values)) for each in measured])
                numbers = [
                    Number(each.model, value, replace(column, key=f"any_{name}", heading=_said(name)))
                    for each, value, column in zip(measured, values, columns, strict=True)
                    if name != "accuracy"  # which the study of accuracies has
                ]
                by_word, every = _words(measured, name)
                tables += filter(None, (_items(measured, name), by_word))
                details += filter(None, [every])
                figures += [_word_figure(by_word, measured, name)] if by_word and len(by_word.rows) > 1 else []
        if labelled:
            found = [each.headline() for each in answers_of_models(labelled, cluster=given.cluster)]
            tables.append(replace(confusions(found), name="any_confusions"))
        return Findings(
            self.name, "By condition, factor and word", tuple(tables), tuple(figures), tuple(warnings),
            details=tuple(details), numbers=tuple(numbers),
            omitted=tuple(_NO_CELLS.format(paradigm) for paradigm in sorted(factored - shown)),
        )  # fmt: skip


STUDY = AnyParadigm()


def _declared(measured: Sequence[Measured], measure: str, end: str) -> Iterator[tuple[str, Table]]:
    """The tables of the factors of each paradigm that declares some, with the paradigm."""
    by_author = {name: own for each in measured[::-1] for name, own in each.declared.items()}
    names = dict.fromkeys(name for each in measured for name in each.declared)
    paradigms = [name for name in names if by_author[name].factors or by_author[name].contrasts]
    for number, paradigm in enumerate(paradigms, 1):
        factors, contrasts = by_author[paradigm].factors, by_author[paradigm].contrasts
        every = [each.where("paradigm", paradigm) for each in measured]
        factors = tuple(f for f in factors if any(np.isin(each.column(f.name), f.levels).any() for each in every))
        said = _said(measure) if len(paradigms) == 1 else f"{_said(measure)} in {paradigm}"
        own_end = end if len(paradigms) == 1 else f"{end}_{number}"
        unlike = any(measure in (f"region_{name}", f"time_{name}") for name in by_author[paradigm].unlike)
        # pairs that `balance` adds have other labels in the same cells: a mean of both says nothing
        swapped = [each.where("design", SWAPPED) for each in every]
        added = any(len(each.values) for each in swapped)
        stated = [each.where("design", "", PAPER) for each in every] if added else every
        column = "right" if measure == "accuracy" else f"measure_{measure}"
        share = measured[0].share
        of = Measure(said=said, column=column, end=own_end, method=_method(stated), share=share)
        if measure.startswith("time_"):  # of people, of whom each has a row for what was read, or lacks a region
            mean = f"ave({column}, id, FUN = function(t) mean(t, na.rm = TRUE))"
            of = replace(of, rows=f"subset(transform({of.rows}, {column} = {mean}), !duplicated(id))")
        if added:
            rows = f'subset({of.rows}, design == "{PAPER}")'
            of = replace(of, said=f"{said} of the pairs that the file states", rows=rows)
        own = [_answered(each, factors) for each in stated]
        alone = TWO_LABELS if measure == "binary_accuracy" else UNLIKE if unlike else ""
        yield from ((paradigm, table) for table in factor_tables(own, factors, contrasts, of, alone))
        if added:
            of = replace(of, said=f"{said} of the pairs that `balance` adds", end=f"{own_end}_{SWAPPED}")
            own = [_answered(each, factors) for each in swapped]
            yield from ((paradigm, table) for table in factor_tables(own, factors, {}, of, ADDED))


def _answered(measured: Measured, factors: Sequence[Factor]) -> Answered:
    return Answered(
        measured.model,
        measured.values,
        measured.column("instance"),
        {factor.name: measured.column(factor.name) for factor in factors},
        {draw: measured.column(draw) for draw in measured.words},
        partial(_mean, measured),
        measured.column("condition"),
    )


# -- by condition and factor


def _factors(measured: Sequence[Measured]) -> tuple[str, ...]:
    """The columns with few levels, those of features and of the columns of words and rows."""
    names = dict.fromkeys(name for each in measured for name in each.factors)
    found = []
    for name in names:
        levels = {level for each in measured for level in each.levels(name)}
        if len(levels) in LEVELS and name != "condition":
            found.append(name)
    return tuple(found)


def _by(measured: Sequence[Measured], heading: str, columns: Sequence[str], name: str, measure: str) -> Table | None:
    """A row for each level of each column, with the mean of each model; a section for each column of several."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    several = heading == "condition" and len(measured[0].levels("paradigm")) > 1
    for column in columns:
        values = [each.levels(column) for each in measured]
        levels = in_order(dict.fromkeys(level for own in values for level in own))
        if len(columns) > 1:
            sections[len(rows)] = column
        for level in levels:
            where = [own.get(level, NOWHERE) for own in values]
            named = [len(np.unique(measured[0].coded("paradigm")[0][where[0]]))] if several else []
            rows.append((level, *named, len(where[0]), *_cells(measured, where)))
    if not rows:
        return None
    count = [Column("paradigms", "paradigms")] if several else []
    what = (
        "condition"
        if heading == "condition"
        else "columns of the rows, features, and classes and carried columns of drawn words"
    )
    return Table(
        name,
        f"{_title(measure)} by {what}.",
        (
            Column(heading, "condition" if heading == "condition" else "level"),
            *count,
            Column("n", "items"),
            *_models(measured),
        ),
        tuple(rows),
        notes=("A condition that several paradigms have is one line.",) if several else (),
        sections=sections,
        methods=(_method(measured),),
    )


def in_order(levels: Iterable[str]) -> list[str]:
    """Levels that are all numbers by their size, others as they are."""
    try:
        return sorted(levels, key=float)
    except ValueError:
        return list(levels)


def _models(measured: Sequence[Measured]) -> Iterator[Column]:
    for number, each in enumerate(measured, 1):
        unit = Unit.SHARE if each.share else Unit.PLAIN
        yield Column(f"model_{number}", each.model, unit=unit, digits=3 if each.share else 2)


def _cells(measured: Sequence[Measured], where: Sequence[Numbers]) -> Iterator[Value]:
    for each, rows in zip(measured, where, strict=True):
        kept = rows[~np.isnan(each.values[rows])]
        yield _mean(each, kept) if len(kept) else None


def _mean(measured: Measured, rows: Numbers | NDArray[np.bool_]) -> Interval | float:
    """The mean over some items, with its interval: of shares `means.mean`, of other numbers Student's t over
    clusters."""
    clusters = measured.clusters[rows]
    if measured.share:
        return mean(measured.values[rows], clusters)
    return against.difference(measured.values[rows], clusters).value


def _method(measured: Sequence[Measured]) -> Method:
    if measured[0].share:
        return share_method(measured[0].cluster)
    return mean_method(measured[0].cluster)


_SAID = {
    "accuracy_per_character": "accuracy by the mean over characters",
    "accuracy_critical": "accuracy at the critical word",
    "accuracy_spill": "accuracy at the word behind the critical one",
}
"""Measure -> what a stranger understands, where its name is short for it."""
_OF_REGIONS = {"region": "surprisal (nats)", "time": "reading time"}


def _said(measure: str) -> str:
    kind, _, region = measure.partition("_")
    if region and kind in _OF_REGIONS:
        return f"{_OF_REGIONS[kind]} of the region {region.replace('_', ' ')}"
    return _SAID.get(measure, measure.replace("_", " "))


def _title(measure: str) -> str:
    said = _said(measure)
    return f"{said[:1].upper()}{said[1:]}"


def _hardest(measure: str, what: str) -> str:
    """What a table has first: the hardest, where the measure says what is right."""
    if measure == "accuracy":
        return f"The hardest {what}: accuracy"
    return f"The {what} of the {_end(measure)} {_said(measure)}"


def _end(measure: str) -> str:
    """At which end of a measure it is hard."""
    return "highest" if _rises(measure) else "lowest"


def _rises(measure: str) -> bool:
    """Whether more of a measure is harder."""
    return measure in ("surprisal", "mean_surprisal") or measure.startswith(("region_", "time_"))


# -- items and words


def _items(measured: Sequence[Measured], measure: str) -> Table | None:
    """The items on which the models reach least, by the mean over the models."""
    values: dict[str, list[float]] = {}
    rows: dict[str, int] = {}
    first = measured[0]
    for each in measured:
        for item, value in zip(each.column("id").tolist(), each.values.tolist(), strict=True):
            if value == value:
                values.setdefault(item, []).append(value)
    for place, item in enumerate(first.column("id").tolist()):
        rows[item] = place
    sign = -1 if _rises(measure) else 1
    means = sorted(
        ((float(np.mean(own)), item) for item, own in values.items() if item in rows),
        key=lambda mean: (sign * mean[0], mean[1]),
    )
    if not means:
        return None
    texts = [text for text in first.texts if any(first.column(text))]
    columns = {text: first.column(text) for text in texts}
    conditions = first.column("condition")
    shown = [
        (conditions[rows[item]], *(str(columns[text][rows[item]]) for text in texts), value)
        for value, item in means[:SHOWN]
    ]
    every = np.array([value for value, _ in means])
    ties = int((every == every[min(SHOWN, len(every)) - 1]).sum())
    note = f"The {len(shown)} of {len(means):,} items of the {_end(measure)} mean over the models"
    return Table(
        "any_items",
        f"{_hardest(measure, 'items')}, mean over the models.",
        (
            Column("condition", "condition"), *(Column(text, text.replace("_", " ")) for text in texts),
            Column("mean", "mean", 2),
        ),
        tuple(shown),
        notes=(f"{note}; {ties:,} have the mean of the last one, of which the first by id are shown.",),
        stub=1 + len(texts),
    )  # fmt: skip


def _words(measured: Sequence[Measured], measure: str) -> tuple[Table | None, Table | None]:
    """The words on which the models reach least, by the mean over the models, and all words if they are more."""
    rows: list[tuple[float, tuple[Value, ...]]] = []
    names = list(dict.fromkeys(word for each in measured for word in each.words))
    for draw in names:
        values = [each.levels(draw) for each in measured]
        for word in dict.fromkeys(word for own in values for word in own):
            where = [own.get(word, NOWHERE) for own in values]
            if len(where[0]) < FEWEST:
                continue
            cells = list(_cells(measured, where))
            numbers = [cell.value if isinstance(cell, Interval) else cell for cell in cells if cell is not None]
            if numbers:
                rows.append((float(np.mean([float(n) for n in numbers])), (word, draw, len(where[0]), *cells)))
    if not rows:
        return None, None
    sign = -1 if _rises(measure) else 1
    rows.sort(key=lambda row: (sign * row[0], str(row[1][0]), str(row[1][1])))
    columns = (Column("word", "word"), Column("draw", "draw"), Column("n", "items"), *_models(measured))
    all_of = "A word counts in all items of the instances that draw it, also where a condition does not say it."
    notes, methods = (f"Words in {FEWEST} items or more. {all_of}",), (_method(measured),)
    caption = f"{_hardest(measure, 'words')}."
    least = Table("any_words", caption, columns, tuple(row for _, row in rows[:SHOWN]), notes, 2, methods=methods)
    if len(rows) <= SHOWN:
        return least, None
    caption = f"All words by {_said(measure)}, the {_end(measure)} first."
    return least, Table("any_words_all", caption, columns, tuple(row for _, row in rows), notes, 2, methods=methods)


# -- figures


def _places(measured: Sequence[Measured]) -> dict[str, int]:
    """Model -> its column in a table that ends with those of the models."""
    return {each.model: number - len(measured) for number, each in enumerate(measured)}


def _condition_figure(table: Table, measured: Sequence[Measured], measure: str, end: str) -> Figure:
    return Figure(
        f"any_conditions{end}",
        f"{_title(measure)} by condition, with 95 % intervals.",
        "A group of bars for each condition, a bar for each model; the numbers are in the table.",
        bars_of(table, _places(measured), _said(measure)),
    )


def _word_figure(table: Table, measured: Sequence[Measured], measure: str) -> Figure:
    return Figure(
        "any_words",
        f"{_hardest(measure, 'words')}, with 95 % intervals.",
        "A line for each word, the hardest at the top, a point for each model; the numbers are in the table.",
        partial(_draw_words, table, _places(measured), _said(measure)),
    )


def _draw_words(table: Table, models: Mapping[str, int], measure: str) -> Drawn:
    from gramprobe.analysis.output import figures

    rows = table.rows[::-1]  # the first row stands at the top
    series = {name: [_interval(row[place]) for row in rows] for name, place in list(models.items())[:8]}
    return figures.ordered_means([f"{row[0]} ({row[1]})" for row in rows], series, x=measure)


def _interval(value: Any) -> Interval:
    if isinstance(value, Interval):
        return value
    number = float("nan") if value is None else float(value)
    return Interval(number, number, number)
