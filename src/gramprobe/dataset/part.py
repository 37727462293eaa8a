"""What is known of a paradigm of a task about readings once it is built, for manifest and card."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from gramprobe.dataset.written import Tally, content_words
from gramprobe.items.account import Account
from gramprobe.items.drafted import Drafted
from gramprobe.items.moved import Moved
from gramprobe.items.plan import Plan
from gramprobe.items.select import Selection
from gramprobe.items.trust import rests_on_trust
from gramprobe.items.turns import splits

ACCOUNTS = "accounts.jsonl"


@dataclass(slots=True)
class Part:
    """What is known of a paradigm once it is built, for manifest and card."""

    plan: Plan
    selection: Selection
    labels: Counter[str]
    certificates: Counter[str]
    majority: float
    ceiling: float
    accuracy: float
    allowed: dict[str, list[str]]
    content_words: int
    moved: tuple[Moved, ...]
    shapes: frozenset[str] = frozenset()

    @property
    def instances(self) -> int:
        return len(self.selection.draws)

    @property
    def rows(self) -> int:
        return self.instances * (1 if self.plan.paradigm.shared else len(self.plan.paradigm.pairs))

    @property
    def splits(self) -> dict[str, int]:
        """Rows of each split, in the order in which they stand."""
        each = 1 if self.plan.paradigm.shared else len(self.plan.paradigm.pairs)
        return {name: (last - first) * each for name, first, last in splits(self.plan.paradigm, self.instances)}

    @property
    def notes(self) -> tuple[str, ...]:
        """What is told of the paradigm beside its numbers."""
        return tuple(map(str, self.moved))

    def to_json(self) -> dict[str, Any]:
        count = len(self.selection.draws)
        return {
            "task": "nli",
            "instances": count,
            "pairs": len(self.plan.paradigm.pairs),
            "rows": self.rows,
            "splits": self.splits,
            "one_row_each": self.plan.paradigm.shared,
            "space": self.plan.space.size,
            "coverage": count / self.plan.space.size,
            "passed_over": self.selection.passed_over,
            "vetoed": self.selection.vetoed,
            "theory": self.plan.theory.name,
            "labels": dict(sorted(self.labels.items())),
            "certificates": dict(sorted(self.certificates.items())),
            "on_trust": sum(rows for kind, rows in self.certificates.items() if rests_on_trust(kind)),
            "hypothesis_only": {
                "majority": round(self.majority, 4),
                "ceiling": round(self.ceiling, 4),
                "classifier": round(self.accuracy, 4),
            },
            "content_words": self.content_words,
            "allowed": dict(sorted(self.allowed.items())),
            "moved": [asdict(m) for m in self.moved],
        }


@dataclass(slots=True)
class ReadingPart:
    """Numbers of a built paradigm; `accounts`: what its rows rest on, by id."""

    drafted: Drafted
    tally: Tally

    @property
    def plan(self) -> Plan:
        return self.drafted.plan

    @property
    def rows(self) -> int:
        return self.tally.rows

    @property
    def instances(self) -> int:
        return self.drafted.taken

    @property
    def notes(self) -> tuple[str, ...]:
        """What is told of the paradigm beside its numbers: how many instances are no items, and why."""
        return tuple(f"{n:,} instances are no items: {why}" for why, n in sorted(self.drafted.refused.items()))

    @property
    def shapes(self) -> frozenset[str]:
        """The shapes that the accounts of its rows name."""
        return frozenset(step.shape for account in self.accounts.values() for step in account.steps)

    @property
    def accounts(self) -> dict[str, Account]:
        """By id, with those of instances that are no items: they say why."""
        return {a.id: a for a in self.drafted.accounts.values()}

    def to_json(self) -> dict[str, Any]:
        count, space = self.drafted.taken, self.plan.space.size
        return {
            "task": self.plan.paradigm.task,
            "instances": count,
            "pairs": len(self.plan.paradigm.pairs),
            "rows": self.rows,
            "splits": {self.plan.paradigm.split: self.rows},
            "space": space,
            "coverage": count / space,
            "passed_over": self.drafted.walk.passed_over,
            "vetoed": self.drafted.walk.vetoed,
            "no_items": dict(sorted(self.drafted.refused.items())),
            "theory": self.plan.theory.name,
            "answers": dict(sorted(self.tally.fits.items())),
            "certificates": dict(sorted(self.tally.certificates.items())),
            "on_trust": self.tally.on_trust,
            "content_words": content_words(self.drafted, self.tally),
            "allowed": dict(sorted(self.tally.allowed.items())),
        }


def account_lines(parts: Iterable[ReadingPart]) -> str:
    """accounts.jsonl: the accounts of all rows, each once, sorted by id."""
    found: dict[str, Account] = {}
    for part in parts:
        found |= part.accounts
    lines = (
        json.dumps({"shape": id_, "steps": json.loads(found[id_].text)}, separators=(",", ":"), ensure_ascii=False)
        for id_ in sorted(found)
    )
    return "".join(line + "\n" for line in lines)
