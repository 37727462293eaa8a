"""The notation: strength, reach, sugar, descriptions, word meanings, and the errors an author meets."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gramprobe.formula.ast import (
    And,
    Atom,
    Const,
    Description,
    Equal,
    Here,
    Iff,
    Implies,
    Interrogative,
    Lambda,
    Modal,
    Not,
    Or,
    Presupposing,
    Quantified,
    Truth,
    Var,
)  # fmt: skip
from gramprobe.formula.notation import FormulaError, parse, parse_meaning, show
from gramprobe.formula.reader import expand

P, Q, R, S = (Atom(name) for name in "pqrs")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("p & q | r -> s", Implies(Or(And(P, Q), R), S)),
        ("p -> q -> r", Implies(P, Implies(Q, R))),
        ("p <-> q -> r", Iff(P, Implies(Q, R))),
        ("p / q & r", And(Presupposing(P, Q), R)),
        ("~p @ here", Here(Not(P))),
        ("~(p @ here) / q", Presupposing(Not(Here(P)), Q)),
        ("K[a] p & q", And(Modal("K", Const("a"), P), Q)),
        ("poss ~p -> q", Implies(Modal("poss", None, Not(P)), Q)),
        ("? p & q", Interrogative(And(P, Q))),
        (
            "forall x. f(x) & q",
            Quantified(
                quantifier="forall",
                variable="x",
                restrictor=Truth(True),
                scope=And(Atom("f", (Var("x"),)), Q),
            ),
        ),
        (
            "forall x. (f(x), p) & q",
            And(Quantified(quantifier="forall", variable="x", restrictor=Atom("f", (Var("x"),)), scope=P), Q),
        ),
        (
            "atleast 2 x. p & q",
            And(Quantified(quantifier="atleast", count=2, variable="x", restrictor=Truth(True), scope=P), Q),
        ),
        (
            "p & exists x. q & r",
            And(P, Quantified(quantifier="exists", variable="x", restrictor=Truth(True), scope=And(Q, R))),
        ),
        (
            "never t. (p, q)",
            Quantified(quantifier="forall", variable="t", restrictor=P, scope=Not(Q), sort="occasion"),
        ),
        (
            "sometimes t. (p, q)",
            Quantified(quantifier="atleast", count=2, variable="t", restrictor=P, scope=Q, sort="occasion"),
        ),
        (
            "usually t. (p, q)",
            Quantified(quantifier="most", variable="t", restrictor=P, scope=Q, sort="occasion"),
        ),
        ("x != c", Not(Equal(Const("x"), Const("c")))),
        (
            "f(the x. (g(x)))",
            Quantified(
                quantifier="the",
                variable="x",
                restrictor=Atom("g", (Var("x"),)),
                scope=Atom("f", (Var("x"),)),
            ),
        ),
        (
            "¬∀x.p ∨ □q",
            Not(
                Quantified(
                    quantifier="forall",
                    variable="x",
                    restrictor=Truth(True),
                    scope=Or(P, Modal("nec", None, Q)),
                )
            ),
        ),
    ],
)
def test_reading(text: str, formula: object) -> None:
    assert parse(text) == formula


def test_an_inner_binder_may_reuse_a_name() -> None:
    assert show(parse("forall x. (f(x) -> exists x. g(x)) & f(x)")) == "forall x. (f(x) -> exists x. g(x)) & f(x)"


def test_a_description_in_an_atom_captures_no_variable() -> None:
    formula = parse("exists x. r(x, the x. (f(x)))")
    assert show(formula) == "exists x. the x1. (f(x1), r(x, x1))"


def test_two_descriptions_in_one_atom_the_first_is_widest() -> None:
    assert show(parse("r(the x. (f(x)), the x. (g(x)))")) == "the x. (f(x), the x1. (g(x1), r(x, x1)))"


def test_a_description_inside_a_description() -> None:
    assert show(parse("f(the x. (g(x) & r(jo, the y. (h(y)))))")) == (
        "the x. (g(x) & (the y. (h(y), r(jo, y))), f(x))".replace(
            "& (the y. (h(y), r(jo, y)))", "& the y. (h(y), r(jo, y))"
        )
    )


def test_the_meaning_of_a_noun_phrase_stays_a_description() -> None:
    meaning = parse_meaning("the y. (n(y) & has(p, y))", variables=["n", "p"])
    assert isinstance(meaning, Description)
    composed = Atom("yawn", (meaning,))
    assert show(expand(composed)) == "the y. (n(y) & has(p, y), yawn(y))"


def test_lambdas_and_dotted_names() -> None:
    meaning = parse_meaning(r"\v. exactly n.value x. (n(x), v(x))", variables=["n"])
    assert isinstance(meaning, Lambda)
    assert isinstance(meaning.body, Quantified)
    assert meaning.body.count == "n.value"
    assert parse(r"s(\x. v(x))") == Atom("s", (Lambda("x", Atom("v", (Var("x"),))),))
    assert parse("forall x.f(x)") == parse("forall x. f(x)")


def test_an_operator_of_the_theory_wants_no_space() -> None:
    assert parse("poss(p & q)", operators=["poss"]) == Modal("poss", None, And(P, Q))
    assert parse("see(a, b)", operators=["see"]) == Atom("see", (Const("a"), Const("b")))
    assert parse("cat (jo)", operators=["poss"]) == Atom("cat", (Const("jo"),))


@pytest.mark.parametrize(
    ("text", "message", "offset", "hint"),
    [
        ("p and q", "`and` is no word of formulas", 2, "write `&`: `p & q`"),
        ("p implies q", "`implies` is no word of formulas", 2, "write `->`: `p -> q`"),
        ("not p", "`not` is no word of formulas", 0, "write `~`: `~p`"),
        ("p & not q", "`not` is no word of formulas", 4, "write `~`: `~p`"),
        ("every x. (P(x), Q(x))", "`every` is no word of formulas", 0, "write `forall`: `forall x. (F, G)`"),
        ("some x. P(x)", "`some` is no word of formulas", 0, "write `exists`: `exists x. (F, G)`"),
        ("P(c) or q", "the formula ends before `or`", 5, "write `|`: `p | q`"),
        ("pos p", "the theory has no operator `pos`", 0, "did you mean `poss`?"),
        ("p & knw[a] q", "the theory has no operator `knw`", 4, "did you mean `know`?"),
        ("p & (q | r", "this `(` is never closed", 4, "add `)`"),
        ("p ^ q", "`^` is no part of a formula", 2, "write `&` for and"),
        ("p & ? q", "`?` stands only outermost", 4, "put it first: `? F`"),
        ("(p, q)", "a pair `(F, G)` stands only after a quantifier", 0, "write `forall x. (F, G)`"),
        ("the x. (f(x))", "a formula is wanted here, and this is a term", 0, "write `the x. (F, G)`"),
        ("p &", "a formula is wanted, but the formula ends", 3, ""),
        ("most x, y. p", "`most` binds one variable", 0, "nest one in the other"),
    ],
)
def test_errors_say_where_and_what_to_write(text: str, message: str, offset: int, hint: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text, operators=["poss", "know"])
    assert (caught.value.message, caught.value.offset, caught.value.hint) == (message, offset, hint)


@pytest.mark.process
def test_the_package_is_a_leaf() -> None:
    code = (
        "import sys, gramprobe.formula.notation, gramprobe.formula.canonical, gramprobe.decide.verdict\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'lark', 'pysat', 'numpy', 'nltk'}))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_an_operator_before_a_bound_variable_is_a_predicate() -> None:
    """A variable is no statement, so `see(x)` cannot be the operator `see` before one."""
    x = Var("x")
    assert parse("exists x. see(x)", operators=["see"]) == parse("exists x. see(x)")
    assert parse("exists x. see (see(x))", operators=["see"]) == Quantified(
        quantifier="exists", variable="x", restrictor=Truth(True), scope=Modal("see", None, Atom("see", (x,)))
    )
    assert parse("see(p)", operators=["see"]) == Modal("see", None, Atom("p", ()))
