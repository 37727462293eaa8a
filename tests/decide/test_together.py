"""Verdicts without certificates: the same labels, values and findings, each combination of values looked for once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from gramprobe.cache import sealed
from gramprobe.certify.rule import strawson_of
from gramprobe.decide import label, together
from gramprobe.decide.cache import Cache, engine_version
from gramprobe.decide.label import Decider, in_full
from gramprobe.decide.procedure import Case
from gramprobe.decide.together import Combinations
from gramprobe.decide.verdict import UNCERTIFIED
from gramprobe.formula.ast import Formula, Interrogative, Not
from gramprobe.formula.encoding import theory_to_json, to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import MIDDLE, STRONG, WEAK, Operator, TheorySlice

POSS = Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"}))
NEC = replace(POSS, name="nec", kind="box")
S4 = Operator(name="poss", kind="diamond", frame=frozenset({"reflexive", "transitive"}))
THEORY = TheorySlice(operators=(POSS, NEC), postulates=(parse("forall x. ~has(x, x)"),), distinct=True)
ONLY = "the x. (nurse(x), (thank(x, jo) / ~exists y. (~y = jo, thank(x, y))))"
HYPOTHESES = ("the x. (nurse(x), thank(x, jo))", "the x. (cook(x), thank(x, jo))", ONLY, "p | ~p", "p & ~p")


def same(premise: Formula, hypothesis: Formula, theory: TheorySlice, brief: Decider) -> None:
    """A pair has the same label, values and findings with a certificate and without."""
    whole = Decider(theory).decision(premise, hypothesis).verdict
    found = brief.decision(premise, hypothesis, theory).verdict
    assert (found.label, found.h_values, set(found.findings)) == (whole.label, whole.h_values, {*whole.findings})


def forms(formula: Formula) -> list[Formula]:
    return [formula, Not(formula), Not(Not(formula)), Interrogative(formula), Interrogative(Not(formula))]


@pytest.mark.parametrize(
    "premise",
    [ONLY, "p", f"poss ({ONLY})", f"({ONLY}) -> q", f"~nec ~({ONLY}) -> q",
     *(pytest.param(each, marks=pytest.mark.deep) for each in
       (f"nec ({ONLY})", f"~p | ({ONLY})", f"q & ~({ONLY})", f"poss (({ONLY}) -> q)"))],
)  # fmt: skip
def test_denials_and_questions_have_their_own_labels(premise: str) -> None:
    brief = Decider(certified=False)
    for projection, one, text in product((MIDDLE, STRONG, WEAK), forms(parse(premise)), HYPOTHESES):
        for other in (parse(text), Not(parse(text))):
            same(one, other, replace(THEORY, projection=projection), brief)


def test_a_denial_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    brief, premise, hypothesis = Decider(THEORY, certified=False), parse(ONLY), parse(HYPOTHESES[0])
    brief.decision(premise, hypothesis)
    brief.decision(Not(premise), hypothesis)
    label._alone.cache_clear()
    asked: list[object] = []

    def case(*given: Any, **named: Any) -> Case:
        asked.append(given)
        return Case(*given, **named)

    monkeypatch.setattr(together, "Case", case)
    assert brief.decision(Interrogative(premise), Not(hypothesis)).verdict.label == "contradiction"
    assert not asked
    brief.decision(premise, parse(HYPOTHESES[1]))
    assert asked


@pytest.mark.parametrize("premise", [ONLY, f"poss ({ONLY})", f"({ONLY}) -> q"])
def test_a_pair_that_is_tried_has_its_label_and_no_more(premise: str) -> None:
    brief, tried = Decider(certified=False), Decider(certified=False, tries=True)
    for projection, one, text in product((MIDDLE, STRONG, WEAK), forms(parse(premise)), HYPOTHESES):
        for other in (parse(text), Not(parse(text))):
            theory = replace(THEORY, projection=projection)
            found, known = (each.decision(one, other, theory).verdict for each in (tried, brief))
            assert (found.label, strawson_of(found.h_values)) == (known.label, strawson_of(known.h_values))
            assert {*found.h_values} <= {*known.h_values}
            assert not found.findings


def test_what_no_label_hangs_on_is_not_asked_for_a_label() -> None:
    combinations, premise, hypothesis = Combinations(), to_json(parse("p")), to_json(parse(HYPOTHESES[0]))
    for of_label, values in ((True, "TF"), (False, "TFU"), (True, "TFU")):
        found = combinations.models(theory_to_json(THEORY), premise, hypothesis, of_label)
        assert "".join(found or {}) == values


def test_models_of_other_pairs_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, hypothesis = Decider(THEORY, certified=False, tries=True), parse(HYPOTHESES[1])
    tried.try_first(Decider(THEORY).decision(parse(ONLY), hypothesis))
    monkeypatch.setattr(together, "Case", None)
    assert tried.decision(parse(f"q | ({ONLY})"), hypothesis).verdict.label == "neutral"
    with pytest.raises(TypeError):
        tried.decision(parse(ONLY), parse(HYPOTHESES[0]))


ALL = "forall x. (nurse(x) -> exists y. (cook(y), thank({})))"
SOME = "exists y. (cook(y), forall x. (nurse(x) -> thank({})))"


def test_a_predicate_and_its_converse_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    brief, theory = Decider(certified=False), TheorySlice(postulates=(parse("forall x. ~thank(x, x)"),))
    label._alone.cache_clear()
    for places, postulate in product(("x, y", "y, x"), ((), theory.postulates)):
        one, other = parse(ALL.format(places)), parse(SOME.format(places))
        for premise, hypothesis in ((one, other), (other, one)):
            same(premise, hypothesis, replace(theory, postulates=postulate), brief)
    with monkeypatch.context() as idle:  # of some other verb
        idle.setattr(together, "Case", None)
        one, other = (parse(each.format("y, x").replace("thank", "like")) for each in (ALL, SOME))
        assert brief.decision(one, other, TheorySlice()).verdict.label == "neutral"
        assert brief.decision(other, one, TheorySlice()).verdict.label == "entailment"
    half = parse(ALL.format("x, y")), parse(SOME.format("y, x"))  # one side alone in the other direction
    same(*half, TheorySlice(), brief)
    assert brief.decision(*half[::-1], TheorySlice()).verdict.label == "neutral"


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("exactly 3 x. (nurse(x), atleast 2 y. (cook(y), thank(x, y)))", "atleast 4 y. (cook(y), ~y = jo)"),
        ("atleast 9 x. (nurse(x), exists y. (cook(y), thank(x, y)))", "exists y. atleast 5 x. (nurse(x), thank(x, y))"),
        ("usually t. (sings(jo, t), sleeps(jo, t))", "atleast 2 t:occasion. (sings(jo, t), ~sleeps(jo, t))"),
        ("nec (p -> poss nec p) & ~p", "nec (q | ~poss p)"),
        ("poss (nec p & ~q) & poss ~p", "poss nec (p -> q)"),
    ],
)
def test_models_need_not_be_small(premise: str, hypothesis: str) -> None:
    theory = replace(THEORY, operators=(S4, replace(S4, name="nec", kind="box")))
    for one, other in product(forms(parse(premise)), (parse(hypothesis), Not(parse(hypothesis)))):
        same(one, other, theory, Decider(certified=False))


def test_what_is_open_is_decided_with_its_certificate() -> None:
    order = "forall x. exists y. r(x, y) & forall x. forall y. forall z. (r(x, y) & r(y, z) -> r(x, z))"
    pair = parse(order), parse("exists x. r(x, x)")
    verdict = Decider(THEORY, certified=False).decision(*pair).verdict
    assert verdict.kind.startswith("bounded")
    assert verdict == Decider(THEORY).decision(*pair).verdict


def test_models_and_proofs_are_found_where_they_are_shown() -> None:
    pair = parse(ONLY), parse(HYPOTHESES[1])
    brief = Decider(THEORY, certified=False).decision(*pair)
    assert brief.verdict.kind == UNCERTIFIED
    assert in_full(brief).verdict == Decider(THEORY).decision(*pair).verdict
    assert in_full(in_full(brief)) == in_full(brief)


def test_it_is_kept_and_never_given_for_a_label_of_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, pair = tmp_path / "verdicts.sqlite", (parse("p & ~p"), parse("q"))
    pairs = [(parse("p & q"), parse("p")), (parse("p"), parse("p | ~p"))]
    cache = Cache(file)
    first = [Decider(kept=cache, certified=False).decision(*each).verdict for each in pairs]
    assert [(each.kind, each.findings) for each in first] == [(UNCERTIFIED, ()), (UNCERTIFIED, ("hypothesis valid",))]
    assert Decider(kept=cache, certified=False).decision(*pair).verdict.label is None
    cache.close()
    assert [Decider(kept=Cache(file)).decision(*each).verdict.kind for each in pairs] == ["type-elimination"] * 2
    with monkeypatch.context() as idle:
        idle.setattr(label, "decide", None)
        idle.setattr(label, "_uncertified", None)
        assert [Decider(kept=Cache(file), certified=False).decision(*each).verdict for each in pairs] == first


def test_a_line_that_somebody_else_wrote_is_passed_over(tmp_path: Path) -> None:
    """There is nothing in it that the kernel could check."""
    file, pair = tmp_path / "verdicts.sqlite", (parse("p & q"), parse("p"))
    cache = Cache(file, sealed=True)
    first = Decider(kept=cache, certified=False).decision(*pair).verdict
    cache.close()
    with closing(sqlite3.connect(file)) as lines, lines:
        lines.execute("UPDATE verdicts SET line = ?", ('["F", []]',))
    found = Decider(kept=Cache(file, sealed=True), certified=False).decision(*pair).verdict
    assert (first.label, found) == ("entailment", first)
    with closing(sqlite3.connect(file)) as lines, lines:
        lines.execute("UPDATE verdicts SET line = ?", ('["F", []]',))
        ((key, line),) = lines.execute("SELECT key, line FROM verdicts").fetchall()
        lines.execute("UPDATE seals SET seal = ?", (sealed(engine_version(), key, line),))
    owned = Decider(kept=Cache(file, sealed=True), certified=False).decision(*pair).verdict
    assert owned.label == "contradiction"  # who knows the secret is the user
    assert Decider(kept=Cache(file)).decision(*pair).verdict.label == "entailment"
