"""A sentence with a constructor in it, made on the spot.

The constructor's arguments are built in the shortest way, and constructors are put around it until the whole is a
sentence. Words are chosen by the conditions of all constructors in the tree, as for an instance of a paradigm, and the
sentence is read: what has a gap or a reflexive left, or a part with another number than is asked of it, is no example.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from heapq import heappop, heappush
from itertools import chain, count

import numpy as np
from msgspec import Struct

from gramprobe.chart.cuts import cuts, unknown
from gramprobe.chart.parse import parse
from gramprobe.interpret.rules import rules_of
from gramprobe.resolve.grammar.constraints import PLAUSIBLE, name_of
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.paradigm.data import Condition, Paradigm
from gramprobe.resolve.tree import Apply, Given, Slot, Tree, category_of, put, show, slots
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.space.boxes import tests_of
from gramprobe.space.constraints import value_of
from gramprobe.space.network import Tangled
from gramprobe.space.tables import network_of
from gramprobe.words.linearise import sentence_of

_NOWHERE = Span("", 1, 1)
#: how many ways to make a sentence are tried before a constructor has no example
_MOST_TRIED = 60
#: tokens of a sentence that is read
_MOST_READ = 30
#: how many frames go on from trees of one category
_MOST_ALIKE = 3


class Example(Struct, frozen=True):
    """A tree without slots, the term that an author writes for it, and its sentence."""

    tree: Tree
    term: str
    sentence: str


def example(constructor: Constructor, grammar: Grammar, seed: int = 0) -> Example | None:
    """A sentence with the constructor; None where none was found, because some argument of it cannot be built, or no
    words satisfy its conditions."""
    return next(examples(constructor, grammar, seed), None)


def examples(constructor: Constructor, grammar: Grammar, seed: int = 0) -> Iterator[Example]:
    """Sentences with the constructor, each in another frame: asserted, denied, asked.

    Where its arguments do not fit in their shortest way, they are built in others; then what stands beside it is built
    with a gap, or whatever else a constructor can take (*which nurse* asks for one).
    """
    shortest = _Builder(grammar)
    categories = dict.fromkeys(argument.category for argument in constructor.arguments)
    others = (shortest.with_maker(c, maker) for c in categories for maker in grammar.makers(c))
    carriers = (each for each in grammar.constructors.values() if any(line.how == "carries" for line in each.carrying))
    gapped = (shortest.with_maker(each.result, each) for each in carriers)
    for builder in chain([shortest], gapped, others):
        made = _examples(constructor, builder, seed)
        first = next(made, None)
        if first is not None:
            yield first
            yield from made
            return


def _examples(constructor: Constructor, builder: _Builder, seed: int) -> Iterator[Example]:
    """Sentences with the constructor whose words fit, of the first frames that a builder makes."""
    grammar = builder.grammar
    for number, tree in enumerate(builder.sentences(constructor)):
        if number >= _MOST_TRIED:
            return
        filled = _filled(tree, grammar, seed)
        if filled is None:
            continue
        try:
            made = Example(filled, show(filled), sentence_of(filled, grammar))
        except KeyError:  # the constructor has no words for what this frame requests
            continue
        if is_read(made.sentence, grammar):
            yield made


def is_read(sentence: str, grammar: Grammar) -> bool:
    """Whether the grammar has a tree for a sentence, with all that is carried upward closed and every feature as it is
    asked for; also true of a text, of a long sentence and of one with words that no table has."""
    language = grammar.language
    rules = rules_of(grammar)
    if len(language.tokens(sentence)) > _MOST_READ or any(f"{end} " in sentence for end in language.ends):
        return True
    return bool(unknown(sentence, language, rules.known)) or any(
        parse(tokens, rules).roots for tokens in cuts(sentence, language, rules.known)
    )


class _Builder:
    """Builds trees over slots, in the shortest way first."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._numbers = count()
        self._shortest = self._sizes()
        self._instead: tuple[str, Constructor, _Builder] | None = None

    def with_maker(self, category: str, maker: Constructor) -> _Builder:
        """A builder that builds the trees of a category by this constructor, over shortest ones."""
        other = copy(self)
        other._instead = category, maker, self
        return other

    def _sizes(self) -> dict[str, tuple[int, Constructor]]:
        """Category -> the number of constructors and words in its shortest tree, and the constructor at its root.

        A tree with words in it comes before one without: `Name(p)` before `Someone`; what a constraint of grammar
        excludes from some trees (*there is* with a name) comes late.
        """
        best: dict[str, tuple[int, Constructor]] = {}
        changed = True
        while changed:
            changed = False
            for constructor in self.grammar.constructors.values():
                size = self._size(constructor, best)
                if size is not None and (constructor.result not in best or size < best[constructor.result][0]):
                    best[constructor.result] = size, constructor
                    changed = True
        return best

    def _size(self, constructor: Constructor, best: dict[str, tuple[int, Constructor]]) -> int | None:
        total = 1 if any(not argument.is_feature for argument in constructor.arguments) else 3
        total += 3 * sum(name_of(each) != PLAUSIBLE for each in constructor.where)
        for argument in constructor.arguments:
            if argument.is_feature or self._is_word(argument.category):
                total += 1
            elif argument.category in best:
                total += best[argument.category][0]
            else:
                return None
        return total

    def _is_word(self, category: str) -> bool:
        return category in self.grammar.categories and self.grammar.categories[category].lexical

    def build(self, category: str, is_feature: bool) -> Tree | None:
        """The shortest tree of a category over slots of its own; a slot for a feature or a word."""
        if is_feature or self._is_word(category):
            return Slot(f"s{next(self._numbers)}", category, is_feature)
        if self._instead is not None and category == self._instead[0]:
            return self._instead[2].apply(self._instead[1])
        if category not in self._shortest:
            return None
        return self.apply(self._shortest[category][1])

    def apply(self, constructor: Constructor, at: int = -1, inner: Tree | None = None) -> Tree | None:
        """The constructor over shortest trees, with ``inner`` as argument number ``at``."""
        arguments = [
            inner if number == at else self.build(argument.category, argument.is_feature)
            for number, argument in enumerate(constructor.given)
        ]
        if any(argument is None for argument in arguments):
            return None
        return Apply(constructor, constructor.filled([a for a in arguments if a is not None]), _NOWHERE)

    def sentences(self, constructor: Constructor) -> Iterator[Tree]:
        """Sentences with the constructor in them, in the simplest frame first.

        A frame is simple if it adds few slots; it had better select what stands in it (`where`), or take over its
        features (`head`): then its words fit.
        """
        start = self.apply(constructor)
        heap: list[tuple[float, int, Tree]] = [(0, 0, start)] if start is not None else []
        taken: Counter[str] = Counter()
        while heap:
            cost, _, tree = heappop(heap)
            category = category_of(tree)
            if category in self.grammar.sentences:
                yield tree
                continue
            taken[category] += 1
            if taken[category] > _MOST_ALIKE:
                continue
            for around in self.grammar.constructors.values():
                at = next((n for n, a in enumerate(around.given) if a.category == category), None)
                whole = self.apply(around, at, tree) if at is not None else None
                if at is not None and whole is not None:
                    added = (len(slots(whole)) - len(slots(tree))) / 2
                    closes = around.result in self.grammar.sentences or len(around.arguments) > 1
                    inherits = around.arguments[at].head and closes
                    step = 1 + added - inherits + (0 if inherits or around.where else 1)
                    heappush(heap, (cost + step, next(self._numbers), whole))


