"""What `check` prints of draws: how many words are in some instance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from projects import toy

from gramprobe.space.drawable import drawable

PAIR = "premise\n p = Has(w, k)\nhypothesis\n h = Lacks(x, l)\npair p => h\n"


@pytest.mark.parametrize(
    ("conditions", "drawn"),
    [
        ("", {"w": 3, "x": 3, "k": 4, "l": 4}),
        ("where w != x\nwhere k.onset = c\n", {"w": 3, "x": 3, "k": 2, "l": 4}),
        ("where k.isa = l\n", {"w": 3, "x": 3, "k": 1, "l": 1}),
        ("where k.isa = l\nwhere w = x\nwhere x != uma\n", {"w": 2, "x": 2, "k": 1, "l": 1}),
        ("where k.onset = l.onset\nwhere l != k\nwhere l.onset = v | k != newt\n", {"w": 3, "x": 3, "k": 3, "l": 3}),
    ],
)
def test_a_word_that_is_in_no_instance_does_not_count(conditions: str, drawn: dict[str, int], tmp_path: Path) -> None:
    space = toy(tmp_path, f"draw w, x : Who\ndraw k, l : Kind\n{conditions}{PAIR}").paradigm("toy/one").space()
    every = space.at(np.arange(space.size))
    assert {name: len(set(column.tolist())) for name, column in every.columns.items()} == drawn
    assert drawable(space) == drawn
