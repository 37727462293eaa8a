"""What is wrong with the spelling of published sentences: what the gates of a build would find."""

from __future__ import annotations

from collections.abc import Iterable

from gramprobe.dataset.gates import spelling
from gramprobe.dataset.gates.sentences import Reason, Texts
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.words.arrow import strings


def defects(texts: Iterable[str], grammar: Grammar) -> list[Reason]:
    """The reasons of the gates `spelling` and `articles`, each sentence read once. An article is held against words of
    the lexicon alone."""
    every = list(dict.fromkeys(texts))
    if not every:
        return []
    found = Texts(strings(every), grammar)
    return [*spelling.check(found), *spelling.articles(found)]
