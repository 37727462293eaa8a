"""What the JSON files of gramprobe are made of: records without unknown fields, numbers of things, hashes of files.

Also the records that tasks and datasets share: what a model reads and is scored on, and which answers moved.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields by name, no others; fields that are UNSET are not written."""


class Scored(Record, frozen=True, kw_only=True):
    """What a model reads and is scored on: columns of context, of options to choose from, of continuations, and of the
    right answer. `slot`: the mark in the context that an option replaces; empty if options follow the context."""

    context: tuple[str, ...]
    options: tuple[str, ...]
    continuations: tuple[str, ...]
    slot: str
    label: tuple[str, ...]

    @classmethod
    def of(
        cls,
        *,
        context: tuple[str, ...] = (),
        options: tuple[str, ...] = (),
        continuations: tuple[str, ...] = (),
        slot: str = "",
        label: tuple[str, ...] = (),
    ) -> Scored:
        """The record; a field that is not given is empty. In files every field stands."""
        return cls(context=context, options=options, continuations=continuations, slot=slot, label=label)


class Moved(Record, frozen=True):
    """How many rows of a condition have another answer than under the paradigm's own theory."""

    condition: str
    before: str
    after: str
    rows: Count

    def __str__(self) -> str:
        return f"{self.condition}: {self.before} -> {self.after} in {self.rows:,} rows"


OUTSIDE = {
    "theory": "theories differ in the label, which is that of one of them",
    "cell": "the two sentences differ in more than one factor, and are scored for the difference of differences alone",
    "preference": "the label is of the reading that most people prefer, and some have another",
}
"""Tags of pairs whose rows stay in the data and are out of every headline score, each with the reason."""


def in_headline(tag: str | None) -> bool:
    """Whether rows with this tag count in headline scores: accuracies, baselines, the commonest label."""
    return tag not in OUTSIDE


MEASURES = ("si_rate", "si_n", "si_source")
"""The columns of a word, and of the rows about it, that say how often people draw an inference: percents, numbers of
answers and studies, each joined by `; `."""


PLACES = BEFORE, CRITICAL, SPILL, REST = "before", "critical", "spill", "rest"
"""The regions of a sentence of a minimal pair around its critical word; of what is measured, the part behind the
column's name."""


ANSWERED = ("part", "context", "continuation", "answer", "score", "right", "measure")
"""The columns of an answer in the long frame, in their order behind those of its item; others of a kind go on with
`_`."""
OWN = (*ANSWERED, "source", "parameters")
"""The names that no column of an item and no draw has in the frame."""


def factor_column(name: str, columns: Collection[str]) -> str:
    """The column of a declared factor in the frame. ``columns``: those of the rows, which keep their names."""
    return f"factor_{name}" if name in columns or name in OWN else name


def regions_around(text: str, row: Mapping[str, Any]) -> dict[str, str]:
    """The critical word of a sentence, what is before it, the word behind it, and the rest, where a row says where it
    is and that the sentences are equal before it; else nothing."""
    critical, words = row.get("critical"), text.split()
    if not isinstance(critical, int) or not row.get("one_prefix") or not 0 < critical <= len(words):
        return {}
    cut = words[: critical - 1], words[critical - 1 : critical], words[critical : critical + 1], words[critical + 1 :]
    return {place: " ".join(part) for place, part in zip(PLACES, cut, strict=True) if part}


def sha256_of(file: Path) -> str:
    """The SHA-256 of a file, in hex. Raises OSError."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


_KINDS = {
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "object": "an object",
    "array": "a list", "null": "null",
}  # fmt: skip
_UNFIT = (
    (r"Object missing required field (`.+`)", r"no field \1"),
    (r"Object contains unknown field (`.+`)", r"an unknown field \1"),
    (r"Invalid enum value (.+)", r"\1 is none of its values"),
    (r"Expected `str` matching regex '(.+)'", r"a text of another form than `\1`"),
    (r"Expected `array` of length (.+)", r"a list of another length than \1"),
    (r"Expected `str` of length (.+)", r"a text of another length than \1"),
    (r"Expected `(?:int|float)` ([<>]=? .+)", r"a number that is not \1"),
    (r"JSON is malformed: .+ (\(byte \d+\))", r"no JSON \1"),
    (r"Input data was truncated", "no JSON: it is cut off"),
)


def why_no_record(error: Exception, within: str = "") -> str:
    """Why data are no record, behind the place in them if it is known (`` `draws[0].members`: a text, and not a whole
    number ``). ``error``: what msgspec raises; of other errors it is that they are no UTF-8, or nested too deeply.
    ``within``: the place of the data in their file."""
    if isinstance(error, UnicodeDecodeError | RecursionError):
        return "no UTF-8" if isinstance(error, UnicodeDecodeError) else "nested too deeply"
    what, _, place = str(error).partition(" - at ")
    kinds = re.fullmatch(r"Expected `(.+)`, got `(.+)`", what)
    if kinds is not None:
        wanted, found = (" or ".join(_KINDS.get(k, k) for k in each.split(" | ")) for each in kinds.groups())
        what = f"{found}, and not {wanted}"
    for pattern, words in _UNFIT:
        what = re.sub(rf"^{pattern}$", words, what)
    place = f"{within}{place.strip('`').removeprefix('$')}".removeprefix(".")
    return f"`{place}`: {what}" if place else what
