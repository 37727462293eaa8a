"""Two rows whose words are exchanged one for one have one shape; what is not such an exchange is told apart."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from projects import RELATED, toy
from support import shipped

from gramprobe.decide.shapes import shape_text
from gramprobe.items.comparison import exchanged, have_one_shape, is_renamed
from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import Member
from gramprobe.items.label import formulas_of, gold_readings
from gramprobe.items.plan import Plan, plan
from gramprobe.items.slots import scales_at
from gramprobe.items.tasks import task_of
from gramprobe.items.tasks.reading import ReadingTask
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws


def compared(made: Plan, draws: Draws) -> Counter[tuple[bool, bool]]:
    """How many pairs of rows with the same readings are told to differ in words alone, and whether their texts are the
    same."""
    decisions = Decisions(made, task_of(made.paradigm), Findings())
    groups, found = decisions.grouping.of(draws), Counter[tuple[bool, bool]]()
    for at, part in enumerate(decisions.parts):
        pair, rows = part.pair, []
        assert pair is not None
        for row, group in enumerate(groups.parts[at].tolist()):
            member = Member(draws.take(np.array([row])), decisions.grouping.members[at][group].readings)
            formulas = formulas_of(made, made.paradigm.gold_of(pair), gold_readings(made, pair, member), member)
            slice_ = made.slice(formulas, scales_at(made, member.draws, 0))
            rows.append((member, formulas, slice_, shape_text(*formulas, slice_)[0]))
        for one, other in combinations(rows, 2):
            if one[0].readings == other[0].readings:
                words = exchanged(made, (pair.premise, pair.hypothesis), one[0], other[0])
                told = words is not None and is_renamed(one[2], other[2], words, other[1])
                found[told, one[3] == other[3]] += 1
                if words is not None:
                    assert made.slice(one[1], scales_at(made, other[0].draws, 0), words) == other[2]
    return found


def accounts(made: Plan, draws: Draws) -> Counter[tuple[bool, bool]]:
    """The same for rows of a task about readings, and whether their accounts are the same."""
    task = task_of(made.paradigm)
    assert isinstance(task, ReadingTask)
    decisions = Decisions(made, task, Findings())
    groups, found, rows = decisions.grouping.of(draws), Counter[tuple[bool, bool]](), []
    for row, group in enumerate(groups.parts[0].tolist()):
        member = Member(draws.take(np.array([row])), decisions.grouping.members[0][group].readings)
        rows.append(task.answer(made, decisions.parts[0], member, Findings()))
    for one, other in combinations(rows, 2):
        if one is not None and other is not None and one.member.readings == other.member.readings:
            found[have_one_shape(made, one.steps, one.member, other.member), one.text == other.text] += 1
    return found


@pytest.mark.parametrize(
    "name",
    [
        "theory_of_mind/depth", "theory_of_mind/inference_hypernym", "theory_of_mind/story_second_order",
        "presupposition/possessed_definites_existence", "implicature/connectives",
        pytest.param("presupposition/only", marks=pytest.mark.deep),  # of a large space
    ],
)  # fmt: skip
def test_rows_that_differ_in_words_alone_have_one_text(name: str) -> None:
    made = plan(shipped.paradigm(name), shipped.declarations(), Findings())
    assert made is not None
    found = compared(made, made.space.draws(made.space.permutation(3), 0, 6))
    assert found[True, True]
    assert not found[True, False]


@pytest.mark.parametrize(
    "name",
    [
        "scope/choice_negation_both", "scope/continuation_universal_indefinite", "de_re_de_dicto/belief",
        "attitude_reports/report_knowledge",
    ],
)  # fmt: skip
def test_rows_that_differ_in_words_alone_have_one_account(name: str) -> None:
    made = plan(shipped.paradigm(name), shipped.declarations(), Findings())
    assert made is not None
    found = accounts(made, made.space.draws(made.space.permutation(3), 0, 8))
    assert found[True, True]
    assert not found[True, False]
    assert found[False, False] or name != "de_re_de_dicto/belief"  # of its rows some are of two groups


def test_related_and_coinciding_words_are_no_exchange(tmp_path: Path) -> None:
    made = toy(tmp_path, RELATED).paradigm("toy/one").plan()
    found = compared(made, made.space.draws(made.space.permutation(3), 0, 48))
    assert found[True, True] > found[False, True]
    assert found[False, False]
    assert not found[True, False]
