"""Which principle a model lacks: accuracy on the items whose derived label rests on it.

The column `rests_on` names the principles of the theory without which the label of an item could not be derived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.findings import Figure, Findings, bars_of
from gramprobe.analysis.means import INTERVALS, mean
from gramprobe.analysis.output.table import Column, Interval, Table, Value, percent
from gramprobe.analysis.runs import Answers, Run, answers
from gramprobe.analysis.study import Given

NONE = "no principle"
Floats = NDArray[np.float64]


class Principles:
    name = "principles"
    about = "accuracy by the principles that labels rest on"
    source = ""
    needs = "give labels (--mode nli, or a file `item,label`)"

    def fits(self, run: Run) -> bool:
        return bool(run.labels) and any("rests_on" in run.dataset.columns(name) for name in run.paradigms)

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        every = [answers(run, ["rests_on"]) for run in runs]
        found = [each.headline() for each in every]
        warnings = tuple(
            warning for run, own in zip(runs, every, strict=True) for warning in (*run.warnings(), *own.outside())
        )
        if not any(each for own in found for each in own.column("rests_on")):
            omitted = ("No scored item rests on a principle.",)
            return Findings(self.name, TITLE, (), (), warnings, omitted)
        kinds = _table("principles_kinds", "Accuracy by the kind of principle that labels rest on.", found, kind, given)
        each = _table("principles", "Accuracy by the principles that labels rest on.", found, str, given)
        figure = Figure(
            "principles",
            "Accuracy on items that rest on a kind of principle, with 95 % intervals.",
            "A group of bars for each kind of principle, a bar for each model; the numbers are in the table.",
            bars_of(kinds, {run.model: 2 + 4 * i for i, run in enumerate(runs)}, n=1),
        )
        return Findings(self.name, TITLE, (kinds, each), (figure,), warnings)


STUDY = Principles()
TITLE = "Principles"


def kind(principle: str) -> str:
    """The kind of a principle: `closure` of *closure of believe*, `implication` of *notice_that implies know*, `words`
    of a formula about what words imply, `existence` of one that there is something."""
    if principle.startswith("exists "):
        return "existence"
    if "->" in principle:
        return "words"
    if " implies " in principle:
        return "implication"
    return principle.partition(" of ")[0]


def principles_of(rests_on: str | None) -> tuple[str, ...]:
    """The principles of an item: they are joined by `; `."""
    return tuple(dict.fromkeys(name.strip() for name in (rests_on or "").split(";") if name.strip()))


def _table(name: str, caption: str, found: Sequence[Answers], of: Callable[[str], str], given: Given) -> Table:
    """A row for each name that `of` gives to principles, with the accuracy of each model, and that on comparable other
    items."""
    measured = []
    for each in found:
        right = each.right()
        kept = ~np.isnan(right)
        keys = [tuple(dict.fromkeys(of(p) for p in principles_of(value))) for value in each.column("rests_on")]
        cells = list(zip(each.column("paradigm"), each.column("label"), strict=True))
        measured.append(
            (
                right[kept],
                [key for key, own in zip(keys, kept.tolist(), strict=True) if own],
                [cell for cell, own in zip(cells, kept.tolist(), strict=True) if own],
                np.array(each.column("instance"), dtype=object)[kept],
            )
        )
    names = sorted({key for _, keys, _, _ in measured for own in keys for key in own})
    rows: list[tuple[Value, ...]] = []
    for principle in [*names, NONE]:
        row: list[Value] = [principle]
        for right, keys, cells, instances in measured:
            where = np.array([principle in own if principle != NONE else not own for own in keys], np.bool_)
            accuracy = mean(right[where], instances[where], given) if where.any() else None
            others = comparable(right, where, cells) if principle != NONE else None
            row += [int(where.sum()), accuracy, others, None if others is None else _value(accuracy) - others]
        rows.append(tuple(row))
    columns = [Column("principle", "rests on")]
    for i, each in enumerate(found, 1):
        columns.append(Column(f"n_{i}", "items", group=each.run.model))
        for key, heading in (("accuracy", "accuracy"), ("others", "others"), ("difference", "difference")):
            columns.append(percent(f"{key}_{i}", heading, each.run.model))
    return Table(
        name,
        caption,
        tuple(columns),
        tuple(rows),
        notes=(
            "An item that rests on several counts for each. Others: items of the same paradigms and labels that do not "
            "rest on it, weighted as those that do; a dash where some paradigm and label have none.",
            INTERVALS,
        ),
    )


def comparable(right: Floats, where: NDArray[np.bool_], cells: Sequence[tuple[str | None, str | None]]) -> float | None:
    """The accuracy of items that are not in `where` but in the same cells, each cell with the weight that it has among
    those that are; None if a cell has no other items.

    ``right``: (items,) accuracy; ``cells``: (items,) what makes items comparable.
    """
    numbers = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    of = np.array([numbers[cell] for cell in cells], np.int64)
    own = np.bincount(of[where], minlength=len(numbers))
    others = np.bincount(of[~where], minlength=len(numbers))
    if not own.any() or (others[own > 0] == 0).any():
        return None
    sums = np.bincount(of[~where], weights=right[~where], minlength=len(numbers))
    kept = own > 0
    return float((own[kept] * sums[kept] / others[kept]).sum() / own.sum())


def _value(value: Value) -> float:
    assert isinstance(value, float | Interval)
    return value.value if isinstance(value, Interval) else value
