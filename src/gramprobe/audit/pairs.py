"""The labels of a published set, derived where its sentences can be read; and pairs that stand there twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from gramprobe.audit.shallow import Shallow, shallow
from gramprobe.audit.surface import defects
from gramprobe.certify.rule import FAILURE
from gramprobe.dataset.gates.sentences import Reason
from gramprobe.decide.label import Decider
from gramprobe.formats.nli import TWO_WAY, Pair
from gramprobe.interpret.pairs import Labelled, labelled, unread
from gramprobe.interpret.read import Reader


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row (counted from 1) whose published label is not the derived one."""

    row: int
    pair: Pair
    found: Labelled

    @property
    def place(self) -> str:
        """The row, and what the file calls it."""
        return f"row {self.row}" + (f" ({self.pair.name})" if self.pair.name else "")

    @property
    def heading(self) -> str:
        """What differs."""
        return f"{self.pair.label} is published, {self.found.label} derived"

    @property
    def lines(self) -> list[str]:
        """The sentences, and the formulas of each choice of readings."""
        texts = [read.text for read in self.found.sentences]
        said = ["  ".join(reading.formula for reading in each.premises) for each in self.found.by_reading]
        of = zip(said, self.found.by_reading, strict=True)
        formulas = [f"  {premises}  =>  {each.hypothesis.formula}" for premises, each in of]
        return [*texts, *formulas, *(f"  guessed: {word}" for word in self.found.guessed)]


@dataclass(slots=True)
class Count:
    """How many pairs there are, of how many all sentences were read, a label was derived, and is the published one; and
    how many labels hang on words that were guessed."""

    rows: int = 0
    read: int = 0
    labelled: int = 0
    agree: int = 0
    guessed: int = 0


@dataclass(slots=True)
class Audit:
    """What was found in a set of pairs.

    Attributes:
        whole: the counts of all pairs.
        kinds: kind -> the counts of its pairs, where the file says kinds.
        derived: published label (`-` for none) -> derived label -> how many pairs.
        others: name of a further column with labels -> how many derived labels it has one beside, and how often its own
            is the derived one.
        against: pairs with another label than the published one, in their order.
        abstained: why there was no label -> how many pairs.
        repeated: rows with the sentences of an earlier row and its label.
        contradictory: rows with the sentences of an earlier row and another label, behind that row.
        same: rows whose premise is their hypothesis.
        defects: what is wrong with the spelling of sentences.
        shallow: what rules and readers that do not reason reach.
    """

    whole: Count = field(default_factory=Count)
    kinds: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    derived: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    others: dict[str, tuple[int, int]] = field(default_factory=dict)
    against: list[Disagreement] = field(default_factory=list)
    abstained: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    repeated: list[int] = field(default_factory=list)
    contradictory: list[tuple[int, int]] = field(default_factory=list)
    same: list[int] = field(default_factory=list)
    defects: list[Reason] = field(default_factory=list)
    shallow: Shallow | None = None


def audit(pairs: Iterable[Pair], reader: Reader, decider: Decider | None = None) -> Audit:
    """Derive the labels of published pairs. A pair that cannot be read, or whose readings differ, is left aside. What a
    label rests on is derived for those alone that differ from the published one."""
    explaining = Decider(dependence=True)
    made, every = Audit(), list(pairs)
    first: dict[tuple[str, str], tuple[int, str | None]] = {}
    for row, pair in enumerate(every, 1):
        before, label = first.setdefault((pair.premise, pair.hypothesis), (row, pair.label))
        if before != row:
            if label == pair.label:
                made.repeated.append(row)
            else:
                made.contradictory.append((before, row))
        if pair.premise == pair.hypothesis:
            made.same.append(row)
        premises = pair.premises or (pair.premise,)
        if _count(made, pair, labelled(premises, pair.hypothesis, reader, decider)):
            made.against.append(Disagreement(row, pair, labelled(premises, pair.hypothesis, reader, explaining)))
    texts = (text for pair in every for text in (*(pair.premises or (pair.premise,)), pair.hypothesis))
    made.defects = defects(texts, reader.grammar)
    made.shallow = shallow(every, reader.grammar.language)
    return made


def _count(made: Audit, pair: Pair, found: Labelled) -> bool:
    """Count a pair. Returns whether its published label is another than the derived one."""
    counts = [made.whole, *([made.kinds[pair.kind]] if pair.kind else [])]
    read = not any(map(unread, found.sentences))
    for count in counts:
        count.rows += 1
        count.read += read
    if found.label is None or found.label == FAILURE:
        made.abstained[_why(found)] += 1
        return False
    agree = pair.label is not None and agrees(pair.label, found.label)
    for count in counts:
        count.labelled += 1
        count.agree += agree
        count.guessed += bool(found.guessed)
    made.derived[pair.label or "-"][found.label] += 1
    for name, label in pair.others:
        if label is not None:
            compared, same = made.others.get(name, (0, 0))
            made.others[name] = compared + 1, same + agrees(label, found.label)
    return pair.label is not None and not agree


def agrees(published: str, derived: str) -> bool:
    """Whether labels agree, of which the published one may only say that nothing is entailed."""
    return published == derived or (published == TWO_WAY[1] and derived != TWO_WAY[0])


def _why(found: Labelled) -> str:
    """Why there is no label, without the words of this pair."""
    if found.label is not None:
        return "the hypothesis presupposes what the premise denies"
    for read in found.sentences:
        if read.unknown:
            return "unknown words"
        if not read.whole:
            return "too many readings"
        if not read.trees:
            return "no tree"
        if unread(read):
            return "left open"
    labels = {each.decision.verdict.label for each in found.by_reading}
    return "readings differ" if len(labels) > 1 else "in doubt" if labels else "not decided"
