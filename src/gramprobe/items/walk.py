"""The seeded walk through a space in chunks: which instances a dataset may have, in which order.

An instance is skipped and counted if a veto list names it or if it would repeat a text of an earlier instance. The task
says which texts may not be repeated: in `nli` each pair of sentences, else all sentences of an instance together. Where
every draw is visible in some sentence, no instance can repeat another, and no fingerprints are computed.

Where no other instance is left, or so many in a row were skipped that none is expected
(:data:`~gramprobe.items.hands.PATIENCE`), those that were skipped come again, and then the others, with the texts alone
that they do not repeat (:attr:`Walk.drops`); or with all of them, where the author allows duplicates. Where all
instances are wanted, the space is walked to its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from gramprobe.cache import key_of
from gramprobe.items.hands import PATIENCE, Hands, column_of
from gramprobe.items.instance import draws_of
from gramprobe.items.kept_walks import with_kept
from gramprobe.items.limits import Column
from gramprobe.items.marks import Marks
from gramprobe.items.stretch import Keys, Seen, Stretch, equal_within, first_of_each, fresh_texts
from gramprobe.resolve.grammar.data import Cell
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import Slot
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Box, Draws
from gramprobe.words.linearise import Chosen, Segment

KEPT = 16_384
"""The most instances that are wanted of a walk that is kept."""
VARIANTS = 4_096
"""Variants of a sentence up to which we test whether every draw is visible in it."""
CHUNK = 65_536
"""Instances drawn, decided and written at once."""


@dataclass
class Walk(Marks):
    """The instances of a paradigm in the order of a seed.

    Attributes:
        seed: the order.
        compared: whether fingerprints are compared with those of other paradigms, so that each instance needs them.
        by_row: whether each text is that of a row, so that a single row can be left out.
    """

    seed: int = 0
    compared: bool = False
    by_row: bool = False

    @property
    def allowed(self) -> bool:
        """Whether equal rows stand in the dataset."""
        return "duplicates" in self.plan.paradigm.allows

    @property
    def drops(self) -> bool:
        """Whether a row that repeats another is left out, and its instance is not: where no row is missed by others."""
        paradigm = self.plan.paradigm
        whole = paradigm.factors or paradigm.swapped or paradigm.shared
        return self.by_row and len(self.texts) > 1 and not whole and not self.allowed

    @property
    def whole(self) -> bool:
        """Whether an instance with two equal rows is skipped: cells of a design have equally many rows."""
        paradigm = self.plan.paradigm
        return bool(self.by_row and (paradigm.factors or paradigm.swapped) and not self.allowed)

    def check(self, findings: Findings) -> None:
        """Report vetoes that name no instance."""
        for veto in self.vetoes:
            if draws_of(self.plan, veto.instance) is None:
                findings.add(messages.build.unknown_veto(veto.span, veto.instance))

    def stretches(self, expected: int | None) -> Iterator[Stretch]:
        """The walk from its beginning, at most :data:`CHUNK` instances a stretch; small ones where few are
        ``expected``. Up to :data:`KEPT` it is kept between runs."""
        walk = self._stretches(expected)
        if not self.plan.walked or expected is None or expected > KEPT:
            return walk
        vetoes = [veto.instance for veto in self.vetoes]
        asked = (
            self.seed,
            expected,
            self.texts,
            vetoes,
            self.compared,
            self.by_row,
            self.allowed,
            self.drops,
            self.whole,
        )
        return with_kept(key_of(self.plan.walked, *asked), walk)

    def _stretches(self, expected: int | None) -> Iterator[Stretch]:
        skipped: list[Stretch] = []
        seen, behind = Seen(self.pairs), 0
        nothing, none = self.plan.space.at(np.zeros(0, np.int64)), np.zeros(0, np.intp)
        for stretch in self.whole_space(expected, seen) if self.column is None else self.hands.stretches(expected):
            behind = stretch.stop
            if self.returns and len(stretch.repeats):
                skipped.append(structs.replace(stretch, draws=nothing, keys=None, vetoed=none))
            yield self._without_equal(stretch) if self.drops else stretch
        if not self.returns:
            return
        for stretch in chain(skipped, self._others(behind)):
            again = self._again(stretch, seen)
            behind = max(behind, again.stop) if len(again.draws) else behind
            if again.stop > self.end(behind, expected):
                return
            yield again

    @property
    def returns(self) -> bool:
        """Whether instances that were skipped come again where no other is left."""
        return self.column is None and self.by_row and (self.drops or self.allowed)

    @cached_property
    def hands(self) -> Hands:
        """The walk where there are limits."""
        assert self.column is not None
        marks = Marks(self.plan, self.texts, self.vetoes)  # not the walk, which would be in a circle with its hands
        return Hands(self.plan, self.seed, self.column, marks, keyed=not self.never_repeats(), whole=self.whole)

    def _without_equal(self, stretch: Stretch) -> Stretch:
        """A stretch without the rows that are equal to one of their instance."""
        assert stretch.keys is not None
        equal = equal_within(stretch.keys)
        return structs.replace(stretch, kept=~equal) if equal.any() else stretch

    def _again(self, stretch: Stretch, seen: Seen) -> Stretch:
        """The instances that a stretch has passed over, with what is new of them."""
        draws = self.at(stretch.start, stretch.stop, stretch.repeats)
        prints = self.prints(draws)
        keys = self.keys(prints)
        kept = fresh_texts(keys, seen.has(prints))
        seen.add(prints[kept.any(axis=1)])
        given = kept.any(axis=1) | self.allowed
        rows, places, others = np.flatnonzero(given), stretch.repeats[given], stretch.repeats[~given]
        return structs.replace(
            stretch, draws=draws.take(rows), keys=keys[rows], places=places, repeats=others, kept=kept[rows], again=True
        )

    def _others(self, start: int) -> Iterator[Stretch]:
        """The instances from ``start`` on, as if they had been passed over."""
        space, none = self.plan.space, np.zeros(0, np.intp)
        while start < space.size:
            stop = min(start + CHUNK, space.size)
            vetoed = self.vetoed(space.draws(space.permutation(self.seed), start, stop))
            places = np.flatnonzero(~vetoed)
            yield Stretch(space.at(none), None, none, places, np.flatnonzero(vetoed), start, stop)
            start = stop

    @cached_property
    def column(self) -> Column | None:
        """The column whose values are strata; None without limits."""
        return column_of(self.plan)

    def whole_space(self, expected: int | None, seen: Seen) -> Iterator[Stretch]:
        """The walk through the space as a whole. ``seen``: gets the texts of what is taken."""
        start = to = behind = 0
        space = self.plan.space
        permutation = space.permutation(self.seed)
        never_repeats = self.never_repeats()
        ends = (stop for _, stop in self.ranges(expected))
        while start < (end := self.end(behind, expected)):
            to = next(ends) if start == to else to
            stop = min(to, end)
            draws = space.draws(permutation, start, stop)
            vetoed = self.vetoed(draws)
            places = np.flatnonzero(~vetoed)
            allowed = draws if len(places) == len(draws) else draws.take(places)
            keys, kept = None, np.arange(len(allowed))
            if not never_repeats:
                prints = self.prints(allowed)
                keys = self.keys(prints)
                kept = self.usable(keys, seen.has(prints))
                keys = keys[kept]
                seen.add(prints[kept])
            behind = start + int(places[kept[-1]]) + 1 if len(kept) else behind
            usable = allowed if len(kept) == len(allowed) else allowed.take(kept)
            yield Stretch(usable, keys, places[kept], np.delete(places, kept), np.flatnonzero(vetoed), start, stop)
            start = stop

    def end(self, behind: int, expected: int | None) -> int:
        """Where a walk through the space ends, without limits, if it gives no instance from ``behind`` on."""
        size = self.plan.space.size
        return size if expected is None else min(size, behind + PATIENCE)

    def usable(self, keys: Keys, known: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The places of the instances that repeat nothing, of their own rows neither where these must be whole.
        ``known``: (instances, texts), which texts are repeated from earlier stretches."""
        return np.flatnonzero(first_of_each(keys, known | equal_within(keys) if self.whole else known))

    def ranges(self, expected: int | None) -> Iterator[tuple[int, int]]:
        """Where stretches begin and end, of which some may end earlier: first as many as are probably wanted, then
        twice as many each time, so that a long search takes few steps; at most :data:`CHUNK`."""
        size = CHUNK if expected is None else min(CHUNK, expected + expected // 8 + 4)
        start, last = 0, self.plan.space.size
        while start < last:
            yield start, min(start + size, last)
            start, size = start + size, min(CHUNK, max(64, 2 * size))

    def never_repeats(self) -> bool:
        """Whether no instance can repeat a text of another, and none is compared with those of other paradigms."""
        return not self.compared and self._never_repeats()

    def marks(self, start: int, stop: int) -> tuple[NDArray[np.intp], Keys]:
        """What decides which instances of ``start .. stop - 1`` are taken: the places of those that no veto list names,
        and the :meth:`prints` of these."""
        draws = self.plan.space.draws(self.plan.space.permutation(self.seed), start, stop)
        places = np.flatnonzero(~self.vetoed(draws))
        return places, self.prints(draws if len(places) == len(draws) else draws.take(places))

    def at(self, start: int, stop: int, places: NDArray[np.intp]) -> Draws:
        """The instances at these places of ``start .. stop - 1``, where there are no limits."""
        draws = self.plan.space.draws(self.plan.space.permutation(self.seed), start, stop)
        return draws if len(places) == len(draws) else draws.take(places)

    def stretch(self, draws: Draws, keyed: bool) -> Stretch:
        """Instances that were taken, with their keys if ``keyed``; what was skipped before them is not known."""
        none = np.zeros(0, np.intp)
        keys = self.keys(self.prints(draws)) if keyed or self.drops else None
        stretch = Stretch(draws, keys, np.arange(len(draws)), none, none, 0, len(draws))
        return self._without_equal(stretch) if self.drops else stretch

    # -- whether no two instances have the same sentences

    def _never_repeats(self) -> bool:
        """Whether no two instances have the same text, because every draw is visible in it.

        Tested only where all sentences of an instance are one text: two instances often share a single pair.
        """
        boxes = self.plan.space.boxes
        return len(self.texts) == 1 and len(boxes) == 1 and self._shows_all(boxes[0])

    def _shows_all(self, box: Box) -> bool:
        """Whether each draw is visible in some sentence: a word by a form that no other member has, a feature by
        giving another sentence for each of its values."""
        conditions = [self.plan.paradigm.conditions[name] for name in self.texts[0]]
        assert box.network is not None  # a space has instances, and this is its only box
        domains = zip(box.slots, box.network.domains, strict=True)
        members = {slot.name: tuple(domain) for slot, domain in domains}  # without those that refer to nothing
        variants = [each for condition in conditions if (each := self._sentences(condition, members)) is not None]
        return len(variants) == len(conditions) and all(
            any(
                _shows_value(slot, each) if slot.is_feature else self._shows_word(slot, members[slot.name], each)
                for each in variants
            )
            for slot in box.slots
        )

    def _sentences(
        self, condition: Condition, members: dict[str, tuple[int, ...]]
    ) -> list[tuple[Chosen, tuple[Segment, ...]]] | None:
        """The variants of a sentence for these members of its slots: of each the features that are consulted, and its
        segments. None where there are more than :data:`VARIANTS`."""
        worded = self.plan.realiser.worded(condition)
        every = worded.variants.among(0, members, VARIANTS)
        return None if every is None else [(each.chosen, worded.segments_of(each)) for each in every]

    def _shows_word(
        self, slot: Slot, members: tuple[int, ...], sentences: list[tuple[Chosen, tuple[Segment, ...]]]
    ) -> bool:
        forms: set[str] = set()
        for _, segments in sentences:
            here = {
                s.form.form for s in segments if s.form and s.form.slot.name == slot.name and not s.form.slot.column
            }
            if not here:
                return False
            forms |= here
        lexemes = self.plan.grammar.categories[slot.category].lexemes
        words = [{lexemes[member].forms[form].casefold() for form in forms} for member in members]
        return sum(map(len, words)) == len(set().union(*words))


def _shows_value(slot: Slot, sentences: list[tuple[Chosen, tuple[Segment, ...]]]) -> bool:
    whole = {(*_without(slot, chosen), segments) for chosen, segments in sentences}
    return any((slot.path, None) in chosen for chosen, _ in sentences) and len(whole) == len(sentences)


def _without(slot: Slot, chosen: Chosen) -> list[tuple[tuple[str, str | None], Cell]]:
    """The consulted values but for that of a slot."""
    return [(key, cell) for key, cell in chosen.items() if key != (slot.path, None)]
