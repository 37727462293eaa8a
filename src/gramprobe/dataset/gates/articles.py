"""The article by the next word: in English `a` or `an` by its sound, as the column `onset` of the lexicon says (v: a
vowel, c: a consonant). The language says which articles go with which values of which column."""

from __future__ import annotations

import itertools

import numpy as np

from gramprobe.dataset.gates.reason import Reason
from gramprobe.dataset.gates.sentences import Sentences
from gramprobe.resolve.grammar.data import Constant, Grammar


def check(sentences: Sentences) -> list[Reason]:
    """Compare every article with the column of the next word; a word without a value there is a reason too. A language
    that names no articles has none to compare."""
    articles = sentences.grammar.language.articles
    if articles is None:
        return []
    values, committed = _values(sentences.grammar, articles.column), _committed(sentences.grammar)
    wanted = {i: articles.words[w.lower()] for i, w in enumerate(sentences.vocabulary) if w.lower() in articles.words}
    at = np.flatnonzero(np.isin(sentences.words[:-1], list(wanted)))
    pairs = np.unique(np.stack([sentences.words[at], sentences.words[at + 1]], axis=1), axis=0)
    wrong: list[str] = []
    for article, word in pairs.tolist():
        text = sentences.grammar.language.bare(sentences.vocabulary[word])
        if (sentences.vocabulary[article].lower(), text) in committed and text not in values:
            continue
        if wanted[article] not in values.get(text, set()):
            known = "/".join(sorted(values.get(text, set()))) or "unknown"
            wrong.append(f"{sentences.vocabulary[article]} {text} ({articles.column} {known})")
    if not wrong:
        return []
    help = f"mend the {articles.column} column, or let the article look its word's {articles.column} up in a table"
    return [Reason(f"{len(wrong):,} articles do not fit the next word", tuple(wrong[:3]), help)]


def _values(grammar: Grammar, column: str) -> dict[str, set[str]]:
    """First word of a form -> the values that the lexicon gives it in a column."""
    values: dict[str, set[str]] = {}
    for category in grammar.categories.values():
        for lexeme in category.lexemes:
            value = lexeme.columns.get(column)
            if isinstance(value, str):
                for form in lexeme.forms.values():
                    values.setdefault(form.split(" ")[0], set()).add(value)
    return values


def _committed(grammar: Grammar) -> set[tuple[str, str]]:
    """Articles with their next word inside a form of the lexicon (`keep a diary`) or a quoted text of the grammar (`by
    a different`): somebody wrote these out, so they are taken to be right."""
    forms = (form for c in grammar.categories.values() for lexeme in c.lexemes for form in lexeme.forms.values())
    quoted = (
        atom.text
        for constructor in grammar.constructors.values()
        for line in constructor.lines
        for atom in line.atoms
        if isinstance(atom, Constant)
    )
    pairs = (pair for text in (*forms, *quoted) for pair in itertools.pairwise(text.split(" ")))
    articles = grammar.language.articles
    return {(a, grammar.language.bare(b)) for a, b in pairs if articles is not None and a in articles.words}
