"""What a fit must satisfy wherever it comes from: gradients, other programs, planted effects, singular designs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from frozen import designed, scores
from support import simulated

from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.deviance import Deviance
from gramprobe.analysis.mixed.fit import Fit, fit, hessian_of
from gramprobe.analysis.mixed.formula import parse
from gramprobe.analysis.mixed.frame import frame_of
from gramprobe.analysis.mixed.model import Model, mixed_model
from gramprobe.analysis.mixed.plan import planned
from gramprobe.source.diagnostic import AuthoringError, UsageError


def some(count: int) -> pa.Table:
    """Every so many of the rows."""
    return scores().take(np.arange(0, 10_000, 10_000 // count))


@pytest.mark.parametrize(("model", "reml"), [("slopes", True), ("slopes", False), ("nested", True), ("nested", False)])
def test_gradients_are_those_of_finite_differences(model: str, reml: bool) -> None:
    deviance = Deviance(designed(model)[1], reml=reml)
    theta = 0.3 + 0.1 * np.cos(np.arange(len(deviance.start)))
    gradient = deviance.gradient(theta)[1]
    for i in range(len(theta)):
        step = 1e-5 * np.eye(len(theta))[i]
        rise = (deviance(theta + step) - deviance(theta - step)) / 2e-5
        assert gradient[i] == pytest.approx(rise, rel=1e-6, abs=1e-5)


def test_profiled_and_unprofiled_gradients_agree_at_the_best_sigma() -> None:
    found = fit(designed("slopes")[1])
    theta = found.theta * 1.1
    there = Fit(found.objective, theta)
    whole = found.objective.gradient_at_scale(there.theta, there.sigma)
    assert whole[:-1] == pytest.approx(found.objective.gradient(there.theta)[1], abs=1e-6)
    assert whole[-1] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("reml", [True, False])
def test_statsmodels_finds_the_same(reml: bool) -> None:
    """One grouping factor, a correlated slope: what MixedLM fits too."""
    from statsmodels.regression.mixed_linear_model import MixedLM

    data = some(2000).to_pandas()
    ours = mixed_model("bias ~ det + (1 + det | emb_verb)", some(2000), reml=reml).fit
    x = np.column_stack([np.ones(len(data)), data["det"]])
    theirs = MixedLM(data["bias"].to_numpy(), x, data["emb_verb"].astype(str), exog_re=x).fit(reml=reml, gtol=1e-9)
    assert ours.deviance == pytest.approx(-2 * theirs.llf, abs=1e-4)
    assert ours.coefficients == pytest.approx(theirs.fe_params, abs=1e-5)
    assert np.sqrt(np.diagonal(ours.covariance)) == pytest.approx(theirs.bse_fe, rel=1e-3)
    assert ours.covariance_of(ours.layout.terms[0]) == pytest.approx(theirs.cov_re, rel=1e-3, abs=1e-4)


def test_without_random_effects_it_is_least_squares() -> None:
    import statsmodels.api as sm

    data = some(500)
    x = np.column_stack([np.ones(500), *(np.array(data[name]) for name in ("det", "type", "subj"))])
    theirs = sm.OLS(np.array(data["bias"]), x).fit()
    ours = mixed_model("bias ~ det + type + subj", data).fit
    for i, effect in enumerate(ours.effects()):
        assert effect.estimate == pytest.approx(theirs.params[i])
        assert effect.error == pytest.approx(theirs.bse[i])
        assert effect.df == pytest.approx(theirs.df_resid, rel=1e-5)
        assert effect.p == pytest.approx(theirs.pvalues[i], rel=1e-3)
        assert (effect.low, effect.high) == pytest.approx(tuple(theirs.conf_int()[i]), rel=1e-4)


@pytest.mark.slow
def test_planted_effects_are_recovered() -> None:
    model = mixed_model(
        "bias ~ det * type + subj + followup + (1 + det + subj || matrix_verb) + (1 + followup | matrix_verb)".replace(
            "(1 + det", "(0 + det"
        )
        + " + (1 + type | emb_verb) + (1 + subj | emb_subject)",
        scores(),
        codings={"followup": "helmert"},
    )
    for effect, planted in zip(model.fit.effects(), simulated.FIXED, strict=True):
        assert abs(effect.estimate - planted) < 4 * effect.error
    assert model.fit.r2[0] < model.fit.r2[1] < 1


def crossed(seed: int, sd_words: float, slope: float = 0.0) -> pa.Table:
    """20 words x 30 items, an effect of 1 of a condition that varies within both, residual 1."""
    words, items = np.divmod(np.arange(600), 30)
    condition = np.where((words + items) % 2 == 0, 0.5, -0.5)
    word = simulated.normal(seed, 0, 20)[words]
    slopes = simulated.normal(seed, 20, 20)[words]
    noise = simulated.normal(seed, 100, 600)
    y = condition * (1 + slope * slopes) + sd_words * word + simulated.normal(seed, 50, 30)[items] + noise
    columns = {"y": y, "condition": condition, "word": [f"w{i}" for i in words], "item": [f"i{i}" for i in items]}
    return pa.table(columns)


@pytest.mark.parametrize(
    "formula",
    [
        "y ~ condition + (1 + condition | word) + (1 | item)",
        "y ~ condition + (1 | word) + (1 + condition || item)",
        "y ~ 1 + (1 + condition | item)",
        "y ~ 0 + condition + (1 | item) + (1 | word)",
        "y ~ condition",
    ],
)
def test_what_is_eliminated_changes_no_solution(formula: str) -> None:
    """Determinant, solution and inverse by blocks are those of the whole matrix C."""
    sums = Design(parse(formula), frame_of(crossed(2, 0.8))).products()
    layout, q, p = sums.layout, sums.layout.q, sums.layout.p
    objective = {reml: Deviance(sums, reml=reml) for reml in (True, False)}
    theta = 0.4 + 0.1 * np.cos(np.arange(len(objective[True].start)))
    root = np.eye(q + p)
    for at, factor in zip(layout.slices, objective[True].factors(theta), strict=True):
        root[at, at] = np.kron(np.eye((at.stop - at.start) // len(factor)), factor)
    c = root.T @ sums.matrix @ root + np.diag(np.arange(q + p) < q)
    inverse, right = np.linalg.inv(c), root.T @ sums.vector
    without = np.linalg.inv(c[:q, :q])
    contrast = np.arange(1.0, p + 1.0)
    for reml, order in ((True, q + p), (False, q)):
        solved = objective[reml].solve(theta)
        assert solved.logdet == pytest.approx(np.linalg.slogdet(c[:order, :order])[1])
        assert solved.solution == pytest.approx(inverse @ right)
        assert solved.residual == pytest.approx(sums.squares - right @ inverse @ right)
        assert objective[reml].of_contrast(solved, contrast) == pytest.approx(inverse[:, q:] @ contrast)
        assert objective[reml].across(solved, right) == pytest.approx((sums.matrix @ root @ right)[:q])
        for fixed, whole in ((0, inverse), (p, without)):
            blocks = objective[reml].level_blocks(solved.inverse(fixed))
            for at, found, factor in zip(layout.slices, blocks, solved.factors, strict=True):
                k = len(factor)
                every = whole[at, at].reshape(-1, k, (at.stop - at.start) // k, k)
                assert found == pytest.approx(np.einsum("lilj->lij", every))


@pytest.mark.slow
@pytest.mark.parametrize("studies", [40, pytest.param(100, marks=pytest.mark.deep)])
def test_the_interval_covers_the_effect_as_often_as_it_says(studies: int) -> None:
    """95 % intervals hold the truth in 95 of 100 studies, give or take four standard errors of that."""
    held = 0
    for seed in range(studies):
        found = mixed_model("y ~ condition + (1 | word) + (1 | item)", crossed(seed, 0.7)).fit.effects()[1]
        held += found.low < 1.0 < found.high
    assert abs(held - 0.95 * studies) < 4 * np.sqrt(studies * 0.95 * 0.05)


@pytest.mark.slow
def test_a_zero_start_is_no_trap() -> None:
    """At zero the gradient of a variance parameter is zero, but the deviance falls: the search must go on."""
    sums = designed("slopes")[1]
    best = fit(sums)
    theta = np.zeros(len(best.theta))
    assert np.abs(Deviance(sums).gradient(theta)[1]).max() < 1e-6
    assert fit(sums, start=theta).deviance == pytest.approx(best.deviance, abs=1e-6)


@pytest.mark.slow
def test_other_starts_find_the_same_minimum() -> None:
    sums = designed("slopes")[1]
    best = fit(sums).deviance
    for seed in range(2):
        start = simulated.normal(seed, 0, 9)
        assert fit(sums, start=start).deviance == pytest.approx(best, abs=1e-6)


def test_a_singular_fit_is_named() -> None:
    no_words = crossed(3, 0.0)
    model = mixed_model("y ~ condition + (1 | word) + (1 | item)", no_words)
    (one,) = model.fit.singular
    assert one.term == "(1 | word)" and one.rank == 0
    assert "the variance of (Intercept) is estimated as zero" in one.what
    assert any("singular: in (1 | word)" in warning for warning in model.warnings)
    assert model.fit.converged


def test_a_mean_far_from_zero_costs_no_digits() -> None:
    near = mixed_model("y ~ condition + (1 | word)", crossed(1, 1.0)).fit
    table = crossed(1, 1.0)
    far = table.set_column(0, "y", pa.array(np.array(table["y"]) + 1e6))
    there = mixed_model("y ~ condition + (1 | word)", far).fit
    assert there.coefficients[0] - 1e6 == pytest.approx(near.coefficients[0], abs=1e-6)
    assert there.coefficients[1] == pytest.approx(near.coefficients[1], abs=1e-7)
    assert there.deviance == pytest.approx(near.deviance, abs=1e-4)


@pytest.mark.parametrize(("score", "slope"), [(1e-9, 1.0), (1e9, 1.0), (1.0, 1e6), (1.0, 1e-6)])
def test_units_change_nothing_but_the_units(score: float, slope: float) -> None:
    formula, table = "y ~ condition + (1 + condition | word) + (1 | item)", crossed(5, 1.0, 0.8)
    other = table.set_column(0, "y", pa.array(score * np.array(table["y"])))
    other = other.set_column(1, "condition", pa.array(slope * np.array(table["condition"])))
    plain, found = mixed_model(formula, table).fit, mixed_model(formula, other).fit
    for one, two in zip(plain.effects(), found.effects(), strict=True):
        assert two.df == pytest.approx(one.df, rel=1e-3)
        assert two.t == pytest.approx(one.t, rel=1e-4)
    assert found.converged and found.singular == plain.singular == ()
    assert found.sigma / score == pytest.approx(plain.sigma, rel=1e-5)
    assert found.r2 == pytest.approx(plain.r2, rel=1e-4)


def test_a_number_can_be_a_predictor_and_a_grouping_factor() -> None:
    """100 ages, each of six people: the trend over ages, and what an age has beside it."""
    age = np.arange(600) // 6 + 20.0
    y = 0.1 * age + simulated.normal(1, 0, 100)[np.arange(600) // 6] + simulated.normal(2, 0, 600)
    model = mixed_model("y ~ age + (1 | age)", pa.table({"y": y, "age": age}))
    assert model.fit.layout.groupings[0].levels[:2] == ("20", "21")
    assert model.fit.effects()[1].df == pytest.approx(98, rel=1e-4)


def test_parts_of_a_variance_add_up_to_what_the_scores_say() -> None:
    """The residual part is s^2 a'a, a the weights of the scores: found here by giving one score 1 and the others 0."""
    model = mixed_model("y ~ condition + (1 + condition | word) + (1 | item)", crossed(5, 1.0, 0.8))
    found = model.fit
    parts, residual = found.parts(np.array([0.0, 1.0]))
    assert sum(parts) + residual == pytest.approx(found.covariance[1, 1])
    table = crossed(5, 1.0, 0.8)
    sums = model.design.products()
    sums.shift = 0.0
    matrix = sums.matrix
    words, items = np.divmod(np.arange(600), 30)
    condition = np.array(table["condition"])
    weights = np.empty(600)
    for row in range(600):
        # What the products are where one score is 1 and the others are 0: the row of [Z X] itself.
        vector = np.zeros(len(matrix))
        word = model.fit.layout.slices[0].start + 2 * levels(model, 0).index(f"w{words[row]}")
        vector[[word, word + 1]] = 1.0, condition[row]
        vector[model.fit.layout.slices[1].start + levels(model, 1).index(f"i{items[row]}")] = 1.0
        vector[-2:] = 1.0, condition[row]
        sums.vector, sums.squares = vector, 1.0
        weights[row] = Deviance(sums).solve(found.theta).solution[-1]
    assert residual == pytest.approx(found.sigma**2 * float(weights @ weights), rel=1e-8)


