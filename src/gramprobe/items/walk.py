"""The seeded walk through a space in chunks: which instances a dataset may have, in which order.

An instance is skipped and counted if a veto list names it or if it would repeat a text of an earlier instance. The task
says which texts may not be repeated: in `nli` each pair of sentences, else all sentences of an instance together. Where
every draw is visible in some sentence, no instance can repeat another, and no fingerprints are computed.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.items.instance import draws_of, names
from gramprobe.items.plan import Plan
from gramprobe.resolve.grammar.data import Cell
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import Slot
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.space.space import Box, Draws
from gramprobe.words.linearise import Chosen, Segment
from gramprobe.words.realise import fingerprints, mixed

VARIANTS = 4_096
"""Variants of a sentence up to which we test whether every draw is visible in it."""
CHUNK = 65_536
"""Instances drawn, decided and written at once."""
PATIENCE = 1 << 20
"""After so many instances in a row that exceed a limit of the paradigm, no other is expected to keep it."""
SCARCE = 8
"""Where limits let fewer than one in so many instances of a stretch pass, the next stretch is twice as long."""
BATCH = 1_024
"""Instances that keep the limits so far, of which the fingerprints are made at once."""

Keys = NDArray[np.uint64]


class Veto(Struct, frozen=True):
    """An instance that a reader rejected, with the reason and the place in the veto list."""

    instance: str
    reason: str
    span: Span


class Stretch(Struct, frozen=True):
    """A stretch of the walk: the instances that may be used, and the places of those that were skipped.

    Attributes:
        draws: the instances that may be used.
        keys: (instances, texts), the fingerprint of each text that may not be repeated; None where no repeat can occur.
        places: (instances,), the place of each in the stretch.
        repeats: places of instances that would repeat a text, or a word more often than the paradigm allows.
        vetoed: places of instances that the veto list names.
        start, stop: where the stretch lies in the permuted space.
    """

    draws: Draws
    keys: Keys | None
    places: NDArray[np.intp]
    repeats: NDArray[np.intp]
    vetoed: NDArray[np.intp]
    start: int
    stop: int

    def skipped(self, count: int | None = None) -> tuple[int, int]:
        """How many repeats and vetoed instances stand in the stretch, or (with ``count``) before its usable instance
        of that number, counted from 1."""
        if count is None:
            return len(self.repeats), len(self.vetoed)
        last = self.places[count - 1] if count else -1
        return int((self.repeats < last).sum()), int((self.vetoed < last).sum())


class Seen:
    """A growing set of keys, in sorted runs of which each is at least twice as long as the next: a stretch is compared
    with all keys before it in time that hardly grows, where one sorted array would be sorted anew each time."""

    def __init__(self) -> None:
        self._runs: list[Keys] = []

    def __len__(self) -> int:
        return sum(map(len, self._runs))

    def add(self, keys: Keys) -> None:
        """Add keys of any shape, none of which is there already."""
        fresh = np.sort(keys.reshape(-1))
        while self._runs and len(self._runs[-1]) < 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._runs.pop(), fresh]), kind="stable")  # two runs: merged
        if len(fresh):
            self._runs.append(fresh)

    def has(self, keys: Keys) -> NDArray[np.bool_]:
        """Which of these keys are there; an array of their shape."""
        found = np.zeros(keys.shape, np.bool_)
        for run in self._runs:
            found |= run[np.minimum(np.searchsorted(run, keys), len(run) - 1)] == keys
        return found


@dataclass
class Walk:
    """The instances of a paradigm in the order of a seed.

    Attributes:
        plan: the paradigm.
        seed: the order.
        texts: tuples of conditions whose sentences, taken together, no two instances may share.
        vetoes: instances to skip.
        compared: whether fingerprints are compared with those of other paradigms, so that each instance needs them.
    """

    plan: Plan
    seed: int
    texts: Sequence[tuple[str, ...]]
    vetoes: tuple[Veto, ...] = ()
    compared: bool = False
    _seen: Seen = field(init=False, default_factory=Seen)

    def check(self, findings: Findings) -> None:
        """Report vetoes that name no instance."""
        for veto in self.vetoes:
            if draws_of(self.plan, veto.instance) is None:
                findings.add(messages.build.unknown_veto(veto.span, veto.instance))

    def stretches(self, expected: int | None) -> Generator[Stretch]:
        """The walk from its beginning, at most :data:`CHUNK` instances a stretch; small ones where few are
        ``expected``, but for those of which limits let few pass."""
        self._seen = Seen()
        limits = Limits(self.plan) if self.plan.paradigm.limits else None
        passed = start = 0
        space = self.plan.space
        permutation = space.permutation(self.seed)
        never_repeats = self.never_repeats()
        size = self.length(expected)
        while start < space.size:
            stop = min(start + size, space.size)
            draws = space.draws(permutation, start, stop)
            vetoed = self._vetoed(draws)
            places = np.flatnonzero(~vetoed)
            allowed = draws if len(places) == len(draws) else draws.take(places)
            kept, keys = self._kept(allowed, limits, never_repeats)
            if keys is not None:
                self._seen.add(keys)
            usable = allowed if len(kept) == len(allowed) else allowed.take(kept)
            yield Stretch(usable, keys, places[kept], np.delete(places, kept), np.flatnonzero(vetoed), start, stop)
            start = stop
            if limits is None:
                continue
            passed = 0 if len(kept) else passed + len(draws)
            if passed >= PATIENCE:
                return
            if len(kept) * SCARCE < len(draws):
                size = min(CHUNK, 2 * size)

    @staticmethod
    def length(expected: int | None) -> int:
        """How many instances the first stretch has (where there are no limits, every one but the last)."""
        return CHUNK if expected is None else min(CHUNK, max(64, expected + expected // 8))

    def never_repeats(self) -> bool:
        """Whether no instance can repeat a text of another, and none is compared with those of other paradigms."""
        return not self.compared and self._never_repeats()

    def marks(self, start: int, stop: int) -> tuple[NDArray[np.intp], Keys]:
        """What decides which instances of ``start .. stop - 1`` are taken: the places of those that no veto list names,
        and the keys of these."""
        draws = self.plan.space.draws(self.plan.space.permutation(self.seed), start, stop)
        places = np.flatnonzero(~self._vetoed(draws))
        return places, self._keys(draws if len(places) == len(draws) else draws.take(places))

    def stretch(self, start: int, stop: int, places: NDArray[np.intp], keyed: bool) -> Stretch:
        """The instances at these places of ``start .. stop - 1``, with their keys if ``keyed``; what was skipped is not
        known."""
        draws = self.plan.space.draws(self.plan.space.permutation(self.seed), start, stop)
        usable = draws if len(places) == len(draws) else draws.take(places)
        none = np.zeros(0, np.intp)
        return Stretch(usable, self._keys(usable) if keyed else None, places, none, none, start, stop)

    def _kept(self, draws: Draws, limits: Limits | None, never_repeats: bool) -> tuple[NDArray[np.intp], Keys | None]:
        """Which instances of a stretch to take, greedily from the first, and the keys of these."""
        if limits is not None:
            return self._within(draws, limits, never_repeats)
        if never_repeats:
            return np.arange(len(draws)), None
        keys = self._keys(draws)
        kept = np.flatnonzero(first_of_each(keys, self._seen))
        return kept, keys[kept]

    def _within(self, draws: Draws, limits: Limits, never_repeats: bool) -> tuple[NDArray[np.intp], Keys | None]:
        """The same where there are limits. An instance is taken iff no limit and no instance that was taken before it
        stands against it. Fingerprints are the dearer test: they are made only of what no limit excludes by then."""
        cells = limits.cells(draws)
        taken: list[int] = []
        parts = [np.zeros((0, len(self.texts)), np.uint64)]
        here: set[int] = set()  # the keys of what was taken in this stretch
        begin = 0
        while len(rows := begin + np.flatnonzero(limits.room(cells.since(begin)))[:BATCH]):
            keys = None if never_repeats else self._keys(draws.take(rows))
            known = self._seen.has(keys) if keys is not None else np.zeros((len(rows), 1), np.bool_)
            fresh = np.logical_not(known.any(axis=1))
            at, begin = 0, int(rows[-1]) + 1
            while len(ahead := np.flatnonzero(fresh[at:] & limits.room(cells.of(rows[at:])))):
                at += int(ahead[0])
                mine = [] if keys is None else keys[at].tolist()
                if here.isdisjoint(mine):
                    here.update(mine)
                    taken.append(int(rows[at]))
                    if keys is not None:
                        parts.append(keys[at : at + 1])
                    if limits.add(cells, taken[-1]):  # what was excluded may not be any more
                        begin = taken[-1] + 1
                        break
                at += 1
        return np.array(taken, np.intp), None if never_repeats else np.concatenate(parts)

    def _vetoed(self, draws: Draws) -> NDArray[np.bool_]:
        """Which instances the veto list names."""
        if not self.vetoes:
            return np.zeros(len(draws), np.bool_)
        instances = {veto.instance for veto in self.vetoes}
        column = self.plan.realiser.column(names(self.plan, draws), sentence=False).to_pylist()
        return np.fromiter((name in instances for name in column), np.bool_, len(draws))

    def _keys(self, draws: Draws) -> Keys:
        conditions, realiser = self.plan.paradigm.conditions, self.plan.realiser
        used = dict.fromkeys(name for text in self.texts for name in text)
        marks = {name: fingerprints(realiser, conditions[name], draws) for name in used}
        return np.stack([reduce(mixed, [marks[name] for name in text]) for text in self.texts], axis=1)

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


class Counted(Struct, frozen=True):
    """What the limits of a paradigm count in each instance; both arrays are of shape (instances, slots).

    Attributes:
        numbers: the number of the word, or of the value of its column, that stands in each slot.
        times: how often the instance has it.
    """

    numbers: NDArray[np.intp]
    times: NDArray[np.intp]

    def since(self, row: int) -> Counted:
        return Counted(self.numbers[row:], self.times[row:])

    def of(self, rows: NDArray[np.intp]) -> Counted:
        return Counted(self.numbers[rows], self.times[rows])


class Limits:
    """How often words, and values of columns, have been drawn, against the limits of a paradigm.

    What is counted has a number: every word or value of each limit its own, 0 what is not counted (an empty cell, a
    slot that an instance does not have).
    """

    def __init__(self, plan: Plan) -> None:
        self._limits = plan.paradigm.limits
        self._slots: list[tuple[str, NDArray[np.intp]]] = []  # the number of each member of a slot, then the 0 of none
        of: list[int] = []  # for each number but 0 the limit it belongs to
        for index, limit in enumerate(self._limits):
            known: dict[Cell, int] = {}
            for slot, column in limit.of:
                numbers = [
                    0 if v is None else known.setdefault(v, len(of) + len(known) + 1)
                    for v in self._values(plan, slot, column)
                ]
                self._slots.append((slot.name, np.array([*numbers, 0], np.intp)))
            of += [index] * len(known)
        self._of = np.array(of, np.intp)
        self._drawn = np.zeros(len(of) + 1, np.intp)
        self._instances = 0
        self._most = self._bounds()

    @staticmethod
    def _values(plan: Plan, slot: Slot, column: str | None) -> list[Cell | None]:
        """For each member of a slot the word, or the value of its column."""
        category = plan.grammar.categories[slot.category]
        return [
            each.id if column is None else category.fixed[column] if column in category.fixed else each.columns[column]
            for each in category.lexemes
        ]

    def _bounds(self) -> NDArray[np.intp]:
        """How often each may have been drawn by now; what is not counted: as often as it likes."""
        bounds = np.array([limit.after(self._instances) for limit in self._limits], np.intp)
        return np.concatenate([[np.iinfo(np.intp).max], bounds[self._of]])

    def cells(self, draws: Draws) -> Counted:
        """What is counted in each instance."""
        numbers = np.stack([known[draws.columns[slot]] for slot, known in self._slots], axis=1)
        return Counted(numbers, (numbers[:, :, None] == numbers[:, None, :]).sum(axis=2))

    def room(self, cells: Counted) -> NDArray[np.bool_]:
        """Which of these instances may be taken next, so that no limit is exceeded."""
        fits = self._drawn[cells.numbers] <= self._most[cells.numbers] - cells.times
        each: NDArray[np.bool_] = np.logical_and.reduce(fits, axis=1)
        return each

    def add(self, cells: Counted, row: int) -> bool:
        """Count an instance that is taken. Returns whether limits have become larger by it."""
        np.add.at(self._drawn, cells.numbers[row], 1)
        self._drawn[0] = 0
        self._instances += 1
        before, self._most = self._most, self._bounds()
        return not np.array_equal(before, self._most)


def _shows_value(slot: Slot, sentences: list[tuple[Chosen, tuple[Segment, ...]]]) -> bool:
    whole = {(*_without(slot, chosen), segments) for chosen, segments in sentences}
    return any((slot.path, None) in chosen for chosen, _ in sentences) and len(whole) == len(sentences)


def _without(slot: Slot, chosen: Chosen) -> list[tuple[tuple[str, str | None], Cell]]:
    """The consulted values but for that of a slot."""
    return [(key, cell) for key, cell in chosen.items() if key != (slot.path, None)]


def first_of_each(keys: Keys, seen: Seen) -> NDArray[np.bool_]:
    """Which rows to take so that no key is repeated, greedily from the first row.

    ``keys``: (rows, texts); ``seen``: keys of earlier rows. Returns (rows,) booleans: a row is taken iff no
    key of it is among ``seen`` or in a row that was taken before it. Of the rows [1], [2], [1] the first two are.
    """
    count = len(keys)
    take = np.ones(count, np.bool_)
    if not count:
        return take
    values, first, inverse = np.unique(keys.reshape(-1), return_index=True, return_inverse=True)
    inverse = inverse.reshape(keys.shape)
    known = seen.has(values)
    owner = first // keys.shape[1]
    repeated = (owner[inverse] != np.arange(count)[:, None]) | known[inverse]
    if not repeated.any():
        return take
    # Only rows that share a key with another can depend on what was skipped: these one by one.
    shared = np.zeros(len(values), np.bool_)
    shared[np.unique(inverse[repeated])] = True
    taken: set[int] = set()
    for row in np.flatnonzero((shared | known)[inverse].any(axis=1)):
        mine = inverse[row]
        if known[mine].any() or any(int(k) in taken for k in mine):
            take[row] = False
        else:
            taken.update(int(k) for k in mine[shared[mine]])
    return take
