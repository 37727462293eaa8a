"""Kamath et al. (2024), "Scope ambiguities in large language models".

Experiment 2 scores two follow-ups after an ambiguous sentence and after a control with one reading: F1 goes with both,
F2 only with the ambiguous sentence. What the ambiguity does for F2 is (their 11; nats)

    alpha = -[(log P(F1|S) - log P(F2|S)) - (log P(F1|C) - log P(F2|C))]

Experiment 1 asks for one of two options. The position of an option is no answer, so that every item is asked in both
orders, and without its sentence as a control.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gramprobe.analysis.inference.intervals import pearson, wilson
from gramprobe.analysis.inference.paired import paired_t
from gramprobe.analysis.output.table import Column, Interval, Table, Unit, Value

if TYPE_CHECKING:
    from gramprobe.dataset.read import Dataset
    from gramprobe.score.results import Scores

Floats = NDArray[np.float64]

PARTS = ("s_f1", "s_f2", "control_f1", "control_f2")
SCALE = (1.0, 7.0)
"""The ends of the scale on which people rated follow-ups."""
FLOOR = 0.01
"""What the paper adds to a rating before the logarithm, so that the lowest one has one."""


@dataclass(frozen=True)
class Quadruples:
    """The four numbers of each item.

    Attributes:
        items: (items,) their ids.
        pairs: (items,) the two operators of each, as one text.
        values: (items, 4) in the order of `PARTS`; log probabilities in nats, or what stands in for them.
    """

    items: tuple[str, ...]
    pairs: tuple[str, ...]
    values: Floats

    @property
    def differences(self) -> tuple[Floats, Floats]:
        """(items,) log P(F2) - log P(F1) after the sentence, and after the control."""
        return self.values[:, 1] - self.values[:, 0], self.values[:, 3] - self.values[:, 2]

    @property
    def alpha(self) -> Floats:
        """(items,) alpha, in nats."""
        sentence, control = self.differences
        return sentence - control

    def of(self, pair: str) -> Quadruples:
        """The items of one pair of operators."""
        return self.only([i for i, found in enumerate(self.pairs) if found == pair])

    def only(self, rows: Sequence[int]) -> Quadruples:
        return Quadruples(
            tuple(self.items[i] for i in rows), tuple(self.pairs[i] for i in rows), self.values[list(rows)]
        )


def quadruples(items: pa.Table, values: Mapping[tuple[str, str], float]) -> Quadruples:
    """The items of `formats.scope.CONTINUATION` with a value for each (item, part), by id and never by row.

    Raises ValueError, with the id, for a value that is missing or of an item that is not there.
    """
    pairs = {
        item: f"{one} × {other}"
        for item, one, other in zip(
            *(items.column(name).to_pylist() for name in ("item", "op1_kind", "op2_kind")), strict=True
        )
    }
    unknown = next((item for item, _ in values if item not in pairs), None)
    if unknown is not None:
        raise ValueError(f"there is a value of `{unknown}`, which is no item")
    table = np.empty((len(pairs), len(PARTS)))
    for row, item in enumerate(pairs):
        for place, part in enumerate(PARTS):
            if (item, part) not in values:
                raise ValueError(f"`{item}` has no value of {part}")
            table[row, place] = values[item, part]
    return Quadruples(tuple(pairs), tuple(pairs.values()), table)


def from_scores(dataset: Dataset, scores: Scores, control: str = "control") -> Quadruples:
    """The continuation items of a dataset of ours that `gramprobe score` gave values in the mode `continuation`.

    F1 is the follow-up of the inverse reading, and F2 that of the surface reading, which the control excludes. Items
    without this control (`control_2` is one that not every paradigm has) are left out, and so are those that were not
    scored (`--total`, `--skip-refused`). Raises ValueError if none is left.
    """
    wanted = [f"{context}/{followup}" for context in ("ambiguous", control) for followup in _FOLLOWUPS]
    table = scores.table()
    values: dict[str, dict[str, float]] = {}
    for item, part, value in zip(*(table.column(n).to_pylist() for n in ("item", "part", "value")), strict=True):
        if value is not None and part in wanted:
            values.setdefault(item, {})[part] = value
    found: list[tuple[str, str, list[float]]] = []
    for paradigm in dataset.paradigms:
        if {"ambiguous", control, *_FOLLOWUPS} <= set(dataset.columns(paradigm)):
            for batch in dataset.rows(paradigm, ["id", "op1_kind", "op2_kind"]):
                for item, one, other in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    own = values.get(item, {})
                    if len(own) == len(wanted):
                        found.append((item, f"{one} × {other}", [own[part] for part in wanted]))
    if not found:
        raise ValueError(f"no item of {dataset.folder.name} has values of both follow-ups after `{control}`")
    items, pairs, numbers = zip(*found, strict=True)
    return Quadruples(items, pairs, np.array(numbers))


_FOLLOWUPS = ("followup_inverse", "followup_surface")


def scores_of(scores: pa.Table, model: str) -> dict[tuple[str, str], float]:
    """The scores of one model, of `formats.scope.SCORES`, by item and part."""
    rows = zip(*(scores.column(name).to_pylist() for name in ("item", "part", "model", "value")), strict=True)
    return {(item, part): value for item, part, found, value in rows if found == model}


def proxies_of(ratings: pa.Table) -> dict[tuple[str, str], float]:
    """The human proxy of a log probability, by item and part: log((x - 1 + 0.01) / (6 + 0.01)) of the mean rating x
    (their 5.3), from `formats.scope.RATINGS`."""
    given: dict[tuple[str, str], list[float]] = {}
    for item, part, rating in zip(
        *(ratings.column(name).to_pylist() for name in ("item", "part", "rating")), strict=True
    ):
        given.setdefault((item, part), []).append(rating)
    low, high = SCALE
    return {key: float(np.log((np.mean(x) - low + FLOOR) / (high - low + FLOOR))) for key, x in given.items()}


def by_pair(found: Quadruples) -> Table:
    """Alpha by pair of operators: its mean with a t interval, the share above 0 with Wilson's, and a paired t test."""
    rows: list[tuple[Value, ...]] = [_alpha_row(pair, found.of(pair)) for pair in dict.fromkeys(found.pairs)]
    if len(rows) > 1:
        rows.append(_alpha_row("all", found))
    return Table(
        "scope_alpha",
        "Alpha (nats) by pair of operators: positive where the ambiguity makes room for the follow-up of the other "
        "reading.",
        (Column("pair", "operators"), *_ALPHA),
        tuple(rows),
        notes=(
            "Intervals: 95 %; of a mean by Student's t, of a share by Wilson. t: paired, sentence against control.",
        ),
    )


