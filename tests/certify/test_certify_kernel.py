"""The kernel: tables, frames, models, and certificates that were tampered with."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from gramprobe.certify.check import CertificateError, check_entry, digest
from gramprobe.certify.evaluator import value
from gramprobe.certify.frames import holds, problems
from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.rule import label_of

GAP = ["presupposing", ["false"], ["true"]]
BY_LETTER = {"T": ["true"], "F": ["false"], "U": GAP}
ONE = Model(1, 1, 0, {}, {})


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
    model = Model(3, 1, 0, {}, {"p": (frozenset(), frozenset({()}), frozenset())}, {"o": frozenset({(0, 1), (0, 2)})})
    partial = ["modal", "o", None, ["presupposing", ["atom", "p"], ["atom", "p"]]]
    assert value(partial, model, "middle", {"o": "diamond"}) == "U"
    assert value(partial, model, "strong", {"o": "diamond"}) == "T"
    assert value(partial, model, "strong", {"o": "box"}) == "U"
    assert value(partial, model, "middle", {"o": "box"}, world=1) == "T"


def quantified(quantifier: str, count: int | None, restrictor: Any, scope: Any) -> list[Any]:
    return ["quantified", quantifier, count, "x", "individual", restrictor, scope]


F, G = ["atom", "f", ["var", "x"]], ["atom", "g", ["var", "x"]]
FOUR = Model(1, 4, 0, {}, {"f": (frozenset({(0,), (1,), (2,)}),), "g": (frozenset({(0,), (1,)}),)})


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
    model = Model(2, 2, 0, {"a": 0, "b": 0}, {}, {"B[0]": frozenset({(0, 1)}), "K[0]": frozenset({(1, 0)})})
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


def a_line() -> dict[str, Any]:
    theory = {
        "operators": [["o0", "diamond", ["reflexive"], [], []]],
        "postulates": [],
        "projection": "middle",
        "distinct": True,
    }
    premise, hypothesis = ["modal", "o0", None, ["atom", "p0"]], ["atom", "p0"]
    true = Model(1, 1, 0, {}, {"p0": (frozenset({()}),)}, {"o0": frozenset({(0, 0)})})
    false = Model(2, 1, 0, {}, {"p0": (frozenset(), frozenset({()}))}, {"o0": frozenset({(0, 0), (0, 1), (1, 1)})})
    line: dict[str, Any] = {
        "shape": digest({"theory": theory, "premise": premise, "hypothesis": hypothesis})[:16],
        "theory": theory,
        "premise": premise,
        "hypothesis": hypothesis,
        "label": "neutral",
        "h_values": "TF",
        "kind": "models",
        "bound": {},
        "models": {"T": true.to_json(), "F": false.to_json()},
        "findings": [],
    }
    return {**line, "sha256": digest(line)}


def test_a_good_line_passes() -> None:
    check_entry(a_line())


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("label",), "entailment"),
        (("h_values",), "T"),
        (("premise",), ["atom", "p0"]),
        (("shape",), "0" * 16),
        (("models", "F", "relations", "o0"), [[0, 1]]),
        (("models", "F", "predicates", "p0"), [[[]], [[]]]),
        (("models", "T", "predicates", "p0"), [[]]),
        (("models", "T", "relations"), {}),
        (("kind",), "bounded(3)"),
        (("theory", "projection"), "soft"),
    ],
)
def test_a_tampered_line_is_refused_even_with_a_new_hash(path: tuple[str, ...], wrong: Any) -> None:
    line = copy.deepcopy(a_line())
    place = line
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = wrong
    with pytest.raises(CertificateError):
        check_entry(line)
    content = {key: line[key] for key in line if key != "sha256"}
    if path[0] == "theory":
        content["shape"] = digest({key: content[key] for key in ("theory", "premise", "hypothesis")})[:16]
    with pytest.raises(CertificateError):
        check_entry({**content, "sha256": digest(content)})
