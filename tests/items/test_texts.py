"""Rows are the same whether few words are spelt, those of few rows, or all that a category has."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import RELATED, toy

from gramprobe.project import Project
from gramprobe.resolve.tree import slots
from gramprobe.words.linearise import Form, Segment
from gramprobe.words.realise import Realiser, fingerprints


@pytest.mark.slow
@pytest.mark.parametrize("few", [1, 2, 3])
def test_few_rows_of_a_toy_are_the_first_of_many(few: int, tmp_path: Path) -> None:
    """Four kinds, with `a` and `an`; three people; two slots of each."""
    loaded = toy(tmp_path, RELATED).paradigm("toy/one")
    rows = loaded.sample(few).to_pylist()
    assert len(rows) == 4 * few
    assert rows == loaded.sample(40).to_pylist()[: len(rows)]
    assert len({row["premise"] for row in rows}) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("scope/choice_universal_indefinite", "de_re_de_dicto/belief"),
        pytest.param("presupposition/possessed_definites_existence", marks=pytest.mark.deep),
    ],
)
def test_few_rows_are_the_first_of_many(name: str, project: Project) -> None:
    """Trees are drawn too, so that a text has many variants."""
    rows = project.paradigm(name).sample(2).to_pylist()
    assert rows == project.paradigm(name).sample(90).to_pylist()[: len(rows)]


def test_a_word_that_refers_to_none_puts_nothing_into_a_slot(tmp_path: Path) -> None:
    """What fills a slot is looked up for all kinds, also for those without a kind, which are not drawn for it."""
    text = """
draw w : Who
draw k : Kind
premise
  has = Has(w, k)
hypothesis
  above = Has(w, k.isa)
pair has => above
"""
    plan = toy(tmp_path, text).paradigm("toy/one").plan()
    (slot,) = (each for each in slots(plan.paradigm.conditions["above"].tree) if each.column)
    form = Form(slot, "sg", False)
    assert plan.realiser.fillers(form) == ["", "birdie", "", ""]  # newt, owlet, birdie, ashcat
    assert plan.realiser.texts(Segment("has a ", form, "."), [1], first=True) == ["Has a birdie."]
    assert plan.realiser.texts(Segment("has a ", form, "."), [1, 1], first=False) == ["has a birdie."] * 2


def test_sentences_of_several_conditions_stand_one_after_the_other(tmp_path: Path) -> None:
    """Their texts are the same in whatever order they are met: for fingerprints first, or for a column."""
    plan = toy(tmp_path, RELATED).paradigm("toy/one").plan()
    draws = plan.space.draws(plan.space.permutation(0), 0, 20)
    conditions = list(plan.paradigm.conditions.values())
    early, late = (Realiser(plan.space, plan.grammar) for _ in range(2))
    marks = [fingerprints(early, each, draws).tolist() for each in reversed(conditions)]
    single = [each for condition in conditions for each in early.written(condition, draws)]
    pieces = [late.worded(each).texts(draws, late, late.begins(each)) for each in conditions]
    assert late.column(*pieces).to_pylist() == single
    assert [late.prints(each).tolist() for each in reversed(pieces)] == marks
    assert late.column(*(each[:, :0] for each in pieces)).to_pylist() == []
