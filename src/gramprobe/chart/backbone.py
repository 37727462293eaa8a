"""Which parts can stand in a tree of some tokens whatever their features are: the context-free backbone of a grammar.

Of a sentence of ten tokens a chart of the shipped English has some hundred edges, and ten stand in a tree. Without
features there are few ways to fill a sentence with categories, so that what is in no tree is soon known, once for all
sentences whose words have the same categories; a feature only takes trees away (restriction: Shieber 1985). What is in
no tree of the backbone is then left out of the chart, words and features too (decision 104).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from gramprobe.chart.forest import Cell
from gramprobe.compiled.data import Compiled, Components, Daughter, Place, Production, shared

#: an entry of a word without its id: its category, how many tokens it takes, and its features, `name=value`
Kind: TypeAlias = tuple[str | int, ...]
#: of a token the tokens of rules that it may be, and the categories and lengths of the words that begin there
Coarse: TypeAlias = tuple[tuple[str, ...], frozenset[tuple[str, int]]]

MOST_PARTS = 1 << 12
"""The parts of so many ends of sentences are kept; then they are forgotten."""
OTHER = "*"
"""The value of a feature that stands for all for which no rule asks."""


class Entry(NamedTuple):
    """Of a token the tokens of rules that it may be, and the words that begin there."""

    literal: tuple[str, ...]
    kinds: tuple[Kind, ...]


class _Asked:
    """What rules ask of their daughters.

    Attributes:
        values: a feature, and a value for which one asks; None: two parts are compared by it, whatever it is.
        shared: two features that are one, since a mother has her daughter's value.
        compared: a feature with which a kind of what is carried is compared.
        carried: the kinds that these rules have.
        tokens: theirs.

    What is added is looked at when it is first asked for: of most rules it never is.
    """

    def __init__(self) -> None:
        self._left: list[tuple[Production, Sequence[str | Daughter]]] = []
        self.values: set[tuple[Place, str]] = set()
        self.shared: set[tuple[Place, Place]] = set()
        self.compared: set[tuple[Place, str]] = set()
        self.carried: set[str] = set()
        self.tokens: set[str] = set()

    def add(self, production: Production, daughters: Sequence[str | Daughter]) -> None:
        """Add what a production asks of some of its daughters."""
        self._left.append((production, daughters))

    def _fill(self) -> None:
        for production, daughters in self._left:
            self._add(production, daughters)
        self._left.clear()

    def _add(self, production: Production, daughters: Sequence[str | Daughter]) -> None:
        categories: dict[int | None, str] = {}
        for part in daughters:
            if isinstance(part, str):
                self.tokens.add(part)
                continue
            categories[part.argument] = part.category
            for name, value in part.features.items():
                if value is not None:
                    self.values.add(((part.category, name), value))
            self.shared.update(shared(production, part))
            self.values.update(((part.category, name), each) for name, every in part.others.items() for each in every)
        for line in production.carrying:
            if line.by in categories:
                names = (*line.equal, *(name for _, name, _ in line.related))
                self.compared.update(((categories[line.by], name), line.kind) for name in names)
            self.carried.update([line.kind] if line.how == "carries" else ())

    def join(self, others: Iterable[_Asked]) -> _Asked:
        """The same, with what others ask."""
        for other in others:
            other._fill()
            self.values |= other.values
            self.shared |= other.shared
            self.compared |= other.compared
            self.carried |= other.carried
            self.tokens |= other.tokens
        return self

    def distinctions(self) -> dict[Place, frozenset[str] | None]:
        """Feature -> the values that are asked for; None where all of its values are kept apart."""
        of = Components(self.shared).of
        found: dict[Place, set[str] | None] = defaultdict(set)
        for place, value in self.values:
            own = found[of(place)]
            assert own is not None
            own.add(value)
        found.update({of(place): None for place, kind in self.compared if kind in self.carried})
        joined = (place for pair in self.shared for place in pair)
        every = {*joined, *(place for place, _ in self.values), *(place for place, _ in self.compared), *found}
        ones = {place: found.get(of(place), set()) for place in every}
        return {place: None if own is None else frozenset(own) for place, own in ones.items()}


class _Node:
    """Where productions stand that begin with the same tokens and categories.

    Attributes:
        tokens, parts: how they go on.
        ends: the categories of those that end here, with what they ask.
        below: the categories of those that end behind it; whole: also of those that end here.
        asked: what all of them ask of the last daughter before it.
    """

    __slots__ = ("asked", "below", "ends", "parts", "tokens", "whole")

    def __init__(self) -> None:
        self.tokens: dict[str, _Node] = {}
        self.parts: dict[str, _Node] = {}
        self.ends: dict[str, _Asked] = {}
        self.below: dict[str, None] = {}
        self.whole: tuple[str, ...] = ()
        self.asked = _Asked()

    def add(self, production: Production) -> None:
        """Add a production, from the root."""
        node = self
        for each in production.daughters:
            if isinstance(each, str):
                node = node.tokens.setdefault(each, _Node())
            else:
                node = node.parts.setdefault(each.category, _Node())
            node.asked.add(production, (each,))
        node.ends.setdefault(production.category, _Asked()).add(production, production.daughters)

    def close(self) -> tuple[str, ...]:
        """Fill ``below`` and ``whole`` here and behind; returns the latter."""
        for node in (*self.tokens.values(), *self.parts.values()):
            self.below |= dict.fromkeys(node.close())
        self.whole = (*dict.fromkeys((*self.ends, *self.below)),)
        return self.whole


#: productions up to a place: where they stand, and the place
_Item: TypeAlias = tuple[_Node, int]
#: the way to an item: the item before it (None: none), and the part that was taken (None: a token)
_Way: TypeAlias = tuple[_Item | None, Cell | None]


class Distinctions:
    """What rules distinguish in words.

    Attributes:
        tokens: those of these rules.
    """

    def __init__(self, tokens: Iterable[str], asked: _Asked) -> None:
        self.tokens, self._values = frozenset(tokens), asked.distinctions()
        self._kinds: dict[Kind, Kind] = {}

    def of(self, kind: Kind) -> Kind:
        """An entry with the features for which a rule asks, each other value as `OTHER`."""
        if kind not in self._kinds:
            category, length, *features = kind
            kept = []
            for feature in map(str, features):
                name, _, value = feature.partition("=")
                values = self._values.get((str(category), name), frozenset())
                if values is None or value in values:
                    kept.append(feature)
                elif values:
                    kept.append(f"{name}={OTHER}")
            self._kinds[kind] = (category, length, *kept)
        return self._kinds[kind]


class Backbone:
    """The backbone of a grammar. What it finds of tokens it keeps."""

    def __init__(self, grammar: Compiled) -> None:
        self._finals = [(sentence.category, sentence.final) for sentence in grammar.sentences]
        self._root = _Node()
        for production in grammar.productions:
            self._root.add(production)
        self._root.close()
        self._distinctions: dict[frozenset[_Asked], Distinctions] = {}
        self._used: dict[tuple[bool, tuple[Coarse, ...]], tuple[frozenset[Cell], Distinctions]] = {}
        self._none: dict[bool, _Parts] = {}  # of no tokens: those of all others stand behind
        self._longer: dict[tuple[_Parts, Coarse], _Parts] = {}  # of the tokens of some parts and one before them

    def used(self, tokens: tuple[Coarse, ...], begun: bool = False) -> tuple[frozenset[Cell], Distinctions]:
        """The parts that are in some tree of a sentence of these tokens, and what the rules of these trees distinguish.

        ``begun``: more tokens may follow, and a part that is not complete ends behind the place after the last token.
        """
        key = begun, tokens
        if key not in self._used:
            cells, asked = self._parts(begun, tokens).in_trees(self._root, begun, self._finals)
            if asked not in self._distinctions:
                rules = _Asked().join(asked)
                self._distinctions[asked] = Distinctions([*rules.tokens, *(final for _, final in self._finals)], rules)
            self._used[key] = cells, self._distinctions[asked]
        return self._used[key]

    def _parts(self, begun: bool, tokens: tuple[Coarse, ...]) -> _Parts:
        """The parts that can be built of some tokens."""
        if len(self._longer) > MOST_PARTS:
            self._none, self._longer = {}, {}
        if begun not in self._none:
            self._none[begun] = _Parts(self._root, begun)
        parts = self._none[begun]
        for token in reversed(tokens):
            longer = self._longer.get((parts, token))
            if longer is None:
                longer = self._longer[parts, token] = _Parts(self._root, begun, token, (*parts.behind, parts))
            parts = longer
        return parts


class _Parts:
    """The parts that can be built of the last tokens of sentences and that begin at the first of these, with the ways
    to each. They hang on nothing that stands before, so that sentences that end alike share them.

    A place is here the number of the tokens behind it: -1 is behind the place after the last token, for what is begun.

    Attributes:
        built: category -> place -> the items that make it.
        ways: the ways to each item.
        behind: the parts of the tokens behind the first, those of none of them first.
    """

    def __init__(self, root: _Node, begun: bool, first: Coarse = ((), frozenset()), behind: tuple[_Parts, ...] = ()):
        """``first``: the first of the tokens."""
        self.first, self.behind, self.built = first, behind, dict[str, dict[int, list[_Item]]]()
        self.ways: dict[_Item, list[_Way]] = {}
        self._find(root, begun)

    def in_trees(
        self, root: _Node, begun: bool, finals: Iterable[tuple[str, str]]
    ) -> tuple[frozenset[Cell], frozenset[_Asked]]:
        """Those that are in some tree of a sentence, of which the final sign is the last token, or of a beginning, by
        their places from the first token on; and what the rules of these trees ask."""
        every, start = (*self.behind, self), len(self.behind)
        goals: dict[Cell, None] = {}
        for category, final in finals:
            if begun:
                goals |= {(start, 0, category): None, (start, -1, category): None}
            elif start and final in every[1].first[0]:
                goals[start, 1, category] = None
        todo = [goal for goal in goals if goal[1] in self.built.get(goal[2], {})]
        live, asked = set(todo), set[_Asked]()
        seen: set[tuple[int, _Item]] = set()
        while todo:
            place, end, category = todo.pop()
            here = every[place]
            items = [*here.built[category][end]]
            asked.update(node.ends[category] for node, _ in items if not begun or node is root)
            while items:
                item = items.pop()
                if (place, item) not in seen:
                    seen.add((place, item))
                    if begun:
                        asked.add(item[0].asked)
                    for before, part in here.ways[item]:
                        if before is not None:
                            items.append(before)
                        if part is not None and part not in live:
                            live.add(part)
                            todo.append(part)
        return frozenset((start - place, start - end, category) for place, end, category in live), frozenset(asked)

    def _find(self, root: _Node, begun: bool) -> None:
        """Find the parts."""
        every, built, ways = (*self.behind, self), self.built, self.ways
        start = len(self.behind)
        literal, words = self.first
        waiting: dict[str, list[tuple[_Node, _Item]]] = defaultdict(list)
        agenda: list[tuple[str, int]] = []

        def complete(categories: Iterable[str], end: int, item: _Item | None) -> None:
            for category in categories:
                ends = built.get(category)
                if ends is None:
                    ends = built[category] = {}
                if end not in ends:
                    ends[end] = []
                    agenda.append((category, end))
                if item is not None:
                    ends[end].append(item)

        todo: list[tuple[_Node, int, _Item | None, Cell | None]] = []  # productions that go on, and their way there
        for category, length in words:
            if length <= start or begun:
                complete((category,), max(start - length, -1), None)
        if root.ends:
            ways[root, start] = []
            complete(root.ends, start, (root, start))
        todo += [(root.tokens[token], start - 1, None, None) for token in literal if token in root.tokens]
        while todo or agenda:
            if not todo:
                category, end = agenda.pop()
                part = start, end, category
                todo += [(node, end, item, part) for node, item in waiting.get(category, ())]
                if category in root.parts:
                    todo.append((root.parts[category], end, None, part))
                continue
            node, place, before, way = todo.pop()
            item = node, place
            if item in ways:
                ways[item].append((before, way))
                continue
            ways[item] = [(before, way)]
            complete(node.ends if place >= 0 else (), place, item)
            if place <= 0:
                if begun and (node.below or place < 0):
                    complete(node.whole, -1, item)
                if place < 0:
                    continue
            else:
                tokens = every[place].first[0]
                todo += [(node.tokens[token], place - 1, item, None) for token in tokens if token in node.tokens]
            if place == start:  # what is here is not known yet
                for category, after in node.parts.items():
                    waiting[category].append((after, item))
            here = every[place].built
            todo += [
                (node.parts[category], end, item, (place, end, category))
                for category in node.parts
                if category in here
                for end in here[category]
            ]


def coarse(entry: Entry) -> Coarse:
    """An entry without the features of its words."""
    return entry.literal, frozenset((str(kind[0]), int(kind[1])) for kind in entry.kinds)
