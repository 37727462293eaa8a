"""The three columns of labels on toys: which scale strengthens, what the forms say, what a row without a scale says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from forgery import Forger
from projects import ANIMALS, TOY_GRAMMAR, toy, write
from support.labels import labelled
from support.scores import labels_file

import gramprobe
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.studies import accuracy
from gramprobe.analysis.study import Given
from gramprobe.certify.rule import strawson_of
from gramprobe.dataset.manifest import Baselines
from gramprobe.dataset.verify.verify import verify
from gramprobe.formula.notation import show
from gramprobe.items.label import PairLabels
from gramprobe.project import Project, load
from gramprobe.resolve.paradigm.data import LABEL_COLUMNS
from gramprobe.source.diagnostic import AuthoringError

KINDS = """
draw w : Who
draw k : Kind[owlet]
premise
  weak       = Has(w, k.isa)
  not_strong = Lacks(w, k)
pair weak => not_strong
"""
SOME = """
draw k : Kind
draw d : Did
premise
  some = Some(k, d)
  only = Just(k, d)
hypothesis
  all  = All(k, d)
pair some, only => all
"""
QUANTIFIERS = r"""
fun Some (k: Kind, d: Did) : S
  lin "some" k[num=pl] d
  sem exists x. (k(x), d(x))
fun Just (k: Kind, d: Did) : S
  lin "just some" k[num=pl] d
  sem exh exists x. (k(x), d(x))
fun Most (k: Kind, d: Did) : S
  lin "most" k[num=pl] d
  sem most x. (k(x), d(x))
fun All (k: Kind, d: Did) : S
  lin "all" k[num=pl] d
  sem forall x. (k(x), d(x))
