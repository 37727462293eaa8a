"""The items that are scored: rows of a dataset folder or of a plain file, in shards of whole instances.

A shard is the unit of work, of resuming and of files. The shards are a function of the dataset and the settings
(paradigms, splits, total, seed) alone.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from gramprobe.dataset.manifest import Word
from gramprobe.language import Language
from gramprobe.records import Scored

if TYPE_CHECKING:
    from gramprobe.dataset.read import Dataset

SHARD = 2048
"""The largest number of items in a shard, but for an instance that has more."""
NOT_SCORED = ("train",)
"""Splits that are there to be trained on: their rows are not scored."""


@dataclass(frozen=True, slots=True)
class Item:
    """One row: its id, its instance, where it stands (a file and a line from 1 on), and its columns."""

    id: str
    instance: str
    place: tuple[str, int]
    row: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one paradigm (or of a plain file), which all are of one task.

    Attributes:
        name: the paradigm's name, or the file's without its suffix.
        task: the name of the task.
        scored: the columns that a model reads and is scored on.
        columns: the names of all columns.
        labels: the names of the numbers in the column of the label; empty if the answer is no label.
        language: how its texts are written; None of a plain file, which is taken for English.
        package: the package that has the task, with its version; empty for a task of gramprobe.
    """

    name: str
    task: str
    scored: Scored
    columns: tuple[str, ...]
    labels: tuple[str, ...] = ()
    language: Language | None = None
    package: str = ""


class Source(Protocol):
    """A dataset folder or a plain file.

    Attributes:
        name: the folder's or file's name.
        sha256: hex; of a dataset, of its manifest, which has the hashes of its files.
        tables: its tables by name.
        words: the words that its rows draw, by id; none in a plain file.
    """

    @property
    def name(self) -> str: ...

    @property
    def sha256(self) -> str: ...

    @property
    def tables(self) -> Mapping[str, Table]: ...

    @property
    def words(self) -> Mapping[str, Word]: ...

    def trees(self, table: str) -> Mapping[str, Any]:
        """Condition -> its tree as in `design.json`; none in a plain file."""

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Item]:
        """The rows of a table in order, with these columns; rows that are there to be trained on are left out."""


class DatasetSource:
    """A dataset folder, or what was read of it. Raises UsageError (E44) for a folder that is not a dataset, or is
    damaged."""

    def __init__(self, given: Path | Dataset) -> None:
        from gramprobe.dataset.manifest import MANIFEST
        from gramprobe.dataset.read import read
        from gramprobe.records import sha256_of

        self.dataset = read(given) if isinstance(given, Path) else given
        self.name = self.dataset.folder.resolve().name
        self.sha256 = sha256_of(self.dataset.folder / MANIFEST)
        self.tables = {name: self._table(name) for name in self.dataset.paradigms}
        self.words: Mapping[str, Word] = self.dataset.words

    def _table(self, name: str) -> Table:
        from msgspec import UNSET

        dataset = self.dataset
        task, columns = dataset.tasks[name], dataset.columns(name)
        design = dataset.design(name)
        values = {column.name: () if column.values is UNSET else tuple(column.values) for column in design.columns}
        labels = next((values[column] for column in design.scored.label if values.get(column)), ())
        packages = dataset.manifest.packages
        package = "" if packages is UNSET else packages.get("task", {}).get(task, "")
        return Table(name, task, design.scored, columns, labels, dataset.language(name), package)

    def trees(self, table: str) -> Mapping[str, Any]:
        return self.dataset.trees(table)

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Item]:
        for split in self.dataset.splits(table):
            if split not in NOT_SCORED:
                yield from self.split(table, split, columns)

    def split(self, table: str, split: str, columns: Sequence[str]) -> Iterator[Item]:
        """The rows of one split of a table in order, with these columns, whether they are to be scored or not."""
        wanted = list(dict.fromkeys(["id", "instance", *columns]))
        sizes = self.dataset.splits(table)
        names = list(sizes)
        number = sum(sizes[name] for name in names[: names.index(split)])
        for batch in self.dataset.rows(table, wanted, split=split):
            for row in batch.to_pylist():
                number += 1
                yield Item(row["id"], row["instance"], (f"items/{table}.jsonl", number), row)


