"""What `build`, `verify`, `diff` and `diff-theory` answer."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from gramprobe.cli.answers.answer import Answer
from gramprobe.cli.answers.projects import DiagnosticEntry
from gramprobe.dataset.diff import Change
from gramprobe.dataset.manifest import Manifest
from gramprobe.dataset.verify.problems import Problem
from gramprobe.items.theories import AnswersByTheory, MovedAnswers
from gramprobe.records import Record


class BuiltDataset(Record, frozen=True, kw_only=True):
    """A dataset that was built, with its manifest and warnings."""

    folder: str
    manifest: Manifest
    diagnostics: list[DiagnosticEntry]


class Built(Answer, frozen=True, kw_only=True):
    """`gramprobe build --json`."""

    datasets: list[BuiltDataset]


class SourcesEntry(Record, frozen=True, kw_only=True):
    """Source files of the dataset that are absent from the project, or changed."""

    absent: list[str]
    changed: list[str]


class VerifiedDataset(Answer, frozen=True, kw_only=True):
    """`gramprobe verify --json`."""

    dataset: str
    rows: int
    certificates: dict[str, int]
    lines: dict[str, int]
    on_trust: int
    unshown: int
    charts: int | UnsetType = UNSET
    sources: SourcesEntry
    derived: list[str]
    rebuilt: bool
    parsed: int
    problems: int
    findings: list[Problem]


class Compared(Answer, frozen=True, kw_only=True):
    """`gramprobe diff --json`."""

    gone: list[str]
    new: list[str]
    moved: list[Change]
    reworded: list[Change]
    others: list[Change]


class ComparedParadigm(Record, frozen=True, kw_only=True):
    """A paradigm in two theories; `on_trust`: rows with an uncertain label in one of them."""

    paradigm: str
    rows: int
    moved: int
    on_trust: int
    changes: list[MovedAnswers]


class SeveralTheories(Answer, frozen=True, kw_only=True):
    """`gramprobe diff-theory --json` of three theories or more."""

    theories: list[str]
    conditions: list[AnswersByTheory]


class ComparedTheories(Answer, frozen=True, kw_only=True):
    """`gramprobe diff-theory --json` of two theories."""

    before: str
    after: str
    rows: int
    moved: int
    paradigms: list[ComparedParadigm]
