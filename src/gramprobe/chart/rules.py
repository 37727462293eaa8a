"""A compiled grammar as a chart reads it: rules and words by what they begin with, features by place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

from gramprobe.compiled.data import Compiled, Production, Word

#: the values of a category's features, by place; None for a feature that it does not name
Values = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A daughter: her category, the values that she must have by place, and the places whose values the mother gets."""

    category: str
    fixed: tuple[tuple[int, str], ...]
    shared: tuple[int, ...]

    def given(self, values: Values, shared: Values) -> Values | None:
        """What the mother gets from an edge with these values, or, if it is not the head, ``shared``; None if it does
        not fit."""
        for place, value in self.fixed:
            if values[place] is not None and values[place] != value:
                return None
        return tuple(values[place] for place in self.shared) if self.shared else shared


@dataclass(frozen=True, slots=True)
class Rule:
    """A production by places. ``shared``: the mother's places whose values are the head's, in the head's order."""

    production: Production
    values: Values
    shared: tuple[int, ...]
    daughters: tuple[str | Wanted, ...]

    def mother(self, shared: Values) -> Values:
        """The values of the mother, those of her head given."""
        if not shared:
            return self.values
        values = list(self.values)
        for place, value in zip(self.shared, shared, strict=True):
            values[place] = value
        return tuple(values)


class Begun(NamedTuple):
    """The rules of which an edge can be the first daughter, each with what it hands on if it is the head: by the token,
    or by the category, that is wanted behind it; and those that are complete."""

    by_token: dict[str, list[tuple[Rule, Values]]]
    by_category: dict[str, list[tuple[Rule, Values]]]
    whole: list[tuple[Rule, Values]]


class Rules:
    """The rules and words of a grammar.

    Attributes:
        grammar: what they were made of.
        by_token, by_category: rules by their first daughter.
        empty: rules without a daughter.
        words: first token -> the words that begin with it, each with its values.
        known: every token that the grammar spells.
    """

    def __init__(self, grammar: Compiled) -> None:
        self.grammar = grammar
        named: dict[str, dict[str, None]] = defaultdict(dict)
        for production in grammar.productions:
            named[production.category].update(dict.fromkeys(production.features))
            for daughter in production.daughters:
                if not isinstance(daughter, str):
                    named[daughter.category].update(dict.fromkeys(daughter.features))
        for word in grammar.words:
            named[word.category].update(dict.fromkeys(word.features))
        self._places = {c: {f: place for place, f in enumerate(features)} for c, features in named.items()}
        self.by_token: dict[str, list[Rule]] = defaultdict(list)
        self.by_category: dict[str, list[Rule]] = defaultdict(list)
        self.empty: list[Rule] = []
        for rule in {_key(p): self._rule(p) for p in grammar.productions}.values():
            first = rule.daughters[0] if rule.daughters else None
            if first is None:
                self.empty.append(rule)
            elif isinstance(first, str):
                self.by_token[first].append(rule)
            else:
                self.by_category[first.category].append(rule)
        self.words: dict[str, list[tuple[Word, Values]]] = defaultdict(list)
        self.known = {d for p in grammar.productions for d in p.daughters if isinstance(d, str)}
        self.known.update(sentence.final for sentence in grammar.sentences)
        self._begun: dict[tuple[str, Values], Begun] = {}
        self._above: dict[str, frozenset[str]] = {}
        for word in grammar.words:
            self.add(word)

    def begun(self, category: str, values: Values) -> Begun:
        """The rules of which an edge with these values can be the first daughter."""
        key = category, values
        if key not in self._begun:
            found = self._begun[key] = Begun(defaultdict(list), defaultdict(list), [])
            for rule in self.by_category.get(category, ()):
                shared = rule.daughters[0].given(values, ())  # type: ignore[union-attr]
                if shared is not None:
                    behind = rule.daughters[1] if len(rule.daughters) > 1 else None
                    if behind is None:
                        found.whole.append((rule, shared))
                    elif isinstance(behind, str):
                        found.by_token[behind].append((rule, shared))
                    else:
                        found.by_category[behind.category].append((rule, shared))
        return self._begun[key]

    def starting(self, token: str) -> frozenset[str]:
        """The categories of which something can begin with a token, where no rule is empty."""
        first = {word.category for word, _ in self.words.get(token, ())}
        first.update(rule.production.category for rule in self.by_token.get(token, ()))
        return frozenset().union(*map(self._over, first))

    def _over(self, category: str) -> frozenset[str]:
        """A category, and those of which it can be the first part, directly or by way of others."""
        if category not in self._above:
            found, todo = {category}, [category]
            while todo:
                above = {rule.production.category for rule in self.by_category.get(todo.pop(), ())} - found
                found |= above
                todo += above
            self._above[category] = frozenset(found)
        return self._above[category]

    def add(self, word: Word) -> None:
        """Add a form of a word; features that no rule names are passed over, and what it leaves out it has in every
        value."""
        self.words[word.tokens[0]].append((word, self._values(word.category, word.features)))
        self.known.update(word.tokens)

    def also(self, words: Iterable[Word]) -> Rules:
        """The same rules with further words. The words of these rules stay as they are."""
        other = copy(self)
        other.words, other.known = defaultdict(list, {k: [*v] for k, v in self.words.items()}), set(self.known)
        for word in words:
            other.add(word)
        return other

    def _values(self, category: str, features: Mapping[str, str | None]) -> Values:
        return tuple(features.get(name) for name in self._places[category])

    def _rule(self, production: Production) -> Rule:
        mother = self._places[production.category]
        handed = [name for name, value in production.features.items() if value is None]
        daughters: list[str | Wanted] = []
        shared: tuple[int, ...] = ()
        for daughter in production.daughters:
            if isinstance(daughter, str):
                daughters.append(daughter)
                continue
            places, asked = self._places[daughter.category], daughter.features
            both = [name for name in handed if name in asked and asked[name] is None]
            if both:
                shared = tuple(mother[name] for name in both)
            daughters.append(
                Wanted(
                    category=daughter.category,
                    fixed=tuple((places[name], value) for name, value in asked.items() if value is not None),
                    shared=tuple(places[name] for name in both),
                )
            )
        return Rule(production, self._values(production.category, production.features), shared, tuple(daughters))


def _key(production: Production) -> tuple[object, ...]:
    """What makes a production: two that differ in nothing here are one, since their trees are."""
    return (
        production.constructor,
        production.category,
        tuple(production.features.items()),
        tuple(
            d if isinstance(d, str) else (d.argument, d.category, tuple(d.features.items()))
            for d in production.daughters
        ),
        tuple(production.values.items()),
    )
