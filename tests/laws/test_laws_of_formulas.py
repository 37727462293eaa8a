"""Laws of the language: what is written reads back, JSON keeps everything, names do not matter, substitution
is sound.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import (
    BY_NAME,
    COUNTING,
    FULL,
    KINDS,
    MONADIC,
    OPERATORS,
    PARTIAL,
    examples,
    formulas,
    models,
    projections,
    some_tables,
)

from gramprobe.certify.evaluator import value
from gramprobe.certify.model import Model
from gramprobe.formula import ast, sorts
from gramprobe.formula.ast import Const, Formula, Var, as_formula
from gramprobe.formula.binding import free_variables, substituted
from gramprobe.formula.canonical import canonical
from gramprobe.formula.encoding import from_json, to_json
from gramprobe.formula.notation import parse, show
from gramprobe.formula.theory import CELLS, CONNECTIVES, Connective, Projection, TheorySlice
from gramprobe.formula.trivalence import compile as halves_of
from gramprobe.formula.trivalence import cover


@given(formulas(FULL, 4), st.booleans())
def test_what_is_shown_reads_back(formula: Formula, unicode: bool) -> None:
    assert parse(show(formula, unicode)) == formula
    assert parse(show(formula, unicode), operators=[*KINDS]) == formula


@given(formulas(FULL, 3))
def test_a_question_reads_back(formula: Formula) -> None:
    assert parse(show(ast.Interrogative(formula))) == ast.Interrogative(formula)


@given(formulas(FULL, 4))
def test_json_keeps_everything(formula: Formula) -> None:
    assert from_json(to_json(formula)) == formula


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(formulas(PARTIAL, 4), models(), projections)
def test_two_formulas_say_what_three_values_say(formula: Formula, model: Model, projection: Projection) -> None:
    true, false = halves_of(formula, projection, BY_NAME)
    assert not any(isinstance(part, ast.Presupposing) for half in (true, false) for part in ast.walk(half))
    direct = value(to_json(formula), model, projection.data, KINDS)
    for other in ("middle", "strong", "weak"):  # the halves are classical: every projection reads them alike
        found = value(to_json(true), model, other, KINDS), value(to_json(false), model, other, KINDS)
        assert found == {"T": ("T", "F"), "F": ("F", "T"), "U": ("F", "F")}[direct]


def renamed(formula: Formula) -> Formula:
    """All names other ones: variables primed by binder, symbols by a table."""
    number = iter(range(1000))

    def visit(node: ast.Argument) -> ast.Argument:
        if isinstance(node, ast.Quantified):
            fresh = f"v{next(number)}"
            body = substituted(node.restrictor, {node.variable: Var(fresh)})
            scope = substituted(node.scope, {node.variable: Var(fresh)})
            node = ast.Quantified(
                quantifier=node.quantifier,
                count=node.count,
                variable=fresh,
                restrictor=body,
                scope=scope,
                sort=node.sort,
            )
        elif isinstance(node, ast.Atom):
            node = ast.Atom("new_" + node.predicate, node.args)
        elif isinstance(node, ast.Modal):
            node = ast.Modal("op_" + node.operator, node.agent, node.body)
        elif isinstance(node, Const):
            return Const({"a": "zed", "b": "abe"}[node.name])
        return ast.map_parts(visit, node)

    return as_formula(visit(formula))


@given(formulas(PARTIAL, 3), formulas(PARTIAL, 3), st.lists(formulas(MONADIC, 2), max_size=3), st.randoms())
def test_names_do_not_matter(premise: Formula, hypothesis: Formula, postulates: list[Formula], random: object) -> None:
    theory = TheorySlice(operators=OPERATORS, postulates=tuple(postulates))
    other = TheorySlice(
        operators=tuple(replace(op, name="op_" + op.name) for op in OPERATORS),
        postulates=tuple(renamed(postulate) for postulate in postulates),
    )
    text, renaming = canonical(premise, hypothesis, theory)
    again, names = canonical(renamed(premise), renamed(hypothesis), other)
    assert text == again
    assert [*renaming.predicates.values()] == [*names.predicates.values()]


@given(formulas(COUNTING, 3, ("x",)), models())
def test_substitution_is_evaluation_of_the_value(formula: Formula, model: Model) -> None:
    filled = substituted(formula, {"x": Const("b")})
    assert free_variables(filled) == ()
    bound = ast.Quantified(quantifier="forall", variable="x", restrictor=ast.Equal(Var("x"), Const("b")), scope=formula)
    assert value(to_json(filled), model, "middle", KINDS) == value(to_json(bound), model, "middle", KINDS)


@given(formulas(FULL, 3))
def test_substitution_catches_no_variable(formula: Formula) -> None:
    opened = ast.And(formula, ast.Atom("f", (Var("w"),)))
    inside = ast.Quantified(quantifier="exists", variable="x", restrictor=ast.TRUE, scope=opened)
    assert free_variables(substituted(inside, {"w": Var("x")})) == ("x",)


@given(formulas(MONADIC, 3))
def test_sorts_of_formulas_without_occasions_stay(formula: Formula) -> None:
    assert sorts.resolve([formula]) == (formula,)


@given(some_tables(), st.sampled_from(CONNECTIVES), st.sampled_from("TFU"))
def test_a_cover_holds_the_cells_with_a_value_and_no_other(
    projection: Projection, name: Connective, wanted: str
) -> None:
    table = projection.table(name)
    covered = {left + right for lefts, rights in cover(table, wanted) for left in lefts for right in rights}
    assert covered == {cell for cell, each in zip(CELLS, table, strict=True) if each == wanted}
