"""The kernel: tables, frames, models, and certificates that were tampered with."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from gramprobe.certify.check import check_entry, check_model, digest
from gramprobe.certify.classical import problem
from gramprobe.certify.evaluator import value
from gramprobe.certify.frames import holds, problems
from gramprobe.certify.model import Extension, Model, ModelError
from gramprobe.certify.reject import CertificateError
from gramprobe.certify.rule import label_of
from gramprobe.decide.label import Decider
from gramprobe.decide.prove import types
from gramprobe.decide.verdict import certificate_line
from gramprobe.formula.encoding import to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Operator, TheorySlice

GAP = ["presupposing", ["false"], ["true"]]
BY_LETTER = {"T": ["true"], "F": ["false"], "U": GAP}
ONE = Model(worlds=1, individuals=1, actual=0, constants={}, predicates={})


@pytest.mark.parametrize(
    ("projection", "connective", "table"),
    [  # rows T, F, U on the left; columns T, F, U on the right
        ("middle", "and", "TFU FFF UUU"),
        ("middle", "or", "TTT TFU UUU"),
        ("middle", "implies", "TFU TTT UUU"),
        ("middle", "iff", "TFU FTU UUU"),
        ("strong", "and", "TFU FFF UFU"),
        ("strong", "or", "TTT TFU TUU"),
        ("strong", "implies", "TFU TTT TUU"),
        ("weak", "and", "TFU FFU UUU"),
        ("weak", "or", "TTU TFU UUU"),
        ("weak", "implies", "TFU TTU UUU"),
        ("strong", "iff", "TFU FTU UUU"),
        ("weak", "iff", "TFU FTU UUU"),
    ],
)
def test_tables(projection: str, connective: str, table: str) -> None:
    for left, row in zip("TFU", table.split(), strict=True):
        for right, expected in zip("TFU", row, strict=True):
            assert value([connective, BY_LETTER[left], BY_LETTER[right]], ONE, projection, {}) == expected


def test_a_modal_is_defined_where_its_body_is_everywhere() -> None:
    model = Model(
        worlds=3,
        individuals=1,
        actual=0,
        constants={},
        predicates={"p": (frozenset(), frozenset({()}), frozenset())},
        relations={"o": frozenset({(0, 1), (0, 2)})},
    )
    partial = ["modal", "o", None, ["presupposing", ["atom", "p"], ["atom", "p"]]]
    assert value(partial, model, "middle", {"o": "diamond"}) == "U"
    assert value(partial, model, "strong", {"o": "diamond"}) == "T"
    assert value(partial, model, "strong", {"o": "box"}) == "U"
    assert value(partial, model, "middle", {"o": "box"}, world=1) == "T"


def quantified(quantifier: str, count: int | None, restrictor: Any, scope: Any) -> list[Any]:
    return ["quantified", quantifier, count, "x", "individual", restrictor, scope]


F, G = ["atom", "f", ["var", "x"]], ["atom", "g", ["var", "x"]]
FOUR = Model(
    worlds=1,
    individuals=4,
    actual=0,
    constants={},
    predicates={"f": (frozenset({(0,), (1,), (2,)}),), "g": (frozenset({(0,), (1,)}),)},
)


@pytest.mark.parametrize(
    ("quantifier", "count", "expected"),
    [
        ("forall", None, "F"),
        ("exists", None, "T"),
        ("atleast", 2, "T"),
        ("atleast", 3, "F"),
        ("atmost", 2, "T"),
        ("atmost", 1, "F"),
        ("exactly", 2, "T"),
        ("exactly", 1, "F"),
        ("most", None, "T"),
        ("the", None, "U"),
    ],
)
def test_quantifiers(quantifier: str, count: int | None, expected: str) -> None:
    assert value(quantified(quantifier, count, F, G), FOUR, "middle", {}) == expected


def test_a_gap_in_the_scope_projects_universally_from_the_restrictor() -> None:
    gap = ["presupposing", G, ["true"]]
    assert value(quantified("exists", None, F, gap), FOUR, "middle", {}) == "U"
    assert value(quantified("exists", None, F, gap), FOUR, "strong", {}) == "T"
    assert value(quantified("exists", None, G, gap), FOUR, "middle", {}) == "T"


@pytest.mark.parametrize(
    ("condition", "good", "bad"),
    [
        ("reflexive", {(0, 0), (1, 1)}, {(0, 0)}),
        ("serial", {(0, 1), (1, 1)}, {(0, 1)}),
        ("transitive", {(0, 1), (1, 1)}, {(0, 1), (1, 0)}),
        ("symmetric", {(0, 1), (1, 0)}, {(0, 1)}),
        ("euclidean", {(0, 1), (1, 1)}, {(0, 1)}),
        ("functional", {(0, 1), (1, 1)}, {(0, 0), (0, 1), (1, 1)}),
    ],
)
def test_frame_conditions(condition: str, good: set[tuple[int, int]], bad: set[tuple[int, int]]) -> None:
    assert holds(condition, frozenset(good), 2)
    assert not holds(condition, frozenset(bad), 2)


def test_relations_between_operators_and_names() -> None:
    model = Model(
        worlds=2,
        individuals=2,
        actual=0,
        constants={"a": 0, "b": 0},
        predicates={},
        relations={"B[0]": frozenset({(0, 1)}), "K[0]": frozenset({(1, 0)})},
    )
    operators = [["B", "box", [], ["K"], ["K"]], ["K", "box", [], [], []]]
    assert problems(model, operators, True) == [
        "relation B[0] is not within K[0]",
        "relation B[0] is not introspected by K[0]",
        "two names denote one individual",
    ]


def test_labels_of_values() -> None:
    labels = {values: label_of(values) for values in ("", "T", "F", "U", "TF", "TU", "FU", "TFU")}
    assert labels == {
        "": None,
        "T": "entailment",
        "F": "contradiction",
        "U": "presupposition failure",
        "TF": "neutral",
        "TU": "neutral",
        "FU": "contradiction",
        "TFU": "neutral",
    }


def test_models_read_back_and_bad_ones_are_refused() -> None:
    data = FOUR.to_json()
    assert Model.from_json(data) == FOUR
    for key, wrong in [
        ("actual", 1),
        ("worlds", 0),
        ("individuals", "4"),
        ("constants", {"a": 4}),
        ("worlds", True),
        ("predicates", {"f": []}),
        ("predicates", {"f": [[[9]]]}),
        ("relations", {"o": [[0]]}),
        ("relations", {"o": [[0, 3]]}),
        ("more", 1),
    ]:
        with pytest.raises(ModelError):
            Model.from_json({**data, key: wrong})


def a_line(premise: str, hypothesis: str) -> dict[str, Any]:
    """A certificate with its dependence, in a theory of epistemic possibility and of knowledge and belief."""
    knowing = Operator(name="K", kind="box", frame=frozenset({"reflexive", "transitive"}))
    believing = Operator(
        name="B",
        kind="box",
        frame=frozenset({"serial", "transitive", "euclidean"}),
        within=("K",),
        introspected_by=("K",),
    )
    operators = (Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"})), knowing, believing)
    theory = TheorySlice(operators=operators, postulates=(parse("forall x. (cat(x) -> animal(x))"),))
    decision = Decider(theory, dependence=True).decision(parse(premise), parse(hypothesis))
    return json.loads(json.dumps(certificate_line(decision.shape, decision.verdict)))  # type: ignore[no-any-return]


def resealed(line: dict[str, Any]) -> dict[str, Any]:
    """The line with its hashes computed anew, as a forger would."""
    shape = {key: line[key] for key in ("theory", "premise", "hypothesis")}
    content = {key: value for key, value in {**line, "shape": digest(shape)[:16]}.items() if key != "sha256"}
    return {**content, "sha256": digest(content)}


LINES = {
    "models": ("poss p", "p"),
    "type-elimination": ("B[a] K[b] p", "B[a] p"),
    "entailed by a postulate": ("exists x. (cat(x) & yawn(x))", "exists x. (animal(x) & yawn(x))"),
    "contradiction": ("K[a] p", "B[a] ~p"),
    "counting": ("exactly 7 x. (cat(x), yawn(x))", "atleast 8 x. (cat(x), yawn(x))"),
    "partial": ("poss (p / q)", "p"),
}


@pytest.mark.parametrize("name", LINES)
def test_a_good_line_passes(name: str) -> None:
    assert check_entry(a_line(*LINES[name]))
    assert resealed(a_line(*LINES[name])) == a_line(*LINES[name])


def test_what_only_a_long_search_proves_names_no_principle_that_it_does_not_need() -> None:
    chased = "the y. (dog(y), chased(x, y))"
    answered = f"the x. (cat(x) & has(a, x), {chased})"
    alone = f"exactly 1 x. (animal(x), {chased})"
    line = a_line(f"(({answered} -> {alone}) & exists x. (animal(x), {chased})) / {answered}", alone)
    assert line["label"] == "entailment"
    assert any(proof.get("naming") or proof.get("looking") for proof in line["absent"].values())
    assert line["rests_on"] == []


def test_dependence_names_one_minimal_set_in_the_order_of_the_theory() -> None:
    kinds = {name: [entry["principle"] for entry in a_line(*pair)["rests_on"]] for name, pair in LINES.items()}
    assert kinds["models"] == []
    assert kinds["type-elimination"] == [["frame", "o1", "reflexive"], ["closure", "o0"]]
    assert kinds["entailed by a postulate"] == [["postulate", 0]]
    assert kinds["partial"] == [["closure", "o0"], ["frame", "o0", "reflexive"]]  # closure is taken for granted


@pytest.mark.parametrize(
    ("name", "path", "wrong"),
    [
        ("models", ("label",), "entailment"),
        ("models", ("h_values",), "T"),
        ("models", ("premise",), ["atom", "p0"]),
        ("models", ("shape",), "0" * 16),
        ("models", ("models", "F", "relations", "o0"), [[0, 1]]),
        ("models", ("models", "F", "predicates", "p0"), [[[]], [[]]]),
        ("models", ("models", "T", "predicates", "p0"), [[]]),
        ("models", ("models", "T", "relations"), {}),
        ("models", ("models", "T", "worlds"), 10**30),
        ("models", ("models", "T", "individuals"), 10**9),
        ("models", ("kind",), "bounded(3)"),
        ("models", ("theory", "projection"), "soft"),
        ("models", ("theory", "operators", 0, 1), "circle"),
        ("models", ("absent", "U"), None),
        ("models", ("absent",), {}),
        ("type-elimination", ("kind",), "models"),
        ("type-elimination", ("label",), "neutral"),
        ("type-elimination", ("absent", "F"), {"kind": "bounded", "size": 3}),
        ("type-elimination", ("absent", "F"), {"kind": "type-elimination"}),
        ("type-elimination", ("absent", "F"), {"kind": "wishful thinking"}),
        ("type-elimination", ("absent", "F", "kills"), []),
        ("type-elimination", ("absent", "F", "bits"), []),
        ("type-elimination", ("hypothesis",), ["modal", "o0", ["const", "c0"], ["atom", "p1"]]),
        ("type-elimination", ("rests_on",), []),
        ("type-elimination", ("rests_on", 0, "principle"), ["frame", "o0", "serial"]),
        ("type-elimination", ("rests_on", 0, "without"), "T"),
        ("type-elimination", ("rests_on", 0, "model", "predicates", "p0"), [[[]]]),
        ("type-elimination", ("alone",), {}),
        ("type-elimination", ("findings",), ["hypothesis valid"]),
        ("entailed by a postulate", ("theory", "postulates"), []),
        ("contradiction", ("h_values",), "FU"),
        ("counting", ("premise", 2), 8),
        ("counting", ("hypothesis", 2), 7),
    ],
)
def test_a_tampered_line_is_refused_even_with_new_hashes(name: str, path: tuple[Any, ...], wrong: Any) -> None:
    line = a_line(*LINES[name])
    place: Any = line
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != wrong
    place[path[-1]] = wrong
    with pytest.raises(CertificateError):
        check_entry(line)
    if path != ("shape",):
        with pytest.raises(CertificateError):
            check_entry(resealed(line))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("type-elimination", ("absent", "F")),
        ("counting", ("absent", "T")),
        ("type-elimination", ("rests_on", 0)),
        ("type-elimination", ("rests_on", 0, "model")),
        ("models", ("alone",)),
        ("type-elimination", ("alone",)),
        ("models", ("theory",)),
    ],
)
def test_a_field_that_the_kernel_does_not_know_is_refused(name: str, path: tuple[Any, ...]) -> None:
    line = a_line(*LINES[name])
    place: Any = line
    for key in path:
        place = place[key]
    place["note"] = {"kind": "checked by two annotators"}
    with pytest.raises(CertificateError):
        check_entry(resealed(line))


def test_an_absence_on_trust_has_the_fields_of_its_kind() -> None:
    line = a_line(*LINES["counting"])
    line["absent"]["T"] = {"kind": "bounded", "size": 3, "note": "checked"}
    with pytest.raises(CertificateError, match="on trust"):
        check_entry(resealed({**line, "kind": "bounded(3)", "rests_on": None}))


def test_a_label_on_trust_is_marked() -> None:
    line = a_line(*LINES["counting"])
    line["absent"]["T"] = {"kind": "bounded", "size": 3, "worlds": 1, "individuals": 3, "occasions": 0}
    line |= {"kind": "bounded(3)", "rests_on": None}
    assert check_entry(resealed(line)) is False
    with pytest.raises(CertificateError, match="the kind"):
        check_entry(resealed({**line, "kind": "venn"}))


def test_a_formula_nested_too_deep_is_refused() -> None:
    line = a_line(*LINES["models"])
    deep: Any = ["atom", "p0"]
    for _ in range(5000):
        deep = ["not", deep]
    for key in ("premise", "hypothesis"):
        with pytest.raises(CertificateError):
            check_entry({**line, key: deep})


@pytest.mark.parametrize("kind", ["neighbourhood", "dual"])
@pytest.mark.parametrize("body", ["p", "p / q", "p @ here", "p / p"])
def test_sets_of_worlds_know_no_gap(kind: str, body: str) -> None:
    """Compiler and evaluator agree on an operator over sets, whatever is below it: in all models of one world."""
    formula = to_json(parse(f"N ({body})", operators=("N",)))
    theory: dict[str, Any] = {
        "operators": [["N", kind, [], [], []]],
        "postulates": [],
        "projection": "middle",
        "distinct": False,
    }
    sets = [frozenset(each) for each in ((), (0,))]
    for p, q, held in product((False, True), (False, True), ([], [sets[0]], [sets[1]], sets)):
        extension: dict[str, Extension] = {
            name: (frozenset({()}) if on else frozenset(),) for name, on in (("p", p), ("q", q))
        }
        model = Model(
            worlds=1,
            individuals=1,
            actual=0,
            constants={},
            predicates=extension,
            relations={},
            occasions=0,
            neighbourhoods={"N": (frozenset(held),)},
        )
        actual = value(formula, model, "middle", {"N": kind})
        assert actual in "TF"
        assert isinstance(types.prove([problem(theory, [(formula, "U")])])[0], dict)
        check_model(theory, [(formula, actual)], model)
        assert not isinstance(types.prove([problem(theory, [(formula, actual)])])[0], dict)


def test_more_operators_than_a_question_can_have_are_refused() -> None:
    operators: list[Any] = [[f"o{n}", "box", [], [f"o{n + 1}"] if n < 399 else [], []] for n in range(400)]
    theory = {"operators": operators, "postulates": [], "projection": "middle", "distinct": False}
    with pytest.raises(CertificateError, match="operators"):
        problem(theory, [(["atom", "p"], "T")])


OWN = {"and": "TFUFFUUFU", "or": "TTUTFUTUU", "implies": "TFUTTUTUU", "modals": "every", "quantifiers": "some"}


@pytest.mark.parametrize(
    "changed",
    [
        {"and": "TTUFFUUFU"},  # of true and false true
        {"or": "TTUTFUTU"},
        {"implies": "TFUTTUTUX"},
        {"implies": 3},
        {"modals": "most"},
        {"quantifiers": ["some"]},
        {"more": "TFUFFUUFU"},
    ],
)
def test_tables_that_are_no_projection_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ModelError):
        value(["and", ["true"], ["true"]], ONE, {**OWN, **changed}, {})
    theory = {"operators": [], "postulates": [], "projection": {**OWN, **changed}, "distinct": False}
    with pytest.raises(CertificateError):
        problem(theory, [(["atom", "p"], "T")])


def test_tables_of_a_slice_are_read_cell_by_cell() -> None:
    """From right to left: false behind a gap is false, and a gap behind false is a gap."""
    gap = ["presupposing", ["false"], ["true"]]
    assert value(["and", gap, ["false"]], ONE, OWN, {}) == "F"
    assert value(["and", ["false"], gap], ONE, OWN, {}) == "U"
    assert value(["implies", gap, ["true"]], ONE, OWN, {}) == "T"
