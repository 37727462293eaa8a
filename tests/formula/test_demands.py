"""What a theory has determiners presuppose, put into formulas."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramprobe.formula.demands import MOST, NAMES, NUMBERS, met
from gramprobe.formula.notation import parse, show
from gramprobe.project import load
from gramprobe.source.diagnostic import Findings

EVERY = "(atleast determiners x. (n(x), true)) / forall x. (n(x), p(x))"


@pytest.mark.parametrize(
    ("demand", "expected"),
    [
        ("none", "forall x. (n(x), p(x))"),
        ("one", "(exists x. (n(x), true)) / forall x. (n(x), p(x))"),
        ("two", "(atleast 2 x. (n(x), true)) / forall x. (n(x), p(x))"),
    ],
)
def test_a_demand_is_met(demand: str, expected: str) -> None:
    assert met(parse(EVERY), {"determiners": demand}) == parse(expected)
    below = f"~K[a] ({EVERY})"
    assert met(parse(below), {"determiners": demand}) == parse(f"~K[a] ({expected})")


def test_what_is_demanded_of_two_nouns_is_joined() -> None:
    formula = parse("((atleast determiners x. (n(x), true)) & (atleast partitives y. (m(y), true))) / p")
    assert show(met(formula, {"determiners": "none", "partitives": "none"})) == "p"
    one = met(formula, {"determiners": "none", "partitives": "two"})
    assert one == parse("(atleast 2 y. (m(y), true)) / p")


def test_a_formula_without_a_demand_is_itself() -> None:
    formula = parse("true / (true & forall x. (n(x), p(x)))")
    assert met(formula, MOST) is formula


def test_a_later_file_takes_back_what_an_earlier_one_demands(tmp_path: Path) -> None:
    (tmp_path / "logic").mkdir()
    text = "theory weak\ninclude scope\ndeterminers presuppose none\n"
    (tmp_path / "logic" / "weak.logic").write_text(text, encoding="utf-8")
    declarations, findings = load(tmp_path).declarations, Findings()
    of = {name: declarations.theory(name, None, findings) for name in ("classical", "scope", "weak")}
    assert [theory and dict(theory.demands) for theory in of.values()] == [
        {"determiners": "none", "partitives": "none"},
        {"determiners": "two", "partitives": "two"},
        {"determiners": "none", "partitives": "two"},
    ]
    assert not findings.failed and set(NAMES) == set(MOST) and set(MOST.values()) <= set(NUMBERS)