"""


def rows_of(project: Project, tmp_path: Path) -> list[dict[str, Any]]:
    folder = project.build("toy/one", tmp_path / "data")[0].folder
    return [json.loads(line) for line in (folder / "items/one.jsonl").open()]


def decided(project: Project) -> dict[str, PairLabels]:
    labelling = labelled(project.paradigm("toy/one"), 1)
    return {pair.pair.condition: pair.decided[0] for pair in labelling.pairs}


def columns(found: PairLabels) -> tuple[str, ...]:
    return tuple(found.label_of(column) for column in LABEL_COLUMNS)


@pytest.mark.slow
def test_a_scale_of_drawn_words_denies_what_the_stronger_would_say(tmp_path: Path) -> None:
    project = toy(tmp_path, "size 1\nscale k.isa, k\ngold pragmatic\n" + KINDS)
    found = decided(project)["weak-not_strong"]
    assert columns(found) == ("neutral", "entailment", "entailment")
    assert found.label == "entailment"


def test_without_a_scale_there_is_no_other_label_than_the_literal_one(tmp_path: Path) -> None:
    (row,) = rows_of(toy(tmp_path, "size 1\n" + KINDS), tmp_path)
    assert [row[f"label_{column}"] for column in ("name", *LABEL_COLUMNS)] == ["neutral", "neutral", "", ""]
    assert [entry["column"] for entry in json.loads(row["labels"])] == ["literal"]
    assert "exh" not in row["premise_form"]


def test_a_graded_set_has_the_labels_of_its_readings_and_none_of_its_own(tmp_path: Path) -> None:
    claims = "pair weak => not_strong   expect literal neutral, pragmatic entailment, imppres entailment"
    project = toy(tmp_path, "size 2\nscale k.isa, k\ngold none\n" + KINDS.replace("pair weak => not_strong", claims))
    (row, _) = rows_of(project, tmp_path)
    assert [row[name] for name in ("label", "label_name", "label_binary")] == [None, "", None]
    assert [row[f"label_{column}"] for column in LABEL_COLUMNS] == ["neutral", "entailment", "entailment"]
    assert "exh" not in row["premise_form"]
    dataset = gramprobe.read(next((tmp_path / "data").iterdir()))
    entry = dataset.manifest.paradigms["one"]
    assert (entry.labels, entry.baselines) == ({}, msgspec.UNSET)
    assert dataset.design("one").labels.gold == "none"  # type: ignore[union-attr]
    assert [batch.column("label").null_count for batch in dataset.rows("one")] == [2]
    assert "no `label`, not scored by accuracy" in (dataset.folder / "README.md").read_text("utf-8")
    assert not verify(dataset.folder, project.declarations, with_rebuild=True).problems.kept


def test_rows_with_a_disputed_label_stay_and_count_in_no_headline_score(tmp_path: Path) -> None:
    """The two pairs have the labels neutral and entailment; without the second all is neutral."""
    lines = KINDS.replace("not_strong = Lacks", "strong = Has").replace("not_strong", "strong")
    project = toy(tmp_path, "size 2\n" + lines + "pair strong => weak   expect entailment   tag theory\n")
    rows = rows_of(project, tmp_path)
    assert Counter(row["tag"] for row in rows) == {"target": 2, "theory": 2}
    dataset = gramprobe.read(next((tmp_path / "data").iterdir()))
    entry = dataset.manifest.paradigms["one"]
    assert entry.outside == {"theory": 2}
    assert isinstance(entry.baselines, Baselines) and entry.baselines.majority == 1.0
    assert "2 rows tagged `theory`" in (dataset.folder / "README.md").read_text("utf-8")
    assert not verify(dataset.folder, project.declarations).problems.kept
    answers = labels_file(tmp_path / "m.csv", {row["id"]: "neutral" for row in rows})
    found = accuracy.STUDY.findings(open_runs([answers], [dataset.folder]), Given())
    assert found.tables[0].rows[0][:2] == ("one", 2)
    (outside,) = [table for table in found.details if table.name == "accuracy_outside"]
    assert (outside.rows[0][:2], outside.rows[0][3]) == (("theory", 2), 0.0)
    assert any("2 items tagged `theory` are out" in warning for warning in found.warnings)


@pytest.mark.parametrize(
    ("gold", "label", "premise", "hypothesis"),
    [("literal", "neutral", False, False), ("pragmatic", "entailment", True, False),
     ("imppres", "entailment", True, True)],
)  # fmt: skip
def test_the_row_is_of_its_gold_column(tmp_path: Path, gold: str, label: str, premise: bool, hypothesis: bool) -> None:
    (row,) = rows_of(toy(tmp_path, f"size 1\nscale k.isa, k\ngold {gold}\n" + KINDS), tmp_path)
    assert row["label_name"] == row[f"label_{gold}"] == label
    assert row["premise_form"].startswith("exh ") == premise
    assert row["hypothesis_form"].startswith("exh ") == hypothesis
    shapes = {entry["column"]: entry["shape"] for entry in json.loads(row["labels"])}
    assert row["shape"] == shapes[gold]


def test_a_meaning_may_strengthen_by_itself(tmp_path: Path) -> None:
    project = toy(tmp_path, "size 1\nscale some, all\n" + SOME, grammar=TOY_GRAMMAR + QUANTIFIERS)
    found = decided(project)
    assert columns(found["some-all"]) == ("neutral", "contradiction", "contradiction")
    assert columns(found["only-all"]) == ("contradiction", "contradiction", "contradiction")


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "label"), [("", "neutral"), ("scale some, most\n", "contradiction")])
def test_the_scale_of_a_paradigm_stands_in_the_place_of_the_theory_s(tmp_path: Path, scale: str, label: str) -> None:
    """Over the theory's `some, all` just some may still be most."""
    paradigm = f"size 1\n{scale}" + SOME.replace("All(k, d)", "Most(k, d)")
    toy(tmp_path, paradigm, grammar=TOY_GRAMMAR + QUANTIFIERS)
    write(tmp_path, {"logic/toy.logic": "theory toy\ninclude classical-import\nscale some, all\n"})
    assert decided(load(tmp_path))["only-all"].in_column("literal").label == label


def test_an_announcement_stands_in_a_meaning(tmp_path: Path) -> None:
    more = r"""
fun Told (k: Kind, d: Did) : S
  lin "told of" k[num=pl] d
  sem [! exists x. k(x)] exists x. (k(x), d(x))
"""
    paradigm = "size 1\n" + SOME.replace("Just", "Told")
    project = toy(tmp_path, paradigm, grammar=TOY_GRAMMAR + QUANTIFIERS + more)
    labelling = labelled(project.paradigm("toy/one"), 1)
    (reading,) = labelling.meanings["only"].readings[0]
    assert show(reading.formula).startswith("[! ")
    assert {pair.pair.condition: pair.decided[0].label for pair in labelling.pairs}["only-all"] == "neutral"


