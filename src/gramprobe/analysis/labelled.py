"""The labelled pairs of a dataset, with what readers and rules that do not reason answer to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.runs import LABELS
from gramprobe.baselines import constituents
from gramprobe.baselines.readers import READERS
from gramprobe.baselines.rules import RULES
from gramprobe.baselines.seen import Seen, levels
from gramprobe.baselines.table import predicted
from gramprobe.dataset.read import Dataset

Numbers = NDArray[np.int64]
TELLS_TWO = {**{rule.name: rule.two for rule in RULES.values()}, constituents.NAME: True}
"""Rule -> whether it only tells entailment from its absence."""
ABOUT = {**{rule.name: rule.about for rule in RULES.values()}, constituents.NAME: constituents.ABOUT}
"""Rule -> what it does, as a sentence."""
SILENT = len(LABELS)
"""What a rule answers where it says nothing."""


@dataclass(frozen=True)
class Items:
    """The labelled pairs of a dataset, and what each reader answers.

    Attributes:
        ids: (items,).
        paradigms: (items,) their names.
        instances: (items,).
        premises: (items,).
        hypotheses: (items,).
        draws: (items,) name of a draw -> word.
        labels: (items,) numbers in `LABELS`.
        guesses: reader -> (items,) the label that it gives.
        said: rule -> (items,) the label that it gives, or `SILENT`.
        unlabelled: how many pairs have no label and are left out.
    """

    ids: list[str]
    paradigms: NDArray[np.object_]
    instances: NDArray[np.object_]
    premises: list[str]
    hypotheses: list[str]
    draws: list[dict[str, str]]
    labels: Numbers
    guesses: dict[str, Numbers]
    said: dict[str, Numbers] = field(default_factory=dict)
    unlabelled: int = 0


def items_of(dataset: Dataset, paradigms: Sequence[str]) -> Items:
    """The pairs of some paradigms, with the answers of readers that were made within each paradigm of the other folds
    of instances (`baselines.table`)."""
    columns = ("id", "instance", "premise", "hypothesis", "label_name", "draws", *constituents.CONDITIONS)
    rows, names = [], []
    unlabelled = 0
    for name in paradigms:
        for batch in dataset.rows(name, [c for c in columns if c in dataset.columns(name)]):
            for row in batch.to_pylist():
                if row.get("label_name") in LABELS:
                    rows.append(row)
                    names.append(name)
                else:
                    unlabelled += 1
    labels = np.array([LABELS.index(row["label_name"]) for row in rows], np.int64)
    premises, hypotheses = ([row[name] for row in rows] for name in ("premise", "hypothesis"))
    draws = [row["draws"] for row in rows]
    of = np.array(names, dtype=object)
    seen = Seen(dataset.words)
    guesses = {reader: np.zeros(len(rows), np.int64) for reader in READERS}
    for name in dict.fromkeys(names):
        at = np.flatnonzero(of == name)
        known: dict[str, int] = {}
        numbers = np.array([known.setdefault(rows[i]["instance"], len(known)) for i in at.tolist()], np.int64)
        drawn = [draws[i] for i in at.tolist()]
        left, right = (seen.texts([column[i] for i in at.tolist()], drawn) for column in (premises, hypotheses))
        for reader in READERS:
            guesses[reader][at] = predicted(levels(reader, left, right), labels[at], numbers)
    instances = np.array([row["instance"] for row in rows], dtype=object)
    ids = [row["id"] for row in rows]
    texts = list(zip(premises, hypotheses, strict=True))
    numbered: dict[str | None, int] = {None: SILENT, **{label: n for n, label in enumerate(LABELS)}}
    said = {
        rule.name: np.array([numbered[rule.says(one, other)] for one, other in texts], np.int64)
        for rule in RULES.values()
    }
    trees = {name: _constituents(dataset, name) for name in dict.fromkeys(names)}
    inside = [trees[name].inside(*map(row.get, constituents.CONDITIONS)) for name, row in zip(names, rows, strict=True)]
    said[constituents.NAME] = np.array(
        [
            SILENT if known is None else numbered[constituents.says(known, one, other)]
            for known, (one, other) in zip(inside, texts, strict=True)
        ],
        np.int64,
    )
    return Items(ids, of, instances, premises, hypotheses, draws, labels, guesses, said, unlabelled)


def _constituents(dataset: Dataset, name: str) -> constituents.Constituents:
    """Which conditions of a paradigm are constituents of which; nothing is known where there is no design."""
    conditions = () if dataset.designs is None else dataset.design(name).conditions
    return constituents.Constituents({condition.name: condition.tree for condition in conditions})
