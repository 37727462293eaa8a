"""The labels of several theories in one row: proved, by reading where readings differ, and compared as said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from forgery import Forger
from projects import TOY_GRAMMAR, toy, write
from support.scores import labels_file

from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.studies import theories
from gramprobe.analysis.study import Given
from gramprobe.dataset.verify.verify import verify
from gramprobe.project import Project, load
from gramprobe.source.diagnostic import AuthoringError

GRAMMAR = (
    TOY_GRAMMAR
    + r"""
fun Or (s: S, other: S) : S
  lin s "or" other
  sem s | other
  sem reading "both" s & other
"""
)
#: that she has one is presupposed of the left side: the right side settles the whole in strong Kleene only
PARADIGM = """
draw w, u : Who
draw k, m : Kind   where k != m, w != u
draw d : Did
premise
  either = Or(TheirK(w, k, d), Has(u, m))
hypothesis
  has    = Has(w, k)
pair either => has   expect entailment
"""
LOGIC = {
    "logic/strong.logic": "theory strong\ninclude toy\nprojection strong\n"
    "  and     T: T F U, F: F F F, U: U F U\n  or      T: T T T, F: T F U, U: T U U\n"
    "  implies T: T F U, F: T T T, U: T U U\n  modals      some case\n  quantifiers some case\n",
    "logic/weak.logic": "theory weak\ninclude toy\nprojection weak\n"
    "  and     T: T F U, F: F F U, U: U U U\n  or      T: T T U, F: T F U, U: U U U\n"
    "  implies T: T F U, F: T T U, U: U U U\n  modals      every case\n  quantifiers every case\n",
    "logic/same.logic": "theory same\ninclude toy\n",
    "logic/owners.logic": "theory owners\ninclude toy\npostulate exists x. has(uma, x)\n",
}


def project(folder: Path, theories: str, paradigm: str = PARADIGM, size: str = "3") -> Project:
    toy(folder, f"size {size}\ntheories {theories}\n" + paradigm, grammar=GRAMMAR)
    return load(write(folder, LOGIC), names=["toy/one"])


def built(made: Project, folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    place = made.build("toy/one", folder / "data")[0].folder
    return place, [json.loads(line) for line in (place / "items/one.jsonl").open(encoding="utf-8")]


@pytest.mark.slow
def test_each_theory_has_its_proved_label_by_reading_where_readings_differ(tmp_path: Path) -> None:
    made = project(tmp_path, "toy = weak, strong")
    folder, rows = built(made, tmp_path)
    for row in rows:
        assert json.loads(row["labels_by_theory"]) == {
            "toy": "entailment",
            "strong": {"": "neutral", "both": "entailment"},
        }
        assert row["label_name"] == "entailment"
        entries = [(e["premise"], e["column"], e["label"]) for e in json.loads(row["labels"])]
        assert entries == [
            ("", "literal", "entailment"), ("both", "literal", "entailment"), ("", "strong", "neutral"),
            ("both", "strong", "entailment"),
        ]  # fmt: skip
    shapes = {json.loads(line)["shape"] for line in (folder / "certificates.jsonl").open(encoding="utf-8")}
    assert {e["shape"] for row in rows for e in json.loads(row["labels"])} == shapes
    assert "`strong`" in (folder / "README.md").read_text("utf-8")
    assert not verify(folder, made.declarations, with_rebuild=True).problems.kept
    answers = labels_file(tmp_path / "m.csv", {row["id"]: "neutral" for row in rows})
    summary, *_ = theories.STUDY.findings(open_runs([answers], [folder]), Given()).tables
    assert {row[0]: row[5].value if isinstance(row[5], Interval) else row[5] for row in summary.rows} == {
        "strong": 1.0,
        "toy": 0.0,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "reason"),
    [(("neutral", "contradiction"), "says .* of strong, and `labels` does not"),
     (("strong", "weak"), "not of the theories of `labels`"), (("{", "{ "), "not of the theories of `labels`")],
)  # fmt: skip
def test_a_forged_label_of_a_theory_is_found_without_the_sources(
    tmp_path: Path, edit: tuple[str, str], reason: str
) -> None:
    made = project(tmp_path, "toy, strong")
    folder, _ = built(made, tmp_path)
    forger = Forger(folder, "one")
    forger.edit_row(lambda row: row.__setitem__("labels_by_theory", row["labels_by_theory"].replace(*edit)))
    problems = verify(folder, made.declarations).problems.kept
    assert any(re.search(reason, problem.reason) for problem in problems), problems


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theories", "message"),
    [("toy = strong", "`strong` does not give the labels of `toy`: either-has is"), ("toy, nothing", "nothing"),
     ("toy, toy", "declared twice")],
)  # fmt: skip
def test_what_is_said_of_theories_is_checked(tmp_path: Path, theories: str, message: str) -> None:
    with pytest.raises(AuthoringError, match=message):
        built(project(tmp_path, theories), tmp_path)


@pytest.mark.slow
def test_theories_that_agree_everywhere_are_to_stand_once(tmp_path: Path) -> None:
    findings = project(tmp_path, "toy, same").build("toy/one", tmp_path / "data")[0].findings
    assert [(item.code, item.severity) for item in findings.items] == [("E73", "warning")]


@pytest.mark.slow
def test_rows_are_grouped_by_the_axioms_of_every_theory(tmp_path: Path) -> None:
    """One theory says of Uma alone that she has something: what her rows rest on is another shape."""
    paradigm = PARADIGM.replace("Or(TheirK(w, k, d), Has(u, m))", "Has(w, k)").replace(
        "has    = Has(w, k)", "has    = Or(TheirK(w, m, d), Has(u, k))"
    )
    made = project(tmp_path, "toy, owners", paradigm.replace("   expect entailment", ""), size="all")
    folder, rows = built(made, tmp_path)
    assert not verify(folder, made.declarations).problems.kept
    shapes: dict[bool, set[str]] = {True: set(), False: set()}
    for row in rows:
        own = (e["shape"] for e in json.loads(row["labels"]) if e["column"] == "owners")
        shapes["uma" in (row["draws"]["w"], row["draws"]["u"])].update(own)
    assert all(shapes.values()) and shapes[True].isdisjoint(shapes[False])