_ALPHA = (
    Column("n", "items"),
    Column("alpha", "mean alpha"),
    Column("positive", "alpha > 0", unit=Unit.SHARE),
    Column("t", "t"),
    Column("df", "df"),
    Column("p", "p", unit=Unit.PROBABILITY),
)


def _alpha_row(name: str, found: Quadruples) -> tuple[Value, ...]:
    alpha = found.alpha
    share = wilson(int((alpha > 0).sum()), len(alpha))
    positive = Interval(share.share, share.low, share.high)
    if len(alpha) < 2 or np.ptp(alpha) == 0:
        return name, len(alpha), float(alpha.mean()), positive, None, None, None
    test = paired_t(*found.differences)
    return name, len(alpha), Interval(test.difference, test.low, test.high), positive, test.t, test.df, test.p


def models(found: Mapping[str, Quadruples], people: Quadruples | None = None) -> Table:
    """Their Tables 4 and 6: for each model the paired t test, the share of alpha above 0, and Pearson's r of alpha with
    that of people's proxies, item by item. Items are joined by id; those without a proxy count in all columns but r.

    People's own row is first. The paper keeps the items whose proxy is positive (`kept`) before it tests models.
    """
    rows: list[tuple[Value, ...]] = []
    reference = {} if people is None else dict(zip(people.items, people.alpha, strict=True))
    if people is not None:
        rows.append((*_alpha_row("people", people), None, None))
    for model, quads in found.items():
        shared = [i for i, item in enumerate(quads.items) if item in reference]
        r: Value = None
        p: Value = None
        if len(shared) > 3:
            correlation = pearson(quads.alpha[shared], np.array([reference[quads.items[i]] for i in shared]))
            r, p = Interval(correlation.r, correlation.low, correlation.high), correlation.p
        rows.append((*_alpha_row(model, quads), r, p))
    columns = (
        Column("model", "model"),
        *_ALPHA,
        Column("r", "r with people"),
        Column("r_p", "p of r", unit=Unit.PROBABILITY),
    )
    notes = ("Intervals: 95 %; of r by Fisher's z.",)
    return Table("scope_models", "Alpha of models beside people's ratings.", columns, tuple(rows), notes)


