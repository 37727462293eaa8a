"""The answer of a task to a group of rows: what every task's own type of answer has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Answer(Protocol):
    """The answer to a part of a group of rows (`label.PairLabels`, `account.Account`, :data:`NOTHING`)."""

    @property
    def shape(self) -> str:
        """The line of `certificates.jsonl`, or of `accounts.jsonl`, that it rests on."""

    @property
    def certificate(self) -> str:
        """The kind of certificate: `models`, `venn`, `bounded(3)`."""

    @property
    def rests_on(self) -> str:
        """The principles that it rests on, with symbols of slots for words of the row."""

    @property
    def shapes(self) -> tuple[str, ...]:
        """The ids of the shapes that were decided for it."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """The answer of a task that decides nothing."""

    shape: str = ""
    certificate: str = ""
    rests_on: str = ""
    shapes: tuple[str, ...] = ()


NOTHING = Nothing()


@dataclass(frozen=True, slots=True)
class Outcome:
    """One part of an answer in words, for comparing two theories: `label neutral`, `every > a fits`."""

    part: str
    words: str
