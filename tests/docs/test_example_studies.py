"""The studies of examples/ with known answers: what their pages say of the files holds, and their commands run."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from consoles import problems

import gramprobe

ROOT = Path(__file__).resolve().parents[2]
STUDIES = {"relative_clauses": "reading/relatives", "agreement_attraction": "agreement/attraction"}


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_is_as_large_as_its_page_says(study: str) -> None:
    folder = ROOT / "examples" / study
    project = gramprobe.load(folder, names=[STUDIES[study]])
    assert not project.findings.failed
    sample = project.paradigm(STUDIES[study]).instances(60)
    assert len(sample.instances) == 60
    page = (folder / "README.md").read_text("utf-8")
    assert "60 instances" in page
    for link, lines in re.findall(r"\]\(([\w/.]+)\)(?: of)? (?:of )?(\d+)", page.replace("\n", " ")):
        assert len((folder / link).read_text("utf-8").splitlines()) == int(lines), link
    shown = [line.split(maxsplit=1)[1].lstrip("* ") for line in re.findall(r"^(?:who|sg|pl)_.*$", page, re.MULTILINE)]
    sentences = {line.sentence for lines in sample.instances for line in lines}
    assert shown and set(shown) <= sentences


@pytest.mark.deep
@pytest.mark.parametrize("study", STUDIES)
def test_the_six_commands_of_a_study_run(study: str, tmp_path: Path) -> None:
    """With a tiny model in the place of the one that is named: what comes out is on the page."""
    from support.models import stand_ins

    folder = tmp_path / "examples" / study
    shutil.copytree(ROOT / "examples" / study, folder)
    stand_ins(tmp_path / "models")
    page = folder / "README.md"
    assert page.read_text("utf-8").count("$ gramprobe") == 6
    assert problems(page, folder, ROOT / "Makefile") == []
