"""How figures and tables are set on a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """How the files of an analysis are set.

    Attributes:
        width: of figures, in inches; by default that of a page of text.
        font: of figures, a family that matplotlib finds; by default the one that comes with it, which every machine
            has.
        columns: of a page for LaTeX, 1 or 2.
    """

    width: float = 6.3
    font: str = "DejaVu Sans"
    columns: int = 1


PLAIN = Look()
