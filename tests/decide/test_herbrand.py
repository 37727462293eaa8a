"""Refutation by Herbrand instances: valid and invalid formulas of the textbooks, and forged proofs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from gramprobe.certify.check import check_model
from gramprobe.certify.classical import Problem, problem
from gramprobe.certify.ground import Grounding
from gramprobe.certify.herbrand import check
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget, CertificateError, Unfollowed
from gramprobe.decide.prove import forget, herbrand
from gramprobe.decide.prove.herbrand import prove
from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.sat import Finder
from gramprobe.formula import sorts
from gramprobe.formula.encoding import operator_to_json, to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Frame, Operator, TheorySlice

S4: frozenset[Frame] = frozenset({"reflexive", "transitive"})
S5: frozenset[Frame] = frozenset({"reflexive", "transitive", "euclidean"})
KD45: frozenset[Frame] = frozenset({"serial", "transitive", "euclidean"})


def box(*frame: Frame) -> Operator:
    return Operator(name="N", kind="box", frame=frozenset(frame))


K, B = (
    Operator(name="K", kind="box", frame=S4),
    Operator(name="B", kind="box", frame=KD45, within=("K",), introspected_by=("K",)),
)
EARLIER = Operator(name="earlier", kind="box", frame=frozenset({"functional"}))
POSS = Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"}))


def theory(*operators: Operator, postulates: tuple[str, ...] = (), distinct: bool = True) -> dict[str, Any]:
    return {
        "operators": [operator_to_json(operator) for operator in operators],
        "postulates": [to_json(each) for each in sorts.resolve([parse(text) for text in postulates])],
        "projection": "middle",
        "distinct": distinct,
    }


def question(
    of: Mapping[str, Any], premise: str, hypothesis: str, value: str = "N"
) -> tuple[Problem, list[tuple[Any, str]]]:
    """Is there a model where the premise is true and the hypothesis has the value?"""
    formulas = sorts.resolve([parse(premise), parse(hypothesis)])
    wanted = [(to_json(formulas[0]), "T"), (to_json(formulas[1]), value)]
    return problem(of, wanted), wanted


def proof_of(of: Mapping[str, Any], premise: str, hypothesis: str, value: str = "N") -> dict[str, Any] | None:
    """The proof of an entailment, accepted by the kernel as it is read from a file; None if it is not proved."""
    asked, wanted = question(of, premise, hypothesis, value)
    (answer,) = prove([asked])
    if isinstance(answer, dict):
        read: dict[str, Any] = json.loads(json.dumps(answer))
        check(asked, read, Budget())
        return read
    if isinstance(answer, Model):
        check_model(of, wanted, answer)
    return None


FIRST_ORDER = [
    ("exists x. forall y. r(x, y)", "forall y. exists x. r(x, y)", True),
    ("forall y. exists x. r(x, y)", "exists x. forall y. r(x, y)", False),
    ("forall x. (f(x) -> g(x)) & f(a)", "g(a)", True),
    ("forall x. (f(x) -> g(x)) & g(a)", "f(a)", False),
    ("forall x. f(x)", "exists x. f(x)", True),
    ("exists x. f(x) & exists x. g(x)", "exists x. (f(x) & g(x))", False),
    ("forall x. forall y. (r(x, y) -> r(y, x)) & r(a, b)", "r(b, a)", True),
    ("forall x. forall y. forall z. (r(x, y) & r(y, z) -> r(x, z)) & r(a, b) & r(b, c)", "r(a, c)", True),
    ("forall x. exists y. (r(x, y) & f(y)) & ~f(a)", "exists x. (x != a & f(x))", True),
    ("forall x. (f(x) -> exists y. (g(y) & r(x, y)))", "exists y. (g(y) & forall x. (f(x) -> r(x, y)))", False),
    ("f(a) & ~f(b)", "a != b", True),
    ("forall x. (f(x) -> x = a) & f(b)", "false", True),
    ("exists x. forall y. (f(y) -> y = x) & f(a) & g(a)", "forall x. (f(x) -> g(x))", True),
    ("f(a) & f(b)", "atleast 2 x. f(x)", True),
    ("f(a) & f(b)", "exactly 2 x. f(x)", False),
    ("atleast 3 x. f(x)", "atleast 2 x. f(x)", True),
    ("atleast 2 x. f(x)", "atleast 3 x. f(x)", False),
    ("atleast 2 x. f(x)", "exists x, y. (x != y & f(x) & f(y))", True),
    ("exactly 2 x. f(x) & forall x. (g(x) -> f(x))", "~atleast 3 x. g(x)", True),
    ("exactly 1 x. f(x) & f(a) & g(a)", "forall x. (f(x) -> g(x))", True),
    ("atmost 2 x. x = x", "atmost 2 x. f(x)", True),
    ("most x. (f(x), g(x))", "exists x. (f(x) & g(x))", True),
    ("always t. (f(t), g(t)) & ~never t. (true, f(t))", "exists t. (true, g(t))", True),
]


@pytest.mark.parametrize(("premise", "hypothesis", "entailed"), FIRST_ORDER)
def test_first_order(premise: str, hypothesis: str, entailed: bool) -> None:
    assert (proof_of(theory(), premise, hypothesis) is not None) == entailed


def test_names_that_may_denote_one_individual() -> None:
    """Every instance of congruence: in predicates, in relations of agents, in counts."""
    loose = theory(K, distinct=False)
    assert proof_of(loose, "f(a) & f(b)", "atleast 2 x. f(x)") is None
    assert proof_of(loose, "f(a) & f(b) & a != b", "atleast 2 x. f(x)") is not None
    assert proof_of(loose, "a = b & r(a, c)", "r(b, c)") is not None
    assert proof_of(loose, "a = b & b = c & f(a)", "f(c)") is not None
    assert proof_of(loose, "a = b & K[a] p", "K[b] p") is not None
    assert proof_of(loose, "K[a] p", "K[b] p") is None
    assert proof_of(loose, "exactly 1 x. K[x] p & K[a] p & K[b] p & f(a)", "f(b)") is not None


FRAMES: list[tuple[tuple[Frame, ...], str, str]] = [
    ((), "N (p -> q) & N p", "N q"),
    (("reflexive",), "N p", "p"),
    (("serial",), "N p", "~N ~p"),
    (("transitive",), "N p", "N N p"),
    (("euclidean",), "~N p", "N ~N p"),
    (("euclidean",), "true", "N (N p -> p)"),
    (("symmetric",), "p", "N ~N ~p"),
    (("functional",), "~N p", "N ~p"),
    (("functional",), "N (p | q)", "N p | N q"),
    (("transitive", "euclidean"), "~N p & N q", "N (~N p & N q)"),
    (("symmetric", "transitive"), "~N p", "N ~N p"),
    (("reflexive", "euclidean"), "N p", "N N p"),
    (("functional", "transitive"), "N N p", "N p"),
    (("functional", "symmetric"), "p", "N N p"),
    (("functional", "reflexive"), "p", "N p"),
]


@pytest.mark.parametrize(("frame", "premise", "hypothesis"), FRAMES)
def test_each_frame_condition_has_its_schema(frame: tuple[Frame, ...], premise: str, hypothesis: str) -> None:
    """The correspondence table (Blackburn, de Rijke & Venema 2001, ch. 3), and no schema without its condition."""
    assert proof_of(theory(box(*frame)), premise, hypothesis) is not None
    for missing in frame:
        weaker = theory(box(*(each for each in frame if each != missing)))
        assert proof_of(weaker, premise, hypothesis) is None


N_, M_ = box(), Operator(name="M", kind="box")
MAY_BE_EMPTY: list[tuple[tuple[Operator, ...], str]] = [
    ((N_,), "N false & (~N p | q)"),
    ((box("transitive"),), "N false & (~N N p | q)"),
    ((box("transitive"),), "N (~N p | q) & (~N r | s) & N N false"),
    ((box("symmetric"),), "~N ~N false | q"),
    ((box("symmetric", "transitive"),), "N p & ~p"),
    ((box("euclidean"),), "(~N ~N false | q) & (~N p | q)"),
    ((box("euclidean"),), "(~N p | q) & (~N r | s) & ~N ~(N r & N p)"),
    ((N_, replace(M_, within=("N",))), "(~M p | q) & N false"),
    ((N_, replace(M_, introspected_by=("N",))), "N (~M p | q) & M false & ~N false"),
    ((N_, replace(M_, introspected_by=("N",))), "(~N ~(~M p | q) | s) & M false & ~N r"),
    ((N_, replace(M_, frame=KD45 - {"serial"}, introspected_by=("N",))), "~N ~M false & ~M p"),
    ((N_, replace(M_, frame=KD45 - {"serial"}, within=("N",))), "(~M p | q) & (~M r | q) & N (p & r)"),
    ((box("reflexive"), replace(M_, within=("N",))), "M false & (~M p | q) & N p"),
]


@pytest.mark.parametrize(("operators", "formula"), MAY_BE_EMPTY)
def test_a_world_that_need_not_exist_refutes_nothing(operators: tuple[Operator, ...], formula: str) -> None:
    """Each clause about edges is a matter of the edges that it starts from, and of nothing else."""
    with Finder(
        TheorySlice(operators=operators), [parse(formula)], Bound(worlds=4, individuals=1, occasions=0)
    ) as finder:
        assert isinstance(finder.find([(0, "T")]), Model)
    assert proof_of(theory(*operators), formula, "false", "F") is None


@pytest.mark.parametrize(
    ("premise", "hypothesis", "entailed"),
    [
        ("B[a] p", "K[a] B[a] p", True),
        ("~B[a] p", "K[a] ~B[a] p", True),
        ("K[a] p", "B[a] p", True),
        ("B[a] K[a] p", "B[a] p", True),
        ("B[a] K[a] p", "K[a] p", False),
        ("B[a] K[a] p", "p", False),
        ("~K[a] p", "K[a] ~K[a] p", False),
        ("B[a] B[b] p", "B[a] p", False),
        ("K[a] B[b] (p -> q) & K[a] B[b] p", "K[a] B[b] q", True),
        ("K[a] ~B[b] p", "~K[a] B[b] p", True),
        ("exists x. K[x] p", "p", True),
        ("exists x. (f(x) & K[x] g(a))", "exists x. (f(x) & B[x] exists y. g(y))", True),
    ],
)
def test_knowledge_and_belief(premise: str, hypothesis: str, entailed: bool) -> None:
    """S4 knowledge, KD45 belief inside it, `B p -> K B p`: no collapse (Lenzen 1978; Stalnaker 2006)."""
    assert (proof_of(theory(K, B), premise, hypothesis) is not None) == entailed


def test_belief_makes_knowledge_directed() -> None:
    """One set of belief worlds lies in sight of all that is known possible: knowledge is S4.2 (Stalnaker 2006)."""
    assert proof_of(theory(K, B), "~K[a] ~K[a] p", "K[a] ~K[a] ~p") is not None
    assert proof_of(theory(K), "~K[a] ~K[a] p", "K[a] ~K[a] ~p") is None


def test_an_inner_relation_lends_its_seriality() -> None:
    outer, inner = box(), Operator(name="M", kind="box", frame=frozenset({"serial"}), within=("N",))
    assert proof_of(theory(outer, inner), "N p", "~N ~p") is not None
    assert proof_of(theory(outer), "N p", "~N ~p") is None


def test_knowledge_with_negative_introspection_collapses() -> None:
    collapsing = theory(Operator(name="K", kind="box", frame=S5), B)
    assert proof_of(collapsing, "B[a] K[a] p", "K[a] p") is not None


@pytest.mark.parametrize(
    ("premise", "hypothesis", "entailed"),
    [
        ("forall x. N f(x)", "N forall x. f(x)", True),  # Barcan: the domain is constant
        ("N forall x. f(x)", "forall x. N f(x)", True),
        ("exists x. N f(x)", "N exists x. f(x)", True),  # Buridan's converse
        ("N exists x. f(x)", "exists x. N f(x)", False),
        ("exists x. N (f(x) @ here & g(x))", "exists x. (f(x) & N g(x))", True),
        ("N exists x. (f(x) @ here & g(x))", "exists x. f(x)", True),
        ("N exists x. (f(x) & g(x))", "exists x. f(x)", False),
        ("exactly 2 x. N f(x)", "N atleast 2 x. f(x)", True),
    ],
)
@pytest.mark.parametrize("frame", [KD45, S5])
def test_quantifiers_and_a_cluster(frame: frozenset[Frame], premise: str, hypothesis: str, entailed: bool) -> None:
    if hypothesis == "exists x. f(x)" and frame is S5:
        entailed = True  # what must be so is so
    assert (proof_of(theory(box(*frame)), premise, hypothesis) is not None) == entailed


def test_an_earlier_time_and_a_possibility() -> None:
    both = theory(POSS, EARLIER)
    assert proof_of(both, "earlier closed(a) & ~closed(a)", "~earlier ~closed(a)") is not None
    assert proof_of(both, "poss (earlier p / q)", "poss q") is not None
    assert proof_of(both, "p", "poss p") is not None
    assert proof_of(both, "poss p", "p") is None


def test_postulates_hold_at_every_world() -> None:
    persons = theory(box(*KD45), postulates=("person(a)", "forall x. (person(x) -> animal(x))"))
    assert proof_of(persons, "~p", "N animal(a)") is not None
    assert proof_of(persons, "~p", "N N ~animal(a)", "T") is not None
    assert proof_of(theory(box(), postulates=("person(a)",)), "~p", "~N ~person(a)") is None  # no world need be seen


@pytest.mark.parametrize(
    ("premise", "hypothesis", "entailed"),
    [
        ("E exists x. (f(x) & g(x))", "E exists x. (g(x) & f(x))", True),
        ("E (p & q)", "E p", False),
        ("E p & E q", "E (p & q)", False),
        ("E p", "E E p", False),
        ("E p", "p", True),
        ("E E p", "E E ~~p", True),
        ("forall x. E f(x)", "forall x. E h(x)", True),
        ("forall x. E f(x)", "E forall x. f(x)", False),
    ],
)
def test_a_neighbourhood_operator_is_closed_under_equivalence_only(
    premise: str, hypothesis: str, entailed: bool
) -> None:
    """The classical logic E with T (Chellas 1980, ch. 8); by a postulate `f` and `h` are one property."""
    sets = theory(
        Operator(name="E", kind="neighbourhood", frame=frozenset({"reflexive"})),
        postulates=("forall x. (f(x) <-> h(x))",),
    )
    assert (proof_of(sets, premise, hypothesis) is not None) == entailed
    assert proof_of(sets, f"({premise}) & (~({hypothesis}) | okay)", "false", "F") is None


def test_a_question_of_presupposition() -> None:
    """`undefined` is refuted too: a definite presupposes (Strawson 1950)."""
    premise = "the x. (cat(x) & has(a, x), yawn(x))"
    for operator in ("", "~", "~poss "):
        assert proof_of(theory(POSS), operator + premise, "exists x. (cat(x) & has(a, x))") is not None
    assert proof_of(theory(POSS), "p & exactly 1 x. (cat(x) & has(a, x))", premise, "U") is not None


def test_candidates_beyond_one_world() -> None:
    """A closed universe decides: a problem that is not refuted has the model."""
    asked, wanted = question(theory(box()), "~N p & ~N ~p & N N q", "N q")
    (answer,) = prove([asked])
    assert isinstance(answer, Model)
    assert answer.worlds == 4
    check_model(theory(box()), wanted, answer)


def test_the_bound_is_that_of_stratified_sorts() -> None:
    """`r`'s two places are apart: a witness for each first place, but not for witnesses (Abadi et al. 2010)."""
    asked, _ = question(theory(), "forall x. exists y. r(x, y) & s(a) & s(b)", "exists x. (s(x) & ~exists y. r(x, y))")
    inferred, one_class = (Grounding(asked, 9, Budget(), inferred) for inferred in (True, False))
    assert not inferred.cut
    assert len(inferred.terms) < len(one_class.terms)
    assert one_class.cut


