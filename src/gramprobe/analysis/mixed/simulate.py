"""The power of a planned study of answers: the fitted model makes its answers, and is fitted to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from gramprobe.analysis.inference import wilson
from gramprobe.analysis.mixed.answers import Answers
from gramprobe.analysis.mixed.estimable import LIMIT
from gramprobe.analysis.mixed.generalised import GeneralisedFit, fit_answers
from gramprobe.analysis.mixed.layout import Floats, Layout
from gramprobe.analysis.mixed.model import AnswerModel
from gramprobe.analysis.mixed.plan import check_levels
from gramprobe.source.diagnostic import UsageError

MOST_ROWS = 1_000_000
"""Of a simulated study."""


@dataclass(frozen=True)
class SimulatedPower:
    """How often an effect was found.

    Attributes:
        effect: the effect supposed.
        power: the share of the simulated studies in which its verdict is p < alpha, with its sign; a study whose model
            could not be fitted counts as one in which it was not found.
        low, high: the interval of that share (Wilson's, 95 %).
        studies: how many were simulated.
        failed: of these, how many could not be fitted.
    """

    effect: float
    power: float
    low: float
    high: float
    studies: int
    failed: int


def simulated_power(
    model: AnswerModel,
    levels: Mapping[str, int],
    *,
    supposed: Mapping[str, float] | None = None,
    studies: int = 500,
    seed: int = 0,
    alpha: float = 0.05,
) -> tuple[tuple[str, SimulatedPower], ...]:
    """The power of each fixed effect in a planned study.

    ``levels``: grouping factor -> planned number of levels; its rows are those of the present levels in turn, so that
    what is crossed stays crossed, and what varies between levels does. ``supposed``: effect -> its size in log odds, in
    the place of the estimate. Each study draws new effects of levels with the estimated variances, and new answers.

    Raises UsageError for a factor or an effect that the model does not have, or fewer than two levels.
    """
    found = model.fit
    names = found.layout.fixed
    check_levels(found.layout, levels, supposed or {})
    _check_size(found.layout, levels, int(found.objective.answers.count.sum()))
    truth = np.array([(supposed or {}).get(n, b) for n, b in zip(names, found.coefficients, strict=True)])
    planned = _planned(found.objective.answers, levels)
    random = np.random.Generator(np.random.PCG64(seed))
    hits, failed = np.zeros(len(names)), 0
    for _ in range(studies):
        answers = _drawn(found, planned, truth, random)
        try:
            if len(np.unique(answers.answer)) < len(answers.values):
                raise np.linalg.LinAlgError("an answer was not drawn")
            effects = fit_answers(answers, model.family, prior=model.prior).effects()
        except np.linalg.LinAlgError:
            failed += 1
            continue
        hits += [each.p < alpha and each.estimate * b > 0.0 for each, b in zip(effects, truth, strict=True)]
    shares = []
    for name, effect, count in zip(names, truth.tolist(), hits.tolist(), strict=True):
        share = wilson(int(count), studies)
        shares.append((name, SimulatedPower(effect, share.value, share.low, share.high, studies, failed)))
    return tuple(shares)


def _check_size(layout: Layout, levels: Mapping[str, int], rows: int) -> None:
    """Raise UsageError for a study that is too large to be simulated. ``rows``: of the present study."""
    effects = layout.p
    for grouping in layout.groupings:
        count = levels.get(grouping.factor, len(grouping.levels))
        effects, rows = effects + count * len(grouping.columns), rows * count // len(grouping.levels)
    if effects > LIMIT or rows > MOST_ROWS:
        raise UsageError(
            f"the planned study has {effects:,} effects and {rows:,} rows: at most {LIMIT:,} and {MOST_ROWS:,} can be "
            "simulated",
            "plan fewer levels",
        )


def _planned(answers: Answers, levels: Mapping[str, int]) -> Answers:
    """The rows of the planned study, one a row of its frame."""
    rows = np.repeat(np.arange(len(answers.count)), answers.count.astype(np.int64))
    now = [level[rows] for level in answers.levels]
    factors = [grouping.factor for grouping in answers.layout.groupings]
    for i, grouping in enumerate(answers.layout.groupings):
        n, wanted = int(now[i].max()) + 1, levels.get(grouping.factor, 0)
        if not wanted:
            continue
        copies = (wanted - now[i] + n - 1) // n  # of the level k of n those with the numbers k, k + n, ...
        at = np.repeat(np.arange(len(rows)), copies)
        turn = np.arange(len(at)) - np.repeat(np.cumsum(copies) - copies, copies)
        rows, now = rows[at], [level[at] for level in now]
        now[i] = now[i] + n * turn
        for j, factor in enumerate(factors):  # a level of `text:sentence` is another one in another text
            if grouping.factor in factor.split(":") and factor not in (grouping.factor, *levels):
                now[j] = np.unique(now[j] + (int(now[j].max()) + 1) * turn, return_inverse=True)[1]
    groupings = (
        replace(grouping, levels=tuple(str(k) for k in range(int(level.max()) + 1)))
        for grouping, level in zip(answers.layout.groupings, now, strict=True)
    )
    layout = Layout(answers.layout.fixed, tuple(groupings), answers.layout.terms)
    z = tuple(each[rows] for each in answers.z)
    return Answers(layout, answers.x[rows], z, tuple(now), answers.answer[rows], np.ones(len(rows)), answers.values)


def _drawn(found: GeneralisedFit, planned: Answers, truth: Floats, random: np.random.Generator) -> Answers:
    """The planned rows with new answers."""
    factors = found.objective.factors(found.theta)
    u = np.concatenate(
        [
            (random.standard_normal((len(grouping.levels), len(factor))) @ factor.T).ravel()
            for grouping, factor in zip(planned.layout.groupings, factors, strict=True)
        ]
        or [np.zeros(0)]
    )
    cuts = np.array([cut.estimate for cut in found.thresholds])
    eta = planned.x @ truth + planned.effects(u)
    return replace(planned, answer=found.objective.family.draw(eta, cuts, random.random(len(eta))))
