"""Which theory describes a model best: how well the labels that follow from each fit its answers.

A theory is said to fit better than another only if it does so beyond the rates at which the model gives each label, and
better than whatever does not reason: a model that reads nothing follows no theory, whatever labels it prefers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.answers import Answers, answers_of_models
from gramprobe.analysis.findings import Bars, Figure, Findings
from gramprobe.analysis.means import above_0, difference, difference_method, mean, rows_of, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.pairs import SILENT, pairs_of, tells_two
from gramprobe.analysis.runs import Run
from gramprobe.analysis.study import Given
from gramprobe.analysis.theory_labels import COLUMNS, Labels, theory_labels
from gramprobe.certify.rule import LABELS

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
READERS = {"hypothesis": "its answers from the hypothesis", "premise": "its answers from the premise"}
"""Reader that learns a model's own answers -> what tables call it."""


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
        compared: dict[tuple[str, ...], dict[str, Fits]] = {}
        alone: list[str] = []
        for found in answers_of_models(runs, COLUMNS, given.cluster):
            model, every = found.run.model, fits_of(found, given, warnings)
            for fitted in every:
                compared.setdefault(fitted.compared, {})[model] = fitted
                if not any(_ahead_of_rivals(fitted)):
                    of = f" in {', '.join(fitted.paradigms)}" if len(every) > 1 else ""
                    warnings.append(
                        f"{model}: no theory fits its answers better{of} than every rule and reader that does not "
                        "reason"
                    )
            left = [name for name in found.paradigms if not any(name in fitted.paradigms for fitted in every)]
            if left and every:
                alone.append(f"{', '.join(left)} (answers of {model})")
            elif left:
                alone.append(model)
        tables: list[Table] = []
        figures: list[Figure] = []
        for number, of_models in enumerate(compared.values(), 1):
            end = f"_{number}" if number > 1 else ""
            first, *_ = of_models.values()
            where = f" Paradigms: {', '.join(first.paradigms)}." if len(compared) > 1 else ""
            made = [make(of_models, given, end) for make in (_summary, _differences, _rivals)]
            tables += [replace(each, caption=each.caption + where) for each in made]
            figures.append(_figure(made[0], of_models, end, where))
        said = f"There is only one theory of the scored items of {', '.join(alone)} to compare, or all say the same: "
        omitted = (f"{said}give others with --labels DATASET.",) if alone else ()
        return Findings(self.name, "Theories", tuple(tables), tuple(figures), tuple(warnings), omitted)


STUDY = Theories()


@dataclass(frozen=True)
class Fits:
    """How much the label of each theory is given. Theories whose labels are one to the model are one.

    Attributes:
        compared: the theories, each by itself.
        paradigms: those that have labels of each of them.
        theories: their names; of those whose labels are one, together.
        right: (items, theories) 1 where the model gives the theory's label, 0 where not, a part where labels tie.
        chance: (items, theories) what `right` is on average over all ways to deal the model's answers out anew within
            the item's paradigm: the rate at which it gives the theory's label there.
        differ: (items,) whether two theories have different labels.
        clusters: (items,) which belong together.
        rivals: rule or reader that does not reason -> (items,) how much the label that it gives is given.
    """

    compared: tuple[str, ...]
    paradigms: tuple[str, ...]
    theories: tuple[str, ...]
    right: Floats
    chance: Floats
    differ: NDArray[np.bool_]
    clusters: Numbers
    rivals: dict[str, Floats]


def fits_of(found: Answers, given: Given, warnings: list[str]) -> list[Fits]:
    """The fits of theories to the answers of a model: for each set of theories that the items of a paradigm have labels
    of, the fit of these theories in all paradigms that have labels of each, on the items that do. A set whose labels
    are one to the model is left out. Raises UsageError for a dataset of labels that has none of the items."""
    model = found.run.model
    warnings += [warning for warning in found.outside() if found.lost]
    labels = _of_each_theory(found, theory_labels(found, given.labels))
    codes, paradigms = found.coded("paradigm")
    known = {name: np.array([label is not None for label in own], np.bool_) for name, own in labels.items()}
    there = {name: np.bincount(codes[own], minlength=len(paradigms)) > 0 for name, own in known.items()}
    has = [tuple(name for name, own in there.items() if own[code]) for code in range(len(paradigms))]
    every = []
    for names in dict.fromkeys(has):
        where = np.array([set(names) <= set(own) for own in has], np.bool_)[codes]
        whole = np.all([known[name] for name in names], axis=0)
        if lost := int((where & ~whole).sum()):
            warnings.append(f"{model}: {lost:,} items have no label under some theory and are left out")
        where &= whole
        if len(names) > 1 and where.any():
            says = {name: [own[row] for row in np.flatnonzero(where)] for name, own in labels.items() if name in names}
            every.append(_fits(found.where(where), says))
        elif len(names) > 1:
            warnings.append(f"{model}: no item has a label under every theory")
    return [fitted for fitted in every if fitted is not None]


