"""The items of a paradigm to its files, chunk by chunk: canonical JSON lines with their hash, and Parquet.

Lines and tables of a chunk are made and written in two threads (Arrow, the hash and the disk work outside Python's
lock) while the next chunk is drawn; at most :data:`AHEAD` chunks are in memory, however many rows there are.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from gramprobe.dataset.gates import articles, spelling
from gramprobe.dataset.gates.reason import Reason
from gramprobe.items.cells import Row, lines, table
from gramprobe.items.drafted import Chunk, Drafted
from gramprobe.items.schema import COLUMNS, schema
from gramprobe.items.task_rows import Items
from gramprobe.items.trust import rests_on_trust
from gramprobe.source import messages

AHEAD = 3
"""Chunks that wait to be written."""
GATED = 1 << 17
"""Instances whose sentences are read by the gates: the first ones; the others are made of the same words."""


@dataclass
class Tally:
    """What is counted while rows are written."""

    rows: int = 0
    fits: Counter[str] = field(default_factory=Counter)
    certificates: Counter[str] = field(default_factory=Counter)
    drawn: dict[str, NDArray[np.bool_]] = field(default_factory=dict)
    allowed: dict[str, list[str]] = field(default_factory=dict)

    @property
    def on_trust(self) -> int:
        return sum(rows for kind, rows in self.certificates.items() if rests_on_trust(kind))


def write(drafted: Drafted, folder: Path) -> tuple[str, Tally]:
    """Write `items/<paradigm>.jsonl` and `parquet/<paradigm>/<split>-...`; the SHA-256 of the lines, and the counts.

    Stops early where something stands against the items (`drafted.findings`). Raises OSError.
    """
    plan, tally = drafted.plan, Tally()
    paradigm = plan.paradigm
    made = Items(plan, drafted.accounts)
    columns = schema(paradigm.task, [d.name for d in paradigm.draws])
    file = folder / "items" / f"{paradigm.name}.jsonl"
    parquet = folder / "parquet" / paradigm.name / f"{paradigm.split}-00000-of-00001.parquet"
    file.parent.mkdir(exist_ok=True)
    parquet.parent.mkdir(parents=True)
    digest = hashlib.sha256()
    with ExitStack() as open_:
        stream = open_.enter_context(file.open("wb"))
        writer = open_.enter_context(pq.ParquetWriter(parquet, columns, compression="zstd"))

        def write_lines(rows: list[Row], count: int) -> None:
            for buffer in lines(rows, count, COLUMNS[paradigm.task]):
                digest.update(buffer)
                stream.write(buffer)

        def write_table(rows: list[Row], count: int) -> None:
            writer.write_table(table(rows, count, columns))

        one = open_.enter_context(ThreadPoolExecutor(max_workers=1))
        other = open_.enter_context(ThreadPoolExecutor(max_workers=1))
        waiting: deque[list[Future[None]]] = deque()
        for chunk in drafted.chunks():
            rows = made.rows(chunk.draws, chunk.groups, chunk.preferred)
            tally.rows += len(rows) * len(chunk)
            count(drafted, chunk, tally, len(rows))
            waiting.append([one.submit(write_lines, rows, len(chunk)), other.submit(write_table, rows, len(chunk))])
            gate(drafted, chunk, tally)
            while len(waiting) > AHEAD:
                _done(waiting.popleft())
            if drafted.findings.failed:
                break
        while waiting:
            _done(waiting.popleft())
    return digest.hexdigest(), tally


def _done(futures: list[Future[None]]) -> None:
    for future in futures:
        future.result()


def count(drafted: Drafted, chunk: Chunk, tally: Tally, each: int) -> None:
    """Add the rows of a chunk (`each` an instance) to the tally."""
    for group, number in enumerate(np.bincount(chunk.groups).tolist()):
        if not number:
            continue
        found = drafted.accounts[group]
        tally.certificates[found.certificate] += number * each
        for (left, right), ids in found.holds.items():
            tally.fits[f"{left} => {right}: {', '.join(ids) or 'none'}"] += number
    for name, slot in drafted.plan.space.slots.items():
        if slot.is_feature:
            continue
        size = len(drafted.plan.grammar.categories[slot.category].lexemes)
        mask = tally.drawn.setdefault(name, np.zeros(size + 1, np.bool_))
        mask[chunk.draws.columns[name]] = True


def content_words(drafted: Drafted, tally: Tally) -> int:
    """How many different lexemes were drawn."""
    by_category: dict[str, NDArray[np.bool_]] = {}
    for name, mask in tally.drawn.items():
        category = drafted.plan.space.slots[name].category
        by_category[category] = by_category.get(category, np.zeros(len(mask), np.bool_)) | mask
    return sum(int(mask[:-1].sum()) for mask in by_category.values())


class Sentences:
    """The sentences of a chunk as the gates read them."""

    def __init__(self, drafted: Drafted, chunk: Chunk):
        self.plan, self.paradigm, self.count = drafted.plan, drafted.plan.paradigm, len(chunk)
        realiser = self.plan.realiser
        self.sentences = {
            name: realiser.sentences(condition, chunk.draws)
            for name, condition in self.paradigm.conditions.items()
            if condition.side != "candidate"
        }
        self.words_cache: Any = None


def gate(drafted: Drafted, chunk: Chunk, tally: Tally) -> None:
    """Sentences are spelt as sentences are; what a paradigm lets pass is kept for the card."""
    if drafted.taken > GATED:
        return
    read: Any = Sentences(drafted, chunk)
    for name, check in (("spelling", spelling.check), ("articles", articles.check)):
        for reason in check(read):
            _refuse(drafted, tally, name, reason)


def _refuse(drafted: Drafted, tally: Tally, name: str, reason: Reason) -> None:
    paradigm = drafted.plan.paradigm
    if name in paradigm.allows:
        tally.allowed.setdefault(name, [paradigm.allows[name]]).append(reason.what)
        return
    drafted.findings.add(messages.build.gate(paradigm.span, name, reason.what, reason.examples, reason.help))


def sample(drafted: Drafted) -> Iterator[Any]:
    """Arrow tables of the items, without writing any."""
    paradigm = drafted.plan.paradigm
    made = Items(drafted.plan, drafted.accounts)
    columns = schema(paradigm.task, [d.name for d in paradigm.draws])
    for chunk in drafted.chunks():
        yield table(made.rows(chunk.draws, chunk.groups, chunk.preferred), len(chunk), columns)
