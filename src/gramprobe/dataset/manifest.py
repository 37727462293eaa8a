"""The records of a dataset folder: its manifest, and what `design.json` says of its paradigms.

Whoever reads a folder reads these; nothing of a grammar or a theory is needed. Format 2 is what a build writes; of
format 1 the hashes of Parquet and the file `design.json` are missing. A field more, a field less or a value of another
type is refused. `gramprobe schema manifest` and `gramprobe schema design` print them as JSON Schema.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

MANIFEST, CERTIFICATES, ACCOUNTS, CARD, DESIGN = (
    "manifest.json", "certificates.jsonl", "accounts.jsonl", "README.md", "design.json",
)  # fmt: skip
FORMAT = 2
"""The format that a build writes."""
FORMATS = (1, 2)
"""Those that are read."""

Count = Annotated[int, Meta(ge=0)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields by name, no others; fields that are UNSET are not written."""


# -- manifest.json


class SourceFile(Record, frozen=True, kw_only=True):
    """A file that the dataset was made from. Given sentences come with their licence and where they are from."""

    sha256: Sha256
    origin: Literal["shipped", "own", "given"] = msgspec.field(name="from")
    licence: str | UnsetType = UNSET
    source: str | UnsetType = UNSET


class HypothesisOnly(Record, frozen=True, kw_only=True):
    """What the hypothesis alone gives away: accuracies of the most frequent label, of the best guess, of a reader."""

    majority: float
    ceiling: float
    classifier: float


class Moved(Record, frozen=True, kw_only=True):
    """So many rows of a condition have another label than under the paradigm's own theory."""

    condition: str
    before: str
    after: str
    rows: Count


class Part(Record, frozen=True, kw_only=True):
    """What was built of a paradigm. Those with labels have `labels`, those about readings `answers`; in format 1 only
    the former have `one_row_each` and `moved`, and only the latter `no_items`."""

    task: str
    instances: Count
    pairs: Count
    rows: Count
    splits: dict[str, Annotated[int, Meta(gt=0)]]
    one_row_each: bool | UnsetType = UNSET
    space: Count
    coverage: float
    passed_over: Count
    vetoed: Count
    no_items: dict[str, Count] | UnsetType = UNSET
    theory: str
    labels: dict[str, Count] | UnsetType = UNSET
    answers: dict[str, Count] | UnsetType = UNSET
    certificates: dict[str, Count]
    on_trust: Count
    hypothesis_only: HypothesisOnly | UnsetType = UNSET
    content_words: Count
    allowed: dict[str, list[str]]
    moved: list[Moved] | UnsetType = UNSET


class Manifest(Record, frozen=True, kw_only=True):
    """What a dataset was made from, what is in it, and the hashes of its files (`parquet`: not in format 1; their bytes
    depend on the writer's version)."""

    format: int
    gramprobe: str
    name: str
    seed: Count
    task: str
    theory: str
    balanced: bool
    allow_bounded: bool
    oracle: str | None
    paradigms: dict[str, Part]
    sources: dict[str, SourceFile]
    files: dict[str, Sha256]
    parquet: dict[str, Sha256] | UnsetType = UNSET

    def expected(self) -> frozenset[str]:
        """The names that `files` may and must have."""
        names = {CERTIFICATES, CARD, *(f"items/{name}.jsonl" for name in self.paradigms)}
        names |= {ACCOUNTS} if any(part.answers is not UNSET for part in self.paradigms.values()) else set()
        return frozenset(names | ({DESIGN} if self.format >= 2 else set()))

    def parquet_files(self) -> dict[str, tuple[str, str, int]]:
        """Each Parquet file: name -> paradigm, split, rows."""
        return {
            f"parquet/{name}/{split}-00000-of-00001.parquet": (name, split, rows)
            for name, part in self.paradigms.items()
            for split, rows in part.splits.items()
        }


class Invalid(ValueError):
    """JSON that is no record of its kind."""


def manifest_from(data: Any) -> Manifest:
    """The manifest that JSON data are, of any format that is read; of fields, types and names of files only.

    Raises Invalid.
    """
    form = data.get("format") if isinstance(data, dict) else None
    if type(form) is int and form not in FORMATS:
        raise Invalid(f"format {form} is not known")
    parts = data.get("paradigms") if isinstance(data, dict) else None
    for name, part in parts.items() if isinstance(parts, dict) else ():
        _converted(part, Part, f"paradigms.{name}")
    manifest: Manifest = _converted(data, Manifest)
    if (manifest.parquet is UNSET) != (manifest.format < 2):
        raise Invalid("`parquet` has the hashes of these files in format 2, and is not there in format 1")
    if not manifest.paradigms:
        raise Invalid("it has no paradigms")
    for name, part in manifest.paradigms.items():
        if not re.fullmatch(r"[A-Za-z0-9_]+", name):
            raise Invalid(f"`{name}` is no name of a paradigm")
        if not part.splits or not all(re.fullmatch(r"[a-z]+", split) for split in part.splits):
            raise Invalid(f"`splits` of `{name}` are none, or have odd names")
    return manifest


