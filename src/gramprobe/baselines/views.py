"""What a reader that does not reason sees of a row.

    hypothesis    the hypothesis alone, its drawn words by class
    premise       the premise alone, its drawn words by class
    verbs         the words of both sentences without their order: drawn words by class, and by role, that is how often
                  the same draw stands in the premise and in the hypothesis

The class of a drawn word is all of it on which a label can depend: the axioms about it, and the features that meanings
look at (`know` and `remember` have one class, `think` another). Words of the grammar itself are seen as they are,
except that differences of agreement are not (`a` or `an`, `was` or `were`, `he` or `she`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import SlotWords, numbered
from gramprobe.meaning.compose import consulted_by_meaning
from gramprobe.resolve.paradigm.data import Condition, Pair
from gramprobe.resolve.tree import Apply, Composite, Given, Slot, Tree, nodes, put
from gramprobe.space.space import Draws
from gramprobe.words.variants import drawn_category, skeletons_of

Numbers = NDArray[np.int64]

READERS = ("hypothesis", "premise", "verbs")

_ALIKE = {
    "an": "a",
    "were": "was",
    "weren't": "wasn't",
    "are": "is",
    "aren't": "isn't",
    "have": "has",
    "haven't": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "she": "he",
    "her": "his",
    "him": "his",
    "it": "he",
    "its": "his",
}
"""Words that differ in agreement alone -> the one that stands for them."""


class Word(Struct, frozen=True):
    """A drawn word as a reader sees it: the path of its slot, its class, its form (in a tree: its
    category)."""

    slot: str
    kind: Hashable
    form: str

    @property
    def draw(self) -> str:
        """The name of the draw."""
        return self.slot.partition(".")[0]


Token = str | Word


@dataclass
class Views:
    """The keys of the rows of one paradigm. A key is a number, equal for rows that look the same to the reader."""

    decisions: Decisions
    draws: Draws
    _known: dict[Hashable, int] = field(default_factory=dict)
    _texts: dict[str, tuple[Numbers, list[tuple[Token, ...]]]] = field(default_factory=dict)
    _trees: dict[tuple[str, str], tuple[Numbers, list[tuple[Token, ...]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._words = SlotWords(self.decisions.plan)

    def levels(self, reader: str, pair: Pair) -> tuple[Numbers, ...]:
        """(instances,) keys of the rows of a pair for a reader, from fine to coarse.

        The keys are those of the texts; of the trees, in which a drawn phrase is a single unknown; of the trees whose
        words are known by their features alone; and of the trees whose words are unknown.
        """
        names = {"hypothesis": (pair.hypothesis,), "premise": (pair.premise,), "verbs": (pair.premise, pair.hypothesis)}
        key = _in_order if reader != "verbs" else _bags
        views = [
            [self.texts(name) for name in names[reader]],
            *([self.trees(name, seen) for name in names[reader]] for seen in ("class", "features", "nothing")),
        ]
        levels = []
        for sides in views:
            code, first = numbered([numbers for numbers, _ in sides], len(self.draws))
            keys = [self._number(key(*(known[numbers[row]] for numbers, known in sides))) for row in first.tolist()]
            levels.append(np.array(keys, np.int64)[code])
        return tuple(levels)

    def texts(self, name: str) -> tuple[Numbers, list[tuple[Token, ...]]]:
        """The texts of a condition as readers see them: (instances,) numbers, and the text of each number."""
        if name not in self._texts:
            self._texts[name] = self._read(self._condition(name))
        return self._texts[name]

    def _read(self, condition: Condition) -> tuple[Numbers, list[tuple[Token, ...]]]:
        known: dict[tuple[Token, ...], int] = {}
        numbers = np.zeros(len(self.draws), np.int64)
        kinds: dict[Slot, tuple[Numbers, list[Hashable]]] = {}
        consulted = self._consulted(condition.tree)
        for rows, columns in self.decisions.plan.realiser.filled(condition, self.draws):
            codes: list[Numbers] = []
            for filled in columns:
                codes.append(filled.variant)
                form = filled.variants[0].form
                if form is not None:
                    if form.slot not in kinds:
                        kinds[form.slot] = self._kinds(form.slot, consulted)
                    codes.append(kinds[form.slot][0][filled.member])
            whole, first = numbered(codes, len(rows))
            table = []
            for row in first.tolist():
                text: list[Token] = []
                for filled in columns:
                    segment = filled.variants[int(filled.variant[row])]
                    text += _plain(segment.before)
                    if segment.form is not None:
                        slot = segment.form.slot
                        of, values = kinds[slot]
                        text.append(Word(slot.path, values[int(of[int(filled.member[row])])], segment.form.form))
                    text += _plain(segment.after)
                table.append(known.setdefault(tuple(text), len(known)))
            numbers[rows] = np.array(table, np.int64)[whole]
        return numbers, list(known)

    def trees(self, name: str, seen: str) -> tuple[Numbers, list[tuple[Token, ...]]]:
        """The trees of a condition: (instances,) numbers, and the nodes of each number from left to right.

        ``seen``: what is seen of a drawn word: its `class`, its `features`, or `nothing`.
        """
        if (name, seen) not in self._trees:
            tree = self._condition(name).tree
            consulted = self._consulted(tree)
            slots = list(dict.fromkeys(node for node in nodes(tree) if isinstance(node, Slot)))
            kinds = {slot: self._kinds(slot, consulted, seen) for slot in slots}
            code, first = numbered([kinds[s][0][self.draws.columns[s.name]] for s in slots], len(self.draws))
            table = []
            for row in first.tolist():
                classes = {s: kinds[s][1][int(kinds[s][0][self.draws.columns[s.name][row]])] for s in slots}
                table.append(tuple(_token(node, classes) for node in nodes(tree)))
            self._trees[name, seen] = code, table
        return self._trees[name, seen]

    def _consulted(self, tree: Tree) -> dict[str, list[str | None]]:
        """Path of a slot -> the columns that meanings look at, over all boxes."""
        plan = self.decisions.plan
        columns: dict[str, dict[str | None, None]] = {}
        seen: set[str] = set()
        for box in plan.space.boxes:
            whole = put(tree, skeletons_of(box, plan.space))
            if blanked(whole) in seen:
                continue
            seen.add(blanked(whole))
            for slot, column in consulted_by_meaning(whole, plan.grammar):
                columns.setdefault(slot.path, {})[column] = None
        return {path: list(each) for path, each in columns.items()}

    def _kinds(
        self, slot: Slot, consulted: Mapping[str, list[str | None]], seen: str = "class"
    ) -> tuple[Numbers, list[Hashable]]:
        """(members,) the number of what is seen of each member of the slot's category, and what that is."""
        plan = self.decisions.plan
        drawn = drawn_category(plan.space, slot)
        columns: list[tuple[Numbers, list[Hashable]]] = []
        if drawn in plan.grammar.features:
            members = len(plan.grammar.features[drawn].values)
        else:
            members = len(plan.grammar.categories[drawn].lexemes)
            if seen == "class":
                axioms = self._words.kinds(slot)
                columns.append((axioms, list(range(int(axioms.max(initial=0)) + 1))))
        if seen != "nothing":
            for column in consulted.get(slot.path, ()):
                codes, cells = plan.space.codes(slot, column, plan.grammar)
                columns.append((codes, list(cells)))
        code, first = numbered([codes for codes, _ in columns], members)
        return code, [tuple(cells[int(codes[row])] for codes, cells in columns) for row in first.tolist()]

    def _condition(self, name: str) -> Condition:
        return self.decisions.plan.paradigm.conditions[name]

    def _number(self, key: Hashable) -> int:
        return self._known.setdefault(key, len(self._known))


