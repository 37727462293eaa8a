"""What `exposure` answers."""

from __future__ import annotations

from gramprobe.cli.answers.answer import Answer
from gramprobe.records import Record


class VerbEntry(Record, frozen=True, kw_only=True):
    """The counts of a verb: occurrences in premises and hypotheses, pairs with any form, pairs in which it stands
    before a clause, and the labels of the latter."""

    verb: str
    premises: int
    hypotheses: int
    pairs: int
    clauses: int
    labels: dict[str, int]
    factive: bool


class KindEntry(Record, frozen=True, kw_only=True):
    """The labels of the pairs with a verb of one kind: `verbs` is `the paper's ten` or `all`, `use` is `any form` or
    `before a clause`."""

    verbs: str
    use: str
    factive: bool
    labels: dict[str, int]
    pairs: int


class Exposed(Answer, frozen=True, kw_only=True):
    """`gramprobe exposure --json`."""

    corpus: str
    pairs: int
    unlabelled: int
    labels: dict[str, int]
    verbs: list[VerbEntry]
    kinds: list[KindEntry]
    written: list[str]