def _filled(tree: Tree, grammar: Grammar, seed: int) -> Tree | None:
    """The tree with words in its slots that satisfy every condition; None where there are none."""
    drawn = slots(tree)
    members = {
        slot.name: len(grammar.features[slot.category].values)
        if slot.is_feature
        else len(grammar.categories[slot.category].lexemes)
        for slot in drawn
    }
    findings = Findings()
    tests = tests_of(_paradigm(tree), {}, grammar, findings)
    if tests is None or findings.failed:
        return None
    try:
        network = network_of([(slot, tuple(range(members[slot.name]))) for slot in drawn], tests, grammar)
        size = network.size
    except Tangled:
        return None
    if not size:
        return None
    rank = np.random.default_rng(seed).integers(min(size, 1 << 62), size=1)
    chosen = network.solutions(rank.astype(network.dtype))
    values = {
        slot.name: Given(
            str(value_of(slot, None, int(column[0]), grammar, slot.category)), slot.category, slot.is_feature
        )
        for slot, column in zip(drawn, chosen, strict=True)
    }
    return put(tree, values)


def _paradigm(tree: Tree) -> Paradigm:
    """A paradigm with this one sentence, which the conditions on its words are computed for."""
    return Paradigm(
        name="example",
        phenomenon="",
        about="",
        citation="",
        theory="",
        theory_span=_NOWHERE,
        task="nli",
        size=1,
        split="test",
        draws=(),
        constraints=(),
        conditions={"example": Condition(name="example", side="", role="said", tree=tree, reading=None, span=_NOWHERE)},
        pairs=(),
        allows={},
        span=_NOWHERE,
    )
