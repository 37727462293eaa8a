"""Skeletons: letters for sentences that stand in a pair as wholes, and the same labels with them as without."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from msgspec import structs

from gramprobe.certify.check import check_entry, check_model
from gramprobe.certify.model import Model
from gramprobe.decide import label, together
from gramprobe.decide.label import Decider
from gramprobe.decide.part import Pair
from gramprobe.decide.procedure import answers
from gramprobe.decide.question import Open
from gramprobe.decide.skeleton import Skeleton, _of_letters, _possible, _possible_values, skeleton_of
from gramprobe.decide.verdict import certificate_line, certificate_text
from gramprobe.formula.encoding import formula_from, theory_to_json, to_json
from gramprobe.formula.notation import parse, show
from gramprobe.formula.theory import MIDDLE, STRONG, WEAK, Operator, TheorySlice

OPERATORS = (
    Operator(name="K", kind="box", frame=frozenset({"reflexive", "transitive"})),
    Operator(name="B", kind="box", frame=frozenset({"serial"})),
)
RELATED = OPERATORS[0], structs.replace(OPERATORS[1], within=("K",), introspected_by=("K",))
THEORY = TheorySlice(operators=OPERATORS, postulates=(parse("forall x. (cat(x) -> animal(x))"),), distinct=True)
CAT, TWO = "exists x. (cat(x), black(x))", "atleast 2 x. (cat(x), black(x))"
TWO_COOKS = "atleast 2 x. (cook(x), tall(x))"
KNOWN_TOO = structs.replace(OPERATORS[0], name="L")
OTHER, NAMED = "exists x. (cook(x), tall(x))", "exists x. (cook(x), exists y. (boy(y), help(x, y) & help(y, jo)))"
UNFAILING = "K[jo] (({0}) | ~({0})) / ~B[jo] ({0})"
SIZE = "exists x. exists y. ~x = y"
SENTENCES = (CAT, TWO, OTHER, NAMED, "exists x. (animal(x), black(x))", SIZE, "forall x. (cook(x), cook(x))", "p(jo)")
#: one that others entail, one that entails it, one of two kinds and a name, one that hangs on how many there are
SOME = (CAT, TWO, NAMED, SIZE)


def skeleton(premise: str, hypothesis: str, theory: TheorySlice = THEORY) -> Skeleton | None:
    return skeleton_of(Pair(theory_to_json(theory), to_json(parse(premise)), to_json(parse(hypothesis))))


def test_a_letter_for_each_sentence() -> None:
    found = skeleton(f"K[jo] ({CAT})", f"({CAT}) & ~B[jo] ({OTHER})")
    assert found is not None
    assert [show(formula_from(each)) for each in (found.pair.premise, found.pair.hypothesis)] == [
        "o0[c0] p0",
        "p0 & ~o1[c0] p1",
    ]
    assert found.pair.theory["postulates"] == []  # that of cats limits nothing about the letters


def test_values_that_sentences_cannot_have_together() -> None:
    found = skeleton(f"K[jo] ({TWO})", f"B[jo] ({CAT})")
    assert found is not None
    assert [show(formula_from(each)) for each in found.pair.theory["postulates"]] == ["~(p0 & ~p1)"]


def test_one_text_for_all_that_differ_in_names() -> None:
    bare = structs.replace(THEORY, postulates=())

    def text(premise: str, hypothesis: str, *operators: Operator) -> str:
        found = skeleton(premise, hypothesis, structs.replace(bare, operators=operators or OPERATORS))
        assert found is not None
        return found.text

    first = text(f"K[jo] ({TWO})", f"B[al] K[jo] ({CAT})")
    assert text(f"K[al] ({TWO})", f"B[jo] K[al] ({CAT})") == first
    assert text(f"K[jo] ({TWO_COOKS})", f"B[al] K[jo] ({OTHER})") == first
    assert text(f"L[jo] ({TWO})", f"B[al] L[jo] ({CAT})", KNOWN_TOO, OPERATORS[1]) == first
    assert text(f"K[jo] ({TWO})", f"B[al] K[jo] ({CAT})", *OPERATORS, KNOWN_TOO) == first  # in no formula
    others = [
        text(f"K[al] ({TWO})", f"B[jo] K[jo] ({CAT})"),
        text(f"K[jo] ({CAT})", f"B[al] K[jo] ({TWO})"),
        text(f"K[jo] ({TWO})", f"B[al] K[jo] ({CAT})", *RELATED),
        text(f"B[jo] ({TWO})", f"K[al] B[jo] ({CAT})"),
    ]
    assert len({first, *others}) == 5


def test_values_of_sentences_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def counted(*given: Any) -> Any:
        asked.append(given)
        return answers(*given)

    monkeypatch.setattr("gramprobe.decide.skeleton.answers", counted)
    _possible.cache_clear()
    _possible_values.cache_clear()
    for sentence, known in ((OTHER, "cook"), (OTHER.replace("cook", "boy"), "boy"), (NAMED, "cook")):
        found = skeleton(f"K[jo] ({sentence})", f"B[jo] ({sentence})")
        assert found is not None
        ((_, models),) = found.groups
        assert known in models[(True,)].predicates
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (CAT, f"({CAT}) & q"),  # no operator: nothing is gained
        (f"K[jo] ({CAT})", "cat(jo)"),  # a word of the sentence stands outside
        (f"K[jo] ({CAT})", "the x. (cook(x), tall(x))"),  # a gap
        ("exists x. (cat(x), K[jo] black(x))", f"K[jo] ({CAT})"),  # an operator
        ("K[jo] p", "p"),  # no sentence
    ],
)
def test_pairs_without_a_skeleton(premise: str, hypothesis: str) -> None:
    sliced = THEORY if "K" in premise else structs.replace(THEORY, operators=())
    assert skeleton(premise, hypothesis, sliced) is None


@pytest.mark.parametrize("projection", [MIDDLE, STRONG, WEAK])
@pytest.mark.parametrize("formula", [CAT, f"B[jo] ({CAT})", f"K[jo] (({CAT}) | ~({CAT})) / ~B[jo] ({CAT})"])
def test_presuppositions_that_cannot_fail_are_left_out(formula: str, projection: Any) -> None:
    theory = structs.replace(THEORY, operators=RELATED, projection=projection)
    whole, other = f"B[jo] (({formula}) | ~({formula})) / ~K[jo] ({CAT})", f"K[bo] (({CAT}) | ~({CAT})) / q(bo)"
    found = skeleton(whole, other, theory)
    assert found is not None
    assert [show(formula_from(each)) for each in (found.pair.premise, found.pair.hypothesis)] == [
        "~o0[c0] p0",
        "p1(c1)",
    ]
    data, premise, without = theory_to_json(theory), to_json(parse(whole)), to_json(parse(f"~K[jo] ({CAT})"))
    values: Any = {one + two: ((premise, one), (without, two)) for one, two in product("TFU", repeat=2)}
    known = answers(data, values)
    assert [each for each in known if isinstance(known[each], Model)] == ["TT", "FF"]
    assert not any(isinstance(each, Open) for each in known.values())  # the same value in every model
    for one, two in product("TF", repeat=2):
        asked: Any = {"": ((found.pair.premise, one), (found.pair.hypothesis, two))}
        model = answers(found.pair.theory, asked)[""]
        assert isinstance(model, Model)
        check_model(data, [(premise, one), (to_json(parse(other)), two)], found.own(model))


@pytest.mark.parametrize(
    ("presupposition", "kind"),
    [
        (f"B[jo] (({CAT}) | ~({OTHER}))", "box"),
        (f"B[jo] ((q / ({CAT})) | ~(q / ({CAT})))", "box"),
        (f"B[jo] (({CAT}) | ~({CAT}))", "diamond"),
        (f"B[jo] (({CAT}) | ~({CAT}))", "neighbourhood"),
        (f"B[jo] (({CAT}) & ~({CAT}))", "box"),
        (f"({CAT}) | ~({OTHER})", "box"),
        (f"B[al] (({CAT}) | ~({CAT}))", "box"),  # a name that is in no other place
        ("B[jo] (p | ~p)", "box"),
    ],
)
def test_presuppositions_that_may_fail_are_kept(presupposition: str, kind: Any) -> None:
    believe = Operator(name="B", kind=kind)
    found = skeleton(
        f"({presupposition}) / K[jo] ({CAT})", "q", structs.replace(THEORY, operators=(OPERATORS[0], believe))
    )
    assert found is not None
    assert found.pair.premise[0] == "presupposing"


def test_names_that_may_denote_one_individual() -> None:
    pair = f"K[al] ({NAMED})", "exists x. (boy(x), x = jo & ~x = al)"
    assert skeleton(*pair) is not None
    assert skeleton(*pair, structs.replace(THEORY, distinct=False)) is None


@pytest.mark.parametrize("projection", [MIDDLE, STRONG, WEAK])
def test_models_of_letters_become_models_of_the_pair(projection: Any) -> None:
    theory = theory_to_json(structs.replace(THEORY, projection=projection))
    premise, hypothesis = to_json(parse(f"K[al] (({TWO}) / B[jo] ({NAMED}))")), to_json(parse(f"({CAT}) / ({OTHER})"))
    found = skeleton_of(Pair(theory, premise, hypothesis))
    assert found is not None
    for one, other in product("TFU", repeat=2):
        asked: Any = {"": ((found.pair.premise, one), (found.pair.hypothesis, other))}
        answer = answers(found.pair.theory, asked)[""]
        if isinstance(answer, Model):
            check_model(theory, [(premise, one), (hypothesis, other)], found.own(answer))


@pytest.mark.parametrize(
    ("sentence", "exact"),
    [
        *((each, True) for each in SENTENCES[:5]),
        ("forall x. (cook(x) -> tall(x))", True),
        ("most x. (cook(x) & tall(x), boy(x))", True),
        ("atleast 2 x. ~(cook(x) -> ~tall(x))", True),
        (SIZE, False),
        ("forall x. (cook(x) | tall(x))", False),
        ("exists x. ~cook(x)", False),
        ("exactly 2 x. ~cook(x)", False),
        ("most x. cook(x)", False),
        ("exists x. (cook(x), forall y. help(x, y))", False),
        ("exists x. (cook(x), exists y. ~help(x, y))", False),
    ],
)
def test_sentences_that_hang_on_individuals_of_which_nothing_is_true(sentence: str, exact: bool) -> None:
    """The models of letters are larger than those of sentences: a person who knows something is one more."""
    premise, hypothesis = f"K[al] ({sentence})", f"B[jo] ({sentence}) / K[jo] q"
    found = skeleton(premise, hypothesis)
    assert found is not None
    assert found.exact == exact
    theory, formulas = theory_to_json(THEORY), [to_json(parse(each)) for each in (premise, hypothesis)]
    cells = ["".join(values) for values in product("TFU", repeat=2)]
    asked: Any = {key: tuple(zip((found.pair.premise, found.pair.hypothesis), key, strict=True)) for key in cells}
    models = {key: each for key, each in answers(found.pair.theory, asked).items() if isinstance(each, Model)}
    assert models
    for key, model in models.items() if exact else ():
        check_model(theory, list(zip(formulas, key, strict=True)), found.own(model))


@pytest.mark.parametrize(
    "frame", ["K[jo] ({0})", "({0}) / B[jo] ({0})", "K[al] (({0}) & ~B[jo] ({0}))", "({0}) -> K[al] r", UNFAILING]
)
@pytest.mark.parametrize("sentences", [SOME, pytest.param(SENTENCES, marks=pytest.mark.deep)], ids=["some", "all"])
def test_labels_are_those_of_certificates(
    frame: str, sentences: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    brief, lettered, whole = Decider(THEORY, certified=False), Decider(THEORY), Decider(THEORY)
    for one, other in product(sentences, repeat=2):
        pair = parse(frame.format(one)), parse(f"B[jo] ({other})")
        short, certified = (decider.decision(*pair).verdict for decider in (brief, lettered))
        with monkeypatch.context() as patch:
            patch.setattr(label, "by_letters", lambda *_: {})
            full = whole.decision(*pair).verdict
        for each in (short, certified):
            assert (each.label, each.h_values, each.findings) == (full.label, full.h_values, full.findings), pair
        assert certified.absent == full.absent
        for value, model in certified.models.items():
            assert (model.worlds, model.individuals) <= (full.models[value].worlds, full.models[value].individuals)


def test_a_certificate_is_a_function_of_its_shape() -> None:
    pairs = [
        (parse(f"K[jo] ({one})"), parse(f"B[jo] ({other})")) for one, other in [(CAT, OTHER), (TWO, CAT), (OTHER, TWO)]
    ]
    texts = []
    for those in (pairs, pairs[::-1]):
        _of_letters.cache_clear()
        decider = Decider(THEORY, dependence=True)
        decided = [decider.decision(*pair) for pair in those]
        texts.append({certificate_text(each.shape, each.verdict) for each in decided})
        assert all(check_entry(certificate_line(each.shape, each.verdict)) for each in decided)
    assert texts[0] == texts[1]


def test_a_model_is_no_answer_unless_the_kernel_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters may differ between worlds, and how many individuals there are does not."""
    pair = parse(f"({SIZE}) & ~K[jo] ({SIZE})"), parse(f"K[jo] ({CAT})")
    assert Decider(THEORY, certified=False).decision(*pair).verdict.label is None
    found = skeleton(show(pair[0]), show(pair[1]))
    assert found is not None
    monkeypatch.setattr(together, "skeleton_of", lambda *_: None)
    assert Decider(THEORY, certified=False).decision(*pair).verdict.label is None


