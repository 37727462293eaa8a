"""Looking names up, and reporting undeclared names and names declared twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.source.nearest import nearest
from gramprobe.syntax.tree import Word


def require_known(word: Word, known: Iterable[str], what: str, findings: Findings, code: str = "E02") -> bool:
    """Whether the name is known; report it if not. ``what`` it should name: ``feature``."""
    names = list(known)
    if word.text in names:
        return True
    findings.add(messages.names.unknown_name(word.span, what, word.text, names, code))
    return False


def assumed(word: Word, known: Iterable[str], what: str, findings: Findings) -> str | None:
    """The name, if it is known; else report it and return the nearest name, so that one slip causes one message."""
    names = list(known)
    return word.text if require_known(word, names, what, findings) else nearest(word.text, names)


def require_new(word: Word, declared: Mapping[str, object], what: str, findings: Findings) -> bool:
    """Whether the name is new; report it if it is declared already. ``declared``: names with what has a place, or with
    the places themselves."""
    if word.text not in declared:
        return True
    before = declared[word.text]
    place = before if isinstance(before, Span) else getattr(before, "span", None)
    findings.add(messages.names.declared_twice(word.span, f"{what} `{word.text}`", place))
    return False


def require_column(
    word: Word, category: str, known: Collection[str], findings: Findings, declared: Span | None = None
) -> bool:
    """Whether the name is a feature or column of a category, whose are ``known``; report it if not. ``declared``: the
    place of the category, where the name stands in a theory."""
    if word.text in known:
        return True
    findings.add(messages.grammar.unknown_feature(word.span, category, word.text, known, declared))
    return False
