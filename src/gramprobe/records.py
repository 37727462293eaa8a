"""What the JSON files of gramprobe are made of: records without unknown fields, numbers of things, hashes of files.

Also the records that tasks and datasets share: what a model reads and is scored on, and which answers moved.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

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


def sha256_of(file: Path) -> str:
    """The SHA-256 of a file, in hex. Raises OSError."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
