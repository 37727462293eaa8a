"""Laws of the finder and the label: brute force over all tiny models agrees; P entails P; certificates
survive.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import COUNTING, KINDS, MODAL, OPERATORS, PARTIAL, Fragment, examples, formulas, projections
from support.labels import decide

from gramprobe.certify.check import check_entry
from gramprobe.certify.evaluator import value
from gramprobe.certify.frames import problems
from gramprobe.certify.model import Model
from gramprobe.certify.reject import CertificateError
from gramprobe.decide.label import Decider
from gramprobe.decide.question import Value
from gramprobe.decide.search import instantiate as ground
from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.sat import Finder
from gramprobe.decide.verdict import certificate_line
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import operator_to_json, to_json
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import FRAMES, Operator, Projection, TheorySlice

VALUES: tuple[Value, ...] = ("T", "F", "U")
TINY_PARTIAL = Fragment(quantifiers=PARTIAL.quantifiers, partial=True, constants=True, equality=True)
DECIDED = Fragment(
    modal=True, agents=True, quantifiers=PARTIAL.quantifiers, constants=True, equality=True, partial=True,
    binary=True, here=True,
)  # fmt: skip


def all_models(formula: Formula, theory: TheorySlice, worlds: int, individuals: int) -> Iterator[Model]:
    """Every model of the theory's frames up to a size, over the symbols of a formula, actual world 0."""
    found = symbols(formula)
    operators = [operator_to_json(operator) for operator in theory.operators]
    for w, n in product(range(1, worlds + 1), range(1, individuals + 1)):
        places = [
            (name, world, args)
            for name, arity in found.predicates
            for world in range(w)
            for args in product(range(n), repeat=arity)
        ]
        pairs = [(v, u) for v in range(w) for u in range(w)]
        keys = [operator.name for operator in theory.operators]
        if len(places) + len(pairs) * len(keys) > 12:
            assume(False)
        for bearers in product(range(n), repeat=len(found.constants)):
            constants = dict(zip(found.constants, bearers, strict=True))
            for edges in product(product((False, True), repeat=len(pairs)), repeat=len(keys)):
                relations = {
                    key: frozenset(pair for pair, on in zip(pairs, row, strict=True) if on)
                    for key, row in zip(keys, edges, strict=True)
                }
                blank = Model(
                    worlds=w, individuals=n, actual=0, constants=constants, predicates={}, relations=relations
                )
                if problems(blank, operators, theory.distinct):
                    continue
                for truth in product((False, True), repeat=len(places)):
                    true = {place for place, on in zip(places, truth, strict=True) if on}
                    predicates = {
                        name: tuple(
                            frozenset(args for other, at, args in true if (other, at) == (name, world))
                            for world in range(w)
                        )
                        for name, _ in found.predicates
                    }
                    yield Model(
                        worlds=w,
                        individuals=n,
                        actual=0,
                        constants=constants,
                        predicates=predicates,
                        relations=relations,
                    )


def agrees(formula: Formula, theory: TheorySlice, worlds: int, individuals: int) -> None:
    """The values that the finder finds are those that brute force finds."""
    kinds = {operator.name: str(operator.kind) for operator in theory.operators}
    data, expected = to_json(formula), set()
    for model in all_models(formula, theory, worlds, individuals):
        expected.add(value(data, model, theory.projection.data, kinds))
        if len(expected) == 3:
            break
    bound = Bound(worlds=worlds, individuals=individuals, occasions=0)
    with Finder(theory, [formula], bound) as finder:
        found = {each for each in VALUES if isinstance(finder.find([(0, each)]), Model)}
    assert found == expected


@pytest.mark.slow
@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(formulas(MODAL, 3), st.data())
def test_finder_is_brute_force_on_tiny_modal_models(formula: Formula, data: st.DataObject) -> None:
    names = list(dict.fromkeys(name for name, _ in symbols(formula).operators))
    frames = st.frozensets(st.sampled_from(FRAMES), max_size=3)
    operators = tuple(Operator(name=name, kind=KINDS[name], frame=data.draw(frames)) for name in names)  # type: ignore[arg-type]
    agrees(formula, TheorySlice(operators=operators), 2, 1)


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(formulas(Fragment(modal=True), 3), st.data())
def test_finder_is_brute_force_on_related_operators(formula: Formula, data: st.DataObject) -> None:
    frames = st.frozensets(st.sampled_from(FRAMES), max_size=2)
    links = st.sampled_from([(), ("K",)])
    operators = (
        Operator(
            name="box", kind="box", frame=data.draw(frames), within=data.draw(links), introspected_by=data.draw(links)
        ),
        Operator(name="K", kind="box", frame=data.draw(frames)),
    )
    assume({name for name, _ in symbols(formula).operators} <= {"box", "K"})
    agrees(formula, TheorySlice(operators=operators), 2, 1)


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(formulas(TINY_PARTIAL, 3), projections, st.booleans())
def test_finder_is_brute_force_on_tiny_domains(formula: Formula, projection: Projection, distinct: bool) -> None:
    agrees(formula, TheorySlice(operators=(), postulates=(), projection=projection, distinct=distinct), 1, 3)


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(formulas(COUNTING, 3), st.booleans())
def test_finder_is_brute_force_on_counting(formula: Formula, distinct: bool) -> None:
    agrees(formula, TheorySlice(distinct=distinct), 1, 4)