def _of_each_theory(found: Answers, labels: Labels) -> Labels:
    """Labels by theory, of which the derived ones are those of the theory of each item: paradigms of one set may have
    different theories."""
    (derived, gold), *others = labels.items()
    theories = [theory or derived for theory in found.column("theory")]
    every: Labels = {
        name: [label if theory == name else None for theory, label in zip(theories, gold, strict=True)]
        for name in dict.fromkeys(theories)
    }
    for name, own in others:
        beside = every.get(name, [None] * len(gold))
        every[name] = [first or second for first, second in zip(beside, own, strict=True)]
    return {name: [label or None for label in own] for name, own in every.items()}


def _fits(kept: Answers, labels: Labels) -> Fits | None:
    """The fit of theories that have a label of each item; None where all labels are one to the model."""
    alike: dict[bytes, tuple[list[str], Numbers]] = {}
    for name, own in labels.items():
        numbers = np.array([LABELS.index(label or "") for label in own])
        if len(kept.labels) == 2:
            numbers = np.minimum(numbers, 1)
        alike.setdefault(numbers.tobytes(), ([], numbers))[0].append(name)
    if len(alike) < 2:
        return None
    says = np.column_stack([numbers for _, numbers in alike.values()])
    shares, rows = kept.shares_of_three(), np.arange(len(says))[:, None]
    chance = np.zeros(says.shape)
    codes, paradigms = kept.coded("paradigm")
    for where in rows_of(codes, len(paradigms)):
        chance[where] = shares[where].mean(axis=0)[says[where]]
    return Fits(
        compared=tuple(labels),
        paradigms=tuple(paradigms),
        theories=tuple(" = ".join(names) for names, _ in alike.values()),
        right=shares[rows, says],
        chance=chance,
        differ=(says != says[:, :1]).any(axis=1),
        clusters=np.unique(kept.clusters.astype(str), return_inverse=True)[1],
        rivals=_rivals_of(kept, shares),
    )


def _rivals_of(kept: Answers, shares: Floats) -> dict[str, Floats]:
    """How far answers are those of each rule, of readers that learn these answers in the other folds of instances, and
    of the label that the model gives most in the paradigm. A rule that only tells entailment from its absence says
    there the other label that the model gives more often in the paradigm; one that says nothing, each as much."""
    most, other, labels = np.zeros(len(shares), np.int64), np.zeros(len(shares), np.int64), shares.argmax(axis=1)
    two = tells_two()
    learnt = {reader: np.zeros(len(shares), np.int64) for reader in READERS}
    by_rule = {rule: np.zeros(len(shares), np.int64) for rule in two}
    ids, (codes, paradigms) = kept.column("id"), kept.coded("paradigm")
    for paradigm, where in zip(paradigms, rows_of(codes, len(paradigms)), strict=True):
        rates = shares[where].mean(axis=0)
        most[where], other[where] = rates.argmax(), 1 + rates[1:].argmax()
        pairs = pairs_of(kept.dataset_of(paradigm), paradigm)
        rows = np.array([pairs.place[ids[row] or ""] for row in where.tolist()], np.int64)
        for reader, own in learnt.items():
            own[where] = pairs.guessed(reader, labels[where], rows)
        for rule, own in by_rule.items():
            own[where] = pairs.said[rule][rows]
    said = {"its commonest label": most, **{READERS[name]: own for name, own in learnt.items()}}
    for rule, own in by_rule.items():
        said[rule] = np.where((own > 0) & (own < SILENT), other, own) if two[rule] or len(kept.labels) == 2 else own
    silent = np.full(len(shares), 1 / len(kept.labels))
    given = np.column_stack([shares, silent])
    return {name: given[np.arange(len(own)), own] for name, own in said.items()}


