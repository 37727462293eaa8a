"""`gramprobe power`: what a planned study could show, of scores and of answers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from support.choices import choices

from gramprobe.analysis.mixed.model import answer_model
from gramprobe.analysis.mixed.simulate import simulated_power
from gramprobe.cli.main import main
from gramprobe.source.diagnostic import UsageError

SCORES = Path(__file__).parents[1] / "analysis" / "scores_10000.parquet"
FORMULA = "bias ~ det + (1 + det | emb_verb)"


def planned(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, float]:
    assert main(["power", "--frame", str(SCORES), "--formula", FORMULA, "--json", *arguments]) == 0
    return {each["name"]: each["power"] for each in json.loads(capsys.readouterr().out)["effects"]}


def test_more_words_and_larger_effects_have_more_power(capsys: pytest.CaptureFixture[str]) -> None:
    few = planned(capsys, "--plan", "emb_verb=6", "--suppose", "det=0.5")
    many = planned(capsys, "--plan", "emb_verb=60", "--suppose", "det=0.5")
    larger = planned(capsys, "--plan", "emb_verb=6", "--suppose", "det=1.0")
    assert 0.05 < few["det"] < many["det"] <= 1.0 and few["det"] < larger["det"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plan", "emb_verb=many"], "is a whole number"),
        (["--plan", "verb=60"], "no grouping factor `verb`; did you mean `emb_verb`?"),
        (["--suppose", "dt=1"], "no effect `dt`; did you mean `det`?"),
        (["--suppose", "det=large"], "the size of an effect is a number"),
        (["--plan", "emb_verb=99999999"], "`emb_verb` cannot have 99,999,999 levels in a plan"),
    ],
)
def test_wrong_use_is_exit_2_with_a_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["power", "--frame", str(SCORES), "--formula", FORMULA, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_what_the_model_of_the_pilot_warns_of_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pilot = tmp_path / "pilot.csv"
    pilot.write_text("y,a,w\n" + "".join(f"{n % 2},{n % 3 // 2},w{n // 4}\n" for n in range(24)))
    command = ["power", "--frame", str(pilot), "--formula", "y ~ a + (1 | w)", "--plan", "w=60"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "warning: of the pilot: two values: `y` is 0, 1" in printed
    assert "warning: of the pilot: singular: in (1 | w)" in printed
    assert main([*command, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["warnings"]) == 2
    assert main(["power", "--frame", str(pilot), "--formula", "y ~ a", "--plan", "w=60"]) == 2
    assert "the formula has no random term: add (1 | w)" in capsys.readouterr().err


def test_a_study_that_is_too_large_is_not_simulated() -> None:
    model = answer_model("y ~ a + (1 | s)", choices(), "binomial")
    with pytest.raises(UsageError, match="can be simulated"):
        simulated_power(model, {"s": 100_000}, studies=20)


@pytest.mark.slow
def test_of_answers_studies_are_simulated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(choices(), tmp_path / "answers.parquet")
    command = ["power", "--frame", str(tmp_path / "answers.parquet"), "--formula", "y ~ a + (1 | s)"]
    options = ["--family", "binomial", "--studies", "20", "--plan", "s=4", "--suppose", "a=0"]
    assert main([*command, *options]) == 0
    first = capsys.readouterr().out
    assert "planned design" in first and "20 simulated studies" in first
    assert main([*command, *options]) == 0 and capsys.readouterr().out == first
    assert main([*command, *options, "--seed", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["levels"] == {"s": 4}
    (_, effect) = found["effects"]
    assert effect["studies"] == 20 and effect["low"] <= effect["power"] <= effect["high"] and effect["power"] <= 0.25


@pytest.mark.slow
def test_simulated_power_grows_with_people_and_with_the_effect() -> None:
    model = answer_model("y ~ a + (1 + a | s)", choices(), "binomial")
    powers = [
        dict(simulated_power(model, {"s": people}, supposed={"a": size}, studies=10))["a"].power
        for people, size in ((4, 0.5), (12, 0.5), (12, 1.5))
    ]
    assert powers[0] < powers[1] < powers[2]


def test_the_rows_of_a_plan_are_those_of_the_present_levels_in_turn() -> None:
    from gramprobe.analysis.mixed.simulate import _planned

    now = answer_model("y ~ b + (1 | s) + (1 | g / i)", choices(), "binomial").fit.objective.answers
    then = _planned(now, {"s": 45, "g": 12})
    people, group, item = then.levels
    assert len(then.x) == 720 * 3 and [len(g.levels) for g in then.layout.groupings] == [45, 12, 48]
    assert np.unique(np.bincount(people)).tolist() == [48]
    assert all(len(np.unique(group[item == each])) == 1 for each in range(48)), "an item is of one text"
    assert np.unique(then.x[item == 30], axis=0).shape[0] == 1, "what varies between items still does"


def test_a_plan_of_what_the_model_does_not_have() -> None:
    model = answer_model("y ~ a + (1 | s)", choices(), "binomial")
    with pytest.raises(UsageError, match="no effect `b`"):
        simulated_power(model, {}, supposed={"b": 1.0}, studies=20)
