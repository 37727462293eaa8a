"""The outcome of a paradigm's check, stored between runs under a hash of everything that it depends on.

It depends on the texts of the paradigm's own files, of its grammars, their words, its theory, its veto list and its
preferences, with the paths that diagnostics show; on the categories of the other grammars (a theory may have lines for
them); on the options of the check; and on all code of gramprobe, with the SAT solver and the Python that run it. A
change therefore affects the outcomes that depend on it and no others. `gramprobe.cache` says where they are stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from gramprobe.cache import cache_folder, program_version, sweep, write
from gramprobe.items.preferences import file_of
from gramprobe.items.tasks import TASKS
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
        self._project = project
        self._by_path = {source.path: source for source in project.library.sources.values()}
        categories = sorted(project.declarations.lines.categories)
        self._shared = _hash(FORMAT, program_version(), options, categories)
        self._folder = cache_folder() / "checks"
        self._swept = False

    def key(self, name: str) -> str:
        """The hash of everything that the outcome of a paradigm depends on."""
        sources = self._project.library.sources
        declarations = self._project.declarations
        beside = (f"grammars/{name}.veto.tsv", file_of(name.rpartition("/")[0]))
        paths = {*declarations.files_of(name), *(sources[each].path for each in beside if each in sources)}
        return _hash(self._shared, name, [self._by_path[path].identity for path in sorted(paths)])

    def get(self, name: str) -> Outcome | None:
        """The stored outcome; None where it is missing or unreadable."""
        if self._of_package(name):
            return None
        key = self.key(name)
        try:
            digest, _, data = (self._folder / f"{key}.json").read_bytes().partition(b"\n")
            return from_json(data) if digest.decode() == _digest(key, data) else None
        except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
            return None

    def _of_package(self, name: str) -> bool:
        """Whether the task of a paradigm is of an installed package, on whose code the outcome depends too."""
        paradigm = self._project.declarations.paradigms.get(name)
        return paradigm is not None and TASKS.entry(paradigm.task) is not None

    def put(self, name: str, outcome: Outcome) -> None:
        """Store an outcome. A folder that cannot be written to is ignored."""
        if self._of_package(name):
            return
        key, data = self.key(name), to_json(outcome)
        write(self._folder / f"{key}.json", f"{_digest(key, data)}\n".encode() + data)
        if not self._swept:
            self._swept = True
            sweep(self._folder, "*.json")


def _digest(key: str, data: bytes) -> str:
    return hashlib.sha256(key.encode() + data).hexdigest()


def _hash(*parts: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()
