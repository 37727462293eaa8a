"""What `parse`, `label` and `audit` answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gramprobe.cli.answers.answer import Answer
from gramprobe.records import Record

if TYPE_CHECKING:
    from gramprobe.interpret.audit import Audit
    from gramprobe.interpret.pairs import Labelled


class ReadingOfSentence(Record, frozen=True, kw_only=True):
    """A reading: `kind` (`parse`, or `scope`: only another order of scopes gives it), its formula, the smallest tree
    that has it, and what no word says (`?name` in the formula)."""

    kind: str
    formula: str
    term: str
    open: tuple[str, ...]


class ReadSentence(Record, frozen=True, kw_only=True):
    """A sentence as a grammar reads it; `whole`: whether `readings` are all. Without a tree: unknown words and the
    nearest known ones, the words that could be read, and of which categories or words one could stand after them."""

    text: str
    trees: int
    whole: bool
    readings: tuple[ReadingOfSentence, ...]
    unknown: dict[str, str | None]
    reached: str
    expected: tuple[str, ...]


class Parsed(Answer, frozen=True, kw_only=True):
    """`gramprobe parse --json`."""

    sentence: ReadSentence


class LabelOfReading(Record, frozen=True, kw_only=True):
    """The label of one reading of each sentence, with its certificate."""

    premises: tuple[str, ...]
    hypothesis: str
    label: str
    certificate: str
    shape: str
    rests_on: str
    models: dict[str, Any]


class LabelOfSentences(Answer, frozen=True, kw_only=True):
    """`gramprobe label --json`. `label` is null where readings differ or something cannot be read: `why` says what.
    `sentences`: the premises and, last, the hypothesis."""

    label: str | None
    why: str
    sentences: tuple[ReadSentence, ...]
    by_reading: tuple[LabelOfReading, ...]


def of_readings(found: Labelled) -> list[dict[str, Any]]:
    """The labels by reading."""
    return [
        {
            "premises": tuple(reading.formula for reading in each.premises),
            "hypothesis": each.hypothesis.formula,
            "label": each.decision.verdict.label,
            "certificate": each.decision.verdict.kind,
            "shape": each.decision.shape.id,
            "rests_on": each.decision.rests_on_text,
            "models": {value: each.decision.model(value).to_json() for value in each.decision.verdict.models},
        }
        for each in found.by_reading
    ]


class DisagreementEntry(Record, frozen=True, kw_only=True):
    """A row, counted from 1, whose published label is not the derived one, with its labels by reading."""

    row: int
    premise: str
    hypothesis: str
    published: str
    derived: str
    by_reading: tuple[LabelOfReading, ...]


class Audited(Answer, frozen=True, kw_only=True):
    """`gramprobe audit --json`: how many pairs there are, were read and labelled, and have the published label;
    `abstained`: why there is no label -> pairs; `repeated`: rows that are there before with the same label;
    `contradictory`: pairs of rows that differ in their label only."""

    rows: int
    read: int
    labelled: int
    agree: int
    abstained: dict[str, int]
    repeated: list[int]
    contradictory: list[tuple[int, int]]
    disagreements: list[DisagreementEntry]


def of_audit(made: Audit) -> dict[str, Any]:
    """What was found in a set."""
    fields = ("rows", "read", "labelled", "agree", "abstained", "repeated", "contradictory")
    differ = [
        {
            "row": each.row,
            "premise": each.found.sentences[0].text,
            "hypothesis": each.found.sentences[1].text,
            "published": each.published,
            "derived": each.found.label,
            "by_reading": of_readings(each.found),
        }
        for each in made.disagreements
    ]
    return {**{name: getattr(made, name) for name in fields}, "disagreements": differ}
