"""The problems of a dataset: each with its code, file, line and reason; the number of those that are kept is bounded.

E50: the folder and its texts. E51: certificates. E52: rows that contradict certificates. E53: source files. E54: rows
and numbers that differ from those that the source files give.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from gramprobe.records import Record

KEPT = 1000
"""The largest number of problems that are kept; further problems are counted."""

LONGEST = 300
"""The largest number of characters of a reason, which may quote a hostile text."""


class Problem(Record, frozen=True):
    """A problem of a dataset: file, line (0: the whole file), id of a row or shape, or empty."""

    code: str
    file: str
    line: int
    id: str
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: error[{self.code}]: {self.id + ': ' if self.id else ''}{self.reason}"


@dataclass(slots=True)
class Problems:
    """The problems of a dataset in the order in which checks added them."""

    kept: list[Problem] = field(default_factory=list)
    by_code: Counter[str] = field(default_factory=Counter)

    def add(self, code: str, file: str, reason: str, line: int = 0, id: str = "") -> None:
        """Add a problem; control characters in its texts are escaped."""
        self.by_code[code] += 1
        if len(self.kept) < KEPT:
            self.kept.append(Problem(code, _plain(file), line, _plain(id), _plain(reason)))

    @property
    def count(self) -> int:
        return sum(self.by_code.values())


def _plain(text: str) -> str:
    clipped = text if len(text) <= LONGEST else text[:LONGEST] + " ..."
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in clipped)
