"""Readers of minimal pairs that know no grammar: which of two sentences they take for the good one.

A reader is made of the sentences of other folds of instances, of which it knows which are good: how much oftener each
of its features stands in good ones than in bad ones (naive Bayes). It prefers the sentence with more for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import log

import numpy as np

from gramprobe.baselines.table import FOLDS, Accuracy

SMALLEST = 1e-9
"""Sums that differ by less are equal."""

Pair = tuple[str, str]


def reached(reader: str, pairs: Sequence[Sequence[Pair]]) -> Accuracy:
    """How often a reader prefers the good sentence. ``pairs``: of each instance, its good and bad sentences by row."""
    seen = [[(_features(reader, good), _features(reader, bad)) for good, bad in own] for own in pairs]
    folds = [_Counts([pair for own in seen[fold::FOLDS] for pair in own]) for fold in range(min(FOLDS, len(seen)))]
    right: list[float] = []
    instances: list[int] = []
    for fold in range(len(folds)):
        others = folds[:fold] + folds[fold + 1 :]
        weight = _Lengths(others) if reader == "length" else _Words(others)
        for at in range(fold, len(seen), FOLDS):
            for good, bad in seen[at]:
                margin = weight(good) - weight(bad)
                right.append(0.5 if abs(margin) < SMALLEST else float(margin > 0))
                instances.append(at)
    return Accuracy.of(np.array(right), np.array(instances))


def _features(reader: str, sentence: str) -> Sequence[str]:
    if reader == "length":
        return sentence
    words = sentence.lower().split()
    return words if reader == "unigram" else [*map(" ".join, zip(["", *words], [*words, ""], strict=True))]


class _Counts:
    """How often each feature stands in the good sentences of some instances and how often in the bad ones, and of how
    many more pairs the good one is the longer than the shorter one."""

    def __init__(self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> None:
        self.good = Counter(chain.from_iterable(good for good, _ in pairs))
        self.bad = Counter(chain.from_iterable(bad for _, bad in pairs))
        self.longer = sum((len(good) > len(bad)) - (len(good) < len(bad)) for good, bad in pairs)


class _Words:
    """How much oftener the features of a sentence stand in good sentences than in bad ones: the sum of the logarithms
    of the ratios."""

    def __init__(self, folds: Sequence[_Counts]) -> None:
        self._sides = [each.good for each in folds], [each.bad for each in folds]
        self._known: dict[str, float] = {}

    def __call__(self, features: Sequence[str]) -> float:
        known = self._known
        for feature in features:
            if feature not in known:
                good, bad = (sum(counts[feature] for counts in side) for side in self._sides)
                known[feature] = log((good + 0.5) / (bad + 0.5))
        return sum([known[feature] for feature in features])


class _Lengths:
    """Whether a letter more speaks for a sentence or against it, for each of its letters."""

    def __init__(self, folds: Sequence[_Counts]) -> None:
        self._sign = float(np.sign(sum(each.longer for each in folds)))

    def __call__(self, features: Sequence[str]) -> float:
        return self._sign * len(features)
