"""What `parse` and `label` answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType

from gramprobe.cli.answers.answer import Answer
from gramprobe.records import Record

if TYPE_CHECKING:
    from gramprobe.interpret.pairs import Labelled


class ReadingOfSentence(Record, frozen=True, kw_only=True):
    """A reading: `kind` (`parse`, or `scope`: only another order of scopes gives it), its formula, the smallest tree
    that has it, what no word says (`?name` in the formula), and its words that were guessed."""

    kind: str
    formula: str
    term: str
    open: tuple[str, ...]
    guessed: tuple[str, ...]


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


class BrokenConstraint(Record, frozen=True, kw_only=True):
    """A constraint without which a sentence would have a tree, and the constructor that states it."""

    constraint: str
    constructor: str


class Parsed(Answer, frozen=True, kw_only=True):
    """`gramprobe parse --json`. Of a sentence of known words without a tree: the constraints of which each alone would
    give it one, and a sentence with a tree that has another form of one word (empty if there is none); where no
    constraint is known, the words without which it has one, and the sentence without them (`rest`)."""

    sentence: ReadSentence
    broken: tuple[BrokenConstraint, ...]
    repaired: str
    without: str
    rest: str


class LabelOfReading(Record, frozen=True, kw_only=True):
    """The label of one reading of each sentence, with its certificate; `in_sentences`, of a single pair: a proof in
    numbered sentences, or the models as stories."""

    premises: tuple[str, ...]
    hypothesis: str
    label: str
    certificate: str
    shape: str
    rests_on: str
    models: dict[str, Any]
    in_sentences: tuple[str, ...] | UnsetType = UNSET


class LabelOfSentences(Answer, frozen=True, kw_only=True):
    """`gramprobe label --json`. `label` is null where readings differ or something cannot be read: `why` says what;
    `hint`, of a single pair: what is wrong with a sentence that has no tree, in words, or empty. `sentences`: the
    premises and, last, the hypothesis."""

    label: str | None
    why: str
    hint: str | UnsetType = UNSET
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
