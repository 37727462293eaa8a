"""A build of one instance works, whatever readings the instance has."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramprobe.dataset.verify.verify import verify
from gramprobe.project import Project


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", ["de_re_de_dicto/belief", "de_re_de_dicto/infinitive", "de_re_de_dicto/knowledge"])
def test_a_claim_about_a_reading_that_one_instance_lacks_is_no_error(
    tmp_path: Path, project: Project, name: str, seed: int
) -> None:
    (built,) = project.build(name, tmp_path, n=1, seed=seed)
    assert verify(built.folder, project.declarations).problems.kept == []


@pytest.mark.deep
def test_one_instance_of_every_paradigm(tmp_path: Path, project: Project) -> None:
    for name in project.declarations.paradigms:
        if not project.declarations.takes_given(name):
            (built,) = project.build(name, tmp_path, n=1)
            assert built.manifest["paradigms"]
