"""Parts of the splits of one paradigm: what a unit of work is, and how another process makes one, with the bytes that
one process gives them. Which units there are, and what becomes of them, says `dataset.cut`."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.dataset.gates import Gates
from gramprobe.dataset.paradigm import Options, stream_of
from gramprobe.dataset.report import Report
from gramprobe.dataset.twins import Pairs, PairsOf
from gramprobe.dataset.write import Files
from gramprobe.decide.label import Decider
from gramprobe.items.stream import Piece, Stream
from gramprobe.items.stretch import Stretch
from gramprobe.items.walk import Walk
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws

Places = NDArray[np.intp]

PARTS, LINES, PARQUET = "parts", ".jsonl", ".parquet"
"""The folder of parts that are made and not yet used, and the ends of their two files' names."""


@dataclass(frozen=True, kw_only=True)
class Marks:
    """A unit: the fingerprints of a stretch of a paradigm's walk. The result are the places of the instances that no
    veto list names, and their keys."""

    paradigm: str
    start: int
    stop: int

    def __str__(self) -> str:
        return f"the instances {self.start:,} to {self.stop:,} of `{self.paradigm}`"


@dataclass(frozen=True, kw_only=True)
class Run:
    """Some instances of a stretch of a walk.

    Attributes:
        start, stop: where the stretch lies in the permuted space.
        bits: which of its instances they are (`numpy.packbits`).
        draws: the instances themselves, where the paradigm has limits: they are of several orders; else None.
    """

    start: int = 0
    stop: int = 0
    bits: bytes = b""
    draws: Draws | None = None

    @classmethod
    def of(cls, stretch: Stretch, places: Places, drawn: bool) -> Run:
        """The instances at these places of a stretch, with the first of its draws if ``drawn``."""
        if drawn:
            return cls(draws=stretch.draws.take(np.arange(len(places))))
        bits = _bits(places, stretch.stop - stretch.start)
        return cls(start=stretch.start, stop=stretch.stop, bits=bits)

    def cut(self, count: int) -> tuple[Run, Run]:
        """The first ``count`` instances, and the others."""
        if self.draws is not None:
            rows = np.arange(len(self.draws))
            return Run(draws=self.draws.take(rows[:count])), Run(draws=self.draws.take(rows[count:]))
        places, size = _places(self.bits), self.stop - self.start
        parts = (_bits(each, size) for each in (places[:count], places[count:]))
        one, other = (Run(start=self.start, stop=self.stop, bits=bits) for bits in parts)
        return one, other

    def __len__(self) -> int:
        return len(_places(self.bits) if self.draws is None else self.draws)

    def stretch(self, walk: Walk, keyed: bool) -> Stretch:
        """The instances as a stretch of the walk, with the fingerprints of their texts if ``keyed``."""
        draws = walk.at(self.start, self.stop, _places(self.bits)) if self.draws is None else self.draws
        return walk.stretch(draws, keyed)


@dataclass(frozen=True, kw_only=True)
class SplitPart:
    """A unit: the rows of one part of a split. The result is :class:`Made`.

    Attributes:
        paradigm: its full name.
        split, number: which part.
        first, stop: its first instance and the one behind its last, as numbers among those that are taken.
        given: how many rows each pair has before, where pairs take turns.
        runs: its instances, by stretches of the walk.
    """

    paradigm: str
    split: str
    number: int
    first: int
    stop: int
    given: tuple[int, ...]
    runs: tuple[Run, ...]

    def __str__(self) -> str:
        return f"part {self.number} of the split `{self.split}` of `{self.paradigm}`"


