"""What rules and readers that do not reason reach on a published set (`gramprobe.baselines`).

A rule answers from the words of a pair, a reader from the labels of pairs of other groups: those that the file says to
be made of the same words, else those with the same premise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from gramprobe.analysis.means import mean
from gramprobe.analysis.output.table import Interval
from gramprobe.baselines.rules import RULES
from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import TWO_WAY, Pair
from gramprobe.language import Language
from gramprobe.score.engines.reader import READERS, Rows

INTERVALS = "scipy"
"""The package that has the distributions of intervals; the core is installed without it."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A rule (`rule:overlap`) or reader (`reader:bag`), what it does, and the share of pairs that it labels as
    published, with its 95 % interval by group where there are enough groups and `INTERVALS` is installed. Where a rule
    says nothing it is wrong."""

    name: str
    about: str
    accuracy: Interval | float

    @property
    def value(self) -> float:
        """The share alone."""
        return self.accuracy.value if isinstance(self.accuracy, Interval) else self.accuracy


@dataclass(frozen=True, slots=True)
class Shallow:
    """Over how many pairs with a published label, in how many groups, with what share of the commonest label;
    ``absent``: the packages that are not installed, without which readers or intervals are left out."""

    rows: int
    groups: int
    majority: float
    reached: tuple[Reached, ...]
    absent: tuple[str, ...] = ()


def shallow(pairs: Sequence[Pair], language: Language) -> Shallow | None:
    """What each rule and reader reaches; readers and intervals whose package is not installed are left out. None
    without labels."""
    own = [pair for pair in pairs if pair.label is not None]
    if not own:
        return None
    numbers: dict[str, int] = {}
    groups = np.array([numbers.setdefault(pair.group or pair.premise, len(numbers)) for pair in own], np.int64)
    two_way = TWO_WAY[1]  # no entailment, which stands for whatever is not the first label
    labels = np.array([1 if pair.label == two_way else LABELS.index(str(pair.label)) for pair in own], np.int64)
    entailed = any(pair.label == two_way for pair in own)
    found = []
    for name, rule in zip(RULES, RULES.values(), strict=True):
        said = [rule.says(pair.premise, pair.hypothesis, language) for pair in own]
        answers = np.array([-1 if each is None else LABELS.index(each) for each in said], np.int64)
        found.append((f"rule:{name}", rule.about, answers))
    keys = [(str(number), pair.premise, pair.hypothesis) for number, pair in enumerate(own)]
    rows = Rows(keys, [{}] * len(own), labels, groups, language)
    wanted = {INTERVALS, *(reader.package for reader in READERS.values() if reader.package)}
    absent = tuple(sorted(package for package in wanted if find_spec(package) is None))
    for name, reader in zip(READERS, READERS.values(), strict=True):
        if reader.package not in absent:
            found.append((f"reader:{name}", f"It sees {reader.about}.", reader.sees(rows, {}).argmax(axis=1)))
    reached = []
    for name, about, answers in found:
        right = (answers == 0) == (labels == 0) if entailed else answers == labels
        share = (right & (answers >= 0)).astype(float)
        reached.append(Reached(name, about, float(share.mean()) if INTERVALS in absent else mean(share, groups)))
    return Shallow(len(own), len(numbers), float(np.bincount(labels).max() / len(own)), tuple(reached), absent)
