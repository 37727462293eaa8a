"""Tokens to a forest: the chart itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from gramprobe.chart.forest import BEGIN, Edge, Forest, Item, Step, Way
from gramprobe.chart.rules import Rule, Rules, Values, Wanted
from gramprobe.compiled.data import Word

MOST = 60_000
"""A chart of more steps is given up: that of a sentence of the shipped sets has 300 by the median, 15,000 at most."""


def parse(tokens: Sequence[str], rules: Rules) -> Forest:
    """All trees of a sentence: of those categories that are sentences, each with its final sign at the end. The forest
    is not `whole`, and has no trees, if the chart was given up."""
    for ahead in (not rules.empty, False):  # without a tree again, for what could stand in the place of the next token
        chart = _Chart(tokens, rules, ahead)
        chart.fill()
        finals = {(s.category, s.final) for s in rules.grammar.sentences}
        last = len(tokens) - 1
        roots = [
            number
            for number, edge in enumerate(chart.edges)
            if edge.start == 0 and edge.end == last and (edge.category, tokens[last]) in finals
        ]
        if roots or not chart.whole:
            break
    if not chart.whole:
        return Forest((), (), (), (), (), whole=False)
    reached, expected = (last, ()) if roots else chart.reached()
    return Forest(chart.edges, roots, chart.words, chart.ways, chart.steps, reached, expected)


class _Chart:
    """Complete edges, and items: rules up to a part for which they wait, with the values that the head gave.

    An edge or an item is made once; each further way to it is one more step. ``ahead``: there are no items that wait
    for a part which cannot begin with the next token (lookahead; Aho & Ullman 1972, The Theory of Parsing, 4.2).
    """

    def __init__(self, tokens: Sequence[str], rules: Rules, ahead: bool) -> None:
        self.tokens, self.rules = tokens, rules
        self._next = [rules.starting(token) for token in tokens] + [frozenset()] if ahead else None
        self.edges: list[Edge] = []
        self.words: list[list[Word]] = []
        self.ways: list[list[Way]] = []
        self.steps: list[list[Step]] = []
        self._edges: dict[tuple[int, int, str, Values], int] = {}
        self._items: dict[tuple[int, int, int, int, Values], Item] = {}
        places = range(len(tokens) + 1)
        self._complete: list[dict[str, list[int]]] = [defaultdict(list) for _ in places]
        self._waiting: list[dict[str, list[tuple[Item, Rule, int, int, Values]]]] = [defaultdict(list) for _ in places]
        self._wanted: list[set[str]] = [set() for _ in places]
        self._agenda: list[int] = []
        self._taken = 0

    @property
    def whole(self) -> bool:
        """Whether every edge was found."""
        return self._taken <= MOST

    def fill(self) -> None:
        """Find every edge."""
        tokens = self.tokens
        for start, token in enumerate(tokens):
            for word, values in self.rules.words.get(token, ()):
                end = start + len(word.tokens)
                if tuple(tokens[start:end]) == word.tokens:
                    self.words[self._edge(start, end, word.category, values)].append(word)
            for rule in self.rules.by_token.get(token, ()):
                self._go_on(rule, 0, start, (), start, Step(BEGIN, None))
        for place in range(len(tokens) + 1):
            for rule in self.rules.empty:
                self._go_on(rule, 0, place, (), place, Step(BEGIN, None))
        while self._agenda and self.whole:
            number = self._agenda.pop()
            edge = self.edges[number]
            self._complete[edge.start][edge.category].append(number)
            for rule, shared in self._begun(edge):
                self._go_on(rule, 1, edge.start, shared, edge.end, Step(BEGIN, number))
            for item, rule, daughter, start, shared in tuple(self._waiting[edge.start].get(edge.category, ())):
                self._take(rule, daughter, start, shared, number, item)

    def reached(self) -> tuple[int, tuple[str, ...]]:
        """How many tokens stand before the last place that trees from the first token on lead to, and what they wait
        for there: categories, and tokens."""
        begun = {0}
        for place, waiting in enumerate(self._waiting):
            if any(item[3] in begun for items in waiting.values() for item in items):
                begun.add(place)
        for edge in sorted(self.edges, key=lambda edge: edge[:2]):
            if edge.start in begun:
                begun.add(edge.end)
        last = max(begun)
        wanted = {c: None for c, items in self._waiting[last].items() if any(item[3] in begun for item in items)}
        return last, (*wanted, *sorted(self._wanted[last]))

    def _edge(self, start: int, end: int, category: str, values: Values) -> int:
        key = (start, end, category, values)
        number = self._edges.get(key)
        if number is None:
            number = self._edges[key] = len(self.edges)
            self.edges.append(Edge(*key))
            self.words.append([])
            self.ways.append([])
            self._agenda.append(number)
        return number

    def _begun(self, edge: Edge) -> Iterator[tuple[Rule, Values]]:
        """The rules that an edge begins, of those that look ahead the ones that can go on."""
        begun = self.rules.begun(edge.category, edge.values)
        yield from begun.whole
        if self._next is None:
            for rules in (*begun.by_token.values(), *begun.by_category.values()):
                yield from rules
            return
        if edge.end < len(self.tokens):
            yield from begun.by_token.get(self.tokens[edge.end], ())
        for category, rules in begun.by_category.items():
            if category in self._next[edge.end]:
                yield from rules

    def _take(self, rule: Rule, daughter: int, start: int, shared: Values, number: int, item: Item) -> None:
        """Take an edge as the daughter of a rule, if it fits."""
        wanted, edge = rule.daughters[daughter], self.edges[number]
        assert isinstance(wanted, Wanted)
        given = wanted.given(edge.values, shared)
        if given is not None:
            self._go_on(rule, daughter + 1, start, given, edge.end, Step(item, number))

    def _go_on(self, rule: Rule, daughter: int, start: int, shared: Values, place: int, step: Step) -> None:
        """Step over the tokens of a rule; then it is complete, or waits for its next part."""
        daughters, tokens = rule.daughters, self.tokens
        self._taken += 1
        while daughter < len(daughters):
            wanted = daughters[daughter]
            if not isinstance(wanted, str):
                if self._next is not None and wanted.category not in self._next[place]:
                    return
                break
            if place >= len(tokens) or tokens[place] != wanted:
                if daughter:
                    self._wanted[place].add(wanted)
                return
            daughter, place = daughter + 1, place + 1
        else:
            edge = self._edge(start, place, rule.production.category, rule.mother(shared))
            self.ways[edge].append(Way(rule, step))
            return
        key = (place, id(rule), daughter, start, shared)
        item = self._items.get(key)
        if item is not None:
            self.steps[item].append(step)
            return
        item = self._items[key] = len(self.steps)
        self.steps.append([step])
        self._waiting[place][wanted.category].append((item, rule, daughter, start, shared))
        for number in tuple(self._complete[place].get(wanted.category, ())):
            self._take(rule, daughter, start, shared, number, item)
