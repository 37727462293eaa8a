"""Parquet by content: the same rows in the same order as the JSON lines, and a schema and metadata that make every
reader see just these, whatever its bytes are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import BinaryIO

from gramprobe.dataset.parquet import wrong_schema
from gramprobe.dataset.verify.problems import Problems
from gramprobe.items.schema import COLUMNS, schema

BATCH = 4096
LARGEST = 64
"""How many times the bytes of the JSON lines its columns may say to take."""


def same_content(file: Path, name: str, stream: BinaryIO, count: int, task: str, problems: Problems) -> None:
    """Compare row by row with the next `count` JSON lines of a stream."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        length = os.fstat(stream.fileno()).st_size
        with pq.ParquetFile(file) as parquet:
            about = parquet.metadata
            size = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
            if about.num_rows != count or not 0 <= size <= LARGEST * length + (1 << 20):
                problems.add("E50", name, f"it has {about.num_rows:,} rows, the JSON lines {count:,}")
                return
            wanted = None
            number = 0
            for batch in parquet.iter_batches(batch_size=BATCH):
                for found in batch.to_pylist():
                    number += 1
                    row = json.loads(stream.readline())
                    if wanted is None:
                        wanted = schema(task, list(row.get("draws", ())))
                        wrong = wrong_schema(parquet, wanted)
                        if wrong:
                            problems.add("E50", name, wrong)
                            return
                    if found != row:
                        column = next((c for c in COLUMNS[task] if found.get(c) != row.get(c)), "")
                        reason = f"`{column}` is not that of line {number} of the JSON lines"
                        problems.add("E50", name, reason, id=str(row.get("id", "")))
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        problems.add("E50", name, f"it cannot be read: {error}")
