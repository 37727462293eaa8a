"""Models beside baselines that do not reason: on which sets a model is not better.

    compared(model, [other, ...], sets, instances, given) -> [Beside, ...]

A baseline is the commonest label, a reader or a rule of `gramprobe.baselines`, or a model that reads the words in
another order. The difference is taken item by item, so that hard items are hard for both; its interval knows
which items belong together.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.means import above_0, difference, difference_method, varies
from gramprobe.analysis.output.table import Column, Interval, Table, Value, percent

Floats = NDArray[np.float64]
NO_BETTER, NOT_CLEARLY, BETTER = "no better", "not clearly better", "better"
ALIKE = "ahead by as much everywhere"
SHOWN = 4
"""How many sets a warning names."""


@dataclass(frozen=True)
class Rights:
    """How far an answerer is right on the items of a set.

    Attributes:
        name: how tables call it.
        three: (items,) 1 where its label is the gold one of three, a share where labels tie, NaN where it was not
            asked; None if it only distinguishes entailment from its absence.
        two: (items,) the same of entailment and its absence.
    """

    name: str
    three: Floats | None
    two: Floats


@dataclass(frozen=True)
class Beside:
    """A model beside the baseline that comes nearest to it, or is furthest ahead of it, on one set of items.

    Attributes:
        model: its name.
        paradigm: the set; `all` for all of them.
        items: how many items both answered.
        accuracy: the model's.
        other: the baseline.
        reaches: the baseline's accuracy.
        labels: how many labels are distinguished: 3, or 2 where the model or the other one has only two.
        difference: the model's accuracy less the other's, with its interval where there are several instances.
        verdict: `no better` where the difference is 0 or less, `not clearly better` where its interval has 0 in it or
            there is none; `ahead by as much everywhere` where it has not, but all clusters have one difference, from
            which no spread can be known; else `better`.
    """

    model: str
    paradigm: str
    items: int
    accuracy: float
    other: str
    reaches: float
    labels: int
    difference: Interval | float
    verdict: str


def compared(
    model: Rights,
    others: Sequence[Rights],
    sets: Mapping[str, NDArray[np.bool_]],
    clusters: NDArray[np.object_],
) -> list[Beside]:
    """A model beside the one of others by which it is ahead least, on each set. ``sets``: name -> (items,)."""
    found = []
    for name, where in ((name, np.flatnonzero(rows)) for name, rows in sets.items()):
        best: tuple[float, Rights, Floats, Floats, NDArray[np.bool_]] | None = None
        for other in others:
            mine, its = (own[where] for own in _measured(model, other))
            both = ~(np.isnan(mine) | np.isnan(its))
            if both.any():
                ahead = float((mine[both] - its[both]).mean())
                if best is None or ahead < best[0]:
                    best = ahead, other, mine[both], its[both], both
        if best is None:
            continue
        ahead, other, mine, its, both = best
        values, together = mine - its, clusters[where][both]
        labels = 3 if model.three is not None and other.three is not None else 2
        found.append(
            Beside(
                model.name, name, int(both.sum()), float(mine.mean()), other.name, float(its.mean()), labels,
                difference(values, together), _verdict(values, together),
            )
        )  # fmt: skip
    return found


def _measured(model: Rights, other: Rights) -> tuple[Floats, Floats]:
    """What of both can be compared: three labels, if both distinguish them."""
    if model.three is not None and other.three is not None:
        return model.three, other.three
    return model.two, other.two


def _verdict(values: Floats, clusters: NDArray[np.object_]) -> str:
    """``values``: (items,) how far the model is ahead on each."""
    if values.mean() <= 0:
        return NO_BETTER
    if not above_0(values, clusters):
        return NOT_CLEARLY
    return BETTER if varies(values, clusters) else ALIKE


def table(found: Sequence[Beside], cluster: str, end: str) -> Table:
    """A row for each model and set."""
    sections: dict[int, str] = {}
    rows: list[tuple[Value, ...]] = []
    for each in found:
        if each.model not in sections.values():
            sections[len(rows)] = each.model
        rows.append(
            (
                each.paradigm, each.items, each.labels, each.accuracy, each.other, each.reaches, each.difference,
                each.verdict,
            )
        )  # fmt: skip
    return Table(
        f"artefact_shallow{end}",
        "Models beside the baseline that comes nearest to each or is better than it.",
        (
            Column("paradigm", "paradigm"), Column("n", "items"), Column("labels", "labels"),
            percent("accuracy", "model"), Column("other", "baseline"),
            percent("reaches", "reaches"), Column("difference", "difference", 3),
            Column("verdict", "the model is"),
        ),
        tuple(rows),
        notes=(
            "The baseline is the reader, the rule, the commonest label or the model on shuffled words that leaves the "
            "model the smallest difference. The difference is taken item by item; of two labels (entailment or not) "
            "where the model or the baseline has no more. Not clearly better: the interval has 0 in it, or there is "
            "none. Ahead by as much everywhere: all clusters have one difference, from which no spread can be known.",
        ),
        methods=(difference_method(cluster),),
        sections=sections,
    )  # fmt: skip


def warnings(found: Sequence[Beside], people: Container[str] = ()) -> list[str]:
    """A sentence for each model that is not better on all sets, with those on which it is not. ``people``: the names
    that are of people, who reason whatever the label is.

    The row of all items counts only where there is no other.
    """
    models = dict.fromkeys(each.model for each in found)
    sentences = (_warning([each for each in found if each.model == model], model in people) for model in models)
    return [sentence for sentence in sentences if sentence]


def _warning(found: Sequence[Beside], people: bool) -> str:
    sets = [each for each in found if each.paradigm != "all"] or list(found)
    worse = [each for each in sets if each.verdict == NO_BETTER]
    unclear = [each for each in sets if each.verdict == NOT_CLEARLY]
    if not worse and not unclear:
        return ""
    whose, better = ("people", "more often") if people else ("the model", "better")
    of, parts = f"of {len(sets)} {'paradigm' if len(sets) == 1 else 'paradigms'}", []
    if worse:
        shown = [f"`{b.paradigm}`: {b.other} {b.reaches:.3f}, {whose} {b.accuracy:.3f}" for b in worse[:SHOWN]]
        more = f"; and {len(worse) - SHOWN} more" if worse[SHOWN:] else ""
        parts.append(
            f"no {better} than a baseline that does not reason on {len(worse)} {of} ({'; '.join(shown)}{more})"
        )
    if unclear:
        names = ", ".join(f"`{b.paradigm}`" for b in unclear[:SHOWN])
        more = f" and {len(unclear) - SHOWN} more" if unclear[SHOWN:] else ""
        than = "" if worse else " than a baseline that does not reason"
        parts.append(f"not clearly {better}{than} on {len(unclear)} {of} ({names}{more})")
    if people:
        said = f"the label that is derived stands among the answers of {found[0].model}"
        return (
            f"{said} {', and '.join(parts)}: where people answer otherwise, the theory of the label is in question too"
        )
    return f"{found[0].model} is {', and '.join(parts)}: its accuracy there does not show that it reasons"
