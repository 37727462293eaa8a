"""Readers of minimal pairs that know no grammar: which of two sentences they take for the good one.

A reader is made of the sentences of other folds of instances, of which it knows which are good: how much oftener each
of its features stands in good ones than in bad ones (naive Bayes). It prefers the sentence with more for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

import numpy as np

from gramprobe.baselines.table import FOLDS, Accuracy

SMALLEST = 1e-9
"""Sums that differ by less are equal."""

Pair = tuple[str, str]


def reached(reader: str, pairs: Sequence[Sequence[Pair]]) -> Accuracy:
    """How often a reader prefers the good sentence. ``pairs``: of each instance, its good and bad sentences by row."""
    right: list[float] = []
    instances: list[int] = []
    for fold in range(min(FOLDS, len(pairs))):
        others = [pair for at, own in enumerate(pairs) if at % FOLDS != fold for pair in own]
        weight = _Lengths(others) if reader == "length" else _Words(reader, others)
        for at in range(fold, len(pairs), FOLDS):
            for good, bad in pairs[at]:
                margin = sum(map(weight, _features(reader, good))) - sum(map(weight, _features(reader, bad)))
                right.append(0.5 if abs(margin) < SMALLEST else float(margin > 0))
                instances.append(at)
    return Accuracy.of(np.array(right), np.array(instances))


def _features(reader: str, sentence: str) -> Iterable[str]:
    words = sentence.lower().split()
    if reader == "length":
        return ["letter"] * len(sentence)
    return words if reader == "unigram" else map(" ".join, zip(["", *words], [*words, ""], strict=True))


class _Words:
    """How much oftener a feature stands in good sentences than in bad ones, as the logarithm of the ratio."""

    def __init__(self, reader: str, pairs: Sequence[Pair]) -> None:
        sides = zip(*pairs, strict=True) if pairs else ((), ())
        self.good, self.bad = (Counter(f for text in side for f in _features(reader, text)) for side in sides)

    def __call__(self, feature: str) -> float:
        return log((self.good[feature] + 0.5) / (self.bad[feature] + 0.5))


class _Lengths:
    """Whether a letter more speaks for a sentence or against it."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        longer = sum(np.sign(len(good) - len(bad)) for good, bad in pairs)
        self.sign = float(np.sign(longer))

    def __call__(self, feature: str) -> float:
        return self.sign
