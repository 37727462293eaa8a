"""Experiment 1 of Kamath et al. (2024), which asks for one of two options. The position of an option is no answer, so
that every item is asked in both orders, and without its sentence as a control. Experiment 2 is in `papers.scope`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gramprobe.analysis.clusters import INSTANCE
from gramprobe.analysis.means import clustered, difference, share, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers.scope import Floats, access_notes, by_access, clusters_of, over, pairs_of
from gramprobe.analysis.runs import CLUSTER, Run, clustered_rows


@dataclass(frozen=True)
class Choices:
    """Answers to the items of Experiment 1, one row for each item and order.

    Attributes:
        items: (rows,) ids; both orders of an item have one id.
        orders: (rows,) 1 or 2.
        pairs: (rows,) the two operators.
        picks_a: (rows,) the reading that option A picks: `surface`, `inverse`, or "" for none.
        picks_b: (rows,) the same of option B.
        preferred: (rows,) the reading that people prefer, or "".
        first: (rows,) how much A is chosen: 1, 0, or 0.5 for a tie; NaN for an answer that is neither.
        control: (rows,) the same without the sentence; NaN where it was not asked.
        kinds: (rows,) `exclusive` where each option fits one reading, `both` where one fits both; "" if not known.
        access: (rows,) whether speakers are said to have the inverse reading: `free`, `disputed`, or "" if not known.
        mass: (rows,) the probability of A and B together; NaN if not known.
        control_mass: (rows,) the same without the sentence.
        clusters: (rows,) what is drawn independently; empty where that is the items.
        cluster: what that is.
    """

    items: tuple[str, ...]
    orders: tuple[int, ...]
    pairs: tuple[str, ...]
    picks_a: tuple[str, ...]
    picks_b: tuple[str, ...]
    preferred: tuple[str, ...]
    first: Floats
    control: Floats
    kinds: tuple[str, ...] = ()
    access: tuple[str, ...] = ()
    mass: Floats | None = None
    control_mass: Floats | None = None
    clusters: tuple[str, ...] = ()
    cluster: str = INSTANCE

    def chosen(self, reading: Sequence[str], control: bool = False) -> Floats:
        """(rows,) how much the option that picks a row's reading is chosen; NaN where none does, or both do."""
        first = self.control if control else self.first
        return np.array(
            [
                np.nan if (a == wanted) == (b == wanted) or not wanted else x if a == wanted else 1 - x
                for wanted, a, b, x in zip(reading, self.picks_a, self.picks_b, first, strict=True)
            ],
            float,
        )


OPTIONS = ("option_a", "option_b")
"""The columns of the options, which are the names of the parts."""
WITHOUT = "without_context/"
"""What stands before the names of the parts without the sentence."""


def chooses(run: Run) -> tuple[str, ...]:
    """The paradigms of a run that have the two options of Experiment 1, each with the reading that it picks."""
    return tuple(
        name
        for name in run.paradigms
        if {*OPTIONS, "picks_a", "picks_b", "surface"} <= set(run.dataset.columns(name))
        and set(OPTIONS) <= {*run.parts}
    )


def choices_from(run: Run, cluster: str = INSTANCE) -> Choices:
    """The choices of a run: of the mode `choice`, or a file of values with its names of parts.

    The option whose answer has the higher log probability is chosen; within the run's tie each counts half. Items with
    a value that is missing or was refused are left out. Raises ValueError if none is left.
    """
    said = ("condition", "picks_a", "picks_b", "surface", "preferred", "kind", "inverse_access")
    columns = (*said, "order", "op1_kind", "op2_kind")
    found = []
    for paradigm in chooses(run):
        rows = clustered_rows(run, paradigm, columns, cluster)
        if set(OPTIONS) <= set(rows.column_names):
            both = ~(np.isnan(part_of(rows, OPTIONS[0])) | np.isnan(part_of(rows, OPTIONS[1])))
            both &= rows.column(CLUSTER).is_valid().to_numpy()
            if both.any():
                found.append((paradigm, rows.filter(pa.array(both))))
    if not found:
        raise ValueError(f"no item of {run.dataset.folder.name} has values of both options")
    texts = {
        name: [value or "" for _, rows in found for value in rows.column(name).to_pylist()]
        for name in ("instance", *said)
    }
    paradigms = [name for name, rows in found for _ in range(rows.num_rows)]
    numbers = {
        before + name: np.concatenate([part_of(rows, before + name) for _, rows in found])
        for before in ("", WITHOUT)
        for name in OPTIONS
    }
    firsts = [share_of(numbers[before + OPTIONS[0]], numbers[before + OPTIONS[1]], run.tie) for before in ("", WITHOUT)]
    masses = [np.exp(numbers[before + OPTIONS[0]]) + np.exp(numbers[before + OPTIONS[1]]) for before in ("", WITHOUT)]
    if run.people:  # whose values are shares of them, and no log probabilities
        firsts[0], masses[0] = numbers[OPTIONS[0]], np.full(len(firsts[0]), np.nan)
    return Choices(
        items=tuple("/".join(key) for key in zip(paradigms, texts["instance"], texts["condition"], strict=True)),
        orders=tuple(int(value or 1) for _, rows in found for value in rows.column("order").to_pylist()),
        pairs=tuple(pair for _, rows in found for pair in pairs_of(rows)),
        picks_a=_readings(texts["picks_a"], texts["surface"]),
        picks_b=_readings(texts["picks_b"], texts["surface"]),
        preferred=_readings(texts["preferred"], texts["surface"]),
        first=firsts[0],
        control=firsts[1],
        kinds=tuple(texts["kind"]),
        access=tuple(texts["inverse_access"]),
        mass=masses[0],
        control_mass=masses[1],
        clusters=clusters_of([rows for _, rows in found], cluster),
        cluster=cluster,
    )


