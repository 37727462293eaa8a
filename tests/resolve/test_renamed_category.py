"""A category that was renamed where it is declared, and nowhere else: the commonest slip of a larger change."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import PLAIN, TOY_GRAMMAR, toy
from support import minimal_pairs

from gramprobe.project import load
from gramprobe.source.diagnostic import AuthoringError


def test_uses_of_the_former_name_are_reported(tmp_path: Path) -> None:
    """The new name is taken to be meant, in the part of the grammar that the paradigm reaches, too."""
    project = toy(tmp_path, PLAIN, grammar=TOY_GRAMMAR.replace("cat Kind[num", "cat Kin[num"))
    found = {(item.code, item.message) for item in project.findings.items}
    assert found == {
        ("E02", f"no {named} named `Kind`; did you mean `Kin`?")
        for named in ("category or feature", "feature or category")
    }


@pytest.mark.parametrize(("line", "renamed"), [("cat S\n", "cat Sx\n"), ("feature num", "feature znum")])
def test_a_name_of_the_sentence_and_a_feature_is_no_fault_of_ours(tmp_path: Path, line: str, renamed: str) -> None:
    minimal_pairs.project_of(tmp_path)
    file = tmp_path / "grammars/pairing.gram"
    text = file.read_text("utf-8")
    assert line in text
    file.write_text(text.replace(line, renamed), "utf-8")
    with pytest.raises(AuthoringError):
        load(str(tmp_path), names=["pairs"]).explain("pairs/agreement")
