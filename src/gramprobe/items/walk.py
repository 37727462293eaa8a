"""The seeded walk through a space in chunks: instances that are vetoed, or repeat a text, are passed over and counted.

Two instances repeat each other when they print the same. Where every draw shows in some sentence, by a word that no
other member has, no instance can repeat another, and nothing is kept; else a fingerprint of each instance is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.instance import draws_of, names
from gramprobe.items.plan import Plan
from gramprobe.items.select import Veto
from gramprobe.resolve.grammar.data import Cell
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import Slot
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Box, Draws
from gramprobe.words.fingerprint import fingerprints, mixed
from gramprobe.words.linearise import Chosen, consulted
from gramprobe.words.program import Segment
from gramprobe.words.realise import Profile
from gramprobe.words.variants import Variants

VARIANTS = 4_096
"""Variants of a sentence up to which it is looked at whether each draw shows in it."""
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
        self.conditions = tuple(plan.paradigm.conditions.values())
        boxes = plan.space.boxes
        self.injective = len(boxes) == 1 and self._injective(boxes[0])

    def of(self, draws: Draws) -> NDArray[np.uint64] | None:
        """A number for each row, equal for rows that print the same; None where no two do."""
        if self.injective:
            return None
        found = np.zeros(len(draws), np.uint64)
        for condition in self.conditions:
            found = mixed(found, fingerprints(self.plan.realiser, condition, draws))
        return found

    def _injective(self, box: Box) -> bool:
        """Whether what is printed shows each draw: some sentence says a word of it that no other member has, or (of a
        feature) is another sentence for each value."""
        spoken = [found for condition in self.conditions if (found := self._spoken(condition)) is not None]
        members = {d.slot.name: d.members for skeleton in box.skeletons for d in skeleton.domains}
        return len(spoken) == len(self.conditions) and all(
            any(
                self._shows_value(slot, each) if slot.is_feature else self._shows_word(slot, members[slot.name], each)
                for each in spoken
            )
            for slot in box.slots
        )

    def _spoken(self, condition: Condition) -> list[tuple[Chosen, tuple[Segment, ...]]] | None:
        """A sentence in each of its variants: the features that are consulted, and the segments; None for too many."""
        plan = self.plan
        variants = Variants(condition.tree, lambda t: consulted(t, plan.grammar), plan.space, plan.grammar)
        if (number := variants.number) > VARIANTS:
            return None
        found = (variants.variant(each) for each in range(number))
        empty = np.zeros(0, np.intp)
        return [(v.chosen, plan.realiser.segments_of(Profile(empty, v.tree, v.chosen))) for v in found]

    def _shows_word(
        self, slot: Slot, members: tuple[int, ...], spoken: list[tuple[Chosen, tuple[Segment, ...]]]
    ) -> bool:
        said: set[str] = set()
        for _, segments in spoken:
            here = {
                s.form.form for s in segments if s.form and s.form.slot.name == slot.name and not s.form.slot.column
            }
            if not here:
                return False
            said |= here
        lexemes = self.plan.grammar.categories[slot.category].lexemes
        words = [{lexemes[member].forms[form].casefold() for form in said} for member in members]
        return sum(map(len, words)) == len(set().union(*words))

    def _shows_value(self, slot: Slot, spoken: list[tuple[Chosen, tuple[Segment, ...]]]) -> bool:
        whole = {(*_but(slot, chosen), segments) for chosen, segments in spoken}
        return any((slot.path, None) in chosen for chosen, _ in spoken) and len(whole) == len(spoken)


def _but(slot: Slot, chosen: Chosen) -> list[tuple[tuple[str, str | None], Cell]]:
    """What is consulted beside the value of a slot."""
    return [(key, cell) for key, cell in chosen.items() if key != (slot.path, None)]


__all__ = ["CHUNK", "Walk"]
