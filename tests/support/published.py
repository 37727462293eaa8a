"""Numbers that papers print, as frozen under tests/analysis/published."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "analysis" / "published"


def read(name: str) -> list[dict[str, str]]:
    """The rows of a table; lines that begin with # say where it is from."""
    lines = [line for line in (FOLDER / name).read_text("utf-8").splitlines() if not line.startswith("#")]
    head, *rows = (line.split("\t") for line in lines)
    return [dict(zip(head, row, strict=True)) for row in rows]


def ends(printed: str) -> tuple[float, float]:
    """The least and the greatest number that is printed so."""
    mantissa, _, exponent = printed.partition("e")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return float(printed) - half, float(printed) + half


def rounds_to(value: float, printed: str, slack: float = 1e-6) -> bool:
    """Whether a number is printed so. ``slack``: its own error, relative."""
    low, high = ends(printed)
    return low - slack * abs(value) <= value <= high + slack * abs(value)