def part_of(rows: pa.Table, name: str) -> Floats:
    """(rows,) the values of a part, NaN where there is none."""
    if name not in rows.column_names:
        return np.full(rows.num_rows, np.nan)
    return np.asarray(rows.column(name).to_numpy(), dtype=float)


def share_of(one: Floats, other: Floats, tie: float) -> Floats:
    """1 where the first is greater, 0.5 for a tie, else 0; NaN where one is missing."""
    difference = one - other
    share = np.where(np.abs(difference) <= tie, 0.5, (difference > 0).astype(float))
    return np.where(np.isnan(difference), np.nan, share)


def _readings(picked: Sequence[str], surface: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        "" if not one else "surface" if one == reading else "inverse"
        for one, reading in zip(picked, surface, strict=True)
    )


Models = Mapping[str, Choices]


def accuracy(found: Models) -> Table:
    """Their Tables 3 and 5 where people's preference is known: the share of answers that pick the preferred reading, of
    all items and of those that prefer one reading, beside the same without the sentence; a section for each model."""

    def rows(each: Choices) -> Iterator[tuple[Value, ...]]:
        shares = _shares_of(each, each.preferred)
        for name in ("all", "surface", "inverse"):
            where = np.array([p == name or (name == "all" and bool(p)) for p in each.preferred])
            yield name, *shares(where)

    caption = "Accuracy against the reading that people prefer."
    return _by_model("scope_accuracy", caption, (Column("preferred", "preferred reading"),), found, rows)


def accuracy_by_pair(found: Models) -> Table:
    """Accuracy against people's preference by pair of operators and preferred reading (the categories of their 6.1).

    Of the 11 pairs of Experiment 1B, 5 have one preference in every sentence: a mean over those that prefer the inverse
    reading is a mean over the other six.
    """

    def rows(each: Choices) -> Iterator[tuple[Value, ...]]:
        shares = _shares_of(each, each.preferred)
        keys = list(zip(each.pairs, each.preferred, strict=True))
        for key in sorted(key for key in set(keys) if key[1]):
            yield *key, *shares(np.array([k == key for k in keys]))
        for words, own in by_access(each.access):
            yield words, None, *shares(np.isin(np.arange(len(keys)), own))

    caption = "Accuracy against the reading that people prefer, by pair of operators and preferred reading."
    stub = (Column("pair", "operators"), Column("preferred", "preferred reading"))
    return _by_model(
        "scope_accuracy_by_pair", caption, stub, found, rows, *access_notes(each.access for each in found.values())
    )


def preference_by_pair(found: Models) -> Table:
    """What can be said without people's answers: how often the surface reading is picked, by pair of operators, and by
    whether the option of a reading excludes the other one."""

    def rows(each: Choices) -> Iterator[tuple[Value, ...]]:
        shares = _shares_of(each, ["surface"] * len(each.items))
        keys = list(zip(each.pairs, each.kinds or [""] * len(each.pairs), strict=True))
        for key in dict.fromkeys(keys):
            yield key[0], key[1] or None, *shares(np.array([k == key for k in keys]))
        if len(set(keys)) > 1:
            yield "all", None, *shares(np.ones(len(keys), bool))
        for words, own in by_access(each.access):
            yield words, None, *shares(np.isin(np.arange(len(keys)), own))

    caption = "How often the surface reading is picked, by pair of operators and kind of the options."
    note = "Options: `exclusive` where each fits one reading, `both` where the weaker one fits both readings."
    stub = (Column("pair", "operators"), Column("kind", "options"))
    return _by_model(
        "scope_surface", caption, stub, found, rows, note, *access_notes(each.access for each in found.values())
    )


