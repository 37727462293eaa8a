"""What readers that do not reason get right on designs whose answers can be counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import write

from gramprobe.dataset.gates.baselines import Measured, measure
from gramprobe.project import Project, load

ATTITUDES = """paradigm one
about  "A set of the tests."
source "the tests"
uses   english.acts, english.attitudes, english.determiners
theory attitudes
size   60
draw a, b : PN   where a != b
draw k    : VS[factive=yes, inchoative=no]
draw v    : VS[factive=no]
draw t    : tense[past]
draw s    : NP by Name   where distinct(s, a, b)
draw act  : VP by ActsAt
let x = Assert(Clause(t, s, act))
"""


def measured(folder: Path, body: str, size: int = 60) -> Measured:
    write(folder, {"grammars/mine/one.paradigm": ATTITUDES + body})
    decided = load(folder, names=["mine/one"]).paradigm("mine/one").decided(size)
    return measure(decided.stream.decisions, decided.chunk)


def rounded(found: Measured) -> dict[str, float]:
    return {"majority": round(found.majority, 3), **{n: round(a.accuracy, 3) for n, a in found.readers.items()}}


def test_the_class_of_a_verb_is_seen_and_its_place_is_not(tmp_path: Path) -> None:
    """*a thinks that b knows X* and *b thinks that a knows X* have the same words. That a thinks X follows from the
    first, that b does from the second."""
    body = """premise
  BK = Attitude(a, v, Attitude(b, k, x))
  KB = Attitude(b, k, Attitude(a, v, x))
  AK = Attitude(b, v, Attitude(a, k, x))
  KA = Attitude(a, k, Attitude(b, v, x))
hypothesis
  AX = Attitude(a, v, x)
  BX = Attitude(b, v, x)
pair BK => AX   expect entailment
pair BK => BX   expect neutral
pair KB => AX   expect entailment
pair KB => BX   expect neutral
pair AK => AX   expect neutral
pair AK => BX   expect entailment
pair KA => AX   expect neutral
pair KA => BX   expect entailment"""
    assert rounded(measured(tmp_path, body)) == {"majority": 0.5, "hypothesis": 0.5, "premise": 0.5, "verbs": 0.5}


def test_a_verb_that_decides_is_seen_by_all_who_see_it(tmp_path: Path) -> None:
    body = """premise
  KX = Attitude(a, k, x)
  BX = Attitude(b, v, x)
hypothesis
  X = x
pair KX => X   expect entailment
pair BX => X   expect neutral"""
    assert rounded(measured(tmp_path, body)) == {"majority": 0.5, "hypothesis": 0.5, "premise": 1.0, "verbs": 1.0}


@pytest.mark.parametrize(
    ("name", "reader", "accuracy"),
    [
        ("theory_of_mind/additional", "hypothesis", 1.0),  # one attitude, and not a factive one: entailed
        ("theory_of_mind/inter_personal_short", "premise", 1.0),
        ("theory_of_mind/intra_personal_short", "verbs", 1.0),
        ("presupposition/possessed_definites_existence", "hypothesis", 13 / 19),
    ],
)
def test_what_readers_reach_on_shipped_paradigms(name: str, reader: str, accuracy: float, project: Project) -> None:
    decided = project.paradigm(name).decided(300)
    found = measure(decided.stream.decisions, decided.chunk)
    assert found.readers[reader].accuracy == pytest.approx(accuracy, abs=0.03)


def test_a_small_sample_is_no_reason_to_object(tmp_path: Path) -> None:
    """Of two instances nothing is known: the interval is wide."""
    body = "premise\n KX = Attitude(a, k, x)\n BX = Attitude(b, v, x)\nhypothesis\n X = x\npair any => X"
    found = measured(tmp_path, body, 2)
    assert not any(found.above(reader, found.majority) for reader in found.readers)