def small_proof() -> tuple[Problem, dict[str, Any]]:
    """A proof that needs every one of its fields."""
    asked, _ = question(theory(B, K), "exists x. B[a] (f(x) | g(x)) & B[a] ~exists x. f(x)", "B[a] exists x. g(x)")
    (answer,) = prove([asked])
    assert isinstance(answer, dict)
    return asked, answer


@pytest.mark.parametrize(
    ("field", "forged"),
    [
        ("depth", 0),
        ("depth", -1),
        ("depth", True),
        ("depth", 10**30),
        ("depth", 2.0),
        ("depth", None),
        ("inferred", 1),
        ("inferred", None),
        ("bound", {"worlds": 1, "individuals": 1, "occasions": 0}),
        ("bound", None),
        ("steps", None),
        ("steps", "[]"),
        ("steps", [[10**30]]),
        ("steps", [[0]]),
        ("steps", [[True]]),
        ("steps", [["2"]]),
        ("steps", [[[2]]]),
        ("steps", [2]),
        ("kind", "venn"),
        ("more", []),
    ],
)
def test_a_forged_field_is_rejected(field: str, forged: object) -> None:
    asked, proof = small_proof()
    check(asked, proof, Budget())
    with pytest.raises(CertificateError):
        check(asked, {**proof, field: forged}, Budget())


