"""Sentences begin with a capital, also inside a text, end in one point or question mark, and double no word or
space."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow.compute as pc

from gramprobe.dataset.gates.reason import Reason
from gramprobe.dataset.gates.sentences import Sentences
from gramprobe.words.arrow import places
from gramprobe.words.program import ends_sentence

#: words that may occur twice in a row in correct English
MAY_REPEAT = frozenset({"had", "that"})
_FORMS = (
    (r"[^.?!][.?]$", False, "sentences do not end in one `.` or `?`"),
    (r"^\p{Ll}", True, "sentences begin in lower case"),
    (r"  |^ | $", True, "sentences have two spaces in a row, or one at an end"),
    (r" [,.?]", True, "sentences have a space before a punctuation mark"),
)


def check(sentences: Sentences) -> list[Reason]:
    """Read every different sentence once."""
    reasons: list[Reason] = []
    let = {_FORMS[0][2]: sentences.of_parts(ending=True), _FORMS[1][2]: sentences.of_parts(ending=False)}
    for pattern, wrong_if, what in _FORMS:
        matches = pc.match_substring_regex(sentences.texts, pattern)
        numbers = places(matches if wrong_if else pc.invert(matches))
        numbers = numbers[~np.isin(numbers, list(let.get(what, ())))]
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
    matches = pc.match_substring_regex(sentences.texts, r"[.?!] \p{Ll}")
    return [n for n in places(matches).tolist() if _small_after_end(sentences.text(n))]


def _small_after_end(text: str) -> bool:
    words = text.split(" ")
    return any(ends_sentence(one) and other[:1].islower() for one, other in pairwise(words))


def _doubled(sentences: Sentences) -> list[int]:
    """The texts in which two neighbouring words are the same, whatever their case."""
    lowered: dict[str, int] = {}
    plain = np.array([lowered.setdefault(w.lower().strip(",.?"), len(lowered)) for w in sentences.vocabulary], np.int64)
    words = plain[sentences.words]
    same = words[1:] == words[:-1]
    same[sentences.starts[1:-1] - 1] = False
    may = [lowered[w] for w in MAY_REPEAT if w in lowered]
    same &= ~np.isin(words[1:], may)
    return sentences.texts_with(np.flatnonzero(same))
