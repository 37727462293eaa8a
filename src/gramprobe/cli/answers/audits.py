"""What `audit` answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gramprobe.cli.answers.answer import Answer
from gramprobe.cli.answers.readings import LabelOfReading, of_readings
from gramprobe.records import Record

if TYPE_CHECKING:
    from gramprobe.audit.minimal_pairs import Trees
    from gramprobe.audit.pairs import Audit


class Counted(Record, frozen=True, kw_only=True):
    """How many pairs there are, of how many all sentences were read, a label was derived, and is the published one; how
    many labels hang on words that were guessed."""

    rows: int
    read: int
    labelled: int
    agree: int
    guessed: int


class DisagreementEntry(Record, frozen=True, kw_only=True):
    """A row, counted from 1, whose published label is not the derived one, with its labels by reading; `name`: what
    the file calls it, `kind`: what it says of its kind; `guessed`: words that were
    guessed."""

    row: int
    name: str
    kind: str
    guessed: tuple[str, ...]
    premises: tuple[str, ...]
    hypothesis: str
    published: str
    derived: str
    by_reading: tuple[LabelOfReading, ...]


class Defect(Record, frozen=True, kw_only=True):
    """What is wrong with the spelling of some sentences, and up to three of them."""

    what: str
    examples: tuple[str, ...]


class Baseline(Record, frozen=True, kw_only=True):
    """The share of pairs that a rule or reader which does not reason labels as published."""

    name: str
    value: float


class Baselines(Record, frozen=True, kw_only=True):
    """Over how many pairs, in how many groups; the share of the commonest label; and each rule and reader."""

    rows: int
    groups: int
    majority: float
    reached: tuple[Baseline, ...]


class AuditedPairs(Record, frozen=True, kw_only=True):
    """A file of pairs with labels. `derived`: published label -> derived label -> pairs; `others`: further column with
    labels -> derived labels beside it, and those that are its own; `abstained`: why there is no label -> pairs;
    `repeated`: rows that are there before with the same label; `contradictory`: pairs of rows that differ in their
    label only; `same`: rows whose premise is their hypothesis."""

    file: str
    whole: Counted
    kinds: dict[str, Counted]
    derived: dict[str, dict[str, int]]
    others: dict[str, tuple[int, int]]
    abstained: dict[str, int]
    repeated: list[int]
    contradictory: list[tuple[int, int]]
    same: list[int]
    defects: list[Defect]
    shallow: Baselines | None
    against: list[DisagreementEntry]


class AgainstEntry(Record, frozen=True, kw_only=True):
    """A row, counted from 1, whose worse sentence has a tree; the numbers of trees, and the smallest of the worse
    sentence."""

    row: int
    name: str
    kind: str
    good: str
    bad: str
    good_trees: int
    bad_trees: int
    term: str


class AuditedMinimalPairs(Record, frozen=True, kw_only=True):
    """A file of minimal pairs. `kinds`: set -> which sentence has a tree (`good`, `both`, `bad`, `neither`; `unknown`:
    words are) -> pairs; `same`: rows of one sentence twice; `contradictory`: pairs of rows in opposite orders."""

    file: str
    rows: int
    kinds: dict[str, dict[str, int]]
    repeated: list[int]
    contradictory: list[tuple[int, int]]
    same: list[int]
    defects: list[Defect]
    against: list[AgainstEntry]


class Audited(Answer, frozen=True, kw_only=True):
    """`gramprobe audit --json`: the files in order, of pairs with labels or of minimal pairs."""

    format: str
    pairs: list[AuditedPairs]
    minimal_pairs: list[AuditedMinimalPairs]


def of_audits(form: str, found: Mapping[str, Audit | Trees]) -> dict[str, Any]:
    """What was found in each file."""
    from gramprobe.audit.pairs import Audit

    every: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    for file, made in found.items():
        labelled = isinstance(made, Audit)
        fields = AuditedPairs.__struct_fields__ if labelled else AuditedMinimalPairs.__struct_fields__
        own = {name: getattr(made, name) for name in fields if name not in ("file", "against")}
        of_row = _disagreement if labelled else _against
        against = [
            {"row": each.row, "name": each.pair.name, "kind": each.pair.kind, **of_row(each)} for each in made.against
        ]
        every[labelled].append({**own, "file": file, "against": against})
    return {"format": form, "pairs": every[True], "minimal_pairs": every[False]}


def _disagreement(each: Any) -> dict[str, Any]:
    *premises, hypothesis = (read.text for read in each.found.sentences)
    return {
        "guessed": each.found.guessed,
        "premises": tuple(premises),
        "hypothesis": hypothesis,
        "published": each.pair.label,
        "derived": each.found.label,
        "by_reading": of_readings(each.found),
    }


def _against(each: Any) -> dict[str, Any]:
    return {
        "good": each.good.text,
        "bad": each.bad.text,
        "good_trees": each.good.trees,
        "bad_trees": each.bad.trees,
        "term": next((reading.term for reading in each.bad.readings), ""),
    }