def test_numbers_too_long_to_be_written_are_rejected() -> None:
    asked, proof = small_proof()
    for forged in ({"depth": 1 << 20_000}, {"steps": [[1 << 20_000]]}, {"bound": {"worlds": 1 << 20_000}}):
        with pytest.raises(CertificateError):
            check(asked, {**proof, **forged}, Budget())


@pytest.mark.parametrize("field", ["kind", "depth", "inferred", "bound", "steps"])
def test_a_missing_field_is_rejected(field: str) -> None:
    asked, proof = small_proof()
    with pytest.raises(CertificateError):
        check(asked, {key: value for key, value in proof.items() if key != field}, Budget())


def test_a_proof_of_something_else_is_rejected() -> None:
    """The steps of a proof, with the right bound, for a problem that has a model."""
    valid, _ = question(theory(), "atleast 2 x. f(x) & forall x. (f(x) -> g(x))", "atleast 2 x. g(x)")
    other, _ = question(theory(), "atleast 2 x. f(x) & forall x. (f(x) -> g(x))", "atleast 3 x. g(x)")
    (proof,) = prove([valid])
    assert isinstance(proof, dict)
    forgeries: list[list[list[int]]] = [proof["steps"], [[]], [[2], []], []]
    for steps in forgeries:
        for depth in range(3):
            with pytest.raises(CertificateError):
                check(other, {**proof, "depth": depth, "steps": steps}, Budget())


