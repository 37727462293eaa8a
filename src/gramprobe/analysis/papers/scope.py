"""Kamath et al. (2024), "Scope ambiguities in large language models".

Experiment 2 scores two follow-ups after an ambiguous sentence and after a control with one reading: F1 goes with both,
F2 only with the ambiguous sentence. What the ambiguity does for F2 is (their 11; nats)

    alpha = -[(log P(F1|S) - log P(F2|S)) - (log P(F1|C) - log P(F2|C))]

Experiment 1 asks for one of two options. The position of an option is no answer, so that every item is asked in both
orders, and without its sentence as a control.

The test of their section 7 is in `papers.scope_claims`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from gramprobe.analysis import against
from gramprobe.analysis.clusters import INSTANCE, drawn
from gramprobe.analysis.inference.intervals import pearson, wilson
from gramprobe.analysis.inference.paired import paired_t
from gramprobe.analysis.means import clustered, difference, share, share_method
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Unit, Value, percent
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
        notes=tuple(access_notes(each.access for each in found.values())),
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
    return Table(name, caption, columns, tuple(rows), (HEAVY_TAILS,) if people else (), methods=methods)


HEAVY_TAILS = (
    "The interval of r is one of normal values: where both have heavy tails it holds the true r in .82 to .91 of the "
    "simulated sets, with many items, too."
)
"""What is said below every table with Pearson's r: it covers less than it says (docs/intervals.md)."""


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


def mean_of(found: Quadruples) -> Value:
    """Mean alpha with its 95 % interval by Student's t; alone where all are the same."""
    return _alpha_row("", found)[2]
