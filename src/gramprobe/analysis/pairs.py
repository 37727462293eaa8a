"""The labelled pairs of a dataset, with what readers and rules that do not reason answer to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.clusters import INSTANCE, clusters_in
from gramprobe.baselines import constituents, rules
from gramprobe.baselines.readers import TABLES, Text
from gramprobe.baselines.rules import RULES
from gramprobe.baselines.table import predicted
from gramprobe.baselines.views import Seen, levels
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.read import Dataset
from gramprobe.language import Language
from gramprobe.records import in_headline

if TYPE_CHECKING:
    import pyarrow as pa

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
    clusters: NDArray[Any]
    premises: list[str]
    hypotheses: list[str]
    draws: list[dict[str, str]]
    labels: Numbers
    guesses: dict[str, Numbers]
    said: dict[str, Numbers] = field(default_factory=dict)
    unlabelled: int = 0
    languages: Mapping[str, Language | None] = field(default_factory=dict)

    @cached_property
    def known(self) -> pa.Array:
        """(items,) the ids, to look for."""
        import pyarrow as pa

        return pa.array(self.ids, pa.string())

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


@dataclass(frozen=True, eq=False)
class Paradigm:
    """The pairs of one paradigm as readers and rules see them, read once for all models and studies.

    Attributes:
        ids: (rows,).
        tags: (rows,).
        instances: (rows,) numbers of the instances, in the order of the rows, which decides the folds.
        premises, hypotheses: (rows,).
        draws: (rows,) name of a draw -> word; the same object for the rows of an instance, where they are equal.
        labels: (rows,) names; None or empty where a row has none.
        conditions: (rows,) those of both sentences.
    """

    dataset: Dataset
    name: str
    ids: list[str]
    tags: list[str | None]
    instances: list[str]
    premises: list[str]
    hypotheses: list[str]
    draws: list[dict[str, str]]
    labels: list[str | None]
    conditions: list[tuple[Any, ...]]
    _levels: dict[str, list[Numbers]] = field(default_factory=dict)

    @cached_property
    def place(self) -> dict[str, int]:
        """Id -> row."""
        return {id_: row for row, id_ in enumerate(self.ids)}

    @cached_property
    def language(self) -> Language:
        return self.dataset.language(self.name)

    @cached_property
    def _texts(self) -> tuple[list[tuple[Text, ...]], list[tuple[Text, ...]]]:
        seen = Seen(self.dataset.words, self.language)
        return seen.texts(self.premises, self.draws), seen.texts(self.hypotheses, self.draws)

    def levels(self, reader: str) -> list[Numbers]:
        """What a reader sees of each row (`baselines.views.levels`)."""
        if reader not in self._levels:
            self._levels[reader] = levels(reader, *self._texts)
        return self._levels[reader]

    @cached_property
    def said(self) -> dict[str, Numbers]:
        """Rule -> (rows,) the label that it gives, or `SILENT`."""
        trees, known = constituents.Constituents(self.dataset.trees(self.name)), NUMBERS.__getitem__
        found = {
            name: np.fromiter(map(known, own), np.int64, len(own))
            for name, own in rules.said(RULES.values(), self.premises, self.hypotheses, self.language)
        }
        of_trees = (
            constituents.says(inside, one, other) if (inside := trees.inside(*pair)) is not None else None
            for one, other, pair in zip(self.premises, self.hypotheses, self.conditions, strict=True)
        )
        return {**found, constituents.NAME: np.fromiter(map(known, of_trees), np.int64, len(self.ids))}

    def guessed(self, reader: str, labels: Numbers, rows: Numbers) -> Numbers:
        """The label that a reader gives to some rows, learnt from their labels in the other folds of instances."""
        known: dict[str, int] = {}
        numbers = np.array([known.setdefault(self.instances[row], len(known)) for row in rows.tolist()], np.int64)
        return predicted([keys[rows] for keys in self.levels(reader)], labels, numbers)


@lru_cache(1 << 8)
def pairs_of(dataset: Dataset, name: str) -> Paradigm:
    """The pairs of a paradigm."""
    columns = ("id", "tag", "instance", "premise", "hypothesis", "label_name", *constituents.CONDITIONS)
    wanted = [column for column in (*columns, "draws") if column in dataset.columns(name)]
    read: dict[str, list[Any]] = {column: [] for column in (*columns, "draws")}
    for batch in dataset.rows(name, wanted):
        for column in read:
            values = batch.column(column) if column in wanted else None
            if column == "draws" and values is not None:
                read[column] += _by_instance(values, batch.column("instance").to_pylist())
            else:
                read[column] += [None] * batch.num_rows if values is None else values.to_pylist()
    conditions = list(zip(*(read[column] for column in constituents.CONDITIONS), strict=True))
    draws = [each or {} for each in read["draws"]]
    texts = (read["premise"], read["hypothesis"])
    return Paradigm(
        dataset, name, read["id"], read["tag"], read["instance"], *texts, draws, read["label_name"], conditions
    )


def _by_instance(draws: pa.Array, instances: list[str]) -> list[dict[str, str]]:
    """(rows,) the draws, which the rows of an instance share: one of each run of equal ones is read."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(draws):
        return []
    parts = [draws.field(n) for n in range(draws.type.num_fields)]
    new = pa.array([True, *(one != other for one, other in pairwise(instances))])
    for part in parts:
        differ = pc.not_equal(part[1:], part[:-1]) if len(part) > 1 else pa.array([], pa.bool_())
        new = pc.or_(new, pa.concat_arrays([pa.array([True]), pc.fill_null(differ, True)]))
    first = np.flatnonzero(new.to_numpy(zero_copy_only=False))
    shared = draws.take(pa.array(first)).to_pylist()
    return [shared[n] for n in (np.cumsum(new.to_numpy(zero_copy_only=False)) - 1).tolist()]