@settings(max_examples=examples(60), deadline=None)
@given(formulas(DECIDED, 3), projections)
def test_a_premise_entails_itself(formula: Formula, projection: Projection) -> None:
    verdict = decide(formula, formula, TheorySlice(operators=OPERATORS, postulates=(), projection=projection))
    if verdict.findings == ("premise inconsistent",) or not verdict.h_values:
        assert verdict.label is None
    else:
        assert (verdict.label, verdict.h_values) == ("entailment", "T")


@settings(max_examples=examples(60), deadline=None)
@given(formulas(DECIDED, 3), formulas(DECIDED, 2), projections, st.booleans())
def test_every_certificate_survives_its_checker(
    premise: Formula, hypothesis: Formula, projection: Projection, asked: bool
) -> None:
    theory = TheorySlice(operators=OPERATORS, postulates=(), projection=projection)
    decision = Decider(theory).decision(ast.Interrogative(premise) if asked else premise, hypothesis)
    line = certificate_line(decision.shape, decision.verdict)
    check_entry(line)
    for key, other in (
        ("label", "neutral" if line["label"] != "neutral" else "entailment"),
        ("h_values", "FU"),
    ):
        if line[key] != other:
            with pytest.raises(CertificateError):
                check_entry({**line, key: other})


@settings(max_examples=examples(40), deadline=None)
@given(formulas(DECIDED, 2), formulas(DECIDED, 2))
def test_contraposition(premise: Formula, hypothesis: Formula) -> None:
    """With bivalent formulas, P entails H iff not H entails not P, where both are contingent."""
    for formula in (premise, hypothesis):
        assume(not any(isinstance(part, ast.Presupposing) for part in ast.walk(formula)))
        assume(not any(isinstance(part, ast.Quantified) and part.quantifier == "the" for part in ast.walk(formula)))
    theory = TheorySlice(operators=OPERATORS)
    forth = decide(premise, hypothesis, theory)
    back = decide(ast.Not(hypothesis), ast.Not(premise), theory)
    assume(forth.label is not None and back.label is not None)
    assert (forth.label == "entailment") == (back.label == "entailment")


def moved(formula: Formula) -> Formula:
    """The same formula about occasions."""
    changed = ast.map_children(moved, formula)
    return replace(changed, sort="occasion") if isinstance(changed, ast.Quantified) else changed


@settings(max_examples=examples(60), deadline=None)
@given(formulas(Fragment(quantifiers=PARTIAL.quantifiers, partial=True, equality=True), 3), projections)
def test_occasions_are_counted_like_individuals(formula: Formula, projection: Projection) -> None:
    theory, values = TheorySlice(projection=projection), []
    for each, bound in (
        (formula, Bound(worlds=1, individuals=3, occasions=0)),
        (moved(formula), Bound(worlds=1, individuals=1, occasions=3)),
    ):
        with Finder(theory, [each], bound) as finder:
            values.append([isinstance(finder.find([(0, value)]), Model) for value in VALUES])
    assert values[0] == values[1]


@settings(max_examples=examples(40), deadline=None)
@given(formulas(COUNTING, 3), formulas(DECIDED, 2))
def test_sorting_the_nameless_loses_no_value(counting: Formula, any_other: Formula) -> None:
    formula = ast.And(counting, any_other)
    found = []
    for few in (0, 99):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ground, "FEW", few)
            with Finder(
                TheorySlice(operators=OPERATORS), [formula], Bound(worlds=2, individuals=5, occasions=0)
            ) as finder:
                found.append([isinstance(finder.find([(0, value)]), Model) for value in VALUES])
    assert found[0] == found[1]
