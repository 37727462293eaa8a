"""The labelled pairs of a dataset, with what readers and rules that do not reason answer to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.clusters import INSTANCE, cluster_values, source
from gramprobe.baselines import constituents
from gramprobe.baselines.readers import TABLES
from gramprobe.baselines.rules import RULES
from gramprobe.baselines.seen import Seen, levels
from gramprobe.baselines.table import predicted
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.read import Dataset
from gramprobe.language import Language
from gramprobe.records import in_headline

Numbers = NDArray[np.int64]
SILENT = len(LABELS)
"""What a rule answers where it says nothing."""
NUMBERS: dict[str | None, int] = {None: SILENT, **{label: n for n, label in enumerate(LABELS)}}


@dataclass(frozen=True)
class Items:
    """The labelled pairs of a dataset, and what each reader answers.

    Attributes:
        ids: (items,).
        paradigms: (items,) their names.
        instances: (items,).
        clusters: (items,) which belong together: the instance of a paradigm, or the value of another cluster.
        premises: (items,).
        hypotheses: (items,).
        draws: (items,) name of a draw -> word.
        labels: (items,) numbers in `LABELS`.
        guesses: reader -> (items,) the label that it gives.
        said: rule -> (items,) the label that it gives, or `SILENT`.
        unlabelled: how many pairs have no label and are left out.
        languages: paradigm -> the language of its sentences.
    """

    ids: list[str]
    paradigms: NDArray[np.object_]
    instances: NDArray[np.object_]
    clusters: NDArray[np.object_]
    premises: list[str]
    hypotheses: list[str]
    draws: list[dict[str, str]]
    labels: Numbers
    guesses: dict[str, Numbers]
    said: dict[str, Numbers] = field(default_factory=dict)
    unlabelled: int = 0
    languages: Mapping[str, Language | None] = field(default_factory=dict)

    def groups(self) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """Each paradigm with (items,) whether they are its own; `all` behind several."""
        names = list(dict.fromkeys(self.paradigms.tolist()))
        for name in names:
            yield name, self.paradigms == name
        if len(names) > 1:
            yield "all", np.ones(len(self.ids), np.bool_)


def tells_two() -> dict[str, bool]:
    """Rule -> whether it only tells entailment from its absence."""
    return {**{rule.name: rule.two for rule in RULES.values()}, constituents.NAME: True}


def about_rules() -> dict[str, str]:
    """Rule -> what it does, as a sentence."""
    return {**{rule.name: rule.about for rule in RULES.values()}, constituents.NAME: constituents.ABOUT}


def items_of(dataset: Dataset, paradigms: Sequence[str], cluster: str = INSTANCE) -> Items:
    """The pairs of some paradigms that count in headline scores, with the answers of readers that were made within each
    paradigm of the other folds of instances (`baselines.table`). Pairs without the ``cluster`` are left out."""
    columns = ("id", "instance", "tag", "premise", "hypothesis", "label_name", "draws", *constituents.CONDITIONS)
    rows, names, clusters = [], [], []
    unlabelled = 0
    for name in paradigms:
        sources = [each.partition(".")[::2] for each in source(dataset, name, cluster)]
        wanted = dict.fromkeys((*columns, *(column for column, _ in sources)))
        for batch in dataset.rows(name, [column for column in wanted if column in dataset.columns(name)]):
            own = batch.to_pylist()
            values = [[row["draws"].get(draw) if draw else row.get(column) for row in own] for column, draw in sources]
            for row, together in zip(own, cluster_values(dataset, name, cluster, values), strict=True):
                if not in_headline(row.get("tag")) or together is None:
                    continue
                if row.get("label_name") in LABELS:
                    rows.append(row)
                    names.append(name)
                    clusters.append(together)
                else:
                    unlabelled += 1
    items = Items(
        ids=[row["id"] for row in rows],
        paradigms=np.array(names, dtype=object),
        instances=np.array([row["instance"] for row in rows], dtype=object),
        clusters=np.array(clusters, dtype=object),
        premises=[row["premise"] for row in rows],
        hypotheses=[row["hypothesis"] for row in rows],
        draws=[row["draws"] for row in rows],
        labels=np.array([LABELS.index(row["label_name"]) for row in rows], np.int64),
        guesses={},
        unlabelled=unlabelled,
        languages={name: dataset.language(name) for name in paradigms},
    )
    conditions = [tuple(map(row.get, constituents.CONDITIONS)) for row in rows]
    return replace(items, guesses=guessed(items, dataset), said=said_by_rules(items, conditions, dataset))


def guessed(items: Items, dataset: Dataset, readers: Sequence[str] = TABLES) -> dict[str, Numbers]:
    """Reader -> (items,) the label that it gives, learnt from the labels of the other folds of instances."""
    guesses = {reader: np.zeros(len(items.labels), np.int64) for reader in readers}
    for name in dict.fromkeys(items.paradigms.tolist()):
        at = np.flatnonzero(items.paradigms == name)
        seen = Seen(dataset.words, items.languages[name])
        known: dict[str, int] = {}  # in the order of the rows, which decides the folds
        numbers = np.array([known.setdefault(each, len(known)) for each in items.instances[at].tolist()], np.int64)
        drawn = [items.draws[i] for i in at.tolist()]
        texts = ([column[i] for i in at.tolist()] for column in (items.premises, items.hypotheses))
        left, right = (seen.texts(column, drawn) for column in texts)
        for reader in readers:
            guesses[reader][at] = predicted(levels(reader, left, right), items.labels[at], numbers)
    return guesses


@lru_cache(1 << 16)
def _rules_say(premise: str, hypothesis: str, language: Language | None, rules: tuple[str, ...]) -> tuple[int, ...]:
    """What each rule says of a pair: several models and studies ask for the same pairs."""
    return tuple(NUMBERS[RULES[name].says(premise, hypothesis, language)] for name in rules)


def said_by_rules(items: Items, conditions: Sequence[tuple[Any, ...]], dataset: Dataset) -> dict[str, Numbers]:
    """Rule -> (items,) the label that it gives, or `SILENT`. ``conditions``: (items,) those of both sentences."""
    texts = list(zip(items.premises, items.hypotheses, strict=True))
    names = items.paradigms.tolist()
    rules, of = tuple(RULES), items.languages
    read = [_rules_say(one, other, of[name], rules) for name, (one, other) in zip(names, texts, strict=True)]
    said = {rule: [each[n] for each in read] for n, rule in enumerate(rules)}
    trees = {name: constituents.Constituents(dataset.trees(name)) for name in dict.fromkeys(names)}
    said[constituents.NAME] = []
    for name, pair, (one, other) in zip(names, conditions, texts, strict=True):
        inside = trees[name].inside(*pair)
        said[constituents.NAME].append(SILENT if inside is None else NUMBERS[constituents.says(inside, one, other)])
    return {rule: np.array(answers, np.int64) for rule, answers in said.items()}
