"""Projections in files: the shipped tables, tables of an author's own through every command, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from projects import write
from support import shipped

from gramprobe.certify.evaluator import PROJECTIONS
from gramprobe.cli.main import main
from gramprobe.formula.theory import CONNECTIVES, KNOWN, MIDDLE, STRONG, WEAK, Projection
from gramprobe.resolve.theory.from_syntax import resolve_theory
from gramprobe.source.diagnostic import Findings
from gramprobe.source.files import Source
from gramprobe.syntax.files import read_theory

NAME = "presupposition/possessed_definites_existence"
BACKWARDS = """theory backwards
include presupposition
about "From right to left: the left side counts only where the right one has not settled the value."
projection backwards
  and     T: T F U, F: F F U, U: U F U
  or      T: T T U, F: T F U, U: T U U
  implies T: T F U, F: T T U, U: T U U
  modals      every case
  quantifiers every case
"""


ROWS = {
    "and": "T: T F U, F: F F F, U: U U U",
    "or": "T: T T T, F: T F U, U: U U U",
    "implies": "T: T F U, F: T T T, U: U U U",
    "modals": "every case",
    "quantifiers": "every case",
}


def projection_of(text: str, **others: str) -> tuple[Projection | None, list[str]]:
    """The projection of theory `mine`, which includes `base`, and the diagnostics as code and message."""
    findings = Findings()
    files = {}
    for name, lines in {"mine": text, **others}.items():
        source = Source(
            name=f"{name}.logic", path=f"{name}.logic", text=f"theory {name}\n{lines}", sha256="", origin=""
        )
        theory, problems = read_theory(source)
        assert theory is not None
        files[name] = theory
        findings.extend(problems)
    found = resolve_theory("mine", files, None, findings)
    return None if found is None else found.projection, [f"{each.code} {each.message}" for each in findings.items]


def stated(name: str, **changed: str) -> str:
    return f"projection {name}\n" + "".join(f"  {key} {row}\n" for key, row in {**ROWS, **changed}.items() if row)


def test_tables_of_an_included_file_go_by_their_name() -> None:
    other = stated("mixed", modals="some case")
    found, problems = projection_of("include base\nprojection mixed\n", base=other)
    assert not problems
    assert found is not None and (found.name, found.modals, found.quantifiers) == ("mixed", "some", "every")
    assert projection_of("include base\n", base=other) == (found, [])
    assert projection_of("include base\nprojection weak\n", base=other) == (WEAK, [])
    assert projection_of("") == (MIDDLE, [])


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("projection soft\n", "E02", "no projection named `soft`"),
        (stated("mine", implies=""), "E71", "has no line `implies`"),
        (stated("mine", quantifiers=""), "E71", "has no line `quantifiers`"),
        (stated("mine", modals="most case"), "E02", "no case named `most`"),
        (
            stated("mine", **{"and": "T: T F U, F: F F F"}),
            "E71",
            "needs three values where its left side is U, and has 0",
        ),
        (stated("mine", **{"and": "T: T F U, F: F F F F, U: U U U"}), "E71", "left side is F, and has 4"),
        (stated("mine", **{"or": "T: T T X, F: T F U, U: U U U"}), "E02", "no truth value named `X`"),
        (
            stated("mine", implies="T: T F U, F: T F T, U: U U U"),
            "E71",
            "`implies` of F and F is F here, and T in every",
        ),
        (stated("strong"), "E71", "`strong` is the name of other tables"),
        ("and T: T F U, F: F F F, U: U U U\n", "E39", "a `projection`"),
        (stated("mine") + "  and T: T F U, F: F F F, U: U U U\n", "E16", "`and` is declared twice"),
    ],
)
def test_tables_that_do_not_fit_are_refused(text: str, code: str, message: str) -> None:
    projection, problems = projection_of(text)
    assert len(problems) == 1, problems
    assert problems[0].startswith(code) and message in problems[0]
    assert projection is not None


@pytest.mark.parametrize(
    ("theory", "projection"),
    [
        ("presupposition", MIDDLE),
        ("presupposition-strong", STRONG),
        ("presupposition-weak", WEAK),
        ("classical", MIDDLE),
    ],
)
def test_the_tables_of_the_shipped_files_are_those_that_shapes_name(theory: str, projection: Projection) -> None:
    found = shipped.declarations().theory(theory, None, Findings())
    assert found is not None
    assert (found.projection, found.projection.name) == (projection, projection.name)


def test_the_kernel_knows_the_same_tables_by_the_same_names() -> None:
    assert {
        name: {**{each: known.table(each) for each in CONNECTIVES}, "modals": known.modals,
               "quantifiers": known.quantifiers}
        for name, known in KNOWN.items()
    } == PROJECTIONS  # fmt: skip


def test_a_shape_names_the_tables_that_the_kernel_knows_and_holds_others() -> None:
    assert [Projection.of(each.data) for each in KNOWN.values()] == [*KNOWN.values()]
    assert [each.data for each in KNOWN.values()] == ["middle", "strong", "weak"]
    own = Projection(name="mine", conjunction="TFUFFFUUU", disjunction="TTTTFUUUU", implication="TFUTTTUUU",
                     modals="some", quantifiers="every")  # fmt: skip
    assert own.data == {
        "and": "TFUFFFUUU", "or": "TTTTFUUUU", "implies": "TFUTTTUUU", "modals": "some", "quantifiers": "every"
    }  # fmt: skip
    assert Projection.of(json.loads(json.dumps(own.data))) == own
    with pytest.raises(ValueError, match="no projection"):
        Projection.of("soft")


@pytest.mark.slow
def test_a_projection_of_ones_own_goes_through_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From right to left a true consequent settles a conditional; *might* projects as in middle Kleene."""
    write(tmp_path, {"logic/backwards.logic": BACKWARDS})
    here = ["--path", str(tmp_path)]

    def run(*arguments: str, code: int = 0) -> str:
        found = main([*arguments])
        printed = capsys.readouterr()
        assert found == code, printed.out + printed.err
        return printed.out

    run("check", *here, NAME)
    run("build", *here, NAME, "--n", "2", "--theory", "backwards", "--out", str(tmp_path / "out"))
    (folder,) = (tmp_path / "out").iterdir()
    rows = [json.loads(line) for line in (folder / "items/possessed_definites_existence.jsonl").open()]
    labels = {row["condition"]: row["label_name"] for row in rows}
    assert (labels["conditional-presupposed"], labels["conditional-denied"]) == ("neutral", "neutral")
    assert (labels["modal-presupposed"], labels["modal-denied"]) == ("entailment", "contradiction")
    lines = [json.loads(line) for line in (folder / "certificates.jsonl").open()]
    assert {
        "and": "TFUFFUUFU",
        "or": "TTUTFUTUU",
        "implies": "TFUTTUTUU",
        "modals": "every",
        "quantifiers": "every",
    } in [line["theory"]["projection"] for line in lines]
    assert "nothing is wrong" in run("verify", *here, str(folder))
    moved = run("diff-theory", *here, NAME, "presupposition", "backwards", "--n", "2", code=1)
    assert "6 of 76 labels move" in moved
    assert "in backwards the premise can hold with the hypothesis false" in moved
    moving = next(row for row in rows if row["condition"] == "conditional-presupposed")
    page = run("explain", *here, "--theory", "backwards", moving["id"])
    assert "label       neutral" in page
