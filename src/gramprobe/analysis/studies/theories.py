"""Which theory describes a model best: how well the labels that follow from each fit its answers.

The dataset of a run has the labels of its own theory, and of others that a paradigm names (`labels_by_theory`); more
come from datasets of the same items that were built under other theories (`gramprobe build --theory NAME`), joined by
id. The labels of other readings of scalar items (literal, pragmatic, by the convention of IMPPRES) are in the dataset
itself.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.findings import Figure, Findings, bars_of
from gramprobe.analysis.means import FEWEST, INTERVALS, NONE, drawn_mean, mean
from gramprobe.analysis.output.table import Column, Interval, Table, Value, percent
from gramprobe.analysis.runs import Answers, Run, answers
from gramprobe.analysis.study import Given
from gramprobe.dataset.read import Dataset
from gramprobe.source import messages

Floats = NDArray[np.float64]
OWN = {"label_literal": "literal", "label_pragmatic": "pragmatic", "label_imppres": "IMPPRES"}
"""Column of labels beside the gold one -> what tables call it."""


class Theories:
    name = "theories"
    about = "which theory's labels fit a model's answers best"
    source = ""
    needs = (
        "give labels (--mode nli, or a file `item,label`), and datasets of other theories where the rows do not have "
        "their labels: --labels DATASET"
    )

    def fits(self, run: Run) -> bool:
        return bool(run.labels)

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        warnings = [warning for run in runs for warning in run.warnings()]
        tables: list[Table] = []
        figures: list[Figure] = []
        alone: list[str] = []
        for number, run in enumerate(runs, 1):
            end = f"_{number}" if len(runs) > 1 else ""
            fitted = fits_of(run, given, warnings)
            if fitted is None:
                alone.append(run.model)
                continue
            summary = _summary(fitted, run.model, given, end)
            tables += [summary, _differences(fitted, run.model, given, end)]
            figures.append(
                Figure(
                    f"theories{end}",
                    f"How well each theory's labels fit the answers of {run.model}, where theories differ.",
                    "A bar for each theory with a 95 % interval; the numbers are in the table.",
                    bars_of(summary, {"": 2}, "fit", n=1),
                )
            )
        of = "" if len(alone) == len(runs) else f" of {', '.join(alone)}"
        said = f"There is only one theory of the scored items{of} to compare: give others with --labels DATASET."
        omitted = (said,) if alone else ()
        return Findings(self.name, "Theories", tuple(tables), tuple(figures), tuple(warnings), omitted)


STUDY = Theories()


@dataclass(frozen=True)
class Fits:
    """How much the label of each theory is given.

    Attributes:
        theories: their names.
        right: (items, theories) 1 where the model gives the theory's label, 0 where not, a part where labels tie.
        differ: (items,) whether two theories have labels that the model can tell apart.
        instances: (items,).
    """

    theories: tuple[str, ...]
    right: Floats
    differ: NDArray[np.bool_]
    instances: NDArray[np.object_]


def fits_of(run: Run, given: Given, warnings: list[str]) -> Fits | None:
    """The fit of each theory to the answers of a run, on the items for which all theories have a label; None if there
    is one theory only. Raises UsageError for a dataset of labels that has none of the run's items."""
    found = answers(run, ["theory", "premise_condition", "hypothesis_condition", "labels_by_theory", *OWN])
    labels: dict[str, list[str | None]] = {_name(found): found.column("label")}
    labels |= {name: own for name, own in _beside(found).items() if name not in labels}
    for dataset in given.labels:
        name, own = _labels_of(dataset, found)
        if not any(own):
            raise messages.analysis.no_labels_of(str(dataset.folder), run.model)
        labels[name if name not in labels else f"{name} ({dataset.folder.name})"] = own
    for column, name in OWN.items():
        own = found.column(column)
        if any(own) and all(own != other for other in labels.values()):
            labels[name] = own
    if len(labels) < 2:
        return None
    whole = np.array([all(row) for row in zip(*labels.values(), strict=True)], np.bool_)
    if not whole.all():
        warnings.append(f"{run.model}: {int((~whole).sum()):,} items have no label under some theory and are left out")
    if not whole.any():
        warnings.append(f"{run.model}: no item has a label under every theory")
        return None
    kept = found.where(whole)
    columns, said = [], []
    for own in labels.values():
        inside = [label or "" for label, there in zip(own, whole.tolist(), strict=True) if there]
        columns.append(_right(kept, inside))
        said.append(inside)
    if len(found.labels) == 2:
        said = [["entailment" if label == "entailment" else "" for label in own] for own in said]
    by_item = zip(*said, strict=True)
    differ = np.array([len(set(row)) > 1 for row in by_item], np.bool_)
    return Fits(tuple(labels), np.column_stack(columns), differ, np.array(kept.column("instance"), dtype=object))


def _name(found: Answers) -> str:
    """The theory of the run's own dataset."""
    names = list(dict.fromkeys(name for name in found.column("theory") if name))
    return ", ".join(names) or "its own"


