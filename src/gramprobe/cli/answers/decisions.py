"""What `decide` and `explain` answer."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from gramprobe.cli.answers.answer import Answer
from gramprobe.judge.typed import Objection
from gramprobe.records import Record


class Model(Record, frozen=True, kw_only=True):
    """A model (docs/json.md): predicates by world, relations as pairs of worlds."""

    worlds: int
    individuals: int
    occasions: int
    actual: int
    constants: dict[str, int]
    predicates: dict[str, list[list[list[int]]]]
    relations: dict[str, list[list[int]]]
    neighbourhoods: dict[str, list[list[list[int]]]] | UnsetType = UNSET


class CertificateEntry(Record, frozen=True, kw_only=True):
    """The kind of a certificate, and a model for each value that the hypothesis takes."""

    kind: str
    models: dict[str, Model]


class Decided(Answer, frozen=True, kw_only=True):
    """`gramprobe decide --json`."""

    label: str | None
    certificate: CertificateEntry | None
    on_trust: bool | None
    h_values: str | None
    rests_on: str | None
    findings: list[Objection]
    shape: str | None


class ReadingEntry(Record, frozen=True, kw_only=True):
    """A reading: its id, its formula, whether it is the gold one."""

    id: str
    form: str
    gold: bool


class LabelOfReadings(Record, frozen=True, kw_only=True):
    """The label of a pair of readings in a column. `pair`: of a paradigm, the two conditions."""

    pair: str | UnsetType = UNSET
    premise: str
    hypothesis: str
    column: str
    label: str | None
    shape: str


class MatrixEntry(Record, frozen=True, kw_only=True):
    """The labels of a pair of conditions."""

    premise: str
    hypothesis: str
    label: str


#: constructor -> its arguments that no words of a sentence say
Unsaid = dict[str, tuple[str, ...]]


class ExplainedParadigm(Answer, frozen=True, kw_only=True):
    """`gramprobe explain PARADIGM --json`, of a paradigm with labels."""

    paradigm: str
    about: str
    matrix: list[MatrixEntry]
    sentences: dict[str, str]
    space: int
    readings: dict[str, list[ReadingEntry]]
    by_reading: list[LabelOfReadings]
    unsaid: Unsaid


class Held(Record, frozen=True, kw_only=True):
    """The readings of a condition that fit, or entail, another condition."""

    condition: str
    other: str = msgspec.field(name="with")
    readings: list[str]


class ReadingKind(Record, frozen=True, kw_only=True):
    """Instances of a paradigm about readings that have one account; `no_item`: why they are rejected, or empty."""

    instances: int
    no_item: str
    sentences: dict[str, str]
    readings: dict[str, dict[str, str]]
    holds: list[Held]


class ExplainedReadings(Answer, frozen=True, kw_only=True):
    """`gramprobe explain PARADIGM --json`, of a paradigm about readings."""

    paradigm: str
    about: str
    kinds: list[ReadingKind]
    unsaid: Unsaid


class ExplainedPair(Record, frozen=True, kw_only=True):
    """An item with labels: sentences, formulas, models, trees, in `told` why each model shows its value, and in
    `in_sentences` a proof in numbered sentences, or the models as stories."""

    id: str
    premise: str
    hypothesis: str
    label: str
    premise_form: str
    hypothesis_form: str
    h_values: str
    certificate: str
    rests_on: str
    shape: str
    readings: dict[str, list[ReadingEntry]]
    by_reading: list[LabelOfReadings]
    after: dict[str, Model] | UnsetType = UNSET
    models: dict[str, Model]
    told: dict[str, list[str]]
    in_sentences: list[str]
    trees: list[Any]
    declared: list[str]
    svg: str


class ExplainedItem(ExplainedPair, frozen=True, kw_only=True):
    """`gramprobe explain ITEM --json`, of an item with labels."""

    version: Literal[1]


class ExplainedInstance(Answer, frozen=True, kw_only=True):
    """`gramprobe explain INSTANCE --json`, of a paradigm with labels."""

    items: list[ExplainedPair]


class StepEntry(Record, frozen=True, kw_only=True):
    """A decision about readings (docs/theory/certificates.md)."""

    kind: Literal["same", "fits", "entailed", "stronger", "strengthened", "paraphrase"]
    condition: str
    reading: str
    other: str
    label: str
    shape: str


class ExplainedReadingItem(Answer, frozen=True, kw_only=True):
    """`gramprobe explain ITEM --json`, of an item about readings."""

    id: str
    sentences: dict[str, str]
    readings: dict[str, dict[str, str]]
    holds: list[Held]
    steps: list[StepEntry]
    svg: str


class JudgedSentence(Record, frozen=True, kw_only=True):
    """A sentence of a minimal pair: whether it is good, and the constraints each of which alone repairs it."""

    sentence: str
    good: bool
    repairs: list[str]


class Sample(Record, frozen=True, kw_only=True):
    """An instance: its id, and the sentences of its conditions, judged in minimal pairs."""

    id: str
    sentences: dict[str, str | JudgedSentence]


class ExplainedSentences(Answer, frozen=True, kw_only=True):
    """`gramprobe explain PARADIGM --json`, of a paradigm without labels; `constraint`: of minimal pairs."""

    paradigm: str
    about: str
    constraint: str | UnsetType = UNSET
    samples: list[Sample]
    unsaid: Unsaid


class ExplainedTrees(Answer, frozen=True, kw_only=True):
    """`gramprobe explain ITEM --json`, of an item without a label; `parsed`: the tree of each condition; `equivalent`:
    minimal pair -> whether both sentences mean the same, where it is decided."""

    id: str
    sentences: dict[str, str | JudgedSentence]
    parsed: dict[str, Any]
    equivalent: dict[str, str] | UnsetType = UNSET


class ExplainedCode(Answer, frozen=True, kw_only=True):
    """`gramprobe explain CODE --json`."""

    code: str
    page: str


class DeclarationExample(Record, frozen=True, kw_only=True):
    """A tree as an author writes it, and its sentence."""

    term: str
    sentence: str


class ExplainedDeclaration(Answer, frozen=True, kw_only=True):
    """A declaration of a grammar; `examples` of a constructor, the first `words` of a category, its `makers` (the
    constructors that make one), and the `constructors` that take a category or feature."""

    declaration: str
    kind: str
    type: str
    module: str
    file: str
    line: int
    about: str
    text: str
    examples: list[DeclarationExample]
    words: list[str]
    makers: list[str]
    constructors: list[str]


EXPLAINED: tuple[tuple[str, type[Struct]], ...] = (
    ("code", ExplainedCode),
    ("declaration", ExplainedDeclaration),
    ("matrix", ExplainedParadigm),
    ("kinds", ExplainedReadings),
    ("items", ExplainedInstance),
    ("steps", ExplainedReadingItem),
    ("samples", ExplainedSentences),
    ("parsed", ExplainedTrees),
    ("trees", ExplainedItem),
)
"""The record of an explanation by a field that only it has."""


def explained(data: dict[str, Any]) -> type[Struct]:
    """The record that an explanation follows, by the field that only it has."""
    return next(record for name, record in EXPLAINED if name in data)
