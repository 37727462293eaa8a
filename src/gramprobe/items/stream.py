"""The items of a paradigm, drawn and decided chunk by chunk.

    walk -> stretch of instances -> groups -> decisions -> without rejected instances -> chunk

Objections and unmet claims are reported at their places in the files. An instance that its task rejects (its sentence
has one reading, its options do not separate the readings) is counted and left out.

Where so many in a row are rejected that no other is expected (:data:`~gramprobe.items.hands.PATIENCE`), the stream
ends, unless all instances are wanted.

Where pairs have shares every instance gives one row, of the pair that is furthest behind its share (:class:`Turns`). So
after any number of instances no pair is a whole row ahead of its share, and with two pairs none is more than half a row
behind it; with more pairs one may be further behind, by the harmonic number of the pairs at most (1 + 1/2 + 1/3 and so
on), whatever the number of instances. A larger dataset begins with the smaller one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import Groups
from gramprobe.items.hands import PATIENCE
from gramprobe.items.marks import Veto
from gramprobe.items.plan import Plan
from gramprobe.items.preferences import Preference
from gramprobe.items.rows import Chunk, Rows, kept_of
from gramprobe.items.shortage import shortage
from gramprobe.items.stretch import Stretch
from gramprobe.items.task import Task
from gramprobe.items.walk import Walk
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws
from gramprobe.stop import ask_stop


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A run of a stream's instances, whose walk is known: what one process of several makes.

    Attributes:
        first: how many instances come before it.
        given: how many rows each pair has before it, where pairs take turns.
        stretches: the instances.
    """

    first: int
    given: Sequence[int]
    stretches: Iterable[Stretch]


