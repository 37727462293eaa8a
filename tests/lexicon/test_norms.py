"""The tables of frequencies and lengths: a row for every word, and figures that can be."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def norms() -> ModuleType:
    spec = importlib.util.spec_from_file_location("norms", ROOT / "scripts" / "norms.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_word_has_its_length(norms: ModuleType) -> None:
    assert norms.stale() == []


def test_frequencies_are_on_the_zipf_scale(norms: ModuleType) -> None:
    for name in norms.NORMS:
        values = {row["id"]: row["freq"] for row in norms.rows(name)}
        assert all(value == "-" or 0 < float(value) < 8 for value in values.values()), name
        # none is there of a word that the source does not know: names and things of today, a few in a hundred
        unknown = [id_ for id_, value in values.items() if value == "-"]
        assert len(unknown) <= 0.05 * len(values), f"{name}: the source does not know {', '.join(unknown)}"
