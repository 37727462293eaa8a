"""The records of an experiment folder: read as written, and refused where they were changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramprobe.experiment.trials import (
    DESIGN,
    PLAN,
    TRIALS,
    Exclusions,
    Factor,
    Option,
    Plan,
    Trial,
    read,
    write_plan,
    write_trials,
)
from gramprobe.source.diagnostic import UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two lists of one trial and a catch trial."""
    trials = [
        Trial(
            list=number, position=position, role="catch" if position == 2 else "experimental",
            id="easy" if position == 2 else f"p/both/cat/{condition}", instance="" if position == 2 else "cat",
            condition=condition, levels={"condition": condition}, texts={"sentence": "A <b>cat</b>."},
            options=("1", "0"), expected="1" if position == 2 else "",
        )
        for number, condition in ((1, "one"), (2, "two"))
        for position in (1, 2)
    ]  # fmt: skip
    plan = Plan(
        format=1, gramprobe="0", dataset="both", sha256="0" * 64, paradigms=("both",), kind="acceptability",
        question="", scale=(Option("1", "yes"), Option("0", "no")), seed=0, platform="csv",
        factors=(Factor("condition", ("one", "two"), "row"),), lists=2, per_person=1, fillers=0, catch=1, orders=1,
        instances=1, cells=2, repeats=1, exclusions=Exclusions(catch=1, seconds=(0.2, 60.0)), model="", words={},
        trials=write_trials(tmp_path, trials),
    )  # fmt: skip
    write_plan(tmp_path, plan)
    return tmp_path


def test_what_is_written_is_read(folder: Path) -> None:
    experiment = read(folder)
    assert experiment.plan.exclusions.seconds == (0.2, 60.0)
    assert [trial.id for trial in experiment.of_list(2)] == ["p/both/cat/two", "easy"]
    assert experiment.trial(1, 1) == experiment.trials[0] and experiment.trial(3, 1) is None
    assert [experiment.trials[1].right(answer) for answer in "10"] == [True, False]
    assert experiment.trials[0].right("1") is None
    assert DESIGN == "design.md"


@pytest.mark.parametrize(
    ("file", "old", "new", "what"),
    [
        (TRIALS, '"position":2', '"position":3', "SHA-256"),
        (PLAN, '"format": 1', '"format": 2', "format 2 is not known"),
        (PLAN, '"lists": 2', '"lists": 0', "lists"),
        (PLAN, '"lists": 2', '"lists": 3', "does not have 3 lists of 2 trials"),
        (PLAN, '"kind": "acceptability"', '"kind": "guess"', "kind"),
        (PLAN, "{", "", "no JSON"),
    ],
)
def test_a_changed_folder_is_refused(folder: Path, file: str, old: str, new: str, what: str) -> None:
    path = folder / file
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(UsageError, match=what) as refused:
        read(folder)
    assert refused.value.code == "E44" and str(folder) in refused.value.message


def test_a_folder_without_a_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the file is missing"):
        read(tmp_path)