@dataclass(kw_only=True)
class Stream:
    """The items of a paradigm.

    Attributes:
        plan: the paradigm in its theory.
        task: the task that it sets.
        findings: objections, unmet claims, mistakes in veto lists.
        count: how many instances are wanted (None: all).
        seed: which instances are drawn.
        vetoes: instances that a reader rejected.
        allow_bounded: whether labels on trust pass.
        at_most: whether fewer than ``count`` are accepted without an error.
        preferences: sentence -> the reading that people prefer.
        with_rejected: also give rejected instances.
        lenient: report unmet claims and readings that disagree as warnings: under another theory they are results.
        compares: whether another row of each group is compared with the decided one.
        twins: whether other paradigms may have the same pairs, so that each instance needs its fingerprints.
        part_rows: how many rows a Parquet file has at most, instances kept whole (None: any number).
        taken: how many instances were given so far.
        rejected: reason -> how many instances were rejected.
        repeats, vetoed: how many instances of the walk were skipped.
        equal: how many rows stand in an earlier instance as well, where the author allows that.
    """

    plan: Plan
    task: Task
    findings: Findings
    count: int | None
    seed: int = 0
    vetoes: tuple[Veto, ...] = ()
    allow_bounded: bool = False
    at_most: bool = False
    preferences: Mapping[str, Preference] = field(default_factory=dict)
    with_rejected: bool = False
    lenient: bool = False
    compares: bool = True
    twins: bool = True
    part_rows: int | None = None

    def __post_init__(self) -> None:
        self.decisions = Decisions(self.plan, self.task, self.findings, self.allow_bounded, self.lenient, self.compares)
        texts = self.task.texts(self.plan.paradigm)
        # a pair of sentences may stand in another paradigm of the dataset, with another label
        compared = self.twins and self.task.form.claims == "label"
        by_row = texts == tuple(part.conditions for part in self.decisions.parts)
        self.walk = Walk(self.plan, texts, self.vetoes, self.seed, compared=compared, by_row=by_row)
        self.rows = Rows(self.decisions, self.task)
        self._begin()

    @cached_property
    def rows_each(self) -> int:
        """How many rows an instance has: as many as the task makes for a chunk without instances.

        Raises RuntimeError for a task that makes no rows, or not the same number for each part.
        """
        if self.plan.paradigm.shared:
            return 1
        rows, parts = len(self.rows.cells(self._empty())), len(self.decisions.parts)
        if not rows or rows % parts:
            raise RuntimeError(f"the task {self.task.name} makes {rows} rows of an instance, and decides {parts} parts")
        return rows

    @property
    def few(self) -> bool:
        """Whether fewer instances are drawn than the paradigm has by itself: what holds in none of them may hold in
        others, so that it is not reported."""
        return self.count is not None and self.count < min(self.plan.paradigm.sample_size, self.plan.space.size)

    @property
    def part(self) -> int | None:
        """How many instances a Parquet file has at most; None: any number."""
        return None if self.part_rows is None else max(1, self.part_rows // self.rows_each)

    def _begin(self) -> None:
        self.taken = self.repeats = self.vetoed = self.equal = 0
        self._again, self._idle = False, 0
        self.rejected: Counter[str] = Counter()
        for rows in self.decisions.rows:
            rows.clear()

    def answers(self, chunk: Chunk, row: int) -> list[Any]:
        """The answers of an instance, one for each part."""
        return [self.decisions.answer(at, int(codes[row])) for at, codes in enumerate(chunk.groups.parts)]

    def stopped(self) -> bool:
        """Whether there are errors, so that no more instances are drawn."""
        return self.findings.failed

    def run(self) -> Stream:
        """Decide every chunk without keeping the instances."""
        for _ in self.chunks():
            pass
        return self

    def whole(self) -> Chunk:
        """All instances in one chunk; meant for small numbers of them."""
        chunks = list(self.chunks())
        if not chunks:
            return self._empty()
        keys = [c.keys for c in chunks if c.keys is not None]
        return replace(
            chunks[0],
            draws=Draws.joined([c.draws for c in chunks]),
            groups=Groups.joined([c.groups for c in chunks]),
            keys=np.concatenate(keys) if keys else None,
            kept=kept_of(chunks, len(self.decisions.parts)),
            preferred=tuple(reading for c in chunks for reading in c.preferred),
        )

    def chunks(self, piece: Piece | None = None) -> Iterator[Chunk]:
        """The items in chunks; each call begins with the first item. A chunk lies in one part of a split.

        Errors go to ``findings``. A chunk with an unmet claim is still given; after a group without an answer no
        further chunk is. ``piece``: the instances of this piece alone; what shows at the end only is not reported.
        """
        self._begin()
        if piece is None:
            self.walk.check(self.findings)
            if self.stopped():
                return
        self.taken = piece.first if piece else 0
        turns = Turns(self.plan.paradigm, piece.given if piece else ())
        wanted = self.plan.space.size if self.count is None else self.count
        begun = False
        for stretch in piece.stretches if piece else self.walk.stretches(self.count):
            ask_stop()
            if not len(stretch.draws):
                self._skip(stretch, None)
                continue
            draws = stretch.draws
            if not self.task.rejects and len(draws) > wanted - self.taken:
                draws = draws.take(np.arange(wanted - self.taken))
            groups = self.decisions.grouping.of(draws)
            if not begun:
                self.task.begin(self.decisions)
                begun = True
                if self.stopped():
                    return
            self.decisions.answer_groups(draws, groups, wanted - self.taken if self.task.rejects else None)
            if not self.decisions.complete:
                return
            rows = self._admit(groups, wanted - self.taken)
            if self._gives_up(rows, len(draws)):
                break
            self.taken += len(rows)
            self._skip(stretch, int(rows[-1]) + 1 if self.taken >= wanted else None)
            self.decisions.count(draws.take(rows), groups.take(rows))
            self.decisions.claims()
            keys = None if stretch.keys is None else stretch.keys[rows]
            kept = turns.deal(len(rows)) if stretch.kept is None else stretch.kept[rows]
            if kept is not None and self.walk.allowed:
                self.equal += int((~kept).sum())
                kept = None
            chunk = Chunk(draws=draws.take(rows), groups=groups.take(rows), keys=keys, kept=kept)
            if len(chunk):
                yield from self._in_splits(chunk)
            if self.stopped():
                return
            if self.taken >= wanted:
                break
        if piece is None:
            self.end()

    def _admit(self, groups: Groups, wanted: int) -> NDArray[np.intp]:
        """The places of the instances of a stretch that are given, at most ``wanted``; rejected instances before the
        last of them are counted."""
        admitted = self.decisions.decided(groups) if self.with_rejected else self.decisions.admitted(groups)
        rows = np.flatnonzero(admitted)[:wanted]
        end = int(rows[-1]) + 1 if len(rows) == wanted else len(admitted)
        if self.task.rejects:
            for codes, reasons in zip(groups.parts, self.decisions.rejections, strict=True):
                for group, number in enumerate(np.bincount(codes[:end]).tolist()):
                    if number and reasons.get(group):
                        self.rejected[reasons[group]] += number
        return rows

    def _gives_up(self, rows: NDArray[np.intp], count: int) -> bool:
        """Whether too many instances in a row are rejected before the first of the ``rows`` that are given, of the
        ``count`` of a stretch, which are fewer than that."""
        if self.count is None or not self.task.rejects:
            return False
        self._idle += int(rows[0]) if len(rows) else count
        if self.gave_up:
            return True
        if len(rows):
            self._idle = count - 1 - int(rows[-1])
        return False

    @property
    def gave_up(self) -> int:
        """How many instances in a row were rejected, if the stream ended for that; else 0."""
        return self._idle if self._idle >= PATIENCE else 0

    def _skip(self, stretch: Stretch, count: int | None) -> None:
        repeats, vetoed = stretch.skipped(count)
        if stretch.again and not self._again:  # all that were passed over come again
            self.repeats, self._again = 0, True
        self.repeats += repeats
        self.vetoed += vetoed

    def _in_splits(self, chunk: Chunk) -> Iterator[Chunk]:
        """Cut a chunk where a split or a part of it ends, and add the preferred readings."""
        start = 0
        first = self.taken - len(chunk)
        for split, number, size in part_runs(self.plan.paradigm, first, self.taken, self.part):
            rows = np.arange(start, start + size)
            part = chunk
            if size < len(chunk):
                part = replace(
                    chunk,
                    draws=chunk.draws.take(rows),
                    groups=chunk.groups.take(rows),
                    keys=None if chunk.keys is None else chunk.keys[rows],
                    kept=None if chunk.kept is None else chunk.kept[rows],
                )
            yield replace(part, split=split, part=number, preferred=self._preferred(part))
            start += size

    def _preferred(self, chunk: Chunk) -> tuple[str, ...]:
        """For each instance the reading that people prefer; a reading that its sentence does not have is reported."""
        if not self.preferences:
            return ()
        name = next(c.name for c in self.plan.paradigm.conditions.values() if c.role == "said")
        sentences = self.plan.realiser.sentences(self.plan.paradigm.conditions[name], chunk.draws).to_pylist()
        preferred = []
        for row, sentence in enumerate(sentences):
            preference = self.preferences.get(sentence)
            if preference is None:
                preferred.append("")
                continue
            reading, known = self.task.preferred(self.answers(chunk, row), name, preference.reading)
            if reading not in known:
                self.findings.add(messages.build.unknown_preference(preference.span, reading, known, sentence))
            preferred.append(reading)
        return tuple(preferred)

    def _empty(self) -> Chunk:
        draws = Draws(np.zeros(0, np.int32), {n: np.zeros(0, np.int32) for n in self.plan.space.slots})
        return Chunk(draws=draws, groups=self.decisions.grouping.of(draws))

    def end(self) -> None:
        """Report mistakes that show only when every chunk was decided."""
        paradigm = self.plan.paradigm
        before = len(self.findings.items)
        self.task.end(self)
        if len(self.findings.items) > before and self.taken == 0:
            return
        short = self.count is not None and self.taken < self.count and not self.at_most
        if short or (not self.taken and self.repeats):  # so it is where an instance without equal rows is wanted
            declared = paradigm.size_span if self.count == paradigm.size else None
            place = declared or paradigm.span
            self.findings.add(
                messages.paradigm.too_few(
                    place,
                    paradigm.name,
                    self.count,
                    self.taken,
                    self.plan.space.size,
                    [limit.text for limit in paradigm.limits],
                    shortage(self.walk) if self.taken < self.plan.space.size and not self.gave_up else (),
                )
            )


OTHERS = "test"
"""The split of instances beyond the sizes of the declared splits."""


class Turns:
    """Deals pairs to instances as they come."""

    def __init__(self, paradigm: Paradigm, given: Sequence[int] = ()):
        """``given``: how many rows each pair has already; none at the beginning."""
        shares = np.array([pair.share or 0.0 for pair in paradigm.pairs])
        self.shares: list[float] | None = (shares / shares.sum()).tolist() if paradigm.shared else None
        self.given = list(given) or [0] * len(shares)
        self.count = sum(given)

    def deal(self, count: int) -> NDArray[np.bool_] | None:
        """(count, pairs) the one pair of each of the next instances; None if instances give rows of all pairs."""
        if self.shares is None:
            return None
        kept = np.zeros((count, len(self.shares)), np.bool_)
        for number in range(count):
            self.count += 1
            missing = [share * self.count - given for share, given in zip(self.shares, self.given, strict=True)]
            pair = missing.index(max(missing))
            kept[number, pair] = True
            self.given[pair] += 1
        return kept


def split_runs(paradigm: Paradigm, start: int, stop: int) -> Iterator[tuple[str, int]]:
    """The splits of the instances ``start .. stop - 1``, each with how many of them are in it, in order."""
    if not paradigm.splits:
        if stop > start:
            yield paradigm.split, stop - start
        return
    at, behind = start, 0
    for name, size in paradigm.splits:
        behind += size
        if at < min(stop, behind):
            yield name, min(stop, behind) - at
            at = min(stop, behind)
    if at < stop:  # more instances than the splits name
        yield OTHERS, stop - at


def part_runs(paradigm: Paradigm, start: int, stop: int, most: int | None) -> Iterator[tuple[str, int, int]]:
    """The same cut after every ``most`` instances of a split (None: not at all): split, number of the part from 0, how
    many instances of it, in order."""
    at = start
    for split, size in split_runs(paradigm, start, stop):
        if most is None:
            yield split, 0, size
            at += size
            continue
        end = at + size
        while at < end:
            part, inside = divmod(at - _begin(paradigm, split), most)
            step = min(end - at, most - inside)
            yield split, part, step
            at += step


def _begin(paradigm: Paradigm, split: str) -> int:
    """The number of the first instance of a split."""
    begin = 0
    for name, size in paradigm.splits:
        if name == split:
            return begin
        begin += size
    return begin if paradigm.splits else 0
