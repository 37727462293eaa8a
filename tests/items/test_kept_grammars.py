"""The compiled grammar around minimal pairs is kept between runs, by its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.minimal_pairs import project_of

from gramprobe.items import charts
from gramprobe.items.charts import Charts, charts_of
from gramprobe.project import Project, load


def of(project: Project) -> Charts:
    """The charts of its pairs, as the first ones of a process."""
    charts._latest.clear()
    (name,) = project.declarations.paradigms
    return charts_of(project.declarations, [name])


def test_a_grammar_that_is_kept_is_compiled_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = of(project_of(tmp_path)).grammar
    monkeypatch.setattr(charts, "compiled", lambda grammar: pytest.fail("it was kept"))
    assert of(project_of(tmp_path)).grammar == made


def test_another_file_is_another_grammar(tmp_path: Path) -> None:
    made = of(project_of(tmp_path)).grammar
    file = tmp_path / "grammars/pairing.gram"
    file.write_text(file.read_text("utf-8").replace('"this"', '"yonder"'), "utf-8")
    changed = of(load(str(tmp_path), names=["pairs"])).grammar
    assert b'"yonder"' in changed and b'"yonder"' not in made
