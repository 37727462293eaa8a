"""The tokens of a text as a grammar spells them: a word that begins a sentence is also read with a small letter."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product

from gramprobe.language import Language


def cuts(text: str, language: Language, known: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Each way to cut a text into tokens that a grammar knows; none if a token is unknown however it is read.

    Args:
        text: a sentence, or several.
        language: what a token is, and whether sentences begin with a capital.
        known: every token of the grammar.
    """
    return product(*(choices for _, choices in choices_of(text, language, known)))


def lattice(text: str, language: Language, known: Collection[str]) -> list[tuple[str, ...]]:
    """Of each token of a text the tokens of a grammar that it may be: all ways to cut the text at once."""
    return [tuple(choices) for _, choices in choices_of(text, language, known)]


def unknown(text: str, language: Language, known: Collection[str]) -> list[str]:
    """The tokens of a text that a grammar does not know, each once."""
    return list(dict.fromkeys(token for token, choices in choices_of(text, language, known) if not choices))


def choices_of(text: str, language: Language, known: Collection[str]) -> list[tuple[str, list[str]]]:
    """Each token of a text, and which known ones it may be: one that begins a sentence also with a small letter."""
    return [(token, known_as(token, first, language, known)) for token, first in placed(text, language)]


def placed(text: str, language: Language) -> Iterator[tuple[str, bool]]:
    """Each token of a text, and whether it begins a sentence."""
    first = True
    for token in language.tokens(text):
        yield token, first
        first = token in language.ends


def known_as(token: str, first: bool, language: Language, known: Collection[str]) -> list[str]:
    """Which known tokens a token may be; ``first``: it begins a sentence."""
    small = [token[:1].lower() + token[1:]] if first and language.capitals else []
    return [each for each in dict.fromkeys([token, *small]) if each in known]
