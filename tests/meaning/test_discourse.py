"""Two sentences: which noun phrases of the first are antecedents for the second, and which are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_grammars import EVERY, IT_RAN, SAW, SEEING, THEY_RAN, TWO, A

from gramprobe.decide.label import Decider
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import free_variables
from gramprobe.formula.notation import parse, show
from gramprobe.formula.theory import TheorySlice
from gramprobe.meaning.compose import readings
from gramprobe.meaning.discourse import continued
from gramprobe.meaning.reading import Reading
from gramprobe.project import load

GRAMMAR = (
    SEEING
    + r"""const ran : e -> t
const jo : e
fun Jo : NP
  lin "Jo"
  sem \P. P(jo)
"""
    + EVERY
    + TWO
    + A
    + r"""fun Some (k: Kind) : NP
  lin "some" k
  sem \P. exists x. (k(x), P(x))
  scope "some"
fun Who (k: Kind, island v: VP) : Kind
  lin k "who" v
  sem \x. (k(x) & v(x))
"""
    + SAW
    + r"""fun Either (island c: Cl, island d: Cl) : S
  lin "either" c[mode=plain] "or" d[mode=plain]
  sem c | d
fun If (island c: Cl, d: Cl) : S
  lin "if" c[mode=plain] d[mode=plain]
  sem c -> d
fun And (island c: Cl, island d: Cl) : S
  lin c[mode=plain] "and" d[mode=plain]
  sem c & d
"""
    + IT_RAN
    + THEY_RAN
    + r"""fun NobodySaw : S
  lin "nobody saw it"
  sem ~exists x. saw(x, it)
  refers "some", "a"
fun ForEvery : S
  lin "it's a different one each time"
  sem ~exists x. ran(x)
  refers "every"
"""
)

PARADIGM = """paradigm one
uses tested
theory classical
task choice
draw k, l, m : Kind where distinct(k, l, m)
sentence
  tested = {tested}
option
  after = {after}
  other = Say(Saw(Every(k), Every(m)))
pair tested => after
pair tested => other
"""


def read(folder: Path, tested: str, after: str) -> tuple[tuple[Reading, ...], Reading]:
    """The readings of a first sentence, and the one reading of the second."""
    files = {
        "grammars/tested.gram": GRAMMAR,
        "grammars/scopes/one.paradigm": PARADIGM.format(tested=tested, after=after),
        "lexicon/tested_kinds.tsv": "id\tform\nnewt\tnewt\nowl\towl\nelk\telk\n",
    }
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    plan = load(folder, names=["scopes/one"]).paradigm("scopes/one").plan()
    conditions = plan.paradigm.conditions
    (second,) = readings(conditions["after"].tree, {}, plan.grammar)
    return readings(conditions["tested"].tree, {}, plan.grammar), second


@pytest.mark.parametrize(
    ("tested", "open_in"),
    [
        ("Say(Saw(Jo, A(l)))", ["a"]),
        ("Say(Saw(Every(k), A(l)))", ["a > every"]),
        ("Say(Saw(Two(k), A(l)))", ["a > two"]),
        ("Deny(Saw(Jo, A(l)))", ["a > not"]),
        ("Either(Saw(Jo, A(l)), Saw(Jo, Some(l)))", []),
        ("If(Saw(Jo, A(l)), Saw(Jo, Some(l)))", []),
        ("If(Saw(Jo, Some(k)), Saw(Jo, A(l)))", ["a > some"]),
        ("And(Saw(Jo, A(l)), Saw(Jo, Some(l)))", ["a > some"]),
        ("And(Saw(Jo, Some(l)), Saw(Jo, A(l)))", ["some > a"]),
        ("Say(Saw(Some(Who(k, See(A(l)))), Jo))", ["some > a", "a > some"]),
        ("Say(Saw(Every(Who(k, See(A(l)))), Jo))", []),
    ],
)
def test_an_inaccessible_noun_phrase_is_no_antecedent(tmp_path: Path, tested: str, open_in: list[str]) -> None:
    first, second = read(tmp_path, tested, "ItRan")
    continuing = [r.id for r in first if continued(r, second) is not None]
    assert set(continuing) <= set(open_in) and bool(continuing) == bool(open_in)
    for reading in first:
        whole = continued(reading, second)
        assert whole is None or not free_variables(whole)


@pytest.mark.slow
def test_the_second_sentence_is_in_the_scope_of_the_antecedent(tmp_path: Path) -> None:
    (first,), second = read(tmp_path, "Say(Saw(Jo, A(l)))", "ItRan")
    assert shown(continued(first, second)) == "exists x. (l(x), saw(jo, x) & ran(x))"


@pytest.mark.slow
def test_a_variable_of_the_second_sentence_captures_nothing(tmp_path: Path) -> None:
    (first,), second = read(tmp_path, "Say(Saw(Jo, A(l)))", "NobodySaw")
    assert shown(continued(first, second)) == "exists x. (l(x), saw(jo, x) & ~exists x1. saw(x1, x))"


@pytest.mark.slow
def test_a_numeral_as_antecedent_counts_on(tmp_path: Path) -> None:
    (first,), second = read(tmp_path, "Say(Saw(Jo, Two(l)))", "TheyRan")
    assert first.antecedents == (("two", ("x",)),)
    assert shown(continued(first, second)) == ("atleast 2 x. (l(x), saw(jo, x) & ran(x))")


@pytest.mark.slow
def test_nothing_in_the_scope_of_a_numeral_is_an_antecedent(tmp_path: Path) -> None:
    first, second = read(tmp_path, "Say(Saw(Two(k), A(l)))", "ItRan")
    assert {r.id: r.antecedents for r in first} == {
        "two > a": (("two", ("x",)),),
        "a > two": (("a", ("x",)), ("two", ("y",))),
    }
    assert {r.id for r in first if continued(r, second) is not None} == {"a > two"}


@pytest.mark.slow
def test_an_anaphor_without_a_variable_wants_its_operator_anywhere(tmp_path: Path) -> None:
    first, second = read(tmp_path, "Deny(Saw(A(l), Every(k)))", "ForEvery")
    assert all(continued(r, second) is not None for r in first)
    first, second = read(tmp_path, "Deny(Saw(A(l), Two(k)))", "ForEvery")
    assert all(continued(r, second) is None for r in first)


@pytest.mark.slow
def test_a_second_sentence_about_two_is_true_of_both(tmp_path: Path) -> None:
    """`Two newts saw every owl. Those two ran`: there are two, and both ran, decided."""
    first, second = read(tmp_path, "Say(Saw(Two(k), Every(l)))", "TheyRan")
    surface = next(r for r in first if r.id == "two > every")
    formula = parse(shown(continued(surface, second)))
    all_owls = "forall u. (l(u), saw({0}, u))"
    two = f"k(x) & k(y) & ~(x = y) & ({all_owls.format('x')}) & ({all_owls.format('y')}) & ran(x) & ran(y)"
    spelt_out = parse(f"exists x, y. ({two})")
    decider = Decider()
    for one, other in ((formula, spelt_out), (spelt_out, formula)):
        assert decider.decision(one, other, TheorySlice()).verdict.label == "entailment"


def shown(formula: Formula | None) -> str:
    assert formula is not None
    return show(formula).replace("\u2039", "").replace("\u203a", "")
