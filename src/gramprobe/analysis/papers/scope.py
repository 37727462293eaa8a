"""Kamath et al. (2024), "Scope ambiguities in large language models".

Experiment 2 scores two follow-ups after an ambiguous sentence and after a control with one reading: F1 goes with both,
F2 only with the ambiguous sentence. What the ambiguity does for F2 is (their 11; nats)

    alpha = -[(log P(F1|S) - log P(F2|S)) - (log P(F1|C) - log P(F2|C))]

Experiment 1, with its options, is in `papers.scope_choices`. The test of their section 7 is in `papers.scope_claims`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from gramprobe.analysis import against
from gramprobe.analysis.clusters import INSTANCE, drawn
from gramprobe.analysis.inference import paired_t, pearson, wilson
from gramprobe.analysis.means import clustered, share
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Unit, Value
from gramprobe.analysis.runs import CLUSTER, Run, clustered_rows

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
        access: (items,) whether speakers are said to have the inverse reading: `free`, `disputed`, or "" if not known.
        clusters: (items,) what is drawn independently; empty where that is the items.
    """

    items: tuple[str, ...]
    pairs: tuple[str, ...]
    values: Floats
    access: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()

    @property
    def added(self) -> tuple[Floats, Floats]:
        """(items,) what the ambiguous sentence adds to F2, and to F1, against the control, in nats. Their difference is
        alpha."""
        return self.values[:, 1] - self.values[:, 3], self.values[:, 0] - self.values[:, 2]

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
        items, pairs, access, clusters = (
            tuple(own[i] for i in rows) if own else () for own in (self.items, self.pairs, self.access, self.clusters)
        )
        return Quadruples(items, pairs, self.values[list(rows)], access, clusters)


def from_values(pairs: Mapping[str, str], values: Mapping[tuple[str, str], float]) -> Quadruples:
    """Items with their pairs of operators, and a value for each (item, part) of `PARTS`; other values are not read.

    Raises ValueError, with the id, for a value that is missing.
    """
    table = np.empty((len(pairs), len(PARTS)))
    for row, item in enumerate(pairs):
        for place, part in enumerate(PARTS):
            if (item, part) not in values:
                raise ValueError(f"`{item}` has no value of {part}")
            table[row, place] = values[item, part]
    return Quadruples(tuple(pairs), tuple(pairs.values()), table)


def continues(run: Run) -> tuple[str, ...]:
    """The paradigms of a run that have the two follow-ups of Experiment 2 after a sentence and a control."""
    return tuple(
        name
        for name in run.paradigms
        if {"ambiguous", *CONTROLS[:1], *FOLLOWUPS} <= set(run.dataset.columns(name))
        and f"ambiguous/{FOLLOWUPS[0]}" in run.parts
    )


def from_scores(run: Run, control: str = "control", cluster: str = INSTANCE) -> Quadruples:
    """The continuation items of a run: of the mode `continuation`, or a file of values with its names of parts.

    F1 is the follow-up of the inverse reading, and F2 that of the surface reading, which the control excludes. Items
    without this control (`control_2` is one that not every paradigm has) are left out, and so are those with a value
    that is missing or was refused, or without a value of the ``cluster``. Raises ValueError if none is left.
    """
    wanted = [f"{context}/{followup}" for context in ("ambiguous", control) for followup in FOLLOWUPS]
    found = []
    for paradigm in continues(run):
        rows = clustered_rows(run, paradigm, ("op1_kind", "op2_kind", "inverse_access"), cluster)
        if set(wanted) <= set(rows.column_names):
            numbers = np.column_stack([rows.column(part).to_numpy() for part in wanted]).astype(float)
            kept = ~np.isnan(numbers).any(axis=1) & rows.column(CLUSTER).is_valid().to_numpy()
            if kept.any():
                found.append((rows.filter(pa.array(kept)), numbers[kept]))
    if not found:
        raise ValueError(f"no item of {run.dataset.folder.name} has values of both follow-ups after `{control}`")
    items = [item for rows, _ in found for item in rows.column("id").to_pylist()]
    pairs = [pair for rows, _ in found for pair in pairs_of(rows)]
    access = [value or "" for rows, _ in found for value in rows.column("inverse_access").to_pylist()]
    clusters = clusters_of([rows for rows, _ in found], cluster)
    return Quadruples(tuple(items), tuple(pairs), np.vstack([numbers for _, numbers in found]), tuple(access), clusters)


def clusters_of(tables: Iterable[pa.Table], cluster: str) -> tuple[str, ...]:
    """(rows,) what is drawn independently; empty where that is the items, as the paper has it."""
    if cluster == INSTANCE:
        return ()
    return tuple(value for rows in tables for value in rows.column(CLUSTER).to_pylist())


FOLLOWUPS = ("followup_inverse", "followup_surface")
"""The columns of F1 and F2."""
CONTROLS = ("control", "control_2")
"""The columns of sentences with one reading."""


def pairs_of(rows: pa.Table) -> list[str]:
    """The kinds of the two operators of each row, as one text; a dash for one that the dataset does not name."""
    kinds = (pc.fill_null(rows.column(name), "–").to_pylist() for name in ("op1_kind", "op2_kind"))
    return [f"{one or '–'} × {other or '–'}" for one, other in zip(*kinds, strict=True)]


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


