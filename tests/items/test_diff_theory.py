"""Two theories on the same sentences: the labels that move, with a model that tells the theories apart."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from gramprobe.certify.model import Model
from gramprobe.cli.main import main
from gramprobe.explain.words import in_a_line
from gramprobe.items.theories import compare_theories
from gramprobe.project import Project
from gramprobe.source.diagnostic import Findings

NAME = "presupposition/possessed_definites_existence"


@pytest.mark.slow
def test_what_moves_is_what_two_samples_say(project: Project) -> None:
    paradigm = project.paradigm(NAME)
    found = compare_theories(
        paradigm.declared, ("presupposition", "presupposition-strong"), project.declarations, Findings(), 3
    )
    assert found is not None
    one, other = (paradigm.sample(3, theory=t).to_pylist() for t in ("presupposition", "presupposition-strong"))
    expected = Counter(
        (a["condition"], a["label_name"], b["label_name"])
        for a, b in zip(one, other, strict=True)
        if a["label_name"] != b["label_name"]
    )
    assert expected
    assert {(c.condition, c.before, c.after): c.rows for c in found.changes} == expected
    assert (found.rows, found.moved) == (3 * 38, expected.total())
    by_id = {row["id"]: row for row in one}
    for change in found.changes:
        row = by_id[change.id]
        assert (change.premise, change.hypothesis) == (row["premise"], row["hypothesis"])
        assert re.match(
            r"in presupposition-strong the premise can hold with the hypothesis (true|false): w0", change.why
        )


@pytest.mark.slow
def test_a_theory_and_itself_do_not_differ(project: Project) -> None:
    declared = project.paradigm(NAME).declared
    found = compare_theories(declared, ("presupposition",) * 2, project.declarations, Findings(), 1)
    assert found is not None
    assert (found.moved, found.changes) == (0, ())


@pytest.mark.slow
def test_the_order_of_theories_is_that_of_the_labels(project: Project) -> None:
    declared = project.paradigm(NAME).declared
    names = ("presupposition", "presupposition-strong")
    there, back = (
        compare_theories(declared, each, project.declarations, Findings(), 1) for each in (names, names[::-1])
    )
    assert there is not None and back is not None
    assert [(c.condition, c.before, c.after) for c in there.changes] == [
        (c.condition, c.after, c.before) for c in back.changes
    ]


def test_a_theory_without_the_operators_is_an_error(project: Project) -> None:
    findings = Findings()
    declared = project.paradigm(NAME).declared
    assert compare_theories(declared, ("presupposition", "classical"), project.declarations, findings, 2) is None
    assert {d.code for d in findings.items} == {"E20"}


def test_a_model_in_a_line() -> None:
    model = Model(
        worlds=2,
        individuals=2,
        actual=0,
        constants={"jo": 0},
        predicates={"nap": (frozenset({(1,)}), frozenset()), "wet": (frozenset(), frozenset({()}))},
        relations={"K[0]": frozenset({(0, 0), (0, 1)})},
    )
    assert in_a_line(model) == "w0 (actual) {nap: d1; not wet} w1 {nap: none; wet}; K[jo] w0 -> w0 w1, w1 -> nothing"


@pytest.mark.slow
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["diff-theory", NAME, "presupposition", "presupposition-strong", "--n", "3"]
    assert main(command) == 1
    out = capsys.readouterr().out
    assert "18 of 114 labels move" in out
    assert "modal-presupposed: entailment -> neutral in 3 rows" in out
    assert main([*command, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["version"], data["rows"], data["moved"]) == (1, 114, 18)
    assert set(data["paradigms"][0]["changes"][0]) == {
        "condition", "before", "after", "rows", "id", "premise", "hypothesis", "why"
    }  # fmt: skip
    assert main(["diff-theory", NAME, "presupposition", "presupposition", "--n", "3"]) == 0
    assert main(["diff-theory", NAME, "presupposition", "presuposition"]) == 2
    assert "did you mean `presupposition`" in capsys.readouterr().err


@pytest.mark.slow
def test_several_theories_are_a_table_of_conditions(capsys: pytest.CaptureFixture[str]) -> None:
    theories = ["presupposition", "presupposition-strong", "presupposition-weak"]
    assert main(["diff-theory", NAME, *theories, "--n", "3"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["condition", *theories] and lines[1] == NAME
    moved = [line.split() for line in lines if line.startswith("* ") and not line.startswith("* in")]
    assert moved and all(cells[2] == cells[4] != cells[3] for cells in moved)
    assert lines[-1].startswith(f"* in {len(moved)} of ")
    assert main(["diff-theory", NAME, *theories, "--n", "3", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["theories"] == theories
    differ = [row for row in data["conditions"] if len({json.dumps(each) for each in row["answers"].values()}) > 1]
    assert len(differ) == len(moved)
    assert main(["diff-theory", NAME, "presupposition"]) == 2
