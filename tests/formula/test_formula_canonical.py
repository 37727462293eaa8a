"""Shapes: the differences between pairs that leave their canonical text the same, and those that do not."""

from __future__ import annotations

import pytest

from gramprobe.formula import sorts
from gramprobe.formula.ast import Quantified
from gramprobe.formula.canonical import canonical
from gramprobe.formula.lexer import FormulaError
from gramprobe.formula.notation import parse, show
from gramprobe.formula.theory import MIDDLE, STRONG, WEAK, Operator, TheorySlice

REFLEXIVE = Operator(name="poss", kind="diamond", frame=frozenset({"reflexive"}))


def text(premise: str, hypothesis: str, theory: TheorySlice | None = None) -> str:
    return canonical(parse(premise), parse(hypothesis), theory or TheorySlice())[0]


def test_names_and_variables_do_not_matter() -> None:
    one = text("the x. (cat(x) & has(jo, x), yawn(x))", "exists y. (cat(y) & has(jo, y))")
    assert one == text("the z. (dog(z) & owns(amy, z), run(z))", "exists x. (dog(x) & owns(amy, x))")
    assert one != text("the x. (cat(x) & has(jo, x), yawn(x))", "exists y. (cat(y) & has(amy, y))")


def test_coinciding_names_make_another_shape() -> None:
    assert text("f(a) & g(b)", "f(b)") != text("f(a) & f(b)", "f(b)")
    assert text("f(a) & g(b)", "f(b)") != text("f(a) & g(a)", "f(a)")


def test_predicates_of_different_arity_are_different() -> None:
    assert text("p & p(a)", "p") == text("p & q(a)", "p")


def test_a_frame_class_is_kept_and_an_idle_operator_left_out() -> None:
    serial = Operator(name="poss", kind="diamond", frame=frozenset({"serial"}))
    assert text("poss p", "p", TheorySlice(operators=(REFLEXIVE,))) != text(
        "poss p", "p", TheorySlice(operators=(serial,))
    )
    assert text("p", "q", TheorySlice(operators=(REFLEXIVE,))) == text("p", "q")


def test_related_operators_come_along() -> None:
    know = Operator(name="know", kind="box", frame=frozenset({"reflexive"}))
    believe = Operator(
        name="believe", kind="box", frame=frozenset({"serial"}), within=("know",), introspected_by=("know",)
    )
    text, renaming = canonical(parse("believe[a] p"), parse("p"), TheorySlice(operators=(believe, know)))
    assert renaming.operators == {"believe": "o0", "know": "o1"}
    assert '["o0","box",["serial"],["o1"],["o1"]],["o1","box",["reflexive"],[],[]]' in text


@pytest.mark.parametrize(
    ("formula", "differs"),
    [
        ("p", False),
        ("p / q", False),  # a gap by itself is one in all of them
        ("~(p / q)", False),
        ("(p / q) & r", True),  # undefined and false
        ("(p / q) -> (r / ~r)", True),
        ("~(p & q) / (p | q)", False),
        ("forall x. (cat(x) / tame(x))", True),
        ("(the x. (cat(x), tame(x))) | p", True),
        ("(p / q) <-> r", False),
    ],
)
def test_a_projection_matters_only_where_a_gap_may_have_another_value(formula: str, differs: bool) -> None:
    strong = TheorySlice(projection=STRONG)
    assert (text(formula, "q", strong) != text(formula, "q")) is differs
    assert (text("q", formula, strong) != text("q", formula)) is differs
    assert text(formula, "q", TheorySlice(projection=MIDDLE)) == text(formula, "q")


def test_weak_and_middle_differ_in_a_gap_on_the_right_alone() -> None:
    weak = TheorySlice(projection=WEAK)
    assert text("(p / q) -> r", "q", weak) == text("(p / q) -> r", "q")
    assert text("r -> (p / q)", "q", weak) != text("r -> (p / q)", "q")


def test_the_order_of_postulates_does_not_matter() -> None:
    postulates = [parse("forall x. (cat(x) -> animal(x))"), parse("forall x. (animal(x) -> alive(x))"),
                  parse("person(jo)")]  # fmt: skip
    texts = {
        text(
            "exists x. (cat(x) & has(jo, x))", "exists x. animal(x)", TheorySlice(operators=(), postulates=tuple(order))
        )
        for order in (postulates, postulates[::-1], [postulates[1], postulates[2], postulates[0]])
    }
    assert len(texts) == 1


def test_free_variables_and_open_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="free"):
        canonical(parse("f(x)", variables=["x"]), parse("p"), TheorySlice())
    with pytest.raises(ValueError, match="no number yet"):
        canonical(parse("atleast n x. f(x)"), parse("p"), TheorySlice())
    with pytest.raises(ValueError, match="does not declare"):
        canonical(parse("poss p"), parse("p"), TheorySlice())


def test_sorts_follow_from_use() -> None:
    one, other = sorts.resolve(
        [parse("usually t. (monday(t), meet(jo, t))"), parse("~exists x. atleast 2 t. meet(x, t)")]
    )
    assert show(other) == "~exists x. sometimes t. meet(x, t)"
    assert isinstance(one, Quantified)
    assert one.sort == "occasion"
    with pytest.raises(FormulaError, match="`jo` is a name"):
        sorts.resolve([parse("always t. (f(t), g(t))"), parse("f(jo)")])
