"""What two sentences have in common that can be seen without reading them: matches of their words.

    matches("tail", "Ann knows that it rained.", "It rained.") -> True

One table serves two callers. A rule says entailment where the match holds (`gramprobe.baselines.rules`); a reader of
the gate `solvable` learns from the rows what the match says of the label (`gramprobe.baselines.readers`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress

from gramprobe.language import Language, english

_WORD = re.compile(r"[\w'-]+")
FIRST = 3
"""How many words `first_words` reads."""


@dataclass(frozen=True, slots=True)
class Coded:
    """A sentence with one character for each word: all of its words, and those that are not closed-class."""

    words: str
    content: str


def coded(words: Sequence[Hashable], content: Iterable[bool], known: dict[Hashable, str]) -> Coded:
    """A sentence from its words; ``content``: of each whether it is a content word. ``known``: word -> its character;
    it grows, and is the same for sentences that are compared."""
    signs = [known.get(word) or known.setdefault(word, chr(len(known))) for word in words]
    return Coded("".join(signs), "".join(compress(signs, content)))


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a premise and a hypothesis; ``about``: what holds, as a clause."""

    about: str
    holds: Callable[[Coded, Coded], bool]


MATCHES = {
    "tail": Match(
        "the premise ends in the words of the hypothesis",
        lambda premise, hypothesis: premise.words.endswith(hypothesis.words),
    ),
    "first_words": Match(
        "the first three words of the hypothesis stand together in the premise",
        lambda premise, hypothesis: hypothesis.words[:FIRST] in premise.words,
    ),
    "subsequence": Match(
        "the hypothesis is a run of words of the premise (McCoy et al. 2019)",
        lambda premise, hypothesis: hypothesis.words in premise.words,
    ),
    "subject_verb": Match(
        "the first two content words of the hypothesis (subject and verb) are neighbours among those of the premise",
        lambda premise, hypothesis: hypothesis.content[:2] in premise.content,
    ),
}


def matches(name: str, premise: str, hypothesis: str, language: Language | None = None) -> bool:
    """Whether a match of `MATCHES` holds of two sentences as they are written; English by default."""
    of = language or english()
    return MATCHES[name].holds(as_coded(premise, of), as_coded(hypothesis, of))


@lru_cache(1 << 14)
def as_coded(sentence: str, language: Language) -> Coded:
    """A sentence as it is written. One word has one character in all of them."""
    every = words(sentence)
    return coded(every, [word not in language.closed for word in every], _signs())


@cache
def _signs() -> dict[Hashable, str]:
    return {}


@lru_cache(1 << 14)
def words(sentence: str) -> tuple[str, ...]:
    """The words of a sentence, in small letters, of any language that writes spaces between them."""
    return tuple(_WORD.findall(sentence.lower().replace("’", "'")))