def _converted(data: Any, type_: Any, name: str = "") -> Any:
    """The record that JSON data are (`name`: where they stand). Raises Invalid."""
    try:
        return msgspec.convert(data, type_, strict=True)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at ")
        where = f"{name}{place.strip('`').removeprefix('$')}".removeprefix(".")
        raise Invalid(f"`{where}`: {what[:1].lower()}{what[1:]}" if where else what) from None


def written(record: Record) -> Any:
    """A record as JSON data, its fields in order."""
    return msgspec.to_builtins(record)


# -- design.json


class Column(Record, frozen=True, kw_only=True):
    """A column of the rows. `draws` is an object of texts; `values`: the names that numbers of a label stand for."""

    name: str
    type: Literal["text", "number", "label", "draws"]
    values: list[str] | UnsetType = UNSET


class DrawDesign(Record, frozen=True, kw_only=True):
    """What varies: a word of a category, a value of a feature (`feature`), or a built phrase; `members`: how many there
    are to draw from, before conditions on them."""

    name: str
    category: str
    feature: bool
    members: Count


class ConditionDesign(Record, frozen=True, kw_only=True):
    """A sentence of the paradigm. `side`: the heading it stands under. `tree`: `[constructor, part, ...]`, where a part
    is a tree, `{"draw": name}` (with `column`: what the drawn word refers to) or `{"given": word or value}`. `reading`:
    the one that the author chose as gold, null where there is no choice."""

    name: str
    side: str
    tree: Any
    reading: str | None


class ReadingClaim(Record, frozen=True, kw_only=True):
    """The readings of the left side that the right one is claimed to fit, or to follow from: `all`, or these."""

    kind: Literal["fits", "entailed"]
    readings: list[str]
    all: bool


class PairDesign(Record, frozen=True, kw_only=True):
    """Two conditions that stand in a row. `share`: percent of the rows, null where every instance has one of it.
    `label`: what the author claims of the gold column, `labels` of others (column -> label), `claim` of readings."""

    condition: str
    left: str
    right: str
    tag: str
    share: float | None
    label: str | None
    labels: dict[str, str]
    claim: ReadingClaim | None


class LabelDesign(Record, frozen=True, kw_only=True):
    """The columns of labels that the theory gives, and which of them `label` repeats (`gold`)."""

    gold: str
    columns: list[str]


class Scored(Record, frozen=True, kw_only=True):
    """What a model reads and is scored on: columns of context (`slot`: the mark in it where an option is put, or none),
    of options to choose from, of continuations, and of the right answer."""

    context: list[str]
    options: list[str]
    continuations: list[str]
    slot: str
    label: list[str]


class Design(Record, frozen=True, kw_only=True):
    """What a paradigm compares. `factors`: the columns that an analysis groups by (`draws.t`: a field of `draws`);
    `operators`: name in formulas -> what the theory calls it in words."""

    task: str
    about: str
    source: str
    columns: list[Column]
    draws: list[DrawDesign]
    conditions: list[ConditionDesign]
    pairs: list[PairDesign]
    factors: list[str]
    labels: LabelDesign | None
    operators: dict[str, str]
    scored: Scored


class Word(Record, frozen=True, kw_only=True):
    """A word that was drawn: its category, its columns in the lexicon, its forms (of one form only: under "")."""

    category: str
    values: dict[str, str | int | list[str]]
    forms: dict[str, str]


class Designs(Record, frozen=True, kw_only=True):
    """The file `design.json`: the paradigms of the dataset by name, and the words in it by id."""

    paradigms: dict[str, Design]
    words: dict[str, Word]


def designs_from(raw: bytes) -> Designs:
    """The designs that a file holds. Raises Invalid, also for a text that is not the one that is written of them."""
    try:
        text = raw.decode("utf-8")
        designs: Designs = _converted(json.loads(text), Designs)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise Invalid(f"it is no JSON: {error}") from None
    if design_text(designs) != text:
        raise Invalid("it is not canonical: a key stands twice, or spaces, escapes or numbers are written otherwise")
    return designs


def design_text(designs: Designs) -> str:
    """The one text of designs: JSON with a line a paradigm and a line a word, and a newline at the end."""
    parts = [f'"{name}":{_lines(records)}' for name, records in written(designs).items()]
    return "{" + ",\n".join(parts) + "}\n"


def _lines(records: dict[str, Any]) -> str:
    lines = [f"{_compact(name)}:{_compact(record)}" for name, record in records.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def _compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def sha256_of(file: Path) -> str:
    """The SHA-256 of a file, in hex. Raises OSError."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
