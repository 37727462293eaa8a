"""A place in an author's file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line: ``line`` and ``column`` count from 1, ``length`` is in characters."""

    path: str
    line: int
    column: int
    length: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    def at(self, offset: int, length: int = 1) -> Span:
        """The stretch that begins ``offset`` characters after the first character of this stretch."""
        return Span(self.path, self.line, self.column + offset, length)
