"""Pairs of a better and a worse sentence: which of them the grammar has a tree for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from gramprobe.audit.surface import defects
from gramprobe.dataset.gates.sentences import Reason
from gramprobe.formats.blimp import MinimalPair
from gramprobe.interpret.read import Interpretation, Reader

OUTCOMES = ("good", "both", "bad", "neither", "unknown")
"""Which has a tree: the better sentence alone, as it should be; both; the worse one alone; none; or words of one are
unknown."""
_BY_TREES = {(True, False): "good", (True, True): "both", (False, True): "bad", (False, False): "neither"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A row (counted from 1), and what the grammar makes of its sentences."""

    row: int
    pair: MinimalPair
    good: Interpretation
    bad: Interpretation
    outcome: str

    @property
    def place(self) -> str:
        """The row, its set, and what the file calls it."""
        named = " ".join(filter(None, (self.pair.kind, self.pair.name)))
        return f"row {self.row}" + (f" ({named})" if named else "")

    @property
    def heading(self) -> str:
        """What differs."""
        return f"the worse sentence has a tree{'' if self.good.trees else ', and the better one none'}"

    @property
    def lines(self) -> list[str]:
        """The sentences, and the smallest tree of the worse one."""
        return [self.good.text, self.bad.text, *(f"  {each.term}" for each in self.bad.readings[:1])]


@dataclass(slots=True)
class Trees:
    """What was found in a set of minimal pairs.

    Attributes:
        rows: how many pairs it has.
        kinds: set -> outcome -> how many pairs; the outcomes are `OUTCOMES`.
        against: pairs whose worse sentence has a tree.
        same: rows whose two sentences are one.
        repeated: rows with both sentences of an earlier row.
        contradictory: rows with the sentences of an earlier row, the other way round, behind that row.
        defects: what is wrong with the spelling of the better sentences.
    """

    rows: int = 0
    kinds: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: dict.fromkeys(OUTCOMES, 0)))
    against: list[Judged] = field(default_factory=list)
    same: list[int] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    contradictory: list[tuple[int, int]] = field(default_factory=list)
    defects: list[Reason] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        """How many pairs have an outcome."""
        return sum(each[outcome] for each in self.kinds.values())


def trees(pairs: Iterable[MinimalPair], reader: Reader) -> Trees:
    """Read both sentences of each pair."""
    made, every = Trees(), list(pairs)
    first: dict[tuple[str, str], int] = {}
    for row, pair in enumerate(every, 1):
        made.rows += 1
        if first.setdefault((pair.good, pair.bad), row) != row:
            made.repeated.append(row)
        if pair.good == pair.bad:
            made.same.append(row)
        elif (pair.bad, pair.good) in first:
            made.contradictory.append((first[pair.bad, pair.good], row))
        good, bad = reader.read(pair.good), reader.read(pair.bad)
        outcome = "unknown" if good.unknown or bad.unknown else _BY_TREES[good.trees > 0, bad.trees > 0]
        made.kinds[pair.kind][outcome] += 1
        if outcome in ("both", "bad"):
            made.against.append(Judged(row, pair, good, bad, outcome))
    made.defects = defects((pair.good for pair in every), reader.grammar)
    return made
