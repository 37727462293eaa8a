"""A category that was renamed where it is declared, and nowhere else: the commonest slip of a larger change."""

from __future__ import annotations

from pathlib import Path

from projects import PLAIN, TOY_GRAMMAR, toy


def test_uses_of_the_former_name_are_reported(tmp_path: Path) -> None:
    """The new name is taken to be meant, in the part of the grammar that the paradigm reaches, too."""
    project = toy(tmp_path, PLAIN, grammar=TOY_GRAMMAR.replace("cat Kind[num", "cat Kin[num"))
    found = {(item.code, item.message) for item in project.findings.items}
    assert found == {
        ("E02", f"no {named} named `Kind`; did you mean `Kin`?")
        for named in ("category or feature", "feature or category")
    }
