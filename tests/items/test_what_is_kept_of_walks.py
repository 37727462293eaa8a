"""The column of strata is kept between runs, by what the order of instances depends on: not by pairs and
comments. What is derived is kept by what is said and reached, not by where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import ANIMALS, PLAIN, toy

from gramprobe.items.content import key_of_plan, key_of_walk

LIMITED = PLAIN + "each w at most 2 times in 3\n"


def keys(folder: Path, paradigm: str, kinds: str = ANIMALS) -> tuple[str, str]:
    """The key of what is derived of the paradigm, and that of the order of its instances."""
    declarations = toy(folder, paradigm, kinds).declarations
    made = declarations.paradigms["toy/one"]
    return key_of_plan(made, made.theory, declarations), key_of_walk(made, declarations)


@pytest.mark.parametrize(
    "changed",
    [
        LIMITED.replace("pair p => h", "pair p => h   tag control"),
        LIMITED.replace("pair p => h", "pair h => p"),
    ],
)
def test_pairs_change_no_order(tmp_path: Path, changed: str) -> None:
    before, after = keys(tmp_path, LIMITED), keys(tmp_path, changed)
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_comments_change_nothing(tmp_path: Path) -> None:
    commented = "-- a comment, and all that follows a line lower\n" + LIMITED
    assert keys(tmp_path, LIMITED) == keys(tmp_path, commented)


@pytest.mark.parametrize(
    "changed",
    [
        LIMITED.replace("2 times", "3 times"),
        LIMITED.replace("draw k : Kind\n", "draw k : Kind[onset=c]\n"),
        LIMITED.replace("h = Lacks(w, k)", "h = Has(w, k)"),
    ],
)
def test_draws_sentences_and_limits_do(tmp_path: Path, changed: str) -> None:
    assert changed != LIMITED
    assert keys(tmp_path, LIMITED)[1] != keys(tmp_path, changed)[1]


def test_so_do_words(tmp_path: Path) -> None:
    first, *_ = ANIMALS.splitlines(keepends=True)
    assert keys(tmp_path, LIMITED)[1] != keys(tmp_path, LIMITED, ANIMALS.replace(first, ""))[1]
