"""Outside provers: the translation, the form of a proof, and the refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramprobe.certify.classical import Problem, problem
from gramprobe.decide.prove.outside import NAMES, NoSuchProver, ask, prove
from gramprobe.decide.prove.translation import LARGEST_COUNT, NotFirstOrder, sentences, smt_lib, tptp
from gramprobe.decide.question import resolved
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import FRAMES, Frame, Operator, TheorySlice

SECONDS = 10.0
CVC5 = pytest.mark.outside("cvc5")
PROVERS = [pytest.param("cvc5", marks=CVC5), pytest.param("e", marks=pytest.mark.outside("eprover"))]


def posed(premise: str, hypothesis: str, *operators: Operator, wanted: str = "F") -> Problem:
    """Is there a model with the premise true and the hypothesis as wanted?"""
    data, (before, after) = resolved(TheorySlice(operators=operators), [parse(premise), parse(hypothesis)])
    return problem(data, [(before, "T"), (after, wanted)])


def box(*frame: Frame) -> Operator:
    return Operator(name="box", kind="box", frame=frozenset(frame))


BARBARA = ("forall x. (m(x), p(x)) & forall x. (s(x), m(x))", "forall x. (s(x), p(x))")
SERIAL = ("(forall x. exists y. r(x, y)) & (forall x, y. (r(x, y) -> r(y, x))) & "
          "(forall x, y, z. (r(x, y) & r(y, z) -> r(x, z)))", "forall x. r(x, x)")  # fmt: skip


@pytest.mark.parametrize("name", PROVERS)
@pytest.mark.parametrize("pair", [BARBARA, SERIAL, ("atleast 3 x. f(x)", "atleast 2 x. f(x)")])
def test_a_proof_is_data_with_its_text(name: str, pair: tuple[str, str]) -> None:
    proof = prove(posed(*pair), name, SECONDS)
    assert proof is not None
    assert (proof["kind"], proof["name"]) == ("prover", name)
    assert proof["version"]
    assert len(proof["text"]) > 100
    assert str(Path.home()) not in proof["text"] and "/tmp" not in proof["text"]


@pytest.mark.parametrize("name", PROVERS)
def test_a_problem_with_a_model_is_not_refuted(name: str) -> None:
    assert prove(posed(BARBARA[0], "forall x. (p(x), s(x))"), name, SECONDS) is None
    assert ask(posed("p", "q"), name, SECONDS).status == "sat"


@CVC5
@pytest.mark.parametrize(
    ("frame", "premise", "hypothesis"),
    [
        ("reflexive", "box p", "p"),
        ("serial", "box p", "~box ~p"),
        ("transitive", "box p", "box box p"),
        ("euclidean", "~box ~p", "box ~box ~p"),
        ("symmetric", "p", "box ~box ~p"),
        ("functional", "~box ~p", "box p"),
    ],
)
def test_each_frame_condition_is_translated(frame: Frame, premise: str, hypothesis: str) -> None:
    for agent in ("", "[jo]"):
        before, after = (text.replace("box", f"box{agent}") for text in (premise, hypothesis))
        assert ask(posed(before, after, box(frame)), "cvc5", SECONDS).status == "unsat"
        assert ask(posed(before, after, box()), "cvc5", SECONDS).status == "sat"
    assert frame in FRAMES


@CVC5
def test_relations_between_operators_are_translated() -> None:
    know, believe = (
        Operator(name="K", kind="box"),
        Operator(name="B", kind="box", frame=frozenset(), within=("K",), introspected_by=("K",)),
    )
    for premise, hypothesis in (("K p", "B p"), ("B p", "K B p")):
        assert ask(posed(premise, hypothesis, know, believe), "cvc5", SECONDS).status == "unsat"
        assert ask(posed(premise, hypothesis, know, Operator(name="B", kind="box")), "cvc5", SECONDS).status == "sat"


@CVC5
def test_a_serial_relation_inside_makes_the_outer_one_serial() -> None:
    inner = Operator(name="in", kind="box", frame=frozenset({"serial"}), within=("box",))
    asked = posed("box p", "~box ~p", box(), inner)
    assert ask(asked, "cvc5", SECONDS).status == "unsat"


@CVC5
def test_names_are_distinct_where_the_theory_says_so() -> None:
    for distinct, status in ((True, "unsat"), (False, "sat")):
        data, (formula,) = resolved(TheorySlice(distinct=distinct), [parse("a = b")])
        assert ask(problem(data, [(formula, "T")]), "cvc5", SECONDS).status == status


@CVC5
def test_neighbourhoods_are_closed_under_equivalence_only() -> None:
    near = Operator(name="box", kind="neighbourhood")
    assert ask(posed("box (p & q)", "box (q & p)", near), "cvc5", SECONDS).status == "unsat"
    assert ask(posed("box (p & q)", "box p", near), "cvc5", SECONDS).status == "sat"


@CVC5
def test_the_actual_world_is_rigid() -> None:
    asked = posed("box exists x. (f(x) @ here & g(x))", "exists x. f(x)", box("serial"))
    assert ask(asked, "cvc5", SECONDS).status == "unsat"


@CVC5
def test_occasions_are_a_sort_of_their_own() -> None:
    asked = posed("always t. (day(t), run(jo, t))", "exists x. walk(x)")
    assert sentences(asked).sorts == ("World", "Individual", "Occasion")
    assert ask(asked, "cvc5", SECONDS).status == "sat"


@CVC5
@pytest.mark.parametrize("text", ["most x. (f(x), g(x))", f"atleast {LARGEST_COUNT + 1} x. f(x)"])
def test_a_problem_that_is_not_first_order_is_left_open(text: str) -> None:
    with pytest.raises(NotFirstOrder):
        sentences(posed(text, "p"))
    assert prove(posed(text, "p"), "cvc5", SECONDS) is None


@pytest.mark.parametrize("name", ["vampire", ""])
def test_an_unknown_prover_is_refused(name: str) -> None:
    with pytest.raises(NoSuchProver, match="cvc5 and e"):
        prove(posed("p", "q"), name)


def test_a_prover_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoSuchProver, match="eprover"):
        prove(posed("p", "q"), "e")
    monkeypatch.setattr("gramprobe.decide.prove.outside.find_spec", lambda _: None)
    with pytest.raises(NoSuchProver, match=r"gramprobe\[oracle\]"):
        prove(posed("p", "q"), "cvc5")


@CVC5
def test_a_prover_past_its_time_limit_is_ended() -> None:
    """cvc5 searches on here whatever its own time limit says."""
    slow = posed("exactly 10 x. f(x) & forall x. (f(x), g(x))", "atleast 10 x. g(x)", wanted="T")
    assert ask(slow, "cvc5", 0.5).status == "unknown"


def test_the_texts_are_the_same_every_time() -> None:
    asked = posed("exists x. box[x] f(x)", "box[jo] f(jo)", box("serial"))
    assert smt_lib(asked) == smt_lib(posed("exists x. box[x] f(x)", "box[jo] f(jo)", box("serial")))
    assert tptp(asked).count("axiom") == len(sentences(asked).sentences) + 4  # two sorts, the world and the name


def test_every_prover_is_tried() -> None:
    assert {prover.values[0] for prover in PROVERS} == set(NAMES)