def _summary(found: Mapping[str, Fits], given: Given, end: str) -> Table:
    """The fit of each theory, the best beyond the model's own rates first; a section for each model."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for model, fitted in found.items():
        sections[len(rows)] = model
        everywhere, where = np.ones(len(fitted.right), np.bool_), fitted.differ
        order = np.argsort(-(fitted.right - fitted.chance)[where].mean(axis=0), kind="stable")
        for i in order.tolist():
            row: list[Value] = [fitted.theories[i]]
            for kept in (where, everywhere):
                row += [int(kept.sum()), mean(fitted.right[kept, i], fitted.clusters[kept])]
                row.append(float(fitted.chance[kept, i].mean()))
            rows.append(tuple(row))
    joined = list(dict.fromkeys(name for fitted in found.values() for name in fitted.theories if " = " in name))
    notes = ["By chance: the fit where the model's answers are dealt out anew within a paradigm, on average."]
    if joined:
        notes.append(f"One line has the theories whose labels are the same on all items: {'; '.join(joined)}.")
    return Table(
        f"theories{end}",
        "How often a model gives the label that follows from each theory; the best first.",
        (
            Column("theory", "theory"),
            Column("n_differ", "items", group="where theories differ"),
            percent("differ", "fit", "where theories differ"),
            percent("differ_chance", "by chance", "where theories differ"),
            Column("n", "items", group="all"),
            percent("fit", "fit", "all"),
            percent("chance", "by chance", "all"),
        ),
        tuple(rows),
        notes=tuple(notes),
        sections=sections,
        methods=(share_method(given.cluster),),
    )


def _figure(summary: Table, found: Mapping[str, Fits], end: str, where: str) -> Figure:
    """A group of bars for each theory, by all of its names; theories that are one for some model have one bar there."""
    starts = [*summary.sections, len(summary.rows)]
    cells: dict[str, dict[str, Value]] = {}
    for model, start, stop in zip(found, starts, starts[1:], strict=False):
        cells[model] = {str(row[0]): row[2] for row in summary.rows[start:stop]}
    names = list(dict.fromkeys(name for own in cells.values() for name in own))
    series = {"" if len(cells) == 1 else model: [own.get(name) for name in names] for model, own in cells.items()}
    return Figure(
        f"theories{end}",
        f"How well the labels of each theory fit the answers of {' and '.join(cells)}, on the items on which theories "
        f"differ, with 95 % intervals.{where}",
        "A group of bars for each theory, a bar for each model; the numbers are in the table.",
        Bars(names, series, "answers that are the theory's label"),
    )


def _ahead_of_rivals(fitted: Fits) -> list[bool]:
    """(theories,) whether each fits better than every rival."""
    return [all(above_0(own - rival, fitted.clusters) for rival in fitted.rivals.values()) for own in fitted.right.T]


def _differences(found: Mapping[str, Fits], given: Given, end: str) -> Table:
    """Every two theories, item by item; a section for each model."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for model, fitted in found.items():
        sections[len(rows)] = model
        beyond = fitted.right - fitted.chance
        means, ahead = beyond.mean(axis=0), _ahead_of_rivals(fitted)
        for one, other in combinations(range(len(fitted.theories)), 2):
            one, other = (one, other) if means[one] >= means[other] else (other, one)
            raw, own = (of[:, one] - of[:, other] for of in (fitted.right, beyond))
            sure = above_0(own, fitted.clusters) and ahead[one]
            rows.append(
                (
                    fitted.theories[one], fitted.theories[other], int((raw > 0).sum()), int((raw < 0).sum()),
                    float(raw.mean()), difference(own, fitted.clusters), fitted.theories[one] if sure else None,
                )
            )  # fmt: skip
    return Table(
        f"theories_pairs{end}",
        "Every two theories: how much more often a model gives the label of the first than that of the second, over "
        "all items.",
        (
            Column("one", "theory"),
            Column("other", "less that of"),
            Column("first", "items for the first"),
            Column("second", "for the second"),
            percent("difference", "difference"),
            percent("beyond", "beyond chance"),
            Column("better", "fits better"),
        ),
        tuple(rows),
        notes=(
            "Beyond chance: the difference less what it is where the model's answers are dealt out anew within a "
            "paradigm. Fits better: the interval leaves out 0, and the theory fits better than every rule and reader "
            "that does not reason, by the same interval.",
        ),
        stub=2,
        sections=sections,
        methods=(difference_method(given.cluster),),
    )


def _rivals(found: Mapping[str, Fits], given: Given, end: str) -> Table:
    """Each theory beside the rule or reader that it is ahead of least; a section for each model."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for model, fitted in found.items():
        sections[len(rows)] = model
        rival, other = max(fitted.rivals.items(), key=lambda each: float(each[1].mean()))
        for theory, ahead in enumerate(_ahead_of_rivals(fitted)):
            fit = fitted.right[:, theory]
            apart = difference(fit - other, fitted.clusters)
            cells = (float(fit.mean()), rival, float(other.mean()), apart, "yes" if ahead else "no")
            rows.append((fitted.theories[theory], *cells))
    return Table(
        f"theories_rivals{end}",
        "The fit of each theory to a model's answers beside that of the rule or reader that comes nearest to it.",
        (
            Column("theory", "theory"),
            percent("fit", "fit"),
            Column("rival", "nearest"),
            percent("reaches", "its fit"),
            percent("difference", "difference"),
            Column("ahead", "better than all"),
        ),
        tuple(rows),
        notes=(
            "Rules need no training; one that only tells entailment from its absence says there the other label that "
            "the model gives more often.",
            "Its answers from the hypothesis, or the premise: a table from this text to the label that the model gives "
            "most, made of its answers to the other of 5 folds of instances.",
        ),
        sections=sections,
        methods=(difference_method(given.cluster),),
    )