def blanked(tree: Tree) -> str:
    """A tree with its draws blanked: constructors, words that the author wrote out, and the categories of draws."""
    if isinstance(tree, Apply):
        return f"{tree.constructor.name}({', '.join(blanked(a) for a in tree.arguments)})"
    return tree.value if isinstance(tree, Given) else f"_{tree.category}"


def _token(node: Tree, classes: Mapping[Slot, Hashable]) -> Token:
    match node:
        case Apply():
            return node.constructor.name
        case Given():
            return node.value
        case Slot():
            return Word(node.path, classes[node], node.category)
        case Composite():
            return Word(node.name, None, node.category)


def _plain(text: str) -> list[str]:
    return [_ALIKE.get(word, word) for word in text.lower().split()]


def _in_order(text: tuple[Token, ...]) -> Hashable:
    """A text whose draws are numbered as they first occur."""
    numbers: dict[str, int] = {}
    key: list[Hashable] = []
    for token in text:
        if isinstance(token, Word):
            key.append((numbers.setdefault(token.draw, len(numbers)), token.kind, token.form))
        else:
            key.append(token)
    return tuple(key)


def _bags(premise: tuple[Token, ...], hypothesis: tuple[Token, ...]) -> Hashable:
    """The two texts without their order; a draw is known by how often it stands in each of them."""
    counts = [Counter(token.draw for token in text if isinstance(token, Word)) for text in (premise, hypothesis)]

    def bag(text: tuple[Token, ...]) -> Hashable:
        seen: Counter[Hashable] = Counter()
        for token in text:
            if isinstance(token, Word):
                seen[tuple(count[token.draw] for count in counts), token.kind, token.form] += 1
            else:
                seen[token] += 1
        return frozenset(seen.items())

    return bag(premise), bag(hypothesis)
