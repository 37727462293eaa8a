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
from math import exp, gcd, lcm
from random import Random

from gramprobe.source import messages

STARTS, TURNS, TRIED, HELD, HEAT = 3, 200, 300_000, 100, 0.4
"""The search for lists in which words have their shares: how often it starts; its turns; how many exchanges all turns
try at most (with many instances there are fewer turns), and one at least; the worsening that is accepted at first."""


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
    """Which instances are together: the lists are stretches of `per_person` places of a circle of all instances, so
    that each instance is in equally many. Exchanging two places brings the words of every stretch to their shares.
    """

    def __init__(self, sizes: Sizes, slots: Mapping[str, Sequence[str]], random: Random) -> None:
        """``slots``: for each slot the word of each instance."""
        self._slots = list(slots)
        number, length = sizes.instances, sizes.per_person
        self.sizes, self.random = sizes, random
        self.circle = list(range(number))
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
        self._most = [[int(share + 1 - 1e-9) for share in shares] for shares in self._shares]
        self._step = gcd(number, length)
        self._starts = range(0, number, self._step)

    def search(self) -> list[Above]:
        """Bring words to their shares. Gives what is left above them: nothing, if all could be."""
        best: tuple[int, list[int]] | None = None
        for _ in range(STARTS):
            self.random.shuffle(self.circle)
            left = self._improve() if len(self._starts) > 1 and self._words else 0
            if best is None or left < best[0]:
                best = left, self.circle[:]
            if not left:
                return []
        assert best is not None
        self.circle = best[1]
        return [
            Above(self._slots[s], self._words[s][w], count, self._shares[s][w])
            for found in self._counts()
            for s, words in enumerate(found)
            for w, count in enumerate(words)
            if count > self._shares[s][w] + 1
        ]

    def lists(self) -> list[list[int]]:
        """The instances of each list."""
        number, length = self.sizes.instances, self.sizes.per_person
        twice = self.circle + self.circle
        return [twice[(k * length) % number :][:length] for k in range(self.sizes.lists)]

    def _counts(self) -> list[list[list[int]]]:
        """Stretch -> slot -> word -> how often."""
        found = []
        twice = self.circle + self.circle
        for start in self._starts:
            counts = [[0] * len(words) for words in self._words]
            for i in twice[start : start + self.sizes.per_person]:
                for s, word in enumerate(self._own[i]):
                    counts[s][word] += 1
            found.append(counts)
        return found

    def _improve(self) -> int:
        """Exchange places as long as words are too often in a stretch; how much too often they are in the end.

        An exchange that makes it worse is accepted with a chance that falls, as in simulated annealing.
        """
        number, length = self.sizes.instances, self.sizes.per_person
        circle, own, most, step, random = self.circle, self._own, self._most, self._step, self.random
        counts = self._counts()
        inside = [
            frozenset(w for w, start in enumerate(self._starts) if (place - start) % number < length)
            for place in range(0, number, step)
        ]

        def move(out: int, into: int, stretches: frozenset[int]) -> int:
            change = 0
            for w in stretches:
                for words, bound, old, new in zip(counts[w], most, own[out], own[into], strict=True):
                    if old != new:
                        change -= words[old] > bound[old]
                        words[old] -= 1
                        words[new] += 1
                        change += words[new] > bound[new]
            return change

        def too_often(place: int) -> bool:
            words = own[circle[place]]
            return any(
                each[word] > bound[word]
                for w in inside[place // step]
                for each, bound, word in zip(counts[w], most, words, strict=True)
            )

        over = sum(
            max(0, count - bound)
            for found in counts
            for words, bounds in zip(found, most, strict=True)
            for count, bound in zip(words, bounds, strict=True)
        )
        turns = max(1, min(TURNS, TRIED // number))
        for turn in range(turns):
            heat = HEAT * (1 - turn / turns) ** 2
            wrong = [place for place in range(number) if too_often(place)]
            for a in wrong * (1 + HELD // max(1, len(wrong))):
                if not over:
                    return 0
                b = random.randrange(number)
                only_a, only_b = inside[a // step] - inside[b // step], inside[b // step] - inside[a // step]
                change = move(circle[a], circle[b], only_a) + move(circle[b], circle[a], only_b)
                if change <= 0 or random.random() < exp(-change / heat):
                    circle[a], circle[b] = circle[b], circle[a]
                    over += change
                else:
                    move(circle[b], circle[a], only_a)
                    move(circle[a], circle[b], only_b)
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
