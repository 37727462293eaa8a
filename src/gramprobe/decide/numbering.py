"""Names in JSON numbered anew: texts that differ in names only become one.

Names are those of a shape (`p0`), or others that JSON writes as they are: without quotes and backslashes.
"""

from __future__ import annotations

import re
from typing import Any

from gramprobe.formula.canonical import Renaming

_NAMED = re.compile(r'\["(atom|const|modal)","([^"]+)"')
_SHORT = {"atom": "p", "const": "c", "modal": "o"}


def named(text: str) -> set[tuple[str, str]]:
    """The predicates and the names of individuals in the text of formulas, each behind its sort."""
    return {found for found in _NAMED.findall(text) if found[0] != "modal"}


def numbered(text: str, names: Renaming) -> str:
    """The text of formulas with their names numbered by first occurrence, behind those of ``names``, to which they are
    added. Predicates stand there as if they had no places: no two symbols have one name."""
    known: dict[str, dict[Any, str]] = {"atom": names.predicates, "const": names.constants, "modal": names.operators}

    def number(found: re.Match[str]) -> str:
        sort, name = found.groups()
        short = known[sort].setdefault((name, 0) if sort == "atom" else name, f"{_SHORT[sort]}{len(known[sort])}")
        return f'["{sort}","{short}"'

    return _NAMED.sub(number, text)
