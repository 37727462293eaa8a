"""The regions of a sentence: stretches of neighbouring words with a name, from the first word to the last.

A `lin` marks where a region begins (`lin |subject s |verb v[form=past]`): it goes on to the next mark or to the end of
the `lin`. A line `region verb = Clause.v` of a paradigm makes the words of a constructor, or of one of its arguments,
a region. A word is of the innermost region around it. What is of none is named for its place: `start`, `after_verb`.

Punctuation, and what is written in one with a word, is of the word's region. Readers of sentences (reading times,
surprisal) call these stretches *regions of interest*; the word after the critical region shows *spill-over*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gramprobe.resolve.paradigm.regions import AFTER, START

_OPEN, _CLOSE = "\x1f", "\x1e"
_PIECE = re.compile(f"([^{_OPEN}]*){_OPEN}([^{_CLOSE}]*){_CLOSE}")


class Region(Struct, frozen=True):
    """A region of a sentence.

    Attributes:
        name: its name.
        text: its words, without spaces around them.
        first, last: the numbers of its first and last word in the sentence, from 1; words are parted by spaces.
    """

    name: str
    text: str
    first: int
    last: int


def border(name: str) -> str:
    """The sign behind the last word of a region (empty: of words that are of none)."""
    return f"{_OPEN}{name}{_CLOSE}"


def regions_of(cut: str) -> tuple[Region, ...]:
    """The regions of a sentence with its borders, in order; those without words are left out."""
    regions: list[Region] = []
    words, before = 0, ""
    for text, name in _PIECE.findall(cut):
        own = text.strip()
        if own:
            count = len(own.split())
            placed = f"{AFTER}{before}" if before else START
            regions.append(Region(name or placed, own, words + 1, words + count))
            words += count
            before = name or before
    return tuple(regions)


def as_json(regions: Sequence[Region]) -> str:
    """The regions as they stand in a row; empty if no word is of a region with a name."""
    if all(region.name == START for region in regions):
        return ""
    return msgspec.json.encode(regions).decode()


def interrupted(regions: Sequence[Region]) -> str:
    """The name of a region that stands twice in a sentence, with other words between; empty if none does."""
    seen = set[str]()
    for region in regions:
        if region.name in seen:
            return region.name
        seen.add(region.name)
    return ""