def test_a_failure_in_any_column_is_reported(tmp_path: Path) -> None:
    """Literally *some* leaves the presupposition of *keep* open; strengthened it excludes it."""
    more = r"""
fun Kept (k: Kind, d: Did) : S
  lin "kept" k[num=pl] d
  sem (forall x. (k(x), d(x))) / (exists x. (k(x), d(x)))
"""
    paradigm = "size 1\nscale some, all\n" + SOME.replace("  only = Just(k, d)\n", "").replace("All(", "Kept(")
    project = toy(tmp_path, paradigm.replace("some, only =>", "some =>"), grammar=TOY_GRAMMAR + QUANTIFIERS + more)
    with pytest.raises(AuthoringError, match="E24"):
        project.build("toy/one", tmp_path / "data")


def test_strawson_entailment_asks_where_the_hypothesis_has_a_value(tmp_path: Path) -> None:
    """That it kept going follows from that some did, wherever it is presupposed that all did before."""
    more = r"""
fun Kept (k: Kind, d: Did) : S
  lin "kept" k[num=pl] d
  sem (forall x. (k(x), d(x))) / (exists x. (k(x), d(x)))
"""
    paradigm = "size 1\n" + SOME.replace("  only = Just(k, d)\n", "").replace("All(", "Kept(")
    claims = "some => all   expect neutral, strawson entailment"
    project = toy(tmp_path, paradigm.replace("some, only => all", claims), grammar=TOY_GRAMMAR + QUANTIFIERS + more)
    (row,) = rows_of(project, tmp_path)
    assert (row["label_name"], row["h_values"], row["label_strawson"]) == ("neutral", "TU", "entailment")
    folder = next((tmp_path / "data").iterdir())
    forger = Forger(folder, "one")
    forger.edit_row(lambda row: row.__setitem__("label_strawson", "neutral"))
    problems = verify(folder, project.declarations).problems.kept
    assert any("`label_strawson` is `neutral`, and its certificate says" in problem.reason for problem in problems)


@pytest.mark.parametrize(
    ("values", "label"),
    [("T", "entailment"), ("TU", "entailment"), ("TFU", "neutral"), ("FU", "contradiction"),
     ("U", "presupposition failure"), ("", None)],
)  # fmt: skip
def test_the_strawson_label_leaves_out_what_is_undefined(values: str, label: str | None) -> None:
    assert strawson_of(values) == label


@pytest.mark.slow
def test_words_that_an_axiom_relates_through_another_name_are_decided_apart(tmp_path: Path) -> None:
    """An ashcat is a thing by its own axiom, and by way of owlet and birdie; an owlet by way of birdie alone."""
    grammar = TOY_GRAMMAR.replace("const has : e -> e -> t", "const has : e -> e -> t\nconst thing : e -> t") + (
        'fun HasThing (w: Who) : S\n  lin w "has something"\n  sem exists x. (thing(x), has(w, x))\n'
    )
    lines = (
        "size all\ndraw w : Who\ndraw k : Kind\npremise\n p = Has(w, k)\nhypothesis\n h = HasThing(w)\npair p => h\n"
    )
    toy(tmp_path / "own", lines, ANIMALS.replace("ashcats\tv\t-", "ashcats\tv\towlet"), grammar=grammar)
    theory = tmp_path / "own/logic/toy.logic"
    theory.write_text(theory.read_text("utf-8") + "each k : Kind postulate forall x. (k(x) -> thing(x))\n", "utf-8")
    built = load(tmp_path / "own").build("toy/one", tmp_path / "data")[0]
    rows = [json.loads(line) for line in (built.folder / "items/one.jsonl").open(encoding="utf-8")]
    assert {row["label_name"] for row in rows} == {"entailment"}
    assert len({row["shape"] for row in rows if row["draws"]["k"] in ("owlet", "ashcat")}) == 2


def test_a_space_that_is_empty_is_reported_where_a_column_names_a_word(tmp_path: Path) -> None:
    """That the column is not empty is a condition that no line of a file states: it has no place to be shown."""
    project = toy(tmp_path, "size 1\n" + KINDS.replace("Kind[owlet]", "Kind   where k = owlet, k != owlet"))
    with pytest.raises(AuthoringError) as raised:
        project.build("toy/one", tmp_path / "data")
    assert {item.code for item in raised.value.diagnostics} == {"E09"}
