"""What sentences mean that have no tree but the one that they were made from: composed once for all trees of a form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gramprobe.chart import forest
from gramprobe.formula.ast import Formula
from gramprobe.interpret import trees
from gramprobe.interpret.forms import Names, form, literal
from gramprobe.interpret.surface import surface_of
from gramprobe.interpret.trees import Meanings, kept_in_place, kept_versions, term
from gramprobe.judge.judge import readings_of
from gramprobe.meaning.reading import Reading, exchanging
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.tree import Apply, Given, Tree, nodes
from gramprobe.words.order import operators_in_words

MOST = 1 << 12
"""So many forms are remembered."""
#: of each constructor of a tree, from left to right, whether its noun phrase is kept in its place
_Kept = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """What the first sentence of a form means.

    Attributes:
        names: its words.
        readings: its readings, each once, with the version of the tree that first has it.
        version: the version of the tree whose words decide which is the surface reading;
        by_order: number of the reading that this is, by the order of the operators;
        otherwise: and for any other order.
        changes: what puts other words into a reading, by its number, as far as that was asked for.
    """

    names: tuple[str, ...]
    readings: tuple[tuple[_Kept, Reading], ...]
    version: _Kept
    by_order: Mapping[tuple[str, ...], int]
    otherwise: int
    changes: dict[int, Callable[[Mapping[str, str]], Reading]] = field(default_factory=dict)


_known: dict[object, _Found | None] = {}


class SameForm:
    """Finds the readings of sentences that have no tree but the one that they were made from."""

    def __init__(self, grammar: Grammar, theory: Theory) -> None:
        self._grammar, self._theory = grammar, theory
        of_theory = theory.numerals, tuple(theory.demands.items()), theory.scales
        self._reads = *of_theory, tuple(grammar.readings.items()), trees.MOST

    def readings(self, meant: Tree, meanings: Sequence[Meanings]) -> list[tuple[Reading, str, str]] | None:
        """The readings of a sentence that has one tree: each with its kind and the tree that has it, as in
        `read.Understood`. None where this is not ``meant``, or is not seen to mean what others of its form do."""
        one, tree = next((each, tree) for each in meanings for tree in each.forest.trees())
        if not _is_made_from(tree, meant):
            return None
        grammar, numbers = self._grammar, Names()
        key = self._reads, form(meant, grammar, numbers)
        names = tuple([name for is_feature, name in numbers if not is_feature])
        if any(not each.isdisjoint(names) for each in literal(meant, grammar)):
            return None
        if key not in _known:
            if len(_known) >= MOST:
                del _known[next(iter(_known))]
            _known[key] = self._found(meant, one, names)
        found = _known[key]
        if found is None:
            return None
        words = dict(zip(found.names, names, strict=True)) if found.names != names else {}
        surface = found.otherwise
        if len(found.by_order) > 1:
            order = operators_in_words(self._version(meant, iter(found.version)), {}, grammar)
            surface = found.by_order.get(order, surface)
        terms: dict[_Kept, str] = {}
        readings: list[tuple[Reading, str, str]] = []
        for at, (kept, reading) in enumerate(found.readings):
            if kept not in terms:
                terms[kept] = term(self._version(meant, iter(kept)), grammar)
            if words and at not in found.changes:
                found.changes[at] = exchanging(reading, found.names)
            own = found.changes[at](words) if words else reading
            readings.append((own, "parse" if at == surface else "scope", terms[kept]))
        return readings

    def _found(self, meant: Tree, meanings: Meanings, names: tuple[str, ...]) -> _Found | None:
        grammar, written, known = self._grammar, term(meant), dict[int, str]()
        versions = meanings.trees()
        if not meanings.whole or any(term(each, known=known) != written for each in versions):
            return None
        every = [
            (kept_in_place(each, grammar), each, readings_of(each, self._theory, grammar, composer=meanings.composer))
            for each in versions
        ]
        first: dict[Formula, tuple[_Kept, Reading]] = {}
        for _, tree, readings in every:
            kept = self._kept(tree)
            for each in readings:
                first.setdefault(each.formula, (kept, each))
        numbers = {formula: at for at, formula in enumerate(first)}
        tree, by_order, otherwise = surface_of(every)
        orders = {order: numbers[formula] for order, formula in by_order.items()}
        return _Found(names, tuple(first.values()), self._kept(tree), orders, numbers[otherwise])

    def _kept(self, tree: Tree) -> _Kept:
        every = (node.constructor for node in nodes(tree) if isinstance(node, Apply))
        return tuple([each is not self._grammar.constructors[each.name] for each in every])

    def _version(self, tree: Tree, kept: Iterator[bool]) -> Tree:
        """The version of a tree with those noun phrases kept in their places."""
        if not isinstance(tree, Apply):
            return tree
        whole = self._grammar.constructors[tree.constructor.name]
        constructor = next(chain(kept_versions(tree, self._grammar), (tree.constructor,))) if next(kept) else whole
        return Apply(constructor, tuple([self._version(each, kept) for each in tree.arguments]), constructor.span)


def _is_made_from(read: forest.Tree | str, meant: Tree) -> bool:
    """Whether a tree that was read is one that a sentence was made from, as far as words say."""
    if not isinstance(meant, Apply) or not isinstance(read, forest.Tree):
        return isinstance(meant, Given) and meant.value == read
    of_features = {each.name: at for at, each in enumerate(meant.constructor.arguments) if each.is_feature}
    values = ((meant.arguments[of_features[name]], value) for name, value in read.values if name in of_features)
    return (
        read.constructor == meant.constructor.name
        and all(isinstance(each, Given) and each.value == value for each, value in values)
        and all(_is_made_from(part, meant.arguments[at]) for at, part in read.parts)
    )
