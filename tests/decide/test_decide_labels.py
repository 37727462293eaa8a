"""Labels known from the literature, by hand: presupposition, attitudes, numerals, scope; and findings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from support.labels import decide

from gramprobe.certify.check import check_entry
from gramprobe.certify.model import Model
from gramprobe.decide.label import Decider
from gramprobe.decide.procedure import ask
from gramprobe.decide.question import Question, Refutation, Value
from gramprobe.decide.search.sat import Finder
from gramprobe.decide.verdict import certificate_line
from gramprobe.formula.ast import And, Formula
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import MIDDLE, STRONG, WEAK, Frame, Operator, Projection, TheorySlice

CAT = "the x. (cat(x) & has(jo, x), yawn(x))"
PREMISES = {
    "trigger": CAT,
    "negated": f"~{CAT}",
    "interrogative": f"? {CAT}",
    "modal": f"poss {CAT}",
    "conditional": f"{CAT} -> okay",
}
HYPOTHESES = {
    "presupposed": ("exists x. (cat(x) & has(jo, x))", "entailment"),
    "denied": ("~exists x. (cat(x) & has(jo, x))", "contradiction"),
    "other_owner": ("exists x. (cat(x) & has(amy, x))", "neutral"),
}
NINETEEN = [(premise, *hypothesis) for premise in PREMISES for hypothesis in HYPOTHESES.values()] + [
    ("negated", CAT, "contradiction"),
    *((premise, CAT, "neutral") for premise in ("interrogative", "modal", "conditional")),
]


def may(*frame: Frame, projection: Projection = MIDDLE) -> TheorySlice:
    return TheorySlice(
        operators=(Operator(name="poss", kind="diamond", frame=frozenset(frame)),), postulates=(), projection=projection
    )


def right(theory: TheorySlice) -> int:
    """How many of the nineteen conditions come out as designed."""
    return sum(
        decide(parse(PREMISES[premise]), parse(hypothesis), theory).label == expected
        for premise, hypothesis, expected in NINETEEN
    )


@pytest.mark.parametrize(("projection", "count"), [(MIDDLE, 19), (WEAK, 19), (STRONG, 15)])
def test_nineteen_conditions_by_projection(projection: Projection, count: int) -> None:
    assert right(may("reflexive", projection=projection)) == count


def test_nineteen_conditions_by_frame() -> None:
    assert right(may()) == 17  # the modal does not look at the actual world


S4: frozenset[Frame] = frozenset({"reflexive", "transitive"})
KD45: frozenset[Frame] = frozenset({"serial", "transitive", "euclidean"})
KNOW = Operator(name="know", kind="box", frame=S4, within=("see",))
SEE = Operator(name="see", kind="box", frame=S4)
BELIEVE = Operator(name="believe", kind="box", frame=KD45, within=("know",), introspected_by=("know",))
EARLIER = Operator(name="earlier", kind="box", frame=frozenset({"functional"}))
ATTITUDES = TheorySlice(operators=(KNOW, SEE, BELIEVE, EARLIER))


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("believe[a] know[b] p", "believe[a] p", "entailment"),
        ("believe[a] know[b] p", "believe[a] ~p", "contradiction"),
        ("believe[a] know[b] p", "p", "neutral"),
        ("believe[a] believe[b] p", "believe[a] p", "neutral"),
        ("believe[a] know[a] p", "know[a] p", "neutral"),
        ("know[a] p", "believe[a] p", "entailment"),
        ("believe[a] p", "know[a] believe[a] p", "entailment"),
        ("believe[a] p", "believe[a] believe[a] p", "entailment"),
        ("~believe[a] p", "believe[a] ~believe[a] p", "entailment"),
        ("know[a] p", "know[a] know[a] p", "entailment"),
        ("~know[a] p", "know[a] ~know[a] p", "neutral"),
        ("see[a] p", "know[a] p", "entailment"),
        ("know[a] p", "see[a] p", "neutral"),
        ("p / know[a] p", "p", "entailment"),
        ("~(p / know[a] p)", "p", "entailment"),
        ("(p & earlier know[a] p) / ~know[a] p", "know[a] p", "contradiction"),
        ("~((p & earlier know[a] p) / ~know[a] p)", "know[a] p", "entailment"),
        ("believe[a] (p / q)", "p", "neutral"),
        ("believe[a] (p / q)", "believe[a] p", "entailment"),
    ],
)
def test_attitudes(premise: str, hypothesis: str, label: str) -> None:
    decision = Decider(ATTITUDES).decision(parse(premise), parse(hypothesis))
    assert decision.verdict.label == label
    check_entry(certificate_line(decision.shape, decision.verdict))


def test_without_seriality_one_may_believe_everything() -> None:
    plain = TheorySlice(
        operators=(
            Operator(name="know", kind="box", frame=S4),
            Operator(name="believe", kind="box", frame=frozenset({"transitive"})),
        )
    )
    premise, hypothesis = parse("believe[a] know[b] p"), parse("believe[a] ~p")
    assert decide(premise, hypothesis, plain).label == "neutral"
    assert decide(premise, hypothesis, ATTITUDES).label == "contradiction"


def test_s5_knowledge_collapses_under_belief() -> None:
    """Lenzen 1978: with S5 knowledge, KD45 belief and knowing implying believing, B K p entails K p."""
    know = Operator(name="know", kind="box", frame=frozenset({"reflexive", "transitive", "euclidean"}))
    theory = TheorySlice(operators=(know, Operator(name="believe", kind="box", frame=KD45, within=("know",))))
    assert decide(parse("believe[a] know[a] p"), parse("know[a] p"), theory).label == "entailment"


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("exactly 10 x. (cat(x), yawn(x))", "atleast 9 x. (cat(x), yawn(x))", "entailment"),
        ("atleast 10 x. (cat(x), yawn(x))", "exactly 10 x. (cat(x), yawn(x))", "neutral"),
        ("atleast 24 x. (cat(x), yawn(x))", "atmost 12 x. (cat(x), yawn(x))", "contradiction"),
        ("exactly 10 x. (cat(x), yawn(x))", "exactly 10 x. (cat(x), ~yawn(x))", "neutral"),
        (
            "exactly 2 x. cat(x) / forall x. (cat(x), yawn(x))",
            "exists x. (cat(x), ~yawn(x))",
            "contradiction",
        ),
        ("most x. (cat(x), yawn(x))", "atleast 4 x. (cat(x), ~yawn(x))", "neutral"),
        ("most x. (cat(x), yawn(x))", "most x. (cat(x), ~yawn(x))", "contradiction"),
        ("usually t. (monday(t), run(jo, t))", "sometimes t. (monday(t), run(jo, t))", "neutral"),
        ("never t. (monday(t), run(jo, t))", "exists t. (monday(t) & run(jo, t))", "contradiction"),
        (
            "exists x. usually t. (day(t), meet(x, t))",
            "usually t. (day(t), exists x. meet(x, t))",
            "entailment",
        ),
        ("usually t. (day(t), exists x. meet(x, t))", "exists x. usually t. (day(t), meet(x, t))", "neutral"),
        (
            "exists y. forall x. (prof(x), meet(x, y))",
            "forall x. (prof(x), exists y. meet(x, y))",
            "entailment",
        ),
        ("forall x. (prof(x), exists y. meet(x, y))", "exists y. forall x. (prof(x), meet(x, y))", "neutral"),
        (
            "exists x. (dentist(x) & believe[jo] sing(x))",
            "believe[jo] exists x. (dentist(x) @ here & sing(x))",
            "entailment",
        ),
        (
            "believe[jo] exists x. (dentist(x) @ here & sing(x))",
            "exists x. (dentist(x) & believe[jo] sing(x))",
            "neutral",
        ),
        ("believe[jo] exists x. (dentist(x) & sing(x))", "exists x. dentist(x)", "neutral"),
        ("p & r", "~p / q", "presupposition failure"),
        ("jo = amy", "p", None),
        ("forall x. (cat(x) -> believe[x] p)", "cat(jo) -> believe[jo] p", "entailment"),
    ],
)
def test_quantifiers_and_scope(premise: str, hypothesis: str, label: str | None) -> None:
    decision = Decider(ATTITUDES).decision(parse(premise), parse(hypothesis))
    assert decision.verdict.label == label
    check_entry(certificate_line(decision.shape, decision.verdict))


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label", "values", "findings"),
    [
        ("p & ~p", "q", None, "", ("premise inconsistent",)),
        ("p", "q | ~q", "entailment", "T", ("hypothesis valid",)),
        ("p", "q & ~q", "contradiction", "F", ("hypothesis impossible",)),
        ("p", "q / (r & ~r)", "contradiction", "FU", ("hypothesis impossible",)),
        ("p", "? p", "entailment", "T", ("hypothesis is a question",)),
        ("p", "q / p", "neutral", "TU", ()),
        ("? p / q", "p", "entailment", "T", ()),
    ],
)
def test_findings(premise: str, hypothesis: str, label: str | None, values: str, findings: tuple[str, ...]) -> None:
    verdict = decide(parse(premise), parse(hypothesis), TheorySlice())
    assert (verdict.label, verdict.h_values, verdict.findings) == (label, values, findings)


def test_postulates_hold_at_every_world_and_make_labels() -> None:
    postulate = parse("forall x. (dog(x) -> animal(x))")
    premise, hypothesis = parse("poss dog(rex)"), parse("poss animal(rex)")
    theory = may("reflexive")
    assert decide(premise, hypothesis, theory).label == "neutral"
    with_it = TheorySlice(operators=theory.operators, postulates=(postulate,))
    assert decide(premise, hypothesis, with_it).label == "entailment"


def test_disjoint_kinds_find_room() -> None:
    postulates = (parse("forall x. (cat(x) -> ~dog(x))"), parse("forall x. (person(x) -> ~cat(x) & ~dog(x))"),
                  parse("person(jo)"), parse("person(amy)"))  # fmt: skip
    premise = parse("exactly 10 x. (cat(x), true) & has(jo, amy)")
    verdict = decide(premise, parse("atleast 10 x. (dog(x), true)"), TheorySlice(operators=(), postulates=postulates))
    assert (verdict.label, verdict.h_values) == ("neutral", "TF")


def test_without_distinct_names_two_may_be_one() -> None:
    premise, hypothesis = parse("f(a) & ~g(a)"), parse("a = b")
    assert decide(premise, hypothesis, TheorySlice()).label == "contradiction"
    assert decide(premise, hypothesis, TheorySlice(distinct=False)).label == "neutral"
    assert decide(parse("f(a) & g(b) & a = b"), parse("f(b)"), TheorySlice(distinct=False)).label == "entailment"


def test_a_model_is_shown_in_the_pairs_own_names() -> None:
    decision = Decider(ATTITUDES).decision(parse("know[jo] rain & cat(amy)"), parse("cat(jo)"))
    model = decision.model("F")
    assert model.constants == {"jo": 0, "amy": 1}
    assert sorted(model.predicates) == ["cat", "rain"]
    assert sorted(model.relations) == ["believe[0]", "know[0]", "see[0]"]
    assert model.predicates["cat"][0] == {(1,)}


def test_one_shape_is_decided_once() -> None:
    decider = Decider()
    one = decider.decision(parse("cat(jo)"), parse("dog(jo)"))
    other = decider.decision(parse("rich(amy)"), parse("tall(amy)"))
    assert one.verdict is other.verdict
    assert [shape.id for shape, _ in decider.decided()] == [one.shape.id]


def test_a_decider_of_labels_knows_the_verdicts_of_the_other_and_looks_for_no_principles() -> None:
    decider = Decider(dependence=True)
    known = decider.decision(parse("p & q"), parse("p"))
    assert decider.of_labels.decision(parse("r & p"), parse("r")).verdict is known.verdict
    new = decider.of_labels.decision(parse("p & q"), parse("q"))
    assert (new.verdict.label, new.verdict.rests_on) == ("entailment", None)
    assert [shape.id for shape, _ in decider.decided()] == [known.shape.id]


OTHER_TABLES = ("~((p / q) & r)", "~r -> p / q"), ("poss (p / q) & ~exists x. (f(x), p / g(x))", "q")


@pytest.mark.parametrize("projection", [STRONG, WEAK])
def test_a_certificate_depends_on_its_shape_alone_and_has_the_models_of_middle_kleene(projection: Projection) -> None:
    served = 0
    for premise, hypothesis in OTHER_TABLES:
        pair = parse(premise), parse(hypothesis)
        fresh, after = Decider(dependence=True), Decider(dependence=True)
        middle = after.decision(*pair, may("reflexive")).verdict
        decision = fresh.decision(*pair, may("reflexive", projection=projection))
        after.decision(*pair, may("reflexive", projection=projection))
        assert fresh.decided() == after.decided([decision.shape.id])
        assert len(after.decided()) == 2
        assert check_entry(certificate_line(*fresh.decided()[0]))
        served += sum(decision.verdict.models.get(value) == model for value, model in middle.models.items())
    assert served


@pytest.mark.parametrize(("premise", "hypothesis"), [(PREMISES[premise], each) for premise, each, _ in NINETEEN])
def test_a_label_alone_is_that_of_the_decision(premise: str, hypothesis: str) -> None:
    formulas, theory = (parse(premise), parse(hypothesis)), may("reflexive")
    like = Decider(theory).decision(parse(CAT), parse("exists x. (cat(x) & has(amy, x))"))
    assert Decider(theory).label(*formulas, theory, like) == Decider(theory).decision(*formulas).verdict.label


def test_a_label_alone_takes_the_models_of_a_pair_that_is_nearly_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    decider, theory = Decider(), TheorySlice()
    like = decider.decision(parse("exists x. (dog(x), bark(x))"), parse("bark(rex)"))
    monkeypatch.setattr("gramprobe.decide.prove.types.prove", lambda _: pytest.fail("an engine is asked"))
    assert decider.label(parse("exists x. dog(x)"), parse("bark(rex) | cat(rex)"), theory, like) == "neutral"


def test_readings_of_people_leave_open_what_no_label_hangs_on() -> None:
    premise, hypothesis = parse("exists x. (dog(x), most y. (cat(y), chase(x, y)))"), parse("the x. (dog(x), bark(x))")
    whole, quick = (each.decision(premise, hypothesis).verdict for each in (Decider(), Decider().of_readings))
    assert (whole.label, whole.kind) == (quick.label, quick.kind) == ("neutral", "models")
    assert {"T", "F"} <= quick.models.keys() <= whole.models.keys()


def test_questions_of_fit() -> None:
    reading, followup = parse("exists x. (dog(x), forall y. (boy(y), fed(y, x)))"), parse("~exists x. dog(x)")
    assert isinstance(ask(Question(TheorySlice(), ((reading, "T"), (followup, "T")))), Refutation)
    assert isinstance(ask(Question(TheorySlice(), ((reading, "T"),))), Model)
    assert isinstance(ask(Question(TheorySlice(), ((parse("p / q"), "U"), (parse("q"), "T")))), Model)
    assert isinstance(ask(Question(TheorySlice(), ((parse("? p / q"), "D"), (parse("p"), "N")))), Refutation)


def test_models_are_small() -> None:
    verdict = decide(parse("exactly 10 x. (cat(x), yawn(x))"), parse("exists x. (cat(x), ~yawn(x))"), TheorySlice())
    assert verdict.models["F"].individuals == 10
    assert verdict.models["T"].individuals == 11


def test_a_search_for_a_count_begins_with_no_more_individuals_than_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []

    class Watched(Finder):
        def find(self, wanted: Sequence[tuple[int, Value]]) -> Model | None:
            searched.append(self.bound.individuals)
            return super().find(wanted)

    monkeypatch.setattr("gramprobe.decide.procedure.Finder", Watched)
    verdict = decide(
        parse("exactly 12 x. (cat(x), the y. (dog(y), r(x, y)))"), parse("exists x. r(x, x)"), may(projection=STRONG)
    )
    assert verdict.label == "neutral"
    assert max(searched) == 13


def test_models_are_hardly_larger_than_they_must_be() -> None:
    verdict = decide(
        parse("atleast 7 x. (cat(x), true) & atleast 7 x. (dog(x), true) & tall(jo) & ~exists x. (cat(x) & dog(x))"),
        parse("exists x. (cat(x) & tall(x))"),
        TheorySlice(),
    )
    assert all(14 <= model.individuals <= 15 for model in verdict.models.values())
    names = parse("f(a) & f(b) & f(c) & f(d) & f(e)")
    assert decide(names, parse("exists x. g(x)"), TheorySlice()).models["T"].individuals <= 6


def test_an_inconsistent_theory_commits_to_nothing() -> None:
    verdict = decide(parse("q"), parse("q"), TheorySlice(operators=(), postulates=(parse("p & ~p"),)))
    assert verdict.findings == ("premise inconsistent", "hypothesis valid", "hypothesis impossible")


PROGRAM = """
import json
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import certificate_line
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Operator, TheorySlice
frame = frozenset({"serial", "transitive", "euclidean"})
postulates = (parse("forall x. (dog(x) -> animal(x))"), parse("person(jo)"))
theory = TheorySlice(operators=(Operator(name="believe", kind="box", frame=frame),), postulates=postulates)
decider = Decider(theory)
for p, h in [("believe[jo] exists x. dog(x)", "exists x. animal(x)"),
             ("most x. (dog(x), bark(x))", "animal(jo)"),
             ("? the x. (dog(x), believe[x] bark(x))", "exactly 2 x. animal(x)")]:
    decider.decision(parse(p), parse(h))
print(json.dumps([certificate_line(*each) for each in decider.decided()]))
"""


@pytest.mark.process
def test_a_fresh_process_writes_the_same_bytes() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "2")
    }  # fmt: skip
    assert len(outputs) == 1
    for line in json.loads(outputs.pop()):
        check_entry(line)


@pytest.mark.slow
@pytest.mark.parametrize("count", [100, pytest.param(500, marks=pytest.mark.deep)])
def test_hundreds_of_shapes_are_different(count: int) -> None:
    shapes: list[tuple[Formula, Formula]] = []
    for number in range(count):
        marks = [f"m{number >> bit & 1}(jo)" for bit in range(9)]
        mark = " & ".join(marks)
        for premise, hypothesis in ((CAT, HYPOTHESES["presupposed"][0]), (f"poss {CAT}", CAT)):
            shapes.append((And(parse(premise), parse(mark)), parse(hypothesis)))
    decider = Decider(may("reflexive"))
    for pair in shapes:
        decider.decision(*pair)
    assert len(decider.verdicts) >= count
