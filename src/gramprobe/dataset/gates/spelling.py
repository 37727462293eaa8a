"""Sentences begin with a capital, also inside a text, end in one point or question mark, and double no word or space:
as far as the language of the grammar has capitals, final signs and marks, and says which words may be doubled.

The article by the next word: in English `a` or `an` by its sound, as the column `onset` of the lexicon says (v: a
vowel, c: a consonant). The language says which articles go with which values of which column.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import wraps
from itertools import pairwise

import numpy as np

from gramprobe.dataset.gates.sentences import Reason, Texts
from gramprobe.items.groups import numbered
from gramprobe.language import Language
from gramprobe.resolve.grammar.data import WORDS, Constant, Grammar
from gramprobe.words.arrow import places


def _forms(language: Language) -> Iterator[tuple[str, bool, str, str]]:
    """A pattern, whether a match is wrong, what is wrong then, and the parts of sentences that need not keep to it:
    those that another one ends, or that begin small."""
    finals, ends, marks = ("".join(map(re.escape, signs)) for signs in (language.finals, language.ends, language.marks))
    if finals:
        named = " or ".join(f"`{sign}`" for sign in language.finals)
        yield rf"[^{ends or finals}][{finals}]$", False, f"sentences do not end in one {named}", "end"
    if language.capitals:
        yield r"^\p{Ll}", True, "sentences begin in lower case", "begin"
    if language.joiner == " ":
        yield r"  |^ | $", True, "sentences have two spaces in a row, or one at an end", ""
    if marks:
        yield rf" [{marks}]", True, "sentences have a space before a punctuation mark", ""


def _by_parts(read: Callable[[Texts], list[Reason]]) -> Callable[[Texts], list[Reason]]:
    """A gate that reads sentences only where something is wrong with their parts."""

    @wraps(read)
    def check(sentences: Texts) -> list[Reason]:
        return read(sentences) if sentences.in_parts is None or read(sentences.in_parts) else []

    return check


@_by_parts
def check(sentences: Texts) -> list[Reason]:
    """Read every different sentence once."""
    import pyarrow.compute as pc

    reasons: list[Reason] = []

    def add(numbers: Sequence[int], what: str, hint: str) -> None:
        if len(numbers):
            count = f"{len(numbers):,} of {len(sentences.texts):,}"
            reasons.append(Reason(f"{what} ({count})", tuple(map(sentences.text, numbers[:3])), hint))

    parts = {"end": sentences.of_parts(ending=True), "begin": sentences.of_parts(ending=False), "": set[int]()}
    for pattern, wrong_if, what, let in _forms(sentences.grammar.language):
        matches = pc.match_substring_regex(sentences.texts, pattern)
        numbers = places(matches if wrong_if else pc.invert(matches))
        numbers = numbers[~np.isin(numbers, list(parts[let]))]
        add(numbers.tolist(), what, "mend the `lin` or the lexicon row they come from")
    hint = 'put the point in a text of its own, as in `lin s + "." t`: the next letter becomes a capital'
    add(_small_inside(sentences), "sentences inside a text begin in lower case", hint)
    add(_doubled(sentences), "sentences double a word", "mend the `lin` or the lexicon row")
    return reasons


def _small_inside(sentences: Texts) -> list[int]:
    """The texts in which a word in lower case follows the end of a sentence."""
    import pyarrow.compute as pc

    language = sentences.grammar.language
    if not (language.capitals and language.ends):
        return []
    ends = "".join(map(re.escape, language.ends))
    matches = pc.match_substring_regex(sentences.texts, rf"[{ends}] \p{{Ll}}")
    return [n for n in places(matches).tolist() if _small_after_end(sentences.text(n), language)]


def _small_after_end(text: str, language: Language) -> bool:
    words = text.split(" ")
    return any(language.ends_sentence(one) and other[:1].islower() for one, other in pairwise(words))


def _doubled(sentences: Texts) -> list[int]:
    """The texts in which two neighbouring words of a sentence are the same, whatever their case."""
    language = sentences.grammar.language
    if language.repeated is None:
        return []
    lowered: dict[str, int] = {}
    plain = np.array(
        [lowered.setdefault(language.bare(w.lower()), len(lowered)) for w in sentences.vocabulary], np.int64
    )
    words = plain[sentences.words]
    last = np.array([word.endswith(tuple(language.ends)) for word in sentences.vocabulary], np.bool_)
    same = (words[1:] == words[:-1]) & ~last[sentences.words[:-1]]
    same[sentences.starts[1:-1] - 1] = False
    may = [lowered[w] for w in language.repeated if w in lowered]
    same &= ~np.isin(words[1:], may)
    return sentences.texts_with(np.flatnonzero(same))


@_by_parts
def articles(sentences: Texts) -> list[Reason]:
    """Compare every article with the column of the next word, or with the letters of a word without a value there; one
    that these leave open is a reason too, but in sentences of no paradigm, whose words may be unknown. A language that
    names no articles has none to compare."""
    articles = sentences.grammar.language.articles
    if articles is None:
        return []
    wanted = {i: articles.words[w.lower()] for i, w in enumerate(sentences.vocabulary) if w.lower() in articles.words}
    here = np.isin(sentences.words[:-1], list(wanted))
    here[sentences.starts[1:-1] - 1] = False
    at = np.flatnonzero(here)
    both = sentences.words[at], sentences.words[at + 1]
    _, first = numbered(both, len(at))
    pairs = sorted(zip(*(each[first].tolist() for each in both), strict=True))
    words = {sentences.grammar.language.bare(sentences.vocabulary[word]) for _, word in pairs}
    values = _values(sentences.grammar, articles.column, words)
    committed = _committed(sentences.grammar) if words - values.keys() else frozenset[tuple[str, str]]()
    wrong: list[str] = []
    lacking = False
    for article, word in pairs:
        text = sentences.grammar.language.bare(sentences.vocabulary[word])
        if (sentences.vocabulary[article].lower(), text) in committed and text not in values:
            continue
        guess = articles.by_letters(text) if sentences.own and text not in values else None
        if wanted[article] not in values.get(text, {guess} if sentences.own else {wanted[article]}):
            known = "/".join(sorted(values.get(text, set()))) or (f"{guess} by its letters" if guess else "unknown")
            wrong.append(f"{sentences.vocabulary[article]} {text} ({articles.column} {known})")
            lacking = lacking or text not in values
    if not wrong:
        return []
    column, sounds = articles.column, " | ".join(sorted(set(articles.words.values())))
    help = f"mend the {column} column, or let the article look its word's {column} up in a table"
    if lacking:
        rows = " | ".join(f'{value} "{article}"' for article, value in articles.words.items())
        help = (
            f"give the words a column {column} (`feature {column} = {sounds}`, `cat N[{column}, ...]`), and write "
            f"`article(n.{column})` with `table article[{column}] {rows}`"
        )
    return [Reason(f"{len(wrong):,} articles do not fit the next word", tuple(wrong[:3]), help)]


def _values(grammar: Grammar, column: str, words: Collection[str]) -> dict[str, set[str]]:
    """Of some words -> the values that the lexicon gives in a column to the forms that begin with it."""
    values: dict[str, set[str]] = {}
    for category in grammar.categories.values():
        for lexeme in category.lexemes:
            value = lexeme.columns.get(column)
            if isinstance(value, str):
                for form in lexeme.forms.values():
                    if (first := form.partition(" ")[0]) in words:
                        values.setdefault(first, set()).add(value)
    return values


def _committed(grammar: Grammar) -> frozenset[tuple[str, str]]:
    """Articles with their next word inside a form or a column of words of the lexicon (`keep a diary`), a quoted text
    of the grammar (`by a different`) or a cell of a table (`a hundred`): somebody wrote these out."""
    forms = (form for c in grammar.categories.values() for lexeme in c.lexemes for form in lexeme.forms.values())
    held = (
        str(lexeme.columns[column.name])
        for c in grammar.categories.values()
        for column in c.columns.values()
        if column.type == WORDS
        for lexeme in c.lexemes
    )
    quoted = (
        atom.text
        for constructor in grammar.constructors.values()
        for line in constructor.lines
        for atom in line.atoms
        if isinstance(atom, Constant)
    )
    cells = (cell for table in grammar.tables.values() if table.result is None for cell in table.cells.values())
    pairs = (pair for text in (*forms, *held, *quoted, *cells) for pair in itertools.pairwise(text.split(" ")))
    articles = grammar.language.articles
    words = articles.words if articles is not None else {}
    return frozenset((a, grammar.language.bare(b)) for a, b in pairs if a in words)