@dataclass(frozen=True, kw_only=True)
class Made:
    """What another process found in a part.

    Attributes:
        failed: whether there are errors; nothing else then counts.
        places: for each part of an instance, the number of the instance with which each of its groups begins.
        draws: the same instances.
        rows: for each part of an instance, how many instances each group has.
        used: the same, of those that give a row of it.
        marked: as in `Report`.
        equal_rows: how many rows its instances lack.
        pairs: as in `Summary`.
    """

    failed: bool
    places: tuple[tuple[int, ...], ...] = ()
    draws: tuple[Draws, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()
    used: tuple[tuple[int, ...], ...] = ()
    marked: dict[str, NDArray[np.bool_]] = field(default_factory=dict)
    equal_rows: int = 0
    pairs: Pairs = field(default_factory=Pairs)


Unit = str | Marks | SplitPart


def maker(declarations: Declarations, options: Options, folder: Path, decider: Decider) -> Callable[[Unit], Any]:
    """The work of another process: from a unit to its result. Files are written below ``folder``."""
    streams: dict[str, Stream] = {}

    def prepared(name: str) -> Stream:
        if name not in streams:
            stream = stream_of(name, declarations, options, decider, Findings())
            assert stream is not None  # it was prepared where the unit is from, of the same files
            streams.clear()
            streams[name] = stream
        return streams[name]

    def make(unit: Unit) -> Any:
        if isinstance(unit, Marks):
            return prepared(unit.paradigm).walk.marks(unit.start, unit.stop)
        assert isinstance(unit, SplitPart)
        stream = stream_of(unit.paradigm, declarations, options, decider, Findings())
        assert stream is not None
        return _made(stream, unit, options, folder)

    return make


def _made(stream: Stream, unit: SplitPart, options: Options, folder: Path) -> Made:
    """Write the rows of a part, and put its two files in place. Raises OSError."""
    place = part_place(folder, stream, unit)
    report, pairs = Report(stream, Gates(stream.decisions, Findings(), None)), PairsOf(stream.decisions, options.twins)
    parts = stream.decisions.parts
    places: list[list[int]] = [[] for _ in parts]
    used: list[Counter[int]] = [Counter() for _ in parts]
    stream.count, begun = unit.stop, unit.first
    new = own_file(place, "jsonl"), own_file(place, "parquet")
    with Files(stream, new[0], lambda split, part: new[1]) as files:
        for chunk in stream.chunks(piece_of(stream, unit, options.twins)):
            report.add(chunk)
            files.write(chunk)
            pairs.add(chunk)
            for at, codes in enumerate(chunk.groups.parts):
                for group in range(len(places[at]), int(codes.max()) + 1):
                    places[at].append(begun + int(np.argmax(codes == group)))
                of = codes[chunk.rows_of(at)]
                used[at].update(dict(enumerate(np.bincount(of).tolist())))
            begun += len(chunk)
    if stream.stopped() or not stream.decisions.complete:
        return Made(failed=True)
    assert begun == unit.stop
    for file, end in zip(new, (LINES, PARQUET), strict=True):
        os.replace(file, place.with_name(place.name + end))
    groups = [range(len(members)) for members in stream.decisions.grouping.members]
    return Made(
        failed=False,
        places=tuple(tuple(each) for each in places),
        draws=tuple(Draws.joined([m.draws for m in members]) for members in stream.decisions.grouping.members),
        rows=tuple(tuple(stream.decisions.rows[at][g] for g in of) for at, of in enumerate(groups)),
        used=tuple(tuple(used[at][g] for g in of) for at, of in enumerate(groups)),
        marked=report.marked,
        equal_rows=report.equal_rows,
        pairs=pairs.pairs(),
    )


def part_place(folder: Path, stream: Stream, unit: SplitPart) -> Path:
    """Where the two files of a part stand until they are used, without the ends of their names."""
    return folder / PARTS / f"{stream.plan.paradigm.name}.{unit.split}-{unit.number:05d}"


def own_file(place: Path, end: str) -> Path:
    """A file that no other process writes, whatever the machine: one that is taken for dead may still be writing."""
    return place.with_name(f".{place.name}.{platform.node()}-{os.getpid()}.{end}")


def piece_of(stream: Stream, unit: SplitPart, keyed: bool) -> Piece:
    """The instances of a part. ``keyed``: with the fingerprints of their texts."""
    compared = keyed and stream.walk.compared

    stretches = (run.stretch(stream.walk, compared) for run in unit.runs)
    return Piece(first=unit.first, given=unit.given, stretches=stretches)


def _bits(places: Places, size: int) -> bytes:
    mask = np.zeros(size, np.bool_)
    mask[places] = True
    return np.packbits(mask).tobytes()


def _places(bits: bytes) -> Places:
    return np.flatnonzero(np.unpackbits(np.frombuffer(bits, np.uint8)))