def test_a_truncated_proof_is_rejected() -> None:
    """Three pigeons in two holes, each wanted by name: no single step is enough."""
    holes = " & ".join(f"(p{bird} | q{bird})" for bird in "abc")
    pairs = " & ".join(f"~({hole}{one} & {hole}{two})" for hole in "pq" for one, two in ("ab", "ac", "bc"))
    asked, _ = question(theory(), f"{holes} & {pairs}", "false", "F")
    (proof,) = prove([asked])
    assert isinstance(proof, dict)
    check(asked, proof, Budget())
    with pytest.raises(CertificateError, match="does not end in the empty clause"):
        check(asked, {**proof, "steps": []}, Budget())
    with pytest.raises(CertificateError, match="does not follow"):
        check(asked, {**proof, "steps": [[], *proof["steps"]]}, Budget())


def test_a_universe_without_end_is_stopped() -> None:
    """Whatever depth a proof names, the kernel's work is bounded."""
    growing = "forall x. exists y. (r(x, y) & ~r(y, x)) & forall x. forall y. exists z. (r(x, z) & r(z, y))"
    asked, _ = question(theory(), growing, "p")
    forged = {"kind": "herbrand", "depth": 50, "inferred": True, "bound": {}, "steps": []}
    with pytest.raises(CertificateError, match="too long"):
        check(asked, forged, Budget())
    assert prove([asked]) == [None]


def test_a_candidate_that_is_too_large_to_lay_out_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worlds may be more than the steps allow that the grounding has left."""

    def spend(*_: object) -> Model:
        raise Unfollowed("too long")

    asked, _ = question(theory(), "exists x. (cat(x), black(x))", "true", "T")
    assert isinstance(prove([asked])[0], Model)
    with monkeypatch.context() as patch:
        patch.setattr(herbrand, "interpretation", spend)
        forget()
        assert prove([asked]) == [None]
    forget()  # what the patched engine said would be remembered in other tests
    assert isinstance(prove([asked])[0], Model)
