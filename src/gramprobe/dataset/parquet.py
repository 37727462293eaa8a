"""Whether a Parquet file is, apart from its rows, as a build writes it: its schema, and what it says beside its rows.

Readers rename, drop and convert columns by metadata: pandas by a key `pandas`, `datasets` by `huggingface`, others by
the metadata of fields. So any metadata that a build does not write counts as a difference.
"""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gramprobe.dataset.footer import beside_rows

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

OWN_KEYS = frozenset({b"ARROW:schema", b"huggingface"})
"""Metadata of a file that a build writes: Arrow's form of the schema, and the features for `datasets`."""


def unlike_built(file: Path, parquet: pq.ParquetFile, wanted: pa.Schema) -> str:
    """How an open file differs from one that a build writes with the wanted schema, whatever its rows are; empty if it
    does not differ.

    Raises ArrowException or OSError for a file that cannot be read.
    """
    return _wrong_schema(parquet, wanted) or beside_rows(file, parquet)


def _wrong_schema(parquet: pq.ParquetFile, wanted: pa.Schema) -> str:
    there = parquet.schema_arrow
    if not there.equals(wanted, check_metadata=False):
        return "its columns are not those of the JSON lines"
    for key in sorted({*(parquet.metadata.metadata or {}), *(there.metadata or {})}):
        if key not in OWN_KEYS:
            shown = key.decode("utf-8", "replace")
            return f"its metadata has the key `{shown}`, which no build writes: readers may rename columns by it"
    if (there.metadata or {}).get(b"huggingface") != (wanted.metadata or {}).get(b"huggingface"):
        return "its features are not those that `datasets` should read"
    if not there.equals(wanted, check_metadata=True):
        return "a column of it has metadata, or a key stands twice, which no build writes"
    parts = (part for field in wanted for part in field.flatten())  # the draws are fields of a column
    if _stored(parquet) != [(part.name, *_stored_as(part.type)) for part in parts]:
        return "its columns are stored as other types than a build stores them"
    return ""


@lru_cache
def _stored_as(kind: pa.DataType) -> tuple[str, str]:
    """The physical and logical type as which a build stores a column of a type."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    empty = io.BytesIO()
    pq.write_table(pa.schema([("x", kind)]).empty_table(), empty)
    ((_, physical, logical),) = _stored(pq.ParquetFile(pa.BufferReader(empty.getvalue())))
    return physical, logical


def _stored(parquet: pq.ParquetFile) -> list[tuple[str, str, str]]:
    """The columns for readers that do not use Arrow's form of the schema: path, physical type, logical type."""
    columns = (parquet.schema.column(number) for number in range(len(parquet.schema)))
    return [(column.path, column.physical_type, str(column.logical_type)) for column in columns]
