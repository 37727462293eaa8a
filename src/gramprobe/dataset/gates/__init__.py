"""Gates: checks of a finished paradigm that can refuse the build. Each gives its reasons.

    duplicates, spelling, articles, regions    read the sentences of a chunk
    reading                                    parses a sentence of each shape of the first instances
    leak, balance                              count the labels of the whole paradigm
    solvable                                   compares readers that do not reason with what the paradigm declares

`articles` stands in `spelling`, `balance` in `leak`, `solvable` in `baselines`.

A task names the gates of its paradigms (`TaskForm.gates`). An author accepts the reasons of a gate with the line
`allow GATE because "..."`, which the card then quotes. A paradigm with `balance` lines must be balanced: `allow` has no
effect; and what `solvable` finds is accepted by a line that says how much (`solvable by premise 0.80 because "..."`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256

import msgspec
import numpy as np

from gramprobe.baselines.readers import READERS
from gramprobe.baselines.table import Accuracy
from gramprobe.dataset.gates import baselines, duplicates, leak, pair_readers, regions, spelling
from gramprobe.dataset.gates.baselines import Measured, labels_of, measure
from gramprobe.dataset.gates.cache import found, instances
from gramprobe.dataset.gates.joints import Joints
from gramprobe.dataset.gates.leak import Leak
from gramprobe.dataset.gates.reading import Found, RoundTrip, readable
from gramprobe.dataset.gates.sentences import Reason, Sentences
from gramprobe.dataset.manifest import ReadBack, RegionSize
from gramprobe.decide.label import Decider
from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import Groups
from gramprobe.items.rows import Chunk, kept_of
from gramprobe.items.tasks import task_of
from gramprobe.registry import Registry
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws

REGIONS = "regions"
OF_SENTENCES: Registry[Callable[[Sentences], list[Reason]]] = Registry(
    "gate",
    {
        "duplicates": duplicates.check,
        "spelling": spelling.check,
        "articles": spelling.articles,
        REGIONS: regions.check,
    },
    "collections.abc:Callable",
)
"""The gates that read sentences, in the order in which they do; packages add others, for their tasks."""
LEAK = "leak"
"""The gate that reads the labels of the whole paradigm."""
READING = "reading"
"""The gate that parses sentences of the first instances."""
OWN_WAYS = (LEAK, READING)
"""The gates that are no functions of sentences."""
MOST_INSTANCES = 500
"""The number of first instances on which baselines are measured, and whose sentences are parsed."""
READ = 1 << 17
"""The number of first instances whose sentences are read; later ones are made of the same words."""


def check_of(name: str) -> Callable[[Sentences], list[Reason]]:
    """The gate of that name. Raises UsageError (E64) if it is of a package that cannot be used."""
    check = OF_SENTENCES.get(name)
    if check is None:
        raise messages.packages.no_gate(name)
    return check


class Reached(msgspec.Struct, frozen=True):
    """What readers reach on the first instances, and a classifier of the words of hypotheses."""

    measured: Measured
    leaked: Leak


class Gates:
    """The gates of one paradigm: :meth:`read` each chunk, then :meth:`end`. ``parsing``: decides
    what further readings of sentences give (None: sentences are not parsed); ``counts``: those that stop no build are
    counted as well.

    Attributes:
        allowed: gate -> the author's reason to allow it, and the reasons of the gate.
        measured: the accuracies of baselines, for paradigms with gold labels.
        words: the accuracy of a classifier of the words of hypotheses, for the same paradigms.
        pairs: what readers reach on minimal pairs.
        sizes: of sentences with regions, the sizes of these in the first instances.
        read_back: what was found when sentences were parsed, if they were.
        instances: how many instances there were so far.
    """

    def __init__(
        self, decisions: Decisions, findings: Findings, parsing: Decider | None, *, counts: bool = True
    ) -> None:
        self.decisions, self.findings, self.parsing, self._counts = decisions, findings, parsing, counts
        self.names = task_of(decisions.plan.paradigm).form.gates
        if not readable(decisions.plan.grammar):
            self.parsing = None
        self._of_sentences = {name: check_of(name) for name in self.names if name not in OWN_WAYS}
        self.allowed: dict[str, list[str]] = {}
        self.measured: Measured | None = None
        self.words: float | None = None
        self.sizes: list[RegionSize] = []
        self.read_back: ReadBack | None = None
        self.pairs: dict[str, Accuracy] = {}
        self.instances = 0
        self._first: list[Chunk] = []
        self._sentences: Sentences | None = None  # those of the first chunk
        self._joints: Joints | None = Joints(decisions)

    def read(self, chunk: Chunk) -> None:
        """Read the sentences of a chunk, if it is among the first :data:`READ` instances."""
        if self.instances < MOST_INSTANCES:
            rows = np.arange(min(len(chunk), MOST_INSTANCES - self.instances))
            kept = None if chunk.kept is None else chunk.kept[rows]
            self._first.append(replace(chunk, draws=chunk.draws.take(rows), groups=chunk.groups.take(rows), kept=kept))
        if self.instances < READ and len(chunk):
            depends = [*self._of_sentences], instances([chunk])
            of_gates = found(
                self.decisions.plan, "sentences", depends, dict[str, list[Reason]], lambda: self._reasons(chunk)
            )
            for name, reasons in of_gates.items():
                if reasons:
                    self._joints = None  # the same parts may be wrong in other sentences
                self.reasons(name, reasons)
        self.instances += len(chunk)

    def _reasons(self, chunk: Chunk) -> dict[str, list[Reason]]:
        """The reasons of each gate that reads sentences. What the gate of a package gives is
        read here, so that it is a fault of the package if that is no reason."""
        whole = self.instances == 0 and len(chunk) <= MOST_INSTANCES  # so they are needed in any case
        by_parts = () if whole or self._joints is None else (self._joints.fresh,)
        sentences = Sentences(self.decisions, chunk, *by_parts)
        if whole:
            self._sentences = sentences
        reasons: dict[str, list[Reason]] = {}
        for name, check in self._of_sentences.items():
            reasons[name] = [Reason(each.what, each.examples, each.help) for each in check(sentences)]
        return reasons

    def end(self) -> None:
        """Run the gates that need the counts of the whole paradigm."""
        plan = self.decisions.plan
        leak.balance(self.decisions, self.findings)
        if REGIONS in self.names and self._first:
            self.sizes = regions.sizes(self._sample())
        if READING in self.names and self.parsing is not None and not self.findings.failed:
            trip = RoundTrip(self.decisions, self.parsing, counts=self._counts)
            read = found(
                plan, "readings", [trip.limits, instances(self._first)], Found, lambda: trip.found(self._first)
            )
            self.read_back = read.counted
            if not self.decisions.lenient:  # under another theory the card counts them
                self.reasons(READING, read.reasons)
        if plan.charts is not None and self._first and not self.few:
            self.pairs = pair_readers.measure(plan, self._sample().chunk.draws)
            pair_readers.solvable(plan, self.pairs, self.findings)
        if LEAK not in self.names or not self._first or not baselines.counted(plan.paradigm):
            return
        designs = leak.kinds(self.decisions, baselines.counted(plan.paradigm))
        counts = {kind: tally.tolist() for kind, tally in designs.items()}
        labels = [sha256(labels_of(self.decisions, each).tobytes()).hexdigest() for each in self._first]
        depends = self.few, instances(self._first), labels, counts
        reached = found(plan, "readers", depends, Reached, self._reached)
        self.measured, self.words = reached.measured, reached.leaked.accuracy
        if not self.decisions.lenient and not self.few:  # under another theory, what a paradigm declares says nothing
            baselines.solvable(plan.paradigm, self.measured, self.findings)
        self.reasons(LEAK, reached.leaked.reasons)

    def _reached(self) -> Reached:
        """What readers reach on the first instances."""
        sample, of_hypotheses = self._sample(), "hypothesis"
        readers = [of_hypotheses] if self.few else READERS  # of a few, the others are neither compared nor printed
        measured = measure(self.decisions, sample.chunk, readers)
        reached = max(measured.readers[of_hypotheses].accuracy, measured.kinds)
        return Reached(measured, leak.measure(sample, reached))

    @property
    def few(self) -> bool:
        """Whether there are too few instances for what readers reach: fewer than the paradigm has by itself."""
        plan = self.decisions.plan
        return self.instances < min(plan.paradigm.sample_size, MOST_INSTANCES, plan.space.size)

    def _sample(self) -> Sentences:
        """The sentences of the first :data:`MOST_INSTANCES` instances."""
        if self._sentences is not None and len(self._first) == 1:
            return self._sentences
        sample = replace(
            self._first[0],
            draws=Draws.joined([each.draws for each in self._first]),
            groups=Groups.joined([each.groups for each in self._first]),
            kept=kept_of(self._first, len(self.decisions.parts)),
        )
        return Sentences(self.decisions, sample)

    def reasons(self, name: str, reasons: Sequence[Reason]) -> None:
        """Report the reasons of a gate, or note them where the paradigm allows the gate."""
        paradigm = self.decisions.plan.paradigm
        if name in paradigm.allows:
            known = self.allowed.setdefault(name, [paradigm.allows[name]])
            known += [reason.what for reason in reasons if reason.what not in known]
            return
        for reason in reasons:
            self.findings.add(messages.build.gate(paradigm.span, name, reason.what, reason.examples, reason.help))
