"""Words that the rows of two splits share: what a test of generalisation to new words must exclude.

The draws of a row and the design of its paradigm say which words of the lexicon its sentences are made of. Words that
constructors bring (*that*, *not*) are no part of it: they stand on both sides of any split. Two words are the same if
they have one id, or one form. For rows of given sentences, and of a dataset of format 1, the words are not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramprobe.dataset.manifest import Word
from gramprobe.finetune.examples import Example, Part
from gramprobe.finetune.results import SharedWords

SHOWN = 8
"""How many shared words are named in the record."""


def shared_words(
    train: tuple[Part, Sequence[Example]], other: tuple[Part, Sequence[Example]], name: str
) -> SharedWords:
    """What training rows share with other rows (``name``: what these are called in the record)."""
    (part, examples), (other_part, others) = train, other
    mine, theirs = _words(examples), _words(others)
    forms = _forms(other_part.source.dataset.words, theirs)
    known = part.source.dataset.words
    both = [word for word in sorted(mine) if word in theirs or _forms(known, [word]) & forms]
    unknown = sorted({*_unknown(part), *_unknown(other_part)})
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


def _words(examples: Sequence[Example]) -> set[str]:
    return {word for example in examples for word in example.words}


def _forms(known: Mapping[str, Word], words: Sequence[str] | set[str]) -> set[str]:
    return {form.casefold() for word in words if word in known for form in known[word].forms.values() if form}


def _unknown(part: Part) -> list[str]:
    """What has words that the design does not name: draws of sentences and phrases, and whole datasets of format 1."""
    dataset = part.source.dataset
    if dataset.designs is None:
        return [part.name]
    categories = {word.category for word in dataset.words.values()}
    return [
        f"{table}.{draw.name}"
        for table in part.tables
        for draw in dataset.design(table).draws
        if not draw.feature and draw.category not in categories
    ]
