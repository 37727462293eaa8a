"""What readers that do not reason get right on designs whose answers can be counted by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from projects import write
from support import shipped

from gramprobe.baselines.readers import TABLES, skeleton
from gramprobe.dataset.gates.baselines import Measured, measure
from gramprobe.language import english
from gramprobe.project import load
from gramprobe.source.diagnostic import AuthoringError, Diagnostic

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


def rounded(found: Measured, *others: str) -> dict[str, float]:
    """The accuracies of the readers of whole sentences, and of others."""
    reached = {name: round(found.readers[name].accuracy, 3) for name in (*TABLES, *others)}
    return {"majority": round(found.majority, 3), **reached}


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


MATCHING = ("tail", "first_words", "subsequence", "subject_verb", "constituent")


def test_the_tail_of_a_premise_is_seen_where_words_alone_tell_nothing(tmp_path: Path) -> None:
    """*a knows that b thinks X* entails its tail, and of two persons and two verbs the words are the same."""
    body = """premise
  KA = Attitude(b, k, Attitude(a, v, x))
  KB = Attitude(a, k, Attitude(b, v, x))
hypothesis
  A = Attitude(a, v, x)
  B = Attitude(b, v, x)
pair KA => A   expect entailment
pair KA => B   expect neutral
pair KB => A   expect neutral
pair KB => B   expect entailment"""
    found = measured(tmp_path, body)
    assert rounded(found, *MATCHING) == {"majority": 0.5, **dict.fromkeys(TABLES, 0.5), **dict.fromkeys(MATCHING, 1.0)}
    assert found.skeletons <= 2  # `_ that _`, with and without an auxiliary


def test_matches_that_are_there_and_tell_nothing(tmp_path: Path) -> None:
    """Below *knows* and below *thinks* the same clause is the tail."""
    body = """premise
  KA = Attitude(b, k, Attitude(a, v, x))
  VA = Attitude(b, v, Attitude(a, v, x))
hypothesis
  A = Attitude(a, v, x)
pair KA => A   expect entailment
pair VA => A   expect neutral"""
    assert rounded(measured(tmp_path, body), *MATCHING) == {
        "majority": 0.5, "hypothesis": 0.5, "premise": 1.0, "verbs": 1.0, **dict.fromkeys(MATCHING, 0.5),
    }  # fmt: skip


def test_closed_class_words_of_hypotheses_are_seen_and_others_are_not(tmp_path: Path) -> None:
    body = """premise
  KX = Attitude(a, k, x)
hypothesis
  X = x
  V = Attitude(b, v, x)
  K = Attitude(b, k, x)
pair KX => X   expect entailment
pair KX => V   expect neutral
pair KX => K   expect neutral"""
    found = measured(tmp_path, body).readers
    # *that* stands in V and in K, and the class of their verbs is not seen
    assert [round(found[name].accuracy, 3) for name in ("closed_class", "hypothesis")] == [1.0, 1.0]


def test_the_term_of_a_definition_tells_no_more_than_its_name_and_arguments(tmp_path: Path) -> None:
    """What stands below a `define` is an argument of it and a part of the term that it stands for. The words say it
    once, so that a reader without order does not learn which of two contents is below it."""
    body = """draw d : VS[factive=no, mistaken=yes]   where d != v, d != assume_that
draw w : wrongly   where w != falsely
draw other : VP by ActsAt   where act != other
let y = Assert(Clause(t, s, other))
premise
  First  = AndAlso(Wrongly(w, a, d, x), Attitude(b, v, y))
  Second = AndAlso(Wrongly(w, a, d, y), Attitude(b, v, x))
hypothesis
  X = x
  Y = y
