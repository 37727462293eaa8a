"""The shared datasets of the tests: built once, shared, and guarded against changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramprobe.project import Project
from support.datasets import SharedDatasets

NAME = "presupposition/possessed_definites_existence"


@pytest.fixture
def shared(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SharedDatasets:
    """Shared datasets of this test alone."""
    monkeypatch.setattr(SharedDatasets, "_handed_out", {})
    return SharedDatasets(project, tmp_path)


def test_a_dataset_is_built_once_for_each_request(
    shared: SharedDatasets, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = shared(NAME, n=1), shared(NAME, n=1, seed=1)
    assert one.name == other.name == NAME.replace("/", "--")
    assert one != other
    monkeypatch.setattr(project, "build", None)  # a second process would call it, and may not
    assert SharedDatasets(project, tmp_path)(NAME, n=1) == one


def test_a_changed_dataset_is_reported(shared: SharedDatasets) -> None:
    folder = shared(NAME, n=1)
    assert SharedDatasets.changed() == []
    (folder / "README.md").write_text("spoilt", "utf-8")
    assert SharedDatasets.changed() == [folder.name]