def items_of(dataset: Dataset, paradigms: Sequence[str], cluster: str = INSTANCE) -> Items:
    """The pairs of some paradigms that count in headline scores, with the answers of readers that were made within each
    paradigm of the other folds of instances (`baselines.table`). Pairs without the ``cluster`` are left out."""
    found = [_items(pairs_of(dataset, name), cluster) for name in paradigms]
    unlabelled = sum(own.unlabelled for own in found)
    known: dict[str, int] = {}
    clusters = [known.setdefault(each, len(known)) for own in found for each in own.clusters.tolist()]
    return Items(
        ids=[id_ for own in found for id_ in own.ids],
        paradigms=np.array([name for own, name in zip(found, paradigms, strict=True) for _ in own.ids], dtype=object),
        clusters=np.array(clusters, np.int64),
        premises=[text for own in found for text in own.premises],
        hypotheses=[text for own in found for text in own.hypotheses],
        draws=[draws for own in found for draws in own.draws],
        labels=np.concatenate([np.zeros(0, np.int64), *(own.labels for own in found)]),
        guesses={each: np.concatenate([own.guesses[each] for own in found]) for each in TABLES if found},
        said={each: np.concatenate([own.said[each] for own in found]) for each in tells_two() if found},
        unlabelled=unlabelled,
        languages={name: dataset.language(name) for name in paradigms},
    )


def _items(of: Paradigm, cluster: str) -> Items:
    """The items of one paradigm, with the names of their clusters."""
    clusters = clusters_in(of.dataset, of.name, cluster)
    counted = [
        row
        for row, (tag, together) in enumerate(zip(of.tags, clusters, strict=True))
        if in_headline(tag) and together is not None
    ]
    rows = np.array([row for row in counted if of.labels[row] in LABELS], np.int64)
    labels = np.array([NUMBERS[of.labels[row]] for row in rows.tolist()], np.int64)
    own = rows.tolist()
    return Items(
        ids=[of.ids[row] for row in own],
        paradigms=np.array([], dtype=object),
        clusters=np.array([clusters[row] for row in own], dtype=object),
        premises=[of.premises[row] for row in own],
        hypotheses=[of.hypotheses[row] for row in own],
        draws=[of.draws[row] for row in own],
        labels=labels,
        guesses={reader: of.guessed(reader, labels, rows) for reader in TABLES},
        said={rule: said[rows] for rule, said in of.said.items()},
        unlabelled=len(counted) - len(own),
    )
