"""Counting by Venn regions: textbook entailments both ways, unbounded, and proofs that the kernel turns down."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from gramprobe.certify import rup
from gramprobe.certify import venn as kernel
from gramprobe.certify.check import check_model
from gramprobe.certify.classical import Problem, problem
from gramprobe.certify.counting import Counting
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget, CertificateError, Unfollowed
from gramprobe.decide.procedure import ask
from gramprobe.decide.prove import forget, venn
from gramprobe.decide.question import Question, Refutation, Value
from gramprobe.formula import sorts
from gramprobe.formula.encoding import Json, theory_to_json, to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Operator, TheorySlice

OPERATORS = (
    Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"})),
    Operator(name="B", kind="box", frame=frozenset({"serial", "transitive", "euclidean"})),
    Operator(name="K", kind="box", frame=frozenset({"reflexive", "transitive"})),
)
THEORY = TheorySlice(operators=OPERATORS)


def asked(premise: str, hypothesis: str, value: Value = "F", theory: TheorySlice = THEORY) -> list[tuple[Json, str]]:
    """Is the premise true and the hypothesis of that value in some model?"""
    first, second = sorts.resolve([parse(premise), parse(hypothesis)])
    return [(to_json(first), "T"), (to_json(second), value)]


def problem_of(premise: str, hypothesis: str, value: Value = "F", theory: TheorySlice = THEORY) -> Problem:
    return problem(theory_to_json(theory), asked(premise, hypothesis, value))


def entails(premise: str, hypothesis: str, theory: TheorySlice = THEORY) -> bool | None:
    """As the engine has it: by a proof that the kernel accepts, or a counter-model that it confirms."""
    question = problem_of(premise, hypothesis, theory=theory)
    answer = venn.prove([question])[0] or venn.prove_more([question])[0]
    if answer is None:
        return None
    if isinstance(answer, Model):
        check_model(theory_to_json(theory), asked(premise, hypothesis), answer)
        return False
    kernel.check(question, answer, Budget())
    return True


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        # Barwise & Cooper 1981: two majorities meet, three need not
        ("most x. (n(x), a(x)) & most x. (n(x), b(x))", "exists x. (a(x) & b(x))", True),
        (
            "most x. (n(x), a(x)) & most x. (n(x), b(x)) & most x. (n(x), c(x))",
            "exists x. (a(x) & (b(x) & c(x)))",
            False,
        ),
        ("most x. (n(x), a(x))", "exists x. (n(x) & a(x))", True),
        ("exists x. (n(x) & a(x))", "most x. (n(x), a(x))", False),
        # monotone increasing in the scope, neither in the restrictor
        ("most x. (n(x), a(x)) & (forall x. (a(x) -> b(x)))", "most x. (n(x), b(x))", True),
        ("most x. (n(x), a(x)) & (forall x. (n(x) -> m(x)))", "most x. (m(x), a(x))", False),
        ("most x. (n(x), a(x)) & (forall x. (m(x) -> n(x)))", "most x. (m(x), a(x))", False),
        # a majority of a number
        ("most x. (n(x), a(x)) & exactly 100 x. n(x)", "atleast 51 x. (n(x), a(x))", True),
        ("most x. (n(x), a(x)) & exactly 100 x. n(x)", "atleast 52 x. (n(x), a(x))", False),
        ("exactly 1000 x. n(x) & exactly 501 x. (n(x), a(x))", "most x. (n(x), a(x))", True),
        # numerals
        ("exactly 5 x. n(x)", "~atmost 4 x. n(x)", True),
        ("atleast 10 x. n(x)", "atleast 9 x. n(x)", True),
        ("atleast 9 x. n(x)", "atleast 10 x. n(x)", False),
        ("atleast 3 x. (n(x), a(x)) & atmost 4 x. n(x)", "atmost 1 x. (n(x), ~a(x))", True),
        ("exactly 2 x. (n(x), a(x)) & exactly 3 x. (n(x), ~a(x))", "exactly 5 x. n(x)", True),
        # no whole number is a half: three disjoint sets of which each two have 101 members together
        (
            "(forall x. ~(a(x) & b(x))) & (forall x. ~(a(x) & c(x))) & (forall x. ~(b(x) & c(x)))"
            " & exactly 101 x. (a(x) | b(x)) & exactly 101 x. (b(x) | c(x))",
            "~exactly 101 x. (a(x) | c(x))",
            True,
        ),
        # Aristotle: Barbara, Celarent, Darii, Ferio; Darapti wants existential import
        ("(forall x. (b(x) -> c(x))) & (forall x. (a(x) -> b(x)))", "forall x. (a(x) -> c(x))", True),
        ("(forall x. (b(x) -> ~c(x))) & (forall x. (a(x) -> b(x)))", "~exists x. (a(x) & c(x))", True),
        ("(forall x. (b(x) -> c(x))) & (exists x. (a(x) & b(x)))", "exists x. (a(x) & c(x))", True),
        ("(forall x. (b(x) -> ~c(x))) & (exists x. (a(x) & b(x)))", "exists x. (a(x) & ~c(x))", True),
        ("(forall x. (b(x) -> c(x))) & (forall x. (b(x) -> a(x)))", "exists x. (a(x) & c(x))", False),
        (
            "(exists x. b(x)) & (forall x. (b(x) -> c(x))) & (forall x. (b(x) -> a(x)))",
            "exists x. (a(x) & c(x))",
            True,
        ),
        ("(forall x. (a(x) -> b(x))) & (exists x. (b(x) & c(x)))", "exists x. (a(x) & c(x))", False),
        ("forall x. n(x)", "exists x. n(x)", True),  # domains are not empty
        # names denote different individuals
        ("cat(amy) & cat(eve)", "atleast 2 x. cat(x)", True),
        ("cat(amy) & cat(eve)", "atleast 3 x. cat(x)", False),
        ("exactly 2 x. cat(x) & cat(amy) & cat(eve) & ~cat(jo)", "forall x. (cat(x) -> (x = amy | x = eve))", True),
        ("most x. (cat(x), sly(x)) & exactly 2 x. cat(x) & cat(amy)", "sly(amy)", True),
        ("most x. (cat(x), sly(x)) & exactly 3 x. cat(x) & cat(amy)", "sly(amy)", False),
        ("exactly 3 x. like(amy, x) & (forall x. (like(amy, x) -> cat(x)))", "atleast 3 x. cat(x)", True),
        # occasions (Lewis 1975)
        ("usually t. (n(t), a(t)) & atleast 2 t. n(t)", "sometimes t. (n(t), a(t))", True),
        ("usually t. (n(t), a(t))", "sometimes t. (n(t), a(t))", False),
        ("always t. (n(t), a(t)) & (exists t. n(t))", "usually t. (n(t), a(t))", True),
        ("always t. (n(t), a(t))", "usually t. (n(t), a(t))", False),
        ("never t. (n(t), a(t))", "~usually t. (n(t), a(t))", True),
        # a subformula without the quantifier's variable leaves its scope
        ("forall x. forall y. (a(x) -> b(y))", "(exists x. a(x)) -> (forall y. b(y))", True),
        ("forall x. exists y. (a(x) & b(y))", "exists y. forall x. (a(x) & b(y))", True),
        ("most x. (n(x), a(x) & p)", "p & most x. (n(x), a(x))", True),
        ("most x. (n(x), p -> a(x))", "p -> most x. (n(x), a(x))", True),
        # worlds are terms
        ("poss exactly 3 x. (n(x), a(x))", "poss atleast 2 x. (n(x), a(x))", True),
        ("poss exactly 3 x. (n(x), a(x))", "exactly 3 x. (n(x), a(x))", False),
        ("B most x. (n(x), a(x)) & B most x. (n(x), b(x))", "B exists x. (a(x) & b(x))", True),
        ("B most x. (n(x), a(x)) & B most x. (n(x), b(x))", "exists x. (a(x) & b(x))", False),
        ("K most x. (n(x), a(x))", "most x. (n(x), a(x))", True),
        ("most x. (n(x), K a(x))", "most x. (n(x), a(x))", True),
        ("most x. (n(x), K (a(x) & b(x)))", "most x. (n(x), K a(x))", True),
        # whole formulas as bits, and clauses about an arbitrary individual
        ("most x. (n(x), exists y. r(x, y))", "exists x. (n(x), exists z. r(x, z))", True),
        ("most x. (n(x), exists y. (s(y) & r(x, y)))", "most x. (n(x), exists y. r(x, y))", True),
        ("usually t. (m(t), exists x. (s(x) & meet(x, t)))", "exists x. s(x)", True),
        (
            "usually t. (m(t), exists x. (s(x) & meet(x, t))) & (forall x. (s(x) -> h(x)))",
            "usually t. (m(t), exists x. (h(x) & meet(x, t)))",
            True,
        ),
        # witnesses with names: two professors, the same ones, are usually met
        (
            "exists x, y. (~(x = y) & prof(x) & prof(y) & usually t. (m(t), meet(x, t) & meet(y, t)))",
            "exists x. (prof(x) & usually t. (m(t), meet(x, t)))",
            True,
        ),
        (
            "exists x, y. (~(x = y) & prof(x) & prof(y) & usually t. (m(t), meet(x, t) & meet(y, t)))",
            "usually t. (m(t), atleast 2 x. (prof(x), meet(x, t)))",
            True,
        ),
        ("atleast 2 x. (prof(x), usually t. (m(t), meet(x, t)))", "usually t. (m(t), exists x. meet(x, t))", True),
        ("most x. (n(x), most y. (s(y), r(x, y)))", "most x. (n(x), exists y. (s(y) & r(x, y)))", True),
        ("atleast 4 x. (n(x), atleast 3 y. (s(y), r(x, y)))", "atleast 4 x. (n(x), atleast 2 y. r(x, y))", True),
    ],
)
def test_textbook_entailments(premise: str, hypothesis: str, expected: bool) -> None:
    assert entails(premise, hypothesis) is expected


def test_a_question_beyond_the_engines_is_left_open() -> None:
    assert entails("most x. (n(x), exists y. r(x, y))", "most x. (n(x), exists y. (s(y) & r(x, y)))") is None
    assert entails("cat(amy) & cat(eve)", "atleast 2 x. cat(x)", TheorySlice(distinct=False)) is None
    assert entails("cat(amy) & ~cat(eve)", "atleast 2 x. true", TheorySlice(distinct=False)) is True


def test_unnamed_individuals_may_be_shared_by_groups() -> None:
    """Individuals for which one quantifier leaves room may be cases of another: groups of bits have the same total."""
    assert entails("atmost 3 x. true & atleast 2 x. a(x)", "atmost 1 x. ~a(x)") is True
    assert entails("atleast 5 x. a(x)", "atleast 5 x. true") is True
    assert entails("(forall x. a(x)) & exactly 4 x. a(x) & atleast 4 x. b(x)", "forall x. b(x)") is True
    assert entails("exactly 4 x. a(x) & atleast 4 x. b(x)", "forall x. b(x)") is False


PROVED = [
    ("most x. (n(x), a(x)) & most x. (n(x), b(x)) & cat(amy)", "exists x. (a(x) & b(x))"),
    ("exactly 2 x. cat(x) & cat(amy) & cat(eve)", "~cat(jo)"),
    (
        "(forall x. ~(a(x) & b(x))) & (forall x. ~(a(x) & c(x))) & (forall x. ~(b(x) & c(x)))"
        " & exactly 1 x. (a(x) | b(x)) & exactly 1 x. (b(x) | c(x))",
        "~exactly 1 x. (a(x) | c(x))",
    ),
    ("usually t. (m(t), exists x. (s(x) & meet(x, t)))", "exists x. s(x)"),
    (
        "exists x, y. (~(x = y) & prof(x) & prof(y) & usually t. (m(t), meet(x, t) & meet(y, t)))",
        "exists x. (prof(x) & usually t. (m(t), meet(x, t)))",
    ),
    ("B most x. (n(x), a(x)) & B most x. (n(x), b(x))", "B exists x. (a(x) & b(x))"),
]


def mutants(proof: dict[str, Any]) -> dict[str, Callable[[dict[str, Any]], None]]:
    """Changes of a proof after which it is no proof."""
    changes: dict[str, Callable[[dict[str, Any]], None]] = {
        "no parts": lambda p: p["parts"].clear(),
        "last part lost": lambda p: p["parts"].pop(),
        "no lemmas": lambda p: [part.update(lemmas=[]) for part in p["parts"]].clear(),
        "shorter lemma": lambda p: p["parts"][-1]["lemmas"][0][0].pop(),
        "empty lemma": lambda p: p["parts"][-1]["lemmas"][0].__setitem__(0, []),
        "no multipliers": lambda p: p["parts"][-1]["lemmas"][0][1].clear(),
        "a multiplier less": lambda p: p["parts"][-1]["lemmas"][0][1].__delitem__(slice(2)),
        "negative multiplier": lambda p: p["parts"][-1]["lemmas"][0][1].__setitem__(1, -1),
        "huge multiplier": lambda p: p["parts"][-1]["lemmas"][0][1].__setitem__(1, 10**400),
        "unknown literal": lambda p: p["parts"][-1]["lemmas"][0][0].append(10**9),
        "literal 0": lambda p: p["parts"][-1]["lemmas"][0][0].append(0),
        "lemma with a boolean": lambda p: p["parts"][-1]["lemmas"][0][0].append(True),
        "lemma of three": lambda p: p["parts"][-1]["lemmas"][0].append([]),
        "lemma of text": lambda p: p["parts"][-1]["lemmas"].append("ab"),
        "step out of nothing": lambda p: p["parts"][0]["steps"].insert(0, [2**40]),
        "part of nothing": lambda p: p["parts"].insert(0, {"lemmas": [], "steps": [], "shows": [], "split": None}),
        "shows what it does not": lambda p: p["parts"].insert(0, {"lemmas": [], "steps": [], "shows": [2], "split": 2}),
        "too deep": lambda p: p.update(depth=10**6),
        "depth of text": lambda p: p.update(depth="0"),
        "looking of text": lambda p: p.update(looking="no"),
        "naming of a number": lambda p: p.update(naming=1),
        "one field more": lambda p: p.update(more=1),
        "split of no group": lambda p: p["splits"].append([99, "1", 1]),
        "split of a huge set": lambda p: p["splits"].append([0, "f" * 5000, 1]),
        "split of no set": lambda p: p["splits"].append([0, "0x_1", 1]),
        "splits of nothing": lambda p: p.update(splits=None),
    }
    if proof["splits"]:
        changes["split lost"] = lambda p: p["splits"].pop()
        changes["split of another number"] = lambda p: p["splits"][0].__setitem__(2, 7)
        changes["split of another set"] = lambda p: p["splits"][0].__setitem__(1, "0")
    return changes


@pytest.mark.parametrize(("premise", "hypothesis"), PROVED)
def test_forged_proofs_are_turned_down(premise: str, hypothesis: str) -> None:
    question = problem_of(premise, hypothesis)
    proof = venn.prove([question])[0] or venn.prove_more([question])[0]
    assert isinstance(proof, dict)
    kernel.check(question, proof, Budget())
    accepted = []
    for name, change in mutants(proof).items():
        forged = copy.deepcopy(proof)
        change(forged)
        try:
            kernel.check(question, forged, Budget())
        except CertificateError:
            continue
        accepted.append(name)
    assert accepted == []


@pytest.mark.parametrize(("premise", "hypothesis"), PROVED)
def test_a_proof_is_of_its_own_problem(premise: str, hypothesis: str) -> None:
    proof = venn.prove([problem_of(premise, hypothesis)])[0] or venn.prove_more([problem_of(premise, hypothesis)])[0]
    assert isinstance(proof, dict)
    with pytest.raises(CertificateError):
        kernel.check(problem_of(premise, hypothesis, "T"), proof, Budget())


def test_checking_is_bounded() -> None:
    question = problem_of(*PROVED[0])
    proof = venn.prove([question])[0] or venn.prove_more([question])[0]
    assert isinstance(proof, dict)
    with pytest.raises(CertificateError, match="too long"):
        kernel.check(question, proof, Budget(50))
    many = " & ".join(f"(p{n}(x) | q{n}(x))" for n in range(8))
    with pytest.raises(CertificateError, match="properties"):
        kernel.check(problem_of(f"most x. ({many}, a(x))", "p"), proof, Budget())


def test_a_witness_of_an_arbitrary_individual_is_no_witness_of_all() -> None:
    """Each may be q and no individual must be, if at most one is at every world: each has a world of her own."""
    theory = {
        "operators": [["may", "diamond", ["serial"], [], []]],
        "postulates": [],
        "projection": "middle",
        "distinct": True,
    }
    everyone = to_json(parse("(forall x. may q(x)) & ~may ~(atmost 1 y. q(y))", operators=("may",)))
    model = Model(
        worlds=3,
        individuals=2,
        actual=0,
        constants={},
        predicates={"q": (frozenset(), frozenset({(0,)}), frozenset({(1,)}))},
        relations={"may": frozenset({(0, 1), (0, 2), (1, 1), (2, 2)})},
    )
    check_model(theory, [(everyone, "T")], model)
    many = to_json(parse("atleast 4 x. z(x)"))
    for wanted in ([(everyone, "T")], [(everyone, "T"), (many, "T")]):
        question = problem(theory, wanted)
        for answer in (venn.prove([question])[0], venn.prove_more([question])[0]):
            assert not isinstance(answer, dict)


def test_what_the_kernel_cannot_follow_is_searched_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question(THEORY, tuple(zip(map(parse, PROVED[0]), ("T", "F"), strict=True)))
    checked, follows = list[bool](), rup.check

    def check(clauses: Any, steps: Any, top: int, budget: Budget) -> None:
        checked.append(len(checked) in refused)
        if checked[-1]:
            raise Unfollowed("a step of another kind")
        follows(clauses, steps, top, budget)

    monkeypatch.setattr(rup, "check", check)
    refused = range(1)
    assert isinstance(ask(question), Refutation)
    assert checked == [True, False, False]  # by the kernel, then by the prover, and again by the kernel
    checked.clear()
    refused = range(1000)
    question = Question(THEORY, tuple(zip(map(parse, PROVED[1]), ("T", "F"), strict=True)))
    assert not isinstance(ask(question), Refutation)


def test_witnesses_are_made_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where there are too many is it asked whether the problem is refuted without them."""
    question = problem_of("(atleast 3 x. n(x)) & (atmost 2 x. n(x)) & poss (exists x. (n(x), B[jo] b(x)))", "r")
    spent = [Counting(question, depth, False, False, Budget()).budget.spent for depth in (0, 1)]
    depths: list[int] = []

    at = venn._at

    def noted(problem: Problem, depth: int, *how: bool) -> Any:
        depths.append(depth)
        return at(problem, depth, *how)

    monkeypatch.setattr(venn, "_at", noted)
    monkeypatch.setattr(venn, "STEPS", spent[1])
    forget()
    (proof,) = venn.prove([question])
    assert isinstance(proof, dict)
    assert depths == [1]
    monkeypatch.setattr(venn, "STEPS", spent[1] - 1)
    forget()
    (proof,) = venn.prove([question])
    assert isinstance(proof, dict)
    assert (depths, proof["depth"]) == ([1, 1, 0], 0)
    kernel.check(question, proof, Budget())
