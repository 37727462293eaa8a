"""What is wrong with a dataset: every problem with its code, file, line and reason, and a bound on how many are kept.

E50 the folder and its texts, E51 certificates, E52 rows against certificates, E53 source files, E54 what the source
files give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

KEPT = 1000
"""Problems that are kept; those beyond are counted."""

LONGEST = 300
"""Characters of a reason that are kept: what it quotes may be a hostile text."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not as it should be. ``line`` from 1, 0 for a whole file; ``id`` of a row or a shape."""

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
    """All problems of a dataset, in the order found."""

    kept: list[Problem] = field(default_factory=list)
    by_code: Counter[str] = field(default_factory=Counter)

    def add(self, code: str, file: str, reason: str, line: int = 0, id: str = "") -> None:
        """Note a problem; control characters of what it quotes are shown as such."""
        self.by_code[code] += 1
        if len(self.kept) < KEPT:
            self.kept.append(Problem(code, _plain(file), line, _plain(id), _plain(reason)))

    @property
    def count(self) -> int:
        return sum(self.by_code.values())

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(problem) for problem in self.kept]


def _plain(text: str) -> str:
    clipped = text if len(text) <= LONGEST else text[:LONGEST] + " ..."
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in clipped)
