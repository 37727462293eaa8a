"""Items of the theory of mind that a person has read: of each paradigm one instance, every pair with its label.

``pytest --accept tests/golden`` records them anew; the difference is for a person to read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.labels import labelled

from gramprobe.project import Project

RECORDED = Path(__file__).parent / "theory_of_mind.txt"


@pytest.mark.slow
def test_items_with_their_labels(project: Project, recorded: Callable[[str, Path], None]) -> None:
    blocks = []
    for name in project.named("theory_of_mind"):
        if "/story" in name:
            continue  # they have recordings of their own
        found = labelled(project.paradigm(name), 1)
        conditions, realiser = found.plan.paradigm.conditions, found.plan.realiser
        said = {n: realiser.sentence(c, found.draws, 0) for n, c in conditions.items()}
        lines = [f"# {name}"]
        for pair in found.pairs:
            label = pair.decided[pair.group[0]].label
            lines.append(f"{label:13}  {said[pair.pair.premise]} => {said[pair.pair.hypothesis]}")
        blocks.append("\n".join(lines))
    now = "\n\n".join(blocks) + "\n"
    recorded(now, RECORDED)
    assert sum(len(block.split("\n")) - 1 for block in blocks) >= 40
