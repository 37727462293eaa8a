"""The form of the paradigms of a task: headings, claims, gates.

The tasks themselves are in `items.tasks`, above this package; their forms are passed in when a library is resolved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from gramprobe.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskForm:
    """The form of a paradigm of one task.

    Attributes:
        name: the name after `task`.
        left, right: the headings that pairs relate.
        others: headings whose conditions are in no pair.
        optional: those of `others` that a paradigm may do without.
        counts: how many conditions a heading has, if that is fixed; several numbers are the least and the most.
        names: the names of the conditions of a heading, if they are fixed.
        claims: whether a claim is about a label (`expect`) or about readings (`fits`, `entailed`).
        gates: the gates that its sentences pass through, and that `allow` may name.
    """

    name: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    others: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    counts: Mapping[str, int | tuple[int, int]] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    claims: Literal["label", "readings"] = "readings"
    gates: tuple[str, ...] = ("spelling", "articles")

    @property
    def headings(self) -> tuple[str, ...]:
        return (*self.left, *self.right, *self.others)

    @property
    def by_reading(self) -> bool:
        """Whether the claims of pairs are about readings instead of a label."""
        return self.claims == "readings"


class HasForm(Protocol):
    """A task, as resolving needs it."""

    @property
    def form(self) -> TaskForm: ...


@dataclass(frozen=True, slots=True)
class TaskForms:
    """The forms of all tasks by name; the first is the form of a paradigm without a `task` line."""

    by_name: Registry[HasForm]

    def of(self, name: str) -> TaskForm:
        """The form of a task; for an unknown task, which is reported elsewhere, the form of the first."""
        return (self.by_name.get(name) or self.by_name[next(iter(self.by_name))]).form

    def headings(self, text: str = "") -> tuple[str, ...]:
        """Every heading of some shipped task, and of the task that the text of a paradigm names, each once."""
        named = re.search(r"^task\s+(\w+)", text, re.MULTILINE)
        names = dict.fromkeys([*self.by_name.shipped, *(named.groups() if named else ())])
        forms = [task.form for name in names if (task := self.by_name.get(name)) is not None]
        return tuple(dict.fromkeys(heading for form in forms for heading in form.headings))
