"""What a paradigm of a task is made of. Which tasks there are is the business of `items.tasks`, above this package:
whoever resolves a library brings their forms along.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskForm:
    """The form of a paradigm of one task.

    Attributes:
        name: what stands behind `task`.
        left, right: the headings that pairs relate.
        others: headings whose conditions stand in no pair.
        counts: how many conditions a heading has, where that is fixed.
        names: what the conditions of a heading are called, where that is fixed.
        claims: whether a pair claims a label (`expect`), or something of readings (`fits`, `entailed`).
        gates: the gates that its sentences pass through, and that `allow` may name.
    """

    name: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    others: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    claims: Literal["label", "readings"] = "readings"
    gates: tuple[str, ...] = ("spelling", "articles")

    @property
    def headings(self) -> tuple[str, ...]:
        return (*self.left, *self.right, *self.others)

    @property
    def by_reading(self) -> bool:
        """Whether pairs claim something of readings instead of a label."""
        return self.claims == "readings"


@dataclass(frozen=True, slots=True)
class TaskForms:
    """The forms of all tasks by name; the first is that of a paradigm without a `task` line."""

    by_name: Mapping[str, TaskForm]

    def of(self, name: str) -> TaskForm:
        """The form of a task; where there is no such task (an error of its own), that of the first one."""
        return self.by_name.get(name) or next(iter(self.by_name.values()))

    @property
    def headings(self) -> tuple[str, ...]:
        """Every heading of some task, each once."""
        return tuple(dict.fromkeys(h for form in self.by_name.values() for h in form.headings))

    @property
    def gates(self) -> tuple[str, ...]:
        """Every gate of some task, each once."""
        return tuple(dict.fromkeys(g for form in self.by_name.values() for g in form.gates))
