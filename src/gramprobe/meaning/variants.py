"""What variants of sentences over slots mean: composed once for all that differ in the names of their slots alone, in
whatever grammar.

Paradigms of a phenomenon have sentences of the same constructors, in which draws have other names. The *form* of a tree
has numbers in the places of the symbols of slots; of a constructor it has the number of all that it means where its
cases ask for these values. So forms do not hang on the grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, count

from gramprobe.meaning.columns import consulted, consulted_at
from gramprobe.meaning.compose import Composer, readings
from gramprobe.meaning.reading import OPEN, Reading, exchanging, symbol
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.tree import Apply, Slot, Tree
from gramprobe.syntax.tree import Operand
from gramprobe.words.linearise import Chosen, operand_value

MOST = 1 << 12
"""So many forms are remembered."""

#: the symbols of the first tree of a form, its readings, and for each of these what puts other symbols into it
_Found = tuple[tuple[str, ...], tuple[Reading, ...], list[Callable[[Mapping[str, str]], Reading]]]
_known: dict[object, _Found] = {}
_numbers: dict[object, int] = {}
"""What constructors mean, in any grammar, as far as trees had them."""
_next = count()  # not how many there are: another thread may be adding one, and no two may have the same number


def number_of(meant: tuple[object, ...]) -> int:
    """The number of what a constructor means, the same for equal ones, in a process."""
    return _numbers.setdefault(meant, next(_next))


class VariantComposer(Composer):
    """Composes the variants of sentences. Parts that are the same in several, with the same values of what their
    meanings ask for, are composed once for each place."""

    def __init__(self, grammar: Grammar):
        super().__init__({}, grammar)
        self._numbers: dict[object, int] = {}
        self._of: dict[int, int] = {}
        self._named = tuple(grammar.readings.items())

    def readings(self, tree: Tree, chosen: Chosen) -> tuple[Reading, ...]:
        """What `compose.readings` gives."""
        self.chosen, self._of = chosen, {}
        numbers: dict[str, int] = {}
        key = self._named, self._form(tree, numbers)
        symbols = tuple(numbers)
        found = _known.get(key)
        if found is None:
            if len(_known) >= MOST:
                _known.pop(next(iter(_known)), None)
            found = _known[key] = symbols, readings(tree, chosen, self.grammar, self), []
        first, composed, others = found
        if first == symbols:
            return composed
        if not others:
            others[:] = [exchanging(each, first) for each in composed]  # another thread may have done so meanwhile
        words = dict(zip(first, symbols, strict=True))
        return tuple([change(words) for change in others])

    def key(self, tree: Apply, place: str) -> object:
        return place, self._number(tree)

    def _number(self, tree: Tree) -> int:
        """The same number for trees that mean the same: of equal constructors, words and values."""
        number = self._of.get(id(tree))
        if number is None:
            key: object = tree
            if isinstance(tree, Apply):
                asked = chain(*consulted_at(tree, self.grammar))
                values = [self.chosen.get((slot.path, column)) for slot, column in asked]
                key = id(tree.constructor), tree.breach, (*values,), (*map(self._number, tree.arguments),)
            number = self._of[id(tree)] = self._numbers.setdefault(key, len(self._numbers))
        return number

    def _form(self, tree: Tree, numbers: dict[str, int]) -> object:
        """The form of a tree; the symbols of its slots are numbered as they first occur."""
        if isinstance(tree, Slot):
            return numbers.setdefault(symbol(tree), len(numbers))
        if not isinstance(tree, Apply):
            return tree
        columns = [
            (name, numbers.setdefault(held, len(numbers)) if held.startswith(OPEN) else held)
            for name, held in self.columns(tree)
        ]
        return self._meaning_of(tree), *columns, *[self._form(each, numbers) for each in tree.arguments]

    def _meaning_of(self, tree: Apply) -> int:
        """The number of all that the constructor at the root of a tree means there."""
        constructor, grammar = tree.constructor, self.grammar
        values = tuple([self._value(each, tree) for each in consulted(constructor, grammar)[0]])
        key = "meaning of variants", id(constructor), values
        if key not in grammar.shared:
            grammar.shared[key] = constructor, number_of(self.meant(tree))
        found: tuple[Constructor, int] = grammar.shared[key]
        return found[1]

    def _value(self, operand: Operand, tree: Apply) -> str | None:
        try:
            return operand_value(operand, tree, {}, self.chosen, self.grammar)
        except KeyError:  # requested by the constructor around: in a case of a meaning, that is an error below
            return None
