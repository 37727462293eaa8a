"""What is found of a part of a tree once, though it stands in the sentences of several conditions, with several values
of what is drawn elsewhere: the features that it consults, its branches, its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from operator import is_

from msgspec.structs import replace

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.tree import Apply, Regions, Slot, Tree
from gramprobe.words.linearise import Atom, Chosen, consulted, linearise
from gramprobe.words.settled import settled

Keys = Sequence[tuple[Slot, str | None]]
#: the same as keys of `Chosen`
Paths = Sequence[tuple[str, str | None]]


class Parts:
    """The parts of the trees of a space. Those that are equal, but for where they were written, are one object; what is
    found of it is known by its identity.

    ``regions``: as for `linearise`.
    """

    def __init__(self, grammar: Grammar, regions: Regions | None = None) -> None:
        self.grammar, self.regions = grammar, regions
        self._every: dict[object, Tree] = {}  # by a constructor and the arguments, or the word of a leaf
        self._given: dict[int, tuple[Tree, Tree]] = {}  # a tree by its identity, and what is taken for it
        self._consulted: dict[int, Keys] = {}
        self._paths: dict[int, Paths] = {}
        self._deciding: dict[int, Paths | None] = {}
        self._settled: dict[tuple[object, ...], Tree] = {}
        self._words: dict[tuple[object, ...], list[Atom]] = {}

    def one(self, tree: Tree) -> Tree:
        """The tree that is taken for all that are equal to this one."""
        if id(tree) not in self._given:
            below = tuple(map(self.one, tree.arguments)) if isinstance(tree, Apply) else ()
            self._given[id(tree)] = tree, self._of(tree, below)
        return self._given[id(tree)][1]

    def _of(self, tree: Tree, below: tuple[Tree, ...]) -> Tree:
        """The same where that is known of the arguments."""
        if not isinstance(tree, Apply):
            return self._every.setdefault(tree, tree)
        key = id(tree.constructor), tree.breach, *map(id, below)
        if key not in self._every:
            same = all(map(is_, below, tree.arguments))
            self._every[key] = tree if same else replace(tree, arguments=below)
        return self._every[key]

    def consulted(self, tree: Tree) -> Keys:
        """`linearise.consulted` of a tree that :meth:`one` gave."""
        if id(tree) not in self._consulted:
            self._consulted[id(tree)] = consulted(tree, self.grammar, self.consulted)
        return self._consulted[id(tree)]

    def settled(self, tree: Tree, chosen: Chosen) -> Tree:
        """`settled.settled` of a tree that :meth:`one` gave, as one that it might give."""
        if not isinstance(tree, Apply) or (deciding := self._decides(tree)) is None:
            return tree
        key = id(tree), *map(chosen.get, deciding)
        if key not in self._settled:
            found = settled(tree, chosen, self.grammar, lambda below: self.settled(below, chosen))
            self._settled[key] = self._of(found, found.arguments if isinstance(found, Apply) else ())
        return self._settled[key]

    def _decides(self, tree: Tree) -> Paths | None:
        """The values that decide between branches of definitions in a tree; None where there are no branches."""
        if id(tree) not in self._deciding:
            every = [self._decides(each) for each in tree.arguments] if isinstance(tree, Apply) else []
            if isinstance(tree, Apply) and tree.constructor.branches is not None:
                every.append(_paths(consulted(tree, self.grammar, lambda _: ())))
            known = [each for each in every if each is not None]
            self._deciding[id(tree)] = list(dict.fromkeys(chain(*known))) if known else None
        return self._deciding[id(tree)]

    def _values(self, tree: Tree) -> Paths:
        """The values on which the words of a tree depend."""
        if id(tree) not in self._paths:
            self._paths[id(tree)] = _paths(self.consulted(tree))
        return self._paths[id(tree)]

    def words(
        self,
        tree: Tree,
        requests: Mapping[str, str],
        chosen: Chosen,
        glued: bool = False,
        region: str = "",
    ) -> list[Atom]:
        """`linearise` of a tree that :meth:`settled` gave. Nobody changes the list."""
        key = (id(tree), glued, region, *requests.items(), *map(chosen.get, self._values(tree)))
        found = self._words.get(key)
        if found is None:
            found = linearise(tree, requests, chosen, self.grammar, glued, self.regions, region, below=self.words)
            self._words[key] = found
        return found


def _paths(keys: Keys) -> Paths:
    return [(slot.path, column) for slot, column in keys]
