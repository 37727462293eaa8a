"""What models leave: the residuals of rows, and figures of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from freeze import write_csv
from support.choices import choices

from gramprobe.analysis.mixed.model import answer_model, mixed_model
from gramprobe.analysis.mixed.residuals import binned, residual_figures, residuals
from gramprobe.cli.main import main


def scores() -> pa.Table:
    random = np.random.default_rng(3)
    word, a = np.repeat(np.arange(12), 10), np.tile([0.5, -0.5], 60)
    y = 2 + a + random.normal(size=12)[word] + random.normal(size=120)
    return pa.table({"y": y, "a": a, "word": [f"w{k}" for k in word]})


def test_residuals_of_scores_solve_the_equations_of_the_mixed_model() -> None:
    """Henderson's equations: X'r = 0, and Z'r is the effect of a level over the ratio of its variance to that of the
    residual."""
    frame = scores()
    model = mixed_model("y ~ a + (1 | word)", frame)
    fitted, left, spread = residuals(model)
    y, a, words = (np.array(frame.column(name).to_pylist()) for name in ("y", "a", "word"))
    assert fitted + left == pytest.approx(y)
    assert left.sum() == pytest.approx(0, abs=1e-6) and a @ left == pytest.approx(0, abs=1e-6)
    assert set(spread.tolist()) == {model.fit.sigma}
    (term,) = model.fit.random_terms()
    ratio = term.columns[0].variance / model.fit.sigma**2
    for each in model.fit.level_effects():
        assert left[words == each.level].sum() * ratio == pytest.approx(each.value, abs=1e-6)


def test_the_fitted_value_of_answers_is_the_chance_at_the_most_probable_effects() -> None:
    """There the effect of a level is what its rows leave, times its variance."""
    frame = choices()
    model = answer_model("y ~ a + (1 | s) + (1 | i)", frame, "binomial")
    fitted, left, spread = residuals(model)
    assert ((fitted > 0) & (fitted < 1)).all() and spread**2 == pytest.approx(fitted * (1 - fitted))
    variances = {term.factor: term.columns[0].variance for term in model.fit.random_terms()}
    for each in model.fit.level_effects():
        rows = np.array([str(value) == each.level for value in frame.column(each.factor).to_pylist()])
        assert left[rows].sum() * variances[each.factor] == pytest.approx(each.value, abs=1e-4)


def test_the_expected_rating_is_that_of_the_chances_of_all_ratings() -> None:
    model = answer_model("r ~ a + (1 | s)", choices(), "ordinal")
    fitted, left, spread = residuals(model)
    cuts = [each.estimate for each in model.fit.thresholds]
    assert fitted.min() > 0 and fitted.max() < len(cuts)
    assert abs(left.mean()) < 0.1 and 0.7 < (left / spread).std() < 1.2


def test_bins_are_of_neighbouring_fitted_values_and_as_wide_as_they_should_be() -> None:
    """Of answers drawn with the fitted chance the mean residuals lie within two standard errors in 95 % of the bins;
    with a chance that is bent they do not."""
    random = np.random.default_rng(0)
    p = random.random(40_000)
    for bent, within in ((p, True), (p**2, False)):
        middle, mean, width = binned(p, (random.random(40_000) < bent) - p, np.sqrt(p * (1 - p)))
        assert len(middle) == 200 and (np.diff(middle) > 0).all()
        assert ((np.abs(mean) <= width).mean() > 0.9) == within


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "options", "names"),
    [
        ("y ~ a + (1 | word)", [], {"residuals_fitted", "residuals_normal"}),
        ("y ~ a + (1 | s)", ["--family", "binomial"], {"residuals_binned"}),
    ],
)
def test_figures_of_residuals_are_written(
    formula: str, options: list[str], names: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_csv(choices() if options else scores(), tmp_path / "frame.csv")
    command = ["analyze", "--frame", str(tmp_path / "frame.csv"), "--formula", formula, *options]
    assert main([*command, "--figures", str(tmp_path / "figures"), "--width", "3.3in"]) == 0
    out = capsys.readouterr().out
    files = {f"{name}{ending}" for name in names for ending in (".svg", ".pdf")}
    assert {file.name for file in (tmp_path / "figures").iterdir()} == files and all(name in out for name in names)
    assert main(["analyze", "--example", "--figures", str(tmp_path)]) == 2
    assert "--figures is for a model" in capsys.readouterr().err


def test_of_many_rows_some_are_drawn() -> None:
    frame = scores()
    many = pa.concat_tables([frame] * 30)
    by_value, by_quantile = residual_figures(mixed_model("y ~ a + (1 | word)", many))
    assert "2,000 of 3,600 rows" in by_value.caption
    (points,) = [line for line in by_quantile.draw().axes[0].lines if len(line.get_xdata()) > 2]
    assert len(points.get_xdata()) == 2000 and (np.diff(points.get_ydata()) >= 0).all()
