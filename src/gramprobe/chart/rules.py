"""A compiled grammar as a chart reads it: rules as a tree of what they begin with, features by place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from gramprobe.compiled.data import Carrying, Compiled, Daughter, Production, Word, shared

#: what a daughter breaks where no line says what it is
WEAKEST = "form"
#: the values of a category's features, by place; None for a feature that it does not name
Values = tuple[str | None, ...]


class Fixed(NamedTuple):
    """A value that a daughter must have at a place; the constraint that she breaks with another one; and the values
    with which she breaks another constraint, of another part."""

    place: int
    value: str
    constraint: str
    others: tuple[str, ...]


class Wanted(NamedTuple):
    """A daughter.

    Attributes:
        category: hers.
        fixed: the values that she must have.
        shared: the places whose values the mother gets.
        handed: places, of hers and of the mother, of fixed values that the mother has from her.
        kept: the places whose values something carried is compared with.
        lets: what passes only by line, and may pass from her or end in her.
    """

    category: str
    fixed: tuple[Fixed, ...]
    shared: tuple[int, ...]
    handed: tuple[tuple[int, int], ...]
    kept: tuple[int, ...]
    lets: frozenset[str]


@dataclass(frozen=True, slots=True)
class Line:
    """What a rule does with a kind of what is carried (`compiled.data.Carrying`), by places: `parts`: numbers of
    daughters; `by`: of the daughter with which it is compared (-1: none; without words: nothing is known of her);
    `equal`, `related`: places of the kind, and of what is kept of that daughter."""

    how: str
    constraint: str
    parts: tuple[int, ...]
    values: Values
    by: int
    equal: tuple[tuple[int, int], ...]
    related: tuple[tuple[int, int, frozenset[tuple[str | None, str | None]]], ...]


class Rule(NamedTuple):
    """A production by places. ``shared``: the mother's places whose values are the head's, in the head's order;
    ``said``: how many daughters are no tokens; ``carrying``: kind -> what the rule does with it; ``by_itself``: whether
    it does something where no daughter carries anything: it has what is carried, or wants it to be filled."""

    production: Production
    values: Values
    shared: tuple[int, ...]
    said: int
    carrying: dict[str, tuple[Line, ...]]
    by_itself: bool

    def mother(self, shared: Values, own: tuple[tuple[int, str | None], ...]) -> Values:
        """The values of the mother, those of her head given, and those that her head has where others were wanted."""
        if not shared and not own:
            return self.values
        values = list(self.values)
        for place, value in zip(self.shared, shared, strict=True):
            values[place] = value
        for place, value in own:
            values[place] = value
        return tuple(values)


@dataclass(slots=True)
class Node:
    """Where rules stand that begin alike: how they go on, by token or daughter, and those that end here.

    ``depth``: how many daughters stand before it.
    """

    depth: int = 0
    tokens: dict[str, Node] = field(default_factory=dict)
    wanted: dict[str, dict[Wanted, Node]] = field(default_factory=lambda: defaultdict(dict))
    ends: list[Rule] = field(default_factory=list)


class Rules:
    """The rules and words of a grammar.

    Attributes:
        grammar: what they were made of.
        root: where all rules begin.
        carried: what is carried upward, by name; by_line: those of them that pass only where a line says so.
        known: every token that the grammar spells; literal: those of rules, and final signs; inner: those of words
            behind their first.
        ends: rules that end at a node or behind it, by its identity, as far as they were asked for (`judge`).
    """

    def __init__(self, grammar: Compiled) -> None:
        self.grammar = grammar
        self.carried = {each.name: each for each in grammar.carried}
        self.by_line = frozenset(each.name for each in grammar.carried if each.by_line)
        named: dict[str, dict[str, str | None]] = defaultdict(dict)
        seen: set[tuple[str, int]] = set()  # what is read from a file has objects that many productions share
        for production in grammar.productions:
            for each in (production, *production.daughters):
                if not isinstance(each, str) and (key := (each.category, id(each.features))) not in seen:
                    seen.add(key)
                    named[each.category].update(each.features)
        self._words: dict[str, list[Word]] = {}  # by first token
        self._spelt: dict[str, list[tuple[Word, Values]]] = {}  # those that were asked for
        self.inner: set[str] = set()
        for word in grammar.words:
            named[word.category].update(word.features)
            first, *others = word.tokens
            self.inner.update(others)
            if first in self._words:
                self._words[first].append(word)
            else:
                self._words[first] = [word]
        self._places = {c: {f: place for place, f in enumerate(features)} for c, features in named.items()}
        self.root = Node()
        self._wanted: dict[tuple[object, ...], tuple[Wanted, tuple[int, ...], list[str]]] = {}
        self._mothers: dict[tuple[str, int], tuple[tuple[str, ...], Values]] = {}
        contents = _Contents()
        for each in {contents.of(p): p for p in grammar.productions}.values():
            self._add(each)
        finals = [sentence.final for sentence in grammar.sentences]
        self.literal = frozenset(
            [*finals, *[d for p in grammar.productions for d in p.daughters if isinstance(d, str)]]
        )
        self.ends: dict[int, list[Rule]] = {}
        self.known = {*self.literal, *self._words, *self.inner}

    def spelt(self, token: str) -> list[tuple[Word, Values]]:
        """The words that begin with a token, each with its values: features that no rule names are passed over, and
        what a word leaves out it has in every value."""
        found = self._spelt.get(token)
        if found is None:
            words = self._words.get(token, ())
            found = self._spelt[token] = [(word, self.values(word.category, word.features)) for word in words]
        return found

    def add(self, word: Word) -> None:
        """Add a form of a word."""
        first, *others = word.tokens
        self._words[first] = [*self._words.get(first, ()), word]
        self._spelt.pop(first, None)
        self.known.update(word.tokens)
        self.inner.update(others)

    def also(self, words: Iterable[Word]) -> Rules:
        """The same rules with further words. The words of these rules stay as they are."""
        other = copy(self)
        other._words, other._spelt = {**self._words}, {**self._spelt}
        other.known, other.inner = {*self.known}, {*self.inner}
        for word in words:
            other.add(word)
        return other

    def can_be(self, wanted: Wanted) -> bool:
        """Whether some rule may make a daughter with the values that she must have, looked at one by one."""
        there = self._there
        return all({None, fixed.value} & there[wanted.category, fixed.place] for fixed in wanted.fixed)

    @cached_property
    def _there(self) -> dict[tuple[str, int], set[str | None]]:
        """Category and place -> the values that rules give it; None: any, as where there are words, of which a grammar
        that was reduced lacks most."""
        found: dict[tuple[str, int], set[str | None]] = defaultdict(set)
        for category in {each.category for each in self.grammar.words}:
            for place in self._places[category].values():
                found[category, place].add(None)
        above: dict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)
        for production in self.grammar.productions:
            given = dict.fromkeys(self._places[production.category], False)
            for (_, name), (category, theirs) in (
                pair for part in production.daughters if not isinstance(part, str) for pair in shared(production, part)
            ):
                given[name] = True
                own = production.category, self._places[production.category][name]
                above[category, self._places[category][theirs]].add(own)
            for name, place in self._places[production.category].items():
                value = production.features.get(name)
                if value is not None or not given[name]:
                    found[production.category, place].add(value)
        todo = [*found]
        while todo:
            below = todo.pop()
            for mothers in above[below]:
                if not found[below] <= found[mothers]:
                    found[mothers] |= found[below]
                    todo.append(mothers)
        return found

    def names(self, category: str) -> tuple[str, ...]:
        """The features of a category, by place."""
        return tuple(self._places[category])

    def values(self, category: str, features: Mapping[str, str | None]) -> Values:
        """The values of some features of a category, by place."""
        return tuple([features.get(name) for name in self._places[category]])

    def _add(self, production: Production) -> None:
        """Add a production to the tree of rules."""
        of = production.category, id(production.features)
        if of not in self._mothers:
            handed = tuple(name for name, value in production.features.items() if value is None)
            self._mothers[of] = handed, self.values(production.category, production.features)
        handed, values = self._mothers[of]
        numbers = [daughter.argument for daughter in production.daughters if not isinstance(daughter, str)]
        compared: dict[int, list[str]] = {}
        lets: dict[int, set[str]] = {}
        for line in production.carrying:
            if line.by is not None:
                compared[line.by] = [*compared.get(line.by, ()), *line.equal, *[c for _, c, _ in line.related]]
            for argument in numbers if line.how == "all" else line.arguments:
                lets.setdefault(argument, set()).add(line.kind)
        node, shared = self.root, tuple[int, ...]()
        kept: dict[int, list[str]] = {}
        for daughter in production.daughters:
            if isinstance(daughter, str):
                after = node.tokens.get(daughter)
                if after is None:
                    after = node.tokens[daughter] = Node(node.depth)
                node = after
                continue
            argument = daughter.argument
            let = self.by_line & lets[argument] if argument in lets else _NOTHING
            names = (*compared.get(argument, ()),)
            key = id(daughter), production.category, handed, let, names
            if key not in self._wanted:
                self._wanted[key] = self._wants(daughter, production.category, handed, names, let)
            wanted, both, kept[argument] = self._wanted[key]
            if both:
                shared = both
            known = node.wanted[daughter.category]
            after = known.get(wanted)
            if after is None:
                after = known[wanted] = Node(node.depth + 1)
            node = after
        carrying: dict[str, tuple[Line, ...]] = {}
        for line in production.carrying:
            carrying[line.kind] = (*carrying.get(line.kind, ()), self._line(line, numbers, kept))
        by_itself = any(line.how in ("carries", "fills") for line in production.carrying)
        node.ends.append(Rule(production, values, shared, len(numbers), carrying, by_itself))

    def _wants(
        self, daughter: Daughter, mother: str, handed: tuple[str, ...], compared: Iterable[str], lets: frozenset[str]
    ) -> tuple[Wanted, tuple[int, ...], list[str]]:
        """A daughter of a production of some category by places; the places of the mother that have her values, and the
        names of her values that are kept."""
        above, places, asked = self._places[mother], self._places[daughter.category], daughter.features
        both = [name for name in handed if name in asked and asked[name] is None]
        kept = [name for name in dict.fromkeys(compared) if name in places]
        wanted = Wanted(
            category=daughter.category,
            fixed=tuple(
                Fixed(places[n], value, daughter.constraints.get(n, WEAKEST), daughter.others.get(n, ()))
                for n, value in asked.items()
                if value is not None
            ),
            shared=tuple(places[name] for name in both),
            handed=tuple((places[name], above[name]) for name in daughter.handed),
            kept=tuple(places[name] for name in kept),
            lets=lets,
        )
        return wanted, tuple(above[name] for name in both), kept

    def _line(self, line: Carrying, numbers: list[int], kept: Mapping[int, list[str]]) -> Line:
        features, others = self.carried[line.kind].features, kept.get(-1 if line.by is None else line.by, [])
        return Line(
            how=line.how,
            constraint=line.constraint,
            parts=tuple(numbers.index(a) for a in line.arguments if a in numbers),
            values=tuple(line.values.get(name) for name in features),
            by=numbers.index(line.by) if line.by in numbers else -1,
            equal=tuple((features.index(n), others.index(n)) for n in line.equal if n in others),
            related=tuple(
                (features.index(name), others.index(column), frozenset(pairs))
                for name, column, pairs in line.related
                if column in others
            ),
        )


_NOTHING: frozenset[str] = frozenset()


class _Contents:
    """Numbers productions by what makes them: two that differ in nothing here are one, since their trees are."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._of: dict[int, int] = {}

    def of(self, production: Production) -> tuple[object, ...]:
        parts = [each if isinstance(each, str) else self._number(each) for each in production.daughters]
        features, values = self._number(production.features), self._number(production.values)
        carrying = self._number(production.carrying) if production.carrying else None
        return (production.constructor, production.category, features, values, carrying, *parts)

    def _number(self, part: Any) -> int:
        number = self._of.get(id(part))
        if number is None:
            if isinstance(part, Daughter):
                key: object = part.argument, part.category, *part.features.items()
            else:
                key = str(part)
            number = self._of[id(part)] = self._numbers.setdefault(key, len(self._numbers))
        return number
