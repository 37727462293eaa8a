"""Paradigms that are made from others: `paradigm mine from toy/one`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from projects import PLAIN, toy, write

from gramprobe.cli.main import main
from gramprobe.items.tasks import TASKS
from gramprobe.project import Project, load
from gramprobe.resolve.paradigm.factors import cells_of, rows_of

OTHER = "premise\n p = Has(w, k)\n more = TheirK(w, k, d)\ndraw d : Did\n"


def made(folder: Path, lines: str, others: str = "") -> Project:
    """The toy project, whose paradigm has the pair p => h, with a paradigm that is made from it."""
    files = {"grammars/own/mine.paradigm": lines} | ({"grammars/own/third.paradigm": others} if others else {})
    write(folder, files)
    toy(folder, PLAIN)
    return load(folder, names=["own", "toy"])


def codes(project: Project, name: str = "own/mine") -> list[str]:
    return [d.code for d in project.errors_for(name)]


def test_a_paradigm_has_the_lines_of_the_one_that_it_is_made_from(tmp_path: Path) -> None:
    project = made(tmp_path, "paradigm mine from toy/one\n")
    assert codes(project) == []
    one, mine = (project.declarations.paradigms[name] for name in ("toy/one", "own/mine"))
    assert [d.name for d in mine.draws] == [d.name for d in one.draws]
    assert {n: c.side for n, c in mine.conditions.items()} == {n: c.side for n, c in one.conditions.items()}
    assert [p.condition for p in mine.pairs] == [p.condition for p in one.pairs]
    assert (mine.about, mine.name, mine.phenomenon) == (one.about, "mine", "own")
    pairs = [
        {(row["premise"], row["hypothesis"]) for row in project.paradigm(name).sample(90).to_pylist()}
        for name in ("toy/one", "own/mine")
    ]
    assert pairs[0] == pairs[1]


def test_own_lines_stand_in_the_place_of_those_of_the_same_name_and_others_are_added(tmp_path: Path) -> None:
    lines = 'paradigm mine from toy/one\nabout "Mine."\nsize 3\ndraw w : Who[uma|vito]\n' + OTHER
    project = made(tmp_path, lines + "pair more => h\n")
    assert codes(project) == []
    mine = project.declarations.paradigms["own/mine"]
    assert [d.name for d in mine.draws] == ["w", "k", "d"]  # the order of the base, which ids go by
    assert (mine.about, mine.size) == ("Mine.", 3)
    assert list(mine.conditions) == ["p", "h", "more"]
    assert [p.condition for p in mine.pairs] == ["p-h", "more-h"]
    premises = {row["premise"] for row in project.paradigm("own/mine").sample(90).to_pylist()}
    assert premises and not any("Wanda" in premise for premise in premises)


def test_the_conditions_of_a_draw_that_is_drawn_otherwise_hold_all_the_same(tmp_path: Path) -> None:
    base = "paradigm third from toy/one\ndraw k : Kind where k != newt\n"
    project = made(tmp_path, "paradigm mine from own/third\ndraw k : Kind[newt|owlet]\n", base)
    assert codes(project) == codes(project, "own/third") == []
    premises = {row["premise"] for row in project.paradigm("own/mine").sample(90).to_pylist()}
    assert premises and all("owlet" in premise for premise in premises)


@pytest.mark.parametrize(
    ("lines", "third", "code"),
    [
        ("paradigm mine from toy/won\n", "", "E02"),
        ("paradigm mine from own/third\n", "paradigm third from own/mine\n", "E14"),
        ("paradigm mine from own/mine\n", "", "E14"),
        ("paradigm mine from toy/one\npair p => q\n", "", "E02"),
    ],
)
def test_mistakes_are_reported(lines: str, third: str, code: str, tmp_path: Path) -> None:
    project = made(tmp_path, lines, third)
    assert code in [d.code for d in project.findings.items]
    assert "own/mine" not in project.declarations.paradigms


def test_a_dataset_names_the_file_of_the_base_and_is_derived_again(tmp_path: Path) -> None:
    made(tmp_path, "paradigm mine from toy/one\nsize 3\n")
    path, data = str(tmp_path), tmp_path / "data/own"
    assert main(["build", "own", "--path", path, "--out", str(tmp_path / "data")]) == 0
    sources = json.loads((data / "manifest.json").read_text("utf-8"))["sources"]
    assert {"grammars/own/mine.paradigm", "grammars/toy/one.paradigm"} <= sources.keys()
    assert main(["verify", str(data), "--rebuild", "--path", path]) == 0
    base = tmp_path / "grammars/toy/one.paradigm"
    base.write_text(base.read_text("utf-8").replace("Lacks(w, k)", "Has(w, k)"), "utf-8")
    assert main(["verify", str(data), "--path", path]) == 1


def test_a_limit_of_the_same_draws_stands_in_the_place_of_that_of_the_base(tmp_path: Path) -> None:
    limits = "paradigm third from toy/one\neach w, k at most 2 times\neach w at most 3 times\n"
    project = made(tmp_path, "paradigm mine from own/third\neach k, w at most 9 times\n", limits)
    mine = project.declarations.paradigms["own/mine"]
    assert [(limit.text, limit.count) for limit in mine.limits] == [
        ("each k, w at most 9 times", 9),
        ("each w at most 3 times", 3),
    ]


def test_a_pair_of_the_same_conditions_stands_in_the_place_of_that_of_the_base(tmp_path: Path) -> None:
    project = made(tmp_path, "paradigm mine from toy/one\npair p => h   expect contradiction\n")
    assert codes(project) == []
    (pair,) = project.declarations.paradigms["own/mine"].pairs
    assert pair.expect == "contradiction"


def test_a_claim_of_the_base_about_what_is_not_drawn_is_about_nothing(tmp_path: Path) -> None:
    base = "paradigm third from toy/one\npair p => h   expect neutral where w = vito\n"
    project = made(tmp_path, "paradigm mine from own/third\ndraw w : Who[uma|wanda]\n", base)
    assert codes(project) == []
    stated = made(tmp_path, "paradigm mine from toy/one\ndraw w : Who[uma]\n" + base.partition("\n")[2])
    assert codes(stated) == ["E09"]


def test_a_factor_of_premises_counts_the_premise_of_a_control_whose_hypothesis_is_one_too(tmp_path: Path) -> None:
    lines = "premise\n more = TheirK(w, k, d)\ndraw d : Did\npair more => p\n"
    project = made(tmp_path, "paradigm mine from toy/one\n" + lines + "factor said = plain: p | owned: more\n")
    assert codes(project) == []
    mine = project.declarations.paradigms["own/mine"]
    cells = cells_of(mine.factors, rows_of(mine.conditions, mine.pairs, TASKS[mine.task].form))
    assert cells == {("plain",): ["p-h"], ("owned",): ["more-p"]}