@dataclass(frozen=True, slots=True)
class Shard:
    """A run of whole instances of one table.

    Attributes:
        name: `<table>-<number>`, the stem of its file.
        items: its items, in the order of the table.
    """

    name: str
    table: str
    items: tuple[Item, ...]


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which items of a source a run scores.

    Attributes:
        source: where they are from.
        tables: the names of the tables.
        columns: table -> the columns to read.
        total: the number of instances over all tables, in proportion to their sizes; None for all.
        seed: which instances are taken, if not all.
        size: the largest number of items in a shard.
        held_out: table -> instances that are not scored: examples are taken from them.
    """

    source: Source
    tables: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    total: int | None = None
    seed: int = 0
    size: int = SHARD
    held_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    _chosen: dict[str, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)

    def shards(self) -> Iterator[Shard]:
        """The shards in order. Reads the source anew with each call; one shard at a time is in memory."""
        for table in self.tables:
            yield from self.shards_of(table)

    def shards_of(self, table: str) -> Iterator[Shard]:
        """The shards of one table in order."""
        for number, items in enumerate(_pieces(self._items(table), self.size)):
            yield Shard(f"{table}-{number:05d}", table, items)

    def _items(self, table: str) -> Iterable[Item]:
        kept = self.held_out.get(table, frozenset())
        rows = self.source.rows(table, self.columns[table])
        items = (item for item in rows if item.instance not in kept) if kept else rows
        if self.total is None:
            return items
        chosen = self._instances()[table]
        return (item for item in items if item.instance in chosen)

    def _instances(self) -> Mapping[str, frozenset[str]]:
        """Table -> the instances that are taken. Those of a smaller total are among those of a larger one, as far as
        the shares of the tables allow."""
        if not self._chosen:
            sizes = Counter[str]()
            for table in self.tables:
                sizes[table] = sum(1 for _ in self._each_instance(table))
            for table, count in shares(sizes, self.total or 0).items():
                self._chosen[table] = frozenset(ranked(self._each_instance(table), count, self.seed, table))
        return self._chosen

    def _each_instance(self, table: str) -> Iterator[str]:
        before = None
        kept = self.held_out.get(table, frozenset())
        for item in self.source.rows(table, ()):
            if item.instance != before:
                before = item.instance
                if before not in kept:
                    yield before


class Finder:
    """Finds the shards of a selection by their names: at no cost beyond reading if they are asked for in order."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._table = ""
        self._next = 0
        self._rest: Iterator[Shard] = iter(())

    def shard(self, name: str) -> Shard | None:
        """The shard of a name; None if there is none."""
        table, _, number = name.rpartition("-")
        if table not in self._selection.tables or not number.isdecimal():
            return None
        if table != self._table or int(number) < self._next:
            self._table, self._next, self._rest = table, 0, self._selection.shards_of(table)
        for shard in self._rest:
            self._next += 1
            if shard.name == name:
                return shard
        self._table = ""
        return None


def ranked(instances: Iterable[str], count: int, seed: int, table: str) -> list[str]:
    """``count`` of the instances in an order that the seed decides. Fewer are the first of more."""

    def rank(instance: str) -> bytes:
        return blake2b(f"{seed}\n{table}\n{instance}".encode(), digest_size=16).digest()

    return heapq.nsmallest(count, instances, key=rank)


def shares(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """How many of ``total`` each name gets in proportion to its size: largest remainders, ties to the earlier name.

    At most its size; the sum is ``total`` or the sum of all sizes, whichever is smaller.
    """
    whole = sum(sizes.values())
    total = min(total, whole)
    given = {name: size * total // whole for name, size in sizes.items()} if whole else dict.fromkeys(sizes, 0)
    order = sorted(sizes, key=lambda name: -(sizes[name] * total % whole if whole else 0))
    for name in order[: total - sum(given.values())]:
        given[name] += 1
    return given


def _pieces(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """Whole instances together, at most ``size`` items or one instance. Items of an instance stand together."""
    piece: list[Item] = []
    for _, own in groupby(items, key=lambda item: item.instance):
        instance = list(own)
        if piece and len(piece) + len(instance) > size:
            yield tuple(piece)
            piece = []
        piece += instance
    if piece:
        yield tuple(piece)
