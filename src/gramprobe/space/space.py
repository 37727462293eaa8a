"""The space of a paradigm: a network for every choice of skeletons, counted and walked together.

Draws come in the order of a seeded permutation of 0 .. size - 1, without a table of it: a Feistel network (Luby &
Rackoff 1988) over the next even number of bits, with cycle walking (Black & Rogaway 2002) back into the range. The
first N values are the same for every larger N; nothing depends on numpy's generators, whose streams may change between
releases.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.cache import Folder
from gramprobe.resolve.grammar.data import Cell, Grammar
from gramprobe.resolve.paradigm.data import Domain, Paradigm, Skeleton
from gramprobe.resolve.tree import Slot, Tree
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.blame import why_empty
from gramprobe.space.boxes import Boxes
from gramprobe.space.constraints import Either, Test, cells_of
from gramprobe.space.network import Network, Tangled
from gramprobe.space.once import Once
from gramprobe.space.tables import fitting, network_of

T = TypeVar("T")

DECIDING = ("draws", "constraints", "conditions", "swapped", "limits", "scope")
"""The attributes of a paradigm that its space, and what is worked out of it, depend on."""

_held: deque[tuple[Space, Grammar]] = deque(maxlen=2)  # those counted last, with their grammars


@dataclass(frozen=True, eq=False)
class Box:
    """A choice of skeletons for all draws.

    Attributes:
        skeletons: a skeleton for each draw.
        slots: the slots of the skeletons.
        size: how many instances it has.
        counted: makes :attr:`network`.
    """

    skeletons: tuple[Skeleton, ...]
    slots: tuple[Slot, ...]
    size: int
    counted: Callable[[], Network | None] = field(repr=False)

    @cached_property
    def network(self) -> Network | None:
        """The tests between the slots; None if a condition excludes every filling."""
        return self.counted()


class Draws(Struct, frozen=True):
    """Instances by column; all arrays are int32 of shape (instances,).

    Attributes:
        box: the number of the choice of skeletons of each instance.
        columns: slot -> the index of the member that fills it, in its category or feature; -1 if the box of the
            instance does not have the slot.
    """

    box: NDArray[np.int32]
    columns: dict[str, NDArray[np.int32]]

    def __len__(self) -> int:
        return len(self.box)

    def take(self, index: NDArray[Any]) -> Draws:
        return Draws(self.box[index], {n: c[index] for n, c in self.columns.items()})

    @staticmethod
    def joined(parts: list[Draws]) -> Draws:
        names = parts[0].columns
        return Draws(
            np.concatenate([p.box for p in parts]),
            {n: np.concatenate([p.columns[n] for p in parts]) for n in names},
        )


@dataclass(frozen=True)
class Space:
    """All instances of a paradigm.

    Attributes:
        paradigm: whose draws they fill.
        boxes: the choices of skeletons.
        slots: the slots of all boxes by name.
        size: the exact number of instances.
        memory: what was worked out of it once, and goes with it.
    """

    paradigm: Paradigm
    boxes: tuple[Box, ...]
    slots: dict[str, Slot]
    size: int
    _filled: Boxes = field(compare=False, repr=False)
    _codes: dict[tuple[Slot, str | None], tuple[NDArray[np.int64], list[Cell]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    memory: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def codes(self, slot: Slot, column: str | None, grammar: Grammar) -> tuple[NDArray[np.int64], list[Cell]]:
        """For every member of the drawn category the number of its value in a column, shape (members,), and the values
        by number. ``grammar``: that of the space."""
        if (slot, column) not in self._codes:
            values: dict[Cell, int] = {}
            cells = cells_of(slot, column, grammar, self.slots[slot.name].category)
            codes = [values.setdefault(each, len(values)) for each in cells]
            self._codes[slot, column] = np.array(codes, np.int64), list(values)
        return self._codes[slot, column]

    def tree(self, tree: Tree, box: Box) -> Tree:
        """A tree of the paradigm with the drawn trees of a box in it: the same object in boxes that do not differ in
        it."""
        return self._filled.put(tree, skeletons_of(self.paradigm, box.skeletons))

    def once(self, name: str, work: Callable[[], T]) -> T:
        """What ``work`` finds of the space; it is done once for each name. It may depend on :data:`DECIDING` alone."""
        if name not in self.memory:
            self.memory[name] = work()
        known: T = self.memory[name]
        return known

    def draws(self, permutation: Permutation, start: int, stop: int) -> Draws:
        """Instances number ``start`` to ``stop - 1`` of the permuted space."""
        return self.at(permutation.at(start, stop))

    def permutation(self, seed: int) -> Permutation:
        return Permutation(self.size, f"{self.paradigm.full_name}\n{seed}")

    def at(self, ranks: NDArray[Any]) -> Draws:
        """The instances at these ranks of the unpermuted space."""
        n = len(ranks)
        box = np.zeros(n, np.int32)
        columns = {name: np.full(n, -1, np.int32) for name in self.slots}
        start = 0
        for number, each in enumerate(self.boxes):
            if not each.size or each.network is None:
                continue
            inside = np.flatnonzero((ranks >= start) & (ranks < start + each.size))
            if len(inside):
                box[inside] = number
                solved = each.network.solutions(ranks[inside] - start)
                for slot, column in zip(each.slots, solved, strict=True):
                    columns[slot.name][inside] = column
            start += each.size
        return Draws(box, columns)


def skeletons_of(paradigm: Paradigm, skeletons: Sequence[Skeleton]) -> dict[str, Tree]:
    """The tree of each composite draw, for a choice of skeletons."""
    return {d.name: s.tree for d, s in zip(paradigm.draws, skeletons, strict=True) if s.constructors}


def space_of(paradigm: Paradigm, grammar: Grammar, findings: Findings, key: str = "") -> Space | None:
    """Count the space; None, with a diagnostic, for an empty space or a space that cannot be counted.

    ``key``: a hash of all that it depends on, if its sizes may be kept between runs: networks are then made where
    somebody asks for them. Those counted last without a diagnostic are kept, with their memory, since a build is often
    followed by a check or an explanation of the same paradigm.
    """
    for held, of in tuple(_held):  # another thread may count, too
        if of is grammar and all(getattr(held.paradigm, name) is getattr(paradigm, name) for name in DECIDING):
            return replace(held, paradigm=paradigm)
    before, folder = len(findings.items), Folder("spaces")
    sizes = folder.get(key) if key else None
    if sizes is None:
        space = _counted(paradigm, grammar, findings)
    else:  # networks that are made later have nothing to report, whatever was found in between
        space = _counted(paradigm, grammar, Findings(), json.loads(sizes))
    if space is not None and len(findings.items) == before:
        _held.append((space, grammar))
        if key and sizes is None and not (findings.items or findings.muted):
            folder.put(key, json.dumps([box.size for box in space.boxes]).encode())
    return space


def _counted(
    paradigm: Paradigm, grammar: Grammar, findings: Findings, sizes: Sequence[int] | None = None
) -> Space | None:
    """``sizes``: of each box, where they are known, and that there is nothing to report."""
    boxes: list[Box] = []
    slots: dict[str, Slot] = {}
    every, once = Boxes(paradigm, grammar, findings), Once()
    for number, skeletons in enumerate(product(*(d.skeletons for d in paradigm.draws))):
        domains = [domain for skeleton in skeletons for domain in skeleton.domains]
        slots.update({d.slot.name: d.slot for d in domains})
        asked = partial(_network, paradigm, skeletons, domains, every, once, grammar, findings)
        own = tuple(d.slot for d in domains)
        if sizes is not None:
            boxes.append(Box(skeletons, own, sizes[number], asked))
            continue
        try:
            network = asked()
            size = network.size if network else 0
        except Tangled as error:
            findings.add(messages.paradigm.too_tangled(paradigm.span, paradigm.name, error.cells))
        if findings.failed:
            return None
        boxes.append(Box(skeletons, own, size, partial(_same, network)))
    size = sum(b.size for b in boxes)
    if size == 0:
        place, notes, help = why_empty(paradigm, grammar, lambda domains, tests: _count(domains, tests, grammar))
        findings.add(messages.paradigm.no_words_satisfy(place, notes, help))
        return None
    if (size - 1).bit_length() > MOST_BITS:
        findings.add(messages.paradigm.too_large(paradigm.span, paradigm.name))
        return None
    return Space(paradigm, tuple(boxes), slots, size, every)


def _network(
    paradigm: Paradigm,
    skeletons: Sequence[Skeleton],
    domains: Sequence[Domain],
    every: Boxes,
    once: Once,
    grammar: Grammar,
    findings: Findings,
) -> Network | None:
    """The network of a box; None if a condition excludes every filling, or is wrong."""
    tests = every.tests(skeletons_of(paradigm, skeletons))
    if tests is None or findings.failed:
        return None
    network = network_of([(d.slot, d.members) for d in domains], tests, grammar, once)
    _left_out(paradigm, domains, tests, grammar, findings)
    return network


def _same(network: Network | None) -> Network | None:
    return network


def _left_out(
    paradigm: Paradigm, domains: Sequence[Domain], tests: Sequence[Test | Either], grammar: Grammar, findings: Findings
) -> None:
    """Report words that are not drawn since they have no value in a column by which a constructor looks words up."""
    spans = {domain.slot.name: draw.span for draw in paradigm.draws for s in draw.skeletons for domain in s.domains}
    for test in tests:
        if isinstance(test, Test) and test.name == "refers" and test.left.column and test.span is not None:
            slot = test.left.slot
            fits = fitting(test, {domain.slot.name: domain.slot.category for domain in domains}, grammar)
            (members,) = (domain.members for domain in domains if domain.slot.name == slot.name)
            lacking = [grammar.categories[slot.category].lexemes[m].id for m in members if not fits[m]]
            if lacking:
                at = spans.get(slot.name, paradigm.span)
                findings.add(messages.paradigm.words_left_out(at, slot.category, test.left.column, lacking, test.span))


def _count(domains: list[Domain], tests: Sequence[Test | Either], grammar: Grammar) -> int | None:
    try:
        return network_of([(d.slot, d.members) for d in domains], tests, grammar).size
    except Tangled:
        return None


ROUNDS = 8
#: the logarithm of the largest size, 2 ** 120
MOST_BITS = 120

Words = NDArray[np.uint64]


class Permutation:
    """A bijection of ``range(size)``, chosen by ``key``. Raises ValueError for size 0, OverflowError above 2 ** 120."""

    def __init__(self, size: int, key: str):
        if size < 1:
            raise ValueError("a permutation needs at least one element")
        self.size = size
        self.half = max(1, ((size - 1).bit_length() + 1) // 2)
        if 2 * self.half > MOST_BITS:
            raise OverflowError(f"{size} is more than 2 ** {MOST_BITS}")
        self.mask = np.uint64((1 << self.half) - 1)
        self.small = 2 * self.half < 63
        digest = hashlib.shake_256(f"gramprobe permutation 1\n{key}".encode()).digest(8 * ROUNDS)
        self.keys = np.frombuffer(digest, dtype="<u8").astype(np.uint64)

    def at(self, start: int, stop: int) -> NDArray[Any]:
        """The images of ``start .. stop - 1``; int64, or Python integers for a larger range.

        Raises ValueError for numbers outside of ``range(size)``.
        """
        count = stop - start
        if not 0 <= start <= stop <= self.size:
            raise ValueError("out of range")
        if self.small:
            index = np.arange(start, stop, dtype=np.uint64)
            left, right = index >> np.uint64(self.half), index & self.mask
        else:
            numbers = range(start, stop)
            left = np.fromiter((n >> self.half for n in numbers), np.uint64, count)
            right = np.fromiter((n & ((1 << self.half) - 1) for n in numbers), np.uint64, count)
        left, right = _walk(left, right, self.keys, self.mask)
        while True:
            outside = ~_inside(left, right, *self.last)
            if not outside.any():
                return self._joined(left, right)
            left[outside], right[outside] = _walk(left[outside], right[outside], self.keys, self.mask)

    @property
    def last(self) -> tuple[np.uint64, np.uint64]:
        """Both halves of the last number."""
        last = self.size - 1
        return np.uint64(last >> self.half), np.uint64(last & ((1 << self.half) - 1))

    def _joined(self, left: Words, right: Words) -> NDArray[Any]:
        if self.small:
            return ((left << np.uint64(self.half)) | right).astype(np.int64)
        return np.array([(int(a) << self.half) | int(b) for a, b in zip(left, right, strict=True)], dtype=object)


def images(wanted: Sequence[tuple[Permutation, int, int]]) -> NDArray[Any]:
    """`Permutation.at` of several, one after the other; in one pass where all ranges are small, which is faster where
    each gives few."""
    if not wanted or not all(each.small for each, _, _ in wanted):
        return np.concatenate([np.zeros(0, np.int64), *(each.at(start, stop) for each, start, stop in wanted)])
    starts, stops = (np.array([each[at] for each in wanted], np.int64) for at in (1, 2))
    of = np.repeat(np.arange(len(wanted)), stops - starts)
    keys = np.array([each.keys for each, _, _ in wanted])
    half, mask = (np.array(part, np.uint64)[of] for part in zip(*((e.half, e.mask) for e, _, _ in wanted), strict=True))
    high, low = (np.array(part)[of] for part in zip(*(each.last for each, _, _ in wanted), strict=True))
    index = runs(starts, stops - starts).astype(np.uint64)
    left, right = index >> half, index & mask
    outside = np.arange(len(of))
    while len(outside):
        found = _walk(left[outside], right[outside], keys[of[outside]].T, mask[outside])
        left[outside], right[outside] = found
        outside = outside[~_inside(*found, high[outside], low[outside])]
    return ((left << half) | right).astype(np.int64)


def runs(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers from each start on, as many as are counted, one run after the other: of 5 and 1, with 2 and 3, the
    numbers 5, 6, 1, 2, 3."""
    return np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())


def _walk(left: Words, right: Words, keys: Iterable[Any], mask: Any) -> tuple[Words, Words]:
    for key in keys:
        left, right = right, left ^ (_mixed(right ^ key) & mask)
    return left, right


def _inside(left: Words, right: Words, high: Any, low: Any) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = (left < high) | ((left == high) & (right <= low))
    return inside


def _mixed(x: Words) -> Words:
    """The finaliser of splitmix64 (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))
