"""What `exposure` answers."""

from __future__ import annotations

from gramprobe.analysis.papers.exposure import KindCount, VerbCount
from gramprobe.cli.answers.answer import Answer


class Exposed(Answer, frozen=True, kw_only=True):
    """`gramprobe exposure --json`."""

    corpus: str
    pairs: int
    unlabelled: int
    labels: dict[str, int]
    verbs: list[VerbCount]
    kinds: list[KindCount]
    written: list[str]