pair First => X    expect contradiction
pair First => Y    expect neutral
pair Second => X   expect neutral
pair Second => Y   expect contradiction
"""
    above = ATTITUDES.replace("uses   ", "uses   english.coordination, ")
    above = above.replace("draw k    : VS[factive=yes, inchoative=no]\n", "")
    write(tmp_path, {"grammars/mine/one.paradigm": above + body})
    decided = load(tmp_path, names=["mine/one"]).paradigm("mine/one").decided(60)
    assert rounded(measure(decided.stream.decisions, decided.chunk))["verbs"] == 0.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Emma's black dog didn't bark.", ("_", "didn't", "_")),
        ("There are exactly two waiters who thanked Amy.", ("there", "are", "exactly", "two", "_", "who", "_")),
    ],
)
def test_a_skeleton_keeps_closed_class_words(text: str, said: tuple[str, ...]) -> None:
    assert skeleton(text.lower().split(), english()) == said


@cache
def reached(name: str) -> Measured:
    """What readers reach on a shipped paradigm."""
    decided = shipped.project().paradigm(name).decided(300)
    return measure(decided.stream.decisions, decided.chunk)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reader", "accuracy"),
    [
        # one attitude, and not a factive one: entailed
        pytest.param("theory_of_mind/additional", "hypothesis", 1.0, marks=pytest.mark.deep),
        ("theory_of_mind/inter_personal_short", "premise", 1.0),
        ("theory_of_mind/intra_personal_short", "verbs", 1.0),
        ("presupposition/possessed_definites_existence", "hypothesis", 22 / 38),  # balanced
        ("presupposition/possessed_definites_existence", "verbs", 1.0),
    ],
)
def test_what_readers_reach_on_shipped_paradigms(name: str, reader: str, accuracy: float) -> None:
    assert reached(name).readers[reader].accuracy == pytest.approx(accuracy, abs=0.03)


@pytest.mark.parametrize(("size", "codes"), [(2, []), (60, ["E90"])])
def test_a_declaration_is_held_against_enough_instances_alone(size: int, codes: list[str], tmp_path: Path) -> None:
    """Of two instances in which a reader reaches the same the interval would have no width."""
    body = "premise\n KX = Attitude(a, k, x)\n BX = Attitude(b, v, x)\nhypothesis\n X = x\npair any => X\n"
    write(tmp_path, {"grammars/mine/one.paradigm": ATTITUDES + body + 'solvable by verbs 0.60 because "a test"\n'})
    project = load(tmp_path, names=["mine/one"])
    refused: tuple[Diagnostic, ...] = ()
    try:
        project.build("mine/one", tmp_path / "out", n=size)
    except AuthoringError as error:
        refused = error.diagnostics
    assert [each.code for each in refused if each.severity == "error"] == codes


@pytest.mark.parametrize(("balance", "advised"), [("", True), ("balance a, b\n", False)])
def test_a_paradigm_with_balance_is_not_advised_to_balance(balance: str, advised: bool, tmp_path: Path) -> None:
    body = "premise\n KX = Attitude(a, k, x)\n BX = Attitude(b, v, x)\nhypothesis\n X = x\npair any => X\n"
    write(tmp_path, {"grammars/mine/one.paradigm": ATTITUDES + body + balance})
    found = [each for each in load(tmp_path, names=["mine/one"]).check("mine/one") if each.code == "E90"]
    assert [("`balance` does" in str(each.help), "vary" in str(each.help)) for each in found] == [
        (advised, not advised)
    ]


def test_a_small_sample_is_no_reason_to_object(tmp_path: Path) -> None:
    """Of two instances nothing is known: the interval is wide."""
    body = "premise\n KX = Attitude(a, k, x)\n BX = Attitude(b, v, x)\nhypothesis\n X = x\npair any => X"
    found = measured(tmp_path, body, 2)
    assert not any(found.above(reader, found.majority) for reader in found.readers)


@pytest.mark.slow
def test_without_a_number_the_conditions_alone_set_the_limit(tmp_path: Path) -> None:
    """Each hypothesis goes with one label, and so each condition tells it; of the premise, its verbs tell it."""
    body = "premise\n KX = Attitude(a, k, x)\n BX = Attitude(b, v, x)\nhypothesis\n X = x\npair any => X\n"
    found = measured(tmp_path, body)
    assert {name: round(each, 2) for name, each in found.design.items() if name in TABLES} == {
        "hypothesis": 0.5, "premise": 1.0, "verbs": 1.0,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "codes"), [("", ["E90"]), ("factor which = draw w\n", [])])
def test_levels_of_a_factor_are_part_of_the_design(factor: str, codes: list[str], tmp_path: Path) -> None:
    """One condition, whose verb is drawn: only its word tells the label, unless it is a factor."""
    body = "draw w : VS[know_that|think_that]\npremise\n P = Attitude(a, w, x)\nhypothesis\n X = x\npair P => X\n"
    line = 'solvable by premise because "a test"\nsolvable by verbs because "a test"\n'
    unused = "draw k    : VS[factive=yes, inchoative=no]\ndraw v    : VS[factive=no]\n"
    text = ATTITUDES.replace(unused, "").replace("draw a, b : PN   where a != b", "draw a : PN")
    text = text.replace("where distinct(s, a, b)", "where s != a")
    write(tmp_path, {"grammars/mine/one.paradigm": text + body + factor + line})
    found = load(tmp_path, names=["mine/one"]).check("mine/one")
    assert sorted({each.code for each in found if each.severity == "error"}) == codes
