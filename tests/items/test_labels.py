"""Labels: every row is decided by its own shape, coinciding and related words too; what another theory moves."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from projects import RELATED, TOY_GRAMMAR, toy
from support import shipped
from support.labels import Labelled, deciding, label, labelled, meanings

from gramprobe.formula.alternatives import Scales
from gramprobe.items.label import strengthened
from gramprobe.items.plan import Plan, plan
from gramprobe.items.slots import filled, slot_of
from gramprobe.items.walk import Walk
from gramprobe.meaning.reading import OPEN
from gramprobe.project import Project, load
from gramprobe.source.diagnostic import AuthoringError, Findings
from gramprobe.space.space import Draws


@cache
def planned(name: str, theory: str | None = None) -> Plan:
    """The plan of a shipped paradigm; its decider decides a shape once for all tests here."""
    findings = Findings()
    made = plan(shipped.paradigm(name), shipped.declarations(), findings, theory, deciding())
    assert made is not None and not findings.failed
    return made


def drawn(made: Plan, count: int, seed: int = 3) -> Draws:
    return made.space.draws(made.space.permutation(seed), 0, min(count, made.space.size))


def own_scales(made: Plan, draws: Draws, row: int) -> Scales:
    """The scales of an instance, drawn words and what they refer to written out."""

    def word(member: str) -> str:
        if not member.startswith(OPEN):
            return member
        slot = slot_of(member, made)
        return made.realiser.lexeme(slot, int(draws.columns[slot.name][row])).id

    return tuple(tuple(map(word, scale)) for scale in made.scales)


def own_shapes(labelling: Labelled) -> dict[tuple[int, int, str], tuple[str, str]]:
    """(pair, row, column) -> shape and label decided for that row alone, from its own formulas."""
    made, draws = labelling.plan, labelling.draws
    found: dict[tuple[int, int, str], tuple[str, str]] = {}
    for number, pair in enumerate(labelling.pairs):
        sides = [labelling.meanings[pair.pair.premise], labelling.meanings[pair.pair.hypothesis]]
        for row in range(len(draws)):
            gold = [m.gold(int(m.code[row])) for m in sides]
            for column in made.paradigm.columns:
                premise, hypothesis = (
                    strengthened(made, column, each, each is gold[0], partial(filled, plan=made, draws=draws, row=row))
                    for each in gold
                )
                axioms = made.slice((premise, hypothesis), own_scales(made, draws, row))
                decision = made.decider.decision(premise, hypothesis, axioms)
                found[number, row, column] = decision.shape.id, decision.verdict.label or "entailment"
    return found


#: of sets of pairs, those of which `make test` looks at rows: triggers, scales, a numeral, attitudes and a story
OF_EACH_KIND = (
    *("presupposition/possessed_definites_existence", "implicature/connectives", "implicature/numerals_2_3_have"),
    *("theory_of_mind/inference_quality", "theory_of_mind/intra_personal_short", "theory_of_mind/story_contents"),
)


def agree(labelling: Labelled) -> None:
    alone = own_shapes(labelling)
    for number, pair in enumerate(labelling.pairs):
        for row in range(len(labelling.draws)):
            decided = pair.decided[int(pair.group[row])]
            for judgement in decided.judgements:
                assert (judgement.decision.shape.id, judgement.label) == alone[number, row, judgement.column]


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.only(shipped.paradigms("nli"), OF_EACH_KIND))
def test_a_row_has_the_shape_of_its_own_formulas(name: str) -> None:
    made = planned(name)
    agree(label(made, drawn(made, max(3, 48 // len(made.paradigm.pairs))), Findings()))


def whole(project: Project) -> Labelled:
    """Every instance of the toy paradigm, labelled."""
    made = project.paradigm("toy/one").plan()
    return label(made, made.space.at(np.arange(made.space.size)), Findings())


@pytest.mark.slow
def test_words_that_coincide_or_are_related_have_their_own_shape(tmp_path: Path) -> None:
    labelling = whole(toy(tmp_path, RELATED))
    agree(labelling)
    draws, grammar = labelling.draws, labelling.plan.grammar
    kinds = [x.id for x in grammar.categories["Kind"].lexemes]
    seen: dict[tuple[bool, str], set[str]] = {}
    (same,) = [p for p in labelling.pairs if p.pair.condition == "has-same"]
    for row in range(len(draws)):
        k, other = (kinds[draws.columns[n][row]] for n in ("k", "l"))
        relation = "same" if k == other else "hypernym" if (k, other) == ("owlet", "birdie") else "other"
        who = bool(draws.columns["w"][row] == draws.columns["other"][row])
        seen.setdefault((who, relation), set()).add(same.decided[int(same.group[row])].label)
    assert seen[True, "same"] == {"entailment"}
    assert seen[True, "hypernym"] == {"entailment"}
    assert seen[True, "other"] == {"neutral"}
    assert seen[False, "hypernym"] == {"neutral"}


def test_an_expectation_fails_when_one_row_in_the_space_fails_it(tmp_path: Path) -> None:
    claims = "pair has => same expect neutral\npair trigger => lacks"
    claim = RELATED.replace("pair trigger, has => same, lacks", claims)
    project = toy(tmp_path, claim)
    with pytest.raises(AuthoringError) as caught:
        labelled(project.paradigm("toy/one"), 100)
    (found,) = caught.value.diagnostics
    assert found.code == "E10"
    assert "expected neutral, derived entailment" in found.message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theory", "moved"), [("presupposition-strong", {"modal", "conditional"}), ("presupposition-weak", set())]
)
def test_another_projection_moves_the_labels_it_should(theory: str, moved: set[str]) -> None:
    """Strong Kleene lets a true possibility or consequent settle the value: 15 of 19 (docs/theory)."""
    made = planned("presupposition/possessed_definites_existence", theory)
    labelling = label(made, drawn(made, 5), Findings())
    claimed = [p for p in labelling.pairs if p.pair.design == "paper"]
    assert len(claimed) == 19
    wrong = {p.pair.premise for p in claimed for d in p.decided if d.label != p.pair.expect}
    assert wrong == moved
    assert sum(d.label != p.pair.expect for p in claimed for d in p.decided[:1]) == (4 if moved else 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    shipped.only(
        [n for n in shipped.paradigms() if n.startswith("presupposition/")],
        ["presupposition/possessed_definites_existence"],
    ),
)
def test_weak_kleene_moves_no_label_of_presuppositions(name: str) -> None:
    plans = [planned(name, theory) for theory in ("presupposition", "presupposition-weak")]
    middle, weak = (label(made, drawn(made, 1), Findings()) for made in plans)
    assert [p.labels.tolist() for p in middle.pairs] == [p.labels.tolist() for p in weak.pairs]


@pytest.mark.slow
def test_readings_are_all_reported(tmp_path: Path) -> None:
    made = planned("implicature/quantifiers_object")
    labelling = label(made, drawn(made, 3), Findings())
    (pair,) = [p for p in labelling.pairs if p.pair.condition == "not_strong-weak"]
    literal = [e for e in pair.decided[0].entries if e.column == "literal"]
    assert {(e.premise, e.label) for e in literal} == {("all > not", "contradiction"), ("not > all", "neutral")}


@pytest.mark.slow
def test_what_floats_has_scope_where_it_stands() -> None:
    """`Didn't both`, `might both`: one reading each, below the operator. `The five didn't`: above it (homogeneity)."""
    made = planned("presupposition/both")
    assert {len(r) for c in ("negated", "modal") for r in meanings(made, drawn(made, 30))[c].readings} == {1}
    made = planned("presupposition/all_n")
    ids = {tuple(r.id for r in readings) for readings in meanings(made, drawn(made, 30))["negated"].readings}
    assert ids == {("not",), ("the > not",)}


GIVEN = """
draw w : Who[uma|vito|wanda]
draw k : Kind
premise
  has = Has(w, k)
