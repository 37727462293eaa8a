"""How often models give the label that was derived: by paradigm, by condition, and which labels they confuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gramprobe.analysis import against
from gramprobe.analysis.against import ALL, Measured
from gramprobe.analysis.answers import Answers, answers_of_models
from gramprobe.analysis.findings import Figure, Findings, Number, bars_of
from gramprobe.analysis.means import mean, rows_of, share_method
from gramprobe.analysis.output.table import Column, Table, Unit, Value, percent
from gramprobe.analysis.runs import Run
from gramprobe.analysis.study import Given
from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import KNOWN

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawn


class Accuracy:
    name = "accuracy"
    about = "accuracy by paradigm and condition, and which labels are taken for which"
    source = ""
    needs = "give scores of --mode nli, or a file `item,label`"

    def fits(self, run: Run) -> bool:
        return bool(run.labels)

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        every = answers_of_models(runs, cluster=given.cluster)
        models = [each.run.model for each in every]
        found = [each.headline() for each in every]
        conditions: list[Table] = []
        for name in dict.fromkeys(name for run in runs for name in run.paradigms):
            own = [each.where(each.having("paradigm", name)) for each in found]
            conditions.append(
                _table(
                    f"accuracy_{name}",
                    f"Share of right answers in `{name}`, by condition.",
                    own,
                    "condition",
                    given,
                )
            )
        by_paradigm = _table("accuracy", "Accuracy by paradigm.", found, "paradigm", given)
        two = "every two, models and people," if any(run.people for run in runs) else "every two models,"
        caption = f"Accuracy of {two} by paradigm: paired differences."
        pairs = [against.right(each, "paradigm") for each in found]
        beside = against.table(pairs, "accuracy_against", caption, "paradigm", 1, given.cluster, Unit.SHARE)
        named = [_in_paradigm(against.right(each, "condition"), each) for each in found]
        caption = f"Accuracy of {two} by condition: paired differences."
        closer = against.table(named, "accuracy_against_conditions", caption, "condition", 2, given.cluster, Unit.SHARE)
        conditions = [each for each in conditions if each.rows]  # of graded items nothing is right
        outside = [each.headline(False) for each in every]
        if any(each.items.num_rows for each in outside):
            caption = "Accuracy on the items that are out of all other accuracies, by the tag that says why."
            conditions.append(_table("accuracy_outside", caption, outside, "tag", given))
        short = [beside] if beside and len(beside.rows) <= LONG else []
        conditions += filter(None, (closer, None if short else beside))
        figure = Figure(
            "accuracy",
            "Accuracy by paradigm, with 95 % intervals.",
            "A group of bars for each paradigm, a bar for each model; the numbers are in the table.",
            bars_of(by_paradigm, {model: i - len(models) for i, model in enumerate(models)}, n=1),
        )
        whole = by_paradigm.rows[-1][-len(models) :] if by_paradigm.rows else ()
        return Findings(
            self.name,
            "Accuracy",
            (by_paradigm, *short, confusions(found)),
            details=tuple(conditions),
            figures=(figure, *scaling(found, given)),
            numbers=tuple(map(Number, models, whole, [OF_ALL] * len(models))),
            warnings=(
                *(warning for run in runs for warning in run.warnings()),
                *(warning for each in every for warning in each.outside()),
                *_unlike(found),
            ),
        )


STUDY = Accuracy()


def _in_paradigm(measured: Measured, found: Answers) -> Measured:
    """With the paradigm before the condition, where there are several."""
    paradigms = found.column("paradigm")
    if len(set(paradigms)) < 2:
        return measured
    groups = [f"{paradigm}: {group}" for paradigm, group in zip(paradigms, measured.groups, strict=True)]
    return replace(measured, groups=groups)


LONG = 40
"""Rows from which on a table of differences is among the details."""
MOST = 8
"""How many curves a figure has at most."""


def scaling(found: Sequence[Answers], given: Given) -> tuple[Figure, ...]:
    """Accuracy by the number of parameters, a curve for each paradigm; nothing where fewer than two sizes are known."""
    sized = sorted((each for each in found if each.run.parameters), key=lambda each: each.run.parameters or 0)
    if len({each.run.parameters for each in sized}) < 2:
        return ()
    cells = [(float(each.run.parameters or 0), means(each, "paradigm")) for each in sized]
    names = list(dict.fromkeys(name for each in sized for name in each.paradigms))
    shown = names if len(names) <= MOST else [ALL]
    curves = {name: [(size, own[name]) for size, own in cells if own.get(name) is not None] for name in shown}
    of = "a curve for each paradigm" if shown == names else f"over all {len(names)} paradigms"
    return (
        Figure(
            "accuracy_by_size",
            f"Accuracy by the number of parameters, {of}, with 95 % intervals.",
            f"Points from {sized[0].run.model}, the smallest model, to {sized[-1].run.model}; the numbers are in the "
            "table of accuracies.",
            partial(_curves, curves, "parameters", "accuracy"),
        ),
    )


def _curves(points: Mapping[str, Sequence[tuple[float, Value]]], x: str, y: str) -> Drawn:
    from gramprobe.analysis.output import figures

    return figures.curves(points, x=x, y=y)


def _unlike(found: Sequence[Answers]) -> list[str]:
    """A warning if the models did not answer the same items: one row then compares accuracies on different items."""
    if all(each.column("id") == found[0].column("id") for each in found):
        return []
    items = [frozenset(each.column("id")) for each in found]
    if len(set(items)) < 2:
        return []
    own = [
        f"{each.run.model} {len(ids):,} of " + " and ".join(run.dataset.folder.name for run in (each.run, *each.others))
        for each, ids in zip(found, items, strict=True)
    ]
    return [
        f"the models answered different items ({'; '.join(own)}): each accuracy is of the model's own, and the columns "
        "items and majority are of the first model that has the row"
    ]


def _table(name: str, caption: str, found: Sequence[Answers], key: str, given: Given) -> Table:
    """A row for each value of a column, with the accuracy of each model; the last row is all of them."""
    values = list(dict.fromkeys(value for each in found for value in each.coded(key)[1]))
    columns = [Column(key, key), Column("n", "items"), percent("majority", "majority")]
    columns += [percent(f"model_{i + 1}", each.run.model) for i, each in enumerate(found)]
    cells = [means(each, key) for each in found]
    sizes = [sizes_of(each, key) for each in found]
    rows: list[tuple[Value, ...]] = []
    without = [value for value in values if not any(value in own for own in cells)]  # items without a label
    values = [value for value in values if value not in without]
    for value in [*values, ALL] if len(values) > 1 else values:
        n, majority = next((size[value] for size in sizes if value in size), (0, None))
        rows.append((value or "–", n, majority, *(own.get(value) for own in cells)))
    two = [each.run.model for each in found if len(each.labels) == 2]
    notes = (
        "Majority: the share of the commonest derived label.",
        *(f"{model} has two labels: entailment against the others." for model in two),
        *(
            [f"No item has a label, so that nothing is right or wrong: {', '.join(filter(None, without))}."]
            if without
            else ()
        ),
    )
    return Table(name, caption, tuple(columns), tuple(rows), notes, methods=(share_method(given.cluster),))


OF_ALL = percent("accuracy", "accuracy, all items")


def sizes_of(found: Answers, key: str) -> dict[str, tuple[int, float]]:
    """Value of a column -> (number of items with a gold label, share of the commonest)."""
    (group, names), (gold, labels) = found.coded(key), found.coded("label")
    counts = np.zeros((len(names), len(labels)), np.int64)
    np.add.at(counts, (group, gold), 1)
    counts = counts[:, [label != "" for label in labels]]
    every = zip([*names, ALL], [*counts, counts.sum(axis=0)], strict=True)
    return {name: (int(own.sum()), int(own.max()) / int(own.sum())) for name, own in every if own.any()}


def means(found: Answers, key: str, column: str = "label") -> dict[str, Value]:
    """Value of a column -> mean accuracy with its interval; and of all items."""
    right = found.right(column)
    kept = ~np.isnan(right)
    codes, names = found.coded(key)
    clusters = found.clusters[kept]
    values = right[kept]
    groups = zip(names, rows_of(codes[kept], len(names)), strict=True)
    result: dict[str, Value] = {group: mean(values[rows], clusters[rows]) for group, rows in groups if len(rows)}
    if len(values):
        result[ALL] = mean(values, clusters)
    return result


def confusions(found: Sequence[Answers]) -> Table:
    """How often each gold label is given each label, a section for each model."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    names = LABELS if any(len(each.labels) == 3 for each in found) else found[0].labels
    for each in found:
        sections[len(rows)] = each.run.model
        there = each.coded("label")[1]
        for label in dict.fromkeys(g for g in KNOWN if g in there):
            where = each.having("label", label)
            shares = [float(each.share_of(n)[where].mean()) if n in each.labels else None for n in names]
            rows.append((label, int(where.sum()), *shares))
    columns = (
        Column("gold", "derived label"),
        Column("n", "items"),
        *(percent(name, name, "label given") for name in names),
    )
    return Table(
        "confusions", "Which labels are given, by the label that was derived.", columns, tuple(rows), sections=sections
    )
