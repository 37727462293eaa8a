"""Models in which words are random: they are those of lmerTest (frozen, and run anew where R is), and what they leave
out."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from support.simulated import normal

from gramprobe.analysis.factorial import Factor
from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.word_models import Observed, WordModel, fitted, recurring

CLAUSE = Factor("clause", ("subject", "object"), within=True)
ARTICLE = Factor("article", ("the", "a", "no"), within=True)
GROUP = Factor("group", ("old", "new"), within=False)

#: estimate, standard error, t and degrees of freedom of lmerTest 3.1-3 (lme4 1.1-31), by the lines below
FROZEN = json.loads((Path(__file__).parent / "word_models.json").read_text("utf-8"))


def observed(word_sd: float, seed: int = 7) -> Observed:
    """48 instances of 12 nouns, which have effects of their own, with a sentence for each of 2 x 3 cells."""
    instances, cells = 48, 6
    row = np.arange(instances * cells)
    instance, cell = np.divmod(row, cells)
    clause, article, noun = cell // 3, cell % 3, instance % 12
    code = np.where(clause == 0, 0.5, -0.5)
    own, slope = normal(seed, 0, 12), normal(seed + 1, 0, 12)
    values = 5.0 + normal(seed + 2, 0, instances)[instance] + normal(seed + 3, 0, len(row))
    values += word_sd * (own[noun] + slope[noun] * code) + code * (0.6 + 0.2 * article)
    return Observed(
        "measure_region_verb",
        values,
        np.array([f"i{n}" for n in instance], dtype=object),
        {
            "clause": np.array(["subject", "object"], dtype=object)[clause],
            "article": np.array(["the", "a", "no"], dtype=object)[article],
            "group": np.array(["old", "new"], dtype=object)[instance % 2],
        },
        {
            "noun": np.array([f"n{n}" for n in noun], dtype=object),
            "once": np.array([f"o{n}" for n in instance], object),
        },
    )


DESIGNS = {"within": (CLAUSE,), "mixed": (CLAUSE, GROUP), "three": (CLAUSE, ARTICLE)}


def model(design: str, word_sd: float = 1.0) -> WordModel:
    found = fitted(observed(word_sd), DESIGNS[design], ("noun",))
    assert isinstance(found, WordModel)
    return found


@pytest.mark.parametrize("design", ["within", "mixed"])
def test_effects_are_those_of_lmertest(design: str) -> None:
    found = model(design)
    assert [effect.name for effect in found.effects] == [row["effect"] for row in FROZEN[design]["effects"]]
    for effect, row in zip(found.effects, FROZEN[design]["effects"], strict=True):
        assert isinstance(effect.value, Interval)
        assert (effect.value.value, effect.t) == pytest.approx((row["estimate"], row["t"]), rel=1e-3)
        assert effect.df == pytest.approx(row["df"], rel=1e-2)
    assert found.line == FROZEN[design]["line"]


def test_levels_of_more_than_two_are_compared_in_pairs() -> None:
    found = model("three")
    of = [effect.compared for effect in found.effects if effect.factors == ("article",)]
    assert of == ["the \u2212 a", "the \u2212 no", "a \u2212 no"]
    observed_ = observed(1.0)
    for effect in found.effects:
        if effect.factors == ("article",):
            means = [observed_.values[observed_.levels["article"] == level].mean() for level in effect.pairs[0]]
            assert isinstance(effect.value, Interval)
            assert effect.value.value == pytest.approx(means[0] - means[1], abs=1e-6)  # a balanced design
    assert 'contrasts = list(article = "contr.sum")' in found.line


def test_words_that_differ_in_nothing_are_left_out_in_steps() -> None:
    found = fitted(observed(0.0, seed=3), (CLAUSE,), ("noun",))
    said = found if isinstance(found, str) else " ".join(found.said)
    assert "correlations are left out" in said
    assert (isinstance(found, str) and "No words need to be random" in said) or "||" in found.line  # type: ignore[union-attr]


def test_values_without_a_residual_have_no_model() -> None:
    same = observed(1.0)
    same.values[:] = 2.0
    found = fitted(same, (CLAUSE,), ("noun",))
    assert isinstance(found, str) and "in 2 of 2 cells all scores are equal" in found


def test_a_draw_recurs_if_a_word_stands_in_two_instances() -> None:
    seen = observed(1.0)
    assert recurring(seen.words, seen.instances) == ("noun",)
    one = {"noun": np.array(["n"] * len(seen.values), dtype=object)}
    assert recurring(one, seen.instances) == ()


@pytest.mark.outside("Rscript")
@pytest.mark.slow
@pytest.mark.parametrize("design", [*DESIGNS])
def test_the_line_of_r_gives_the_same_today(design: str, tmp_path: Path) -> None:
    if subprocess.run(["Rscript", "-e", "library(lmerTest)"], capture_output=True, check=False).returncode:
        pytest.skip("R has no lmerTest")
    seen, found = observed(1.0), model(design)
    columns = {seen.response: seen.values, "instance": seen.instances, "noun": seen.words["noun"], **seen.levels}
    for name, first in (("clause", "subject"), ("group", "old")):
        columns[f"{name}_c"] = np.where(seen.levels[name] == first, 0.5, -0.5)
    pa.csv.write_csv(
        pa.table({name: pa.array(own.tolist()) for name, own in columns.items()}), tmp_path / "answers.csv"
    )
    script = f"m <- {found.line}; write.csv(coef(summary(m)), 'out.csv')"
    subprocess.run(["Rscript", "-e", script], cwd=tmp_path, check=True, capture_output=True)
    rows = {row[""]: row for row in pa.csv.read_csv(tmp_path / "out.csv").to_pylist()}
    for effect in found.effects:
        names = ":".join(f"{factor}_c" for factor in effect.factors)
        if names in rows:
            assert isinstance(effect.value, Interval)
            theirs = (rows[names]["Estimate"], rows[names]["t value"], rows[names]["df"])
            assert (effect.value.value, effect.t, effect.df) == pytest.approx(theirs, rel=1e-2)
    assert any(re.fullmatch(r"clause_c", name) for name in rows)
