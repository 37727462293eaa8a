"""What the chart of a sentence says: whether it is good, what alone repairs it, and where it begins no sentence.

text --Shapes.of--> Shape --Chart.fill, Chart.lift--> edges --judged--> Judgement
                                                      --certificate--> ChartCertificate (`certify.charts` checks it)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from gramprobe.chart.beginnings import Beginnings
from gramprobe.chart.parse import Chart
from gramprobe.chart.rules import Rules
from gramprobe.chart.shape import Shape, Shapes
from gramprobe.records import Record


class Lift(Record, frozen=True):
    """A constraint that is lifted at a use of a constructor."""

    constraint: str
    constructor: str


class Judgement(Record, frozen=True):
    """What the chart of a sentence says.

    Attributes:
        good: whether it has a tree.
        repairs: the constraints of which one alone gives it one, sorted; none of a good sentence.
        places: the uses at which they are lifted.
        critical: the index of the token at which a bad sentence begins no sentence any more; -1 of a good one.
    """

    good: bool
    repairs: tuple[str, ...]
    places: tuple[Lift, ...]
    critical: int


class ChartCertificate(Record, frozen=True):
    """The chart of all sentences of one shape: every edge that can be built and whose category is in some tree of the
    backbone there, each behind those that it is built of.

    Attributes:
        shape: the id of the sequence of entries.
        entries: of each token the tokens of rules that it may be, and the words that begin there, without ids: their
            category, how many tokens they take, and the features for which a rule asks, `name=value`.
        edges: start, end, category, the values of its features, what it carries upward (kind -> values), and the
            constraint that was lifted in it.
    """

    shape: str
    entries: list[list[Any]]
    edges: list[tuple[int, int, str, dict[str, str], dict[str, dict[str, str]], str | None]]


def judge(text: str, shapes: Shapes) -> Judgement:
    """What the chart of a sentence says, over all ways to cut it into tokens. Raises ValueError for one of more than
    `MOST_TOKENS`."""
    found, _ = judged(shapes.of(text), shapes.rules)
    return found if found.good else replace(found, critical=Beginnings(shapes).critical(text))


def judged(shape: Shape, rules: Rules) -> tuple[Judgement, Chart]:
    """What a chart says of all sentences of a shape, and the chart: of good ones without lifts. Where a bad one begins
    no sentence is no matter of its shape: `Beginnings` says it."""
    chart = Chart([entry.literal for entry in shape.entries], rules, cells=shape.cells)
    chart.fill(shape.words(rules))
    good = bool(chart.roots())
    places = () if good else _lifted(chart)
    return Judgement(good, tuple(sorted({place.constraint for place in places})), places, -1), chart


def lifts(text: str, shapes: Shapes, most: int = sys.maxsize) -> tuple[Lift, ...] | None:
    """The uses at which a constraint may be lifted to read a sentence of known words, none if the chart has more than
    ``most`` steps; None if it has a tree. Raises ValueError as `judge` does."""
    shape = shapes.of(text)
    if not shape.cells:
        return ()
    chart = Chart([entry.literal for entry in shape.entries], shapes.rules, most, shape.cells)
    chart.fill(shape.words(shapes.rules))
    if chart.roots():
        return None
    found = _lifted(chart)
    return () if chart.is_given_up else found


def _lifted(chart: Chart) -> tuple[Lift, ...]:
    chart.lift()
    return tuple(sorted({place for number in chart.whole() for place in _places(number, chart)}, key=str))


def certificate(shape: Shape, chart: Chart) -> ChartCertificate:
    """The chart of a shape as its certificate has it."""
    rules = chart.rules
    names = {kind.name: kind.features for kind in rules.grammar.carried}
    edges = []
    for number in chart.order():
        edge = chart.edges[number]
        values = {name: value for name, value in zip(rules.names(edge.category), edge.values, strict=True) if value}
        carried = {kind: dict(zip(names[kind], map(str, load), strict=True)) for kind, load in edge.carried}
        edges.append((edge.start, edge.end, edge.category, values, carried, edge.lift))
    entries = [[[*literal], [[*kind] for kind in kinds]] for literal, kinds in shape.entries]
    return ChartCertificate(shape.id, entries, edges)


def _places(root: int, chart: Chart) -> Iterator[Lift]:
    """What is lifted in a whole sentence, and at which constructors."""
    edge, kinds = chart.edges[root], chart.rules.carried
    if edge.carried:  # left at the end
        if edge.lift is None and len(edge.carried) == 1:
            constraint = kinds[edge.carried[0][0]].constraint
            yield from (Lift(constraint, way.rule.production.constructor) for way in chart.ways[root])
        return
    todo, seen = [root], {root}
    while todo:
        for way in chart.ways[todo.pop()]:
            if way.lifted is not None:
                yield Lift(way.lifted, way.rule.production.constructor)
                continue
            for part in (p for taken in chart.taken(way.step) for p in taken if chart.edges[p].lift is not None):
                if part not in seen:
                    seen.add(part)
                    todo.append(part)
