"""The seeded walk through a space in chunks: instances that are vetoed, or repeat a text, are passed over and counted.

Two instances repeat each other when every draw that the sentences mention has the same words. That needs no sentence:
the words of each draw are a number (homographs one number), and an instance is one number made of them. Where every
draw is mentioned and no two lexemes are homographs no instance can repeat another, and nothing is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gramprobe.dataset.identify import draws_of, names
from gramprobe.dataset.plan import Plan
from gramprobe.dataset.select import Veto
from gramprobe.resolve.tree import Slot, nodes, put
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Box, Draws
from gramprobe.words.realise import skeletons_of

CHUNK = 65_536
"""Instances drawn, decided and written at once."""


@dataclass
class Walk:
    """The instances of a paradigm in the order of a seed; `passed_over`, `vetoed`: what the walk left out so far."""

    plan: Plan
    seed: int
    vetoes: tuple[Veto, ...] = ()
    passed_over: int = 0
    vetoed: int = 0
    _seen: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))

    def check(self, findings: Findings) -> None:
        """Vetoes that name no instance are findings."""
        for veto in self.vetoes:
            if draws_of(self.plan, veto.instance) is None:
                findings.add(messages.unknown_veto(veto.span, veto.instance))

    def chunks(self, expected: int | None) -> Iterator[Draws]:
        """The instances, at most :data:`CHUNK` a time; small chunks where few are `expected`."""
        space = self.plan.space
        permutation = space.permutation(self.seed)
        keys = _Keys(self.plan)
        size = CHUNK if expected is None else min(CHUNK, max(64, expected + expected // 8))
        for start in range(0, space.size, size):
            draws = space.draws(permutation, start, min(start + size, space.size))
            draws = self._fresh(self._allowed(draws), keys)
            if len(draws):
                yield draws

    def _allowed(self, draws: Draws) -> Draws:
        if not self.vetoes:
            return draws
        banned = {veto.instance for veto in self.vetoes}
        column = self.plan.realiser.column(names(self.plan, draws), sentence=False).to_pylist()
        out = np.fromiter((name in banned for name in column), np.bool_, len(draws))
        self.vetoed += int(out.sum())
        return draws.take(np.flatnonzero(~out))

    def _fresh(self, draws: Draws, keys: _Keys) -> Draws:
        found = keys.of(draws)
        if found is None:
            return draws
        _, first = np.unique(found, return_index=True)
        new = np.zeros(len(found), np.bool_)
        new[first] = True
        at = np.minimum(np.searchsorted(self._seen, found), max(len(self._seen) - 1, 0))
        if len(self._seen):
            new &= self._seen[at] != found
        self.passed_over += int((~new).sum())
        self._seen = np.union1d(self._seen, found[new])
        return draws.take(np.flatnonzero(new))


class _Keys:
    """What two instances have in common that print the same."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.boxes = [self._mentioned(box) for box in plan.space.boxes]
        self.words = {s.name: self._homographs(s) for slots in self.boxes for s in slots}
        self.injective = len(self.boxes) == 1 and self._injective(plan.space.boxes[0], self.boxes[0])

    def of(self, draws: Draws) -> NDArray[np.uint64] | None:
        """A number for each row, equal for rows that print the same; None where no two do."""
        if self.injective:
            return None
        found = np.zeros(len(draws), np.uint64)
        with np.errstate(over="ignore"):
            for number, slots in enumerate(self.boxes):
                rows = np.flatnonzero(draws.box == number) if len(self.boxes) > 1 else slice(None)
                value = np.full(len(draws.box[rows]), number + 1, np.uint64)
                for slot in slots:
                    value = _mixed(value) + self.words[slot.name][draws.columns[slot.name][rows]].astype(np.uint64)
                found[rows] = _mixed(value)
        return found

    def _mentioned(self, box: Box) -> list[Slot]:
        trees = skeletons_of(box, self.plan.space)
        said = {
            node.name
            for condition in self.plan.paradigm.conditions.values()
            for node in nodes(put(condition.tree, trees))
            if isinstance(node, Slot)
        }
        return [slot for slot in box.slots if slot.name in said]

    def _homographs(self, slot: Slot) -> NDArray[np.int64]:
        """For every member of the slot's category the number of its words."""
        grammar = self.plan.grammar
        if slot.is_feature:
            return np.arange(len(grammar.features[slot.category].values))
        numbers: dict[tuple[str, ...], int] = {}
        lexemes = grammar.categories[slot.category].lexemes
        return np.array([numbers.setdefault(tuple(x.forms.values()), len(numbers)) for x in lexemes], np.int64)

    def _injective(self, box: Box, mentioned: list[Slot]) -> bool:
        every = {slot.name for slot in box.slots} == {slot.name for slot in mentioned}
        return every and all(len(set(w.tolist())) == len(w) for w in self.words.values())


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64 (Steele, Lea & Flood 2014)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


__all__ = ["CHUNK", "Walk"]
