"""Items of the theory of mind that a person has read: of each paradigm one instance, every pair with its label.

``pytest --accept tests/golden`` records them anew; the difference is for a person to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from support.labels import labelled

from gramprobe.project import Project

RECORDED = Path(__file__).parent / "theory_of_mind.txt"


def names(project: Project) -> list[str]:
    """The paradigms without stories, which have recordings of their own."""
    return [name for name in project.named("theory_of_mind") if "/story" not in name]


def blocks_of(project: Project, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        found = labelled(project.paradigm(name), 1)
        conditions, realiser = found.plan.paradigm.conditions, found.plan.realiser
        said = {n: realiser.sentence(c, found.draws, 0) for n, c in conditions.items()}
        lines = [f"# {name}"]
        for pair in found.pairs:
            label = pair.decided[pair.group[0]].label
            lines.append(f"{label:13}  {said[pair.pair.premise]} => {said[pair.pair.hypothesis]}")
        yield "\n".join(lines)


@pytest.mark.deep
def test_items_with_their_labels(project: Project, recorded: Callable[[str, Path], None]) -> None:
    blocks = list(blocks_of(project, names(project)))
    recorded("\n\n".join(blocks) + "\n", RECORDED)
    assert sum(len(block.split("\n")) - 1 for block in blocks) >= 40


@pytest.mark.slow
def test_items_of_every_sixth_paradigm(project: Project) -> None:
    """As they are recorded; `test_items_with_their_labels` looks at all, and records them."""
    read = {block.partition("\n")[0]: block for block in RECORDED.read_text("utf-8").rstrip("\n").split("\n\n")}
    found = {block.partition("\n")[0]: block for block in blocks_of(project, names(project)[::6])}
    assert found and found == {heading: read.get(heading) for heading in found}
