"""A table from what a reader sees to the commonest label, cross-validated by instance.

Keys come in levels from fine to coarse. A row is answered from the finest level whose key is known from enough rows of
the other folds (back-off; Katz 1987), and by the commonest label where there is none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.readers import Bag, Text, bag, in_order, key_of_bag

Numbers = NDArray[np.int64]

FOLDS = 5
KNOWN_FROM = 10
"""In how many rows of the other folds a key must stand for the table to answer from it."""
NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of rows that a reader gets right, and the lower end of its 95 % interval (by instance)."""

    accuracy: float
    low: float

    @classmethod
    def of(cls, right: NDArray[np.bool_], instances: Numbers) -> Accuracy:
        """From (rows,) whether each row is right, and the number of its instance."""
        shares = np.bincount(instances, weights=right) / np.bincount(instances)
        spread = float(shares.std(ddof=1)) if len(shares) > 1 else 1.0
        mean = float(shares.mean())
        return cls(mean, mean - NORMAL_95 * spread / float(np.sqrt(len(shares))))


def numbered(values: Iterable[Hashable]) -> Numbers:
    """Numbers of values, in the order in which they first occur."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], np.int64)


def keys(sides: Sequence[tuple[Numbers, Sequence[Text]]]) -> Numbers:
    """(rows,) what a reader of `TABLES` sees, as numbers from 0: of one sentence its words in order, of a premise and a
    hypothesis the words of both without their order.

    ``sides``: of each sentence the (rows,) numbers of its text, and the text of each number, none twice. A key is made
    once for equal texts.
    """
    if len(sides) == 1:
        ((numbers, distinct),) = sides
        return numbered(map(in_order, distinct))[numbers]
    (left, one), (right, other) = sides
    pairs, code = np.unique(left * len(other) + right, return_inverse=True)
    known: dict[Hashable, int] = {}
    bags = [[bag(text, known) for text in distinct] for distinct in (one, other)]
    places = np.divmod(pairs, max(len(other), 1))
    each = [_beside(bags[side], bags[1 - side], places[side], places[1 - side]) for side in (0, 1)]
    return numbered(zip(*(side.tolist() for side in each), strict=True))[code]


def _beside(bags: Sequence[Bag], others: Sequence[Bag], own: Numbers, beside: Numbers) -> Numbers:
    """(pairs,) numbers: equal for pairs that are alike in what a bag of words sees of one text beside another. Of the
    other text only how often each draw stands in it matters, so that texts equal in this are compared once.

    ``own``, ``beside``: (pairs,) the places of the two texts of each pair among ``bags`` and ``others``.
    """
    often: dict[frozenset[tuple[str, int]], int] = {}
    numbers = np.array([often.setdefault(frozenset(each.often.items()), len(often)) for each in others], np.int64)
    known = [dict(each) for each in often]
    codes, code = np.unique(own * max(len(known), 1) + numbers[beside], return_inverse=True)
    places = zip(*(each.tolist() for each in np.divmod(codes, max(len(known), 1))), strict=True)
    return numbered(key_of_bag(bags[a], known[b]) for a, b in places)[code]


def cross_validated(levels: Sequence[Numbers], labels: Numbers, instances: Numbers) -> NDArray[np.bool_]:
    """(rows,) whether a table that was made of the other folds of instances gives the label of each row: the arguments
    are those of :func:`predicted`."""
    right: NDArray[np.bool_] = predicted(levels, labels, instances) == labels
    return right


def predicted(levels: Sequence[Numbers], labels: Numbers, instances: Numbers) -> Numbers:
    """(rows,) the label that a table gives to each row which was made of the other folds of instances.

    Args:
        levels: keys by level, the finest first; each of shape (rows,).
        labels: (rows,) numbers of labels, from 0.
        instances: (rows,) the number of the instance of each row, from 0; its rows stay in one fold.
    """
    answers: Numbers = counted(levels, labels, instances, int(labels.max(initial=0)) + 1).argmax(axis=1)
    return answers


def counted(levels: Sequence[Numbers], labels: Numbers, instances: Numbers, count: int) -> Numbers:
    """(rows, labels) how often each label stands in the line of the table from which a row is answered.

    The arguments are those of :func:`predicted`; ``count``: the number of labels. Rows whose label is -1 are answered
    and not counted.
    """
    fold = instances % FOLDS
    labelled = labels >= 0
    tallies = [_tally(keys[labelled], labels[labelled], int(keys.max(initial=0)) + 1, count) for keys in levels]
    whole = _tally(np.zeros(int(labelled.sum()), np.int64), labels[labelled], 1, count)
    found = np.zeros((len(labels), count), np.int64)
    for held in np.unique(fold).tolist():
        rows = fold == held
        own = labelled[rows]
        ours = labels[rows][own]
        answer = np.repeat(whole - _tally(np.zeros(len(ours), np.int64), ours, 1, count), len(own), axis=0)
        for keys, tally in zip(reversed(levels), reversed(tallies), strict=True):
            seen = keys[rows]
            table = tally - _tally(seen[own], ours, len(tally), count)
            known = table.sum(axis=1) >= KNOWN_FROM
            answer = np.where(known[seen][:, None], table[seen], answer)
        found[rows] = answer
    return found


def _tally(keys: Numbers, labels: Numbers, size: int, count: int) -> Numbers:
    """(keys, labels) how often each key stands with each label."""
    found: Numbers = np.bincount(keys * count + labels, minlength=size * count).reshape(size, count)
    return found
