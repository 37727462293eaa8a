"""An n-gram model of a corpus: interpolated Kneser-Ney smoothing (Kneser & Ney 1995; Chen & Goodman 1999, 4.1.6).

    NGrams.read(file, order=3).log_probability("sees", ("the", "boy")) -> nats

The corpus is plain text in UTF-8 with a sentence in each line, in a language with spaces between words, whose file
says what ends a sentence inside of a text. Words are letters and digits with what joins them (`isn't`, `ice-cream`), in
small letters; marks are words. A sentence begins with order - 1 signs that stand for its beginning, and ends with one
that stands for its end. The last of them is predicted like a word.

    P(w | c) = (max(n(c w) - D, 0) + D |{v: n(c v) > 0}| P(w | c without its first word)) / n(c)

For the longest n-grams n counts occurrences, for shorter ones the different words that they stand behind. D is
n1 / (n1 + 2 n2) for each length, with n1 and n2 n-grams counted once and twice (Ney, Essen & Kneser 1994), or 1/2 where
that is not between 0 and 1. Below single words is the uniform distribution over all words, the end, and one unknown
word, which stands for every word that the corpus has not.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gramprobe.formats.tabular import missing, no_utf8, refused
from gramprobe.language import Language, english

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
FORM = "a corpus of plain text"
NO_TEXT = (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".gz", ".zip", ".html", ".xml", ".safetensors")
"""Suffixes of files that are no plain text."""
_WORD = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")
Gram = tuple[str, ...]


def words_of(text: str) -> list[str]:
    """The words and marks of a text, in small letters."""
    return _WORD.findall(text.lower().replace("’", "'"))


def sentences_of(words: Sequence[str], stops: Collection[str]) -> Iterator[int]:
    """The places at which a sentence of a text begins: its first word, and each behind one of the ``stops``."""
    for place in range(len(words)):
        if place == 0 or (words[place - 1] in stops and words[place] not in stops):
            yield place


@dataclass(frozen=True)
class NGrams:
    """An n-gram model.

    Attributes:
        order: the length of the longest n-grams.
        vocabulary: the words of the corpus.
        discounts: (order,) what is taken from each count, for n-grams of one word, of two, ...
        counts: (order,) context -> word -> count, for n-grams of one word, of two, ...
        totals: (order,) context -> the sum of these.
        sentences: how many sentences the corpus has.
        tokens: how many words, ends of sentences included.
        stops: the signs that end a sentence inside of a text.
    """

    order: int
    vocabulary: frozenset[str]
    discounts: tuple[float, ...]
    counts: tuple[dict[Gram, dict[str, int]], ...]
    totals: tuple[dict[Gram, int], ...]
    sentences: int
    tokens: int
    stops: tuple[str, ...]

    @classmethod
    def read(cls, file: Path, order: int = 3, language: Language | None = None) -> NGrams:
        """The model of a corpus in a language, English by default.

        Raises UsageError: a file that cannot be read (E44), or is no plain text (E46).
        """
        return cls.of(lines_of(file), order, language)

    @classmethod
    def of(cls, sentences: Iterable[str], order: int = 3, language: Language | None = None) -> NGrams:
        """The model of some sentences."""
        longest: Counter[Gram] = Counter()
        number = tokens = 0
        for sentence in sentences:
            words = words_of(sentence)
            number, tokens = number + 1, tokens + len(words) + 1
            padded = (*[BEGIN] * (order - 1), *words, END)
            longest.update(zip(*(padded[start:] for start in range(order)), strict=False))
        levels = [longest]
        for _ in range(order - 1):
            # An n-gram counts once for each different word that it stands behind.
            levels.append(Counter(gram[1:] for gram in levels[-1]))
        counts, discounts = [], []
        for level in reversed(levels):
            table: dict[Gram, dict[str, int]] = {}
            for gram, count in level.items():
                table.setdefault(gram[:-1], {})[gram[-1]] = count
            counts.append(table)
            discounts.append(_discount(level.values()))
        known = frozenset(gram[-1] for gram in levels[-1]) - {END}
        totals = tuple({context: sum(words.values()) for context, words in table.items()} for table in counts)
        stops = (language or english()).ends
        return cls(order, known, tuple(discounts), tuple(counts), totals, number, tokens, stops)

    def log_probability(self, word: str, before: Sequence[str]) -> float:
        """log P(word | the words before it in its sentence), in nats; an unknown word counts as `UNKNOWN`."""
        padded = (*[BEGIN] * (self.order - 1), *(w if self.known(w) else UNKNOWN for w in before))
        context = padded[len(padded) - (self.order - 1) :]
        return math.log(self._probability(word if self.known(word) else UNKNOWN, context))

    def known(self, word: str) -> bool:
        """Whether the corpus has a word (or it is the end of a sentence)."""
        return word in self.vocabulary or word == END

    def text(self, words: Sequence[str]) -> list[float]:
        """log P of each word of a text, in nats. Each sentence of it is by itself, as the lines of the corpus are."""
        begins = set(sentences_of(words, self.stops))
        start, found = 0, []
        for place, word in enumerate(words):
            start = place if place in begins else start
            found.append(self.log_probability(word, words[start:place]))
        return found

    def _probability(self, word: str, context: Gram) -> float:
        shorter = self._probability(word, context[1:]) if context else 1 / (len(self.vocabulary) + 2)
        behind = self.counts[len(context)].get(context)
        if behind is None:
            return shorter
        discount, whole = self.discounts[len(context)], self.totals[len(context)][context]
        return (max(behind.get(word, 0) - discount, 0.0) + discount * len(behind) * shorter) / whole


def _discount(counts: Iterable[int]) -> float:
    often = Counter(counts)
    once, twice = often[1], often[2]
    found = once / (once + 2 * twice) if once else 0.0
    return found if 0 < found < 1 else 0.5


def lines_of(file: Path) -> Iterator[str]:
    """The sentences of a corpus; empty lines are passed over.

    Raises UsageError: a file that cannot be read (E44); one that is no plain text, or has no sentence (E46).
    """
    if file.suffix.lower() in NO_TEXT:
        raise refused(file, 1, f"`{file.suffix}` is no format of {FORM}", "give a .txt with a sentence in each line")
    found = False
    try:
        with file.open("rb") as lines:
            for number, raw in enumerate(lines, 1):
                try:
                    line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise no_utf8(file) from None
                if "\0" in line:
                    raise refused(file, number, "a character of no text (NUL)", f"give {FORM}")
                if words_of(line):
                    found = True
                    yield line
    except OSError as error:
        raise missing(file, error) from None
    if not found:
        raise refused(file, 1, "no sentence", "give a sentence in each line")
