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

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
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


class Word(NamedTuple):
    """A drawn word as a reader sees it: the path of its slot, its class, and its form (in a
    tree: its category)."""

    slot: str
    kind: Hashable
    form: str

    @property
    def draw(self) -> str:
        """The name of the draw."""
        return _draw_of(self.slot)


@cache
def _draw_of(slot: str) -> str:
    return slot.partition(".")[0]


Token = str | Word
REST = "_"
"""A run of words in a skeleton that are not closed-class."""


Text = tuple[Token, ...]


def skeleton(text: Iterable[Token], language: Language) -> tuple[str, ...]:
    """A sentence as its closed-class words with one `_` for each run of others.

    Where the language lists no closed-class words, all words of the grammar count as such.
    """
    found: list[str] = []
    for token in text:
        word = language.bare(token) if isinstance(token, str) else ""
        if word and (word in language.closed or not language.closed):
            found.append(word)
        elif (word or isinstance(token, Word)) and found[-1:] != [REST]:
            found.append(REST)
    return tuple(found)


def coded_text(text: Text, language: Language, known: dict[Hashable, str]) -> Coded:
    """A sentence for `gramprobe.baselines.matches`: a draw is one word, and its words alone are content words."""
    bare = [each for each in (t if isinstance(t, Word) else language.bare(t) for t in text) if each]
    return coded(bare, [isinstance(each, Word) for each in bare], known)


def words_of(text: str, language: Language) -> list[str]:
    """The words of a text, without differences of agreement."""
    return [language.alike.get(word, word) for word in text.lower().split()]


def in_order(text: Text) -> Hashable:
    """A text whose draws are numbered as they first occur."""
    numbers: dict[str, int] = {}
    key: list[Hashable] = []
    for token in text:
        if isinstance(token, Word):
            slot, kind, form = token
            key.append((numbers.setdefault(_draw_of(slot), len(numbers)), kind, form))
        else:
            key.append(token)
    return tuple(key)


@dataclass(frozen=True, slots=True)
class Bag:
    """A text without its order: its words that are not drawn, the drawn ones, and how often each draw stands in it."""

    plain: Hashable
    drawn: tuple[tuple[str, Hashable], ...]
    often: dict[str, int]


def bag(text: Text, known: dict[Hashable, int]) -> Bag:
    """A text without its order. ``known``: what is seen of a drawn word -> its number, which stands for it, so that
    keys are fast to compare; it grows, and is the same for all texts that are compared."""
    plain: dict[Token, int] = {}
    often: dict[str, int] = {}
    drawn: list[tuple[str, Hashable]] = []
    for token in text:
        if isinstance(token, Word):
            draw = _draw_of(token[0])
            often[draw] = often.get(draw, 0) + 1
            what = token[1:]
            drawn.append((draw, known.setdefault(what, len(known))))
        else:
            plain[token] = plain.get(token, 0) + 1
    return Bag(frozenset(plain.items()), tuple(drawn), often)


def key_of_bag(own: Bag, beside: Mapping[str, int]) -> Hashable:
    """What a reader sees of one of two texts who sees their words without order: a draw is known by how often it stands
    in each of them. ``beside``: how often each stands in the other."""
    seen: dict[Hashable, int] = {}
    for draw, what in own.drawn:
        key = (own.often[draw], beside.get(draw, 0), what)
        seen[key] = seen.get(key, 0) + 1
    return own.plain, frozenset(seen.items())
