"""The nearest declared name to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar of ``known``, or None when nothing is near (Ratcliff & Obershelp 1988, as in difflib)."""
    names = sorted(set(known))
    lowered = {n.lower(): n for n in reversed(names)}
    found = get_close_matches(name.lower(), sorted(lowered), n=1, cutoff=0.6)
    return lowered[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str], quote: str = "`") -> str:
    """``; did you mean `X`?`` or nothing."""
    near = nearest(name, known)
    return f"; did you mean {quote}{near}{quote}?" if near else ""


def listed(names: Iterable[str], limit: int = 12) -> str:
    """``a, b, c`` with the rest counted past ``limit``."""
    found = list(names)
    if len(found) <= limit:
        return ", ".join(found)
    return ", ".join(found[:limit]) + f" and {len(found) - limit} more"
