"""Looking names up, and reporting undeclared names and names declared twice."""

from __future__ import annotations

from collections.abc import Iterable

from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.nearest import nearest
from gramprobe.syntax.tree import Word


def require_known(word: Word, known: Iterable[str], what: str, findings: Findings) -> bool:
    """Whether the name is known; report it if not. ``what`` it should name: ``feature``."""
    names = list(known)
    if word.text in names:
        return True
    findings.add(messages.names.unknown_name(word.span, what, word.text, names))
    return False


def assumed(word: Word, known: Iterable[str], what: str, findings: Findings) -> str | None:
    """The name, if it is known; else report it and return the nearest name, so that one slip causes one message."""
    names = list(known)
    return word.text if require_known(word, names, what, findings) else nearest(word.text, names)


def require_new(word: Word, declared: dict[str, object], what: str, findings: Findings) -> bool:
    """Whether the name is new; report it if it is declared already."""
    if word.text not in declared:
        return True
    place = getattr(declared[word.text], "span", None)
    findings.add(messages.names.declared_twice(word.span, f"{what} `{word.text}`", place))
    return False
