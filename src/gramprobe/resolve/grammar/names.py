"""Looking names up, with a finding where a name is not there or is there already."""

from __future__ import annotations

from collections.abc import Iterable

from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.nearest import nearest
from gramprobe.syntax.tree import Word


def require_known(word: Word, known: Iterable[str], what: str, findings: Findings) -> bool:
    """Whether the name is among the known ones; a finding where it is not. ``what`` it is to be: ``feature``."""
    names = list(known)
    if word.text in names:
        return True
    findings.add(messages.names.unknown_name(word.span, what, word.text, names))
    return False


def assumed(word: Word, known: Iterable[str], what: str, findings: Findings) -> str | None:
    """The name, if it is known; else (and a finding) the nearest one, so that one slip is one message."""
    names = list(known)
    return word.text if require_known(word, names, what, findings) else nearest(word.text, names)


def require_new(word: Word, declared: dict[str, object], what: str, findings: Findings) -> bool:
    """Whether nothing of this kind has the name yet; a finding where something has."""
    if word.text not in declared:
        return True
    place = getattr(declared[word.text], "span", None)
    findings.add(messages.names.declared_twice(word.span, f"{what} `{word.text}`", place))
    return False
