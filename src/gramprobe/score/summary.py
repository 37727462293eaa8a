"""What scores say, condition by condition: means of the mode's measures over items. Needs no model."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gramprobe.records import Count, Record
from gramprobe.score.mode import Mode
from gramprobe.score.record import FLAGS
from gramprobe.score.results import Scores
from gramprobe.score.source import Selection, Table


class Measure(Record, frozen=True, kw_only=True):
    """The mean of a measure over the items that have it, and how many these are."""

    mean: float
    items: Count


class Line(Record, frozen=True, kw_only=True):
    """A condition of a paradigm: how many items, and the means of the mode's measures."""

    paradigm: str
    condition: str
    items: Count
    measures: dict[str, Measure]


@dataclass
class _Sums:
    items: int = 0
    values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, measures: Mapping[str, float | None]) -> None:
        self.items += 1
        for name, value in measures.items():
            if value is not None:
                self.values[name].append(value)

    def line(self, paradigm: str, condition: str) -> Line:
        measures = {n: Measure(mean=math.fsum(v) / len(v), items=len(v)) for n, v in self.values.items()}
        return Line(paradigm=paradigm, condition=condition, items=self.items, measures=measures)


GROUPS = ("condition", "violated")
"""Columns that name the condition of an item: the first one that a table has."""


def summary(scores: Scores, selection: Selection, mode: Mode) -> list[Line]:
    """A line for each condition of each paradigm, in the order of the items. ``selection``: the items of the run.

    Raises UsageError (E94) if the scores are not those of these items.
    """
    from dataclasses import replace

    columns = {name: _with_groups(each, selection.source.tables[name]) for name, each in selection.columns.items()}
    found: dict[tuple[str, str], _Sums] = {}
    there = set(scores.shards)
    for shard in replace(selection, columns=columns).shards():
        if shard.name not in there:
            continue
        table = selection.source.tables[shard.table]
        by_item = dict(_by_item(scores, shard.name))
        for item in shard.items:
            condition = next((str(item.row[c]) for c in GROUPS if item.row.get(c)), "")
            key = (shard.table, condition)
            measures = mode.measures(table, item.row, by_item.get(item.id, {}), scores.run.tie)
            found.setdefault(key, _Sums()).add(measures)
    return [sums.line(*key) for key, sums in found.items()]


def _with_groups(columns: tuple[str, ...], table: Table) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*columns, *(name for name in GROUPS if name in table.columns)]))


def _by_item(scores: Scores, shard: str) -> Iterator[tuple[str, dict[str, tuple[Any, ...]]]]:
    """The items of a shard with the values of their parts. The parts of an item stand together."""
    names = ["item", "part", *scores.run.values]
    table = scores.shard(shard)
    columns = [table.column(name).to_pylist() for name in names]
    item, parts = "", dict[str, tuple[Any, ...]]()
    for id_, part, *values in zip(*columns, strict=True):
        if id_ != item and parts:
            yield item, parts
            parts = {}
        item = id_
        parts[part] = tuple(values)
    if parts:
        yield item, parts


def remarks(scores: Scores) -> list[str]:
    """What a table of means does not show of an endpoint's answers: how many were no probabilities, or none at all."""
    values = [flags.split(",") for shard in scores.shards for flags in scores.shard(shard).column("flags").to_pylist()]
    counts = Counter(flag for flags in values for flag in flags)
    return [
        f"{counts[flag]:,} of {len(values):,} values are flagged `{flag}`: {FLAGS[flag]}"
        for flag in ("parsed", "abstained")
        if counts[flag]
    ]


def as_text(lines: list[Line]) -> str:
    """The lines as a table: paradigm, condition, items, measures."""
    names = list(dict.fromkeys(name for line in lines for name in line.measures))
    rows = [["paradigm", "condition", "items", *names]]
    for line in lines:
        shown = [f"{line.measures[name].mean:.3f}" if name in line.measures else "-" for name in names]
        rows.append([line.paradigm, line.condition or "-", f"{line.items:,}", *shown])
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if n < 2 else cell.rjust(w) for n, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
