"""The outcome of a paradigm's check, stored between runs under a hash of everything that it depends on.

It depends on the texts of the paradigm's own files, of its grammars, their words, its theory, its veto list and its
preferences, with the paths that diagnostics show; on the categories and words of the other grammars that a theory may
have lines for; on the options of the check; and on all code of gramprobe, with the SAT solver and the Python that run
it. A change therefore affects the outcomes that depend on it and no others. `gramprobe.cache` says where they are
stored. One without diagnostics shows no place, and is stored under what the paradigm says and reaches as well
(`items.content.said_by`): a comment changes nothing, nor does a constructor that no sentence of it has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from gramprobe.cache import Folder, key_of, program_version
from gramprobe.items.content import content_of, is_of_package, said_by
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
        self._folder, self._said = Folder("checks"), Folder("said")

    def key(self, name: str) -> str:
        """The hash of everything that the outcome of a paradigm depends on."""
        return key_of(self._shared, content_of(name, self._declarations))

    def key_without_places(self, name: str) -> str:
        """The hash of everything that an outcome without diagnostics depends on: places are in these alone."""
        return key_of(self._shared, said_by(name, self._declarations))

    def get(self, name: str) -> Outcome | None:
        """The stored outcome; None where it is missing or unreadable."""
        if is_of_package(name, self._declarations):
            return None
        found = _read(self._folder.get(self.key(name)))
        if found is None:
            found = _read(self._said.get(self.key_without_places(name)))
            if found is None or found.diagnostics:
                return None
            self._folder.put(self.key(name), to_json(found))
        return found

    def put(self, name: str, outcome: Outcome) -> None:
        """Store an outcome. A folder that cannot be written to is ignored."""
        if not is_of_package(name, self._declarations):
            self._folder.put(self.key(name), to_json(outcome))
            if not outcome.diagnostics:
                self._said.put(self.key_without_places(name), to_json(outcome))


def _read(data: bytes | None) -> Outcome | None:
    try:
        return None if data is None else from_json(data)
    except (ValueError, RecursionError, msgspec.MsgspecError):
        return None
