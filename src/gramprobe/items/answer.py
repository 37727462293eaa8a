"""What was decided of a group of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Answer(Protocol):
    """What was decided of a group of rows."""

    @property
    def certificate(self) -> str:
        """The kind of certificate: `models`, `venn`, `bounded(3)`."""

    @property
    def rests_on(self) -> str:
        """Principles of the theory, with symbols of slots for words of the row."""

    @property
    def shapes(self) -> tuple[str, ...]:
        """The shapes that were decided."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One part of an answer in words, for comparing two theories: `label neutral`, `every > a fits`."""

    part: str
    words: str
