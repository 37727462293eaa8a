"""Laws of the bit-parallel model checker: its planes are the kernel's values, NLTK's, and what SAT finds."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import (
    BINARY,
    CONSTANTS,
    OPERATORS,
    PARTIAL,
    PROPOSITIONS,
    UNARY,
    Fragment,
    examples,
    formulas,
    projections,
)  # fmt: skip

from gramprobe.certify.evaluator import value
from gramprobe.certify.model import Model
from gramprobe.decide.question import Value
from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.sat import Finder
from gramprobe.decide.search.tables import Tables
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import to_json
from gramprobe.formula.theory import MIDDLE, STRONG, WEAK, Projection, TheorySlice
from gramprobe.formula.trivalence import may_differ

VALUES: tuple[Value, ...] = ("T", "F", "U")
EVERYTHING = Fragment(
    modal=True, agents=True, quantifiers=PARTIAL.quantifiers, binary=True, constants=True, equality=True,
    partial=True, here=True,
)  # fmt: skip
FIRST_ORDER = Fragment(quantifiers=("forall", "exists"), binary=True, constants=True, equality=True)


def confirmed(tables: Tables, formula: Formula, theory: TheorySlice) -> None:
    """Every model of a batch: the planes have the kernel's value, disjoint and bit for bit."""
    kinds = {operator.name: str(operator.kind) for operator in theory.operators}
    rows = {each: tables.models([(0, each)]) for each in VALUES}
    data = to_json(formula)
    for number in range(tables.size):
        model = tables.model(number)
        found = [each for each in VALUES if rows[each] >> number & 1]
        assert found == [value(data, model, theory.projection.data, kinds)]


@pytest.mark.slow
@settings(max_examples=examples(300), deadline=None)
@given(formulas(EVERYTHING, 4), projections, st.booleans(), st.integers(2, 3), st.integers(0, 99))
def test_the_planes_have_the_kernels_values(
    formula: Formula, projection: Projection, distinct: bool, size: int, seed: int
) -> None:
    theory = TheorySlice(operators=OPERATORS, postulates=(), projection=projection, distinct=distinct)
    confirmed(Tables.sampled(theory, [formula], size, size, models=40, seed=seed), formula, theory)


@pytest.mark.slow
@settings(max_examples=examples(300), deadline=None)
@given(
    st.one_of(
        formulas(Fragment(quantifiers=("forall", "exists", "the"), partial=True), 3),
        formulas(Fragment(modal=True, partial=True), 2),
        formulas(Fragment(partial=True), 4),
    ),
    st.sampled_from([MIDDLE, STRONG]),
    st.sampled_from([MIDDLE, WEAK]),
    st.integers(0, 99),
)
def test_where_projections_cannot_differ_the_kernel_finds_the_same_values(
    formula: Formula, one: Projection, other: Projection, seed: int
) -> None:
    """What lets theories share a shape (`formula.canonical`)."""
    if may_differ(formula, one, other):
        assert ast.may_be_undefined(formula) or any(map(ast.may_be_undefined, ast.walk(formula)))
        return
    theory = TheorySlice(operators=OPERATORS, postulates=(), projection=one)
    tables, data = Tables.sampled(theory, [formula], 2, 2, models=40, seed=seed), to_json(formula)
    kinds = {operator.name: str(operator.kind) for operator in OPERATORS}
    for number in range(tables.size):
        model = tables.model(number)
        assert value(data, model, one.data, kinds) == value(data, model, other.data, kinds)


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(formulas(EVERYTHING, 3), projections, st.booleans())
def test_the_finder_by_sat_finds_the_same_values(formula: Formula, projection: Projection, distinct: bool) -> None:
    theory = TheorySlice(operators=OPERATORS, postulates=(), projection=projection, distinct=distinct)
    tables = Tables.tiny(theory, [formula], 2, 2, limit=1 << 18)
    assume(tables is not None)
    assert tables is not None
    found = {each for each in VALUES if tables.find([(0, each)]) is not None}
    with Finder(theory, [formula], Bound(worlds=2, individuals=2, occasions=0)) as finder:
        by_sat = {each for each in VALUES if isinstance(finder.find([(0, each)]), Model)}
    assert found <= by_sat
    alone = Tables.tiny(theory, [formula], 1, 1, limit=1 << 18) if not distinct else None
    if alone is not None:
        found |= {each for each in VALUES if alone.find([(0, each)]) is not None}
        assert found == by_sat


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(formulas(FIRST_ORDER, 4), st.integers(0, 99))
def test_nltk_agrees_on_first_order_formulas(formula: Formula, seed: int) -> None:
    """NLTK's model evaluation (Bird, Klein & Loper 2009, ch. 10) is code of another house."""
    from nltk.sem import Assignment, Expression, Valuation
    from nltk.sem import Model as NltkModel

    read_ = Expression.fromstring(in_nltk(formula))
    tables = Tables.sampled(TheorySlice(), [formula], 1, 3, models=12, seed=seed)
    for number in range(tables.size):
        model = tables.model(number)
        facts: list[tuple[str, object]] = [(name, f"d{model.constants.get(name, 0)}") for name in CONSTANTS]
        for name in PROPOSITIONS:
            facts.append((f"P{name}", () in model.predicates.get(name, ({},))[0]))
        for name in (*UNARY, *BINARY):
            members = model.predicates.get(name, (frozenset(),))[0]
            facts.append((f"P{name}", {tuple(f"d{who}" for who in member) for member in members}))
        valuation = Valuation(facts)
        domain = {f"d{who}" for who in range(3)}
        expected = NltkModel(domain, valuation).satisfy(read_, Assignment(domain))
        assert tables.models([(0, "T")]) >> number & 1 == bool(expected)


def in_nltk(formula: Formula) -> str:
    """The notation of NLTK; a variable is `x1`, since a single letter may be bound there anyhow."""

    def term(part: ast.Argument) -> str:
        assert isinstance(part, (ast.Var, ast.Const))
        return f"{part.name}1" if isinstance(part, ast.Var) else part.name

    def over(node: ast.Binary, sign: str) -> str:
        return f"({in_nltk(node.left)} {sign} {in_nltk(node.right)})"

    match formula:
        case ast.Truth(known):
            return "(Pp | -Pp)" if known else "(Pp & -Pp)"
        case ast.Atom(name, ()):
            return f"P{name}"
        case ast.Atom(name, args):
            return f"P{name}({','.join(map(term, args))})"
        case ast.Equal(left, right):
            return f"({term(left)} = {term(right)})"
        case ast.Not(body):
            return f"-{in_nltk(body)}"
        case ast.And():
            return over(formula, "&")
        case ast.Or():
            return over(formula, "|")
        case ast.Implies():
            return over(formula, "->")
        case ast.Iff():
            return over(formula, "<->")
        case ast.Quantified(quantifier=quantifier, variable=variable, restrictor=restrictor, scope=scope):
            word, sign = ("all", "->") if quantifier == "forall" else ("exists", "&")
            return f"{word} {variable}1.({in_nltk(restrictor)} {sign} {in_nltk(scope)})"
        case _:
            raise AssertionError(formula)