def levels(model: Model, i: int) -> tuple[str, ...]:
    return model.fit.layout.groupings[i].levels


def test_more_words_show_smaller_effects() -> None:
    found = mixed_model("y ~ condition + (1 + condition | word) + (1 | item)", crossed(5, 1.0, 0.8)).fit
    same = dict(planned(found, {}))["condition"]
    more = dict(planned(found, {"word": 80}))["condition"]
    assert same.error == pytest.approx(np.sqrt(found.covariance[1, 1]))
    assert same.df == pytest.approx(found.effects()[1].df)
    assert more.df == pytest.approx(4 * same.df, rel=1e-6)
    assert more.error == pytest.approx(same.error / 2, rel=1e-6)  # all of it comes from words and rows
    assert more.detectable < same.detectable and more.power > same.power
    with pytest.raises(UsageError, match="no grouping factor `wrd`; did you mean `word`"):
        planned(found, {"wrd": 80})
    with pytest.raises(UsageError, match="cannot have 1 levels"):
        planned(found, {"word": 1})


def test_the_hessian_is_that_of_the_deviance() -> None:
    found = fit(designed("intercepts")[1])
    hessian = hessian_of(found.objective, found.theta, found.sigma)
    step = 1e-3
    e = np.eye(len(found.theta))[0] * step
    inner = hessian[:-1, :-1] - np.outer(hessian[:-1, -1], hessian[-1, :-1]) / hessian[-1, -1]
    second = (found.objective(found.theta + e) - 2 * found.deviance + found.objective(found.theta - e)) / step**2
    assert inner[0, 0] == pytest.approx(second, rel=1e-3)