def by_pair(
    found: Mapping[str, Quadruples], name: str = "scope_alpha", control: str = "", cluster: str = INSTANCE
) -> Table:
    """Alpha by pair of operators: its mean with a t interval, the share above 0 with Wilson's, and a paired t test; a
    section for each model. ``control``: words for the caption that say which control it is."""
    rows: list[tuple[Value, ...]] = []
    sections = {}
    for model, quads in found.items():
        sections[len(rows)] = model
        pairs = dict.fromkeys(quads.pairs)
        rows += [_alpha_row(pair, quads.of(pair)) for pair in pairs]
        if len(pairs) > 1:
            rows.append(_alpha_row("all", quads))
        rows += [_alpha_row(words, quads.only(own)) for words, own in by_access(quads.access)]
    return Table(
        name,
        f"Mean alpha{control} in nats, by pair of operators: positive where the ambiguity makes room for the follow-up "
        "of the surface reading, which the control excludes.",
        (Column("pair", "operators"), *_ALPHA),
        tuple(rows),
        notes=(WHAT_ALPHA_IS, *access_notes(each.access for each in found.values())),
        sections=sections,
        methods=(over(ALPHA, cluster),),
    )


def by_access(access: Sequence[str]) -> list[tuple[str, list[int]]]:
    """(words, the rows) of items by whether speakers are said to have the inverse reading; nothing where all are
    alike."""
    own = {value: [i for i, each in enumerate(access) if each == value] for value in ("free", "disputed")}
    return [(f"all, inverse {value}", rows) for value, rows in own.items()] if all(own.values()) else []


def access_notes(accesses: Iterable[Sequence[str]]) -> list[str]:
    """The note of a table with rows of :func:`by_access`; ``accesses``: for each model those of its items."""
    if not any(by_access(access) for access in accesses):
        return []
    return [
        "Inverse reading disputed: it is the stronger one, and not the wide scope of an indefinite, which many hold to "
        "be out of reach (Mayr and Spector 2010; Beghelli and Stowell 1997)."
    ]


ALPHA = Method(
    estimator="mean alpha, and share of items with alpha above 0",
    interval="Student's t of the mean, Wilson's method for the share",
    test="a paired t test, sentence against control, two-sided",
    cluster="items",
    df="items less 1",
    population="new items of the same operators",
)


def over(method: Method, cluster: str) -> Method:
    """A method of items, over other clusters."""
    if cluster == INSTANCE:
        return method
    clusters, population = drawn(cluster)
    return replace(method, cluster=clusters, df=f"{clusters} less 1", population=population)


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
    if found.clusters:
        clusters = np.array(found.clusters, dtype=object)
        mean = against.difference(alpha, found.clusters)
        above = share(*clustered((alpha > 0).astype(float), clusters))
        return name, len(alpha), mean.value, above, mean.t, mean.df, mean.p
    positive = wilson(int((alpha > 0).sum()), len(alpha))
    if len(alpha) < 2 or np.ptp(alpha) == 0:
        return name, len(alpha), float(alpha.mean()), positive, None, None, None
    test = paired_t(*found.differences)
    return name, len(alpha), Interval(test.difference, test.low, test.high), positive, test.t, test.df, test.p


def models(
    found: Mapping[str, Quadruples],
    people: Quadruples | None = None,
    name: str = "scope_models",
    which: str = "",
    cluster: str = INSTANCE,
) -> Table:
    """Their Tables 4 and 6: for each model the paired t test, the share of alpha above 0, and Pearson's r of alpha with
    that of people's proxies, item by item. Items are joined by id; those without a proxy count in all columns but r.

    People's own row is first. ``which``: words for the caption that say which items these are. The paper keeps the
    items whose proxy is positive (`kept`) before it tests models.
    """
    rows: list[tuple[Value, ...]] = []
    reference = {} if people is None else dict(zip(people.items, people.alpha, strict=True))
    if people is not None:
        rows.append((*_alpha_row("people", people), None, None))
    for model, quads in found.items():
        shared = [i for i, item in enumerate(quads.items) if item in reference]
        r: Value = None
        p: Value = None
        own, theirs = quads.alpha[shared], np.array([reference[quads.items[i]] for i in shared])
        if len(shared) > 3 and np.ptp(own) > 0 and np.ptp(theirs) > 0:
            r, p = pearson(own, theirs)
        rows.append((*_alpha_row(model, quads), r, p))
    columns = (
        Column("model", "model"),
        *_ALPHA,
        Column("r", "r with people"),
        Column("r_p", "p of r", unit=Unit.PROBABILITY),
    )
    correlation = replace(ALPHA, of="r", estimator="Pearson's r", interval="Fisher's z", test="a two-sided test of r")
    beside = " beside people's ratings" if people is not None else ""
    caption = f"Mean alpha of each model{which}, in nats{beside}."
    methods = (over(ALPHA, cluster), *([correlation] if people else []))
    return Table(
        name, caption, columns, tuple(rows), (WHAT_ALPHA_IS, *([HEAVY_TAILS] if people else [])), methods=methods
    )


WHAT_ALPHA_IS = (
    "alpha = -[(log P(F1|S) - log P(F2|S)) - (log P(F1|C) - log P(F2|C))] of a sentence S and its control C, with the "
    "follow-up F1 of the inverse reading, which both have, and F2 of the surface reading, which S has alone (Kamath et "
    "al. 2024, 11)."
)
"""What is said below every table of alpha."""
HEAVY_TAILS = (
    "The interval of r is one of normal values: where both have heavy tails it holds the true r in .82 to .91 of the "
    "simulated sets, with many items, too."
)
"""What is said below every table with Pearson's r: it covers less than it says (docs/intervals.md)."""


def kept(people: Quadruples) -> tuple[str, ...]:
    """The items whose human proxy is positive. The paper tests models on these alone (38 -> 29 and 126 -> 110), so that
    people's own share above 0 is 1 by construction."""
    return tuple(item for item, alpha in zip(people.items, people.alpha, strict=True) if alpha > 0)


def mean_of(found: Quadruples) -> Value:
    """Mean alpha with its 95 % interval by Student's t; alone where all are the same."""
    return _alpha_row("", found)[2]
