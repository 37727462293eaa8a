"""The records of a dataset folder: its manifest, and what `design.json` says of its paradigms.

A reader of a folder needs these and no grammar or theory. Unknown and missing fields and values of another type are
refused. `gramprobe schema manifest` and `gramprobe schema design` print the
records as JSON Schema.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from gramprobe.language import Language
from gramprobe.records import Count, Moved, Record, Scored, Sha256, why_no_record

MANIFEST, CERTIFICATES, ACCOUNTS, CARD, DESIGN, GRAMMAR, CHARTS = (
    "manifest.json", "certificates.jsonl", "accounts.jsonl", "README.md", "design.json", "grammar.json", "charts.jsonl",
)  # fmt: skip
FORMAT = 4
"""The format that a build writes, and the only one that is read."""


# -- manifest.json


class SourceFile(Record, frozen=True, kw_only=True):
    """A file that the dataset was made from. Given sentences have their licence and source."""

    sha256: Sha256
    origin: Literal["shipped", "own", "given"] = msgspec.field(name="from")
    licence: str | UnsetType = UNSET
    source: str | UnsetType = UNSET


class Baselines(Record, frozen=True, kw_only=True):
    """What does not reason reaches on the first 500 instances: `majority`, always the commonest label; `readers`, the
    accuracy of each reader, and of a classifier of the words of hypotheses (`words`), none in a build of fewer
    instances than the paradigm says; `declared`: what the paradigm says its readers may reach. `skeletons`: how many
    different pairs of sentence skeletons these instances have."""

    majority: float
    readers: dict[str, float]
    declared: dict[str, float]
    skeletons: Count


class RegionSize(Record, frozen=True, kw_only=True):
    """A region in a condition, over the first 500 instances: how many sentences have it, its mean numbers of words and
    characters, and the means of the lexicon's numbers (`freq`) of the drawn words in it, by column."""

    region: str
    condition: str
    sentences: Count
    words: float
    characters: float
    columns: dict[str, float]


class ReadBack(Record, frozen=True, kw_only=True):
    """The round trip of a paradigm's sentences: how many `shapes` they have, and of how many of these a sentence was
    read, with how many `trees` by the median and `readings` by the mean; `unread`: of how many
    conditions a sentence is not read as it is meant; `hanging`: kind of a further reading -> how
    many pairs (in tasks about readings: sentences) have an answer that hangs on one.
    """

    shapes: Count
    sentences: Count
    trees: float
    readings: float
    unread: Count
    hanging: dict[str, Count]


PARQUET_ROWS = 1 << 23
"""How many rows a build puts into a Parquet file at most."""
MOST_FILES = 99_999
"""The largest number of Parquet files of a split, by their names."""


class ParadigmEntry(Record, frozen=True, kw_only=True):
    """A paradigm's entry: what was built of it.

    A task with labels has `labels` and `baselines`, one about readings `answers`; one that decides nothing has no
    `certificates` and no `on_trust`, and no `theory` unless its formulas are read in one. `passed_over`: skipped
    duplicates; `equal_rows`: rows that instances lack, since they stand earlier, only where there are; `vetoed`: vetoed
    instances; `no_items`: reason -> rejected instances; `coverage`: instances divided by `space`; `allowed`: gate ->
    reasons; `outside`: tag -> rows that are out of headline scores, only where there are; `regions`: of sentences with
    regions, their sizes by condition; `read_back`: the round trip of its sentences, if these have formulas that are
    decided. Of minimal pairs, `constraint`, rows by their `repairs`, and how many shapes their sentences have
    (`charts`); `licensing`: how many accounts say what their noun phrases license; `readers`: how often each that
    knows no grammar finds the good sentence, over the first 500 instances.
    """

    task: str
    instances: Count
    pairs: Count
    rows: Count
    splits: dict[str, Annotated[int, Meta(gt=0)]]
    one_row_each: bool
    space: Count
    coverage: float
    passed_over: Count
    equal_rows: Count | UnsetType = UNSET
    vetoed: Count
    no_items: dict[str, Count]
    theory: str | UnsetType = UNSET
    labels: dict[str, Count] | UnsetType = UNSET
    answers: dict[str, Count] | UnsetType = UNSET
    certificates: dict[str, Count] | UnsetType = UNSET
    on_trust: Count | UnsetType = UNSET
    baselines: Baselines | UnsetType = UNSET
    outside: dict[str, Count] | UnsetType = UNSET
    regions: list[RegionSize] | UnsetType = UNSET
    read_back: ReadBack | UnsetType = UNSET
    constraint: str | UnsetType = UNSET
    repairs: dict[str, Count] | UnsetType = UNSET
    charts: Count | UnsetType = UNSET
    licensing: Count | UnsetType = UNSET
    readers: dict[str, float] | UnsetType = UNSET
    content_words: Count
    allowed: dict[str, list[str]]
    moved: list[Moved]


