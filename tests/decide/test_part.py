"""The values of a premise from those of a part: where they follow, where they do not, and where a world is seen."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import structs

from gramprobe.certify.check import check_model
from gramprobe.certify.model import Model
from gramprobe.decide.part import Pair, Part, part_of
from gramprobe.decide.procedure import Case
from gramprobe.decide.question import Refutation
from gramprobe.decide.together import Combinations
from gramprobe.formula.canonical import canonical
from gramprobe.formula.encoding import to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import MIDDLE, STRONG, WEAK, Operator, Projection, TheorySlice

POSS = Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"}))
NEC = structs.replace(POSS, name="nec", kind="box")
THEORY = TheorySlice(operators=(POSS, NEC), distinct=True)
KING = "the x. (king(x), bald(x))"


def pair(premise: str, hypothesis: str, theory: TheorySlice = THEORY) -> Pair:
    return Pair(**json.loads(canonical(parse(premise), parse(hypothesis), theory)[0]))


def found(premise: str, hypothesis: str = "exists x. king(x)", theory: TheorySlice = THEORY) -> Part:
    part = part_of(pair(premise, hypothesis, theory))
    assert part is not None
    return part


@pytest.mark.parametrize(
    ("premise", "projection", "sufficient"),
    [
        (f"{KING} -> q", MIDDLE, {"T": "TF", "F": "T", "U": "U"}),
        (f"{KING} -> ~q", STRONG, {"T": "TFU", "F": "T", "U": "U"}),
        (f"~({KING}) -> q", MIDDLE, {"T": "TF", "F": "F", "U": "U"}),
        (f"q -> {KING}", MIDDLE, {"T": "TFU", "F": "F", "U": "U"}),
        (f"q -> {KING}", WEAK, {"T": "TF", "F": "F", "U": "U"}),
        (f"{KING} & q", MIDDLE, {"T": "T", "F": "TF", "U": "U"}),
        (f"~q | {KING}", MIDDLE, {"T": "TFU", "F": "F", "U": "U"}),
    ],
)
def test_a_letter_beside_a_part(premise: str, projection: Projection, sufficient: dict[str, str]) -> None:
    part = found(premise, theory=structs.replace(THEORY, projection=projection))
    assert {value: "".join(sorted(each, key="TFU".index)) for value, each in part.sufficient.items()} == sufficient
    assert part.necessary == part.sufficient
    assert part.operator is None


def test_an_operator_around_a_part() -> None:
    itself = {"T": "T", "F": "F", "U": "U"}
    poss, nec, denied = found(f"poss {KING}"), found(f"nec {KING}"), found(f"poss ~{KING}")
    assert (poss.sufficient, poss.necessary) == (itself, {"T": "TF", "F": "F", "U": "TFU"})
    assert (nec.sufficient, nec.necessary) == (itself, {"T": "T", "F": "TF", "U": "TFU"})
    assert (denied.sufficient, denied.necessary["F"]) == ({"T": "F", "F": "T", "U": "U"}, "T")
    strong = found(f"poss {KING}", theory=structs.replace(THEORY, projection=STRONG))
    assert strong.necessary == {"T": "TFU", "F": "F", "U": "TFU"}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "theory"),
    [
        (KING, "p", THEORY),
        (f"{KING} -> q", "q", THEORY),
        (f"{KING} -> q", "p", structs.replace(THEORY, postulates=(parse("q -> p"),))),
        (f"{KING} -> bald(jo)", "p", THEORY),
        (f"{KING} <-> q", "p", THEORY),
        (f"poss {KING}", "poss p", THEORY),
        (f"poss poss {KING}", "p", THEORY),
        (f"poss {KING}", "p", structs.replace(THEORY, postulates=(parse("p -> poss p"),))),
        (f"poss {KING}", "p", structs.replace(THEORY, operators=(structs.replace(POSS, frame=frozenset({"serial"})),))),
        (f"poss {KING}", "p", structs.replace(THEORY, operators=(structs.replace(POSS, within=("nec",)), NEC))),
        (f"nec {KING}", "p", structs.replace(THEORY, operators=(structs.replace(POSS, within=("nec",)), NEC))),
        (f"poss[jo] {KING}", "p", THEORY),
    ],
)
def test_a_letter_or_an_operator_that_is_not_alone(premise: str, hypothesis: str, theory: TheorySlice) -> None:
    assert part_of(pair(premise, hypothesis, theory)) is None


def test_a_part_has_the_question_of_its_own_shape() -> None:
    part = found(f"{KING} -> q", "exists x. queen(x)")
    assert part.pair.text == pair(KING, "exists x. queen(x)").text
    assert found(f"poss ({KING})", "nec p").pair.text == pair(KING, "nec p").text


def test_another_world_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No king is bald here, and perhaps one is; one world has one individual more."""
    kingdoms = "atleast 2 x. (king(x), true)"
    asked, part = (
        pair(f"poss {KING}", kingdoms),
        found(f"poss {KING}", kingdoms, structs.replace(THEORY, projection=STRONG)),
    )
    bald = Model(worlds=1, individuals=1, actual=0, constants={}, predicates={
        "p0": (frozenset({(0,)}),), "p1": (frozenset({(0,)}),)})  # fmt: skip
    kings = replace(bald, individuals=2, predicates={"p0": (frozenset({(0,), (1,)}),), "p1": (frozenset(),)})
    whole = part.seeing(kings, bald)
    assert whole is not None
    assert (whole.worlds, whole.individuals, whole.relations) == (2, 2, {"o0": frozenset({(0, 0), (1, 1), (0, 1)})})
    strong = {**asked.theory, "projection": "strong"}
    check_model(strong, [(asked.premise, "T"), (asked.hypothesis, "T")], whole)
    of_name = found("poss bald(jo)", "king(jo)")
    first, second = (replace(kings, constants={"c0": who}) for who in (0, 1))
    assert of_name.seeing(first, first) is not None
    assert of_name.seeing(first, second) is None
    assert part.seeing(kings, replace(bald, occasions=1)) is None

    searched: list[Case] = []
    monkeypatch.setattr(Case, "search", lambda case: searched.append(case))
    combinations = Combinations()
    base = combinations._known.setdefault(part.pair.text, {})
    base |= {"TF": bald, "UT": kings}
    base |= dict.fromkeys(["TT", "TU", "FT", "FF", "FU", "UF", "UU"], Refutation({}))
    assert [*(combinations.models(strong, asked.premise, asked.hypothesis) or ())] == ["T", "F"]
    assert not searched


def test_formulas_without_a_truth_value_are_refused() -> None:
    open_ = ["implies", to_json(parse("bald(x)", variables=("x",))), ["atom", "q"]]
    with pytest.raises(ValueError, match="free"):
        part_of(Pair(pair("p", "p").theory, open_, ["true"]))
