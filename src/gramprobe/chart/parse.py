"""Tokens to a forest: the chart itself."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from gramprobe.chart.carried import Load, carried_up
from gramprobe.chart.forest import BEGIN, Cell, Edge, Forest, Item, Step, Way, taken
from gramprobe.chart.rules import WEAKEST, Node, Rule, Rules, Values, Wanted
from gramprobe.compiled.data import Word

MOST = 60_000
"""A chart of more steps is given up: that of a sentence of the shipped sets has 3,400 by the median, 31,000 at most."""


def parse(tokens: Sequence[str], rules: Rules, most: int = MOST) -> Forest:
    """All trees of a sentence: of those categories that are sentences, each with its final sign at the end. The forest
    has no trees and is not `complete` if the chart was given up, after ``most`` steps."""
    chart = Chart([(token,) for token in tokens], rules, most)
    chart.fill()
    return chart.forest()


class State(NamedTuple):
    """What is known of a rule of which some daughters are found.

    Attributes:
        shared: the values of the head that the mother gets.
        own: place and value of what the head has where the rule wants another value.
        kept: number of a daughter -> her values that something carried is compared with.
        loads: number of a daughter -> what she carries.
        lift: the constraint that was lifted in her.
        here: the constraint that is lifted here.
    """

    shared: Values = ()
    own: tuple[tuple[int, str | None], ...] = ()
    kept: tuple[tuple[int, Values], ...] = ()
    loads: tuple[tuple[int, Load], ...] = ()
    lift: str | None = None
    here: str | None = None


NOTHING = State()


class Chart:
    """Complete edges, and items: rules up to a daughter for which they wait.

    Of each token it has those that it may be: a chart may be of all ways to cut a text at once.

    An edge or an item is made once; each further way to it is one more step. `fill` finds all without a lifted
    constraint, and `lift` those with one. After ``most`` steps a chart is given up. ``waiting`` and ``wanted``: of each
    place the items, and the begun rules with a token next, that could go on there. ``cells``: those of the edges that
    are wanted; None: all are.
    """

    def __init__(
        self,
        tokens: Sequence[tuple[str, ...]],
        rules: Rules,
        most: int = sys.maxsize,
        cells: Collection[Cell] | None = None,
    ) -> None:
        self.tokens, self.rules, self.most, self._cells = tokens, rules, most, cells
        self.edges: list[Edge] = []
        self.words: list[list[Word]] = []
        self.ways: list[list[Way]] = []
        self.steps: list[list[Step]] = []
        self._spelt: dict[int, None] = {}
        self._edges: dict[tuple[int, int, str, Values, Load, str | None], int] = {}
        self._items: dict[tuple[int, int, int, State], Item] = {}
        places = range(len(tokens) + 1)
        self._complete: list[dict[str, list[int]]] = [defaultdict(list) for _ in places]
        self.waiting: list[dict[str, list[tuple[Item, Wanted, Node, int, State]]]] = [defaultdict(list) for _ in places]
        self.wanted: list[list[tuple[int, Node, State]]] = [[] for _ in places]
        self._agenda: list[int] = []
        self._taken = 0
        self._known: set[tuple[int, int, str, Load]] = set()
        self._strong: set[tuple[int, int, str, Load]] = set()
        self._left: list[tuple[Node, int, int, State, Step]] = []
        self._left_ends: list[tuple[Rule, int, int, State, Load, Step]] = []

    @property
    def is_given_up(self) -> bool:
        """Whether there are more steps than were to be taken."""
        return self._taken > self.most

    def fill(self, words: Iterable[tuple[int, int, str, Values]] | None = None) -> None:
        """Find every edge without a lifted constraint. ``words``: start, end, category and values of those that there
        are (those behind the tokens are passed over); None: all that are spelt by the tokens."""
        tokens, rules = self.tokens, self.rules
        for start, end, category, values in words or ():
            if end <= len(tokens) and (number := self._edge(start, end, category, values, (), None)) is not None:
                self._spelt[number] = None
        for start, choices in enumerate(tokens):
            for word, values in (entry for token in choices if words is None for entry in rules.spelt(token)):
                end = start + len(word.tokens)
                if end <= len(tokens) and all(map(tuple.__contains__, tokens[start:end], word.tokens)):
                    number = self._edge(start, end, word.category, values, (), None)
                    if number is not None:
                        self._spelt[number] = None
                        self.words[number].append(word)
            self._go_on(rules.root, start, start, NOTHING, Step(BEGIN, None))
        self._go_on(rules.root, len(tokens), len(tokens), NOTHING, Step(BEGIN, None))
        self._run()

    def lift(self) -> None:
        """Find every edge with one lifted constraint, behind `fill`.

        Nothing is lifted in words that are such a part without it: *the nurses* is a noun phrase, whatever *the* wants
        of a noun elsewhere. `WEAKEST` is lifted where nothing else does: in *the nurses yawns* the number is wrong, and
        not the form too.
        """
        self._known = {(*edge[:3], edge.carried) for edge in self.edges}
        for weakest in (False, True):
            for node, start, place, state, step in self._left:
                if (state.here == WEAKEST) == weakest:
                    self._go_on(node, start, place, state, step)
            for rule, start, place, state, load, step in self._left_ends:
                if (state.here == WEAKEST) == weakest:
                    self._end(rule, start, place, state, load, step)
            self._run()
            self._strong = {(*edge[:3], edge.carried) for edge in self.edges}

    def forest(self) -> Forest:
        """The trees."""
        if self._taken > self.most:
            return Forest((), (), (), (), (), complete=False)
        roots = self.roots()
        last = len(self.tokens) - 1
        reached, expected = (last, ()) if roots else self.reached()
        return Forest(self.edges, roots, self.words, self.ways, self.steps, reached, expected)

    def roots(self) -> list[int]:
        """The edges that are the whole sentence and carry nothing."""
        return [number for number in self.whole() if not self.edges[number].carried]

    def whole(self) -> list[int]:
        """The edges that are the whole sentence, up to its final sign."""
        finals = {(s.category, s.final) for s in self.rules.grammar.sentences}
        last = len(self.tokens) - 1
        return [
            number
            for number, edge in enumerate(self.edges)
            if edge.start == 0 and edge.end == last
            if any((edge.category, token) in finals for token in self.tokens[last])
        ]

    def order(self) -> list[int]:
        """The edges, each behind those of one way to it."""
        placed = {**self._spelt}
        left = [number for number in range(len(self.edges)) if number not in placed]
        while left:
            ready = [n for n in left if any(placed.keys() >= {*t} for w in self.ways[n] for t in self.taken(w.step))]
            placed.update(dict.fromkeys(ready))
            left = [number for number in left if number not in placed]
        return [*placed]

    def taken(self, step: Step) -> Iterator[tuple[int, ...]]:
        """The edges that were taken on each way to a step, in order."""
        return taken(step, self.steps)

    def reached(self) -> tuple[int, tuple[str, ...]]:
        """How many tokens stand before the last place that trees from the first token on lead to, and what they wait
        for there: categories, and tokens."""
        begun = {0}
        for place in range(len(self.tokens) + 1):
            if any(item[3] in begun for items in self.waiting[place].values() for item in items):
                begun.add(place)
        for edge in sorted(self.edges, key=lambda edge: edge[:2]):
            if edge.start in begun:
                begun.add(edge.end)
        last = max(begun)
        waiting = self.waiting[last]
        wanted = {c: None for c, items in waiting.items() if any(item[3] in begun for item in items)}
        tokens = {token for start, node, _ in self.wanted[last] if start in begun for token in node.tokens}
        return last, (*wanted, *sorted(tokens))

    def _run(self) -> None:
        root = self.rules.root.wanted
        while self._agenda and self._taken <= self.most:
            number = self._agenda.pop()
            edge = self.edges[number]
            start, category = edge.start, edge.category
            self._complete[start][category].append(number)
            for wanted, node in root[category].items() if category in root else ():
                self._take(wanted, node, start, NOTHING, number, edge, BEGIN)
            for item, wanted, node, begin, state in tuple(self.waiting[start].get(category, ())):
                self._take(wanted, node, begin, state, number, edge, item)

    def _edge(self, start: int, end: int, category: str, values: Values, load: Load, lift: str | None) -> int | None:
        """The number of an edge; None for one with a lift that is found without, or of a cell that is not wanted."""
        key = (start, end, category, values, load, lift)
        number = self._edges.get(key)
        if number is None:
            if self._cells is not None and key[:3] not in self._cells:
                return None
            if lift is not None and (*key[:3], load) in (self._strong if lift == WEAKEST else self._known):
                return None
            number = self._edges[key] = len(self.edges)
            self.edges.append(Edge(*key))
            self.words.append([])
            self.ways.append([])
            self._agenda.append(number)
        return number

    def _take(self, wanted: Wanted, node: Node, start: int, state: State, number: int, edge: Edge, item: Item) -> None:
        """Take an edge as the daughter of a rule, if it fits; if it breaks one constraint, it is left for `lift`."""
        self._taken += 1
        values, load, lift = edge.values, edge.carried, edge.lift
        if self._taken > self.most or (lift is not None and (state.lift is not None or state.here is not None)):
            return
        broken = None
        for fixed in wanted.fixed:
            value = values[fixed.place]
            if value is not None and value != fixed.value:
                if broken not in (None, fixed.constraint) or value in fixed.others:
                    return
                broken = fixed.constraint
        if broken is not None and (lift is not None or state.lift is not None or state.here is not None):
            return
        if load:
            for kind, _ in load:
                if kind in self.rules.by_line and kind not in wanted.lets:
                    return
        if wanted.shared or wanted.kept or load or lift or broken:
            own = state.own
            if broken is not None:
                own += tuple((theirs, values[mine]) for mine, theirs in wanted.handed if values[mine] is not None)
            state = State(
                tuple(values[place] for place in wanted.shared) if wanted.shared else state.shared,
                own,
                (*state.kept, (node.depth - 1, tuple(values[p] for p in wanted.kept))) if wanted.kept else state.kept,
                (*state.loads, (node.depth - 1, load)) if load else state.loads,
                lift or state.lift,
                broken or state.here,
            )
        if broken is not None:
            self._left.append((node, start, edge.end, state, Step(item, number)))
        else:
            self._go_on(node, start, edge.end, state, Step(item, number))

    def _go_on(self, node: Node, start: int, place: int, state: State, step: Step) -> None:
        """Go on behind a daughter or token: rules that end here are complete, others wait or have a token next."""
        self._taken += 1
        for rule in node.ends:
            self._complete_rule(rule, start, place, state, step)
        if node.tokens:
            if node is not self.rules.root:
                self.wanted[place].append((start, node, state))
            for token in self.tokens[place] if place < len(self.tokens) else ():
                if token in node.tokens:
                    self._go_on(node.tokens[token], start, place + 1, state, step)
        if not node.wanted or node is self.rules.root:
            return
        key = (id(node), place, start, state)
        item = self._items.get(key)
        if item is not None:
            self.steps[item].append(step)
            return
        item = self._items[key] = len(self.steps)
        self.steps.append([step])
        for category, all_wanted in node.wanted.items():
            waiting = self.waiting[place][category]
            for wanted, after in all_wanted.items():
                waiting.append((item, wanted, after, start, state))
            for number in tuple(self._complete[place].get(category, ())):
                for wanted, after in all_wanted.items():
                    self._take(wanted, after, start, state, number, self.edges[number], item)

    def _complete_rule(self, rule: Rule, start: int, place: int, state: State, step: Step) -> None:
        if not state.loads and not rule.by_itself:
            self._end(rule, start, place, state, (), step)
            return
        found = carried_up(rule, state.loads, state.kept, self.rules.carried)
        if found is None:
            return
        load, broken = found
        if broken is None:
            self._end(rule, start, place, state, load, step)
        elif state.lift is None and state.here is None:
            self._left_ends.append((rule, start, place, state._replace(here=broken), load, step))

    def _end(self, rule: Rule, start: int, place: int, state: State, load: Load, step: Step) -> None:
        values = rule.mother(state.shared, state.own)
        edge = self._edge(start, place, rule.production.category, values, load, state.lift or state.here)
        if edge is not None:
            self.ways[edge].append(Way(rule, step, state.here))
