"""Words that the rows of two splits share: what a test of generalisation to new words must exclude.

The draws of a row and the design of its paradigm say which entries of the lexicon its sentences are made of, and an
entry's forms which words these are: an entry may have forms of several words (*fold napkins*), and a given sentence is
one entry. Words that constructors bring (*that*, *not*) are no part of it: they stand on both sides of any split; so do
the little words of English that stand within forms, which do not count here either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gramprobe.dataset.manifest import Word
from gramprobe.finetune.examples import Example, Paradigms
from gramprobe.finetune.record import SHOWN, SharedWords

_LITTLE = (
    "a an the this that these those some any no not and or but if than as so too very "
    "about across after against along around at away back before behind below beside by down for from in inside into "
    "near of off on onto out outside over past through to toward under up with without "
    "be am is are was were been being have has had having do does did done doing will would can could may might must "
    "i you he she it we they me him her us them my your his its our their who whom whose which what one s t"
)
LITTLE = frozenset(_LITTLE.split())
"""Articles, prepositions, particles, auxiliaries and pronouns."""


def shared_words(
    train: tuple[Paradigms, Sequence[Example]], other: tuple[Paradigms, Sequence[Example]], name: str
) -> SharedWords:
    """What training rows share with other rows (``name``: what these are called in the record)."""
    (part, examples), (other_part, others) = train, other
    mine, theirs = _entries(part, examples), _entries(other_part, others)
    there = {word for words in theirs.values() for word in words}
    both = [entry for entry in sorted(mine) if entry in theirs or mine[entry] & there]
    unknown = sorted({f"{each.table}.{draw}" for each in (*examples, *others) for draw in each.unknown})
    pairs = {(example.pair.premise, example.pair.hypothesis) for example in examples}
    return SharedWords(
        rows=name,
        train=len(mine),
        other=len(theirs),
        shared=len(both),
        examples=both[:SHOWN],
        unknown=unknown,
        same_pairs=sum((each.pair.premise, each.pair.hypothesis) in pairs for each in others),
    )


def _entries(part: Paradigms, examples: Sequence[Example]) -> dict[str, frozenset[str]]:
    """Entry of the lexicon -> the words of its forms."""
    known = part.source.dataset.words
    return {entry: _words(known[entry]) for entry in {word for example in examples for word in example.words}}


def _words(entry: Word) -> frozenset[str]:
    """The words of an entry's forms, the little ones left out."""
    texts = (form.casefold() for form in entry.forms.values())
    return frozenset(word for text in texts for word in re.findall(r"[^\W_]+", text)) - LITTLE
