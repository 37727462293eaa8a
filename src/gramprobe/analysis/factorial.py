"""What an author's factors do: effects with intervals, from one contrast an instance.

    Design(values, instances, factors, levels).effects()
        -> main effects, interactions, and each factor's effect at every level of another

An effect of two levels is the mean of the first less the mean of the second, other factors counting equally at each of
their levels; an interaction is a difference of such differences. The sentences of an instance belong together: so each
instance gives one number, its own contrast over the factors within it, and effects are tested by Student's t over
instances. This allows every effect a variance of its own, and assumes no sphericity (Maxwell & Delaney 2004, ch. 11).
Where instances differ in a factor between them, means of groups are compared by Welch's t (Welch 1947).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.inference import holm
from gramprobe.analysis.means import SAME, enough
from gramprobe.analysis.output.table import Interval

Floats = NDArray[np.float64]
MOST_FACTORS = 3
"""Interactions of more factors are not computed: nobody reads them."""
Pair = tuple[str, str]


@dataclass(frozen=True)
class Factor:
    """A factor: its name, its levels in order, whether every instance has each of them, and the draw whose words they
    are, if they are."""

    name: str
    levels: tuple[str, ...]
    within: bool
    draw: str = ""


@dataclass(frozen=True)
class Effect:
    """An effect of some factors.

    Attributes:
        factors: their names.
        pairs: for each the two levels that are compared, the first less the second.
        at: of a simple effect the level of another factor at which it is measured: factor -> level.
        value: in the unit of the values; an interval if there are enough instances and they differ.
        df, t, p: of its test; None without an interval.
        corrected: p after Holm's correction over the effects of its kind (main effects and interactions, or simple).
        instances: how many instances it rests on.
        shown: of a declared contrast, what is compared.
    """

    factors: tuple[str, ...]
    pairs: tuple[Pair, ...]
    at: tuple[tuple[str, str], ...]
    value: Interval | float = float("nan")
    df: float | None = None
    t: float | None = None
    p: float | None = None
    instances: int = 0
    corrected: float | None = None
    shown: str = ""

    @property
    def name(self) -> str:
        """`clause`, `clause \u00d7 article`, `clause at article = the`."""
        of = " \u00d7 ".join(self.factors)
        return f"{of} at {', '.join(f'{name} = {level}' for name, level in self.at)}" if self.at else of

    @property
    def compared(self) -> str:
        """The levels that are compared; of an interaction a difference of differences: (a - b) at c - (a - b) at d."""
        if self.shown:
            return self.shown
        said = " \u2212 ".join(self.pairs[0])
        for one, other in self.pairs[1:]:
            said = f"({said}) at {one} \u2212 ({said}) at {other}"
        return said


@dataclass(frozen=True)
class Design:
    """Values of items in a factorial design.

    Attributes:
        values: (items,) numbers, none of them NaN.
        instances: (items,) the instance of each.
        factors: with at least two levels each.
        levels: factor -> (items,) the level of each item.
    """

    values: Floats
    instances: Sequence[str]
    factors: tuple[Factor, ...]
    levels: Mapping[str, Sequence[str]]
    _of: dict[str, int] = field(default_factory=dict, compare=False)

    @property
    def within(self) -> tuple[Factor, ...]:
        return tuple(factor for factor in self.factors if factor.within)

    @property
    def between(self) -> tuple[Factor, ...]:
        return tuple(factor for factor in self.factors if not factor.within)

    @cached_property
    def _means(self) -> tuple[Floats, NDArray[np.int64]]:
        """((instances, combinations within) means, NaN without items; (instances,) the combination between of each)."""
        inside, across = (self._codes(factors) for factors in (self.within, self.between))
        at = np.array([self._of.setdefault(each, len(self._of)) for each in self.instances], np.int64)
        cells = prod(len(factor.levels) for factor in self.within)
        sums, counts = np.zeros((len(self._of), cells)), np.zeros((len(self._of), cells))
        np.add.at(sums, (at, inside), self.values)
        np.add.at(counts, (at, inside), 1.0)
        group = np.zeros(len(self._of), np.int64)
        group[at] = across
        with np.errstate(invalid="ignore"):
            return sums / counts, group

    def _codes(self, factors: Sequence[Factor]) -> NDArray[np.int64]:
        """(items,) the number of each item's combination of levels, the last factor varying fastest."""
        code = np.zeros(len(self.values), np.int64)
        for factor in factors:
            numbers = {level: number for number, level in enumerate(factor.levels)}
            code = code * len(factor.levels) + np.array([numbers[own] for own in self.levels[factor.name]], np.int64)
        return code

    def effects(self) -> list[Effect]:
        """Main effects and interactions, then simple effects, each kind corrected by itself; effects for which a
        combination of levels is missing are left out."""
        main = [
            effect
            for size in range(1, min(len(self.factors), MOST_FACTORS) + 1)
            for of in combinations(self.factors, size)
            for pairs in product(*(list(combinations(factor.levels, 2)) for factor in of))
            if (effect := self.effect(of, pairs)) is not None
        ]
        simple = [
            effect
            for of in self.factors
            for other in self.factors
            for level in other.levels
            for pair in combinations(of.levels, 2)
            if other is not of and (effect := self.effect((of,), (pair,), ((other.name, level),))) is not None
        ]
        return [*corrected(main), *corrected(simple)]

    def effect(
        self, of: Sequence[Factor], pairs: Sequence[Pair], at: tuple[tuple[str, str], ...] = ()
    ) -> Effect | None:
        """The effect of some factors, at levels of others; None if a combination that it needs has no items."""
        compared, fixed = {f.name: pair for f, pair in zip(of, pairs, strict=True)}, dict(at)
        means, group = self._means
        inside = _weights(self.within, compared, fixed)
        across = _weights(self.between, compared, fixed)
        needed = np.flatnonzero(inside)
        contrasts = means[:, needed] @ inside[needed]
        known = ~np.isnan(contrasts)
        groups = [contrasts[known & (group == each)] for each in np.flatnonzero(across)]
        if any(len(own) == 0 for own in groups):
            return None
        weights = across[np.flatnonzero(across)]
        return _judged(Effect(tuple(f.name for f in of), tuple(pairs), at), groups, weights, len(needed))


