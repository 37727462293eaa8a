"""Type elimination: which schema is valid in which frames, mixed logics, sets of worlds, and forged proofs."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest

from gramprobe.certify.check import check_model
from gramprobe.certify.classical import problem
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.certify.types import MAX_BITS, Space, check, core
from gramprobe.decide.procedure import Case
from gramprobe.decide.prove import types
from gramprobe.decide.prove.types import closure, prove, prove_more
from gramprobe.formula import sorts
from gramprobe.formula.encoding import Json, to_json
from gramprobe.formula.notation import parse

CONDITIONS = {
    "K": (), "KD": ("serial",), "T": ("reflexive",), "K4": ("transitive",), "S4": ("reflexive", "transitive"),
    "KD45": ("serial", "transitive", "euclidean"), "S5": ("reflexive", "euclidean"), "KB": ("symmetric",),
    "K5": ("euclidean",), "functional": ("functional",), "identity": ("reflexive", "functional"),
}  # fmt: skip
SCHEMATA = {
    "D": "~(K p & K ~p)",
    "T": "K p -> p",
    "4": "K p -> K K p",
    "5": "~K p -> K ~K p",
    "B": "p -> K ~K ~p",
    "F": "K p | K ~p",
    "shift T": "K (K p -> p)",
    "K": "K (p -> q) -> (K p -> K q)",
}
VALID = {
    "K": "K", "KD": "D K", "T": "D T K, shift T", "K4": "4 K", "S4": "D T 4 K, shift T", "KD45": "D 4 5 K, shift T",
    "S5": "D T 4 5 B K, shift T", "KB": "B K", "K5": "5 K, shift T", "functional": "D F K",
    "identity": "D T 4 5 B F K, shift T",
}  # fmt: skip
S4, KD45, S5 = CONDITIONS["S4"], CONDITIONS["KD45"], CONDITIONS["S5"]


def operator(name: str, conditions: Sequence[str], *related: Sequence[str], kind: str = "box") -> Json:
    """`related`: the operators that it is within, then those that introspect it."""
    within, introspected_by = (*related, (), ())[:2]
    return [name, kind, sorted(conditions), list(within), list(introspected_by)]


def knowledge(conditions: Sequence[str] = S4, kind: str = "box") -> list[Json]:
    """Knowing, and believing: KD45, within knowing and introspected by it."""
    return [operator("K", conditions), operator("B", KD45, "K", "K", kind=kind)]


def data(text: str) -> Json:
    return to_json(sorts.resolve([parse(text)])[0])


def answer(
    operators: Sequence[Json], *true: str, postulates: Sequence[str] = (), distinct: bool = True
) -> dict[str, Any] | Model | None:
    """The engine's answer about these formulas together, confirmed by the kernel."""
    theory = {
        "operators": [*operators], "postulates": [data(each) for each in postulates], "projection": "middle",
        "distinct": distinct,
    }  # fmt: skip
    wanted = [(data(each), "T") for each in true]
    posed = problem(theory, wanted)
    outcome = prove([posed])[0] or prove_more([posed])[0]
    if isinstance(outcome, Model):
        check_model(theory, wanted, outcome)
    elif outcome is not None:
        check(posed, json.loads(json.dumps(outcome)), Budget())
    return outcome


def refuted(*args: Any, **options: Any) -> bool:
    """Whether it is refuted; if not, there is a model."""
    outcome = answer(*args, **options)
    assert outcome is not None
    return isinstance(outcome, dict)


@pytest.mark.parametrize("logic", CONDITIONS)
@pytest.mark.parametrize("schema", SCHEMATA)
def test_a_schema_is_valid_in_its_frames_only(logic: str, schema: str) -> None:
    single, *shift = VALID[logic].split(", ")
    valid = schema in single.split() or schema in shift
    assert refuted([operator("K", CONDITIONS[logic])], f"~({SCHEMATA[schema]})") == valid


