"""Which reading of a sentence is its surface reading, and whether that is one of the tree that it was made from.

Of a tree with *k* noun phrases that a definition may keep in their places there are 2^k trees to compose
(`interpret.trees`). The surface reading hangs on two of them: that in which all rise, and that in which all stay.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from gramprobe.chart.cuts import cuts
from gramprobe.chart.parse import parse
from gramprobe.chart.rules import Rules
from gramprobe.formula.ast import Formula
from gramprobe.interpret.forms import form
from gramprobe.interpret.trees import Meanings, kept_versions, term
from gramprobe.judge.judge import readings_of
from gramprobe.meaning.reading import Reading
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.tree import Apply, Tree
from gramprobe.words.order import operators_in_words

#: trees that differ in which noun phrases are kept in their places: each with how many are, and its readings
Versions = Sequence[tuple[int, Tree, Sequence[Reading]]]


def surface_of(trees: Versions) -> tuple[Tree, dict[tuple[str, ...], Formula], Formula]:
    """What decides which reading of trees is the surface one (`surface_reading`): a tree, the readings by the order of
    its operators' words, and the reading for any other order."""
    _, tree, free = min(trees, key=lambda each: each[0])
    _, _, stay = max(trees, key=lambda each: each[0])
    if len(trees) > 1 and all(each.formula != stay[0].formula for each in free):
        return tree, {}, stay[0].formula
    return tree, {each.order: each.formula for each in reversed(free)}, free[0].formula


def surface_reading(trees: Versions, grammar: Grammar) -> Formula:
    """The surface reading of trees that differ in which noun phrases are kept in their places: where these may
    rise, operators have scope in the order of the words. Where nothing that rises gives the order in which all
    stay, since a noun phrase between them has no scope to take, that is the surface reading."""
    tree, by_order, otherwise = surface_of(trees)
    return by_order.get(operators_in_words(tree, {}, grammar), otherwise) if len(by_order) > 1 else otherwise


class Alone:
    """Tells of sentences that were made from trees whether they have no other one. What is found of one holds of all
    that differ in words alone of which no meaning asks anything."""

    def __init__(self, grammar: Grammar, theory: Theory, rules: Rules) -> None:
        """``rules``: those for the sentences that are asked of."""
        self._grammar, self._theory, self._rules = grammar, theory, rules
        self._found: dict[object, tuple[Tree, bool]] = {}

    def holds(self, text: str, meant: Tree, own: Collection[Formula]) -> bool:
        """Whether a sentence has no other tree than the one that it was made from, but for noun phrases kept in their
        places, and its surface reading is among ``own``, the readings of that tree; false where that is not seen at
        once."""
        if not self._is_only(text, meant):
            return False
        key = form(meant, self._grammar, {})
        if key not in self._found:
            self._found[key] = meant, self._has_surface(meant, own)
        return self._found[key][1]

    def _is_only(self, text: str, meant: Tree) -> bool:
        """Whether a tree is the only one, but for noun phrases that are kept in their places."""
        language = self._grammar.language
        whole = language.plain(text)
        forests = [parse(cut, self._rules, sys.maxsize) for cut in cuts(whole, language, self._rules.known)]
        every = [Meanings(each, self._grammar, meant, plain=True) for each in forests]
        written, known = term(meant), dict[int, str]()
        trees = [tree for each in every for tree in each.trees()]
        return bool(trees) and all(each.whole for each in every) and all(term(t, known=known) == written for t in trees)

    def _has_surface(self, meant: Tree, own: Collection[Formula]) -> bool:
        theory, grammar, both = self._theory, self._grammar, _raised_and_kept(meant, self._grammar)
        if both is None or both[0] is both[1]:
            return both is not None
        kept = readings_of(both[1], theory, grammar)
        if both[0] is meant:
            return kept[0].formula in own
        raised = readings_of(both[0], theory, grammar)
        return surface_reading([(0, both[0], raised), (1, both[1], kept)], grammar) in own


def _raised_and_kept(meant: Tree, grammar: Grammar) -> tuple[Tree, Tree] | None:
    """A tree with all noun phrases raised that may rise, and with those kept in their places that a definition may
    keep; a tree that is so already is itself. None where one of its constructors is neither the one nor the other."""
    try:
        return _all(meant, grammar, 0), _all(meant, grammar, 1)
    except LookupError:
        return None


def _all(tree: Tree, grammar: Grammar, wanted: int) -> Tree:
    """A tree with the version of each constructor that is ``wanted``, or the last. Raises LookupError for one that is
    none."""
    if not isinstance(tree, Apply):
        return tree
    parts = tuple(_all(each, grammar, wanted) for each in tree.arguments)
    versions = [grammar.constructors[tree.constructor.name], *kept_versions(tree, grammar)]
    own = next((at for at, each in enumerate(versions) if _alike(each, tree.constructor)), None)
    if own is None:
        raise LookupError
    version = min(wanted, len(versions) - 1)
    if own == version and all(one is other for one, other in zip(parts, tree.arguments, strict=True)):
        return tree
    return replace(tree, constructor=tree.constructor if own == version else versions[version], arguments=parts)


def _alike(one: Constructor, other: Constructor) -> bool:
    """Whether two constructors of one name mean the same: what must go together is another matter."""
    return one.sems == other.sems and one.scopes == other.scopes
