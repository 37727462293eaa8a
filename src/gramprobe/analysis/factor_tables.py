"""The tables of an author's own factors: means of cells, effects, simple effects (`analysis.factorial`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.factorial import Design, Effect, Factor, contrast, corrected
from gramprobe.analysis.means import LEAST
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Unit, Value

Floats = NDArray[np.float64]
Words = NDArray[np.object_]
Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Answered:
    """What a model reaches on the items of a paradigm with factors.

    Attributes:
        model: its name.
        values: (items,) numbers; NaN where there is none.
        instances: (items,) the instance of each.
        levels: factor -> (items,) the level of each item; empty where it has none.
        words: draw -> (items,) the word that is drawn.
        mean: the mean over some of the items, with its interval.
        conditions: (items,) the condition of each.
    """

    model: str
    values: Floats
    instances: Words
    levels: Mapping[str, Words]
    words: Mapping[str, Words]
    mean: Callable[[Rows], Interval | float]
    conditions: Words

    def contrasts(self, declared: Mapping[str, Mapping[str, float]]) -> list[Effect]:
        """The contrasts that an author declares, corrected together."""
        every = (
            contrast(name, weights, self.values, self.instances.tolist(), self.conditions.tolist())
            for name, weights in declared.items()
        )
        return corrected([effect for effect in every if effect is not None])

    def design(self, factors: Sequence[Factor]) -> Design | None:
        """The items that have a value and a level of each factor, with the levels that occur; None if some factor has
        fewer than two levels among them."""
        kept = ~np.isnan(self.values)
        for factor in factors:
            kept &= np.isin(self.levels[factor.name], factor.levels)
        levels = {factor.name: self.levels[factor.name][kept].tolist() for factor in factors}
        there = {name: set(own) for name, own in levels.items()}
        occur = tuple(
            replace(factor, levels=tuple(level for level in factor.levels if level in there[factor.name]))
            for factor in factors
        )
        if any(len(factor.levels) < 2 for factor in occur):
            return None
        return Design(self.values[kept], self.instances[kept].tolist(), occur, levels)

    def has(self, levels: Mapping[str, str]) -> Rows:
        """(items,) whether an item has a value and all these levels."""
        has = ~np.isnan(self.values)
        for factor, level in levels.items():
            has &= self.levels[factor] == level
        return has


@dataclass(frozen=True)
class Measure:
    """What is analysed: its name in captions, its column in the long frame, what distinguishes the names of its tables,
    and how its means were made."""

    said: str
    column: str
    end: str
    method: Method


def tables(
    answered: Sequence[Answered],
    factors: Sequence[Factor],
    contrasts: Mapping[str, Mapping[str, float]],
    measure: Measure,
) -> Iterator[Table]:
    """The contrasts that an author declares (name -> condition -> weight), and the means of cells, the effects and the
    simple effects of the factors; of these nothing if no model answered two levels of each."""
    yield from _effects("contrasts", [(each.model, each.contrasts(contrasts)) for each in answered], (), measure)
    tested = [(each.model, found.effects()) for each in answered if factors and (found := each.design(factors))]
    if not tested:
        return
    yield _cells(answered, factors, measure)
    whole = [(model, [effect for effect in effects if not effect.at]) for model, effects in tested]
    simple = [(model, [effect for effect in effects if effect.at]) for model, effects in tested]
    yield from _effects("effects", whole, factors, measure, tuple(_recurring(answered[0], factors, measure.column)))
    yield from _effects("simple effects", simple, factors, measure)


def _cells(answered: Sequence[Answered], factors: Sequence[Factor], measure: Measure) -> Table:
    """A row for each combination of levels that some item has."""
    rows: list[tuple[Value, ...]] = []
    names = [factor.name for factor in factors]
    for levels in product(*(factor.levels for factor in factors)):
        found = [each.has(dict(zip(names, levels, strict=True))) for each in answered]
        if any(own.any() for own in found):
            means = (each.mean(own) if own.any() else None for each, own in zip(answered, found, strict=True))
            rows.append((*levels, int(found[0].sum()), *means))
    models = (Column(f"model_{number}", each.model, 3) for number, each in enumerate(answered, 1))
    return Table(
        f"any_cells{measure.end}",
        f"Mean {measure.said} by {' and '.join(names)}.",
        (*(Column(name, name) for name in names), Column("n", "items"), *models),
        tuple(rows),
        stub=len(factors),
        methods=(measure.method,),
    )


def _effects(
    what: str,
    tested: Sequence[tuple[str, list[Effect]]],
    factors: Sequence[Factor],
    measure: Measure,
    notes: tuple[str, ...] = (),
) -> Iterator[Table]:
    """A row for each effect, a section for each of several models; no table without effects."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for model, effects in tested:
        if effects and len(tested) > 1:
            sections[len(rows)] = model
        rows += [(e.name, e.compared, e.instances, e.value, e.t, e.df, e.corrected) for e in effects]
    if not rows:
        return
    yield Table(
        f"any_{what.replace(' ', '_')}{measure.end}",
        f"{what.capitalize()} {'of' if what == 'contrasts' else 'of the factors on'} {measure.said}.",
        (
            Column("effect", "effect"),
            Column("compared", "compared"),
            Column("n", "instances"),
            Column("difference", "difference", 3),
            Column("t", "t", 2),
            Column("df", "df", 1),
            Column("p", "p (Holm)", 3, Unit.PROBABILITY),
        ),
        tuple(rows),
        notes,
        stub=2,
        sections=sections,
        methods=(_method(factors, what),),
    )


def _method(factors: Sequence[Factor], what: str) -> Method:
    across = any(not factor.within for factor in factors)
    alone = factors and not any(factor.within for factor in factors)
    others = ", other factors counting equally at each of their levels" if factors else ""
    kind = "Welch's t" if across else "Student's t"
    return Method(
        estimator=f"mean over instances of {'their means' if alone else 'the own contrast of each'}{others}",
        interval=kind,
        least=LEAST,
        test=f"{kind}, two-sided",
        cluster="instances",
        df="Welch's" if across else "instances less 1",
        correction=f"Holm's, over the {what} of a model in this table",
        population="new instances made of the same words",
    )


def _recurring(answered: Answered, factors: Sequence[Factor], column: str) -> Iterator[str]:
    """A note with a model in which words are random too, if some word stands in several instances."""
    own = {factor.draw for factor in factors}
    words = {draw: drawn for draw, drawn in answered.words.items() if draw not in own}
    recurring = [draw for draw, drawn in words.items() if _recurs(drawn, answered.instances)]
    if not recurring:
        return
    coded = {factor: f"{factor.name}_c" if len(factor.levels) == 2 else factor.name for factor in factors}
    within = " * ".join(code for factor, code in coded.items() if factor.within)
    slopes = f"1 + {within}" if within else "1"
    random = "".join(f" + ({slopes} || {draw})" for draw in recurring)
    yield (
        f"Words of {', '.join(recurring)} stand in several instances. Whether an effect holds for other words is shown "
        f"by a model in which words are random, `{column} ~ {' * '.join(coded.values())} + (1 | instance){random}`, "
        "for lme4, or `gramprobe analyze --frame`, on what `gramprobe frame --wide` writes."
    )


def _recurs(words: Words, instances: Words) -> bool:
    """Whether some word stands in more than one instance."""
    seen: dict[str, str] = {}
    pairs = zip(words.tolist(), instances.tolist(), strict=True)
    return any(word and seen.setdefault(word, instance) != instance for word, instance in pairs)