def _beside(found: Answers) -> dict[str, list[str | None]]:
    """Theory -> its label of each item, from `labels_by_theory`: None where the item does not have it. Where readings
    differ it is that of the readings that the author chose, else of the first ones."""
    columns = ("paradigm", "premise_condition", "hypothesis_condition", "labels_by_theory")
    rows = list(zip(*(found.column(name) for name in columns), strict=True))
    parsed = {text: json.loads(text) for *_, text in dict.fromkeys(rows) if text}
    chosen = {
        name: {each.name: each.reading for each in found.run.dataset.design(name).conditions}
        for name in dict.fromkeys(paradigm for paradigm, *_ in rows if paradigm)
    }
    theories: dict[str, None] = dict.fromkeys(name for each in parsed.values() for name in each)
    labels: dict[str, list[str | None]] = {name: [] for name in theories}
    for paradigm, premise, hypothesis, text in rows:
        by_theory = parsed.get(text, {})
        for name, own in labels.items():
            label = by_theory.get(name)
            if isinstance(label, dict):
                known = chosen[paradigm or ""]
                readings = " => ".join(filter(None, (known.get(premise or ""), known.get(hypothesis or ""))))
                label = label.get(readings, next(iter(label.values())))
            own.append(label)
    return labels


def _labels_of(dataset: Dataset, found: Answers) -> tuple[str, list[str | None]]:
    """(the theory's name, its label of each item by id: None where the dataset has none)."""
    labels: dict[str, str] = {}
    theories: dict[str, None] = {}
    for paradigm in dataset.paradigms:
        columns = dataset.columns(paradigm)
        if "label_name" not in columns:
            continue
        wanted = [name for name in ("id", "label_name", "theory") if name in columns]
        for batch in dataset.rows(paradigm, wanted):
            for row in batch.to_pylist():
                labels[row["id"]] = row["label_name"]
                theories[row.get("theory") or ""] = None
    name = ", ".join(name for name in theories if name) or dataset.folder.name
    return name, [labels.get(item or "") or None for item in found.column("id")]


def _right(found: Answers, labels: Sequence[str]) -> Floats:
    """(items,) how much the model gives each of these labels."""
    import pyarrow as pa

    items = found.items.append_column("labels of a theory", pa.array(labels, pa.string()))
    return Answers(found.run, items, found.labels, found.shares).right("labels of a theory")


def _summary(fitted: Fits, model: str, given: Given, end: str) -> Table:
    """The fit of each theory, the best first."""
    everywhere, where = np.ones(len(fitted.right), np.bool_), fitted.differ
    order = np.argsort(-fitted.right[where if where.any() else everywhere].mean(axis=0), kind="stable")
    rows: list[tuple[Value, ...]] = []
    for i in order.tolist():
        row: list[Value] = [fitted.theories[i]]
        for rows_of in (where, everywhere):
            own = fitted.right[rows_of, i]
            row += [int(rows_of.sum()), mean(own, fitted.instances[rows_of], given) if len(own) else None]
        rows.append(tuple(row))
    return Table(
        f"theories{end}",
        f"How often {model} gives the label that follows from each theory; the best first.",
        (
            Column("theory", "theory"),
            Column("n_differ", "items", group="where theories differ"),
            percent("differ", "fit", "where theories differ"),
            Column("n", "items", group="all"),
            percent("fit", "fit", "all"),
        ),
        tuple(rows),
        notes=(INTERVALS,),
    )


def _differences(fitted: Fits, model: str, given: Given, end: str) -> Table:
    """Every two theories, item by item, on the items where these two differ."""
    rows: list[tuple[Value, ...]] = []
    means = fitted.right.mean(axis=0)
    for one, other in combinations(range(len(fitted.theories)), 2):
        one, other = (one, other) if means[one] >= means[other] else (other, one)
        difference = fitted.right[:, one] - fitted.right[:, other]
        cells: list[Value] = [fitted.theories[one], fitted.theories[other]]
        cells += [int((difference > 0).sum()), int((difference < 0).sum())]
        whole = drawn_mean(difference, fitted.instances, given)
        if isinstance(whole, Interval):
            sure = whole.low > 0 or whole.high < 0
        else:  # where there are enough instances, all of them agree
            sure = whole != 0 and len(set(fitted.instances.tolist())) >= FEWEST
        cells += [whole, fitted.theories[one] if sure else None]
        rows.append(tuple(cells))
    return Table(
        f"theories_pairs{end}",
        f"Paired differences in fit to {model} between theories, over all items.",
        (
            Column("one", "theory"),
            Column("other", "less that of"),
            Column("first", "items for the first"),
            Column("second", "for the second"),
            percent("difference", "difference"),
            Column("better", "fits better"),
        ),
        tuple(rows),
        notes=(
            "Difference: of the shares of answers that fit, with a 95 % interval by bootstrap over instances. Fits "
            f"better: where the interval leaves out 0, or all instances agree. {NONE.replace('None', 'No interval')}",
        ),
        stub=2,
    )
