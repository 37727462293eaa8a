"""Metadata by which a reader of Parquet would show other columns than the JSON lines have, or pass over rows, is
refused."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from forgery import Forger
from projects import PLAIN, toy

from gramprobe.dataset.footer import beside_rows
from gramprobe.dataset.read import read
from gramprobe.dataset.verify.verify import verify
from gramprobe.dataset.write import WRITING
from gramprobe.project import Project
from gramprobe.source.diagnostic import UsageError


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Path]:
    project = toy(tmp_path_factory.mktemp("own"), PLAIN)
    return project, project.build("toy/one", tmp_path_factory.mktemp("data"), n=3)[0].folder


def with_metadata(table: pa.Table, **more: Any) -> pa.Table:
    return table.replace_schema_metadata(
        {**table.schema.metadata, **{key.encode(): value for key, value in more.items()}}
    )


def exchanged_for_pandas(table: pa.Table) -> pa.Table:
    """The key by which `pandas` renames columns: premise and hypothesis change places."""
    swap = {"premise": "hypothesis", "hypothesis": "premise"}
    columns = [
        {"name": swap.get(name, name), "field_name": name, "pandas_type": "unicode", "numpy_type": "object",
         "metadata": None}
        for name in table.schema.names
    ]  # fmt: skip
    about = {"index_columns": [], "column_indexes": [], "columns": columns, "pandas_version": "2.0.0"}
    return with_metadata(table, pandas=json.dumps(about))


def another_key(table: pa.Table) -> pa.Table:
    return with_metadata(table, note="labels by hand")


def of_a_field(table: pa.Table) -> pa.Table:
    at = table.schema.get_field_index("label")
    return table.cast(table.schema.set(at, table.schema.field("label").with_metadata({"0": "contradiction"})))


def of_a_drawn_field(table: pa.Table) -> pa.Table:
    at = table.schema.get_field_index("draws")
    inner = [each.with_metadata({"note": "x"}) for each in table.schema.field("draws").type]
    return table.cast(table.schema.set(at, pa.field("draws", pa.struct(inner))))


def no_features(table: pa.Table) -> pa.Table:
    return table.replace_schema_metadata({})


def other_features(table: pa.Table) -> pa.Table:
    features = (
        table.schema.metadata[b"huggingface"].decode().replace('"entailment","neutral"', '"neutral","entailment"')
    )
    return with_metadata(table, huggingface=features)


def dictionary_of_texts(table: pa.Table) -> pa.Table:
    at = table.schema.get_field_index("tag")
    return table.set_column(at, "tag", table.column("tag").dictionary_encode())


def test_the_same_table_written_again_is_accepted(honest: tuple[Project, Path], tmp_path: Path) -> None:
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)), "one")
    pq.write_table(pq.read_table(forger.parquet, partitioning=None), forger.parquet, **WRITING)
    forger.rehash()
    assert verify(forger.folder, project.declarations).problems.kept == []


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (exchanged_for_pandas, "its metadata has the key `pandas`"),
        (another_key, "its metadata has the key `note`"),
        (of_a_field, "a column of it has metadata"),
        (of_a_drawn_field, "a column of it has metadata"),
        (no_features, "its features are not those"),
        (other_features, "its features are not those"),
        (dictionary_of_texts, "its columns are not those"),
    ],
)
def test_foreign_metadata_is_refused(
    honest: tuple[Project, Path], tmp_path: Path, forge: Callable[[pa.Table], pa.Table], reason: str
) -> None:
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)), "one")
    table = pq.read_table(forger.parquet, partitioning=None)
    pq.write_table(forge(table), forger.parquet, **WRITING)
    forger.rehash()
    problems = [p for p in verify(forger.folder, project.declarations).problems.kept if p.file.startswith("parquet/")]
    assert [(p.code, reason in p.reason) for p in problems] == [("E50", True)]


def test_columns_stored_otherwise_are_refused(honest: tuple[Project, Path], tmp_path: Path) -> None:
    """Arrow's form of the schema says `text`, and a reader that does not know it would see bytes."""
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)), "one")
    table = pq.read_table(forger.parquet, partitioning=None)
    at = table.schema.get_field_index("tag")
    stored = table.schema.set(at, pa.field("tag", pa.binary()))
    arrow_schema = pq.ParquetFile(forger.parquet).metadata.metadata[b"ARROW:schema"]
    with pq.ParquetWriter(forger.parquet, stored, store_schema=False, **WRITING) as writer:
        writer.write_table(table.cast(stored))
        writer.add_key_value_metadata({"ARROW:schema": arrow_schema.decode()})
    forger.rehash()
    assert any("its columns are" in p.reason for p in verify(forger.folder, project.declarations).problems.kept)