def broken(**columns: list[object]) -> pa.Table:
    table = crossed(1, 1.0)
    for name, values in columns.items():
        at = table.column_names.index(name)
        table = table.set_column(at, name, pa.array((values * 600)[:600]))
    return table


@pytest.mark.parametrize(
    ("formula", "table", "code", "message"),
    [
        ("y ~ condition", broken(y=[1.0, None]), "E97", "`y` has no value in 300 rows"),
        ("y ~ condition", broken(y=[1.0, float("nan")]), "E97", "`y` has NaN (no number) in 300 rows"),
        ("y ~ condition", broken(y=[1.0, 2.0, float("inf")]), "E97", "an infinite value in 200 rows"),
        ("y ~ condition", broken(condition=[0.5, float("-inf")]), "E97", "`condition` has an infinite value"),
        ("y ~ condition + (1 | word)", broken(word=["a", None]), "E97", "`word` has no value"),
        ("y ~ condition", broken(condition=[0.5]), "E97", "`condition` is `0.5` in all 600 rows"),
        ("y ~ condition", broken(y=[2.5]), "E97", "`y` is 2.5 in all 600 rows"),
        ("y ~ condition", crossed(1, 1.0).slice(0, 0), "E97", "no rows"),
        ("word ~ condition", crossed(1, 1.0), "E97", "no numbers but texts"),
        ("y ~ condition + (1 | word)", broken(word=["a"]), "E98", "it has one level"),
        ("y ~ condition + (1 | word)", broken(word=list(range(600))), "E98", "600 levels in 600 rows"),
        ("y ~ condition + (1 + condition + item | word)", crossed(1, 1.0), "E98", "620 effects from 600 rows"),
        ("y ~ condition + (1 | word) + (condition | word)", crossed(1, 1.0), "E98", "have the column `(Intercept)`"),
        ("y ~ y + condition", crossed(1, 1.0), "E98", "nothing is left of the scores"),
        ("y ~ condition", crossed(1, 1.0).slice(0, 2), "E98", "2 fixed effects cannot be estimated from 2 rows"),
        ("y ~ condition + (1 | word)", broken(word=[[1], [2]]), "E97", "`word` holds lists or records"),
    ],
)  # fmt: skip
def test_what_cannot_be_estimated_is_named(formula: str, table: pa.Table, code: str, message: str) -> None:
    with pytest.raises(AuthoringError) as caught:
        mixed_model(formula, table)
    problem = caught.value.diagnostics[0]
    assert problem.code == code
    assert message in problem.message
    assert problem.help


