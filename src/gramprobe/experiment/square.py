"""Who sees which instance in which cell: the Latin square of an experiment, for any sizes that fit.

With N instances of C cells each, K lists of P trials:

- an instance is in a list at most once, so that P <= N;
- every (instance, cell) is in equally many lists, r = K P / (N C) of them, so that K P is a multiple of N C;
- the cells of a list are as frequent as one another, up to one;
- a drawn word of a slot is in a list as often as among the instances, up to one.

The first three hold by construction. Lists and instances are the two sides of a bipartite graph, a trial is an edge,
and a cell its colour: a bipartite graph has a colouring with C colours in which at every node each colour is as
frequent as any other, up to one (de Werra 1971). It is found by cutting nodes into nodes of at most C edges, and
colouring these as König (1916) does. The fourth is searched for: which instances a list has is changed by exchanging
two of them, from seeded starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, lcm
from random import Random

from gramprobe.source import messages

STARTS, LARGE, TURNS, TRIED, HELD, HEAT = 3, 20_000, 200, 300_000, 400, 0.4
"""The search for lists in which words have their shares: how often it starts, and from how many trials on only once;
its turns; how many exchanges all turns try at most (with many trials there are fewer turns), and one at least; the
worsening that is accepted at first."""


@dataclass(frozen=True)
class Sizes:
    """Sizes that fit: `instances`, `cells` of each, trials of a list (`per_person`), and how many `lists` there are."""

    instances: int
    cells: int
    per_person: int
    lists: int

    @property
    def repeats(self) -> int:
        """In how many lists an instance stands in a given cell."""
        return self.lists * self.per_person // (self.instances * self.cells)


def fits(instances: int, cells: int, per_person: int, lists: int) -> bool:
    """Whether lists of these sizes can be balanced exactly."""
    return 0 < per_person <= instances and lists > 0 and lists * per_person % (instances * cells) == 0


def sized(instances: int, cells: int, per_person: int | None = None, lists: int | None = None, each: int = 1) -> Sizes:
    """The sizes of a square; by default a person sees every instance, and there are as few lists as fit.

    ``each``: how many lists there are of each selection (sides of the keys, orders); ``lists`` counts them all, and the
    sizes that are returned count selections. Raises UsageError, with the nearest sizes that fit.
    """
    trials = instances if per_person is None else per_person
    if trials > instances:
        raise messages.experiment.too_many_trials(trials, instances)
    fewest = lcm(instances * cells, trials) // trials
    if lists is None:
        return Sizes(instances, cells, trials, fewest)
    if lists % each or not fits(instances, cells, trials, lists // each):
        raise messages.experiment.no_square(
            (lists, trials, instances, cells),
            _nearest(lists, fewest * each),
            _those(
                trials, range(1, instances + 1), lambda p: not lists % each and fits(instances, cells, p, lists // each)
            ),
            _those(
                instances,
                range(trials, instances + 1),
                lambda n: not lists % each and fits(n, cells, trials, lists // each),
            ),
        )
    return Sizes(instances, cells, trials, lists // each)


def _nearest(wanted: int, step: int) -> tuple[int, ...]:
    """The multiples of a step next to a number, below and above."""
    below = wanted // step * step
    return tuple(number for number in (below, below + step) if number)


def _those(wanted: int, among: range, fit: Callable[[int], bool]) -> tuple[int, ...]:
    """The numbers that fit next to one, below and above, as far as there are such."""
    fitting = [number for number in among if fit(number)]
    below, above = [n for n in fitting if n <= wanted], [n for n in fitting if n > wanted]
    return (*below[-1:], *above[:1])


# -- which instances a list has


@dataclass(frozen=True)
class Above:
    """A word that is in a list more often than its share and one: how often it stands there, and its share."""

    slot: str
    word: str
    count: int
    share: float


class Selection:
    """Which instances a list has. Lists begin as stretches of a circle of all instances, so that each instance is in
    equally many, and exchange instances two and two, so that it stays so. Where a whole number of lists has all
    instances, those after them have the same again, in other cells.
    """

    def __init__(self, sizes: Sizes, slots: Mapping[str, Sequence[str]], random: Random) -> None:
        """``slots``: for each slot the word of each instance."""
        number, length = sizes.instances, sizes.per_person
        self.sizes, self.random, self._slots = sizes, random, list(slots)
        self._words = [list(dict.fromkeys(slot)) for slot in slots.values()]
        places = [{word: at for at, word in enumerate(words)} for words in self._words]
        #: for each instance the number of its word in each slot
        self._own = [
            tuple(place[slot[i]] for place, slot in zip(places, slots.values(), strict=True)) for i in range(number)
        ]
        self._shares = [
            [Counter(slot)[word] * length / number for word in words]
            for slot, words in zip(slots.values(), self._words, strict=True)
        ]
        #: the share rounded up, which is aimed at first; and the most that is allowed
        self._aim = [[int(share + 1 - 1e-9) for share in shares] for shares in self._shares]
        self._most = [[int(share + 1 + 1e-9) for share in shares] for shares in self._shares]
        self._begin()

    def _begin(self) -> None:
        number, length = self.sizes.instances, self.sizes.per_person
        circle = list(range(number))
        self.random.shuffle(circle)
        different = self.sizes.lists if number % length else number // length
        self._different = [(circle + circle)[(k * length) % number :][:length] for k in range(different)]

    @property
    def lists(self) -> list[list[int]]:
        """The instances of each list."""
        return [self._different[k % len(self._different)] for k in range(self.sizes.lists)]

    def search(self) -> list[Above]:
        """Bring words to their shares. Gives what is more than one above them: nothing, if all could be."""
        if self.sizes.per_person == self.sizes.instances:
            return []  # every list has all
        starts = STARTS if len(self._different) * self.sizes.per_person < LARGE else 1
        for bound in (self._aim, self._most):
            tried: list[tuple[int, list[list[int]]]] = []
            for _ in range(starts):
                left = self._improve(bound)
                if not left:
                    return []
                tried.append((left, self._different))
                self._begin()
            self._different = min(tried, key=lambda each: each[0])[1]
        return [
            Above(self._slots[s], self._words[s][w], count, self._shares[s][w])
            for own in self._different
            for s, words in enumerate(self._counts(own))
            for w, count in enumerate(words)
            if count > self._most[s][w]
        ]

    def _counts(self, own: Sequence[int]) -> list[list[int]]:
        """Slot -> word -> how often it is in a list."""
        counts = [[0] * len(words) for words in self._words]
        for i in own:
            for s, word in enumerate(self._own[i]):
                counts[s][word] += 1
        return counts

    def _improve(self, most: Sequence[Sequence[int]]) -> int:
        """Exchange instances as long as words are too often in a list; how much too often they are in the end.

        An exchange that makes it worse is accepted with a chance that falls, as in simulated annealing.
        """
        lists, own, random = self._different, self._own, self.random
        inside = [set(each) for each in lists]
        counts = [self._counts(each) for each in lists]

        def move(k: int, out: int, into: int) -> int:
            """Put an instance into a list, in the place of another; by how much more words are too often."""
            change = 0
            for words, bound, old, new in zip(counts[k], most, own[out], own[into], strict=True):
                if old != new:
                    change -= words[old] > bound[old]
                    words[old] -= 1
                    words[new] += 1
                    change += words[new] > bound[new]
            return change

        def too_often(k: int, i: int) -> bool:
            return any(n[word] > bound[word] for n, bound, word in zip(counts[k], most, own[i], strict=True))

        over = sum(
            max(0, count - bound)
            for each in counts
            for words, bounds in zip(each, most, strict=True)
            for count, bound in zip(words, bounds, strict=True)
        )
        places = [(k, at) for k, each in enumerate(lists) for at in range(len(each))]
        turns = max(30, min(TURNS, TRIED // len(places)))
        for turn in range(turns):
            heat = HEAT * (1 - turn / turns) ** 2
            wrong = [(k, at) for k, at in places if too_often(k, lists[k][at])]
            for k, at in wrong * (1 + HELD // max(1, len(wrong))):
                if not over:
                    return 0
                other, place = random.choice(places)
                i, j = lists[k][at], lists[other][place]
                if other == k or i in inside[other] or j in inside[k]:
                    continue
                change = move(k, i, j) + move(other, j, i)
                if change <= 0 or (heat and random.random() < exp(-change / heat)):
                    lists[k][at], lists[other][place] = j, i
                    inside[k] ^= {i, j}
                    inside[other] ^= {i, j}
                    over += change
                else:
                    move(k, j, i)
                    move(other, i, j)
        return over


# -- in which cells


def coloured(
    lists: Sequence[Sequence[int]], cells: int, random: Random, alike: Callable[[int], object]
) -> list[list[int]]:
    """A cell for each instance of each list: at an instance all cells are equally frequent, and in a list up to one.

    ``alike``: instances of one value (of one paradigm) are cut into groups of ``cells`` together, so that cells are as
    frequent among them too, as far as their number allows. An instance must be in a multiple of ``cells`` lists.
    """
    edges: list[tuple[int, int, int, int]] = []  # list, place in it, node of the list, node of the instance
    seen: Counter[int] = Counter()
    nodes = 0
    for number, own in enumerate(lists):
        places = list(range(len(own)))
        random.shuffle(places)
        places.sort(key=lambda place: str(alike(own[place])))
        for at, place in enumerate(places):
            edges.append((number, place, nodes + at // cells, own[place] * (1 << 20) + seen[own[place]] // cells))
            seen[own[place]] += 1
        nodes += -(-len(own) // cells)
    random.shuffle(edges)
    colouring = _Colouring(cells)
    for _, _, left, right in edges:
        colouring.add(("l", left), ("i", right), random)
    found = [[0] * len(own) for own in lists]
    for number, place, left, right in edges:
        found[number][place] = colouring.of[("l", left), ("i", right)]
    return found


Node = tuple[str, int]


class _Colouring:
    """A proper colouring of the edges of a bipartite graph, in which no node has more edges than there are colours."""

    def __init__(self, colours: int) -> None:
        self.colours = colours
        self.of: dict[tuple[Node, Node], int] = {}
        self._at: dict[Node, dict[int, Node]] = {}  # node -> colour -> the node at the other end

    def add(self, left: Node, right: Node, random: Random) -> None:
        """Colour one more edge; where no colour is free at both ends, exchange two along a path first."""
        at_left, at_right = self._at.setdefault(left, {}), self._at.setdefault(right, {})
        free_left = [c for c in range(self.colours) if c not in at_left]
        free_right = [c for c in range(self.colours) if c not in at_right]
        both = sorted({*free_left} & {*free_right})
        if both:
            self._set(left, right, random.choice(both))
            return
        a, b = random.choice(free_left), random.choice(free_right)
        path, node, colour = [right], right, a  # from the right end along a, b, a ...: it never comes to the left end
        while colour in self._at[node]:
            node = self._at[node][colour]
            path.append(node)
            colour = a + b - colour
        for one, other in pairwise(path):
            self._drop(one, other)
        colour = b
        for one, other in pairwise(path):
            self._set(*((one, other) if one[0] == "l" else (other, one)), colour)
            colour = a + b - colour
        self._set(left, right, a)

    def _set(self, left: Node, right: Node, colour: int) -> None:
        self.of[left, right] = colour
        self._at[left][colour], self._at[right][colour] = right, left

    def _drop(self, one: Node, other: Node) -> None:
        left, right = (one, other) if one[0] == "l" else (other, one)
        colour = self.of.pop((left, right))
        del self._at[left][colour], self._at[right][colour]
