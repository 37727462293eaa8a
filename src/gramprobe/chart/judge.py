"""What the chart of a sentence says: whether it is good, what alone repairs it, and where it begins no sentence.

text --lattice--> tokens --Chart.fill, Chart.lift--> edges --judge--> Judgement
                                                       --chart_of--> ChartCertificate (`certify.charts` checks it)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from gramprobe.chart.cuts import lattice, unknown
from gramprobe.chart.parse import Chart
from gramprobe.chart.rules import Node, Rule, Rules, Values, Wanted
from gramprobe.records import Record

MOST_TOKENS = 60
"""A longer sentence has no chart."""


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
    """The chart of all sentences of one shape: every edge that can be built, each behind those that it is built of.

    Attributes:
        shape: the id of the sequence of entries.
        entries: of each token the tokens of rules that it may be, and the words that begin there, without ids: their
            category, how many tokens they take, and their features, `name=value`.
        edges: start, end, category, the values of its features, what it carries upward (kind -> values), and the
            constraint that was lifted in it.
    """

    shape: str
    entries: list[list[Any]]
    edges: list[tuple[int, int, str, dict[str, str], dict[str, dict[str, str]], str | None]]


def judge(text: str, rules: Rules) -> Judgement:
    """What the chart of a sentence says, over all ways to cut it into tokens. Raises ValueError for one of more than
    `MOST_TOKENS`."""
    chart = _filled(text, rules)
    if chart is None:
        strange = unknown(text, rules.grammar.language, rules.known)
        return Judgement(False, (), (), rules.grammar.language.tokens(text).index(strange[0]) if strange else 0)
    if any(not chart.edges[number].carried for number in chart.whole()):
        return Judgement(True, (), (), -1)
    critical = _critical(chart)
    chart.lift()
    places = {place for number in chart.whole() for place in _places(number, chart)}
    repairs = {place.constraint for place in places}
    return Judgement(False, tuple(sorted(repairs)), tuple(sorted(places, key=str)), critical)


def chart_of(text: str, rules: Rules) -> ChartCertificate:
    """The chart of a sentence, of a good one without lifts. Raises ValueError as `judge` does, and for words that the
    grammar does not know."""
    chart = _filled(text, rules)
    if chart is None:
        raise ValueError(f"`{text}` has words that the grammar does not know")
    if all(chart.edges[number].carried for number in chart.whole()):
        chart.lift()
    names = {kind.name: kind.features for kind in rules.grammar.carried}
    edges = []
    for number in chart.order():
        edge = chart.edges[number]
        values = {name: value for name, value in zip(rules.names(edge.category), edge.values, strict=True) if value}
        carried = {kind: dict(zip(names[kind], map(str, load), strict=True)) for kind, load in edge.carried}
        edges.append((edge.start, edge.end, edge.category, values, carried, edge.lift))
    return ChartCertificate(shape_of(text, rules), _entries(text, rules), edges)


def _filled(text: str, rules: Rules) -> Chart | None:
    """The chart without lifts; None for words that the grammar does not know."""
    tokens = lattice(text, rules.grammar.language, rules.known)
    if len(tokens) > MOST_TOKENS:
        raise ValueError(f"a sentence has at most {MOST_TOKENS} words and marks, and this one {len(tokens)}")
    if not tokens or not all(tokens):
        return None
    chart = Chart(tokens, rules)
    chart.fill()
    return chart


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


def _critical(chart: Chart) -> int:
    """The first token behind which what has been read begins no sentence; the last one where only the whole fails."""
    places = range(1, len(chart.tokens))
    return next((place - 1 for place in places if not _begins(chart, place)), len(chart.tokens) - 1)


def _begins(chart: Chart, place: int) -> bool:
    """Whether the tokens before a place begin some sentence.

    What waits at the place for more is taken to get it, with whatever values: the part that it would then be may be a
    daughter of what waits where it began, and so on to a sentence from the first token. What is carried is not
    followed, so that a gap that nobody fills shows at its end only.
    """
    rules = chart.rules
    sentences = {sentence.category for sentence in rules.grammar.sentences}
    if any(e.start == 0 and e.end == place and e.category in sentences and e.lift is None for e in chart.edges):
        return True
    todo = list(_unfinished(chart, place))
    seen = set(todo)
    while todo:
        start, category, values = todo.pop()
        if start == 0 and category in sentences:
            return True
        found: list[tuple[int, str, Values]] = []
        if category in rules.root.wanted:
            for wanted, node in rules.root.wanted[category].items():
                if _fits(wanted, values):
                    shared = tuple(values[at] for at in wanted.shared)
                    found += ((start, *_mother(rule, shared)) for rule in _below(node, rules))
        for _, wanted, node, begin, state in chart._waiting[start].get(category, ()):
            if _fits(wanted, values):
                shared = tuple(values[at] for at in wanted.shared) or state.shared
                found += ((begin, *_mother(rule, shared)) for rule in _below(node, chart.rules))
        for each in found:
            if each not in seen:
                seen.add(each)
                todo.append(each)
    return False


def _unfinished(chart: Chart, place: int) -> Iterator[tuple[int, str, Values]]:
    """Where each part begins that waits at a place for more, with its category and the values that are known."""
    for waiting in chart._waiting[place].values():
        for _, _, node, start, state in waiting:
            yield from ((start, *_mother(rule, state.shared)) for rule in _below(node, chart.rules))
    for start, node in chart._wanted[place]:
        yield from ((start, *_mother(rule, ())) for rule in _below(node, chart.rules))
    for start in range(place):
        for word, values in (each for t in chart.tokens[start] for each in chart.rules.words.get(t, ())):
            rest = len(word.tokens) > place - start
            if rest and all(map(tuple.__contains__, chart.tokens[start:place], word.tokens)):
                yield start, word.category, values


def _fits(wanted: Wanted, values: Values) -> bool:
    return all(values[fixed.place] in (None, fixed.value) for fixed in wanted.fixed)


def _mother(rule: Rule, shared: Values) -> tuple[str, Values]:
    """The category and the values of a mother, as far as her head's are known."""
    whole = shared if len(shared) == len(rule.shared) else (None,) * len(rule.shared)
    return rule.production.category, rule.mother(whole, ())