def test_a_column_that_is_a_sum_of_others_is_named_with_them() -> None:
    table = crossed(1, 1.0)
    twice = table.append_column("twice", pa.array(1.0 + 2.0 * np.array(table["condition"])))
    with pytest.raises(
        AuthoringError, match=r"`twice` cannot be estimated: its column is a sum of \(Intercept\), cond"
    ):
        mixed_model("y ~ condition + twice + (1 | word)", twice)
    with pytest.raises(AuthoringError, match=r"random term `\(1 \+ condition \+ twice \| word\)` cannot be estimated"):
        mixed_model("y ~ condition + (1 + condition + twice | word)", twice)


def test_a_slope_that_varies_in_no_level_is_warned_of() -> None:
    table = crossed(1, 1.0)
    between = pa.array([0.5 if int(word[1:]) < 8 else -0.5 for word in table["word"].to_pylist()])
    model: Model = mixed_model("y ~ between + (1 + between | word)", table.append_column("between", between))
    assert any("no level of word shows between apart" in warning for warning in model.warnings)


def test_a_logarithm_of_the_scores_is_read() -> None:
    table = crossed(1, 1.0)
    positive = np.exp(np.array(table["y"]))
    left = mixed_model("log(z) ~ condition + (1 | word)", table.append_column("z", pa.array(positive)))
    plain = mixed_model("y ~ condition + (1 | word)", table)
    assert left.fit.coefficients == pytest.approx(plain.fit.coefficients)
    with pytest.raises(AuthoringError, match=r"`log\(y\)` is infinite or no number"):
        mixed_model("log(y) ~ condition + (1 | word)", table)


def test_an_intercept_beside_the_correlated_levels_of_a_factor_warns() -> None:
    """`(1 + c || word)` has an effect for each of the three levels, and one that all of them have in common."""
    table = crossed(1, 1.0)
    three = table.append_column("c", pa.array([f"c{k % 3}" for k in range(600)]))
    (warning,) = [w for w in mixed_model("y ~ condition + (1 + c || word)", three).warnings if "separately" in w]
    assert warning.startswith(
        "the variances of (1 | word) and (0 + cc0 + cc1 + cc2 | word) cannot be estimated separately"
    )
    for formula in ("y ~ condition + (1 + condition || word)", "y ~ condition + (0 + c | word)"):
        assert not any("separately" in warning for warning in mixed_model(formula, three).warnings)
