"""What tests share: datasets, built once and guarded against changes; what outlives a run; what each costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramprobe.decide.cache import engine_version, verdict_folder
from gramprobe.project import Project
from support.cpu import CpuSeconds
from support.datasets import SharedDatasets
from support.kept import KEPT, outlive

NAME = "presupposition/possessed_definites_existence"


@pytest.fixture
def shared(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SharedDatasets:
    """Shared datasets of this test alone."""
    monkeypatch.setattr(SharedDatasets, "_handed_out", {})
    return SharedDatasets(project, tmp_path)


@pytest.mark.slow
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


@pytest.mark.slow
def test_verdicts_outlive_a_run_and_outcomes_do_not(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [tmp_path / "one", tmp_path / "two"]
    for cache in runs:
        cache.mkdir()
        outlive(cache, tmp_path / "kept")
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        files = sorted(verdict_folder().iterdir())
        assert [file.name for file in files] == ([] if cache == runs[0] else [f"{engine_version()[:32]}.sqlite"])
        (built,) = project.build(NAME, cache / "out", n=1)
        assert built.folder.is_dir()
    assert {file.name for file in (tmp_path / "kept").iterdir()} == set(KEPT)


def test_a_phase_of_a_test_costs_what_was_spent_in_it() -> None:
    seconds = iter([1.0, 4.0])
    counted = CpuSeconds(False, lambda: next(seconds))
    report = pytest.TestReport("a.py::t", ("a.py", 1, "t"), {}, "passed", None, "call", user_properties=[])
    around = counted.pytest_runtest_makereport()
    next(around)
    with pytest.raises(StopIteration):
        around.send(report)
    counted.pytest_runtest_logreport(report)
    assert counted.files() == {"a.py": 3.0}
