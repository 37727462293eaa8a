"""What a fitted model says of a planned study with other numbers of levels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gramprobe.analysis.inference import Power, detectable, power_of
from gramprobe.analysis.mixed.fit import Fit
from gramprobe.analysis.mixed.layout import Layout
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean, listed

MOST_LEVELS = 1_000_000
"""Of a factor in a plan: more are a slip of the hand."""


def planned(
    fit: Fit,
    levels: Mapping[str, int],
    *,
    supposed: Mapping[str, float] | None = None,
    chance: float = 0.8,
    alpha: float = 0.05,
) -> tuple[tuple[str, Power], ...]:
    """For each fixed effect its standard error, power and smallest detectable effect in a planned design.

    ``levels``: grouping factor -> planned number of levels; factors that are not named keep theirs. The design is taken
    to be crossed as the present one is: the part of a variance that comes from a factor shrinks as its levels grow, the
    residual part as the rows do, that is with the product of all ratios. Degrees of freedom are taken to grow as the
    variance shrinks, which is somewhat too few. ``supposed``: effect -> its size, in the place of the estimate.

    Raises UsageError for a factor or an effect that the model does not have, or fewer than two levels.
    """
    check_levels(fit.layout, levels, supposed or {})
    now = {grouping.factor: len(grouping.levels) for grouping in fit.layout.groupings}
    ratio = {name: levels.get(name, count) / count for name, count in now.items() if ":" not in name}
    rows = float(np.prod(list(ratio.values())))
    for name in now:  # pairs of levels grow as both factors do
        if ":" in name:
            ratio[name] = levels.get(name, 0) / now[name] or float(
                np.prod([ratio.get(p, 1.0) for p in name.split(":")])
            )
    found = []
    for i, name in enumerate(fit.layout.fixed):
        contrast = np.eye(fit.layout.p)[i]
        parts, residual = fit.parts(contrast)
        variance = max(residual, 0.0) / rows
        variance += sum(part / ratio[term.factor] for part, term in zip(parts, fit.layout.terms, strict=True))
        df = fit.df(contrast) * (sum(parts) + residual) / variance
        error, effect = float(np.sqrt(variance)), (supposed or {}).get(name, float(fit.coefficients[i]))
        chances = power_of(effect, error, df, alpha), detectable(error, df, chance, alpha)
        found.append((name, Power(effect, error, df, *chances)))
    return tuple(found)


def check_levels(layout: Layout, levels: Mapping[str, int], supposed: Mapping[str, float]) -> None:
    """Raise UsageError for planned levels and supposed effects that a model cannot have."""
    now = [grouping.factor for grouping in layout.groupings]
    for name, count in levels.items():
        if name not in now:
            help = f"there are: {listed(now)}" if now else f"the formula has no random term: add (1 | {name})"
            raise UsageError(f"no grouping factor `{name}`{did_you_mean(name, now)}", help)
        if not 2 <= count <= MOST_LEVELS:
            raise UsageError(f"`{name}` cannot have {count:,} levels in a plan", f"2 to {MOST_LEVELS:,}")
    for name in supposed:
        if name not in layout.fixed:
            raise UsageError(
                f"no effect `{name}`{did_you_mean(name, layout.fixed)}", f"there are {listed(layout.fixed)}"
            )
