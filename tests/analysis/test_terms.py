"""Tests of whole terms and marginal means: they are those of lmerTest and emmeans (frozen: freeze.py)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import stdtrit
from support.choices import choices

from gramprobe.analysis.mixed.coding import contrasts
from gramprobe.analysis.mixed.model import AnswerModel, Model, answer_model, mixed_model
from gramprobe.analysis.mixed.polynomials import Polynomials
from gramprobe.analysis.mixed.terms import marginal_means, term_tests
from gramprobe.source.diagnostic import AuthoringError, UsageError

FROZEN: dict[str, Any] = json.loads((Path(__file__).parent / "anova.json").read_text("utf-8"))


@cache
def linear(name: str) -> Model:
    codings = {"treatment": {"c": "treatment"}}.get(name, {})
    return mixed_model(FROZEN["anova"][name]["formula"], choices(), codings=codings)


@cache
def of(kind: str) -> Model | AnswerModel:
    formula = FROZEN["means"][kind]["formula"]
    return mixed_model(formula, choices()) if kind == "linear" else answer_model(formula, choices(), "binomial")


@pytest.mark.parametrize("name", FROZEN["anova"])
def test_f_of_type_three_is_that_of_lmertest(name: str) -> None:
    theirs = FROZEN["anova"][name]
    ours = {test.name: test for test in term_tests(linear(name))}
    assert len(ours) == len(theirs["terms"])
    for i, term in enumerate(theirs["terms"]):
        test = ours[term]
        assert test.numerator == theirs["numerator"][i]
        assert test.f == pytest.approx(theirs["F"][i], rel=1e-3)
        assert test.denominator == pytest.approx(theirs["denominator"][i], rel=1e-3)
        assert test.p_f == pytest.approx(theirs["p"][i], rel=1e-2)


@pytest.mark.parametrize("kind", ["linear", "binomial"])
def test_likelihood_ratios_are_those_of_r(kind: str) -> None:
    theirs = FROZEN["ratio"][kind]
    test = next(test for test in term_tests(of(kind)) if test.name == theirs["term"])
    assert test.ratio == pytest.approx(theirs["chi2"], rel=1e-5)
    assert test.numerator == theirs["df"] and test.p_ratio == pytest.approx(theirs["p"], rel=1e-5)
    assert (test.f is None) == (kind == "binomial")


def test_the_ratio_of_an_ordinal_term_is_the_difference_of_two_fits() -> None:
    whole = answer_model("r ~ a + c + (1 | s)", choices(), "ordinal")
    part = answer_model("r ~ a + (1 | s)", choices(), "ordinal")
    test = next(test for test in term_tests(whole) if test.name == "c")
    assert test.numerator == 2
    assert test.ratio == pytest.approx(part.fit.deviance - whole.fit.deviance, abs=1e-6)


def test_a_test_of_one_effect_is_its_t() -> None:
    model = linear("interaction")
    effect = next(e for e in model.fit.effects() if e.name == "x")
    test = next(test for test in term_tests(model) if test.name == "x")
    assert test.f == pytest.approx(effect.t**2) and test.p_f == pytest.approx(effect.p)


def test_the_coding_of_a_factor_does_not_change_the_test() -> None:
    tests = []
    for coding in ("treatment", "sum", "helmert", "sliding"):
        model = mixed_model("r ~ a * c + (1 | s)", choices(), codings={"c": coding})
        tests.append([(test.name, round(test.f or 0.0, 6), round(test.ratio, 6)) for test in term_tests(model)])
    assert tests[0] == tests[1] == tests[2] == tests[3]


@pytest.mark.parametrize("kind", ["linear", "binomial"])
def test_marginal_means_are_those_of_emmeans(kind: str) -> None:
    theirs, model = FROZEN["means"][kind], of(kind)
    ours = marginal_means(model.design, model.fit, ("c",))
    assert [each.name for each in ours.means] == ["c0", "c1", "c2"]
    assert [each.name for each in ours.differences] == ["c0 - c1", "c0 - c2", "c1 - c2"]
    assert [each.estimate for each in ours.means] == pytest.approx(theirs["mean"], abs=1e-5)
    assert [each.error for each in ours.means] == pytest.approx(theirs["error"], rel=1e-4)
    if kind == "linear":
        assert [each.df for each in ours.means] == pytest.approx(theirs["df"], rel=1e-4)
    assert [each.estimate for each in ours.differences] == pytest.approx(theirs["difference"], abs=1e-5)
    assert [each.error for each in ours.differences] == pytest.approx(theirs["difference_error"], rel=1e-4)
    assert ours.p_holm == pytest.approx(theirs["p"], rel=1e-4)


def test_means_of_cells_are_those_of_the_rows_where_the_design_is_full() -> None:
    """Without random effects and with every cell of its own the marginal mean of a cell is its mean."""
    table = choices()
    letters = table.set_column(
        table.column_names.index("a"), "a", pa.array(np.where(np.array(table["a"]) > 0, "yes", "no"))
    )
    model = mixed_model("x ~ a * c", letters)
    found = marginal_means(model.design, model.fit, ("a", "c"))
    assert len(found.means) == 6 and len(found.differences) == 15
    a, c, x = (np.array(letters[name]) for name in ("a", "c", "x"))
    cells = {"no, c0": x[(a == "no") & (c == "c0")].mean(), "yes, c2": x[(a == "yes") & (c == "c2")].mean()}
    for name, mean in cells.items():
        assert next(each for each in found.means if each.name == name).estimate == pytest.approx(mean)


def test_an_ordinal_model_has_differences_and_no_means() -> None:
    model = answer_model("r ~ c + (1 | s)", choices(), "ordinal")
    found = marginal_means(model.design, model.fit, ("c",))
    assert found.means == [] and len(found.differences) == 3
    first, second = model.fit.coefficients  # sum contrasts: the third level is less both
    assert [each.estimate for each in found.differences] == pytest.approx(
        [first - second, 2 * first + second, first + 2 * second]
    )


def test_what_is_no_factor_has_no_means() -> None:
    model = linear("interaction")
    with pytest.raises(UsageError, match="no factor `x`"):
        marginal_means(model.design, model.fit, ("x",))


@pytest.mark.parametrize("kind", ["linear", "binomial"])
def test_a_difference_is_equivalent_where_its_interval_of_90_percent_lies_within_the_margin(kind: str) -> None:
    model = of(kind)
    plain = marginal_means(model.design, model.fit, ("c",))
    each = plain.differences[2]
    by_t = kind == "linear"
    quantile = float(stdtrit(each.df, 0.95)) if by_t else 1.6448536
    edge = abs(each.estimate) + quantile * each.error
    for margin, p in ((edge, 0.05), (abs(each.estimate), 0.5)):
        found = marginal_means(model.design, model.fit, ("c",), margin)
        assert isinstance(found.p_equivalent, list) and found.p_equivalent[2] == pytest.approx(p)
    wide = marginal_means(model.design, model.fit, ("c",), 2 * edge)
    assert isinstance(wide.p_equivalent, list) and wide.p_equivalent[2] < 0.05


# Codings and functions of whole columns.


def test_sliding_differences_are_those_of_neighbouring_levels() -> None:
    means = np.array([1.0, 4.0, 2.0, 7.0])
    matrix = np.column_stack([np.ones(4), contrasts("sliding", 4)])
    assert np.linalg.solve(matrix, means) == pytest.approx([means.mean(), 3.0, -2.0, 5.0])


def test_polynomials_are_orthogonal_and_those_of_r() -> None:
    """poly(c(1, 2, 4, 8), 2) in R."""
    column = np.array([1.0, 2.0, 4.0, 8.0])
    found = Polynomials(column, 2)
    first, second = found(1, column), found(2, column)
    assert first == pytest.approx([-0.51287764, -0.32637668, 0.04662524, 0.79262909])
    assert second == pytest.approx([0.5296271, -0.1059254, -0.7679594, 0.3442576], abs=1e-7)
    assert Polynomials(column, 1, unit=True)(1, column) == pytest.approx((column - 3.75) / column.std(ddof=1))


def test_scale_and_poly_in_a_formula() -> None:
    table = choices()
    x = np.array(table["x"])
    own = table.append_column("z", pa.array((x - x.mean()) / x.std(ddof=1)))
    scaled = mixed_model("r ~ scale(x) * a + (1 + scale(x) | s)", own).fit
    by_hand = mixed_model("r ~ z * a + (1 + z | s)", own).fit
    assert scaled.layout.fixed == ("(Intercept)", "scale(x)", "a", "scale(x):a")
    assert scaled.coefficients == pytest.approx(by_hand.coefficients) and scaled.deviance == pytest.approx(
        by_hand.deviance, rel=1e-13
    )
    curved = mixed_model("r ~ poly(x, 2) + (1 | s)", own).fit
    powers = mixed_model("r ~ x + w + (1 | s)", own.append_column("w", pa.array(x**2))).fit
    assert curved.layout.fixed == ("(Intercept)", "poly(x, 2)1", "poly(x, 2)2")
    assert curved.effects()[2].t == pytest.approx(powers.effects()[2].t)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("r ~ poly(x)", "`poly` is called as `poly(x, 2)`"),
        ("r ~ scale(x, 2)", "`scale` is called as `scale(x)`"),
        ("r ~ scale(c)", "`scale` is for numbers, not for factors"),
        ("r ~ a, c", "a comma stands in `poly(x, 2)` only"),
    ],
)
def test_functions_that_are_called_wrongly(formula: str, message: str) -> None:
    with pytest.raises(AuthoringError) as error:
        mixed_model(formula, choices())
    assert message in error.value.diagnostics[0].message
