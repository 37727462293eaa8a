"""One paradigm by several processes: each makes some parts of its splits (`dataset.parts`).

    marks      which instances repeat a text is decided here, of fingerprints that other processes make
    parts      the instances of each Parquet file are known then, so that any process can make their rows
    replay     of each group of rows the first is decided here once more, so that claims are checked and numbers are
               counted over all rows as in one process

What depends on all instances before it in other ways is not cut (:func:`can_cut`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gramprobe.dataset.gates import READ, Gates
from gramprobe.dataset.paradigm import Options, Written, summary_of
from gramprobe.dataset.parts import LINES, PARQUET, PARTS, Made, Marks, Run, SplitPart, Unit, part_place
from gramprobe.dataset.report import Report
from gramprobe.dataset.twins import Pairs
from gramprobe.dataset.write import items_file, name_parquet, part_file
from gramprobe.items.stream import Piece, Stream, Turns, part_runs
from gramprobe.items.stretch import Seen, Stretch
from gramprobe.source import messages
from gramprobe.space.space import Draws
from gramprobe.work.cluster import Failed

AHEAD = 4
"""How many stretches for each process are begun and not yet used here; their keys are in memory."""
SPARE = 2
"""How many more parts than processes are begun and not yet used here; they are on the disk."""
BLOCK = 1 << 24
"""Bytes of lines that are copied at once."""


class Workers(Protocol):
    """Processes that do units (`gramprobe.work.cluster.Pool`)."""

    @property
    def count(self) -> int: ...

    def in_order(self, units: Iterator[Unit], ahead: int) -> Any: ...


def can_cut(stream: Stream, options: Options) -> bool:
    """Whether a paradigm can be made part by part, and has several parts.

    Not where instances are rejected, so that what a part holds is known only when all before it are decided, nor where
    another theory, preferences or given sentences want every row in one place.
    """
    if stream.task.rejects or options.theory or stream.preferences or stream.at_most:
        return False
    wanted = stream.plan.space.size if stream.count is None else min(stream.count, stream.plan.space.size)
    return stream.part is not None and wanted > stream.part


def cut(name: str, stream: Stream, folder: Path, workers: Workers) -> Written | None:
    """Have other processes write a paradigm part by part into a folder.

    ``stream``: the paradigm's, of which nothing was drawn yet. None where a part has errors: one process then finds and
    reports them in order. Raises UsageError (E62) for a part that failed on its machine, OSError.
    """
    stream.walk.check(stream.findings)
    if stream.stopped():
        return Written(summary=None, diagnostics=stream.findings.items)
    paradigm = stream.plan.paradigm.name
    (folder / "items").mkdir(exist_ok=True)
    (folder / "parquet" / paradigm).mkdir(parents=True)
    (folder / PARTS).mkdir(exist_ok=True)
    taken = _taken(name, stream, workers)
    if taken.total < wanted_of(stream) and stream.walk.returns:
        return None  # what was passed over comes again, with some of its rows
    units = list(_parts(name, stream, taken))
    gates = Gates(stream.decisions, stream.findings, stream.plan.decider.of_tries)
    _head(stream, gates, taken)
    if stream.stopped():
        return None
    stream.decisions.compares = False  # two rows of each group are compared where they are made
    report = Report(stream, gates)
    written = _put_together(units, stream, folder, workers, report)
    if written is None:
        return None
    stream.taken, stream.repeats, stream.vetoed = taken.total, taken.repeats, taken.vetoed
    name_parquet(folder, paradigm)
    stream.end()
    if not stream.stopped():
        gates.end()
    if stream.stopped():
        return Written(summary=None, diagnostics=stream.findings.items)
    summary = summary_of(report, stream.plan.decider, *written)
    return Written(summary=summary, diagnostics=stream.findings.items)


def _put_together(
    units: Sequence[SplitPart], stream: Stream, folder: Path, workers: Workers, report: Report
) -> tuple[str, Pairs] | None:
    """Have the parts made, count them, and put their files in place: the SHA-256 of the lines, and the pairs.

    None where a part has errors. Raises UsageError (E62), OSError.
    """
    paradigm = stream.plan.paradigm.name
    pairs: list[Pairs] = []
    digest = hashlib.sha256()
    with (folder / items_file(paradigm)).open("wb") as lines:
        for unit, made in workers.in_order(iter(units), workers.count + SPARE):
            if isinstance(made, Failed):
                raise messages.cluster.failed(str(unit), made.node, made.text)
            if made.failed:
                return None
            _replay(stream, made, report)
            if stream.stopped() or not stream.decisions.complete:
                return None
            report.splits[unit.split] += (unit.stop - unit.first) * stream.rows_each - made.equal_rows
            report.equal_rows += made.equal_rows
            pairs.append(made.pairs)
            place = part_place(folder, stream, unit)
            _append(place.with_name(place.name + LINES), lines, digest)
            os.replace(place.with_name(place.name + PARQUET), folder / part_file(paradigm, unit.split, unit.number))
    return digest.hexdigest(), Pairs.joined(pairs)


@dataclass
class Taken:
    """Which instances of a walk are taken, by stretches. ``drawn``: whether the paradigm has limits."""

    drawn: bool
    runs: list[Run] = field(default_factory=list)
    total: int = 0
    repeats: int = 0
    vetoed: int = 0

    def add(self, stretch: Stretch, wanted: int) -> bool:
        """Take the usable instances of a stretch, and count the others before the last of them. Returns whether the
        number wanted is reached."""
        number = min(len(stretch.places), wanted - self.total)
        self.total += number
        full = self.total >= wanted
        repeats, vetoed = stretch.skipped(number if full else None)
        self.repeats += repeats
        self.vetoed += vetoed
        self.runs.append(Run.of(stretch, stretch.places[:number], self.drawn))
        return full


def wanted_of(stream: Stream) -> int:
    """How many instances are wanted."""
    return stream.plan.space.size if stream.count is None else stream.count


def _taken(name: str, stream: Stream, workers: Workers) -> Taken:
    """Decide which instances of the walk are taken: greedily from the first, as in one process."""
    walk, wanted = stream.walk, wanted_of(stream)
    limited = bool(stream.plan.paradigm.limits)
    taken = Taken(limited)
    if limited:  # what a limit lets pass depends on all that was taken before it
        any(taken.add(stretch, wanted) for stretch in walk.stretches(stream.count))
        return taken
    stretches = _stretches(name, stream, workers)
    try:
        any(taken.add(stretch, wanted) for stretch in stretches)
    finally:
        stretches.close()
    return taken


def _stretches(name: str, stream: Stream, workers: Workers) -> Generator[Stretch]:
    """The walk of a paradigm without limits, of fingerprints that other processes make; without the draws."""
    walk, ranges = stream.walk, stream.walk.ranges(stream.count)
    nothing, none = walk.plan.space.at(np.zeros(0, np.int64)), np.zeros(0, np.intp)
    if walk.never_repeats() and not walk.vetoes:
        for start, stop in ranges:
            yield Stretch(nothing, None, np.arange(stop - start), none, none, start, stop)
        return
    seen, keep = Seen(walk.pairs), walk.never_repeats()
    units = (Marks(paradigm=name, start=start, stop=stop) for start, stop in ranges)
    found = workers.in_order(units, AHEAD * workers.count)
    behind = 0
    try:
        for unit, marks in found:
            if isinstance(marks, Failed):
                raise messages.cluster.failed(str(unit), marks.node, marks.text)
            start = unit.start
            while start < unit.stop:
                stop = min(unit.stop, walk.end(behind, stream.count))
                if stop <= start:
                    return
                here = (marks[0] >= start - unit.start) & (marks[0] < stop - unit.start)
                places, prints = marks[0][here] - (start - unit.start), marks[1][here]
                kept = np.arange(len(places)) if keep else walk.usable(walk.keys(prints), seen.has(prints))
                if not keep:
                    seen.add(prints[kept])
                behind = start + int(places[kept[-1]]) + 1 if len(kept) else behind
                vetoed = np.delete(np.arange(stop - start), places)
                yield Stretch(nothing, None, places[kept], np.delete(places, kept), vetoed, start, stop)
                start = stop
    finally:
        found.close()


def _parts(name: str, stream: Stream, taken: Taken) -> Iterator[SplitPart]:
    """The parts of all splits, in the order of their instances."""
    turns = Turns(stream.plan.paradigm)
    at = 0
    runs = iter(taken.runs)
    rest: Run | None = None  # of the stretch that the next part begins in
    for split, number, size in part_runs(stream.plan.paradigm, 0, taken.total, stream.part):
        given = () if turns.shares is None else tuple(turns.given)
        mine: list[Run] = []
        left = size
        while left:
            run, rest = rest or next(runs), None
            if len(run) > left:
                run, rest = run.cut(left)
            if len(run):
                mine.append(run)
            left -= len(run)
        yield SplitPart(
            paradigm=name, split=split, number=number, first=at, stop=at + size, given=given, runs=tuple(mine)
        )
        turns.deal(size)
        at += size


def _head(stream: Stream, gates: Gates, taken: Taken) -> None:
    """Draw and decide the first instances here, and have the gates read their sentences."""

    stretches = (run.stretch(stream.walk, keyed=False) for run in taken.runs)
    for chunk in stream.chunks(Piece(first=0, given=(), stretches=stretches)):
        gates.read(chunk)
        if gates.instances >= READ:
            break
    for rows in stream.decisions.rows:
        rows.clear()  # they are counted with their parts


def _replay(stream: Stream, made: Made, report: Report) -> None:
    """Decide the first instance of each group of a part here, in the order of the walk, and count what the part has."""
    decisions = stream.decisions
    first = sorted({place: (at, group) for at, of in enumerate(made.places) for group, place in enumerate(of)}.items())
    draws = Draws.joined([made.draws[at].take(np.array([group])) for _, (at, group) in first])
    number = {place: row for row, (place, _) in enumerate(first)}
    groups = decisions.grouping.of(draws)
    decisions.answer_groups(draws, groups)
    if not decisions.complete:
        return
    for at, of in enumerate(made.places):
        for group, place in enumerate(of):
            mine = int(groups.parts[at][number[place]])
            decisions.rows[at][mine] += made.rows[at][group]
            if made.used[at][group]:
                report.count(at, mine, made.used[at][group])
    decisions.claims()
    report.mark(made.marked)


def _append(part: Path, lines: Any, digest: Any) -> None:
    """Copy the lines of a part behind those before it, and remove its file."""
    with part.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
            lines.write(block)
    part.unlink()
