"""A place in an author's file, and the columns in which editors count it."""

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

    @property
    def end(self) -> int:
        """The column behind its last character."""
        return self.column + self.length

    def utf16(self, line: str) -> tuple[int, int]:
        """Its start and end in the text of its line, from 0 and in UTF-16 code units, as editors count them (LSP)."""
        return utf16_units(line[: self.column - 1]), utf16_units(line[: self.end - 1])


def utf16_units(text: str) -> int:
    """How many UTF-16 code units a text has: two for each character outside the basic plane."""
    return len(text) + sum(character > "\uffff" for character in text)


def column_at(line: str, units: int) -> int:
    """The column, from 1 and in characters, at so many UTF-16 code units from the start of a line; the inverse of
    :meth:`Span.utf16`. Behind the end of the line it is the column behind its last character."""
    for column, character in enumerate(line, 1):
        units -= utf16_units(character)
        if units < 0:
            return column
    return len(line) + 1