@pytest.mark.parametrize(
    ("knows", "premise", "hypothesis", "entailed"),
    [
        (S4, "B[a] K[a] p", "K[a] p", False),
        (S5, "B[a] K[a] p", "K[a] p", True),  # the collapse: Lenzen 1978
        (S4, "B[a] p", "K[a] p", False),
        (S4, "K[a] p", "B[a] p", True),
        (S4, "B[a] p", "K[a] B[a] p", True),
        (S4, "~B[a] p", "K[a] ~B[a] p", True),
        (S4, "K[a] B[a] p", "B[a] p", True),
        (S4, "K[a] B[a] p", "K[a] p", False),
        (S4, "B[a] K[a] p", "B[a] p", True),
        (S4, "B[a] p", "B[a] K[a] p", False),
        (S4, "B[a] K[b] p", "B[a] B[b] p", True),
        (S4, "B[a] B[b] p", "B[b] p", False),
        (S4, "K[a] K[b] p", "p", True),
        (S4, "B[a] (B[b] p & ~p)", "B[a] ~K[b] p", True),
        (S4, "~K[a] ~K[a] p", "K[a] ~K[a] ~K[a] p", True),  # S4.2, from belief, unsaid as it is: Stalnaker 2006
        (S5, "~K[a] ~K[a] p", "K[a] ~K[a] ~K[a] p", True),
        ((), "K[a] p", "~K[a] ~p", True),  # who believes consistently knows consistently
        ((), "K[a] p", "~K[b] ~p", False),
    ],
)
def test_knowing_and_believing(knows: Sequence[str], premise: str, hypothesis: str, entailed: bool) -> None:
    assert refuted(knowledge(knows), premise, f"~({hypothesis})") == entailed


def test_belief_worlds_agree_on_what_is_known() -> None:
    """A proposition known at a belief world is known at all of them: the proof needs bits that occur in no formula."""
    serial = [operator("K", S4), operator("B", KD45, "K")]
    assert refuted(serial, "~B[a] ~K[a] p", "~B[a] p")
    assert refuted(serial, "~B[a] ~K[a] p", "~B[a] K[a] p")
    assert not refuted(serial, "~B[a] ~K[b] p", "~B[a] K[b] p")


def test_three_operators_in_a_row() -> None:
    chain = [operator("K", S4), operator("S", S4, "K"), operator("B", KD45, "S")]
    assert refuted(chain, "K[a] p", "~B[a] p")
    assert refuted(chain, "~B[a] ~K[a] p", "~B[a] p")
    assert not refuted(chain, "S[a] p", "~K[a] p")


def test_a_theory_that_goes_round_in_a_circle() -> None:
    both = [operator("K", (), "B"), operator("B", ("transitive",), "K")]
    assert refuted(both, "K p", "~B p")
    assert refuted(both, "K p", "~K B p")
    assert not refuted(both, "K p", "~p")


def test_operators_with_sets_of_worlds() -> None:
    forget = [operator("N", (), kind="neighbourhood")]
    assert refuted(forget, "N (p & q)", "~N (q & p)")
    assert refuted(forget, "N p", "~N q", postulates=["p <-> q"])
    assert not refuted(forget, "N p", "~N q", postulates=["p -> q"])
    assert not refuted(forget, "N (p & q)", "~N p")
    assert not refuted(forget, "N p & N q", "~N (p & q)")


@pytest.mark.parametrize("schema", ["D", "T", "4", "5", "B"])
def test_conditions_on_sets_of_worlds(schema: str) -> None:
    """Each condition makes its schema valid, and without it there is a model."""
    condition = {"D": "serial", "T": "reflexive", "4": "transitive", "5": "euclidean", "B": "symmetric"}[schema]
    formula = f"~({SCHEMATA[schema]})"
    assert refuted([operator("K", (condition,), kind="neighbourhood")], formula)
    assert not refuted([operator("K", (), kind="neighbourhood")], formula)


def test_labels_that_need_closure_and_labels_that_do_not() -> None:
    """Belief with sets of worlds keeps the conditions of its frame and relations on single propositions, no others."""
    opened = knowledge(kind="neighbourhood")
    assert refuted(opened, "K[a] p", "~B[a] p")
    assert refuted(opened, "B[a] p", "B[a] ~p")
    assert refuted(opened, "B[a] p", "~K[a] B[a] p")
    assert refuted(opened, "B[a] (p & q)", "~B[a] (q & p)")
    assert not refuted(opened, "B[a] (p & q)", "~B[a] p")
    assert refuted(knowledge(), "B[a] (p & q)", "~B[a] p")


def test_here_is_the_actual_world() -> None:
    believes = [operator("B", KD45)]
    assert refuted(believes, "p", "~B (p @ here)")
    assert refuted(believes, "B ((p @ here) & ~p)", "~p")
    assert not refuted(believes, "B ((p @ here) & ~p)")


def test_quantified_formulas_may_have_any_value() -> None:
    some, same = "exists x. (cat(x), yawn(x))", "exists y. (cat(y), yawn(y))"
    assert refuted(knowledge(), f"K[a] {some}", f"~B[a] {same}")
    assert answer(knowledge(), f"B[a] {some}", f"~{some}") is None


