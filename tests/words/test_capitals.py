"""A text of several sentences: each begins with a capital, and the gate `spelling` finds one that does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gramprobe
from gramprobe.language import english
from gramprobe.project import Project
from gramprobe.resolve.tree import Slot
from gramprobe.source.diagnostic import AuthoringError
from gramprobe.words.linearise import Atom, Form, Literal, segments, text_of

BASE = Path(__file__).resolve().parents[1] / "errors" / "base"
MORE = """
fun The (head n: Noun) : Thing
  lin "the" n
  sem \\P. the x. (n(x), P(x))
fun Both (f: Fact, g: Fact) : S
  lin f[mode=plain]{point} g[mode=plain]
  sem f & g
"""
MINE = """paradigm mine
uses tiny, more
theory tiny
size 2
draw a, b : Noun where a != b
premise
  both = Both(Does(The(a), yawn), Does(The(b), yawn))
hypothesis
  one  = Assert(Does(The(b), yawn))
pair both => one expect entailment
"""


def project(folder: Path, point: str) -> Project:
    for name, text in {"more.gram": MORE.replace("{point}", point), "small/mine.paradigm": MINE}.items():
        file = folder / "grammars" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return gramprobe.load([BASE, folder])


def test_the_letter_after_an_inner_full_stop_is_a_capital(tmp_path: Path) -> None:
    mine = project(tmp_path, ' + "."')
    premises = mine.paradigm("small/mine").sample(2).column("premise").to_pylist()
    assert [re.sub("cat|dog|baker", "cat", text) for text in premises] == ["The cat yawned. The cat yawned."] * 2
    assert mine.build("small/mine", out=tmp_path / "out", n=2)


def test_the_gate_finds_a_small_letter_after_an_inner_full_stop(tmp_path: Path) -> None:
    mine = project(tmp_path, ' + ". then"')
    with pytest.raises(AuthoringError) as raised:
        mine.build("small/mine", out=tmp_path / "out", n=2)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.message == "gate `spelling`: sentences inside a text begin in lower case (2 of 4)"


@pytest.mark.parametrize(
    ("atoms", "expected"),
    [
        ([Literal("it rained.", False), Literal("then", False), Literal("it", False)], "It rained. Then it."),
        ([Literal("who", False), Literal("?", True), Literal("amy", False)], "Who? Amy."),
        ([Literal("at five p.m.", False), Literal("amy", False)], "At five p.m. amy."),
        ([Literal("saw Dr.", False), Literal("lee", False)], "Saw Dr. lee."),
        ([Literal("a", False), Literal(".", True), Literal("b", True)], "A.b."),
        ([Literal("if", False), Literal(",", False), Literal("at noon", False)], "If, at noon."),
    ],
)
def test_marks_stand_without_a_space_and_a_final_one_ends_a_sentence(atoms: list[Atom], expected: str) -> None:
    (segment,) = segments(atoms, ".", english())
    assert text_of(segment, "", True, english()) == expected


def test_a_drawn_word_that_begins_a_sentence_has_a_capital() -> None:
    slot = Form(Slot("n", "N", False), "sg", False)
    first, second = segments([slot, Literal(".", True), slot, Literal("ran", False)], ".", english())
    assert text_of(first, "fog", True, english()) + text_of(second, "rain", False, english()) == "Fog. Rain ran."


@pytest.mark.parametrize("text", ["Mr.", "saw J.", "at 5 p.m.", "went", "", "a,"])
def test_an_abbreviation_or_a_word_ends_no_sentence(text: str) -> None:
    assert not english().ends_sentence(text)
