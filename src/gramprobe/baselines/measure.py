"""The accuracy of every reader on the rows of a paradigm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.table import cross_validated
from gramprobe.baselines.views import READERS, Views
from gramprobe.items.decisions import Decisions
from gramprobe.items.label import PairLabels
from gramprobe.items.stream import Chunk

Numbers = NDArray[np.int64]

NORMAL_95 = 1.96
ROUNDING = 5e-4
"""An accuracy is declared and printed in thousandths: 2/3 is not above a declared 0.667."""


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


@dataclass(frozen=True, slots=True)
class Measured:
    """Accuracies: always the commonest label, and each reader by name."""

    majority: float
    readers: dict[str, Accuracy]

    def above(self, reader: str, limit: float) -> bool:
        """Whether the lower end of a reader's interval lies above a limit."""
        return self.readers[reader].low > limit + ROUNDING


def labels_of(decisions: Decisions, chunk: Chunk) -> Numbers:
    """(instances, pairs) numbers of labels."""
    columns = []
    for at, groups in enumerate(chunk.groups.parts):
        table = np.zeros(int(groups.max(initial=-1)) + 1, np.int64)
        for group in np.unique(groups).tolist():
            answer = decisions.answer(at, group)
            assert isinstance(answer, PairLabels)
            table[group] = answer.code
        columns.append(table[groups])
    return np.stack(columns, axis=1)


def measure(decisions: Decisions, chunk: Chunk) -> Measured:
    """The accuracies of all readers on the rows of some instances; rows that an instance does not give are left out."""
    labels = labels_of(decisions, chunk)
    count, pairs = labels.shape
    given = np.ones((count, pairs), np.bool_)
    if chunk.turns is not None:
        given = chunk.turns[:, None] == np.arange(pairs)
    rows = np.flatnonzero(given.reshape(-1))
    flat = labels.reshape(-1)[rows]
    instances = rows // pairs
    views = Views(decisions, chunk.draws)
    readers = {}
    for reader in READERS:
        by_pair = [views.levels(reader, pair) for pair in decisions.plan.paradigm.pairs]
        levels = [np.stack([keys[at] for keys in by_pair], axis=1).reshape(-1)[rows] for at in range(len(by_pair[0]))]
        levels = [np.unique(keys, return_inverse=True)[1] for keys in levels]
        readers[reader] = Accuracy.of(cross_validated(levels, flat, instances), instances)
    return Measured(float(np.bincount(flat).max() / len(flat)), readers)