def test_axioms_are_instantiated_for_names() -> None:
    hypernym = ["forall x. (cat(x), animal(x))"]
    assert refuted(knowledge(), "B[a] K[b] cat(c)", "~B[a] B[b] animal(c)", postulates=hypernym)
    assert not refuted(knowledge(), "B[a] K[b] animal(c)", "~B[a] B[b] cat(c)", postulates=hypernym)
    assert refuted(knowledge(), "B[a] forall x. cat(x)", "~B[a] cat(b)")
    assert refuted(knowledge(), "B[a] cat(b)", "~B[a] exists x. cat(x)")
    assert refuted([], "forall x. forall y. like(x, y)", "~like(a, b)")


def test_names() -> None:
    assert refuted([], "a = b")
    assert refuted([], "a = b", "~(b = a)", distinct=False)
    assert not refuted([], "~(b = a)", distinct=False)
    assert refuted([operator("K", ())], "a = b", "~K a = b", distinct=False)  # names are rigid
    assert not refuted([operator("K", ())], "K[a] p", "~K[b] p", distinct=False)


def test_several_questions_share_an_elimination() -> None:
    theory = {"operators": knowledge(), "postulates": [], "projection": "middle", "distinct": True}
    pair = data("B[a] K[b] p"), data("B[a] p")
    posed = [problem(theory, [(pair[0], "T"), (pair[1], value)]) for value in "TFU"]
    posed += [problem(theory, [(pair[1], value)]) for value in "NT"]
    true, false, undefined, alone_false, alone_true = prove(posed)
    assert isinstance(true, Model) and isinstance(alone_false, Model) and isinstance(alone_true, Model)
    for each, proof in zip(posed[1:3], (false, undefined), strict=True):
        assert isinstance(proof, dict)
        check(each, proof, Budget())


def test_a_problem_that_is_too_large_is_left_open() -> None:
    atoms = " & ".join(f"(p{number} | K p{number})" for number in range(MAX_BITS))
    assert answer([operator("K", S4)], atoms, "~p0", "~K p0") is None


# forged proofs

THEORY = {"operators": knowledge(), "postulates": [], "projection": "middle", "distinct": True}
REFUTED = problem(THEORY, [(data("B[a] K[b] (p & q)"), "T"), (data("B[a] p"), "F")])
OPEN = problem(THEORY, [(data("B[a] K[b] (p & q)"), "T"), (data("B[b] p"), "F")])


KIND = {"kind": "type-elimination"}


def proof_of(posed: Any) -> Any:
    proof = prove([posed])[0]
    assert isinstance(proof, dict)
    return json.loads(json.dumps(proof))


def rejected(posed: Any, proof: Any) -> None:
    budget = Budget()
    with pytest.raises(CertificateError):
        check(posed, {**KIND, **proof}, budget)


def deep(levels: int) -> Json:
    return ["atom", "p"] if levels == 0 else ["box", "K", ["const", "a"], deep(levels - 1)]


def test_a_proof_is_of_its_own_problem() -> None:
    proof = proof_of(REFUTED)
    check(REFUTED, proof, Budget())
    rejected(OPEN, proof)
    rejected(problem({**THEORY, "operators": [operator("K", S4), operator("B", KD45)]}, [
        (data("B[a] K[b] (p & q)"), "T"), (data("B[a] p"), "F"),
    ]), proof_of(problem(THEORY, [(data("K[a] p"), "T"), (data("B[a] p"), "F")])))  # fmt: skip


def test_every_kill_and_every_bit_is_needed() -> None:
    proof = proof_of(REFUTED)
    assert proof["kills"]
    for name in ("kills", "bits"):
        for number in range(len(proof[name])):
            rejected(REFUTED, {**proof, name: proof[name][:number] + proof[name][number + 1 :]})
        rejected(REFUTED, {**proof, name: proof[name] + proof[name][:1]})


def test_what_is_false_by_its_form_needs_no_bits() -> None:
    """An atom is not undefined, whatever is known of the other formulas; that it is false is another matter."""
    none = {**KIND, "bits": [], "kills": []}
    known = (data("K[a] (p & q)"), "T")
    undefined = problem(THEORY, [known, (data("q"), "U")])
    assert proof_of(undefined) == none
    check(undefined, none, Budget())
    closed = problem(THEORY, [known, (data("q"), "F"), (data("K[a] p"), "T")])
    older = [json.loads(json.dumps(bit)) for bit in closure([closed])]  # of proofs written with the bits of the others
    check(undefined, {**KIND, "bits": older, "kills": []}, Budget())
    rejected(problem(THEORY, [known, (data("q"), "F")]), none)
    rejected(problem(THEORY, [known, (data("q"), "T")]), none)


def test_every_transfer_and_demand_is_the_right_one() -> None:
    proof = proof_of(REFUTED)
    for number, (view, demand, signature) in enumerate(proof["kills"]):
        others = [[view, demand, signature[:at] + signature[at + 1 :]] for at in range(len(signature))]
        others += [[other, demand, signature] for other in range(-1, 9) if other != view]
        for other in others:
            changed = copy.deepcopy(proof)
            changed["kills"][number] = other
            rejected(REFUTED, changed)


