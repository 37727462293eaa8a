"""Reasons, word by word: the witness, the counterexample and the world are the ones that settle the value."""

from __future__ import annotations

import pytest

from gramprobe.certify.model import Model
from gramprobe.explain.reason import Reasons
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Operator, TheorySlice

THEORY = TheorySlice(
    operators=(
        Operator(name="K", kind="box"),
        Operator(name="may", kind="diamond"),
        Operator(name="forget", kind="neighbourhood"),
    )
)
MODEL = Model(
    worlds=2, individuals=3, actual=0, constants={"amy": 0, "bo": 1},
    predicates={
        "p": (frozenset({()}), frozenset()),
        "q": (frozenset(), frozenset({()})),
        "cat": (frozenset({(1,), (2,)}), frozenset()),
        "nap": (frozenset({(2,)}), frozenset({(0,)})),
    },
    relations={
        "K[0]": frozenset({(0, 0), (0, 1)}), "K[1]": frozenset({(0, 1)}), "K[2]": frozenset(),
        "may": frozenset({(0, 1), (1, 1)}),
    },
    occasions=0,
    neighbourhoods={"forget[0]": (frozenset({frozenset({0})}), frozenset())},
)  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "value", "reason"),
    [
        ("p & q", "F", "`q` does not hold at w0"),
        ("q | p", "T", "`p` holds at w0"),
        ("q -> false", "T", "`q` does not hold at w0"),
        ("p <-> q", "F", "`p` holds at w0, and `q` does not hold at w0"),
        ("~true", "F", "`true` is always true"),
        ("q / p", "U", "it presupposes `q`, and `q` does not hold at w0"),
        ("p / q", "F", "what it presupposes holds (`p` holds at w0), and `q` does not hold at w0"),
        ("q | (q / p)", "U", "it presupposes `q`, and `q` does not hold at w0"),
        ("K[amy] p", "F", "w0 sees w1 by K[amy], and `p` does not hold at w1"),
        ("K[amy] (p | q)", "T", "`p | q` is true in all worlds that w0 sees by K[amy] (w0, w1)"),
        ("K[amy] (p / p)", "U", "w0 sees w1 by K[amy], and it presupposes `p`, and `p` does not hold at w1"),
        ("K[bo] q", "T", "w0 sees only w1 by K[bo], and `q` holds at w1"),
        ("may p", "F", "w0 sees only w1 by may, and `p` does not hold at w1"),
        ("exists x. K[x] false", "T", "w0 sees no world by K[d2]"),
        ("K[bo] (p @ here)", "T", "w0 sees only w1 by K[bo], and `p` holds at w0"),
        ("forget[amy] p", "T", "`p` is true exactly in w0, and forget[amy] picks out {w0} at w0"),
        ("forget[amy] false", "F",
         "`false` is true in no world, and forget[amy] does not pick out the empty set at w0"),
        ("forall x. (cat(x), nap(x))", "F", "`cat(bo)` holds at w0, and `nap(bo)` does not hold at w0"),
        ("exists x. (cat(x), nap(x))", "T", "`cat(d2)` holds at w0, and `nap(d2)` holds at w0"),
        ("forall x. (nap(x), cat(x))", "T", "the only one with `nap(x)` (d2) has `cat(x)` at w0"),
        ("exists x. (cat(x) & nap(x), x = amy)", "F",
         "the only one with `cat(x) & nap(x)` (d2) does not have `x = amy` at w0"),
        ("forall x. (cat(x) & x = amy, q)", "T", "no individual has `cat(x) & x = amy` at w0"),
        ("atleast 2 x. (cat(x), nap(x))", "F",
         "1 of the 2 with `cat(x)` (bo, d2) has `nap(x)` at w0, and at least 2 are wanted"),
        ("exactly 2 x. cat(x)", "T", "2 individuals have `cat(x)` (bo, d2) at w0, and exactly 2 are wanted"),
        ("the x. (cat(x), nap(x))", "U", "2 individuals have `cat(x)` (bo, d2) at w0, not exactly one"),
        ("the x. (nap(x), cat(x))", "T", "the only x with `nap(x)` is d2, and `cat(d2)` holds at w0"),
        ("forall x. (cat(x), nap(x) / nap(x))", "U", "it presupposes `nap(bo)`, and `nap(bo)` does not hold at w0"),
    ],
)  # fmt: skip
def test_a_reason(formula: str, value: str, reason: str) -> None:
    reasons, read = Reasons(MODEL, THEORY), parse(formula, operators=["K", "may", "forget"])
    assert (reasons.value(read), reasons.because(read)) == (value, reason)


def test_deep_down_a_value_is_given_without_a_reason() -> None:
    deep = parse("~" * 9 + "(p & q)", operators=[])
    assert Reasons(MODEL, THEORY).because(deep) == "`~~(p & q)` is false at w0"


def test_one_world_needs_no_name() -> None:
    single = Model(worlds=1, individuals=1, actual=0, constants={}, predicates={"p": (frozenset({()}),)})
    assert Reasons(single, TheorySlice()).because(parse("p")) == "`p` holds"
