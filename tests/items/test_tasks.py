"""Tasks about readings on small grammars of a test's own: what fits which reading, decided row by row."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.reading_tasks import CHOICE, COREF, GRAMMAR, made

from gramprobe.dataset.verify.verify import verify
from gramprobe.project import Project, load


def rows(project: Project, out: Path) -> list[dict[str, Any]]:
    """The rows that are built, and that verify."""
    (built,) = project.build("small/one", out)
    assert [str(p) for p in verify(built.folder, project.declarations).problems.kept] == []
    return [json.loads(line) for line in (built.folder / "items/one.jsonl").read_text("utf-8").splitlines()]


NUMERALS = CHOICE.format(sentence="Say(Did(Two(k), v, A(l)))", one="Three(k, v, l)", other="NoTwo(k, v, l)")


@pytest.mark.slow
def test_numerals_are_taken_as_the_theory_says(tmp_path: Path) -> None:
    """Three may have met one owl where at least two have met it, and not where exactly two have."""
    (first, *_) = rows(made(tmp_path / "a", NUMERALS, "scale atleast 2, atleast 3\n"), tmp_path / "out")
    assert (first["fits_a"], first["fits_b"]) == ("two > a, a > two", "two > a")
    exactly = made(tmp_path / "b", NUMERALS, "scale atleast 2, atleast 3\nnumerals exactly\n")
    (first, *_) = rows(exactly, tmp_path / "out")
    assert (first["fits_a"], first["fits_b"]) == ("a > two", "two > a")
    assert all("exactly 2" in formula for formula in json.loads(first["readings"]).values())


def test_what_is_exactly_two_can_still_be_taken_up(tmp_path: Path) -> None:
    paradigm = COREF.format(sentence="Say(Did(Name(w), v, Two(k)))", followup="TheyRan")
    project = made(tmp_path, paradigm, "scale atleast 2, atleast 3\nnumerals exactly\n")
    assert {row["embedded_accessible_in"] for row in rows(project, tmp_path / "out")} == {"two"}


@pytest.mark.slow
def test_the_scale_of_the_paradigm_strengthens_in_a_meaning(tmp_path: Path) -> None:
    """Who met just some owls did not meet every one: so only where `some, all` is the scale."""
    paradigm = COREF.format(sentence="Just(w, v, k)", followup="All(w, v, k)")
    for number, (own, theory, fits) in enumerate([
        ("scale some, all\n", "", ""),
        ("", "scale some, all\n", ""),
        ("scale or, and\n", "scale some, all\n", "only"),
    ]):  # fmt: skip
        found = rows(made(tmp_path / str(number), own + paradigm, theory), tmp_path / "out")
        shown = json.loads(found[0]["readings"])
        assert found[0]["embedded_accessible_in"] == fits, shown


@pytest.mark.slow
def test_a_reading_stands_for_its_equivalents_when_something_takes_it_up(tmp_path: Path) -> None:
    """Equivalent readings are one; what follows fits where one of them leaves an antecedent open."""
    paradigm = COREF.format(sentence="Say(Did(Name(w), v, One(k)))", followup="ItRan")
    found = rows(made(tmp_path, paradigm), tmp_path / "out")
    assert {(row["ambiguous_readings"], row["embedded_accessible_in"]) for row in found} == {("a", "a")}


HOMOGRAPHS = {"lexicon/vs.tsv": "id\tbase\tpast\nlay\tlay\tlaid\nlaid\tlaid\tlaid\nmeet\tmeet\tmet\n"}


@pytest.mark.slow
def test_what_prints_the_same_is_one_item(tmp_path: Path) -> None:
    """Verbs that differ in a form that nobody says, a draw that is not said, two values that one form shows."""
    grammar = re.sub(r"(  lin .*) v ", r"\1 v[tense=past] ", GRAMMAR)
    grammar = grammar.replace("feature onset", "feature tense = base | past\nfeature onset")
    grammar = grammar.replace(
        "cat V : e -> e -> t from vs.tsv word past", "cat V[tense] : e -> e -> t from vs.tsv forms base, past"
    )
    grammar = grammar.replace("fun AllSame (k: Kind, v: V, l: Kind)", "fun AllSame (k: Kind, v: V, l: Kind, q: Who)")
    grammar = grammar.replace(
        '"one" l "was" v[tense=past] "by every" k', '"one" l "was" v[tense=past] "by every" k unsaid q'
    )
    sentence = "Say(Did(Every(k), v, A(l)))"
    paradigm = CHOICE.format(sentence=sentence, one="NoneSame(k, v, l)", other="AllSame(k, v, l, q)")
    paradigm = paradigm.replace("size 4", "size all").replace("draw v : V", "draw v : V\ndraw q : Who")
    project = made(tmp_path, paradigm, grammar=grammar, files=HOMOGRAPHS)
    found = rows(project, tmp_path / "out")
    said = [(row["sentence"], row["option_a"], row["option_b"]) for row in found]
    assert len(said) == len(set(said)) == 2 * 6 * 2


MIXED = CHOICE.format(sentence="Say(Did(n, v, A(l)))", one="NoneSame(k, v, l)", other="AllSame(k, v, l)").replace(
    "draw v : V", "draw v : V\ndraw n : NP by Every, Name"
)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 5])
def test_rejected_instances_are_counted_and_verified(tmp_path: Path, size: int) -> None:
    project = made(tmp_path, MIXED.replace("size 4", f"size {size}"))
    found = rows(project, tmp_path / "out")
    assert len(found) == 2 * size
    assert all("every" in row["readings"] for row in found)
    manifest = json.loads((tmp_path / "out/small--one/manifest.json").read_text("utf-8"))
    assert sum(manifest["paradigms"]["one"]["no_items"].values()) > 0 or size == 1
    shutil.rmtree(tmp_path / "grammars/small")
    alone = verify(tmp_path / "out/small--one", load(tmp_path).declarations)
    assert [p.code for p in alone.problems.kept if p.code != "E53"] == []
