"""What a reader that does not reason sees of two sentences, as a key that is equal for what looks the same to it.

    hypothesis    the hypothesis alone
    premise       the premise alone
    verbs         the words of both without their order; a draw is known by how often it stands in each of the two
    closed_class  the closed-class words of the hypothesis, in order
    tail, first_words, subsequence, subject_verb      whether the match holds (`gramprobe.baselines.matches`)
    constituent   whether the hypothesis is a constituent of the premise (`gramprobe.baselines.constituents`)

Drawn words are seen by class (`Word.kind`), which the caller knows; words of the grammar as they are, except that
differences of agreement are not seen (`a` or `an`, `was` or `were`, `he` or `she`: the language lists them).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from gramprobe.baselines.matches import MATCHES, Coded, coded
from gramprobe.language import Language

TABLES = ("hypothesis", "premise", "verbs")
"""The readers that see whole sentences."""
READERS = {
    "hypothesis": "a reader of hypotheses alone",
    "premise": "a reader of premises alone",
    "verbs": "a reader who sees the words of both without their order",
    "closed_class": "a reader of the closed-class words of hypotheses",
    **{name: f"a reader who sees whether {match.about}" for name, match in MATCHES.items()},
    "constituent": "a reader who sees whether the hypothesis is a constituent of the premise",
}
"""Name -> the reader in words: what a paradigm may be solvable by."""
PAIR_READERS = {
    "unigram": "a reader of the words of a sentence, without their order",
    "bigram": "a reader of neighbouring words",
    "length": "a reader of the number of letters",
}
"""The same of minimal pairs (`gramprobe.baselines.pairs`)."""


class Drawn(NamedTuple):
    """A drawn word as a reader sees it but for its class: the path of its slot, and its form (in a tree: its
    category)."""

    slot: str
    form: str

    @property
    def draw(self) -> str:
        """The name of the draw."""
        return _draw_of(self.slot)


@cache
def _draw_of(slot: str) -> str:
    return slot.partition(".")[0]


Token = str | Drawn
Tokens = tuple[Token, ...]
REST = "_"
"""A run of words in a skeleton that are not closed-class."""


class Text(NamedTuple):
    """A text as a reader sees it: its tokens, and in their order the classes of the drawn ones. Many texts differ in
    classes alone."""

    tokens: Tokens
    kinds: tuple[Hashable, ...]


def skeleton(tokens: Iterable[Token], language: Language) -> tuple[str, ...]:
    """A sentence as its closed-class words with one `_` for each run of others.

    Where the language lists no closed-class words, all words of the grammar count as such.
    """
    found: list[str] = []
    for token in tokens:
        word = language.bare(token) if isinstance(token, str) else ""
        if word and (word in language.closed or not language.closed):
            found.append(word)
        elif (word or isinstance(token, Drawn)) and found[-1:] != [REST]:
            found.append(REST)
    return tuple(found)


def coded_text(text: Text, language: Language, known: dict[Hashable, str]) -> Coded:
    """A sentence for `gramprobe.baselines.matches`: a draw is one word, and its words alone are content words."""
    kinds = iter(text.kinds)
    bare = [language.bare(each) if isinstance(each, str) else (each, next(kinds)) for each in text.tokens]
    words = [each for each in bare if each]
    return coded(words, [not isinstance(each, str) for each in words], known)


def words_of(text: str, language: Language) -> list[str]:
    """The words of a text, without differences of agreement."""
    return [language.alike.get(word, word) for word in text.lower().split()]


@lru_cache(1 << 12)
def in_order(tokens: Tokens) -> Hashable:
    """The tokens of a text, with its draws numbered as they first occur."""
    numbers: dict[str, int] = {}
    return tuple(
        [each if isinstance(each, str) else (numbers.setdefault(each.draw, len(numbers)), each.form) for each in tokens]
    )


@dataclass(frozen=True, slots=True)
class Bag:
    """The tokens of a text without their order: words that are not drawn, the drawn ones, and how often each draw
    stands there."""

    plain: Hashable
    drawn: tuple[Drawn, ...]
    often: dict[str, int]

    def beside(self, other: Mapping[str, int]) -> Iterator[Hashable]:
        """Of each drawn word what a reader sees, but for its class, who sees the words of two texts without order: how
        often its draw stands in each of them, and its form. ``other``: how often each stands in the other text."""
        for each in self.drawn:
            yield self.often[each.draw], other.get(each.draw, 0), each.form


@lru_cache(1 << 12)
def bag(tokens: Tokens) -> Bag:
    """The tokens of a text without their order."""
    plain = Counter(each for each in tokens if isinstance(each, str))
    drawn = tuple(each for each in tokens if not isinstance(each, str))
    return Bag(frozenset(plain.items()), drawn, Counter(each.draw for each in drawn))
