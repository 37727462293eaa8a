"""Items of `scope` that a person has read, with the readings that everything fits: four of every paradigm.

``pytest --accept tests/golden`` records them anew; the difference is for a person to read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import shipped
from support.labels import deciding, keep

from gramprobe.items.decisions import Decisions
from gramprobe.items.plan import plan
from gramprobe.items.tasks import task_of
from gramprobe.source.diagnostic import Findings

SCOPE = Path(__file__).parent / "scope"
NAMES = [name for name in shipped.paradigms() if name.startswith("scope/")]
ITEMS = 4


def items(name: str) -> str:
    """The left sentences with their readings, and below them what follows with those it fits."""
    findings = Findings()
    made = plan(shipped.paradigm(name), shipped.declarations(), findings, decider=deciding())
    assert made is not None, findings.items
    draws = made.space.draws(made.space.permutation(1), 0, ITEMS)
    decisions = Decisions(made, task_of(made.paradigm), findings)
    groups = decisions.grouping.of(draws)
    decisions.answer_groups(draws, groups)
    keep()
    assert decisions.complete
    assert not findings.items
    conditions, blocks = made.paradigm.conditions, []
    for row in range(ITEMS):
        found = decisions.answer(0, int(groups.parts[0][row]))
        lines = []
        for left, kept in found.readings.items():
            ids = ", ".join(reading.id for reading in kept)
            lines.append(f"{made.realiser.sentence(conditions[left], draws, row)}   [{ids}]")
            for (of, right), holds in found.holds.items():
                if of == left:
                    fits = ", ".join(holds) or "none"
                    lines.append(f"  {made.realiser.sentence(conditions[right], draws, row)}   [{fits}]")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.some(NAMES, 12))  # those of items/test_scope_sets.py, which are decided once
def test_items_that_a_person_has_read(name: str, recorded: Callable[[str, Path], None]) -> None:
    recorded(items(name), SCOPE / f"{name.rpartition('/')[2]}.txt")


def test_there_are_enough_of_each_kind() -> None:
    assert ITEMS * sum("choice_" in name for name in NAMES) >= 40
    assert ITEMS * sum("continuation_" in name for name in NAMES) >= 40
