"""The line `scope` of a paradigm: noun phrases stay where they stand, take scope in definitions too, or as declared."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import toy

from gramprobe.project import Project, load

GRAMMAR = r"""
feature num = sg | pl
feature onset = v | c
cat Kind[num, onset, isa: Kind?] : e -> t from kinds.tsv forms sg, pl
cat Who : e from who.tsv word name
cat NP : (e -> t) -> t
cat Cl : t
cat S : t
sentence S "."
const has : e -> e -> t
fun A (k: Kind) : NP
  lin "some" k[num=sg]
  sem \P. exists x. (k(x), P(x))
  scope "some"
fun TheK (k: Kind) : NP
  lin "the" k[num=pl]
  sem \P. forall x. (k(x), P(x))
  scope "the" above "not"
fun Loose (k: Kind) : NP
  lin "one" k[num=sg]
  sem \P. exists x. (k(x), P(x))
define Near (k: Kind) : NP
  as A(k) in place
fun Has (w: Who, n: NP) : Cl
  lin w "has" n
  sem n(\x. has(w, x))
fun Say (c: Cl) : S
  lin c
  sem c
fun Not (c: Cl) : S
  lin "not that" c
  sem ~c
  scope "not"
"""
LINES = """size 2
{scope}draw w : Who
draw k : Kind
draw n : NP by A
premise
  p = Not(Has(w, {phrase}))
hypothesis
  h = Say(Has(w, {phrase}))
pair p => h expect {label}
"""


def project(folder: Path, scope: str, phrase: str, label: str = "contradiction") -> Project:
    lines = LINES.format(scope=scope and f"scope {scope}\n", phrase=phrase, label=label)
    lines = lines.replace("draw k : Kind\n" if phrase == "n" else "draw n : NP by A\n", "")
    return toy(folder, lines, grammar=GRAMMAR)


def codes(made: Project, name: str = "toy/one") -> list[str]:
    return [each.code for each in made.check(name) if each.is_error]


@pytest.mark.parametrize(
    ("scope", "phrase", "code"),
    [
        ("", "A(k)", "E25"),
        ("frozen", "A(k)", ""),
        ("free", "A(k)", "E25"),
        ("", "n", "E25"),
        ("frozen", "n", ""),
        ("", "Near(k)", "E74"),
        ("frozen", "Near(k)", ""),
        ("free", "Near(k)", "E25"),
        ("", "Loose(k)", "E74"),
        ("frozen", "Loose(k)", ""),
        ("loose", "A(k)", "E02"),
        ("frozen\nscope free", "A(k)", "E16"),
    ],
)
def test_noun_phrases_take_scope_as_the_paradigm_says(tmp_path: Path, scope: str, phrase: str, code: str) -> None:
    assert codes(project(tmp_path, scope, phrase))[:1] == ([code] if code else [])


@pytest.mark.parametrize("scope", ["", "frozen", "free"])
def test_what_has_to_stand_above_an_operator_does_so(tmp_path: Path, scope: str) -> None:
    assert codes(project(tmp_path, scope, "TheK(k)", "neutral")) == []  # of no newts both are true


def test_a_paradigm_made_from_another_has_its_line(tmp_path: Path) -> None:
    project(tmp_path, "frozen", "A(k)")
    (tmp_path / "grammars/toy/two.paradigm").write_text("paradigm two from toy/one\n", "utf-8")
    (tmp_path / "grammars/toy/three.paradigm").write_text("paradigm three from toy/one\nscope free\n", "utf-8")
    made = load(tmp_path)
    assert codes(made, "toy/two") == []
    assert codes(made, "toy/three")[:1] == ["E25"]


WORDS_IN_ORDER = """paradigm one
about  "a universal before *not*"
source "ours"
language en
uses   english
theory presupposition
scope frozen
size 2
draw n : N[sort=person]
draw w : VP by Intransitive
premise
  denied = Neg(Clause(past, Determined(every, n), w))
hypothesis
  none = Assert(Clause(past, No(n), w))
pair denied => none   expect neutral
yields 1 pair
"""


def test_the_order_of_the_words_stops_no_build_of_noun_phrases_that_take_no_scope(tmp_path: Path) -> None:
    (tmp_path / "grammars/toy").mkdir(parents=True)
    (tmp_path / "grammars/toy/one.paradigm").write_text(WORDS_IN_ORDER, "utf-8")
    assert codes(load(tmp_path)) == []
