"""Laws of Herbrand instances: nothing that has a model is refuted; a closed universe is a model; cutting deeper
or inferring sorts never loses a refutation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import structs
from strategies import FULL, KINDS, Fragment, examples, formulas, projections

from gramprobe.certify.check import check_model
from gramprobe.certify.classical import Problem, problem
from gramprobe.certify.ground import Grounding
from gramprobe.certify.herbrand import bound, check
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.decide.prove.herbrand import prove, solved
from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.sat import Finder
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import theory_to_json, to_json
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import FRAMES, Frame, Operator, TheorySlice

MODAL_FIRST_ORDER = replace(FULL, occasions=False, updates=False)
FIRST_ORDER = replace(MODAL_FIRST_ORDER, modal=False, here=False)
CLASSICAL = Fragment(quantifiers=("forall", "exists"), constants=True, binary=True)
RELATIONS: tuple[Frame, ...] = tuple(each for each in FRAMES if each != "functional")


@st.composite
def theories(draw: st.DrawFn, frames: Sequence[Frame] = FRAMES, sets: bool = False) -> TheorySlice:
    """Three operators of any frames, related in any way that has no circle; `sets`: some of them neighbourhoods."""
    conditions = st.frozensets(st.sampled_from(frames), max_size=3)
    below: list[Operator] = []
    for name, relational in sorted(KINDS.items()):
        kind = draw(st.sampled_from([relational, "neighbourhood", "dual"])) if sets else relational
        others = st.lists(st.sampled_from([each.name for each in below]), max_size=1) if below else st.just([])
        below.append(
            Operator(
                name=name,
                kind=kind,  # type: ignore[arg-type]
                frame=draw(conditions),
                within=tuple(draw(others)),
                introspected_by=tuple(draw(others)),
            )
        )
    projection: Any = draw(projections)
    return TheorySlice(operators=tuple(below), postulates=(), projection=projection, distinct=draw(st.booleans()))


def asked(theory: TheorySlice, formula: Formula) -> tuple[Problem, dict[str, Any], list[tuple[Any, str]]]:
    data, wanted = theory_to_json(theory), [(to_json(formula), "T")]
    return problem(data, wanted), data, wanted


def completed(model: Model, theory: TheorySlice, *of: Formula) -> Model:
    """The model with the predicates and names that a formula mentions and its truth does not depend on."""
    found = symbols(*of, *theory.postulates)
    nothing: tuple[frozenset[tuple[int, ...]], ...] = (frozenset(),) * model.worlds
    constants = dict(model.constants)
    for name in found.constants:
        constants.setdefault(name, max(constants.values(), default=-1) + 1)
    individuals = max(model.individuals, len(set(constants.values())))
    predicates = {**{name: nothing for name, _ in found.predicates}, **model.predicates}
    return replace(model, individuals=individuals, constants=constants, predicates=predicates)


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    st.booleans().flatmap(lambda sets: theories(sets=sets)),
    formulas(MODAL_FIRST_ORDER, 3),
    st.none() | formulas(MODAL_FIRST_ORDER, 2),
)
def test_what_has_a_model_is_not_refuted(theory: TheorySlice, formula: Formula, postulate: Formula | None) -> None:
    theory = structs.replace(theory, postulates=() if postulate is None else (postulate,))
    question, data, wanted = asked(theory, formula)
    (answer,) = prove([question])
    if isinstance(answer, dict):
        check(question, answer, Budget())
        with Finder(theory, [formula], Bound(worlds=3, individuals=3, occasions=0)) as finder:
            found = finder.find([(0, "T")])
        if isinstance(found, Model):  # conditions on sets of worlds are not the finder's
            with pytest.raises(CertificateError):
                check_model(data, wanted, found)
            assert found.neighbourhoods


@pytest.mark.slow
@settings(max_examples=examples(250), deadline=None)
@given(theories(), st.lists(formulas(Fragment(modal=True), 3), min_size=2, max_size=4))
def test_what_has_a_modal_model_is_not_refuted(theory: TheorySlice, parts: list[Formula]) -> None:
    """Several boxes and diamonds at one world, of operators that are related."""
    formula = reduce(ast.And, parts)
    question, _, _ = asked(theory, formula)
    (answer,) = prove([question])
    if isinstance(answer, dict):
        check(question, answer, Budget())
        with Finder(theory, [formula], Bound(worlds=4, individuals=1, occasions=0)) as finder:
            assert not isinstance(finder.find([(0, "T")]), Model)


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(theories(RELATIONS), formulas(MODAL_FIRST_ORDER, 3))
def test_a_closed_universe_is_a_model(theory: TheorySlice, formula: Formula) -> None:
    question, data, wanted = asked(theory, formula)
    (answer,) = prove([question])
    assume(isinstance(answer, Model))
    assert isinstance(answer, Model)
    whole = completed(answer, theory, formula)
    spoken_of = {(name, agent is None) for name, agent in symbols(formula).operators}
    assume(spoken_of <= {(key.partition("[")[0], "[" not in key) for key in whole.relations})  # not folded away
    assume(whole.individuals == answer.individuals)
    check_model(data, wanted, whole)


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(st.booleans(), formulas(FIRST_ORDER, 3))
def test_the_finder_and_the_instances_agree(distinct: bool, formula: Formula) -> None:
    """First-order: where the universe is closed, it says whether there is a model at all."""
    theory = TheorySlice(distinct=distinct)
    question, _, _ = asked(theory, formula)
    (answer,) = prove([question])
    with Finder(theory, [formula], Bound(worlds=1, individuals=4, occasions=0)) as finder:
        found = finder.find([(0, "T")])
    if isinstance(found, Model):
        assert not isinstance(answer, dict)
    elif isinstance(answer, Model) and set(answer.constants) == set(symbols(formula).constants):
        assert answer.individuals > 4  # only with more than were looked at


def refuted(question: Problem, depth: int, inferred: bool) -> bool | None:
    """Whether the instances at a depth are refuted; None: too many."""
    try:
        grounding = Grounding(question, depth, Budget(20_000), inferred)
    except CertificateError:
        return None
    steps, _ = solved(grounding)
    if steps is None:
        return False
    proof = {
        "kind": "herbrand", "depth": depth, "inferred": inferred, "bound": bound(grounding), "steps": steps
    }  # fmt: skip
    check(question, proof, Budget())
    return True


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(theories(), formulas(MODAL_FIRST_ORDER, 3))
def test_more_instances_refute_no_less(theory: TheorySlice, formula: Formula) -> None:
    question, _, _ = asked(theory, formula)
    for inferred in (True, False):
        found = [refuted(question, depth, inferred) for depth in range(4)]
        definite = [each for each in found if each is not None]
        assert definite == sorted(definite)


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(formulas(CLASSICAL, 4))
def test_inferred_sorts_lose_nothing_without_equations(formula: Formula) -> None:
    """A closed universe of inferred sorts is refuted if that of one sort is (Claessen & Soerensson 2003)."""
    question, _, _ = asked(TheorySlice(), ast.And(formula, ast.Not(ast.Atom("p"))))
    try:
        closed = not Grounding(question, 6, Budget(20_000), True).cut
    except CertificateError:
        closed = False
    assume(closed)
    if refuted(question, 6, inferred=False):
        assert refuted(question, 6, inferred=True)
