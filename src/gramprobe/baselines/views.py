"""What a reader that does not reason sees of the pairs of a dataset: keys for `gramprobe.baselines.table`.

A text is seen in four levels: with its words as they are; with each drawn word as its category and those features that
divide the category into few classes, so that verbs with one meaning for the label look alike; with its category; and
with nothing but its place among the draws, so that differences of its form are not seen. Drawn words are found in the
text by their forms, as a row says which words it draws and not where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.readers import Drawn, Text, words_of
from gramprobe.baselines.table import keys
from gramprobe.language import Language, english

Numbers = NDArray[np.int64]
FEW = 6
"""A feature with at most so many values divides a category into classes."""
Word = tuple[Drawn, Hashable]
"""A drawn word, and its class."""
Form = tuple[tuple[str, ...], Word, Word, Word, Word]
"""The tokens of a form of a word, and the word as each level sees it."""
Forms = Mapping[str, Sequence[Form]]
"""First token of a form -> the forms that begin with it."""
LEVELS = ("words", "classes", "categories", "slots")


class Entry(Protocol):
    """A word of the lexicon as a dataset describes it (`gramprobe.dataset.manifest.Word`)."""

    @property
    def category(self) -> str: ...

    @property
    def values(self) -> Mapping[str, Any]:
        """Column -> value; a list where a word has several."""

    @property
    def forms(self) -> Mapping[str, str]:
        """Name of a form -> the form."""


MARKS = '.,;:!?"'
"""Signs that are tokens in texts of any language, beside those that the language names."""


@lru_cache(1 << 15)
def tokens_of(text: str, language: Language | None = None) -> tuple[str, ...]:
    """The words and marks of a text in small letters, without differences of agreement; English by default."""
    of = language or english()
    return tuple(words_of(_marks(of).sub(r" \1 ", text), of))


@cache
def _marks(language: Language) -> re.Pattern[str]:
    """What is a token of its own."""
    return re.compile(f"([{re.escape(''.join(dict.fromkeys([*MARKS, *language.marks])))}])")


@dataclass
class Seen:
    """The keys of rows of one dataset.

    Attributes:
        words: id -> word, of the dataset.
        language: of its sentences; English by default.
    """

    words: Mapping[str, Entry]
    language: Language | None = None
    _forms: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    _drawn: dict[tuple[str, str], list[Form]] = field(default_factory=dict)

    def texts(self, texts: Sequence[str], draws: Sequence[Mapping[str, Any]]) -> list[tuple[Text, ...]]:
        """(rows,) each text at each of `LEVELS`. The rows of an instance share their draws and most of their texts."""
        found, here = [], dict[str, tuple[Text, ...]]()
        before: Mapping[str, Any] | None = None
        for text, drawn in zip(texts, draws, strict=True):
            if drawn is not before and drawn != before:
                before, here, of = drawn, {}, self._of(drawn)
            if text not in here:
                here[text] = self._texts(text, of)
            found.append(here[text])
        return found

    def _texts(self, text: str, of: Forms) -> tuple[Text, ...]:
        tokens = tokens_of(text, self.language)
        seen: list[tuple[Any, ...]] = []  # of each token or form what it is at each level, behind itself
        at = 0
        while at < len(tokens):
            token = tokens[at]
            for own in of.get(token, ()):
                if tokens[at : at + len(own[0])] == own[0]:
                    seen.append(own)
                    at += len(own[0])
                    break
            else:
                seen.append((token,) * 5)
                at += 1
        levels = tuple(zip(*seen, strict=True))[1:] or ((),) * len(LEVELS)
        return tuple(map(_as_text, levels))

    def _of(self, draws: Mapping[str, Any]) -> Forms:
        """The forms of a row's draws by their first word, the longest first, with the word at each level."""
        found: dict[str, list[Form]] = {}
        for name, value in draws.items():
            if not isinstance(value, str):
                continue
            if (name, value) not in self._drawn:
                inside = enumerate(self._inside(value))
                self._drawn[name, value] = [own for n, id_ in inside for own in self._at(id_, f"{name}.{n}")]
            for own in self._drawn[name, value]:
                found.setdefault(own[0][0], []).append(own)
        for forms in found.values():
            if len(forms) > 1:
                forms.sort(key=lambda each: -len(each[0]))
        return found

    def _at(self, id_: str, slot: str) -> list[Form]:
        """The forms of a word in a slot, with the word at each level."""
        category = self.words[id_].category
        return [
            (
                tokens,
                (Drawn(f"{id_}", form), id_),
                (Drawn(slot, form), (category, self._class(id_))),
                (Drawn(slot, form), category),
                (Drawn(slot, ""), ""),
            )
            for tokens, form in self._forms_of(id_)
        ]

    def _inside(self, value: str) -> list[str]:
        """The ids of the words in a draw: itself, the parts of a phrase, and the words that these name."""
        found = list(dict.fromkeys(part for part in (value, *value.split(".")) if part in self.words))
        named = [v for id_ in found for v in self.words[id_].values.values() if isinstance(v, str) and v in self.words]
        return list(dict.fromkeys([*found, *named]))

    def _forms_of(self, id_: str) -> list[tuple[tuple[str, ...], str]]:
        if id_ not in self._forms:
            forms = [(tokens_of(text, self.language), name) for name, text in self.words[id_].forms.items()]
            self._forms[id_] = [each for each in dict(forms).items() if each[0]]
        return self._forms[id_]

    def _class(self, id_: str) -> tuple[object, ...]:
        word = self.words[id_]
        return tuple(word.values.get(name) for name in self._features[word.category])

    @cached_property
    def _features(self) -> dict[str, tuple[str, ...]]:
        """Category -> the columns of the lexicon that divide it into few classes."""
        values: dict[str, dict[str, set[str]]] = {}
        many: set[tuple[str, str]] = set()
        for word in self.words.values():
            own = values.setdefault(word.category, {})
            for name, value in word.values.items():
                if isinstance(value, str):
                    own.setdefault(name, set()).add(value)
                else:  # several values, or a number
                    many.add((word.category, name))
        return {
            category: tuple(n for n, seen in own.items() if len(seen) <= FEW and (category, n) not in many)
            for category, own in values.items()
        }


def levels(reader: str, premises: Sequence[tuple[Text, ...]], hypotheses: Sequence[tuple[Text, ...]]) -> list[Numbers]:
    """For each of `LEVELS` the (rows,) keys of a reader of `gramprobe.baselines.readers`, numbered from 0.

    ``premises``, ``hypotheses``: by `Seen.texts`. A key is made once for equal texts.
    """
    both = (("premise", premises), ("hypothesis", hypotheses))
    own = [_distinct(side) for name, side in both if reader in (name, "verbs")]
    found = []
    for level in range(len(LEVELS)):
        known: dict[Text, int] = {}
        sides = [
            np.array([known.setdefault(each[level], len(known)) for each in texts], np.int64)[rows]
            for rows, texts in own
        ]
        found.append(keys(sides, list(known)))
    return found


def _as_text(tokens: Sequence[str | Word]) -> Text:
    drawn = [each for each in tokens if not isinstance(each, str)]
    return Text(tuple(each if isinstance(each, str) else each[0] for each in tokens), tuple(kind for _, kind in drawn))


def _distinct(texts: Sequence[tuple[Text, ...]]) -> tuple[Numbers, list[tuple[Text, ...]]]:
    """(rows,) the numbers of the objects among the texts, which the rows of an instance share, and these."""
    objects = {id(each): each for each in texts}
    numbers = {number: at for at, number in enumerate(objects)}
    return np.array([numbers[id(each)] for each in texts], np.int64), list(objects.values())
