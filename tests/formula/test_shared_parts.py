"""Parts that stand in a formula several times: one object, looked at once."""

from __future__ import annotations

from gramprobe.formula import ast
from gramprobe.formula.ast import And, Atom, Const, Lambda, Or, Quantified
from gramprobe.formula.binding import rename, renaming
from gramprobe.formula.canonical import canonical
from gramprobe.formula.definitions import expand
from gramprobe.formula.measure import symbols
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Definition, TheorySlice

SEES = Atom("sees", (ast.Var("x"), Const("jo")))


def test_equal_parts_of_a_renamed_formula_are_one_object() -> None:
    filled = renaming(parse("B[a] (f(a) | ~f(a)) / thinks[a] f(a)"), ["a", "b"])({"a": "amy", "b": "bo"})
    assert filled == parse("B[amy] (f(amy) | ~f(amy)) / thinks[amy] f(amy)")
    atoms = [part for part in ast.walk(filled) if isinstance(part, Atom)]
    assert len(atoms) == 3
    assert len({id(atom) for atom in atoms}) == 1


def test_parts_without_the_names_are_one_object_too() -> None:
    filled = renaming(parse("(p & q) | (p & q) & r(a)"), ["a"])({"a": "b"})
    assert isinstance(filled, Or)
    assert isinstance(filled.right, And)
    assert filled.left is filled.right.left


def test_names_are_exchanged_in_all_places_at_once() -> None:
    assert rename(parse("f(a) & K[a] a & g(b)"), {"a": "b", "b": "a"}) == parse("f(b) & K[b] b & g(a)")
    assert rename(parse("K[a] p"), {"K": "B"}) == parse("B[a] p")


def test_an_object_in_several_places_is_met_in_the_first_of_them() -> None:
    formula = And(Or(SEES, ast.TRUE), SEES)
    assert [*ast.once(formula)] == [formula, formula.left, SEES, *SEES.args, ast.TRUE]
    assert len([*ast.walk(formula)]) == 9


def test_a_part_is_written_as_often_as_its_variable_is_another_one() -> None:
    """One object below two quantifiers that bind its variable at different depths has two texts."""
    inner = Quantified(quantifier="exists", variable="x", restrictor=ast.TRUE, scope=ast.Not(SEES))
    outer = Quantified(quantifier="forall", variable="x", restrictor=ast.Not(SEES), scope=inner)
    shared = canonical(outer, inner, TheorySlice())
    apart = parse("forall x. (~sees(x, jo), exists x. (true, ~sees(x, jo)))")
    assert shared == canonical(apart, parse("exists x. (true, ~sees(x, jo))"), TheorySlice())
    assert '"x1"],["const"' in shared[0]


def test_postulates_that_share_a_part_are_written_in_an_order_without_names() -> None:
    part = ast.Not(Atom("q"))
    theory = TheorySlice(postulates=(Or(Atom("r"), part), And(part, Atom("s"))))
    apart = TheorySlice(postulates=(parse("r | ~q"), parse("~q & s")))
    assert canonical(Atom("p"), part, theory) == canonical(Atom("p"), parse("~q"), apart)


def test_a_predicate_that_is_bound_in_one_place_is_a_symbol_of_another() -> None:
    part = Atom("P", (Const("jo"),))
    assert symbols(And(Lambda("P", part), part)).predicates == (("P", 1),)
    assert symbols(Lambda("P", part)).predicates == ()


def test_a_definition_is_written_out_in_each_place() -> None:
    part = parse("nec p")
    nec = {"nec": Definition("nec", None, "F", parse("~poss ~F"))}
    assert expand(And(part, part), nec) == parse("~poss ~p & ~poss ~p")
