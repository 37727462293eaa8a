"""All trees of a sentence, packed: an edge has its trees once, however many trees it is a part of (Tomita 1987)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from gramprobe.chart.carried import Load
from gramprobe.chart.rules import Rule, Values
from gramprobe.compiled.data import Daughter, Production, Word

#: the number of an item; `BEGIN` stands before the first part of a rule
Item = int
BEGIN: Item = -1


class Edge(NamedTuple):
    """What is complete: its first token and the one behind its last, category and values, what it carries upward, and
    the constraint that was lifted in it."""

    start: int
    end: int
    category: str
    values: Values
    carried: Load = ()
    lift: str | None = None


class Step(NamedTuple):
    """The last step to an item or edge: the item before it, and the edge that was taken (None for tokens alone)."""

    before: Item
    taken: int | None


class Way(NamedTuple):
    """A way to build an edge: its rule, the last step, and the constraint that is lifted in this use of the rule."""

    rule: Rule
    step: Step
    lifted: str | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree: a constructor with the values of features that it was given, and its arguments that have words.

    Attributes:
        constructor: its name.
        values: argument -> its value, of arguments that are features.
        parts: number of the argument -> its tree, or the id of its word.
    """

    constructor: str
    values: tuple[tuple[str, str], ...]
    parts: tuple[tuple[int, Tree | str], ...]


#: edges with one category over the same tokens
Cell = tuple[int, int, str]
#: a constructor, its values, and the cells of its arguments
Use = tuple[str, tuple[tuple[str, str], ...], tuple[tuple[int, Cell], ...]]
#: all edges of a cell that a tree is a way to -> how many trees have just these
Classes = dict[frozenset[int], int]


class Forest:
    """The trees of a sentence.

    Two derivations are one tree if they differ in features alone: in which form of a word was meant where both are
    spelt alike, or in values that nobody asks for.

    Attributes:
        edges: what was found complete.
        roots: the numbers of those edges that are the whole sentence.
        reached: how many tokens trees from the first one on can take.
        expected: the categories and tokens for which these wait there; none where there is a tree.
        complete: whether all edges were found.
    """

    def __init__(
        self,
        edges: Sequence[Edge],
        roots: Sequence[int],
        words: Sequence[Sequence[Word]],
        ways: Sequence[Sequence[Way]],
        steps: Sequence[Sequence[Step]],
        reached: int = 0,
        expected: tuple[str, ...] = (),
        complete: bool = True,
    ) -> None:
        self.edges, self.roots = edges, roots
        self.reached, self.expected, self.complete = reached, expected, complete
        self._words, self._ways, self._steps = words, ways, steps
        self._cells: dict[Cell, list[int]] = defaultdict(list)
        for number, edge in enumerate(edges):
            self._cells[edge[:3]].append(number)
        self._classes: dict[Cell, Classes] = {}

    def count(self) -> int:
        """The number of trees. Raises ValueError if a category can be a part of itself over the same tokens."""
        roots = frozenset(self.roots)
        cells = {self.edges[root][:3] for root in self.roots}
        return sum(n for cell in cells for edges, n in self._of(cell).items() if edges & roots)

    def constructors(self) -> dict[Cell, set[str]]:
        """The constructors with which each cell of the trees can be built; of no cell that is in no tree."""
        found: dict[Cell, set[str]] = defaultdict(set)
        seen = set(self.roots)
        todo = [*self.roots]
        while todo:
            edge = todo.pop()
            for rule, step, _ in self._ways[edge]:
                found[self.edges[edge][:3]].add(rule.production.constructor)
                parts = {part for taken in self._taken(step) for part in taken}
                todo.extend(parts - seen)
                seen |= parts
        return found

    def trees(self) -> Iterator[Tree]:
        """Every tree, each once. Raises ValueError as `count` does."""
        self.count()
        seen: set[Tree] = set()
        for root in self.roots:
            for tree in self._trees(root):
                if isinstance(tree, Tree) and tree not in seen:
                    seen.add(tree)
                    yield tree

    def _of(self, cell: Cell) -> Classes:
        """The trees of a cell, counted by the edges that they are ways to.

        A tree is a way to several edges where its words are, or its rule, with several values. What is counted are
        trees, so that they are put together by the set of all their edges (as states are where an automaton is made
        deterministic: Comon et al. 2007, Tree Automata Techniques and Applications, 1.1).
        """
        if cell in self._classes:
            if not self._classes[cell]:
                raise ValueError(f"{cell[2]} is a part of itself over the same tokens")
            return self._classes[cell]
        self._classes[cell] = {}
        words: dict[str, set[int]] = defaultdict(set)
        uses: dict[Use, dict[tuple[int, ...], set[int]]] = defaultdict(lambda: defaultdict(set))
        for number in self._cells[cell]:
            for word in self._words[number]:
                words[word.id].add(number)
            for way in self._ways[number]:
                for taken in self._taken(way.step):
                    parts = sorted(zip(_arguments(way.rule), taken, strict=True))
                    cells = tuple((argument, self.edges[edge][:3]) for argument, edge in parts)
                    use = (way.rule.production.constructor, tuple(way.rule.production.values.items()), cells)
                    uses[use][tuple(edge for _, edge in parts)].add(number)
        classes: Classes = defaultdict(int)
        for edges in words.values():
            classes[frozenset(edges)] += 1
        for (_, _, below), results in uses.items():
            for chosen in product(*(self._of(part).items() for _, part in below)):
                among = [edges for edges, _ in chosen]
                found = [made for taken, made in results.items() if all(map(frozenset.__contains__, among, taken))]
                if found:
                    classes[frozenset().union(*found)] += prod(number for _, number in chosen)
        self._classes[cell] = dict(classes)
        return self._classes[cell]

    def _taken(self, step: Step) -> Iterator[tuple[int, ...]]:
        return taken(step, self._steps)

    def words(self, edge: int) -> list[str]:
        """The ids of the words that an edge is."""
        return [word.id for word in self._words[edge]]

    def uses(self, edge: int) -> Iterator[tuple[Production, dict[int, int]]]:
        """Each way to build an edge: the production, and the edge of each argument that has words."""
        for rule, step, _ in self._ways[edge]:
            for taken in self._taken(step):
                yield rule.production, dict(sorted(zip(_arguments(rule), taken, strict=True)))

    def _trees(self, edge: int) -> Iterator[Tree | str]:
        yield from self.words(edge)
        for production, taken in self.uses(edge):
            for parts in product(*map(self._trees, taken.values())):
                arguments = tuple(zip(taken, parts, strict=True))
                yield Tree(production.constructor, tuple(production.values.items()), arguments)


def taken(step: Step, steps: Sequence[Sequence[Step]]) -> Iterator[tuple[int, ...]]:
    """The edges that were taken on each way to a step, in order; ``steps``: of each item."""
    befores = [()] if step.before == BEGIN else (b for each in steps[step.before] for b in taken(each, steps))
    last = () if step.taken is None else (step.taken,)
    return ((*before, *last) for before in befores)


def _arguments(rule: Rule) -> list[int]:
    return [daughter.argument for daughter in rule.production.daughters if isinstance(daughter, Daughter)]
