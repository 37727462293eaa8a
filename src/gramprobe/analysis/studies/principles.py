"""Which principle a model lacks: accuracy on the items whose derived label rests on it.

The column `rests_on` names the principles of the theory without which the label of an item could not be derived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.answers import Answers, answers_of_models
from gramprobe.analysis.clusters import drawn
from gramprobe.analysis.findings import Figure, Findings, bars_of
from gramprobe.analysis.means import FEWEST, LEAST, enough, in_order, influenced, mean, share_method
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Value, percent
from gramprobe.analysis.runs import Run
from gramprobe.analysis.study import Given

NONE = "no principle"
SETTLED = 1e-8
"""Shares of a sum of squares, and values of a column, up to here are errors of rounding."""
Floats = NDArray[np.float64]


class Principles:
    name = "principles"
    about = "accuracy by the principles that labels rest on"
    source = ""
    needs = "give labels (--mode nli, or a file `item,label`)"

    def fits(self, run: Run) -> bool:
        return bool(run.labels) and any("rests_on" in run.dataset.columns(name) for name in run.paradigms)

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        every = answers_of_models(runs, ["rests_on"], given.cluster)
        found = [each.headline() for each in every]
        warnings = (
            *(said for run in runs for said in run.warnings()),
            *(said for each in every for said in each.outside()),
        )
        if not any(any(own.coded("rests_on")[1]) for own in found):
            omitted = ("No scored item rests on a principle.",)
            return Findings(self.name, TITLE, (), (), warnings, omitted)
        kinds = _table("principles_kinds", "Accuracy by the kind of principle that labels rest on.", found, kind, given)
        each, few = _apart(_table("principles", "Accuracy by the principles that labels rest on.", found, str, given))
        figure = Figure(
            "principles",
            "Accuracy on items that rest on a kind of principle, with 95 % intervals.",
            "A group of bars for each kind of principle, a bar for each model; the numbers are in the table.",
            bars_of(kinds, {each.run.model: 2 + 5 * i for i, each in enumerate(found)}, n=1),
        )
        return Findings(self.name, TITLE, (kinds, each), (figure,), warnings, details=few)


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


@dataclass(frozen=True)
class _Measured:
    """The answers of a model whose items have a label.

    Attributes:
        right: (items,) how far each is right.
        rests: (items, principles) whether it rests on each.
        cells: (items,) its paradigm and label, numbered.
        clusters: (items,) which belong together, numbered.
    """

    right: Floats
    rests: NDArray[np.bool_]
    cells: NDArray[np.int64]
    clusters: NDArray[np.int64]


def _table(name: str, caption: str, found: Sequence[Answers], of: Callable[[str], str], given: Given) -> Table:
    """A row for each name that `of` gives to principles, with the accuracy of each model, and that on comparable other
    items."""
    keys = [[{of(p) for p in principles_of(text)} for text in each.coded("rests_on")[1]] for each in found]
    names = sorted({key for each in keys for own in each for key in own})
    measured = [_measured(each, own, names) for each, own in zip(found, keys, strict=True)]
    together: dict[bytes, list[int]] = {}
    whole = np.vstack([each.rests for each in measured])
    for at in range(len(names)):
        together.setdefault(whole[:, at].tobytes(), []).append(at)
    groups = list(together.values())
    joint = [regression(m.right, m.rests[:, [at[0] for at in groups]], m.cells, m.clusters) for m in measured]
    rows: list[tuple[Value, ...]] = []
    for number, group in enumerate([*groups, []]):
        row: list[Value] = [" and ".join(names[i] for i in group) or NONE]
        for own, effects in zip(measured, joint, strict=True):
            where = np.asarray(own.rests[:, group[0]] if group else ~own.rests.any(axis=1), np.bool_)
            row += [int(where.sum()), mean(own.right[where], own.clusters[where]) if where.any() else None]
            row += [*beside_comparable(own, where), effects[number]] if group else [None] * 3
        rows.append(tuple(row))
    columns = [Column("principle", "rests on")]
    headings = {"accuracy": "accuracy", "others": "others", "difference": "difference", "joint": "all at once"}
    for i, each in enumerate(found, 1):
        columns.append(Column(f"n_{i}", "items", group=each.run.model))
        columns += [percent(f"{key}_{i}", heading, each.run.model) for key, heading in headings.items()]
    clusters, population = drawn(given.cluster)
    return Table(
        name,
        caption,
        tuple(columns),
        tuple(rows),
        notes=(
            "An item that rests on several counts for each. Others: items of the same paradigms and labels that do not "
            "rest on it, weighted as those that do; a dash where some paradigm and label have none.",
            "All at once: what the principle adds to the accuracy, the other principles, the paradigm and the label "
            "being equal; a dash where these settle which items rest on it. Principles that always occur together are "
            "one row: their effects cannot be separated.",
            "A difference has an interval where the items that rest on the principle and the others are each of enough "
            "clusters, with all their items that are compared.",
        ),
        methods=(
            share_method(given.cluster, "accuracy"),
            Method(
                of="difference, and all at once",
                estimator="difference of means within paradigm and label, or linear regression of right on all "
                "principles, with a dummy for each paradigm and label",
                interval="Student's t, errors by cluster (Liang and Zeger 1986)",
                least=LEAST,
                cluster=clusters,
                df=f"{clusters} of the items that rest on the principle, or of the others, whichever are fewer, less 1 "
                "(items whose paradigm and label settle it do not count)",
                population=population,
            ),
        ),
    )


def _apart(table: Table) -> tuple[Table, tuple[Table, ...]]:
    """A table without the principles that only few items of each model rest on, and one of these: an accuracy of one
    item says nothing."""
    items = [at for at, column in enumerate(table.columns) if column.heading == "items"]
    few = [all(isinstance(n := row[at], int) and n < FEWEST for at in items) for row in table.rows]
    if not any(few):
        return table, ()
    kept, others = (
        tuple(row for row, own in zip(table.rows, few, strict=True) if own == less) for less in (False, True)
    )
    note = f"Not here: {len(others)} principles that fewer than {FEWEST} items rest on (`principles_few`)."
    caption = f"Accuracy by the principles that fewer than {FEWEST} items rest on."
    return replace(table, rows=kept, notes=(*table.notes, note)), (
        replace(table, name="principles_few", caption=caption, rows=others),
    )


def _measured(each: Answers, keys: Sequence[set[str]], names: Sequence[str]) -> _Measured:
    """``keys``: what the items of each text of `rests_on` rest on."""
    right = each.right()
    kept = ~np.isnan(right)
    rests = np.array([[name in own for name in names] for own in keys], np.bool_).reshape(len(keys), len(names))
    (paradigm, _), (label, labels) = each.coded("paradigm"), each.coded("label")
    cells = in_order(paradigm * len(labels) + label)
    by_text = np.asfortranarray(rests[each.coded("rests_on")[0][kept]])  # which is read principle by principle
    return _Measured(right[kept], by_text, cells[kept], each.clusters[kept])


def beside_comparable(own: _Measured, where: NDArray[np.bool_]) -> tuple[float | None, Interval | float | None]:
    """(the accuracy of `comparable` others of the items in ``where``, the difference of these from it with its
    interval); None if there are none."""
    used = np.flatnonzero(np.bincount(own.cells[where], minlength=int(own.cells.max(initial=0)) + 1)[own.cells])
    clusters, found = own.clusters[used], comparable(own.right[used], where[used], own.cells[used])
    if found is None:
        return None, None
    others, influence = found
    estimate = float(own.right[where].mean()) - others
    df = _freedom(clusters, where[used])
    return others, estimate if df is None else influenced(estimate, influence, clusters, df)


def _freedom(clusters: NDArray[np.int64], rests: NDArray[np.bool_]) -> int | None:
    """The degrees of freedom of a difference between items that rest on a principle and others: the clusters of the
    side that has fewer, less 1; None where these are too few for an interval, as of one item against a thousand.
    ``clusters``, ``rests``: (items,)."""
    sides = [np.unique(clusters[side]) for side in (rests, ~rests)]
    if not all(enough(len(side), int(np.isin(clusters, side).sum())) for side in sides):
        return None
    return min(map(len, sides)) - 1


def comparable(right: Floats, where: NDArray[np.bool_], cells: NDArray[np.int64]) -> tuple[float, Floats] | None:
    """The accuracy of items that are not in `where` but in the same cells, each cell with the weight that it has among
    those that are, and (items,) the influence of each on the difference; None if a cell has no other items.

    ``right``: (items,) accuracy; ``cells``: (items,) the number of what makes items comparable.
    """
    size = int(cells.max(initial=0)) + 1
    own, others = (np.bincount(cells[rows], minlength=size) for rows in (where, ~where))
    if not own.any() or (others[own > 0] == 0).any():
        return None
    means = [
        np.bincount(cells[rows], weights=right[rows], minlength=size) / np.maximum(count, 1)
        for rows, count in ((where, own), (~where, others))
    ]
    weights = own / own.sum()
    apart = np.where(where, right - means[0][cells], means[1][cells] - right)
    each = (weights / np.maximum(own, 1))[cells], (weights / np.maximum(others, 1))[cells]
    return float(weights @ means[1]), apart * np.where(where, *each)


def regression(
    right: Floats, rests: NDArray[np.bool_], cells: NDArray[np.int64], clusters: NDArray[np.int64]
) -> list[Interval | float | None]:
    """What each principle adds to accuracy, all being in one linear regression with a dummy for each cell; its
    covariance is that of clusters, times (n - 1) / (n - k) for n items and k parameters. None for what the others and
    the cells settle.

    ``right``: (items,); ``rests``: (items, principles); ``cells``, ``clusters``: (items,).
    """
    size = np.maximum(np.bincount(cells), 1)
    keys = np.column_stack([np.packbits(rests, axis=1), np.ascontiguousarray(cells[:, None]).view(np.uint8)])
    _, first, alike = np.unique(keys, axis=0, return_index=True, return_inverse=True)  # items with one line of x
    alike = alike.ravel()
    count, cell = np.bincount(alike), cells[first]
    answers: Floats = right - (np.bincount(cells, weights=right) / size)[cells]
    # each column less its mean in the cell (Frisch and Waugh 1933)
    lines = [
        column - (np.bincount(cell, weights=column * count, minlength=len(size)) / size)[cell]
        for column in rests[first].T.astype(np.float64)
    ]
    x = np.column_stack(lines) if lines else np.zeros((len(first), 0))
    cross = (x * count[:, None]).T @ x
    inverse = np.linalg.pinv(cross, rcond=SETTLED, hermitian=True)
    known = np.diag(inverse @ cross) > 1 - SETTLED
    estimates = inverse @ (x.T @ np.bincount(alike, weights=answers))
    free = len(right) - len(np.unique(cells)) - int(np.linalg.matrix_rank(cross, SETTLED * len(right), hermitian=True))
    residuals = (answers - (x @ estimates)[alike]) * np.sqrt((len(right) - 1) / max(free, 1))
    found: list[Interval | float | None] = []
    for at, estimate in enumerate(estimates.tolist()):
        varies = (np.abs(x[:, at]) > SETTLED)[alike]
        if not known[at]:
            found.append(None)
        elif (df := _freedom(clusters[varies], rests[varies, at])) is None:
            found.append(estimate)
        else:
            found.append(influenced(estimate, (x @ inverse[at])[alike] * residuals, clusters, df))
    return found
