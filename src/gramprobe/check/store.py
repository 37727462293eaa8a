"""The outcome of a paradigm's check, stored between runs under a hash of everything that it depends on.

It depends on the texts of the paradigm's own files, of its grammars, their words, its theory, its veto list and its
preferences, with the paths that diagnostics show; on the categories and words of the other grammars that a theory may
have lines for; on the options of the check; and on all code of gramprobe, with the SAT solver and the Python that run
it. A change therefore affects the outcomes that depend on it and no others. `gramprobe.cache` says where they are
stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from gramprobe.cache import Folder, key_of, program_version
from gramprobe.items.content import content_of, is_of_package
from gramprobe.project import Project
from gramprobe.source.diagnostic import Diagnostic

FORMAT = 1


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of checking a paradigm: the report (None where errors leave nothing to report) and diagnostics."""

    report: dict[str, Any] | None
    diagnostics: tuple[Diagnostic, ...]


def read_back(report: dict[str, Any] | None, diagnostics: Iterable[Diagnostic]) -> Outcome:
    """The outcome as it is read back from the store, so that fresh and stored outcomes are equal."""
    return from_json(to_json(Outcome(report, tuple(diagnostics))))


def to_json(outcome: Outcome) -> bytes:
    """The JSON of an outcome, in one line."""
    return msgspec.json.encode(outcome)


def from_json(data: bytes) -> Outcome:
    """The outcome that JSON encodes. Raises msgspec.MsgspecError if it encodes no outcome."""
    return msgspec.json.decode(data, type=Outcome)


class Store:
    """The outcomes of one project's paradigms, checked with the same options, each in a file of its own."""

    def __init__(self, project: Project, options: dict[str, Any]) -> None:
        self._declarations = project.declarations
        self._shared = key_of(FORMAT, program_version(), options)
        self._folder = Folder("checks")

    def key(self, name: str) -> str:
        """The hash of everything that the outcome of a paradigm depends on."""
        return key_of(self._shared, content_of(name, self._declarations))

    def get(self, name: str) -> Outcome | None:
        """The stored outcome; None where it is missing or unreadable."""
        data = None if is_of_package(name, self._declarations) else self._folder.get(self.key(name))
        try:
            return None if data is None else from_json(data)
        except (ValueError, RecursionError, msgspec.MsgspecError):
            return None

    def put(self, name: str, outcome: Outcome) -> None:
        """Store an outcome. A folder that cannot be written to is ignored."""
        if not is_of_package(name, self._declarations):
            self._folder.put(self.key(name), to_json(outcome))
