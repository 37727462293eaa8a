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
    tokens = language.tokens(text)
    choices: list[list[str]] = []
    for place, token in enumerate(tokens):
        first = place == 0 or tokens[place - 1] in language.ends
        small = [token[:1].lower() + token[1:]] if language.capitals and first else []
        choices.append([each for each in dict.fromkeys([token, *small]) if each in known])
    return product(*choices)
