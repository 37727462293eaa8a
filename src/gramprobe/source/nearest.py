"""The declared name nearest to a misspelt name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar of ``known``, or None when no name is near (Ratcliff & Obershelp 1988, as in difflib)."""
    names = sorted(set(known))
    lowered = {n.lower(): n for n in reversed(names)}
    matches = get_close_matches(name.lower(), sorted(lowered), n=1, cutoff=0.6)
    return lowered[matches[0]] if matches else None


def did_you_mean(name: str, known: Iterable[str], quote: str = "`") -> str:
    """``; did you mean `X`?`` or nothing."""
    near = nearest(name, known)
    return f"; did you mean {quote}{near}{quote}?" if near else ""


def listed(names: Iterable[str], limit: int = 12) -> str:
    """``a, b, c``; of more than ``limit`` names the rest is counted: ``a, b and 3 more``."""
    every = list(names)
    if len(every) <= limit:
        return ", ".join(every)
    return ", ".join(every[:limit]) + f" and {len(every) - limit} more"
