"""An answer and a reading time as they stand in a file of an experiment, whatever program wrote it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from gramprobe.formats.tabular import finite
from gramprobe.source.messages.judgments import Place

T = TypeVar("T")


class Trial(NamedTuple):
    """What both have.

    Attributes:
        person: as the file names the person; it is replaced by a code before anything is written.
        id: of the item.
        list: of the experiment; empty where the file does not say it.
        position: of the trial in its list, from 1 on.
        part: of an item with several parts that are asked about one by one, its name; else empty.
        experiment: what a page of `gramprobe lists` calls its experiment; else empty.
    """

    person: str
    id: str
    list: str
    position: int | None
    part: str
    place: Place
    experiment: str = ""


class Response(NamedTuple):
    """One answer.

    Attributes:
        text: the name of the answer, or a number; empty where the file has a place instead.
        chosen: the place of the answer among those that were shown, from 0 on.
        shown: the names of the answers in the order in which they were shown, if the file says it.
        key: the key that was pressed, if the file says no more.
        rt: milliseconds.
    """

    trial: Trial
    text: str = ""
    chosen: int | None = None
    shown: tuple[str, ...] = ()
    key: str = ""
    rt: float | None = None


class Word(NamedTuple):
    """The reading time of a word or a region.

    Attributes:
        number: its place in the text, from 1 on.
        region: the name of its region, if the file says it.
        rt: milliseconds.
    """

    trial: Trial
    number: int
    region: str
    text: str
    rt: float


@dataclass
class Read:
    """What a file has.

    Attributes:
        passed: columns that are not read.
        sessions: persons by what may be one person's two visits: their common address, as a hash; nothing of it is
            written.
    """

    answers: list[Response] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    passed: tuple[str, ...] = ()
    sessions: dict[str, list[str]] = field(default_factory=dict)


KNOWN = ("person", "id", "answer", "rt", "list", "position", "part", "region", "word", "word_number", "options")
"""The columns that are read, whoever writes them: nothing else of a file is kept."""
OURS = ("experiment", "list_from", "role", "kind")
"""What pages of `gramprobe lists` write beside, which the experiment says too."""


def trial_of(row: Mapping[str, Any], person: str, place: Place) -> Trial:
    """The trial that a row is about, by the columns of `KNOWN`. Raises UsageError (E46)."""
    position = cell(row, "position", place, whole)
    return Trial(
        person, _text(row, "id"), _text(row, "list"), position, _text(row, "part"), place, _text(row, "experiment")
    )


def cell(row: Mapping[str, Any], name: str, place: Place, read: Callable[[str], T]) -> T | None:
    """A cell by `read`; None for one that is empty or not there. Raises UsageError (E46)."""
    text = _text(row, name)
    if text in ("", "NULL", "null", "NA"):
        return None
    try:
        return read(text)
    except (ValueError, OverflowError):
        shown = text if len(text) <= 40 else f"{text[:36]} ..."
        raise place.refused(f"`{shown}` in `{name}`", "correct the cell, or leave the row out") from None


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value).strip()


LARGEST = 2**31 - 1
"""The largest number of a trial or a word, as the columns of a folder hold them."""


def whole(text: str) -> int:
    """A whole number from 0 to LARGEST; ValueError for anything else."""
    number = finite(text)
    if number != int(number) or not 0 <= number <= LARGEST:
        raise ValueError(text)
    return int(number)


def milliseconds(text: str) -> float:
    """A time in milliseconds; ValueError for one below 0."""
    number = finite(text)
    if number < 0:
        raise ValueError(text)
    return number
