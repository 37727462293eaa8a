"""How often models give the label that was derived: by paradigm, by condition, and which labels they confuse."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.findings import Figure, Findings, bars_of
from gramprobe.analysis.means import mean, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.runs import Answers, Run, answers
from gramprobe.analysis.study import Given
from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import KNOWN


class Accuracy:
    name = "accuracy"
    about = "accuracy by paradigm and condition, and which labels are taken for which"
    source = ""
    needs = "give scores of --mode nli, or a file `item,label`"

    def fits(self, run: Run) -> bool:
        return bool(run.labels)

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        every = [answers(run, cluster=given.cluster) for run in runs]
        found = [each.headline() for each in every]
        conditions = []
        for name in dict.fromkeys(name for run in runs for name in run.paradigms):
            own = [each.where(_of(each, name)) for each in found]
            conditions.append(
                _table(f"accuracy_{name}", f"Accuracy in `{name}`, by condition.", own, "condition", given)
            )
        by_paradigm = _table("accuracy", "Accuracy by paradigm.", found, "paradigm", given)
        outside = [each.headline(False) for each in every]
        if any(each.items.num_rows for each in outside):
            caption = "Accuracy on the items that are out of all other accuracies, by the tag that says why."
            conditions.append(_table("accuracy_outside", caption, outside, "tag", given))
        figure = Figure(
            "accuracy",
            "Accuracy by paradigm, with 95 % intervals.",
            "A group of bars for each paradigm, a bar for each model; the numbers are in the table.",
            partial(bars_of, by_paradigm, {run.model: i - len(runs) for i, run in enumerate(runs)}),
        )
        return Findings(
            self.name,
            "Accuracy",
            (by_paradigm, confusions(found)),
            details=tuple(conditions),
            figures=(figure,),
            warnings=(
                *(warning for run in runs for warning in run.warnings()),
                *(warning for each in every for warning in each.outside()),
                *_unlike(found),
            ),
        )


STUDY = Accuracy()


def _of(found: Answers, paradigm: str) -> NDArray[np.bool_]:
    return np.array([name == paradigm for name in found.column("paradigm")])


def _unlike(found: Sequence[Answers]) -> list[str]:
    """A warning if the models did not answer the same items: one row then compares accuracies on different items."""
    items = [frozenset(each.column("id")) for each in found]
    if len(set(items)) < 2:
        return []
    own = [
        f"{each.run.model} {len(ids):,} of {each.run.dataset.folder.name}"
        for each, ids in zip(found, items, strict=True)
    ]
    return [
        f"the models answered different items ({'; '.join(own)}): each accuracy is of the model's own, and the columns "
        "items and majority are of the first model that has the row"
    ]


def _table(name: str, caption: str, found: Sequence[Answers], key: str, given: Given) -> Table:
    """A row for each value of a column, with the accuracy of each model; the last row is all of them."""
    values = list(dict.fromkeys(value or "" for each in found for value in each.column(key)))
    columns = [Column(key, key), Column("n", "items"), percent("majority", "majority")]
    columns += [percent(f"model_{i + 1}", each.run.model) for i, each in enumerate(found)]
    cells = [means(each, key) for each in found]
    sizes = [sizes_of(each, key) for each in found]
    rows: list[tuple[Value, ...]] = []
    for value in [*values, ALL] if len(values) > 1 else values:
        n, majority = next((size[value] for size in sizes if value in size), (0, None))
        rows.append((value or "–", n, majority, *(own.get(value) for own in cells)))
    two = [each.run.model for each in found if len(each.labels) == 2]
    notes = (
        "Majority: the share of the commonest derived label.",
        *(f"{model} has two labels: entailment against the others." for model in two),
    )
    return Table(name, caption, tuple(columns), tuple(rows), notes, methods=(share_method(given.cluster),))


ALL = "all"


def sizes_of(found: Answers, key: str) -> dict[str, tuple[int, float]]:
    """Value of a column -> (number of items with a gold label, share of the commonest)."""
    gold = found.column("label")
    groups: dict[str, list[str]] = {}
    for value, label in zip(found.column(key), gold, strict=True):
        if label:
            groups.setdefault(value or "", []).append(label)
    groups[ALL] = [label for labels in groups.values() for label in labels]
    return {name: (len(own), max(map(own.count, set(own))) / len(own)) for name, own in groups.items() if own}


def means(found: Answers, key: str, column: str = "label") -> dict[str, Value]:
    """Value of a column -> mean accuracy with its interval; and of all items."""
    right = found.right(column)
    kept = ~np.isnan(right)
    groups = np.array([value or "" for value in found.column(key)], dtype=object)[kept]
    clusters = found.clusters[kept]
    values = right[kept]
    result: dict[str, Value] = {
        group: mean(values[groups == group], clusters[groups == group]) for group in set(groups.tolist())
    }
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
        gold = np.array([label or "" for label in each.column("label")], dtype=object)
        for label in dict.fromkeys(g for g in KNOWN if g in gold):
            where = gold == label
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
