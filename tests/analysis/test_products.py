"""Cross products are those of the dense matrices, however the rows are added up and wherever they come from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from frozen import scores

from gramprobe.analysis.mixed import design as designs
from gramprobe.analysis.mixed import frame as frames
from gramprobe.analysis.mixed import products
from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.formula import parse
from gramprobe.analysis.mixed.frame import frame_of
from gramprobe.analysis.mixed.layout import Floats
from gramprobe.analysis.mixed.products import CrossProducts

FORMULA = (
    "bias ~ det * type + subj + (1 + det | matrix_verb) + (0 + subj | matrix_verb) + (1 + type | emb_verb:followup)"
)


def sums(source: pa.Table | Path = None) -> CrossProducts:
    return Design(parse(FORMULA), frame_of(scores() if source is None else source)).products()


@cache
def usual() -> CrossProducts:
    """Of all rows, added up in the usual way. Not to be changed."""
    return sums()


def dense() -> tuple[Floats, Floats]:
    """[Z X] and y, written out without the package."""
    columns = {name: np.array(scores()[name].to_pylist()) for name in scores().column_names}
    det, kind, subj = (columns[name].astype(float) for name in ("det", "type", "subj"))
    one = np.ones(len(det))
    blocks = []
    verb = columns["matrix_verb"]
    for level in np.unique(verb):
        blocks += [c * (verb == level) for c in (one, det, subj)]
    pairs = np.char.add(np.char.add(columns["emb_verb"], ":"), columns["followup"])
    for level in np.unique(pairs):
        blocks += [c * (pairs == level) for c in (one, kind)]
    return np.column_stack([*blocks, one, det, kind, subj, det * kind]), columns["bias"].astype(float)


@pytest.mark.slow
def test_they_are_those_of_the_dense_matrix() -> None:
    found = usual()
    matrix, y = dense()
    centred = y - found.shift
    assert found.rows == len(y)
    assert found.shift == pytest.approx(y.mean())
    assert found.matrix == pytest.approx(matrix.T @ matrix, abs=1e-8)
    assert found.vector == pytest.approx(matrix.T @ centred, abs=1e-8)
    assert found.squares == pytest.approx(centred @ centred)


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [(products, "CELLS", 0), (frames, "BATCH", 777), (frames, "FEW", 1), (designs, "PATTERNS", 1)],
    ids=["sparse", "small batches", "many values", "no table"],
)
def test_every_way_of_adding_gives_the_same(
    module: object, name: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = usual()
    monkeypatch.setattr(module, name, value)
    found = sums()
    assert np.abs(found.matrix - expected.matrix).max() < 1e-8
    assert np.abs(found.vector - expected.vector).max() < 1e-8


def _csv(table: pa.Table, file: Path) -> None:
    plain = [c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for c in table.columns]
    pyarrow.csv.write_csv(pa.table(plain, names=table.column_names), file)


def _texts(table: pa.Table, file: Path) -> None:
    plain = [c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for c in table.columns]
    pq.write_table(pa.table(plain, names=table.column_names), file)


@pytest.mark.parametrize(
    ("name", "write"), [("rows.csv", _csv), ("rows.parquet", pq.write_table), ("texts.parquet", _texts)]
)
def test_every_file_gives_the_same(name: str, write: Callable[[pa.Table, Path], None], tmp_path: Path) -> None:
    write(scores(), tmp_path / name)
    expected, found = usual(), sums(tmp_path / name)
    assert found.matrix.tolist() == expected.matrix.tolist()
    assert np.abs(found.vector - expected.vector).max() < 1e-8
