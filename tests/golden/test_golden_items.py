"""Items that a person has read: an instance of every paradigm of implicature, with the labels of its twelve pairs.

``pytest --accept tests/golden`` records them anew; the difference is for a person to read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import shipped
from support.labels import deciding, label

from gramprobe.items.plan import plan
from gramprobe.resolve.paradigm.data import LABEL_COLUMNS
from gramprobe.source.diagnostic import Findings

ITEMS = Path(__file__).parent / "items"
PARADIGMS = [name for name in shipped.paradigms() if name.startswith("implicature/")]


def items_of(name: str) -> str:
    """Premise, hypothesis and the labels literal, pragmatic, IMPPRES of the first instance of seed 1."""
    findings = Findings()
    made = plan(shipped.paradigm(name), shipped.declarations(), findings, decider=deciding())
    assert made is not None
    draws = made.space.draws(made.space.permutation(1), 0, 1)
    lines = []
    for pair in label(made, draws, findings).pairs:
        conditions = made.paradigm.conditions
        sides = [conditions[n] for n in (pair.pair.premise, pair.pair.hypothesis)]
        sentences = "  =>  ".join(made.realiser.sentence(side, draws, 0) for side in sides)
        labels = ", ".join(filter(None, map(pair.decided[0].label_of, LABEL_COLUMNS)))
        lines.append(f"{sentences}\n  {labels}\n")
    assert not findings.items
    return "".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.some(PARADIGMS, 6))
def test_items_of_a_paradigm(name: str, recorded: Callable[[str, Path], None]) -> None:
    recorded(items_of(name), ITEMS / f"{name.rpartition('/')[2]}.txt")


def test_every_recording_is_of_a_paradigm() -> None:
    assert {place.stem for place in ITEMS.glob("*.txt")} == {name.rpartition("/")[2] for name in PARADIGMS}