def _below(node: Node, rules: Rules) -> list[Rule]:
    """The rules that end at a place in the tree of rules, or behind it."""
    ends: dict[int, list[Rule]] = rules.ends
    if id(node) not in ends:
        after = [*node.tokens.values(), *(each for wanted in node.wanted.values() for each in wanted.values())]
        ends[id(node)] = [*node.ends, *(rule for each in after for rule in _below(each, rules))]
    return ends[id(node)]


def shape_of(text: str, rules: Rules) -> str:
    """The id of the sequence of a sentence's entries: of each token what it is spelt by, without ids."""
    return hashlib.sha256(json.dumps(_entries(text, rules), ensure_ascii=False).encode()).hexdigest()[:16]


def _entries(text: str, rules: Rules) -> list[list[Any]]:
    """Of each token the tokens that it may be in rules, and the words that begin there, without ids."""
    grammar = rules.grammar
    found: list[list[Any]] = []
    tokens = grammar.language.tokens(text)
    for place, token in enumerate(tokens):
        first = place == 0 or tokens[place - 1] in grammar.language.ends
        small = [token[:1].lower() + token[1:]] if grammar.language.capitals and first else []
        either = [each for each in dict.fromkeys([token, *small]) if each in rules.known]
        words = {
            (word.category, len(word.tokens), *(f"{name}={value}" for name, value in sorted(word.features.items())))
            for each in either
            for word, _ in rules.words.get(each, ())
            if tuple(tokens[place + 1 : place + len(word.tokens)]) == word.tokens[1:]
        }
        literal = [each for each in either if each in rules.literal]
        found.append([literal, sorted(map(list, words), key=str)])
    return found