hypothesis
  it   = Has(uma, k)
  bird = Has(w, birdie)
pair has => it, bird
"""


@pytest.mark.slow
def test_a_word_written_out_may_be_the_drawn_one(tmp_path: Path) -> None:
    labelling = whole(toy(tmp_path, GIVEN))
    agree(labelling)
    labels = {p.pair.condition: {d.label for d in p.decided} for p in labelling.pairs}
    assert labels == {"has-it": {"entailment", "neutral"}, "has-bird": {"entailment", "neutral"}}


@pytest.mark.slow
@pytest.mark.parametrize(
    "axioms",
    [
        "postulate forall x. (newt(x) -> ashcat(x))",
        pytest.param(
            "each k : Kind where k.onset = v postulate forall x. (k(x) -> odd(x))\n"
            "each k : Kind where k.onset = c postulate forall x. (k(x) -> ~odd(x))",
            marks=pytest.mark.deep,
        ),
        "each k : Kind where k.onset = v postulate forall x. (k(x) -> odd(x))\n"
        "postulate forall x. (odd(x) -> ~newt(x))",
    ],
)
def test_axioms_of_any_kind_distinguish_rows(tmp_path: Path, axioms: str) -> None:
    grammar = TOY_GRAMMAR + "const odd : e -> t\n"
    project = toy(tmp_path, RELATED, grammar=grammar)
    theory = tmp_path / "logic/toy.logic"
    theory.write_text(theory.read_text("utf-8") + axioms + "\n", "utf-8")
    agree(whole(load(tmp_path)))
    assert project


@pytest.mark.slow
def test_paradigms_of_one_dataset_do_not_contradict_each_other(tmp_path: Path) -> None:
    text = """
