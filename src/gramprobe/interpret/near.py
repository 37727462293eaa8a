"""The known words that unknown ones are likely to be meant for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, lru_cache, partial

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.source.nearest import nearest

_QUOTES = '"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019;:()[]\u2013\u2014*_'
"""Signs around words that no grammar reads."""


class Near:
    """Finds the known word that a token is likely to be meant for."""

    def __init__(self, grammar: Grammar, known: Collection[str]) -> None:
        self.grammar, self.known = grammar, known

    @cached_property
    def _nearest(self) -> Callable[[str], str | None]:
        return lru_cache(maxsize=1 << 12)(partial(nearest, known=sorted(self.known)))

    def to(self, token: str) -> str | None:
        """A number in words, a word with other capitals, or one of nearly the same letters; None if none is near."""
        language = self.grammar.language
        if token.isdecimal() and len(token) < 4:
            words = (
                word for each in self.grammar.categories.values() for word in each.lexemes if "value" in word.columns
            )
            named = next((word for word in words if word.columns["value"] == int(token)), None)
            return None if named is None else next(iter(named.forms.values()))
        cased = (token.lower(), language.capitalised(token.lower()))
        bare = token.strip("".join(language.marks) + _QUOTES)
        near = next((each for each in (*cased, bare) if each in self.known), None)
        return near or self._nearest(token)


class Unknown(Mapping[str, "str | None"]):
    """Unknown words, each with the known one that is near, looked for when it is asked for: a reader that is asked
    later may know the word."""

    def __init__(self, words: Collection[str], near: Near) -> None:
        self._words, self._near = dict.fromkeys(words), near

    def __getitem__(self, word: str) -> str | None:
        self._words[word]  # raises KeyError
        return self._near.to(word)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)
