"""Engines of different kinds agree: type elimination, counting, instances and outside provers against the finder.

Whatever an engine proves, the kernel checks, and the finder finds no model of; whatever it proposes as a model is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from types import ModuleType
from typing import Any

import pytest
from fragments import FIRST_ORDER, NUMERICAL, Question, modal_questions
from hypothesis import HealthCheck, given, settings
from strategies import OPERATORS, PARTIAL, examples, formulas, projections

from gramprobe.certify import herbrand as herbrand_kernel
from gramprobe.certify import types as types_kernel
from gramprobe.certify import venn as venn_kernel
from gramprobe.certify.check import check_model
from gramprobe.certify.classical import Problem, problem
from gramprobe.certify.model import Model
from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.decide.procedure import answers
from gramprobe.decide.prove import herbrand, types, venn
from gramprobe.decide.prove.outside import ask
from gramprobe.decide.question import Refutation, Value, resolved
from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.sat import Finder
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.theory import Projection, TheorySlice

SECONDS = 5.0


def model_by_sat(theory: TheorySlice, formulas: Sequence[Formula], bound: Bound) -> Model | None:
    """A model in which all formulas are true, up to a bound."""
    with Finder(theory, formulas, bound) as finder:
        answer = finder.find([(number, "T") for number in range(len(formulas))])
    return answer if isinstance(answer, Model) else None


PROVERS = ("prove", "prove_more")


def _silent(problems: list[Problem]) -> list[None]:
    return [None for _ in problems]


def agree(engine: ModuleType, kernel: ModuleType, theory: TheorySlice, formula: Formula, bound: Bound) -> None:
    """What an engine says of a formula's being true agrees with the kernel and with the finder."""
    data, (encoded,) = resolved(theory, [formula])
    wanted = [(encoded, "T")]
    asked = problem(data, wanted)
    answer = next((found[0] for name in PROVERS if (found := getattr(engine, name, _silent)([asked]))[0]), None)
    model = model_by_sat(theory, [formula], bound)
    if isinstance(answer, Model):
        if engine is types or is_model(data, wanted, answer):  # the others may propose what falls short
            check_model(data, wanted, answer)
            assert model is not None or max(answer.worlds, answer.individuals) > bound.number
    elif answer is not None:
        kernel.check(asked, answer, Budget())
        assert model is None, f"{engine.__name__} refutes what is true in {model.to_json()}"
        rejected(kernel, asked, answer)


def is_model(data: Any, wanted: Any, answer: Model) -> bool:
    try:
        check_model(data, wanted, answer)
    except ValueError:
        return False
    return True


def rejected(kernel: ModuleType, asked: Problem, proof: dict[str, Any]) -> None:
    """The same proof shows nothing of a problem that has a model: one without axioms and goals."""
    empty = Problem(asked.operators, (), (), asked.distinct)
    with pytest.raises(CertificateError):
        kernel.check(empty, proof, Budget())


@pytest.mark.slow
@settings(max_examples=examples(250), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(modal_questions())
def test_type_elimination_and_sat(question: Question) -> None:
    agree(types, types_kernel, question.theory, question.formulas[0], Bound(worlds=4, individuals=2, occasions=0))


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(modal_questions(number=2, depth=3))
def test_type_elimination_and_sat_on_entailments(question: Question) -> None:
    premise, hypothesis = question.formulas
    agree(
        types,
        types_kernel,
        question.theory,
        ast.And(premise, ast.Not(hypothesis)),
        Bound(worlds=4, individuals=2, occasions=0),
    )


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(formulas(NUMERICAL, 3))
def test_counting_and_sat(formula: Formula) -> None:
    agree(venn, venn_kernel, TheorySlice(), formula, Bound(worlds=1, individuals=4, occasions=0))


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(formulas(FIRST_ORDER, 3))
def test_instances_and_sat(formula: Formula) -> None:
    agree(herbrand, herbrand_kernel, TheorySlice(), formula, Bound(worlds=1, individuals=4, occasions=0))


@pytest.mark.outside("cvc5")
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(formulas(FIRST_ORDER, 4))
def test_the_procedure_and_cvc5(formula: Formula) -> None:
    theory = TheorySlice()
    data, (encoded,) = resolved(theory, [formula])
    ours = answers(data, {"wanted": ((encoded, "T"),)})["wanted"]
    theirs = ask(problem(data, [(encoded, "T")]), "cvc5", SECONDS).status
    if isinstance(ours, Model):
        assert theirs != "unsat"
    elif isinstance(ours, Refutation):
        assert theirs != "sat"


@pytest.mark.outside("cvc5")
@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(modal_questions(depth=3))
def test_the_procedure_and_cvc5_on_modal_formulas(question: Question) -> None:
    data, (encoded,) = resolved(question.theory, [*question.formulas])
    ours = answers(data, {"wanted": ((encoded, "T"),)})["wanted"]
    theirs = ask(problem(data, [(encoded, "T")]), "cvc5", SECONDS).status
    if isinstance(ours, Model):
        assert theirs != "unsat"
    elif isinstance(ours, Refutation):
        assert theirs != "sat"


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(formulas(PARTIAL, 3), projections)
def test_no_formula_has_two_values(formula: Formula, projection: Projection) -> None:
    """Two values at once are never found, and that a formula has one of the three is never refuted."""
    data, (encoded,) = resolved(TheorySlice(operators=OPERATORS, postulates=(), projection=projection), [formula])
    values: tuple[Value, ...] = ("T", "F", "U")
    both = {one + other: ((encoded, one), (encoded, other)) for one, other in combinations(values, 2)}
    assert not any(isinstance(answer, Model) for answer in answers(data, both).values())
    each = answers(data, {value: ((encoded, value),) for value in values})
    assert not all(isinstance(answer, Refutation) for answer in each.values())