draw w    : Who
draw k, l : Kind where k != l
premise
  has = Has(w, k)
hypothesis
  same = Has(w, l)
pair has => same
"""
    toy(tmp_path, text)
    other = (tmp_path / "grammars/toy/one.paradigm").read_text("utf-8")
    other = other.replace("paradigm one", "paradigm two").replace("theory toy", "theory tame")
    (tmp_path / "grammars/toy/two.paradigm").write_text(other, "utf-8")
    (tmp_path / "logic/tame.logic").write_text("theory tame\ninclude classical\n", "utf-8")
    with pytest.raises(AuthoringError) as caught:
        load(tmp_path).build("toy", tmp_path / "out", everything=True)
    assert [d.code for d in caught.value.diagnostics] == ["E34"]
    (found,) = caught.value.diagnostics
    assert "another label" in found.message
    assert re.fullmatch(r"(\w+) has an? \w+\. => \1 has an? \w+\.: entailment there, neutral here", found.notes[0])


def test_a_reference_of_a_reference_is_an_error(tmp_path: Path) -> None:
    onward = 'fun Up (w: Who, k: Kind) : S\n  lin w "has" k[num=sg]\n  sem exists x. (k(x) & k.isa(x), has(w, x))\n'
    text = """
draw w : Who
draw k : Kind
premise
  has = Has(w, k)
hypothesis
  above = Up(w, k.isa)
pair has => above
"""
    project = toy(tmp_path, text, grammar=TOY_GRAMMAR + onward)
    with pytest.raises(AuthoringError) as caught:
        labelled(project.paradigm("toy/one"), 2)
    assert [d.code for d in caught.value.diagnostics] == ["E07"]


@pytest.mark.slow
def test_a_reference_to_nothing_is_not_drawn(tmp_path: Path) -> None:
    text = """
draw w : Who
draw k : Kind
premise
  has = Has(w, k)
hypothesis
  above = Has(w, k.isa)
pair has => above expect entailment
"""
    labelling = whole(toy(tmp_path, text))
    assert len(labelling.draws) == 3
    agree(labelling)


def test_what_is_never_drawn_is_never_spelt(tmp_path: Path) -> None:
    """An article for the kind of a kind: of kinds that have none no form is looked up when it is found out whether
    two instances can print the same."""
    text = """
draw w : Who
draw k : Kind
premise
  has = Has(w, k)
hypothesis
  above = Has(w, k.isa)
pair has => above expect entailment
"""
    plan = toy(tmp_path, text).paradigm("toy/one").plan()
    (stretch,) = Walk(plan, [("has", "above")]).stretches(10)
    assert len(stretch.draws) == 3
    assert stretch.keys is None
