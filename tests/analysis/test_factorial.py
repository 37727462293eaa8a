"""Effects of factors, against scipy's tests and arithmetic by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from gramprobe.analysis.factorial import Design, Effect, Factor, contrast
from gramprobe.analysis.output.table import Interval

A = Factor("a", ("a1", "a2"), True)
B = Factor("b", ("b1", "b2"), True)
C = Factor("c", ("c1", "c2"), False)
THREE = Factor("k", ("k1", "k2", "k3"), True)
RNG = np.random.default_rng(5)


def made(
    factors: tuple[Factor, ...], groups: dict[str, int], repeats: int = 1
) -> tuple[Design, dict[tuple[str, ...], np.ndarray]]:
    """A design with a value for every instance and combination within it, and the (instances,) values of each cell."""
    within = [f for f in factors if f.within]
    rows: list[tuple[float, str, tuple[str, ...]]] = []
    cells: dict[tuple[str, ...], list[float]] = {}
    for group, count in groups.items():
        for number in range(count):
            own = RNG.normal()
            for levels in product(*(f.levels for f in within)):
                every = (*levels, group) if group else levels
                values = [own + len(cells) % 5 + RNG.normal() * (1 + (group == "c2")) for _ in range(repeats)]
                rows += [(value, f"{group}{number}", every) for value in values]
                cells.setdefault(every, []).append(float(np.mean(values)))
    order = [*within, *(f for f in factors if not f.within)]
    levels_of = {f.name: [levels[place] for _, _, levels in rows] for place, f in enumerate(order)}
    design = Design(np.array([v for v, _, _ in rows]), [i for _, i, _ in rows], factors, levels_of)
    return design, {levels: np.array(values) for levels, values in cells.items()}


def test_an_effect_within_is_a_paired_t() -> None:
    design, cells = made((A,), {"": 12})
    (effect,) = design.effects()
    wanted = scipy.stats.ttest_rel(cells["a1",], cells["a2",])
    assert (effect.name, effect.compared, effect.instances) == ("a", "a1 − a2", 12)
    check(effect, wanted, 11)


def test_an_effect_between_is_welchs_t() -> None:
    design, cells = made((C,), {"c1": 12, "c2": 15})
    (effect,) = design.effects()
    wanted = scipy.stats.ttest_ind(cells["c1",], cells["c2",], equal_var=False)
    check(effect, wanted, wanted.df)


def test_an_interaction_within_is_a_difference_of_differences() -> None:
    design, cells = made((A, B), {"": 14}, repeats=2)
    a, b, both, *simple = design.effects()
    one = (cells["a1", "b1"] - cells["a2", "b1"]) - (cells["a1", "b2"] - cells["a2", "b2"])
    check(both, scipy.stats.ttest_1samp(one, 0), 13)
    assert both.compared == "(a1 − a2) at b1 − (a1 − a2) at b2"
    mean = (cells["a1", "b1"] + cells["a1", "b2"]) / 2 - (cells["a2", "b1"] + cells["a2", "b2"]) / 2
    check(a, scipy.stats.ttest_1samp(mean, 0), 13)
    check(
        next(e for e in simple if e.name == "a at b = b2"),
        scipy.stats.ttest_rel(cells["a1", "b2"], cells["a2", "b2"]),
        13,
    )
    assert b.name == "b" and len(simple) == 4


def test_an_interaction_of_within_and_between_compares_contrasts_of_groups() -> None:
    design, cells = made((A, C), {"c1": 10, "c2": 17})
    a, c, both, *_ = design.effects()
    contrasts = [cells["a1", group] - cells["a2", group] for group in ("c1", "c2")]
    check(both, wanted := scipy.stats.ttest_ind(*contrasts, equal_var=False), wanted.df)
    means = [(cells["a1", group] + cells["a2", group]) / 2 for group in ("c1", "c2")]
    check(c, wanted := scipy.stats.ttest_ind(*means, equal_var=False), wanted.df)
    assert value(a) == pytest.approx(np.mean([own.mean() for own in contrasts]))


def test_three_levels_are_compared_in_pairs_and_corrected_together() -> None:
    design, cells = made((THREE,), {"": 20})
    effects = design.effects()
    assert [e.pairs for e in effects] == [(("k1", "k2"),), (("k1", "k3"),), (("k2", "k3"),)]
    for effect in effects:
        ((one, other),) = effect.pairs
        check(effect, scipy.stats.ttest_rel(cells[one,], cells[other,]), 19)
    from statsmodels.stats.multitest import multipletests

    wanted = multipletests([e.p for e in effects], method="holm")[1]
    assert [e.corrected for e in effects] == pytest.approx(list(wanted))


def test_effects_without_a_cell_are_left_out() -> None:
    design, _ = made((A, B), {"": 10})
    kept = [place for place, levels in enumerate(zip(*design.levels.values(), strict=True)) if levels != ("a2", "b2")]
    less = Design(
        design.values[kept], [design.instances[i] for i in kept], design.factors,
        {name: [own[i] for i in kept] for name, own in design.levels.items()},
    )  # fmt: skip
    assert {e.name for e in less.effects()} == {"a at b = b1", "b at a = a1"}


def test_no_interval_of_few_or_equal_instances() -> None:
    few, _ = made((A,), {"": 3})
    assert isinstance(few.effects()[0].value, float)
    same = Design(np.tile([1.0, 2.0], 10), [str(n // 2) for n in range(20)], (A,), {"a": ["a1", "a2"] * 10})
    assert same.effects()[0].value == -1.0 and same.effects()[0].p is None


@given(st.integers(2, 4), st.integers(2, 3), st.integers(8, 12), st.integers(0, 1000))
def test_adding_a_number_to_a_level_moves_its_effect_alone(k: int, m: int, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = (Factor(name, tuple(f"{name}{i}" for i in range(size)), True) for name, size in (("x", k), ("y", m)))
    rows = [(str(i), a, b) for i in range(n) for a in one.levels for b in other.levels]
    values = rng.normal(size=len(rows))
    levels = {"x": [a for _, a, _ in rows], "y": [b for _, _, b in rows]}
    instances = [i for i, _, _ in rows]
    shifted = values + 3.0 * np.array([a == "x0" for a in levels["x"]])
    before = {(e.factors, e.pairs, e.at): value(e) for e in Design(values, instances, (one, other), levels).effects()}
    for effect in Design(shifted, instances, (one, other), levels).effects():
        moved = value(effect) - before[effect.factors, effect.pairs, effect.at]
        involved = effect.factors == ("x",) and "x0" in effect.pairs[0]
        assert moved == pytest.approx(3.0 if involved else 0.0, abs=1e-9)


def value(effect: Effect) -> float:
    return effect.value.value if isinstance(effect.value, Interval) else effect.value


def check(effect: Effect, wanted: object, df: float) -> None:
    assert (effect.t, effect.p, effect.df) == pytest.approx((wanted.statistic, wanted.pvalue, df))  # type: ignore[attr-defined]
    interval = wanted.confidence_interval()  # type: ignore[attr-defined]
    assert isinstance(effect.value, Interval)
    assert (effect.value.low, effect.value.high) == pytest.approx((interval.low, interval.high))


def test_a_declared_contrast_is_one_number_an_instance() -> None:
    design, cells = made((A, B), {"": 12})
    conditions = [f"{a}{b}" for a, b in zip(design.levels["a"], design.levels["b"], strict=True)]
    weights = {"a1b1": 1.0, "a1b2": -0.5, "a2b2": -0.5}
    effect = contrast("gap", weights, design.values, design.instances, conditions)
    assert effect is not None
    wanted = cells["a1", "b1"] - 0.5 * cells["a1", "b2"] - 0.5 * cells["a2", "b2"]
    check(effect, scipy.stats.ttest_1samp(wanted, 0), 11)
    assert (effect.name, effect.compared) == ("gap", "a1b1 − 0.5 a1b2 − 0.5 a2b2")
    assert contrast("none", {"x": 1.0, "y": -1.0}, design.values, design.instances, conditions) is None
