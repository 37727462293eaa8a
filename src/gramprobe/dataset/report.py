"""The numbers of a paradigm, counted while its rows are written, for the manifest and the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from gramprobe.dataset.gates import Gates
from gramprobe.decide.verdict import rests_on_trust
from gramprobe.items.account import Account
from gramprobe.items.decisions import Decisions
from gramprobe.items.licensing import LicensingAccount
from gramprobe.items.pair_facts import PairsAnswer, pairs_of, tag_of
from gramprobe.items.plan import Plan
from gramprobe.items.rows import Chunk
from gramprobe.items.stream import Stream
from gramprobe.items.tasks import task_of
from gramprobe.items.theories import Comparison, own_theory
from gramprobe.records import Moved, in_headline
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings


class Report:
    """The numbers of one paradigm: call :meth:`add` with every chunk.

    ``gates`` have the reasons that were allowed. ``own``: the plan under the paradigm's own theory, if the build has
    another one; answers that differ from it are then counted.
    """

    def __init__(self, stream: Stream, gates: Gates, own: Plan | None = None):
        self.stream, self.gates = stream, gates
        self.task = task_of(stream.plan.paradigm)
        self.splits: Counter[str] = Counter()
        self.equal_rows = 0
        self.answers: Counter[str] = Counter()
        self.certificates: Counter[str] = Counter()
        self.outside: Counter[str] = Counter()
        self._drawn: dict[str, NDArray[np.bool_]] = {}
        self._comparison: Comparison | None = None
        if own is not None:
            before = Decisions(own, self.task, Findings())
            self._comparison = Comparison(
                self.task, before, stream.decisions, (own.theory.name, stream.plan.theory.name)
            )

    @classmethod
    def of(cls, stream: Stream, gates: Gates, declarations: Declarations, theory: str | None) -> Report:
        """The report of a build under another theory, or (None) the paradigm's own."""
        wanted = theory and task_of(stream.plan.paradigm).form.theory
        return cls(stream, gates, own_theory(stream.plan, declarations) if wanted else None)

    @property
    def plan(self) -> Plan:
        return self.stream.plan

    @property
    def rows(self) -> int:
        return sum(self.splits.values())

    @property
    def instances(self) -> int:
        return self.stream.taken

    def add(self, chunk: Chunk) -> None:
        """Count the rows of a chunk."""
        whole = len(chunk) * self.stream.rows_each
        rows = whole if chunk.kept is None else int(chunk.kept.sum())
        self.splits[chunk.split] += rows
        self.equal_rows += 0 if self.plan.paradigm.shared else whole - rows
        for at, codes in enumerate(chunk.groups.parts):
            used = codes[chunk.rows_of(at)]
            for group, number in enumerate(np.bincount(used).tolist()):
                if number:
                    self.count(at, group, number)
        self._words(chunk)
        if self._comparison is not None:
            before = self._comparison.before
            groups = before.grouping.of(chunk.draws)
            before.answer_groups(chunk.draws, groups)
            if before.complete:
                self._comparison.add(chunk.draws, groups, chunk.groups)

    def count(self, at: int, group: int, number: int) -> None:
        """Count so many instances of a group of a part, which have a row of it."""
        answer = self.stream.decisions.answer(at, group)
        if self.task.form.claims is not None:
            shared = self.plan.paradigm.shared  # then an instance has a row of one part
            each = 1 if shared else self.stream.rows_each // len(self.stream.decisions.parts)
            self.certificates[answer.certificate] += number * each
        pair = self.stream.decisions.parts[at].pair
        if pair is not None and not in_headline(pair.tag):
            self.outside[pair.tag] += number
        if self.plan.charts is not None:
            for one, other in pairs_of(self.plan.paradigm):
                tag = tag_of(self.plan.paradigm, one, other)
                if not in_headline(tag):
                    self.outside[tag] += number
        for words in self.task.answered(answer):
            self.answers[words] += number

    def mark(self, drawn: Mapping[str, NDArray[np.bool_]]) -> None:
        """Mark the lexemes that another report has marked (:attr:`marked`)."""
        for name, mask in drawn.items():
            self._drawn[name] = self._drawn[name] | mask if name in self._drawn else mask

    @property
    def marked(self) -> dict[str, NDArray[np.bool_]]:
        """Slot -> for each member of its category, and for the lack of the slot, whether it was drawn."""
        return self._drawn

    def _words(self, chunk: Chunk) -> None:
        """Mark the lexemes that were drawn."""
        for name, slot in self.plan.space.slots.items():
            if not slot.is_feature:
                size = len(self.plan.grammar.categories[slot.category].lexemes)
                mask = self._drawn.setdefault(name, np.zeros(size + 1, np.bool_))
                mask[chunk.draws.columns[name]] = True  # -1 (no such slot) marks the extra last place

    @property
    def drawn(self) -> dict[str, list[int]]:
        """Slot -> the members that were drawn for it, as numbers in their category."""
        return {name: np.flatnonzero(mask[:-1]).tolist() for name, mask in self._drawn.items()}

    @property
    def content_words(self) -> int:
        """How many different lexemes were drawn."""
        by_category: dict[str, NDArray[np.bool_]] = {}
        for name, mask in self._drawn.items():
            category = self.plan.space.slots[name].category
            by_category[category] = by_category.get(category, np.zeros(len(mask), np.bool_)) | mask
        return sum(int(mask[:-1].sum()) for mask in by_category.values())

    @property
    def moved(self) -> tuple[Moved, ...]:
        """Answers that differ from those under the paradigm's own theory."""
        return self._comparison.moved() if self._comparison is not None else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines about rejected instances and answers that moved."""
        rejected = (f"{n:,} instances are not items: {why}" for why, n in sorted(self.stream.rejected.items()))
        return (*rejected, *map(str, self.moved))

    @property
    def shapes(self) -> frozenset[str]:
        """The shapes that were decided, for all readings and columns; also those of rejected instances, and of pairs
        that no instance gives a row of."""
        return frozenset(s for known in self.stream.decisions.answers for a in known.values() for s in a.shapes)

    @property
    def accounts(self) -> dict[str, Account | LicensingAccount]:
        """Id -> account, for all groups; accounts of rejected instances show why they were rejected."""
        found: dict[str, Account | LicensingAccount] = {}
        for answer in (a for known in self.stream.decisions.answers for a in known.values()):
            if isinstance(answer, Account):
                found[answer.shape] = answer
            elif isinstance(answer, PairsAnswer):
                found |= answer.accounts
        return found

    @property
    def charted(self) -> frozenset[str]:
        """The shapes of sentences that were charted; only of tasks with charts."""
        answers = [a for known in self.stream.decisions.answers for a in known.values()]
        return frozenset(each.shape for a in answers for each in a.charted.values())

    def _baselines(self) -> dict[str, Any]:
        """The accuracies of baselines, to four digits; no field without gold labels."""
        measured, words = self.gates.measured, self.gates.words
        if measured is None or words is None:
            return {}
        reached = {**{name: each.accuracy for name, each in measured.readers.items()}, "words": words}
        return {
            "baselines": {
                "majority": round(measured.majority, 4),
                "readers": {} if self.gates.few else {name: round(each, 4) for name, each in reached.items()},
                "declared": {
                    line.reader: line.accuracy if line.accuracy is not None else round(measured.design[line.reader], 4)
                    for line in self.plan.paradigm.solvable
                    if line.accuracy is not None or line.reader in measured.design
                },
                "skeletons": measured.skeletons,
            }
        }

    def _charts(self) -> dict[str, Any]:
        """What is said of minimal pairs; nothing of other tasks."""
        if self.plan.charts is None:
            return {}
        readers = {name: round(each.accuracy, 4) for name, each in self.gates.pairs.items()}
        return {
            "constraint": self.plan.paradigm.constraint,
            "repairs": dict(sorted(self.answers.items())),
            "charts": len(self.charted),
            **({"licensing": len(self.accounts)} if self.accounts else {}),
            **({"readers": readers} if readers else {}),
        }

    def _allowed(self) -> dict[str, list[str]]:
        """The reasons that the author allows."""
        equal = self.stream.equal
        if not equal:
            return self.gates.allowed
        reason = f"{equal:,} {'row stands' if equal == 1 else 'rows stand'} in an earlier instance, too"
        gate = "duplicates"
        known = self.gates.allowed.get(gate, [self.plan.paradigm.allows[gate]])
        return {**self.gates.allowed, gate: [*known, reason]}

    def to_json(self) -> dict[str, Any]:
        """The paradigm's entry in the manifest."""
        stream, space, form = self.stream, self.plan.space.size, self.task.form
        decided = (
            {
                {"label": "labels", "readings": "answers"}[form.claims]: dict(sorted(self.answers.items())),
                "certificates": dict(sorted(self.certificates.items())),
                "on_trust": sum(rows for kind, rows in self.certificates.items() if rests_on_trust(kind)),
            }
            if form.claims
            else {}
        )
        return {
            "task": self.task.name,
            "instances": stream.taken,
            "pairs": len(self.plan.paradigm.pairs),
            "rows": self.rows,
            "splits": dict(self.splits),
            "one_row_each": self.plan.paradigm.shared,
            "space": space,
            "coverage": stream.taken / space,
            "passed_over": stream.repeats,
            **({"equal_rows": self.equal_rows} if self.equal_rows else {}),
            "vetoed": stream.vetoed,
            "no_items": dict(sorted(stream.rejected.items())),
            **({"theory": self.plan.theory.name} if form.theory else {}),
            **decided,
            **self._baselines(),
            **({"outside": dict(sorted(self.outside.items()))} if self.outside else {}),
            **self._charts(),
            **({"regions": [structs.asdict(each) for each in self.gates.sizes]} if self.gates.sizes else {}),
            **({} if self.gates.read_back is None else {"read_back": structs.asdict(self.gates.read_back)}),
            "content_words": self.content_words,
            "allowed": dict(sorted(self._allowed().items())),
            "moved": [structs.asdict(m) for m in self.moved],
        }
