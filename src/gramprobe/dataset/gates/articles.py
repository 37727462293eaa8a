"""`a` or `an` by the sound of the next word, as the lexicon's ``onset`` column says (v: a vowel, c: a consonant)."""

from __future__ import annotations

import itertools

import numpy as np

from gramprobe.dataset.gates.reason import Reason
from gramprobe.dataset.gates.sentences import Sentences
from gramprobe.resolve.grammar.data import Constant, Grammar

_WANTED = {"a": "c", "an": "v"}


def check(sentences: Sentences) -> list[Reason]:
    """Compare every article with the onset of the next word; a word of unknown onset is a reason too."""
    onsets, committed = _onsets(sentences.grammar), _committed(sentences.grammar)
    articles = {i: _WANTED[w.lower()] for i, w in enumerate(sentences.vocabulary) if w.lower() in _WANTED}
    at = np.flatnonzero(np.isin(sentences.words[:-1], list(articles)))
    pairs = np.unique(np.stack([sentences.words[at], sentences.words[at + 1]], axis=1), axis=0)
    wrong: list[str] = []
    for article, word in pairs.tolist():
        text = sentences.vocabulary[word].strip(",.?")
        if (sentences.vocabulary[article].lower(), text) in committed and text not in onsets:
            continue
        if articles[article] not in onsets.get(text, set()):
            known = "/".join(sorted(onsets.get(text, set()))) or "unknown"
            wrong.append(f"{sentences.vocabulary[article]} {text} (onset {known})")
    if not wrong:
        return []
    help = "mend the onset column, or let the article look its word's onset up in a table"
    return [Reason(f"{len(wrong):,} articles do not fit the next word", tuple(wrong[:3]), help)]


def _onsets(grammar: Grammar) -> dict[str, set[str]]:
    """First word of a form -> the onsets that the lexicon gives it."""
    onsets: dict[str, set[str]] = {}
    for category in grammar.categories.values():
        for lexeme in category.lexemes:
            onset = lexeme.columns.get("onset")
            if isinstance(onset, str):
                for form in lexeme.forms.values():
                    onsets.setdefault(form.split(" ")[0], set()).add(onset)
    return onsets


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
    return {(a, b.strip(",.?")) for a, b in pairs if a in _WANTED}
