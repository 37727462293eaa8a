"""Stories with every question about them and the label derived, as a person has read them: one instance a paradigm.

``pytest --accept tests/golden`` records them anew; the difference is for a person to read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import shipped
from support.labels import label

from gramprobe.items.plan import plan
from gramprobe.source.diagnostic import Findings

STORIES = Path(__file__).parent / "stories"
NAMES = [name for name in shipped.paradigms() if name.startswith("theory_of_mind/story_")]


def premises_with_labels(name: str) -> str:
    """Each premise once, and below it the hypotheses with their labels."""
    findings = Findings()
    made = plan(shipped.paradigm(name), shipped.declarations(), findings)
    assert made is not None
    draws = made.space.draws(made.space.permutation(1), 0, 1)
    found = label(made, draws, findings)
    assert not findings.items
    conditions, blocks = made.paradigm.conditions, dict[str, list[str]]()
    for pair in found.pairs:
        premise = made.realiser.sentence(conditions[pair.pair.premise], draws)
        hypothesis = made.realiser.sentence(conditions[pair.pair.hypothesis], draws)
        blocks.setdefault(premise, []).append(f"  {pair.decided[0].label:13}  {hypothesis}\n")
    return "\n".join(f"{premise}\n{''.join(lines)}" for premise, lines in blocks.items())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_stories_and_their_labels(name: str, recorded: Callable[[str, Path], None]) -> None:
    recorded(premises_with_labels(name), STORIES / f"{name.rpartition('/')[2]}.txt")


def test_a_story_has_enough_events() -> None:
    assert sum(line.startswith("  ") for file in STORIES.glob("*.txt") for line in file.read_text().splitlines()) >= 40
    assert {file.stem for file in STORIES.glob("*.txt")} == {name.rpartition("/")[2] for name in NAMES}
