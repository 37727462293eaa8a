"""A table from what a reader sees to the commonest label, cross-validated by instance.

Keys come in levels from fine to coarse. A row is answered from the finest level whose key is known from enough rows of
the other folds (back-off; Katz 1987), and by the commonest label where there is none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.readers import Text, Tokens, bag, in_order

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


def keys(sides: Sequence[Numbers], texts: Sequence[Text]) -> Numbers:
    """(rows,) what a reader of `TABLES` sees, as numbers from 0: of one sentence its words in order, of a premise and a
    hypothesis the words of both without their order.

    ``sides``: of each sentence the (rows,) numbers of its text among the ``texts``, of which none is there twice. A key
    is made once for equal texts.
    """
    table = np.zeros(len(texts), np.int64)
    tokens = dict.fromkeys(each.tokens for each in texts)
    if len(sides) == 1:
        ordered = dict(zip(tokens, numbered(map(in_order, tokens)).tolist(), strict=True))
        used = np.flatnonzero(np.bincount(sides[0]))
        table[used] = numbered((ordered[texts[at].tokens], texts[at].kinds) for at in used.tolist())
        return table[sides[0]]
    size = max(len(texts), 1)
    pairs, code = np.unique(sides[0] * size + sides[1], return_inverse=True)
    both = np.divmod(pairs, size)
    bags = _Bags(texts, tokens)
    each = [bags.beside(both[side], both[1 - side]) for side in (0, 1)]
    return numbered(zip(*(side.tolist() for side in each), strict=True))[code]


class _Bags:
    """What a bag of words sees of some texts."""

    def __init__(self, texts: Sequence[Text], tokens: Iterable[Tokens]) -> None:
        number = {each: at for at, each in enumerate(tokens)}
        self._bags = [bag(each) for each in number]
        self._bag_of = [number[each.tokens] for each in texts]
        plain, often, kinds = dict[Hashable, int](), dict[frozenset[tuple[str, int]], int](), dict[Hashable, int]()
        self._plain = [plain.setdefault(each.plain, len(plain)) for each in self._bags]
        of = [often.setdefault(frozenset(each.often.items()), len(often)) for each in self._bags]
        self._often, self._often_of = [dict(each) for each in often], np.array(of, np.int64)[self._bag_of]
        self._kinds = [[kinds.setdefault(kind, len(kinds)) for kind in each.kinds] for each in texts]
        self._seen: dict[Hashable, int] = {}
        self._words: dict[tuple[int, int], list[int]] = {}

    def beside(self, own: Numbers, other: Numbers) -> Numbers:
        """(pairs,) numbers: equal for pairs that are alike in what is seen of one text beside another. Of the other
        only how often each draw stands in it matters, so that texts equal in this are compared once.

        ``own``, ``other``: (pairs,) the numbers of the two texts of each pair.
        """
        size = max(len(self._often), 1)
        codes, code = np.unique(own * size + self._often_of[other], return_inverse=True)
        places = zip(*(each.tolist() for each in np.divmod(codes, size)), strict=True)
        return numbered(self._key(at, often) for at, often in places)[code]

    def _key(self, text: int, often: int) -> Hashable:
        """What is seen of a text beside one in which draws stand so often (a place in ``_often``)."""
        own = self._bag_of[text]
        if (own, often) not in self._words:
            seen = self._seen
            words = [seen.setdefault(each, len(seen)) for each in self._bags[own].beside(self._often[often])]
            self._words[own, often] = words
        return self._plain[own], tuple(sorted(zip(self._words[own, often], self._kinds[text], strict=True)))


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
    answer = np.zeros(len(labels), np.int64)
    for tally, known, place in _tables(levels, labels, instances, int(labels.max(initial=0)) + 1):
        answer = np.where(known[place], tally.argmax(axis=1)[place], answer)
    return answer


def counted(levels: Sequence[Numbers], labels: Numbers, instances: Numbers, count: int) -> Numbers:
    """(rows, labels) how often each label stands in the line of the table from which a row is answered.

    The arguments are those of :func:`predicted`; ``count``: the number of labels. Rows whose label is -1 are answered
    and not counted.
    """
    answer = np.zeros((len(labels), count), np.int64)
    for tally, known, place in _tables(levels, labels, instances, count):
        answer = np.where(known[place, None], tally[place], answer)
    return answer


def _tables(
    levels: Sequence[Numbers], labels: Numbers, instances: Numbers, count: int
) -> Iterator[tuple[Numbers, NDArray[np.bool_], Numbers]]:
    """The tables of all levels, the coarsest first, before which all rows have one key: (lines, labels) how often each
    label stands in a line, which is of a key and of a fold and counts the other folds; (lines,) whether rows are
    answered from it; (rows,) the line of each row. The arguments are those of :func:`counted`."""
    fold = instances % FOLDS
    labelled = np.flatnonzero(labels >= 0)
    for level, keys in enumerate([np.zeros(len(labels), np.int64), *reversed(levels)]):
        shape = FOLDS, int(keys.max(initial=0)) + 1, count
        place = fold * shape[1] + keys
        tally = np.bincount((place * count + labels)[labelled], minlength=prod(shape)).reshape(shape)
        tally = (tally.sum(axis=0) - tally).reshape(-1, count)  # of the other folds
        yield tally, tally.sum(axis=1) >= (KNOWN_FROM if level else 0), place
