"""Mistakes as values, with their places in authors' files: collected, sorted, shown together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line: ``line`` and ``column`` count from 1, ``length`` is in characters."""

    path: str
    line: int
    column: int
    length: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    def at(self, offset: int, length: int = 1) -> Span:
        """The stretch that begins ``offset`` characters after the first character of this stretch."""
        return Span(self.path, self.line, self.column + offset, length)

    @property
    def end(self) -> int:
        """The column behind its last character."""
        return self.column + self.length

    def utf16(self, line: str) -> tuple[int, int]:
        """Its start and end in the text of its line, from 0 and in UTF-16 code units, as editors count them (LSP)."""
        return utf16_units(line[: self.column - 1]), utf16_units(line[: self.end - 1])


def utf16_units(text: str) -> int:
    """How many UTF-16 code units a text has: two for each character outside the basic plane."""
    return len(text) + sum(character > "\uffff" for character in text)


def column_at(line: str, units: int) -> int:
    """The column, from 1 and in characters, at so many UTF-16 code units from the start of a line; the inverse of
    :meth:`Span.utf16`. Behind the end of the line it is the column behind its last character."""
    for column, character in enumerate(line, 1):
        units -= utf16_units(character)
        if units < 0:
            return column
    return len(line) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One error or warning in a file of an author.

    ``code`` names the kind of mistake (`E06`), ``span`` is its place, and ``message`` says what is wrong. ``notes`` are
    further lines below the caret, ``caret`` is a short text beside it, and ``help`` says what to do; they may be empty.
    ``names`` are the declarations whose absence is the mistake: if one of them could not be read, the diagnostic is
    muted. ``alike`` is what those have in common that say one thing of many cells of a table: they are shown as one.
    """

    code: str
    span: Span
    message: str
    notes: tuple[str, ...] = ()
    help: str = ""
    caret: str = ""
    severity: Literal["error", "warning"] = "error"
    names: tuple[str, ...] = ()
    alike: str = ""

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


class Text(Protocol):
    """A file as a reader of diagnostics needs it: its lines."""

    @property
    def lines(self) -> tuple[str, ...]: ...


class Texts(Protocol):
    """Files by the path that a span names (:class:`gramprobe.source.files.Library`)."""

    def by_path(self, path: str) -> Text | None: ...


class AuthoringError(Exception):
    """Mistakes in an author's files that stop the work (exit status 1).

    ``library`` has the files, so that each diagnostic can be shown with its line; None where they are not known.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], library: Texts | None = None):
        self.diagnostics: tuple[Diagnostic, ...] = in_order(diagnostics)
        self.library = library
        super().__init__("; ".join(f"{d.span}: {d.severity}[{d.code}]: {d.message}" for d in self.diagnostics))


class UsageError(Exception):
    """The command or call itself is wrong (exit status 2): an unknown name, a missing folder."""

    def __init__(self, message: str, help: str = "", code: str = "E29"):
        self.message, self.help, self.code = message, help, code
        super().__init__(message)


@dataclass(slots=True)
class Findings:
    """The diagnostics of a pass; those with equal code, place and message are kept once.

    A mistake that only follows from another is not reported: a diagnostic about the absence of a name in ``unread``
    is muted, and the pass has failed all the same.

    Attributes:
        items: the diagnostics in the order of their addition.
        unread: the names whose declarations could not be read.
        muted: whether a diagnostic was left out.
    """

    items: list[Diagnostic] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    muted: bool = False
    _seen: set[tuple[str, Span, str]] = field(default_factory=set)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic, unless it is muted or a duplicate."""
        if not self.unread.isdisjoint(diagnostic.names):
            self.muted = True
            return
        key = (diagnostic.code, diagnostic.span, diagnostic.message)
        if key not in self._seen:
            self._seen.add(key)
            self.items.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    @property
    def failed(self) -> bool:
        return self.muted or any(d.is_error for d in self.items)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By place, then code: the order in which they are shown."""
    return tuple(sorted(diagnostics, key=lambda d: (d.span.path, d.span.line, d.span.column, d.code, d.message)))
