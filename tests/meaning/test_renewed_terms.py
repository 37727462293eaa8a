"""Terms keep the names of their variables, but for those that stand in one term for a second time."""

from __future__ import annotations

import pytest

from gramprobe.formula.ast import And, Argument, Atom, Const, Lambda, Quantified, as_formula, walk
from gramprobe.formula.binding import free_variables
from gramprobe.formula.notation import parse, parse_meaning
from gramprobe.meaning.antecedents import tidied
from gramprobe.meaning.terms import Terms


def bound(term: Argument) -> list[str]:
    return [each.variable for each in walk(term) if isinstance(each, Quantified | Lambda)]


@pytest.mark.parametrize(
    "text",
    [
        "exists x. (boxer(x), think[emma] exists y. (friend(y, x), praise(y, x)))",
        "think[emma] forall x. (boxer(x), run(x) & exists y. (friend(y, x), run(y)))",
        "exists x. (boxer(x), x = emma | ~praise(emma, x))",
    ],
)
def test_what_stands_for_a_second_time_has_variables_of_its_own(text: str) -> None:
    formula, terms = parse(text), Terms()
    terms.name_from("0")
    twice = terms.evaluate(And(Atom("p"), Atom("p")), {"p": formula}, set())
    assert isinstance(twice, And)
    assert twice.left is formula
    assert len(set(bound(twice))) == len(bound(twice)) == 2 * len(bound(formula))
    assert tidied(twice.right)[0] == tidied(formula)[0]


def test_a_part_that_binds_nothing_is_the_same_object() -> None:
    whole = parse("think[emma] run(noah) & exists x. (boxer(x), praise(x, noah))")
    assert isinstance(whole, And)
    again = Terms().renewed(whole, {})
    assert again.left is whole.left
    assert again.right != whole.right


def test_a_function_that_stands_for_a_second_time_is_said_of_variables_of_its_own() -> None:
    some = parse_meaning(r"\P. exists x. (boxer(x), P(x))")
    again = Terms().renewed(some, {})
    assert isinstance(again, Lambda)
    assert not set(bound(again)) & set(bound(some))
    assert free_variables(again) == ()
    said = as_formula(Terms().apply(again, Const("run")))
    assert tidied(said)[0] == parse("exists x. (boxer(x), run(x))")
