"""Labels that nobody has proved are not shipped unawares: an error with its place, or marked and counted apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from projects import TOY_GRAMMAR, toy

from gramprobe.cli.main import main
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide.verdict import rests_on_trust
from gramprobe.project import Project
from gramprobe.source.diagnostic import AuthoringError

# Who has someone that has someone and so on, with all that these have, has itself: in finite models only.
ENDLESS = (
    TOY_GRAMMAR
    + """
fun Chained (k: Kind) : S
  lin "chains of" k[num=pl]
  sem forall x. exists y. has(x, y) & forall x, y, z. (has(x, y) & has(y, z) -> has(x, z)) & exists x. k(x)
fun Itself : S
  lin "some have themselves"
  sem exists x. has(x, x)
fun Some (k: Kind) : S
  lin "there are" k[num=pl]
  sem exists x. k(x)
"""
)
PARADIGM = """size 2
draw k : Kind
premise
 p = Chained(k)
hypothesis
 h = Itself
 there = Some(k)
pair p => h
pair p => there
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return toy(tmp_path / "own", PARADIGM, grammar=ENDLESS)


def test_a_label_on_trust_is_an_error_at_its_pair(project: Project, tmp_path: Path) -> None:
    with pytest.raises(AuthoringError) as error:
        project.build("toy/one", tmp_path / "data", n=2)
    (found,) = error.value.diagnostics
    assert found.code == "E45"
    assert found.span.line == 13
    assert "p => h is not certain: bounded(" in found.message
    assert any("no model with the hypothesis false was found with up to" in note for note in found.notes)
    assert "--allow-bounded" in found.help
    assert not (tmp_path / "data" / "toy--one").exists()


def test_samples_are_held_to_the_same(project: Project) -> None:
    with pytest.raises(AuthoringError):
        project.paradigm("toy/one").sample(2)
    rows = project.paradigm("toy/one").sample(2, allow_bounded=True).to_pylist()
    kinds = {row["condition"]: rests_on_trust(row["certificate"]) for row in rows}
    assert kinds == {"p-h": True, "p-there": False}


@pytest.mark.slow
def test_where_it_is_allowed_it_is_marked_and_counted_apart(project: Project, tmp_path: Path) -> None:
    built = project.build("toy/one", tmp_path / "data", n=2, allow_bounded=True)[0]
    part = built.manifest["paradigms"]["one"]
    assert part["on_trust"] == 2
    assert built.manifest["allow_bounded"] is True
    card = (built.folder / "README.md").read_text("utf-8")
    assert "2 of 4 labels are certain, given the author's word" in card
    assert "**2 labels are not certain:** 2 on `bounded(" in card
    found = verify(built.folder, project.declarations, with_rebuild=True)
    assert found.problems.kept == []
    assert found.on_trust == 2


@pytest.mark.slow
def test_the_commands(project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = ["--path", str(tmp_path / "own")]
    out = ["--out", str(tmp_path / "data"), "--n", "2"]
    assert main(["check", "toy/one", *own]) == 1
    assert main(["sample", "toy/one", *own]) == 1
    assert main(["build", "toy/one", *own, *out]) == 1
    assert capsys.readouterr().err.count("error[E45]") == 3
    for command in (["check", "toy/one"], ["sample", "toy/one"], ["build", "toy/one", *out]):
        assert main([*command, *own, "--allow-bounded"]) == 0
    assert main(["verify", str(tmp_path / "data" / "toy--one"), *own]) == 0
    assert "2 labels on trust" in capsys.readouterr().out


def test_an_oracle_that_there_is_not(project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "toy/one", "--path", str(tmp_path / "own"), "--oracle", "delphi"]) == 2
    assert "cvc5" in capsys.readouterr().err


def test_the_oracle_is_part_of_the_manifest(project: Project, tmp_path: Path) -> None:
    built = project.build("toy/one", tmp_path / "data", n=2, allow_bounded=True)[0]
    assert json.loads((built.folder / "manifest.json").read_text("utf-8"))["oracle"] is None
