"""Check Parquet files by content: the same rows in the same order as the JSON lines, and a schema and metadata with
which every reader gets these rows. The bytes may differ."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.parquet import unlike_built
from gramprobe.dataset.schema import schema
from gramprobe.dataset.verify.problems import Problems
from gramprobe.items.tasks import TASKS

BATCH = 4096
LARGEST = 64
"""The largest size of a file's columns by its own metadata, in multiples of the bytes of the JSON lines."""


def _too_large(parquet: pq.ParquetFile, length: int) -> bool:
    """Whether the columns of a file take far more memory, by its metadata, than JSON lines of this length."""
    about = parquet.metadata
    size = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    return not 0 <= size <= LARGEST * length + (1 << 20)


class ParquetRows:
    """Compares the rows of a Parquet file with the expected rows, table by table.

    ``length``: bytes of the JSON lines, which limits the memory that the file may take.
    """

    def __init__(self, file: Path, columns: pa.Schema, length: int):
        self.columns = columns
        self._left: pa.Table = columns.empty_table()
        self._batches: Iterator[pa.RecordBatch] | None = None
        try:
            parquet = pq.ParquetFile(file)
            if not _too_large(parquet, length) and not unlike_built(file, parquet, columns):
                self._batches = parquet.iter_batches(batch_size=1 << 14)
        except (pa.ArrowException, OSError, ValueError):
            pass

    def has(self, table: pa.Table) -> bool:
        """Whether the next rows of the file are those of a table."""
        if self._batches is None:
            return False
        try:
            while len(self._left) < len(table):
                batch = next(self._batches, None)
                if batch is None:
                    return False
                self._left = pa.concat_tables([self._left, pa.Table.from_batches([batch]).cast(self.columns)])
        except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError):
            return False
        there, self._left = self._left.slice(0, len(table)), self._left.slice(len(table))
        return bool(there.equals(table.replace_schema_metadata(self.columns.metadata)))

    @property
    def at_end(self) -> bool:
        """Whether no rows are left."""
        try:
            return self._batches is not None and not len(self._left) and next(self._batches, None) is None
        except (pa.ArrowException, OSError, ValueError):
            return False


def same_content(file: Path, name: str, stream: BinaryIO, count: int, task: str, problems: Problems) -> None:
    """Compare a file row by row with the next ``count`` JSON lines of a stream; the file is reported as ``name``."""
    try:
        length = os.fstat(stream.fileno()).st_size
        with pq.ParquetFile(file) as parquet:
            rows = parquet.metadata.num_rows
            if rows != count or _too_large(parquet, length):
                problems.add("E50", name, f"it has {rows:,} rows, the JSON lines {count:,}")
                return
            wanted = None
            number = 0
            for batch in parquet.iter_batches(batch_size=BATCH):
                for stored in batch.to_pylist():
                    number += 1
                    row = json.loads(stream.readline())
                    if wanted is None:
                        wanted = schema(columns_of(TASKS[task]), list(row.get("draws", ())))
                        wrong = unlike_built(file, parquet, wanted)
                        if wrong:
                            problems.add("E50", name, wrong)
                            return
                    if stored != row:
                        column = next((c for c in TASKS[task].columns if stored.get(c) != row.get(c)), "")
                        reason = f"`{column}` is not that of line {number} of the JSON lines"
                        problems.add("E50", name, reason, id=str(row.get("id", "")))
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        problems.add("E50", name, f"it cannot be read: {error}")