def contrast(
    name: str, weights: Mapping[str, float], values: Floats, instances: Sequence[str], conditions: Sequence[str]
) -> Effect | None:
    """A comparison that an author declares: the weighted sum of an instance's means by condition, over instances that
    have every condition of it; None if there are none. ``values``, ``instances``, ``conditions``: (items,)."""
    sums: dict[str, dict[str, list[float]]] = {}
    for value, instance, condition in zip(values.tolist(), instances, conditions, strict=True):
        if condition in weights and value == value:
            sums.setdefault(instance, {}).setdefault(condition, []).append(value)
    own = [
        sum(weight * float(np.mean(means[condition])) for condition, weight in weights.items())
        for means in sums.values()
        if len(means) == len(weights)
    ]
    if not own:
        return None
    shown = " ".join(_weighted(condition, weight) for condition, weight in weights.items()).removeprefix("+ ")
    return _judged(Effect((name,), (), (), shown=shown), [np.array(own)], np.ones(1), len(weights))


def _weighted(condition: str, weight: float) -> str:
    sign = "\u2212" if weight < 0 else "+"
    return f"{sign} {condition}" if abs(weight) == 1 else f"{sign} {abs(weight):g} {condition}"


def _judged(effect: Effect, groups: Sequence[Floats], weights: Floats, cells: int) -> Effect:
    """An effect with the weighted sum of the means of groups of instances, each of one number, and its test if there
    are enough instances. ``cells``: of how many means such a number is made."""
    value = float(sum(weight * own.mean() for weight, own in zip(weights, groups, strict=True)))
    instances = sum(map(len, groups))
    found = replace(effect, value=value, instances=instances)
    if not enough(instances, instances * cells) or any(len(own) < 2 for own in groups):
        return found
    parts = [weight**2 * own.var(ddof=1) / len(own) for weight, own in zip(weights, groups, strict=True)]
    variance = float(sum(parts))
    if variance <= SAME**2:
        return found
    df = variance**2 / sum(part**2 / (len(own) - 1) for part, own in zip(parts, groups, strict=True))
    return _tested(found, value, float(np.sqrt(variance)), float(df))


def _tested(effect: Effect, value: float, error: float, df: float) -> Effect:
    from scipy.special import stdtr, stdtrit

    half = float(stdtrit(df, 0.975)) * error
    t = value / error
    p = float(2.0 * stdtr(df, -abs(t)))
    return replace(effect, value=Interval(value, value - half, value + half), df=df, t=t, p=p)


def _weights(factors: Sequence[Factor], compared: Mapping[str, Pair], fixed: Mapping[str, str]) -> Floats:
    """(combinations of levels,) the weight of each in an effect, the last factor varying fastest."""
    weights = np.ones(1)
    for factor in factors:
        if factor.name in compared:
            one, other = compared[factor.name]
            own = [float(level == one) - float(level == other) for level in factor.levels]
        elif factor.name in fixed:
            own = [float(level == fixed[factor.name]) for level in factor.levels]
        else:
            own = [1.0 / len(factor.levels)] * len(factor.levels)
        weights = np.outer(weights, own).ravel()
    return weights


def corrected(effects: Sequence[Effect]) -> list[Effect]:
    """Effects with Holm's correction over those that have a test."""
    tested = [effect for effect in effects if effect.p is not None]
    adjusted = holm([effect.p for effect in tested if effect.p is not None]).tolist()
    known = dict(zip(map(id, tested), adjusted, strict=True))
    return [replace(effect, corrected=known.get(id(effect))) for effect in effects]
