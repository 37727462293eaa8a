"""A published set under the same microscope: its labels derived where its sentences can be read, and its twins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from gramprobe.decide.label import Decider
from gramprobe.formats.nli import TWO_WAY, Pair
from gramprobe.interpret.pairs import Labelled, labelled, unread
from gramprobe.interpret.read import Reader


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row (counted from 1) whose published label is not the derived one."""

    row: int
    published: str
    found: Labelled


@dataclass(slots=True)
class Audit:
    """What was found in a set of pairs.

    Attributes:
        rows: how many pairs it has.
        read: of how many both sentences were read.
        labelled: of how many a label was derived.
        agree: how many of these have the published label.
        disagreements: those that have another one, in their order.
        abstained: why there was no label -> how many pairs.
        repeated: rows with the sentences of an earlier row and its label.
        contradictory: rows with the sentences of an earlier row and another label, with that row.
    """

    rows: int = 0
    read: int = 0
    labelled: int = 0
    agree: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)
    abstained: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    repeated: list[int] = field(default_factory=list)
    contradictory: list[tuple[int, int]] = field(default_factory=list)


def audit(pairs: Iterable[Pair], reader: Reader, decider: Decider | None = None) -> Audit:
    """Derive the labels of published pairs. A pair that cannot be read, or whose readings differ, is left aside."""
    made = Audit()
    first: dict[tuple[str, str], tuple[int, str | None]] = {}
    for row, pair in enumerate(pairs, 1):
        made.rows += 1
        before, label = first.setdefault((pair.premise, pair.hypothesis), (row, pair.label))
        if before != row:
            if label == pair.label:
                made.repeated.append(row)
            else:
                made.contradictory.append((before, row))
        found = labelled([pair.premise], pair.hypothesis, reader, decider)
        made.read += not any(map(unread, found.sentences))
        if found.label is None:
            made.abstained[_kind(found)] += 1
            continue
        made.labelled += 1
        if pair.label is None:
            continue
        if agrees(pair.label, found.label):
            made.agree += 1
        else:
            made.disagreements.append(Disagreement(row, pair.label, found))
    return made


def agrees(published: str, derived: str) -> bool:
    """Whether labels agree, of which the published one may only say that nothing is entailed."""
    return published == derived or (published == TWO_WAY[1] and derived != TWO_WAY[0])


def _kind(found: Labelled) -> str:
    """Why there is no label, without the words of this one."""
    for read in found.sentences:
        if read.unknown:
            return "unknown words"
        if not read.trees:
            return "no tree"
        if unread(read):
            return "left open"
    return "readings differ" if found.by_reading else "not decided"