def _by_model(
    name: str,
    caption: str,
    stub: tuple[Column, ...],
    found: Models,
    rows_of: Callable[[Choices], Iterable[tuple[Value, ...]]],
    *notes: str,
) -> Table:
    """A table of shares (`_shares_of`) with a section for each model."""
    rows: list[tuple[Value, ...]] = []
    sections = {}
    for model, each in found.items():
        sections[len(rows)] = model
        rows += rows_of(each)
    cluster = next((each.cluster for each in found.values()), INSTANCE)
    columns, methods = (*stub, *_SHARES), (over(SHARES, cluster), over(SHIFTS, cluster))
    return Table(name, caption, columns, tuple(rows), (_ORDERS, *notes), len(stub), sections, methods)


def answering(found: Models) -> Table:
    """How each model answers at all: whether the position of an option decides, and how probable A and B are."""
    rows = []
    for model, each in found.items():
        cells = _shares_of(each, ["surface"] * len(each.items))(np.ones(len(each.items), bool))
        masses = [None if m is None else known_mean(m) for m in (each.mass, each.control_mass)]
        alone = known_mean(each.control)
        rows.append((model, cells[0], cells[4], cells[5], alone, *masses))
    return Table(
        "scope_answers",
        "Whether the order of the options decides, and how probable A and B are together.",
        (
            Column("model", "model"),
            Column("n", "items"),
            percent("agreement", "agreement"),
            percent("first", "with sentence", "first option"),
            percent("first_control", "without", "first option"),
            percent("mass", "with sentence", "P(A) + P(B)"),
            percent("mass_control", "without", "P(A) + P(B)"),
        ),
        tuple(rows),
        notes=(_ORDERS,),
    )


SHARES = replace(
    share_method(),
    estimator="mean over items of the share of an item's answers",
    interval="Wilson's method, for the effective number of items (Korn and Graubard 1998)",
    cluster="items",
    df="items less 1",
    population="new items of the same operators",
)
SHIFTS = replace(
    SHARES,
    estimator="mean over items of the difference",
    interval="Student's t (where all items have one difference, as wide as Wilson's of 0)",
    of="shift",
)
_ORDERS = (
    "An item counts once, with the mean of its two orders. Agreement: items whose two orders pick the same option. "
    "First: how often option A is chosen, which is 50 % without a bias of position. Shift: sentence less control."
)
_SHARES = (
    Column("n", "items"),
    percent("share", "with sentence"),
    percent("control", "without sentence"),
    percent("shift", "shift"),
    percent("agreement", "agreement"),
    percent("first", "first"),
)


def _shares_of(found: Choices, reading: Sequence[str]) -> Callable[[NDArray[np.bool_]], tuple[Value, ...]]:
    """From some rows of a model to their cells: how often a row's reading is picked, with the sentence and without."""
    picked, without = found.chosen(reading), found.chosen(reading, control=True)

    def shares(where: NDArray[np.bool_]) -> tuple[Value, ...]:
        rows = np.flatnonzero(where & ~np.isnan(picked))
        by_item: dict[str, list[int]] = {}
        for row in rows:
            by_item.setdefault(found.items[row], []).append(int(row))
        if not by_item:
            return 0, None, None, None, None, None
        means = np.array([picked[own].mean() for own in by_item.values()])
        controls = np.array([without[own].mean() for own in by_item.values()])
        both = [own for own in by_item.values() if len(own) == 2]
        agreement = [float(abs(picked[one] - picked[other]) < 0.5) for one, other in both]
        known = not np.isnan(controls).any()
        first = [own[0] for own in by_item.values()]
        together = np.array([found.clusters[row] for row in first] if found.clusters else first, dtype=object)
        return (
            len(by_item),
            share(*clustered(means, together)),
            share(*clustered(controls, together)) if known else None,
            difference(means - controls, together) if known else None,
            float(np.mean(agreement)) if both else None,
            float(found.first[rows].mean()),
        )

    return shares


def known_mean(values: Floats) -> float | None:
    """The mean without NaN; None where there is nothing else."""
    return None if np.isnan(values).all() else float(np.nanmean(values))
