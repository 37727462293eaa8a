"""What sentences convey beside their meaning (`sem conveys`): where it counts, and which label rests on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from projects import TOY_GRAMMAR, toy

import gramprobe
from gramprobe.dataset.verify.verify import verify
from gramprobe.project import Project
from gramprobe.source.diagnostic import AuthoringError

#: whoever does not want something is heard to want it not to be so
WANTS = r"""
const wants, shuns : e -> e -> t
fun Wants (k: Kind) : VP
  lin "wants the" k[num=sg]
  sem \x. (exists y. (k(y), wants(x, y)))
  sem conveys \x. ((exists y. (k(y), wants(x, y))) | forall y. (k(y), shuns(x, y)))
fun Does (w: Who, v: VP) : S
  lin w v
  sem v(w)
fun Doesnt (w: Who, v: VP) : S
  lin w "not" v
  sem ~v(w)
fun Maybe (s: S, other: S) : S
  lin s "or" other
  sem s | other
fun Shuns (w: Who, k: Kind) : S
  lin w "shuns the" k[num=sg]
  sem forall y. (k(y), shuns(w, y))
cat VP : e -> t
"""
PAIRS = """
draw w : Who
draw k : Kind
premise
  yes   = Does(w, Wants(k))
  no    = Doesnt(w, Wants(k))
  maybe = Maybe(no_, Has(w, k))
hypothesis
  shuns = Shuns(w, k)
pair yes   => shuns   expect neutral, pragmatic neutral
pair no    => shuns   expect neutral, pragmatic entailment
pair maybe => shuns   expect neutral, pragmatic neutral
"""
PARADIGM = "size 2\n" + PAIRS.replace("no_", "Doesnt(w, Wants(k))")


def project(folder: Path, paradigm: str = PARADIGM) -> Project:
    return toy(folder, paradigm, grammar=TOY_GRAMMAR + WANTS)


@pytest.mark.slow
def test_it_counts_where_the_sentence_asserts_or_denies_it(tmp_path: Path) -> None:
    made = project(tmp_path)
    built = made.build("toy/one", tmp_path / "data")[0]
    rows = [json.loads(line) for line in (built.folder / "items/one.jsonl").open(encoding="utf-8")]
    found = {row["condition"]: (row["label_literal"], row["label_pragmatic"], row["label_imppres"]) for row in rows}
    assert found == {
        "yes-shuns": ("neutral", "neutral", ""),
        "no-shuns": ("neutral", "entailment", ""),
        "maybe-shuns": ("neutral", "neutral", ""),
    }
    assert {row["label_name"] for row in rows} == {"neutral"}
    assert not any("shuns" in row["premise_form"] for row in rows)
    assert gramprobe.read(built.folder).design("one").labels.columns == [  # type: ignore[union-attr]
        "literal", "pragmatic",
    ]  # fmt: skip
    assert not verify(built.folder, made.declarations, with_rebuild=True).problems.kept


@pytest.mark.slow
def test_it_stands_in_the_formula_of_a_pragmatic_gold(tmp_path: Path) -> None:
    claims = PARADIGM.replace("expect neutral, pragmatic", "expect")
    made = project(tmp_path, "gold pragmatic\n" + claims)
    built = made.build("toy/one", tmp_path / "data")[0]
    rows = [json.loads(line) for line in (built.folder / "items/one.jsonl").open(encoding="utf-8")]
    forms = {row["condition"]: row["premise_form"] for row in rows}
    assert [name for name, form in forms.items() if "shuns" in form] == ["no-shuns"]  # `yes` says one side of it
    assert {row["condition"]: row["label_name"] for row in rows}["no-shuns"] == "entailment"
    assert not verify(built.folder, made.declarations).problems.kept


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "code"),
    [(("Wants(k)", "Own(k)"), "E61"), (("pragmatic neutral", "imppres neutral"), "E61")],
    ids=["nothing conveyed", "no scale for both sides"],
)
def test_a_column_needs_something_to_strengthen_by(tmp_path: Path, change: tuple[str, str], code: str) -> None:
    more = 'fun Own (k: Kind) : VP\n  lin "owns the" k[num=sg]\n  sem \\x. (exists y. (k(y), has(x, y)))\n'
    with pytest.raises(AuthoringError, match=code):
        toy(tmp_path, PARADIGM.replace(*change), grammar=TOY_GRAMMAR + WANTS + more).build("toy/one", tmp_path / "data")


NAMED = """
fun Self (w: Who) : NP
  lin w
  sem w
  sem conveys w
cat NP : e
fun Is (n: NP, d: Did) : S
  lin n d
  sem d(n)
"""


@pytest.mark.slow
def test_a_name_has_nothing_to_convey(tmp_path: Path) -> None:
    head = "size 1\ndraw w : Who\ndraw d : Did\ndraw k : Kind\n"
    lines = "premise\n p = Is(Self(w), d)\nhypothesis\n h = Has(w, k)\npair p => h\n"
    with pytest.raises(AuthoringError, match="about statements"):
        toy(tmp_path, head + lines, grammar=TOY_GRAMMAR + NAMED).build("toy/one", tmp_path / "data")
