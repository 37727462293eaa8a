"""Scope: which readings a sentence has, which is the surface reading, and that no reading leaves a variable free."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_grammars import EVERY, SAW, SEEING

from gramprobe.formula.binding import free_variables
from gramprobe.formula.notation import show
from gramprobe.meaning.compose import readings
from gramprobe.meaning.reading import Reading
from gramprobe.project import load

GRAMMAR = (
    SEEING
    + r"""const near : e -> e -> t
"""
    + EVERY
    + r"""fun Two (k: Kind) : NP
  lin "two" k
  sem \P. atleast 2 x. (k(x), P(x))
  scope "two"
fun Thes (k: Kind) : NP
  lin "the" k
  sem \P. forall x. (k(x), P(x))
  scope "the" above "not"
fun Near (k: Kind, o: NP) : NP
  lin "a" k "near" o
  sem \P. exists x. (k(x) & o(\y. near(x, y)), P(x))
  scope "a"
fun OnlyOne (k: Kind) : NP
  lin "only one" k
  sem \P. (exists x. (k(x), P(x)) & ~atleast 2 x. (k(x), P(x)))
  scope "one"
fun Certain (k: Kind) : NP
  lin "a certain" k
  sem \P. exists x. (k(x), P(x))
  scope "certain" exceptional
fun Any (k: Kind) : NP
  lin "any" k
  sem \P. exists x. (k(x), P(x))
  scope "any" in place
fun Seeing (k: Kind, island v: VP) : Kind
  lin k "who" v
  sem \x. (k(x) & v(x))
"""
    + SAW
)

PARADIGM = """paradigm one
uses tested
theory classical
draw k, l, m : Kind where distinct(k, l, m)
premise
  tested = {tested}
hypothesis
  other = Say(Saw(Every(k), Every(m)))
pair tested => other
"""


def readings_of(folder: Path, tested: str) -> tuple[Reading, ...]:
    files = {
        "grammars/tested.gram": GRAMMAR,
        "grammars/scopes/one.paradigm": PARADIGM.format(tested=tested),
        "lexicon/tested_kinds.tsv": "id\tform\nnewt\tnewt\nowl\towl\nelk\telk\n",
    }
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    plan = load(folder, names=["scopes/one"]).paradigm("scopes/one").plan()
    all_readings = readings(plan.paradigm.conditions["tested"].tree, {}, plan.grammar)
    for reading in all_readings:
        assert not free_variables(reading.formula), show(reading.formula)
    assert len({r.id for r in all_readings}) == len(all_readings)
    return all_readings


@pytest.mark.parametrize(
    ("tested", "ids"),
    [
        ("Say(Saw(Every(k), Two(l)))", ["every > two", "two > every"]),
        ("Say(Saw(Two(k), Two(l)))", ["two > two", "two > two'"]),
        ("Say(Saw(Thes(k), Two(l)))", ["the > two", "two > the"]),
        ("Deny(Saw(Thes(k), Thes(l)))", ["the > the > not"]),
        ("Deny(Saw(Any(k), Any(l)))", ["not"]),
        ("Deny(Saw(Every(k), Any(l)))", ["every > not", "not > every"]),
        ("Deny(Saw(Every(k), Thes(l)))", ["every > the > not", "the > not > every"]),
        ("Say(Saw(Near(k, Every(l)), Every(m)))", ["every > a > every", "every > every > a", "every > every > a'"]),
    ],
)
def test_readings_in_the_order_of_the_words_first(tmp_path: Path, tested: str, ids: list[str]) -> None:
    derived = [r.id for r in readings_of(tmp_path, tested)]
    assert derived[0] == ids[0]
    assert sorted(derived) == sorted(ids)


def test_the_surface_reading_has_the_first_noun_phrase_outside(tmp_path: Path) -> None:
    first = readings_of(tmp_path, "Say(Saw(Thes(k), Two(l)))")[0]
    assert show(first.formula).startswith("forall x. (\u2039k\u203a(x), atleast 2 y.")


def test_negation_takes_every_place(tmp_path: Path) -> None:
    of_sentence = readings_of(tmp_path, "Deny(Saw(Every(k), Two(l)))")
    assert {r.id for r in of_sentence} == {
        "every > two > not", "two > every > not", "every > not > two", "two > not > every", "not > every > two",
        "not > two > every",
    }  # fmt: skip
    assert of_sentence[0].id == "every > two > not"


@pytest.mark.slow
def test_only_exceptional_indefinites_leave_an_island(tmp_path: Path) -> None:
    """`Every newt who saw a certain owl saw an elk` (Fodor & Sag 1982); `two owls` stay in the relative clause."""
    wide = {r.id for r in readings_of(tmp_path / "one", "Say(Saw(Every(Seeing(k, See(Certain(l)))), Two(m)))")}
    assert {"certain > every > two", "every > two > certain"} <= wide
    narrow = [r.id for r in readings_of(tmp_path / "other", "Say(Saw(Every(Seeing(k, See(Two(l)))), Thes(m)))")]
    assert narrow and all(id_.split(" > ").index("every") < id_.split(" > ").index("two") for id_ in narrow)


def test_a_quantifier_that_says_two_things_of_what_it_is_about_binds_no_variable_of_an_island(tmp_path: Path) -> None:
    """*Every newt who saw only one owl*: both halves of *only one* are about whoever saw it."""
    (reading,) = readings_of(tmp_path, "Say(Saw(Thes(Seeing(k, See(OnlyOne(l)))), Thes(m)))")
    said = show(reading.formula)
    assert "saw(y, y)" not in said
    assert said.count("saw(x, y)") == 3
