"""The answers of commands with `--json`: a record for each, from which `gramprobe schema` prints JSON Schema.

An answer is checked against its record before it is printed, so that the schema and the answer have the same fields.
Within a version fields are added, never renamed or given another type.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from gramprobe.dataset.manifest import Column, Designs, Manifest, Record

VERSION = 1


class Answer(Record, frozen=True, kw_only=True):
    """One object, with the version of its form."""

    version: Literal[1]


# -- list


class ListedParadigm(Record, frozen=True, kw_only=True):
    """A paradigm; `from`: `shipped` or a folder. `instances`, `pairs` and `balanced` (pairs of its balanced companion)
    are null where it has errors, `balanced` also where it has no companion. `errors`: their number, absent without."""

    name: str
    origin: str = msgspec.field(name="from")
    instances: int | None
    pairs: int | None
    balanced: int | None
    about: str
    errors: int | UnsetType = UNSET


class ListedFile(Record, frozen=True, kw_only=True):
    """A file that is not shipped; `replaces`: the path of the shipped file that it replaces, or empty."""

    name: str
    origin: str = msgspec.field(name="from")
    replaces: str


class Listed(Answer, frozen=True, kw_only=True):
    """`gramprobe list --json`."""

    paradigms: list[ListedParadigm]
    files: list[ListedFile]


class OperatorEntry(Record, frozen=True, kw_only=True):
    """A modal operator of a theory; `called`: its name in words."""

    name: str
    kind: str
    frame: list[str]
    within: list[str]
    introspected_by: list[str]
    called: str


class DefinitionEntry(Record, frozen=True, kw_only=True):
    """An operator that stands for a formula."""

    name: str
    agent: str | None
    body: str
    formula: str


class EventEntry(Record, frozen=True, kw_only=True):
    """An event of a theory with its parameters."""

    name: str
    parameters: list[str]


class SettingsEntry(Record, frozen=True, kw_only=True):
    """The settings of a theory."""

    projection: str
    conditional: str
    restrictors: str
    exhaustify: str
    numerals: str


class TheoryEntry(Record, frozen=True, kw_only=True):
    """A theory with everything that it includes; a theory with errors has `errors` and no field below it."""

    name: str
    origin: str = msgspec.field(name="from")
    about: str
    source: str
    errors: int | UnsetType = UNSET
    includes: list[str] | UnsetType = UNSET
    operators: list[OperatorEntry] | UnsetType = UNSET
    definitions: list[DefinitionEntry] | UnsetType = UNSET
    verbs: list[str] | UnsetType = UNSET
    events: list[EventEntry] | UnsetType = UNSET
    scales: list[list[str]] | UnsetType = UNSET
    settings: SettingsEntry | UnsetType = UNSET


class Theories(Answer, frozen=True, kw_only=True):
    """`gramprobe list --theories --json`."""

    theories: list[TheoryEntry]


# -- check and build


class DiagnosticEntry(Record, frozen=True, kw_only=True):
    """An error or warning and its place; `column` counts from 1."""

    code: str
    severity: Literal["error", "warning"]
    path: str
    line: int
    column: int
    length: int
    message: str
    notes: list[str]
    help: str


class CheckedParadigm(Record, frozen=True, kw_only=True):
    """A paradigm whose labels (task `nli`: from `pairs` on) or answers (other tasks: `items`, `no_items`, `answers` and
    `accounts`) could be derived. `draws`: draw -> number of its values."""

    name: str
    task: str
    instances: int
    items: int | UnsetType = UNSET
    no_items: dict[str, int] | UnsetType = UNSET
    answers: list[str] | UnsetType = UNSET
    accounts: int | UnsetType = UNSET
    pairs: int | UnsetType = UNSET
    labels: dict[str, int] | UnsetType = UNSET
    uniform: bool | UnsetType = UNSET
    labelled: int | UnsetType = UNSET
    expected: int | UnsetType = UNSET
    met: bool | UnsetType = UNSET
    shapes: int | UnsetType = UNSET
    draws: dict[str, int]
    companion: CheckedParadigm | UnsetType | None = UNSET


class Checked(Answer, frozen=True, kw_only=True):
    """`gramprobe check --json`."""

    paradigms: list[CheckedParadigm]
    diagnostics: list[DiagnosticEntry]


class BuiltDataset(Record, frozen=True, kw_only=True):
    """A dataset that was built, with its manifest and warnings."""

    folder: str
    manifest: Manifest
    diagnostics: list[DiagnosticEntry]


class Built(Answer, frozen=True, kw_only=True):
    """`gramprobe build --json`."""

    datasets: list[BuiltDataset]


# -- verify and diff


class ProblemEntry(Record, frozen=True, kw_only=True):
    """A problem of a dataset: file, line (0: the whole file), id of a row or shape, or empty."""

    code: str
    file: str
    line: int
    id: str
    reason: str


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
    sources: SourcesEntry
    derived: list[str]
    rebuilt: bool
    problems: int
    findings: list[ProblemEntry]


class Change(Record, frozen=True, kw_only=True):
    """A row of two datasets with a column that differs."""

    id: str
    column: str
    before: str
    after: str


class Compared(Answer, frozen=True, kw_only=True):
    """`gramprobe diff --json`."""

    gone: list[str]
    new: list[str]
    moved: list[Change]
    reworded: list[Change]


class MovedLabels(Record, frozen=True, kw_only=True):
    """Rows of a condition whose label moves, with an example and a model of one theory that the other excludes."""

    condition: str
    before: str
    after: str
    rows: int
    id: str
    premise: str
    hypothesis: str
    why: str


class ComparedParadigm(Record, frozen=True, kw_only=True):
    """A paradigm in two theories; `on_trust`: rows with an uncertain label in one of them."""

    paradigm: str
    rows: int
    moved: int
    on_trust: int
    changes: list[MovedLabels]


class ComparedTheories(Answer, frozen=True, kw_only=True):
    """`gramprobe diff-theory --json`."""

    before: str
    after: str
    rows: int
    moved: int
    paradigms: list[ComparedParadigm]


# -- decide and explain


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


class Objection(Record, frozen=True, kw_only=True):
    """An objection to a label."""

    code: str
    message: str
    help: str


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


class ExplainedParadigm(Answer, frozen=True, kw_only=True):
    """`gramprobe explain PARADIGM --json`, of a paradigm with labels."""

    paradigm: str
    about: str
    matrix: list[MatrixEntry]
    sentences: dict[str, str]
    space: int
    readings: dict[str, list[ReadingEntry]]
    by_reading: list[LabelOfReadings]


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


class ExplainedPair(Record, frozen=True, kw_only=True):
    """An item with labels: sentences, formulas, models, trees, and in `told` why each model shows its value."""

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
    models: dict[str, Model]
    after: dict[str, Model] | UnsetType = UNSET
    told: dict[str, list[str]]
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

    kind: Literal["same", "fits", "entailed"]
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


class ExplainedCode(Answer, frozen=True, kw_only=True):
    """`gramprobe explain CODE --json`."""

    code: str
    page: str


Explained = (
    ExplainedParadigm | ExplainedReadings | ExplainedItem | ExplainedInstance | ExplainedReadingItem | ExplainedCode
)
EXPLAINED: tuple[tuple[str, type[Struct]], ...] = (
    ("code", ExplainedCode),
    ("matrix", ExplainedParadigm),
    ("kinds", ExplainedReadings),
    ("items", ExplainedInstance),
    ("steps", ExplainedReadingItem),
    ("trees", ExplainedItem),
)
"""The record of an explanation by a field that only it has."""


# -- printing


def answer(record: type[Struct], data: dict[str, Any], *, ascii_only: bool = True, indent: int | None = 2) -> str:
    """The JSON text of an answer with its version. Raises msgspec.ValidationError, a fault of gramprobe, if the data do
    not match the record."""
    whole = {"version": VERSION, **data}
    msgspec.convert(whole, record, strict=True)
    return json.dumps(whole, indent=indent, ensure_ascii=ascii_only)


def explained(data: dict[str, Any]) -> type[Struct]:
    """The record that an explanation follows, by the field that only it has."""
    return next(record for name, record in EXPLAINED if name in data)


# -- schemas


def row(columns: list[Column], name: str) -> type[Struct]:
    """The record of a row with these columns, as `sample --json` prints it."""
    types = {"text": str, "number": int, "label": int, "draws": dict[str, str]}
    fields = [(column.name, types[column.type]) for column in columns]
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, kw_only=True)


def _rows() -> list[type[Struct]]:
    from gramprobe.dataset.describe import columns_of
    from gramprobe.items.tasks import TASKS

    return [row(columns_of(task), f"Row_{task}") for task in TASKS]


def _only(record: Any) -> Callable[[], list[Any]]:
    return lambda: [record]


SCHEMAS: dict[str, tuple[str, Callable[[], list[Any]]]] = {
    "build": ("what `gramprobe build --json` prints", _only(Built)),
    "check": ("what `gramprobe check --json` prints", _only(Checked)),
    "decide": ("what `gramprobe decide --json` prints", _only(Decided)),
    "design": ("the file design.json of a dataset", _only(Designs)),
    "diff": ("what `gramprobe diff --json` prints", _only(Compared)),
    "diff-theory": ("what `gramprobe diff-theory --json` prints", _only(ComparedTheories)),
    "explain": ("what `gramprobe explain --json` prints", lambda: [record for _, record in EXPLAINED]),
    "list": ("what `gramprobe list --json` prints", _only(Listed)),
    "manifest": ("the file manifest.json of a dataset", _only(Manifest)),
    "sample": ("a line of what `gramprobe sample --json` prints, and of items/*.jsonl", _rows),
    "theories": ("what `gramprobe list --theories --json` prints", _only(Theories)),
    "verify": ("what `gramprobe verify --json` prints", _only(VerifiedDataset)),
}
"""Name -> title, and the records of the schema: a single record, or several of which one matches."""


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of that name. Raises KeyError."""
    title, records = SCHEMAS[name]
    references, definitions = msgspec.json.schema_components(records(), ref_template="#/$defs/{name}")
    body = references[0] if len(references) == 1 else {"anyOf": list(references)}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"gramprobe: {title}"}
    return {**head, **body, "$defs": dict(sorted(definitions.items()))}
