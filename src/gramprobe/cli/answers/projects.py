"""What `list` and `check` answer: the paradigms and theories of a project, and their mistakes."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from gramprobe.cli.answers.answer import Answer
from gramprobe.records import Record
from gramprobe.registry import Entry


class ListedParadigm(Record, frozen=True, kw_only=True):
    """A paradigm; `from`: `shipped` or a folder. `instances`, `pairs` and `paper` (pairs without those that `balance`
    adds) are null where it has errors, `paper` also where nothing is added. `errors`: their number, absent without."""

    name: str
    origin: str = msgspec.field(name="from")
    instances: int | None
    pairs: int | None
    paper: int | None
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


class ListedDeclaration(Record, frozen=True, kw_only=True):
    """A constructor, category, feature or group; `type`: arguments and result, or features and semantic type, or
    values; `about`: the comment of the file."""

    kind: str
    name: str
    type: str
    module: str
    about: str
    path: str = msgspec.field(name="file")
    line: int


class Declared(Answer, frozen=True, kw_only=True):
    """`gramprobe list --constructors --json` and `gramprobe list --features --json`."""

    declarations: list[ListedDeclaration]


class ListedWord(Record, frozen=True, kw_only=True):
    """A word with its forms and the values of its columns (a set is an array, a decimal number a text, an
    empty cell an empty text)."""

    id: str
    forms: dict[str, str]
    columns: dict[str, str | int | list[str]]


class Words(Answer, frozen=True, kw_only=True):
    """`gramprobe list --words CATEGORY --json`."""

    category: str
    words: list[ListedWord]


class ListedModule(Record, frozen=True, kw_only=True):
    """A grammar file; `about`: the first sentence of the comment at its head."""

    module: str
    file: str
    constructors: int
    about: str


class Modules(Answer, frozen=True, kw_only=True):
    """`gramprobe list --modules --json`."""

    modules: list[ListedModule]


class Folders(Answer, frozen=True, kw_only=True):
    """`gramprobe where --json`: the folder of the shipped files, those of the path, that of the caches; and what
    installed packages add."""

    shipped: str
    own: list[str]
    cache: str
    added: list[Entry]


class SaidForm(Record, frozen=True, kw_only=True):
    """Words, and the values of features that were requested for them (empty where there is one form)."""

    of: str
    words: str


class SaidReading(Record, frozen=True, kw_only=True):
    """A reading of a sentence."""

    id: str
    formula: str


class Said(Answer, frozen=True, kw_only=True):
    """`gramprobe say --json`. `judged`: of a term that breaks a constraint, or has what something must license, bind
    or fill, what its chart says: whether it is bad, what repairs it, and at which word no sentence goes on.
    `without_meaning`: the constructors of a sentence that have no meaning (a trace, a reflexive); with one of them it
    has no reading. `undrawn`: the conditions of constructors that do not hold in it, for which no paradigm draws it."""

    term: str
    category: str
    forms: list[SaidForm]
    readings: list[SaidReading]
    without_meaning: list[str]
    undrawn: list[str]
    judged: list[str] | UnsetType = UNSET


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
    determiners: str
    partitives: str


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
    """A paradigm whose labels (task `nli`: from `pairs` on) or answers (tasks about readings: `items`, `no_items`,
    `answers` and `accounts`) could be derived, or that has no labels (`items`). `rows`: condition -> its
    rows, where some have fewer than others; `cells`: levels -> rows; `solvable`: reader -> what the
    conditions alone give it, where a line declares no number; `draws`: draw -> how many of its values
    are in some instance."""

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
    rows: dict[str, int] | UnsetType = UNSET
    cells: dict[str, int] | UnsetType = UNSET
    solvable: dict[str, float] | UnsetType = UNSET
    draws: dict[str, int]


class Checked(Answer, frozen=True, kw_only=True):
    """`gramprobe check --json`."""

    paradigms: list[CheckedParadigm]
    diagnostics: list[DiagnosticEntry]
