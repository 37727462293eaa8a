"""The form of the paradigms of a task: their headings, what pairs claim, whether they have a theory, their gates.

The tasks themselves are in `items.tasks`, above this package; their forms are passed in when a library is resolved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from gramprobe.registry import Registry

Role: TypeAlias = Literal["said", "follows", "judged", "restates", "noted"]
"""What a condition does in its instance.

`said`: a sentence that stands by itself, the left side of pairs. `follows`: a sentence after it, whose anaphors look
there for antecedents (right side). `judged`: a sentence that is evaluated where it is true (right side). `restates`: a
sentence in no pair, that means what a reading means. `noted`: words beside the sentences, in no pair.
"""

IN_NO_PAIR: tuple[Role, ...] = ("restates", "noted")
"""The roles of conditions that stand in no pair; they need not be sentences."""


class Heading(Struct, frozen=True):
    """A heading of a paradigm, and what stands below it.

    Attributes:
        name: the word on its line.
        role: what its conditions do.
        least, most: how many conditions it has; ``most`` is None for any number.
        names: the names of its conditions, if they are fixed.
    """

    name: str
    role: Role = "said"
    least: int = 1
    most: int | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskForm:
    """The form of a paradigm of one task.

    Attributes:
        name: the name after `task`.
        headings: the headings of a paradigm, in order. Pairs relate conditions that are `said` to those that follow or
            are judged; without a heading of the latter kind a paradigm has no pairs.
        claims: what is derived of a pair and what an author claims of it: a label (`expect`), which readings of the
            left side the right side goes with (`fits`, `entailed`), or nothing (None: nothing is decided).
        theory: whether formulas are read in a theory, so that a paradigm names one.
        meaning: whether sentences have formulas. Claims need a theory, and a theory needs formulas.
        regions: whether its rows have the regions of their sentences, so that a paradigm may declare some.
        constraint: whether a paradigm names the constraint that some of its sentences break.
        gates: the gates that its sentences pass through, and that `allow` may name.
    """

    name: str
    headings: tuple[Heading, ...]
    claims: Literal["label", "readings"] | None
    theory: bool = True
    meaning: bool = True
    regions: bool = False
    constraint: bool = False
    gates: tuple[str, ...] = ("spelling", "articles")

    def __post_init__(self) -> None:
        if (self.claims and not self.theory) or (self.theory and not self.meaning):
            raise ValueError(f"the form of the task {self.name}: claims need a theory, and a theory needs formulas")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its headings."""
        return tuple(heading.name for heading in self.headings)

    @property
    def left(self) -> tuple[str, ...]:
        """The headings on the left of pairs."""
        return self.with_role("said")

    @property
    def right(self) -> tuple[str, ...]:
        """The headings on the right of pairs; none where nothing is related."""
        return self.with_role("follows", "judged")

    def with_role(self, *roles: Role) -> tuple[str, ...]:
        """The headings whose conditions have one of these roles."""
        return tuple(heading.name for heading in self.headings if heading.role in roles)

    def role(self, heading: str) -> Role:
        """The role of the conditions below a heading; `said` for a heading of another task, which is reported."""
        return next((each.role for each in self.headings if each.name == heading), "said")


class HasForm(Protocol):
    """A task, as resolving needs it."""

    @property
    def form(self) -> TaskForm: ...


class TaskForms(Struct, frozen=True):
    """The forms of all tasks by name; the first is the form of a paradigm without a `task` line."""

    by_name: Registry[HasForm]

    def of(self, name: str) -> TaskForm:
        """The form of a task; without a name, that of the first."""
        return self.by_name[name or next(iter(self.by_name))].form

    def headings(self, name: str = "") -> tuple[str, ...]:
        """Every heading of some shipped task, and of a named one, each once."""
        forms = [self.of(each) for each in (*self.by_name.shipped, name)]
        return tuple(dict.fromkeys(heading for form in forms for heading in form.names))

    def with_role(self, role: Role) -> tuple[str, ...]:
        """The headings of shipped tasks whose conditions have a role."""
        forms = (self.of(name) for name in self.by_name.shipped)
        return tuple(dict.fromkeys(name for form in forms for name in form.with_role(role)))
