"""Sentences begin with a capital, also inside a text, end in one point or question mark, and double no word or space:
as far as the language of the grammar has capitals, final signs and marks, and says which words may be doubled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pyarrow.compute as pc

from gramprobe.dataset.gates.reason import Reason
from gramprobe.dataset.gates.sentences import Sentences
from gramprobe.language import Language
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


def check(sentences: Sentences) -> list[Reason]:
    """Read every different sentence once."""
    reasons: list[Reason] = []
    parts = {"end": sentences.of_parts(ending=True), "begin": sentences.of_parts(ending=False), "": set[int]()}
    for pattern, wrong_if, what, let in _forms(sentences.grammar.language):
        matches = pc.match_substring_regex(sentences.texts, pattern)
        numbers = places(matches if wrong_if else pc.invert(matches))
        numbers = numbers[~np.isin(numbers, list(parts[let]))]
        if len(numbers):
            examples = tuple(sentences.text(n) for n in numbers[:3])
            reasons.append(
                Reason(
                    f"{what} ({len(numbers):,} of {len(sentences.texts):,})",
                    examples,
                    "mend the `lin` or the lexicon row they come from",
                )
            )
    small = _small_inside(sentences)
    if small:
        examples = tuple(sentences.text(n) for n in small[:3])
        reasons.append(
            Reason(
                f"sentences inside a text begin in lower case ({len(small):,} of {len(sentences.texts):,})",
                examples,
                'put the point in a text of its own, as in `lin s + "." t`: the next letter becomes a capital',
            )
        )
    doubled = _doubled(sentences)
    if doubled:
        examples = tuple(sentences.text(n) for n in doubled[:3])
        reasons.append(
            Reason(
                f"sentences double a word ({len(doubled):,} of {len(sentences.texts):,})",
                examples,
                "mend the `lin` or the lexicon row",
            )
        )
    return reasons


def _small_inside(sentences: Sentences) -> list[int]:
    """The texts in which a word in lower case follows the end of a sentence."""
    language = sentences.grammar.language
    if not (language.capitals and language.ends):
        return []
    ends = "".join(map(re.escape, language.ends))
    matches = pc.match_substring_regex(sentences.texts, rf"[{ends}] \p{{Ll}}")
    return [n for n in places(matches).tolist() if _small_after_end(sentences.text(n), language)]


def _small_after_end(text: str, language: Language) -> bool:
    words = text.split(" ")
    return any(language.ends_sentence(one) and other[:1].islower() for one, other in pairwise(words))


def _doubled(sentences: Sentences) -> list[int]:
    """The texts in which two neighbouring words are the same, whatever their case."""
    language = sentences.grammar.language
    if language.repeated is None:
        return []
    lowered: dict[str, int] = {}
    plain = np.array(
        [lowered.setdefault(language.bare(w.lower()), len(lowered)) for w in sentences.vocabulary], np.int64
    )
    words = plain[sentences.words]
    same = words[1:] == words[:-1]
    same[sentences.starts[1:-1] - 1] = False
    may = [lowered[w] for w in language.repeated if w in lowered]
    same &= ~np.isin(words[1:], may)
    return sentences.texts_with(np.flatnonzero(same))