class Manifest(Record, frozen=True, kw_only=True):
    """What a dataset was made from, what is in it, and the hashes of its files.

    `files`: relative name -> hash. `parquet`: the same for Parquet files, whose bytes depend on the version of the
    library that writes them. `parquet_rows`: how many rows a Parquet file has at most, instances kept whole; only where
    some split has several files. `packages`: `task` and `gate` -> name -> the package that has it and its version; only
    where one is not of gramprobe itself.
    """

    format: int
    gramprobe: str
    name: str
    seed: Count
    task: str
    theory: str
    design: Literal["whole", "paper"]
    allow_bounded: bool
    oracle: str | None
    paradigms: dict[str, ParadigmEntry]
    sources: dict[str, SourceFile]
    files: dict[str, Sha256]
    parquet: dict[str, Sha256]
    parquet_rows: Count | UnsetType = UNSET
    packages: dict[str, dict[str, str]] | UnsetType = UNSET

    def expected(self) -> frozenset[str]:
        """The names that `files` must have, all and no others."""
        names = {CERTIFICATES, CARD, DESIGN, *(f"items/{name}.jsonl" for name in self.paradigms)}
        parts = self.paradigms.values()
        names |= {ACCOUNTS} if any((p.answers, p.licensing) != (UNSET, UNSET) for p in parts) else set()
        names |= {GRAMMAR, CHARTS} if any(part.charts is not UNSET for part in parts) else set()
        return frozenset(names)

    def parquet_files(self) -> dict[str, tuple[str, str, int]]:
        """Each Parquet file: name -> paradigm, split, rows."""
        found = {}
        for name, part in self.paradigms.items():
            most = None if self.parquet_rows is UNSET else self.parquet_rows
            for split, rows in part.splits.items():
                sizes = parts_of(rows, part.rows // max(1, part.instances), most)
                for number, size in enumerate(sizes):
                    found[parquet_file(name, split, number, len(sizes))] = (name, split, size)
        return found


def parquet_file(paradigm: str, split: str, part: int = 0, parts: int = 1) -> str:
    """The name of a paradigm's Parquet file of a part of a split in its dataset folder."""
    return f"parquet/{paradigm}/{split}-{part:05d}-of-{parts:05d}.parquet"


def parts_of(rows: int, each: int, most: int | None) -> list[int]:
    """The numbers of rows of the Parquet files of a split: whole instances of ``each`` rows, at most ``most`` rows (or
    one instance) in a file."""
    if most is None or not rows:
        return [rows]
    full = max(1, most // max(1, each)) * max(1, each)
    return [min(full, rows - start) for start in range(0, rows, full)]


class Invalid(ValueError):
    """JSON data that are not a record of the expected kind."""


def manifest_from(data: Any) -> Manifest:
    """The manifest in JSON data, of format :data:`FORMAT`. Only fields, types and names of files are checked.

    Raises Invalid.
    """
    form = data.get("format") if isinstance(data, dict) else None
    if type(form) is int and form != FORMAT:
        raise Invalid(f"format {form} is not known")
    parts = data.get("paradigms") if isinstance(data, dict) else None
    for name, part in parts.items() if isinstance(parts, dict) else ():
        _converted(part, ParadigmEntry, f"paradigms.{name}")
    manifest: Manifest = _converted(data, Manifest)
    if not manifest.paradigms:
        raise Invalid("it has no paradigms")
    most = 0 if manifest.parquet_rows is UNSET else manifest.parquet_rows
    if manifest.parquet_rows is not UNSET and any(
        rows > most * MOST_FILES for part in manifest.paradigms.values() for rows in part.splits.values()
    ):
        raise Invalid(f"`parquet_rows` is {most:,}: no dataset has so many files")
    for name, part in manifest.paradigms.items():
        if not re.fullmatch(r"[A-Za-z0-9_]+", name):
            raise Invalid(f"`{name}` is not a name of a paradigm")
        if not part.splits or not all(re.fullmatch(r"[a-z]+", split) for split in part.splits):
            raise Invalid(f"`splits` of `{name}` is empty, or has names other than lower-case letters")
    return manifest


def _converted(data: Any, type_: Any, name: str = "") -> Any:
    """JSON data as a record (`name`: their place in the manifest). Raises Invalid."""
    try:
        return msgspec.convert(data, type_, strict=True)
    except msgspec.ValidationError as error:
        raise Invalid(why_no_record(error, name)) from None


def written(record: Record) -> Any:
    """A record as JSON data, its fields in order."""
    return msgspec.to_builtins(record)


# -- design.json


class Column(Record, frozen=True, kw_only=True):
    """A column of the rows. Type `draws`: an object of texts. `values`: the names of a label's numbers."""

    name: str
    type: Literal["text", "number", "label", "draws"]
    values: list[str] | UnsetType = UNSET


class DrawDesign(Record, frozen=True, kw_only=True):
    """A draw of the paradigm: a word of a category, a value of a feature (`feature`), or a phrase. `members`: how many
    there are to draw from, before conditions."""

    name: str
    category: str
    feature: bool
    members: Count


class ConditionDesign(Record, frozen=True, kw_only=True):
    """A condition of the paradigm. `side`: its heading. `tree`: `[constructor, part, ...]`, where a part
    is a tree, `{"draw": name}` (with `column`: what the drawn word refers to) or `{"given": word or value}`. `reading`:
    the one that the author chose as gold, null where there is no choice."""

    name: str
    side: str
    tree: Any
    reading: str | None


class ReadingClaim(Record, frozen=True, kw_only=True):
    """A claim about readings of the left side, all (`all`) or these: that the right side fits them, or follows."""

    kind: Literal["fits", "entailed"]
    readings: list[str]
    all: bool


class StrataDesign(Record, frozen=True, kw_only=True):
    """By which words instances are drawn where there are limits: those of a draw, null for the words themselves, or
    else the values of a column of theirs."""

    draw: str
    column: str | None


class PairDesign(Record, frozen=True, kw_only=True):
    """A pair of conditions. `share`: percent of the rows, null where every instance has a row of the pair.
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
    """The columns of labels, and which of them is the gold column, which `label` repeats."""

    gold: str
    columns: list[str]


class FactorDesign(Record, frozen=True, kw_only=True):
    """What the author compares. `of`: what its levels are: sets of conditions, values of `draw`, or values of `column`
    of its words. `kind`: `within` (every instance has each level), `between` (one of them) or `number`. `codes`: for
    each level its codes in a model: +0.5 and -0.5 of two levels, sum-to-zero codes of more; none of a number, which is
    centred."""

    name: str
    of: Literal["condition", "draw", "column"]
    kind: Literal["within", "between", "number"]
    levels: list[str]
    codes: list[list[float]]
    draw: str | UnsetType = UNSET
    column: str | UnsetType = UNSET


class CellDesign(Record, frozen=True, kw_only=True):
    """Levels of the factors within instances that stand together (factor -> level), and the conditions of rows that
    have them."""

    levels: dict[str, str]
    conditions: list[str]


class ContrastDesign(Record, frozen=True, kw_only=True):
    """A comparison that the author declares: condition of rows -> its weight."""

    name: str
    weights: dict[str, float]


class Design(Record, frozen=True, kw_only=True):
    """What a paradigm compares. `operators`: name in formulas -> its name in words; `carried`: further fields of
    `draws`, columns of drawn words (`noun.freq`); `strata`: where there are limits; `factors`, `cells`,
    `contrasts`: where the author declares some; `compared`: regions with the `same words`, the critical one first;
    `language`: where it is not the shipped English."""

    task: str
    about: str
    source: str
    columns: list[Column]
    draws: list[DrawDesign]
    conditions: list[ConditionDesign]
    pairs: list[PairDesign]
    labels: LabelDesign | None
    operators: dict[str, str]
    scored: Scored
    carried: list[str] | UnsetType = UNSET
    strata: StrataDesign | UnsetType = UNSET
    factors: list[FactorDesign] | UnsetType = UNSET
    cells: list[CellDesign] | UnsetType = UNSET
    contrasts: list[ContrastDesign] | UnsetType = UNSET
    compared: list[str] | UnsetType = UNSET
    language: Language | UnsetType = UNSET

    def levels_of(self, condition: str) -> dict[str, str]:
        """Factor of conditions -> the level that a row, or a sentence, has; of a pair of sentences that factors cross
        (`GOOD-BAD`) the levels that both have."""
        cells = {name: cell.levels for cell in self.cells or () for name in cell.conditions}
        first, *others = [cells.get(name, {}) for name in ([condition] if condition in cells else condition.split("-"))]
        return {name: level for name, level in first.items() if all(each.get(name) == level for each in others)}

    def sentence_of(self, condition: str, part: str) -> str:
        """The condition of one sentence of a pair that factors cross (`GOOD-BAD`), by its column ``part``; of any other
        text the condition of its row."""
        names, options = condition.split("-"), self.scored.options
        if self.scored.context or part not in options or len(names) != len(options):
            return condition
        name = names[options.index(part)]
        return name if any(name in cell.conditions for cell in self.cells or ()) else condition


class Word(Record, frozen=True, kw_only=True):
    """A word that was drawn: its category, its columns in the lexicon, its forms (a single form under the name "")."""

    category: str
    values: dict[str, str | int | list[str]]
    forms: dict[str, str]


class Designs(Record, frozen=True, kw_only=True):
    """The file `design.json`: the paradigms of the dataset by name, and the words in it by id."""

    paradigms: dict[str, Design]
    words: dict[str, Word]


def designs_from(raw: bytes) -> Designs:
    """The designs in a file. Raises Invalid, also for a text that is not canonical."""
    try:
        text = raw.decode("utf-8")
        designs: Designs = _converted(json.loads(text), Designs)
    except Invalid:
        raise
    except (ValueError, RecursionError) as error:  # an integer of thousands of digits is a ValueError of another kind
        raise Invalid(f"it is not JSON: {error}") from None
    try:
        canonical = design_text(designs) == text
    except UnicodeEncodeError:  # half of a surrogate pair: nothing but an escape can write it
        canonical = False
    if not canonical:
        raise Invalid("it is not canonical: a key stands twice, or spaces, escapes or numbers are written otherwise")
    return designs


def design_text(designs: Designs) -> str:
    """The canonical text of designs: JSON with one line for each paradigm and for each word, and a final newline.

    Words, of which there are thousands, are written by msgspec, which writes numbers with a fraction in another way;
    words have none. Raises UnicodeEncodeError for half of a surrogate pair.
    """
    encode = msgspec.json.encode
    paradigms = [f"{_compact(name)}:{_compact(written(each))}" for name, each in designs.paradigms.items()]
    words = [f"{encode(id_).decode()}:{encode(each).decode()}" for id_, each in designs.words.items()]
    return f'{{"paradigms":{_lines(paradigms)},\n"words":{_lines(words)}}}\n'


def _lines(members: list[str]) -> str:
    return "{\n" + ",\n".join(members) + "\n}"


def _compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
