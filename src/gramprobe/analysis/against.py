"""Model against model: paired differences on the items that both answered, with Holm's correction over all tests.

    table(measured, "against", "accuracy by paradigm") -> a table: every two models, each group of items

The difference is taken item by item, so that hard items are hard for both. Its t is Student's over instances: the
mean over items is a ratio of instances' sums, and its error that of a ratio (Cochran 1977, 6.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from gramprobe.analysis import means
from gramprobe.analysis.answers import Answers
from gramprobe.analysis.clusters import INSTANCE
from gramprobe.analysis.inference import holm
from gramprobe.analysis.output.table import Column, Interval, Table, Unit, Value

Floats = NDArray[np.float64]
ALL = "all"
LEVEL = 0.05
NOTE = "The first model less the second, item by item, on the items that both answered."


@dataclass(frozen=True)
class Measured:
    """What a model reaches on items.

    Attributes:
        model: its name.
        items: (items,) ids.
        values: (items,) numbers such as 1 for right; NaN where it has none.
        groups: (items,) the group of each.
        instances: (items,), or what else belongs together.
        scale: what distinguishes answers that cannot be compared: the number of labels.
    """

    model: str
    items: Sequence[str]
    values: Floats
    groups: Sequence[str]
    instances: Sequence[str | int] | NDArray[np.int64]
    scale: str = ""


@dataclass(frozen=True)
class Difference:
    """A mean difference over items.

    Attributes:
        value: with its interval, if there are enough instances.
        df: instances less 1.
        t, p: of Student's test; None without spread, or without an interval.
    """

    value: Interval | float
    df: int
    t: float | None
    p: float | None


def right(found: Answers, key: str) -> Measured:
    """How far a model is right, by a column of the items."""
    ids, groups = ([value or "" for value in found.column(name)] for name in ("id", key))
    return Measured(found.run.model, ids, found.right(), groups, found.clusters, str(len(found.labels)))


def difference(values: Floats, instances: Sequence[str] | NDArray[np.int64]) -> Difference:
    """The mean of differences that lie between -1 and 1, or are of any scale, over items of instances.

    Where all are equal there is no spread to test: the interval is as wide on either side as Wilson's of 0 of as many
    as there are instances.
    """
    from scipy.special import stdtr, stdtrit

    clusters = means.in_order(np.asarray(instances))
    df = int(clusters.max(initial=-1))
    found = means.difference(values, clusters)
    if not isinstance(found, Interval) or not means.varies(values, clusters):
        return Difference(found, df, None, None)
    t = found.value / (found.high - found.value) * float(stdtrit(df, 0.975))
    return Difference(found, df, t, float(2.0 * stdtr(df, -abs(t))))


def table(
    found: Sequence[Measured],
    name: str,
    caption: str,
    key: str,
    least: int = 1,
    cluster: str = INSTANCE,
    unit: Unit = Unit.PLAIN,
) -> Table | None:
    """Every two models on each group of items, and on all if there are several; None where no two can be compared.

    ``least``: the smallest number of groups for which there is a table; ``cluster``: what the instances are; ``unit``:
    of what is measured.
    """
    rows: list[list[Value]] = []
    sections: dict[int, str] = {}
    tested: list[tuple[int, float]] = []
    ids = [pa.array(each.items, pa.string()) for each in found]
    codes = [means.numbered(each.groups) for each in found]
    for first, second in combinations(range(len(found)), 2):
        one, other = found[first], found[second]
        if one.scale != other.scale:
            continue
        its = pc.fill_null(pc.index_in(ids[first], value_set=ids[second]), -1).to_numpy()
        mine = np.flatnonzero(its >= 0)
        mine = mine[~np.isnan(one.values[mine] - other.values[its[mine]])]
        if not len(mine):
            continue
        reached = one.values[mine], other.values[its[mine]]
        differences, instances = reached[0] - reached[1], np.asarray(one.instances)[mine]
        of = means.in_order(codes[first][mine])
        groups = {one.groups[mine[own[0]]]: own for own in means.rows_of(of, int(of.max()) + 1)}
        if len(groups) < least:
            continue
        sections[len(rows)] = f"{one.model} – {other.model}"
        if len(groups) > 1:
            groups[ALL] = np.arange(len(mine))
        for group, where in groups.items():
            tested_here = difference(differences[where], instances[where])
            if tested_here.p is not None:
                tested.append((len(rows), tested_here.p))
            both = (float(values[where].mean()) for values in reached)
            alike = isinstance(tested_here.value, Interval) and tested_here.t is None
            said = UNTESTED if alike else NO
            rows.append([group or "–", len(where), *both, tested_here.value, tested_here.t, tested_here.df, None, said])
    if not rows:
        return None
    for (row, _), p in zip(tested, holm([p for _, p in tested]).tolist() if tested else [], strict=True):
        rows[row][-2] = p
        if p < LEVEL:
            t = rows[row][-4]
            assert isinstance(t, float)
            rows[row][-1] = "higher" if t > 0 else "lower"
    return Table(
        name,
        caption,
        (
            Column(key, key), Column("n", "items"), Column("first", "first", 3, unit),
            Column("second", "second", 3, unit), Column("difference", "difference", 3, unit), Column("t", "t"),
            Column("df", "df"),
            Column("p", "p (Holm)", unit=Unit.PROBABILITY), Column("verdict", "the first is"),
        ),
        tuple(map(tuple, rows)),
        notes=(f"{NOTE} Tests: {len(tested)}.",),
        sections=sections,
        methods=(
            replace(
                means.difference_method(cluster),
                test="Student's t test, two-sided",
                correction="Holm's method over the tests of a table",
            ),
        ),
    )  # fmt: skip


NO = "not clearly different"
UNTESTED = "not tested: one difference in all"
"""Where the items of every instance have one mean difference, there is no spread to test by."""