def test_what_a_hypothesis_repeats_of_its_premise() -> None:
    premise, none = parse(f"{CAT} | q"), parse(f"~({CAT}) & ~q")
    without_gaps = replace(MIDDLE, conjunction="TFFFFFFFF")  # what is true beside a gap is false
    for hypothesis in (
        f"({CAT} | q) & r",
        f"r & ({CAT} | q)",
        f"({CAT} | q) & ({CAT} | q)",
        f"({CAT} | q) & ({show(none)})",
        f"({CAT} | q) & the x. (cook(x), tall(x))",
    ):
        for projection, denied in product((MIDDLE, STRONG, WEAK, without_gaps), (False, True)):
            theory = structs.replace(THEORY, projection=projection, operators=())
            given = parse(f"~({show(premise)})") if denied else premise
            verdicts = [
                Decider(certified=certified).decision(given, parse(hypothesis), theory).verdict
                for certified in (True, False)
            ]
            assert verdicts[0].h_values == verdicts[1].h_values
            assert {*verdicts[0].findings} == {*verdicts[1].findings}


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("K[jo] ({0})", "({0})"),
        ("K[jo] (({0}) -> p(jo)) & K[jo] ({0})", "B[jo] p(jo)"),
        ("B[jo] ({0})", "B[jo] K[al] ({1})"),
        ("({1}) / K[jo] B[jo] ({0})", "({1}) & K[jo] K[jo] B[jo] ({0})"),
        ("K[jo] ~({0})", "B[jo] ({1})"),
        (UNFAILING, "~B[jo] ({1})"),
    ],
)
@pytest.mark.parametrize("among", [SOME, pytest.param(SENTENCES[:6], marks=pytest.mark.deep)], ids=["some", "all"])
def test_principles_are_those_of_the_whole_pair(
    premise: str, hypothesis: str, among: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for theory in (THEORY, structs.replace(THEORY, operators=RELATED)):
        lettered, whole = Decider(theory, dependence=True), Decider(theory, dependence=True)
        for sentences in product(among, repeat=2):
            pair = parse(premise.format(*sentences)), parse(hypothesis.format(*sentences))
            short = lettered.decision(*pair)
            with monkeypatch.context() as patch:
                patch.setattr(label, "by_letters", lambda *_: {})
                full = whole.decision(*pair).verdict
            needs, others = short.verdict.rests_on, full.rests_on
            assert needs is not None
            assert others is not None
            assert [(each.principle, each.without) for each in needs] == [
                (each.principle, each.without) for each in others
            ]
            assert (short.verdict.h_values, short.verdict.kind) == (full.h_values, full.kind)
            assert check_entry(certificate_line(short.shape, short.verdict))
