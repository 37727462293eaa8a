"""What occurs in formulas."""

from __future__ import annotations

from gramprobe.formula import ast
from gramprobe.formula.ast import Atom, Const, Var
from gramprobe.formula.measure import symbols


def test_names_are_those_of_predicates_constants_operators_and_agents() -> None:
    seen = ast.And(Atom("see", (Var("x"), Const("bob"))), ast.Modal("poss", None, Atom("rain")))
    some = ast.Quantified(quantifier="exists", variable="x", restrictor=Atom("nurse", (Var("x"),)), scope=seen)
    whole = ast.Modal("know", Const("ann"), some)
    assert symbols(whole).names == {"know", "ann", "nurse", "see", "bob", "poss", "rain"}
