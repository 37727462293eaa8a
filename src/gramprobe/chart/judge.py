"""What the chart of a sentence says: whether it is good, what alone repairs it, and where it begins no sentence.

text --lattice--> tokens --Chart.fill, Chart.lift--> edges --judge--> Judgement
                                                       --chart_of--> ChartCertificate (`certify.charts` checks it)
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

from gramprobe.chart.carried import Load, fits
from gramprobe.chart.cuts import choices_of, lattice, unknown
from gramprobe.chart.parse import NOTHING, Chart, State
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
    return _judgement(_filled(text, rules), text, rules)


def judged_with_chart(text: str, rules: Rules) -> tuple[Judgement, ChartCertificate | None]:
    """`judge` and `chart_of`, by one chart; no chart for words that the grammar does not know."""
    chart = _filled(text, rules)
    judgement = _judgement(chart, text, rules)
    return judgement, None if chart is None else _certificate(chart, text)


def _judgement(chart: Chart | None, text: str, rules: Rules) -> Judgement:
    if chart is None:
        strange = unknown(text, rules.grammar.language, rules.known)
        return Judgement(False, (), (), rules.grammar.language.tokens(text).index(strange[0]) if strange else 0)
    if chart.roots():
        return Judgement(True, (), (), -1)
    critical = _critical(chart)
    places = _lifted(chart)
    return Judgement(False, tuple(sorted({place.constraint for place in places})), places, critical)


def lifts(text: str, rules: Rules) -> tuple[Lift, ...] | None:
    """The uses at which a constraint may be lifted to read a sentence of known words; None if it has a tree. Raises
    ValueError as `judge` does."""
    chart = _filled(text, rules)
    if chart is None or chart.roots():
        return () if chart is None else None
    return _lifted(chart)


def _lifted(chart: Chart) -> tuple[Lift, ...]:
    chart.lift()
    return tuple(sorted({place for number in chart.whole() for place in _places(number, chart)}, key=str))


def chart_of(text: str, rules: Rules) -> ChartCertificate:
    """The chart of a sentence, of a good one without lifts. Raises ValueError as `judge` does, and for words that the
    grammar does not know."""
    chart = _filled(text, rules)
    if chart is None:
        raise ValueError(f"`{text}` has words that the grammar does not know")
    if not chart.roots():
        chart.lift()
    return _certificate(chart, text)


def _certificate(chart: Chart, text: str) -> ChartCertificate:
    rules = chart.rules
    names = {kind.name: kind.features for kind in rules.grammar.carried}
    edges = []
    for number in chart.order():
        edge = chart.edges[number]
        values = {name: value for name, value in zip(rules.names(edge.category), edge.values, strict=True) if value}
        carried = {kind: dict(zip(names[kind], map(str, load), strict=True)) for kind, load in edge.carried}
        edges.append((edge.start, edge.end, edge.category, values, carried, edge.lift))
    entries = _entries(text, rules)
    return ChartCertificate(_shape(entries), entries, edges)


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
    return bisect_left(places, True, key=lambda place: not _begins(chart, place))


class _Open(NamedTuple):
    """A part that was begun and waits for more: where it begins, what is known of it, and what it already carries of
    the kinds that pass by themselves (an unbound reflexive, an unlicensed word)."""

    start: int
    category: str
    values: Values
    load: Load


def _begins(chart: Chart, place: int) -> bool:
    """Whether the tokens before a place begin some sentence.

    What waits at the place for more is taken to get it, with whatever values: the part that it would then be may be a
    daughter of what waits where it began, and so on to a sentence from the first token. A gap may still come.
    """
    rules = chart.rules
    sentences = {sentence.category for sentence in rules.grammar.sentences}
    if any(
        e.start == 0 and e.end == place and e.category in sentences and e.lift is None and not e.carried
        for e in chart.edges
    ):
        return True
    todo = list(dict.fromkeys(_unfinished(chart, place)))
    seen = set(todo)
    opened: set[tuple[int, int, State]] = set()
    while todo:
        part = todo.pop()
        if part.start == 0 and part.category in sentences and not part.load:
            return True
        found: list[_Open] = []
        if part.category in rules.root.wanted:
            for wanted, node in rules.root.wanted[part.category].items():
                found += _taken(part, wanted, node, part.start, NOTHING, rules, opened)
        for _, wanted, node, begin, state in chart.waiting[part.start].get(part.category, ()):
            found += _taken(part, wanted, node, begin, state, rules, opened)
        for each in found:
            if each not in seen:
                seen.add(each)
                todo.append(each)
    return False


def _unfinished(chart: Chart, place: int) -> Iterator[_Open]:
    """What waits at a place for more."""
    rules = chart.rules
    for waiting in chart.waiting[place].values():
        for _, _, node, start, state in waiting:
            yield from _opened(node, start, state, rules)
    for start, node, state in chart.wanted[place]:
        yield from _opened(node, start, state, rules)
    for start in range(place):
        for word, values in (each for t in chart.tokens[start] for each in rules.words.get(t, ())):
            rest = len(word.tokens) > place - start
            if rest and all(map(tuple.__contains__, chart.tokens[start:place], word.tokens)):
                yield _Open(start, word.category, values, ())


def _taken(
    part: _Open,
    wanted: Wanted,
    node: Node,
    start: int,
    state: State,
    rules: Rules,
    opened: set[tuple[int, int, State]],
) -> list[_Open]:
    """What is begun where a part that waits for more is a daughter of rules; nothing for those that are ``opened``."""
    if any(part.values[fixed.place] not in (None, fixed.value) for fixed in wanted.fixed):
        return []
    shared = tuple(part.values[at] for at in wanted.shared) or state.shared
    at = node.depth - 1
    kept = (*state.kept, (at, tuple(part.values[p] for p in wanted.kept))) if wanted.kept else state.kept
    loads = (*state.loads, (at, part.load)) if part.load else state.loads
    after = state._replace(shared=shared, kept=kept, loads=loads)
    if (id(node), start, after) in opened:
        return []
    opened.add((id(node), start, after))
    return list(_opened(node, start, after, rules))


def _opened(node: Node, start: int, state: State, rules: Rules) -> Iterator[_Open]:
    """What the rules that end behind a node begin, as far as their daughters are known."""
    for rule in _below(node, rules):
        load = _up(rule, state, rules) if state.loads or rule.by_itself else ()
        if load is not None:
            shared = state.shared if len(state.shared) == len(rule.shared) else (None,) * len(rule.shared)
            yield _Open(start, rule.production.category, rule.mother(shared, ()), load)


def _up(rule: Rule, state: State, rules: Rules) -> Load | None:
    """What a mother carries of the kinds that pass by themselves; None where one of them clashes or is stopped."""
    kept, found = dict(state.kept), list[tuple[str, Values]]()
    for kind in dict.fromkeys((*rule.carrying, *(kind for _, load in state.loads for kind, _ in load))):
        if kind in rules.by_line:
            continue
        here = {at: values for at, load in state.loads for name, values in load if name == kind}
        lines = rule.carrying.get(kind, ())
        for line in lines:
            if line.how in ("binds", "licenses") and line.parts and line.parts[0] in here:
                if (line.by >= 0 and line.by not in kept) or fits(line, here[line.parts[0]], kept):
                    del here[line.parts[0]]
                elif line.how == "binds":
                    return None
            elif line.how == "barrier" and not here.keys().isdisjoint(line.parts):
                return None
        values = {*here.values(), *(line.values for line in lines if line.how == "carries")}
        if len(values) > 1:
            return None
        found += [(kind, each) for each in values]
    return tuple(sorted(found))


def _below(node: Node, rules: Rules) -> list[Rule]:
    """The rules that end at a place in the tree of rules, or behind it; of those that make the same of what stands
    before, one."""
    ends: dict[int, list[Rule]] = rules.ends
    if id(node) not in ends:
        after = [*node.tokens.values(), *(each for wanted in node.wanted.values() for each in wanted.values())]
        every = (*node.ends, *(rule for each in after for rule in _below(each, rules)))
        made = {(r.production.category, r.values, r.shared, repr(r.carrying) if r.carrying else ""): r for r in every}
        ends[id(node)] = list(made.values())
    return ends[id(node)]


def shape_of(text: str, rules: Rules) -> str:
    """The id of the sequence of a sentence's entries: of each token what it is spelt by, without ids."""
    return _shape(_entries(text, rules))


def _shape(entries: list[list[Any]]) -> str:
    return hashlib.sha256(json.dumps(entries, ensure_ascii=False).encode()).hexdigest()[:16]


def _entries(text: str, rules: Rules) -> list[list[Any]]:
    """Of each token the tokens that it may be in rules, and the words that begin there, without ids."""
    found: list[list[Any]] = []
    every = choices_of(text, rules.grammar.language, rules.known)
    tokens = [token for token, _ in every]
    for place, (_, either) in enumerate(every):
        words = {
            (word.category, len(word.tokens), *(f"{name}={value}" for name, value in sorted(word.features.items())))
            for each in either
            for word, _ in rules.words.get(each, ())
            if tuple(tokens[place + 1 : place + len(word.tokens)]) == word.tokens[1:]
        }
        literal = [each for each in either if each in rules.literal]
        found.append([literal, sorted(map(list, words), key=str)])
    return found