@pytest.mark.parametrize(
    "options",
    [
        {"write_statistics": True},
        {"write_statistics": ["label"]},
        {"write_page_index": True},
        {"sorting_columns": [pq.SortingColumn(0)]},
        {"write_page_checksum": True},
        {"data_page_version": "2.0"},
    ],
    ids=lambda options: next(iter(options)),
)
def test_what_readers_skip_rows_by_is_refused(
    honest: tuple[Project, Path], tmp_path: Path, options: dict[str, Any]
) -> None:
    """True statistics too: nobody can tell them from false ones without reading the rows."""
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)), "one")
    table = pq.read_table(forger.parquet, partitioning=None)
    pq.write_table(table, forger.parquet, **{**WRITING, **options})
    forger.rehash()
    assert any(p.file.startswith("parquet/") for p in verify(forger.folder, project.declarations).problems.kept)
    with pytest.raises(UsageError, match=r"no build writes|not those of its pages|cannot be read"):
        read(forger.folder)


SMALL = pa.table({"a": ["x", "y", "x"], "b": ["v", "v", "w"], "n": pa.array([1, None, 2], pa.int64())})


def written(place: Path, table: pa.Table = SMALL, **options: Any) -> Path:
    pq.write_table(table, place / "small.parquet", **{**WRITING, **options})
    return place / "small.parquet"


def test_what_a_build_writes_is_accepted(tmp_path: Path) -> None:
    many = pa.table({"a": [f"text {number}" for number in range(300_000)]})  # beyond a dictionary and a page
    for table in (SMALL, SMALL.slice(0, 0), many, pa.table({"s": [{"q": "x", "r": None}, {"q": "", "r": "z"}]})):
        assert beside_rows(written(tmp_path, table)) == ""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        # the paths of two columns in the row group: a reader that goes by path, not by place, exchanges them
        (b"\x19\x18\x01a", b"\x19\x18\x01b", "its columns are|columns of a row group are not"),
        (b"\x19\x26\x02\x04", b"\x19\x26\x04\x02", "sizes of a column"),
    ],
)
def test_a_false_word_in_the_footer_is_found(tmp_path: Path, old: bytes, new: bytes, reason: str) -> None:
    file = written(tmp_path)
    raw = file.read_bytes()
    if old not in raw:
        pytest.skip("this version of Arrow writes no such entry")
    file.write_bytes(raw.replace(old, new))
    assert re.search(reason, beside_rows(file))


@pytest.mark.slow
@pytest.mark.parametrize("step", [9, pytest.param(3, marks=pytest.mark.deep)])
def test_no_damage_of_a_file_is_an_exception(tmp_path: Path, step: int) -> None:
    """``step``: so many bytes from one that is changed to the next."""
    file = written(tmp_path)
    raw = file.read_bytes()
    found = 0
    for place in range(0, len(raw), step):
        file.write_bytes(raw[:place] + bytes([raw[place] ^ 0x81]) + raw[place + 1 :])
        found += bool(beside_rows(file))
        file.write_bytes(raw[:place])
        assert beside_rows(file)
    assert found > len(raw) // (2 * step)
