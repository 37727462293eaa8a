"""Write the rows of a paradigm to its files, chunk by chunk: canonical JSON lines with their hash, and Parquet.

Lines and tables of a chunk are made and written in two threads (Arrow, the hash and the disk work outside Python's
lock) while the next chunk is drawn; at most :data:`AHEAD` chunks are in memory, however many rows there are.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute  # else both threads of `Files` import it, and hang where an import was interrupted
import pyarrow.parquet as pq

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.gates import Gates
from gramprobe.dataset.manifest import parquet_file
from gramprobe.dataset.report import Report
from gramprobe.dataset.schema import schema
from gramprobe.dataset.twins import PairsOf
from gramprobe.items.cells import Row, lines, table
from gramprobe.items.rows import Chunk, Rows
from gramprobe.items.stream import Stream
from gramprobe.items.tasks import task_of
from gramprobe.progress import report_progress

AHEAD = 3
"""The largest number of chunks that wait to be written."""
WRITING: dict[str, Any] = {"compression": "zstd", "write_statistics": False}
"""The options with which Parquet is written: what readers skip rows by is left out, and refused (`dataset.footer`)."""
TABLE = 1 << 17
"""The largest number of rows of an Arrow table."""


def items_file(paradigm: str) -> str:
    """The name of a paradigm's JSON lines in its dataset folder."""
    return f"items/{paradigm}.jsonl"


def write(stream: Stream, folder: Path, report: Report, gates: Gates, pairs: PairsOf) -> str:
    """Write the items of a paradigm and return the SHA-256 of the JSON lines.

    ``report``, ``gates`` and ``pairs`` get every chunk. Stops early if there are errors in ``stream.findings``. Raises
    OSError.
    """
    name = stream.plan.paradigm.name
    (folder / "items").mkdir(exist_ok=True)
    (folder / "parquet" / name).mkdir(parents=True)
    with Files(stream, folder / items_file(name), lambda *part: folder / part_file(name, *part)) as files:
        wanted, done = stream.plan.space.size if stream.count is None else stream.count, 0
        for chunk in stream.chunks():
            if stream.stopped():
                break
            done += len(chunk)
            report_progress(f"{name}: instances", done, wanted)
            report.add(chunk)
            files.write(chunk)
            gates.read(chunk)
            pairs.add(chunk)
            if stream.stopped():
                break
    name_parquet(folder, name)
    if not stream.stopped():
        gates.end()
    return files.sha256


def part_file(paradigm: str, split: str, part: int) -> str:
    """The name of a Parquet file until it is known how many the split has."""
    return f"parquet/{paradigm}/{split}-{part:05d}.parquet"


def name_parquet(folder: Path, paradigm: str) -> None:
    """Give the Parquet files of a paradigm their names, when all of them are there."""
    by_split: dict[str, list[Path]] = {}
    for file in sorted((folder / "parquet" / paradigm).iterdir()):
        by_split.setdefault(file.stem.rpartition("-")[0], []).append(file)
    for split, files in by_split.items():
        for number, file in enumerate(files):
            file.rename(folder / parquet_file(paradigm, split, number, len(files)))


class Files:
    """The open files of a paradigm; two threads write to them, one file each.

    ``lines``: the file of the JSON lines. ``parquet``: gives the Parquet file of a part of a split.
    """

    def __init__(self, stream: Stream, lines: Path, parquet: Callable[[str, int], Path]):
        paradigm = stream.plan.paradigm
        self.task = task_of(paradigm)
        self._place, self._parquet = lines, parquet
        self.rows = Rows(stream.decisions, self.task)
        self.schema = schema(columns_of(self.task), paradigm.draw_fields)
        self._digest = hashlib.sha256()
        self._waiting: deque[list[Future[None]]] = deque()
        self._open = ExitStack()
        self._part = ("", -1)
        self._writer: pq.ParquetWriter | None = None

    def __enter__(self) -> Files:
        self._lines = self._open.enter_context(self._place.open("wb"))
        # threads end before files are closed: what is entered last is left first
        self._open.callback(self._close)
        self._one = self._open.enter_context(ThreadPoolExecutor(max_workers=1))
        self._other = self._open.enter_context(ThreadPoolExecutor(max_workers=1))
        return self

    def __exit__(self, *failure: object) -> None:
        try:
            if failure[0] is None:
                self._wait(0)
        finally:
            for futures in self._waiting:  # Ctrl-C or a full disk: writes that have not begun are dropped
                for future in futures:
                    future.cancel()
            self._open.close()

    @property
    def sha256(self) -> str:
        """The SHA-256 of the lines."""
        return self._digest.hexdigest()

    def write(self, chunk: Chunk) -> None:
        """Write a chunk in the background."""
        self.put(self.rows.cells(chunk), chunk)

    def put(self, rows: list[Row], chunk: Chunk) -> None:
        """The same, where the cells of its rows are there already."""
        self._waiting.append(
            [
                self._one.submit(self._write_lines, rows, chunk),
                self._other.submit(self._write_tables, rows, chunk),
            ]
        )
        self._wait(AHEAD)

    def _wait(self, most: int) -> None:
        while len(self._waiting) > most:
            for future in self._waiting.popleft():
                future.result()

    def _write_lines(self, rows: list[Row], chunk: Chunk) -> None:
        for buffer in lines(rows, len(chunk), self.task.columns, chunk.kept):
            self._digest.update(buffer)
            self._lines.write(buffer)

    def _write_tables(self, rows: list[Row], chunk: Chunk) -> None:
        if self._part != (chunk.split, chunk.part) or self._writer is None:
            self._close()
            self._part = chunk.split, chunk.part
            self._writer = pq.ParquetWriter(self._parquet(*self._part), self.schema, **WRITING)
        for each in tables(rows, chunk, self.schema):
            self._writer.write_table(each)

    def _close(self) -> None:
        """Finish the Parquet file that is open, if there is one. Splits and their parts follow one another."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def tables(rows: list[Row], chunk: Chunk, columns: pa.Schema) -> Iterator[pa.Table]:
    """The rows of a chunk as Arrow tables of at most :data:`TABLE` rows."""
    size = max(1, TABLE // (len(rows) if chunk.kept is None else int(chunk.kept.sum(axis=1).max(initial=1))))
    for start in range(0, len(chunk), size):
        stop = min(start + size, len(chunk))
        kept = None if chunk.kept is None else chunk.kept[start:stop]
        yield table(rows, stop - start, columns, kept, start)


def table_of(stream: Stream, chunk: Chunk) -> pa.Table:
    """The rows of a chunk as one Arrow table, without writing any."""
    paradigm = stream.plan.paradigm
    task = task_of(paradigm)
    columns = schema(columns_of(task), paradigm.draw_fields)
    parts = list(tables(Rows(stream.decisions, task).cells(chunk), chunk, columns))
    return pa.concat_tables(parts) if parts else columns.empty_table()