def kept(people: Quadruples) -> tuple[str, ...]:
    """The items whose human proxy is positive. The paper tests models on these alone (38 -> 29 and 126 -> 110), so that
    people's own share above 0 is 1 by construction."""
    return tuple(item for item, alpha in zip(people.items, people.alpha, strict=True) if alpha > 0)


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
        first: (rows,) how much A is chosen: 1, 0, or 0.5 for a tie.
        control: (rows,) the same without the sentence; NaN where it was not asked.
    """

    items: tuple[str, ...]
    orders: tuple[int, ...]
    pairs: tuple[str, ...]
    picks_a: tuple[str, ...]
    picks_b: tuple[str, ...]
    preferred: tuple[str, ...]
    first: Floats
    control: Floats

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


def accuracy(found: Choices) -> Table:
    """Their Tables 3 and 5 where people's preference is known: the share of answers that pick the preferred reading, of
    all items and of those that prefer one reading, beside the same without the sentence."""
    right, without = found.chosen(found.preferred), found.chosen(found.preferred, control=True)
    groups = {"all": np.array([bool(p) for p in found.preferred])}
    for reading in ("surface", "inverse"):
        groups[reading] = np.array([p == reading for p in found.preferred])
    return Table(
        "scope_accuracy",
        "Accuracy against the reading that people prefer.",
        (Column("preferred", "preferred reading"), *_SHARES),
        tuple((name, *_shares(found, right, without, where)) for name, where in groups.items()),
        notes=(_ORDERS,),
    )


def preference_by_pair(found: Choices) -> Table:
    """What can be said without people's answers: how often the surface reading is picked, by pair of operators."""
    surface = ["surface"] * len(found.items)
    picked, without = found.chosen(surface), found.chosen(surface, control=True)
    rows = []
    for pair in dict.fromkeys(found.pairs):
        where = np.array([p == pair for p in found.pairs])
        rows.append((pair, *_shares(found, picked, without, where)))
    return Table(
        "scope_surface",
        "How often the surface reading is picked, by pair of operators.",
        (Column("pair", "operators"), *_SHARES),
        tuple(rows),
        notes=(_ORDERS,),
    )


_ORDERS = (
    "An item counts once, with the mean of its two orders. Agreement: items whose two orders pick the same option. "
    "First: how often option A is chosen, which is 50 % without a bias of position. Shift: sentence less control."
)
_SHARES = (
    Column("n", "items"),
    Column("share", "with sentence", digits=3, unit=Unit.SHARE),
    Column("control", "without sentence", digits=3, unit=Unit.SHARE),
    Column("shift", "shift", digits=3, unit=Unit.SHARE),
    Column("agreement", "agreement", digits=3, unit=Unit.SHARE),
    Column("first", "first", digits=3, unit=Unit.SHARE),
)


def _shares(found: Choices, picked: Floats, without: Floats, where: NDArray[np.bool_]) -> tuple[Value, ...]:
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
    return (
        len(by_item),
        _mean(means),
        _mean(controls) if known else None,
        _mean(means - controls) if known else None,
        float(np.mean(agreement)) if both else None,
        float(found.first[rows].mean()),
    )


def _mean(values: Floats) -> Interval | float:
    """A mean over items with its 95 % interval by Student's t; alone where all are the same."""
    if len(values) < 2 or np.ptp(values) == 0:
        return float(values.mean())
    test = paired_t(values, np.zeros(len(values)))
    return Interval(test.difference, test.low, test.high)
