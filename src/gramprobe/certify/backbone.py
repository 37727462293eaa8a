"""What a chart need not have: parts that are in no tree of the sentence, whatever their features are.

A grammar without its features and without what is carried upward is context-free: its backbone. It has every tree of
the grammar, with and without a lifted constraint. So a part that is in none of its trees of a sentence is in no tree
of that sentence, and neither is a part that such a part is built into: leaving out all of them changes nothing of what
is built of the others. Nor does it matter what features a word has for which no rule of these trees asks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gramprobe.certify.reject import CertificateError

OTHER = "*"
"""What a word has in the place of a value for which no rule asks."""

#: start, end, category
Cell: TypeAlias = tuple[int, int, str]
#: of a token the tokens of productions that it may be, and category and length of the words that begin there
Bare: TypeAlias = tuple[frozenset[str], frozenset[tuple[str, int]]]
_Feature: TypeAlias = tuple[str, str]


class _Rule:
    """A production without its features: the category, the daughters, and what those productions ask of which nothing
    else is left."""

    def __init__(self, category: str) -> None:
        self.category = category
        self.asks: set[tuple[_Feature, str]] = set()
        self.alike: set[tuple[_Feature, _Feature]] = set()
        self.compares: set[tuple[_Feature, str]] = set()
        self.carries: set[str] = set()
        self.tokens: set[str] = set()

    def add(self, production: Mapping[str, Any]) -> None:
        mother = production["features"]
        categories = {}
        for wanted in production["daughters"]:
            if isinstance(wanted, str):
                self.tokens.add(wanted)
                continue
            category = categories[wanted["argument"]] = wanted["category"]
            handed = wanted.get("handed", ())
            for name, value in wanted["features"].items():
                if value is not None:
                    self.asks.add(((category, name), value))
                if name in handed or (value is None and mother.get(name, OTHER) is None):
                    self.alike.add(((self.category, name), (category, name)))
            for name, values in wanted.get("others", {}).items():
                self.asks |= {((category, name), value) for value in values}
        for line in production.get("carrying", ()):
            if line["how"] == "carries":
                self.carries.add(line["kind"])
            if line.get("by") in categories:
                names = [*line.get("equal", ()), *(each[1] for each in line.get("related", ()))]
                self.compares |= {((categories[line["by"]], name), line["kind"]) for name in names}
        if any(value == OTHER for _, value in self.asks):
            raise CertificateError(f"a production of `{self.category}` asks for the value `{OTHER}`")


class _State:
    """Rules that begin alike."""

    def __init__(self) -> None:
        self.by_token: dict[str, _State] = {}
        self.by_category: dict[str, _State] = {}
        self.rules: dict[str, _Rule] = {}

    def add(self, production: Mapping[str, Any]) -> None:
        state, category = self, production["category"]
        for each in production["daughters"]:
            known = state.by_token if isinstance(each, str) else state.by_category
            state = known.setdefault(each if isinstance(each, str) else each["category"], _State())
        state.rules.setdefault(category, _Rule(category)).add(production)


class _Item(NamedTuple):
    """Rules of which the daughters from one place to another are found."""

    state: _State
    start: int
    end: int


class Used(NamedTuple):
    """What the trees of the backbone use: their cells, their tokens, and for each feature the values that rules ask
    for; None where two parts are compared by it."""

    cells: frozenset[Cell]
    tokens: frozenset[str]
    told: Mapping[_Feature, frozenset[str] | None]

    def entries(self, entries: Sequence[Any]) -> list[list[Any]]:
        """The entries without words and tokens in no tree, and without what no rule asks of the others."""
        return [
            [
                [token for token in literal if token in self.tokens],
                sorted(map(list, {self._word(w) for w in words if (at, at + w[1], w[0]) in self.cells}), key=str),
            ]
            for at, (literal, words) in enumerate(entries)
        ]

    def _word(self, word: Sequence[Any]) -> tuple[Any, ...]:
        category, length, *features = word
        return category, length, *self._kept(category, features)

    def _kept(self, category: str, features: Iterable[str]) -> Iterator[str]:
        for feature in features:
            name, value = feature.split("=", 1)
            asked = self.told.get((category, name), frozenset())
            if asked is None or value in asked:
                yield feature
            elif asked:
                yield f"{name}={OTHER}"


class Backbone:
    """A grammar without its features."""

    def __init__(self, grammar: Mapping[str, Any]) -> None:
        self._begin = _State()
        self._finals = {(each["category"], each["final"]) for each in grammar["sentences"]}
        for production in grammar["productions"]:
            self._begin.add(production)
        self._known: dict[tuple[Bare, ...], Used] = {}

    def of(self, entries: Sequence[Any]) -> Used:
        """What the trees of a sentence of these entries use."""
        bare = tuple((frozenset(literal), frozenset((w[0], w[1]) for w in words)) for literal, words in entries)
        if bare not in self._known:
            self._known[bare] = self._used(bare)
        return self._known[bare]

    def _used(self, bare: tuple[Bare, ...]) -> Used:
        origins = self._origins(bare)
        last = len(bare) - 1
        wholes = [(0, last, category) for category, final in self._finals if bare and final in bare[last][0]]
        todo = [cell for cell in wholes if cell in origins]
        cells, rules, seen = set(todo), set[_Rule](), set[_Item]()
        while todo:
            cell = todo.pop()
            items = [item for item, _ in origins[cell] if item is not None]
            rules.update(item.state.rules[cell[2]] for item in items)
            while items:
                item = items.pop()
                if item not in seen:
                    seen.add(item)
                    for before, part in origins[item]:
                        items += [before] if before is not None else []
                        if part is not None and part not in cells:
                            cells.add(part)
                            todo.append(part)
        tokens = {token for rule in rules for token in rule.tokens} | {final for _, final in self._finals}
        return Used(frozenset(cells), frozenset(tokens), _told(rules))

    def _origins(self, bare: Sequence[Bare]) -> dict[Any, list[tuple[_Item | None, Cell | None]]]:
        """Every cell that can be filled and every item, each with the item and the part that it is made of."""
        origins: dict[Any, list[tuple[_Item | None, Cell | None]]] = {}
        agenda: list[Any] = []
        ends: list[dict[str, list[_Item]]] = [defaultdict(list) for _ in range(len(bare) + 1)]
        begins: list[dict[str, list[Cell]]] = [defaultdict(list) for _ in range(len(bare) + 1)]

        def found(what: Any, item: _Item | None, part: Cell | None) -> None:
            if what not in origins:
                origins[what] = []
                agenda.append(what)
            origins[what].append((item, part))

        for at in range(len(bare) + 1):
            found(_Item(self._begin, at, at), None, None)
        for at, (_, words) in enumerate(bare):
            for category, length in words:
                if at + length <= len(bare):
                    found((at, at + length, category), None, None)
        while agenda:
            what = agenda.pop()
            if isinstance(what, _Item):
                for category in what.state.rules:
                    found((what.start, what.end, category), what, None)
                if what.state.by_token and what.end < len(bare):
                    for token in bare[what.end][0] & what.state.by_token.keys():
                        found(_Item(what.state.by_token[token], what.start, what.end + 1), what, None)
                for category, after in what.state.by_category.items():
                    ends[what.end][category].append(what)
                    for cell in begins[what.end].get(category, ()):
                        found(_Item(after, what.start, cell[1]), what, cell)
            else:
                start, end, category = what
                begins[start][category].append(what)
                for item in ends[start].get(category, ()):
                    found(_Item(item.state.by_category[category], item.start, end), item, what)
        return origins


def _told(rules: Iterable[_Rule]) -> dict[_Feature, frozenset[str] | None]:
    """For each feature the values that rules ask for, of it or of a feature that has its value; None where what is
    carried is compared by it."""
    groups: dict[_Feature, set[_Feature]] = {}
    for rule in rules:
        for pair in rule.alike:
            one, other = (groups.setdefault(each, {each}) for each in pair)
            if one is not other:
                one |= other
                groups.update(dict.fromkeys(other, one))
    carried = {kind for rule in rules for kind in rule.carries}
    asked: dict[_Feature, set[str]] = defaultdict(set)
    apart: set[_Feature] = set()
    for rule in rules:
        for feature, value in rule.asks:
            for each in groups.get(feature, {feature}):
                asked[each].add(value)
        for feature, kind in rule.compares:
            apart |= groups.get(feature, {feature}) if kind in carried else set()
    every = {**{feature: frozenset(values) for feature, values in asked.items()}}
    return {**every, **dict.fromkeys(apart)}
