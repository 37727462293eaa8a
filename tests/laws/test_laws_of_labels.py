"""What a label obeys whatever the formulas: transitivity, more axioms, symmetry, bisimilar copies, names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fragments import FIRST_ORDER, LOGICS, NUMERICAL, Question, modal_formulas, modal_questions
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import structs
from strategies import KINDS, OPERATORS, PARTIAL, Fragment, examples, formulas, models, projections
from support.labels import decide

from gramprobe.certify.evaluator import value
from gramprobe.certify.model import Model
from gramprobe.decide.label import Decider
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import to_json
from gramprobe.formula.theory import MIDDLE, Operator, Projection, TheorySlice

SMALL_PARTIAL = Fragment(quantifiers=("forall", "exists", "the"), partial=True, constants=True)


def entailed(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> bool:
    return decide(premise, hypothesis, theory).label == "entailment"


def transitive(formulas: list[Formula], theory: TheorySlice) -> None:
    """Whatever some of these formulas entail, is entailed by what entails them."""
    links = {
        (one, other)
        for one in range(len(formulas))
        for other in range(len(formulas))
        if one != other and entailed(formulas[one], formulas[other], theory)
    }
    for one, other in links:
        for another, last in links:
            if other == another and one != last:
                assert (one, last) in links


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(modal_questions(number=4, depth=2))
def test_entailment_is_transitive_in_modal_logic(question: Question) -> None:
    first, *others = question.formulas
    transitive([first, *others, ast.And(first, others[0]), ast.Or(first, others[1])], question.theory)


@pytest.mark.slow
@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(formulas(SMALL_PARTIAL, 2), min_size=4, max_size=4), projections)
def test_entailment_is_transitive_where_values_are_three(parts: list[Formula], projection: Projection) -> None:
    first, second, *others = parts
    theory = TheorySlice(operators=(), postulates=(), projection=projection)
    transitive([first, second, *others, ast.And(first, second), ast.Presupposing(first, second)], theory)


def more_axioms(premise: Formula, hypothesis: Formula, theory: TheorySlice, axiom: Formula) -> None:
    """A literal entailment or contradiction stays what it is, or the premise becomes inconsistent."""
    before = decide(premise, hypothesis, theory)
    after = decide(premise, hypothesis, structs.replace(theory, postulates=(*theory.postulates, axiom)))
    if before.label in ("entailment", "contradiction"):
        assert after.label == before.label or (after.label is None and "premise inconsistent" in after.findings)
    if before.label is None:
        assert after.label is None


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(modal_questions(number=3, depth=2))
def test_an_axiom_moves_no_settled_modal_label(question: Question) -> None:
    premise, hypothesis, axiom = question.formulas
    more_axioms(premise, hypothesis, question.theory, axiom)
    more_axioms(ast.And(premise, hypothesis), hypothesis, question.theory, axiom)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(formulas(NUMERICAL, 2), formulas(NUMERICAL, 2), formulas(NUMERICAL, 2))
def test_an_axiom_moves_no_settled_count(premise: Formula, hypothesis: Formula, axiom: Formula) -> None:
    more_axioms(premise, hypothesis, TheorySlice(), axiom)
    more_axioms(ast.And(premise, ast.Not(hypothesis)), hypothesis, TheorySlice(), axiom)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(modal_formulas(("K", "B"), 3), modal_formulas(("K", "B"), 3), st.sampled_from(["transitive", "symmetric"]))
def test_a_frame_condition_moves_no_settled_label(premise: Formula, hypothesis: Formula, condition: str) -> None:
    """More conditions, fewer models."""
    loose = LOGICS["two relations"]
    tight = structs.replace(
        loose,
        operators=tuple(structs.replace(operator, frame=operator.frame | {condition}) for operator in loose.operators),
    )
    before, after = decide(premise, hypothesis, loose), decide(premise, hypothesis, tight)
    if before.label in ("entailment", "contradiction"):
        assert after.label in (before.label, None)
    else:
        assert before.label == "neutral" or after.label is None


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(modal_questions(number=2, depth=3))
def test_contraposition_and_symmetry_in_modal_logic(question: Question) -> None:
    premise, hypothesis = question.formulas
    forth = decide(premise, hypothesis, question.theory)
    back = decide(ast.Not(hypothesis), ast.Not(premise), question.theory)
    other = decide(hypothesis, premise, question.theory)
    assume(None not in (forth.label, back.label, other.label))
    assert (forth.label == "entailment") == (back.label == "entailment")
    assert (forth.label == "contradiction") == (other.label == "contradiction")
    denied = decide(premise, ast.Not(hypothesis), question.theory)
    assert (forth.label == "entailment") == (denied.label == "contradiction")


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(formulas(FIRST_ORDER, 2), formulas(FIRST_ORDER, 2))
def test_contraposition_and_symmetry_in_first_order(premise: Formula, hypothesis: Formula) -> None:
    forth, back = (
        decide(premise, hypothesis, TheorySlice()),
        decide(ast.Not(hypothesis), ast.Not(premise), TheorySlice()),
    )
    other = decide(hypothesis, premise, TheorySlice())
    assume(None not in (forth.label, back.label, other.label))
    assert (forth.label == "entailment") == (back.label == "entailment")
    assert (forth.label == "contradiction") == (other.label == "contradiction")


def doubled(model: Model, world: int) -> Model:
    """The model with a copy of one world: the same atoms, the same worlds seen, seen from the same worlds."""
    copy = model.worlds
    predicates = {name: (*extension, extension[world]) for name, extension in model.predicates.items()}
    relations = {}
    for key, relation in model.relations.items():
        out = {(copy, v) for w, v in relation if w == world} | {(w, copy) for w, v in relation if v == world}
        loop = {(copy, copy)} if (world, world) in relation else set()
        relations[key] = relation | out | loop
    return replace(model, worlds=copy + 1, predicates=predicates, relations=relations)


def generated(model: Model) -> Model:
    """The worlds that can be reached from the actual one, and no others."""
    reached = {model.actual}
    while more := {v for relation in model.relations.values() for w, v in relation if w in reached} - reached:
        reached |= more
    number = {world: at for at, world in enumerate(sorted(reached))}
    return replace(
        model,
        worlds=len(number),
        actual=number[model.actual],
        predicates={name: tuple(extension[w] for w in number) for name, extension in model.predicates.items()},
        relations={
            key: frozenset((number[w], number[v]) for w, v in relation if w in number)
            for key, relation in model.relations.items()
        },
    )


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(formulas(PARTIAL, 4), models(), st.data(), projections)
def test_bisimilar_models_give_one_value(
    formula: Formula, model: Model, data: st.DataObject, projection: Projection
) -> None:
    direct = value(to_json(formula), model, projection.data, KINDS)
    copied = doubled(model, data.draw(st.integers(0, model.worlds - 1)))
    assert value(to_json(formula), copied, projection.data, KINDS) == direct
    assert value(to_json(formula), generated(model), projection.data, KINDS) == direct
    at_the_copy = replace(doubled(model, model.actual), actual=model.worlds)
    if not any(isinstance(part, ast.Here) for part in ast.walk(formula)):
        assert value(to_json(formula), at_the_copy, projection.data, KINDS) == direct


def other_names(formula: Formula) -> Formula:
    """The same formula about other agents, propositions and operators."""

    def visit(node: ast.Argument) -> ast.Argument:
        if isinstance(node, ast.Atom):
            node = ast.Atom({"p": "rain", "q": "snow"}[node.predicate], node.args)
        elif isinstance(node, ast.Modal):
            node = ast.Modal({"K": "know", "B": "believe"}[node.operator], node.agent, node.body)
        elif isinstance(node, ast.Const):
            return ast.Const({"a": "zoe", "b": "abe"}[node.name])
        return ast.map_parts(visit, node)

    return ast.as_formula(visit(formula))


@settings(max_examples=examples(100), deadline=None)
@given(modal_questions(number=2, depth=3))
def test_pairs_that_differ_in_names_are_one_shape(question: Question) -> None:
    called = {"K": "know", "B": "believe"}
    renamed = tuple(
        Operator(
            name=called[each.name],
            kind=each.kind,
            frame=each.frame,
            within=tuple(called[name] for name in each.within),
            introspected_by=tuple(called[name] for name in each.introspected_by),
        )
        for each in question.theory.operators
    )
    decider = Decider()
    premise, hypothesis = question.formulas
    one = decider.decision(premise, hypothesis, question.theory)
    other = decider.decision(other_names(premise), other_names(hypothesis), TheorySlice(operators=renamed))
    assert one.shape == other.shape
    assert one.verdict is other.verdict


@settings(max_examples=examples(30), deadline=None)
@given(formulas(FIRST_ORDER, 3))
def test_a_first_order_sentence_entails_itself(formula: Formula) -> None:
    verdict = decide(formula, formula, TheorySlice())
    assert verdict.label in ("entailment", None)
    assert (verdict.label is None) == ("premise inconsistent" in verdict.findings)


@pytest.mark.parametrize("name", sorted(LOGICS))
def test_every_logic_has_a_world(name: str) -> None:
    """No theory of the strategies is inconsistent, else their laws would say nothing."""
    p, q = ast.Atom("p"), ast.Atom("q")
    assert decide(p, q, LOGICS[name]).label == "neutral"
    assert (
        decide(ast.Modal("K", None, p), ast.Modal("K", None, q), TheorySlice(operators=OPERATORS[2:])).label
        == "neutral"
    )


def same_without_certificate(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> None:
    whole, brief = decide(premise, hypothesis, theory), Decider(theory, certified=False)
    brief.decision(premise, hypothesis, structs.replace(theory, projection=MIDDLE))  # what is known of it is used
    found = brief.decision(premise, hypothesis).verdict
    assert (found.label, found.h_values, {*found.findings}) == (whole.label, whole.h_values, {*whole.findings})


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(modal_questions(number=2, depth=2))
def test_modal_labels_without_certificates_are_the_same(question: Question) -> None:
    premise, hypothesis = question.formulas
    for one in (premise, ast.Not(premise), ast.Interrogative(premise)):
        same_without_certificate(one, hypothesis, question.theory)


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(formulas(SMALL_PARTIAL, 2), formulas(SMALL_PARTIAL, 2), projections)
def test_labels_without_certificates_are_the_same_where_values_are_three(
    premise: Formula, hypothesis: Formula, projection: Projection
) -> None:
    same_without_certificate(premise, hypothesis, TheorySlice(operators=(), postulates=(), projection=projection))
