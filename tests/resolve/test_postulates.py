"""Names in postulates that no sentence speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import write

from gramprobe.project import load

BASE = Path(__file__).parents[1] / "errors" / "base"


@pytest.mark.parametrize(
    ("postulate", "said"),
    [
        ("forall x. (cat(x) -> animall(x))", ["no constant or word named `animall`, so that no sentence speaks of it"]),
        (
            "forall x. (catt(x) -> dog(x))",
            ["`catt`, so that no sentence speaks of it; did you mean `cat`?"],
        ),
        ("forall x. ~has(x, x)", []),
        ("forall x. (dog(x) -> ~cat(x))", []),
        ("yawn(jo)", []),
    ],
)
def test_a_name_that_no_grammar_has_is_warned_of(tmp_path: Path, postulate: str, said: list[str]) -> None:
    """By paradigms whose sentences would have to speak of it."""
    write(tmp_path, {"logic/tiny.logic": f"theory tiny\npostulate {postulate}\n"})
    found = load([BASE, tmp_path], names=["small"]).findings.items
    assert len(found) == len(said)
    for each, message in zip(found, said, strict=True):
        assert not each.is_error and each.code == "E02" and message in each.message
        assert each.span.path == str(tmp_path / "logic/tiny.logic") and each.span.line == 2


def test_a_theory_for_typed_formulas_may_speak_of_anything(tmp_path: Path) -> None:
    write(tmp_path, {"logic/birds.logic": "theory birds\npostulate forall x. (bird(x) -> flies(x))\n"})
    project = load([BASE, tmp_path])
    assert not [each for each in project.findings.items if each.span.path.startswith(str(tmp_path))]
    assert project.decide("bird(x)", "flies(x)", "birds").verdict.label == "entailment"