def test_no_kills_refute_a_problem_with_a_model() -> None:
    """Each single kill that any demand and any one or two transfers make is tried, and the best of them together."""
    bits = [json.loads(json.dumps(bit)) for bit in closure([OPEN])]
    space = Space(OPEN, [core(bit, Budget()) for bit in bits], Budget())
    kills = [
        [view, demand, sorted({one, other})]
        for view, (transfers, demands) in enumerate(space.views)
        for demand in range(len(demands))
        for one in range(len(transfers))
        for other in range(len(transfers))
    ]
    accepted: list[Any] = []
    for kill in kills:
        try:
            check(OPEN, {**KIND, "bits": bits, "kills": [*accepted, kill]}, Budget())
        except CertificateError as error:
            if "goals" in str(error):
                accepted.append(kill)
        else:
            pytest.fail(f"{kill} refutes what has a model")
    assert accepted


@pytest.mark.parametrize(
    "proof",
    [
        {},
        {"bits": [], "kills": []},
        {"bits": {}, "kills": []},
        {"bits": [], "kills": None},
        {"bits": [["atom", f"p{number}"] for number in range(10_000)], "kills": []},
        {"bits": [deep(500)], "kills": []},
        {"bits": [["atom", {"p": 1}]], "kills": []},
        {"bits": [["atom", "p", ["atom", "q"]]], "kills": []},
        {"bits": [["true"]], "kills": []},
        {"bits": [["not", ["atom", "p"]]], "kills": []},
        {"bits": [["box", "K", None]], "kills": []},
        {"bits": [["box", "Z", ["const", "a"], ["true"]]], "kills": []},
        {"bits": [["box", "K", ["const", "z"], ["true"]]], "kills": []},
        {"bits": [["neighbourhood", "K", ["const", "a"], ["true"]]], "kills": []},
        {"bits": [["box", "K", ["const", "a"], ["atom", "absent"]]], "kills": []},
        {"bits": [["atleast", 10**5000, "0", "individual", ["true"]]], "kills": []},
        {"bits": [["equal", 1, "x"]], "kills": []},
    ],
    ids=range(17),
)
def test_hostile_proofs(proof: Any) -> None:
    rejected(REFUTED, proof)


@pytest.mark.parametrize(
    "kill",
    [
        None, [], [0], [0, 0], [0, 0, 0], [0, 0, [0], 0], [True, 0, []], [0, False, []], [0, 0, [True]], [-1, 0, []],
        [0, -1, []], [0, 0, [-1]], [10**5000, 0, []], [0, 10**5000, []], [0, 0, [10**5000]], ["0", 0, []],
        [0, 0, [0.0]], [[], [], []], {"view": 0},
    ],
    ids=range(19),
)  # fmt: skip
def test_hostile_kills(kill: Any) -> None:
    proof = proof_of(REFUTED)
    rejected(REFUTED, {**proof, "kills": [kill]})


def test_a_search_that_costs_too_much_is_given_up() -> None:
    proof = proof_of(REFUTED)
    with pytest.raises(CertificateError, match="too long"):
        check(REFUTED, {**proof, "kills": [[0, 0, [0] * 100_000]]}, Budget(10_000))
    everything = ["forall x. forall y. forall z. forall u. forall v. like(x, y, z, u, v)"]
    names = "like(a, b, c, d, e) & like(f, g, h, i, j) & like(k, l, m, n, o)"
    theory = {**THEORY, "postulates": [data(everything[0])]}
    posed = problem(theory, [(data(names), "F")])
    with pytest.raises(CertificateError, match="too long"):
        check(posed, {**KIND, "bits": [], "kills": []}, Budget(100_000))


def test_formulas_that_the_kernel_rejects_are_left_open() -> None:
    conjunction = " & ".join(["p"] * 150 + ["q"])
    assert refuted([operator("K", S4)], f"K ({conjunction})", "~q")
    assert answer([operator("K", S4)], "K " * 240 + "p", "~p") is None


def test_a_model_of_few_worlds_is_looked_for_before_more_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    theory = {"operators": [operator("K", ())], "postulates": [], "projection": "middle", "distinct": True}
    three = data("~K p & ~K q & K (p | q) & p & q")  # lacking p, lacking q, and the actual world
    case = Case(theory, {"T": ((three, "T"),)})
    monkeypatch.setattr(types, "prove", lambda problems: [None] * len(problems))
    monkeypatch.setattr(types, "prove_more", None)
    found = case.answered()["T"]
    assert isinstance(found, Model)
    assert found.worlds == 3
