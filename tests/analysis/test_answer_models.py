"""Logistic and ordinal mixed models: they are those of lme4 and ordinal (frozen: freeze.py), and what they refuse."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from freeze import write_csv
from support import shipped
from support.choices import choices, rare
from support.simulated import normal, uniform

from gramprobe.analysis.mixed.answers import answers_of
from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.family import BINOMIAL, FAMILIES, ORDINAL
from gramprobe.analysis.mixed.formula import parse
from gramprobe.analysis.mixed.frame import frame_of
from gramprobe.analysis.mixed.generalised import GeneralisedFit
from gramprobe.analysis.mixed.laplace import Laplace
from gramprobe.analysis.mixed.minimum import minimum
from gramprobe.analysis.mixed.model import answer_model, mixed_model
from gramprobe.source.diagnostic import AuthoringError

HERE = Path(__file__).parent
FROZEN: dict[str, Any] = json.loads((HERE / "glmer.json").read_text("utf-8"))
#: `make test` fits those that show most: with correlated effects, with independent ones, nested, with three factors of
#: groups, with levels of a factor, with a number, with rare answers
DESIGNS = shipped.only(
    [(family, name) for family in ("binomial", "ordinal") for name in FROZEN[family]],
    [
        *(("binomial", name) for name in ("independent", "correlated", "nested", "rare")),
        *(("ordinal", name) for name in ("slopes", "factor", "number", "three")),
    ],
)


@cache
def fitted(family: str, name: str) -> GeneralisedFit:
    formula = FROZEN[family][name]["formula"]
    return answer_model(formula, rare() if name == "rare" else choices(), family).fit


@pytest.mark.parametrize(("family", "name"), DESIGNS)
def test_likelihood_and_estimates_are_those_of_r(family: str, name: str) -> None:
    ours, theirs = fitted(family, name), FROZEN[family][name]
    assert ours.converged
    assert ours.deviance == pytest.approx(theirs["deviance"], rel=1e-8)
    names = [*(cut.name for cut in ours.thresholds), *ours.layout.fixed]
    assert names == theirs["names"]
    estimates = [*(cut.estimate for cut in ours.thresholds), *ours.coefficients]
    assert estimates == pytest.approx(theirs["estimates"], abs=1e-4)


@pytest.mark.parametrize(("family", "name"), DESIGNS)
def test_standard_errors_are_those_of_r(family: str, name: str) -> None:
    """clmm differentiates its likelihood numerically and is itself off by up to 1.3 %: those of ordinal models are held
    against second differences of the deviance below."""
    ours = fitted(family, name)
    errors = [*(cut.error for cut in ours.thresholds), *np.sqrt(np.diagonal(ours.covariance))]
    assert errors == pytest.approx(FROZEN[family][name]["errors"], rel=1e-3 if family == "binomial" else 0.015)


@pytest.mark.parametrize(("family", "name"), DESIGNS)
def test_variances_are_those_of_r(family: str, name: str) -> None:
    ours = fitted(family, name)
    for term in ours.layout.terms:
        factor = ":".join(reversed(term.factor.split(":")))  # `a/b` is `b:a` there
        found = [
            np.array(each["covariance"])
            for key, each in FROZEN[family][name]["random"].items()
            if key.partition(".")[0] == factor and tuple(each["columns"]) == term.columns
        ]
        assert len(found) == 1
        assert ours.covariance_of(term) == pytest.approx(found[0].reshape((len(term.columns),) * 2), abs=2e-3)


def objective(family: str, formula: str, prior: float | None = None) -> Laplace:
    design, of = Design(parse(formula), frame_of(choices())), FAMILIES[family]
    omitted = ("(Intercept)",) if of.thresholds(5) else ()
    return Laplace(answers_of(design, design.answers, omitted), of, prior=prior)


@pytest.mark.parametrize(
    ("family", "formula", "prior"),
    [
        ("binomial", "y ~ a * b + (1 + a | s) + (1 + a | i)", None),
        ("ordinal", "r ~ x + (1 + x || s) + (1 | g / i)", 2.0),
        ("ordinal", "r ~ a", None),
    ],
)
def test_the_gradient_is_that_of_finite_differences(family: str, formula: str, prior: float | None) -> None:
    deviance = objective(family, formula, prior)
    size = deviance.variances + deviance.thresholds + deviance.layout.p
    point = 0.4 + 0.3 * np.cos(np.arange(size))
    gradient = deviance.gradient(point)[1]
    for i in range(size):
        step = 1e-4 * np.eye(size)[i]
        rise = (deviance.gradient(point + step)[0] - deviance.gradient(point - step)[0]) / 2e-4
        assert gradient[i] == pytest.approx(rise, rel=1e-5, abs=1e-4)


def test_standard_errors_of_an_ordinal_model_are_those_of_second_differences() -> None:
    """Of the deviance alone, in the thresholds themselves: neither the gradient nor the logarithms are used."""
    found = fitted("ordinal", "factor")
    k, cuts = found.objective.variances, np.array([cut.estimate for cut in found.thresholds])
    point = np.concatenate([found.theta, cuts, found.coefficients])

    def deviance(at: np.ndarray) -> float:
        inside = at.copy()
        inside[k + 1 : k + len(cuts)] = np.log(np.diff(at[k : k + len(cuts)]))
        return found.objective.deviance_at(found.objective.mode(inside))

    steps = 1e-3 * np.eye(len(point))
    second = [
        [deviance(point + i + j) - deviance(point + i - j) - deviance(point - i + j) + deviance(point - i - j)
         for j in steps]
        for i in steps
    ]  # fmt: skip
    errors = np.sqrt(np.diagonal(np.linalg.inv(np.array(second) / 8e-6)))[k:]
    ours = [*(cut.error for cut in found.thresholds), *np.sqrt(np.diagonal(found.covariance))]
    assert ours == pytest.approx(errors, rel=1e-4)


def test_one_threshold_at_zero_is_the_binomial_family() -> None:
    eta, answer = normal(1, 0, 50) * 4.0, (uniform(2, 0, 50) < 0.5).astype(np.int64)
    one, other = BINOMIAL.rows(eta, answer, np.zeros(0)), ORDINAL.rows(eta, answer, np.zeros(1))
    for part in ("value", "first", "second", "third"):
        assert getattr(one, part) == pytest.approx(getattr(other, part), abs=1e-12)


@pytest.mark.parametrize("family", [BINOMIAL, ORDINAL])
def test_row_functions_are_derivatives_of_one_another(family: Any) -> None:
    cuts = np.array([-1.0, 0.2, 1.5])[: family.thresholds(4)]
    eta, answer = np.linspace(-6, 6, 40), np.arange(40) % (4 if len(cuts) else 2)
    rows = family.rows(eta, answer, cuts)
    up, down = family.rows(eta + 1e-5, answer, cuts), family.rows(eta - 1e-5, answer, cuts)
    for low, high in (("value", "first"), ("first", "second"), ("second", "third")):
        rise = (getattr(up, low) - getattr(down, low)) / 2e-5
        assert getattr(rows, high) == pytest.approx(rise, abs=1e-6)
    everything = sum(np.exp(family.rows(eta, np.full(40, k), cuts).value) for k in range(4 if len(cuts) else 2))
    assert everything == pytest.approx(np.ones(40))


def test_far_from_the_thresholds_no_digits_are_lost() -> None:
    rows = ORDINAL.rows(np.array([60.0]), np.array([0]), np.array([0.0, 1.0]))
    assert rows.value[0] == pytest.approx(-60.0) and rows.first[0] == pytest.approx(-1.0)


def test_the_unit_of_a_column_does_not_matter() -> None:
    plain = answer_model("y ~ x + (1 + x | s)", choices(), "binomial").fit
    table = choices()
    thousand = table.set_column(table.column_names.index("x"), "x", pa.array(np.array(table["x"]) * 1000.0))
    other = answer_model("y ~ x + (1 + x | s)", thousand, "binomial").fit
    assert other.deviance == pytest.approx(plain.deviance, abs=1e-6)
    assert [e.t for e in other.effects()] == pytest.approx([e.t for e in plain.effects()], rel=1e-4)


def test_the_effects_of_levels_add_up_to_what_the_rows_say() -> None:
    """At the mode the residuals of a level are its effect divided by the variance (the mode's equation)."""
    found = fitted("binomial", "intercepts")
    (variance,) = found.random_terms()[0].columns
    table = choices()
    people, items = np.array(table["s"]), np.array(table["i"])
    effects = {(e.factor, e.level): e.value for e in found.level_effects()}
    a, b = np.array(table["a"]), np.array(table["b"])
    eta = np.column_stack([np.ones(720), a, b, a * b]) @ found.coefficients
    eta += np.array([effects["s", s] + effects["i", i] for s, i in zip(people, items, strict=True)])
    residual = np.array(table["y"]) - 1.0 / (1.0 + np.exp(-eta))
    for level in ("s00", "s17"):
        assert effects["s", level] == pytest.approx(variance.variance * residual[people == level].sum(), abs=1e-5)


# What is tested between few levels, and what cannot be estimated.


def test_an_effect_between_few_levels_is_tested_by_t() -> None:
    effects = {
        e.name: e for e in answer_model("y ~ a * b + (1 + a | s) + (1 | v)", choices(), "binomial").fit.effects()
    }
    between, slope, within = effects["(Intercept)"], effects["a"], effects["b"]
    assert (between.factor, between.levels, between.df) == ("v", 8, 7.0) and between.p == between.p_t
    assert between.p_t > between.p_normal  # type: ignore[operator]
    assert (slope.factor, slope.levels, slope.df) == ("s", 30, 29.0) and slope.p == slope.p_normal
    assert within.factor is None and within.df is None and within.p_t is None
    assert between.high - between.estimate == pytest.approx(2.364624 * between.error)
    assert slope.high - slope.estimate == pytest.approx(1.959964 * slope.error)


def test_an_effect_between_items_leaves_them_two_degrees_less() -> None:
    """The intercept and `b` are both estimated from the items' differences."""
    for family, response in (("binomial", "y"), ("ordinal", "r")):
        effects = answer_model(f"{response} ~ b + (1 | s) + (1 | i)", choices(), family).fit.effects()
        assert effects[-1].name == "b" and (effects[-1].factor, effects[-1].df) == ("i", 22.0)


def separated() -> pa.Table:
    """In one cell of `a` and `b` all answers are right, and all ratings the highest."""
    table = choices()
    cell = (np.array(table["a"]) > 0) & (np.array(table["b"]) > 0)
    y, r = np.where(cell, 1, np.array(table["y"])), np.where(cell, 5, np.array(table["r"]))
    return table.set_column(0, "y", pa.array(y)).set_column(1, "r", pa.array(r))


@pytest.mark.parametrize(
    ("formula", "family", "columns"),
    [
        ("y ~ a * b + (1 | s)", "binomial", "(Intercept), a, b, a:b"),
        ("y ~ a * b + x + (1 | s)", "binomial", "(Intercept), a, b, a:b"),
        ("r ~ a * b + (1 | s)", "ordinal", "a, b, a:b"),
    ],
)
def test_a_cell_that_is_all_right_is_named_and_refused(formula: str, family: str, columns: str) -> None:
    with pytest.raises(AuthoringError) as error:
        answer_model(formula, separated(), family)
    (problem,) = error.value.diagnostics
    assert problem.code == "E98" and problem.message.startswith(columns)
    assert f"a=0.5, b=0.5 (180 rows, all {1 if family == 'binomial' else 5})" in problem.message
    assert "--prior" in str(problem.help)


def test_with_a_prior_it_is_estimated_and_said() -> None:
    model = answer_model("y ~ a * b + (1 | s)", separated(), "binomial", prior=2.5)
    assert model.warnings[0] == "one answer alone in a cell: a=0.5, b=0.5 (180 rows, all 1)"
    assert all(0.2 < effect.error < 3.0 for effect in model.fit.effects())
    wider = answer_model("y ~ a * b + (1 | s)", separated(), "binomial", prior=10.0)
    assert wider.fit.coefficients[3] > model.fit.coefficients[3] > 0.0


def test_a_cell_of_one_answer_in_a_sum_of_effects_is_estimated_and_said() -> None:
    """Without the interaction the other cells say what the effects are."""
    model = answer_model("y ~ a + b + (1 | s)", separated(), "binomial")
    assert model.warnings == ("one answer alone in a cell: a=0.5, b=0.5 (180 rows, all 1)",)


def test_a_wide_prior_changes_nothing() -> None:
    free = answer_model("r ~ a + (1 | s)", choices(), "ordinal").fit
    wide = answer_model("r ~ a + (1 | s)", choices(), "ordinal", prior=1000.0).fit
    assert wide.coefficients == pytest.approx(free.coefficients, abs=1e-5)


@pytest.mark.parametrize(
    ("formula", "family", "message"),
    [
        ("r ~ a", "binomial", "`r` has the 5 values 1, 2, 3, 4, 5"),
        ("x ~ a", "ordinal", "`x` has more than 64 values"),
        ("y ~ a", "ordinal", "`y` has the 2 values 0, 1"),
        ("r ~ 0 + a", "ordinal", "thresholds where others have an intercept"),
    ],
)
def test_answers_that_a_family_does_not_have(formula: str, family: str, message: str) -> None:
    with pytest.raises(AuthoringError) as error:
        answer_model(formula, choices(), family)
    assert message in error.value.diagnostics[0].message


def test_a_share_where_answers_tie_is_no_answer() -> None:
    frame = choices()
    tied = pa.array([0.5, *(float(value) for value in frame["y"].to_pylist()[1:])])
    with pytest.raises(AuthoringError) as error:
        answer_model("y ~ a", frame.set_column(frame.schema.get_field_index("y"), "y", tied), "binomial")
    (problem,) = error.value.diagnostics
    assert "`y` has the 3 values 0, 0.5, 1" in problem.message
    assert "stands where the answers of a model tie" in problem.help


def test_a_linear_model_of_right_and_wrong_warns() -> None:
    (warning,) = mixed_model("y ~ a + (1 | s)", choices()).warnings
    assert warning.startswith("two values: `y` is 0, 1 alone") and "--family binomial" in warning
    assert not mixed_model("x ~ a + (1 | s)", choices()).warnings


@pytest.mark.slow
def test_the_t_of_eight_words_covers_what_z_does_not() -> None:
    """20 studies of 8 words x 12 items with a difference between words: z finds more that is not there."""
    by_z = by_t = 0
    for seed in range(20):
        word, item = np.divmod(np.arange(96), 12)
        between = np.where(word % 2 == 0, 0.5, -0.5)
        eta = 1.2 * normal(seed, 0, 8)[word]
        y = (uniform(seed + 500, 0, 96) < 1.0 / (1.0 + np.exp(-eta))).astype(np.int64)
        table = pa.table({"y": y, "between": between, "word": [f"w{k}" for k in word], "item": [f"i{k}" for k in item]})
        effect = answer_model("y ~ between + (1 | word)", table, "binomial", prior=10.0).fit.effects()[1]
        assert effect.df == 6.0 and isinstance(effect.p_t, float) and isinstance(effect.p_normal, float)
        by_z, by_t = by_z + (effect.p_normal < 0.05), by_t + (effect.p_t < 0.05)
    assert by_t < by_z and by_t <= 2


@pytest.mark.outside("Rscript")
@pytest.mark.slow
def test_r_finds_the_same_today(tmp_path: Path) -> None:
    """One design of each family, where lme4 and ordinal are installed."""
    for package in ("lme4", "ordinal", "jsonlite"):
        if subprocess.run(["Rscript", "-e", f"library({package})"], capture_output=True, check=False).returncode:
            pytest.skip(f"R has no {package}")
    write_csv(choices(), tmp_path / "all.csv")
    shutil.copy(tmp_path / "all.csv", tmp_path / "rare.csv")
    script = [str(HERE / "glmer.R"), *(str(tmp_path / name) for name in ("all.csv", "rare.csv", "out.json"))]
    subprocess.run(["Rscript", *script, "number"], check=True, capture_output=True)
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    for family in ("binomial", "ordinal"):
        assert fitted(family, "number").deviance == pytest.approx(found[family]["number"]["deviance"], rel=1e-8)


def test_a_search_that_falls_nowhere_ends() -> None:
    """At every whole y the function curves down, but it falls by less than the tolerance."""
    wave = 32.0 * np.pi

    def gradient(at: np.ndarray) -> tuple[float, np.ndarray]:
        x, y = at
        return x * x / 2 + 2e-7 * np.cos(wave * y), np.array([x, -2e-7 * wave * np.sin(wave * y)])

    found = minimum(gradient, np.array([0.3, 0.0]), np.eye(2), 1e-6)
    assert found.decrement <= 1e-6 and found.point[0] == pytest.approx(0.0, abs=1e-6)
