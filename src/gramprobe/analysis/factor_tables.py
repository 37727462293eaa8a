"""The tables of an author's own factors: means of cells, effects, simple effects (`analysis.factorial`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.factorial import Design, Effect, Factor, contrast, corrected
from gramprobe.analysis.means import LEAST
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Unit, Value

if TYPE_CHECKING:
    from gramprobe.analysis.word_models import WordModel

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

    def _compared(self, factors: Sequence[Factor]) -> tuple[Rows, tuple[Factor, ...]] | None:
        """(items,) which have a value and a level of each factor, and the factors with the levels that occur; None if
        some factor has fewer than two levels among them."""
        kept = ~np.isnan(self.values)
        for factor in factors:
            kept &= np.isin(self.levels[factor.name], factor.levels)
        there = {factor.name: set(self.levels[factor.name][kept].tolist()) for factor in factors}
        occur = tuple(
            replace(factor, levels=tuple(level for level in factor.levels if level in there[factor.name]))
            for factor in factors
        )
        return None if any(len(factor.levels) < 2 for factor in occur) else (kept, occur)

    def design(self, factors: Sequence[Factor]) -> Design | None:
        """The items that have a value and a level of each factor; None if some factor has fewer than two levels."""
        if (compared := self._compared(factors)) is None:
            return None
        kept, occur = compared
        levels = {factor.name: self.levels[factor.name][kept].tolist() for factor in factors}
        return Design(self.values[kept], self.instances[kept].tolist(), occur, levels)

    def word_model(self, factors: Sequence[Factor], measure: Measure) -> WordModel | str | None:
        """A model in which words that instances share are random, or why there is none; None if there are no such
        words. Words that are levels of a factor are fixed."""
        from gramprobe.analysis.word_models import Observed, fitted, recurring

        if (compared := self._compared(factors)) is None:
            return None
        kept, occur = compared
        own = {factor.draw for factor in factors}
        words = {draw: drawn[kept] for draw, drawn in self.words.items() if draw not in own}
        draws = recurring(words, self.instances[kept])
        levels = {factor.name: self.levels[factor.name][kept] for factor in factors}
        observed = Observed(measure.column, self.values[kept], self.instances[kept], levels, words, measure.rows)
        return fitted(observed, occur, draws) if draws else None

    def has(self, levels: Mapping[str, str]) -> Rows:
        """(items,) whether an item has a value and all these levels."""
        has = ~np.isnan(self.values)
        for factor, level in levels.items():
            has &= self.levels[factor] == level
        return has


@dataclass(frozen=True)
class Measure:
    """What is analysed: its name in captions, its column in the long frame, what distinguishes the names of its tables,
    how its means were made, whether it is a share, and the rows of the frame, as R reads them."""

    said: str
    column: str
    end: str
    method: Method
    share: bool = False
    rows: str = 'read.csv("answers.csv")'


def tables(
    answered: Sequence[Answered],
    factors: Sequence[Factor],
    contrasts: Mapping[str, Mapping[str, float]],
    measure: Measure,
    alone: str = "",
) -> Iterator[Table]:
    """The contrasts that an author declares (name -> condition -> weight), and the means of cells, the effects and the
    simple effects of the factors; of these nothing if no model answered two levels of each. ``alone``: why there
    are means of cells alone, where sentences of an instance cannot be compared."""
    if alone:
        if any(each.design(factors) for each in answered if factors):
            yield replace(_cells(answered, factors, measure), notes=(alone,))
        return
    yield from _effects("contrasts", [(each.model, each.contrasts(contrasts)) for each in answered], (), measure)
    tested = [(each.model, found.effects()) for each in answered if factors and (found := each.design(factors))]
    if not tested:
        return
    yield _cells(answered, factors, measure)
    whole = [(model, [effect for effect in effects if not effect.at]) for model, effects in tested]
    simple = [(model, [effect for effect in effects if effect.at]) for model, effects in tested]
    words, without = _word_models(answered, factors, measure)
    yield from _effects("effects", whole, factors, measure, (*_ABOUT, *_in_r(factors, measure), *without))
    yield from words
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
    models = (Column(f"model_{number}", each.model, 3, _unit(measure)) for number, each in enumerate(answered, 1))
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
        _columns(measure),
        tuple(rows),
        notes,
        stub=2,
        sections=sections,
        methods=(effects_method(factors, what),),
    )


def _unit(measure: Measure) -> Unit:
    return Unit.SHARE if measure.share else Unit.PLAIN


def _columns(measure: Measure) -> tuple[Column, ...]:
    """Those of a table of effects."""
    return (
        Column("effect", "effect"),
        Column("compared", "compared"),
        Column("n", "instances"),
        Column("difference", "difference", 3, _unit(measure)),
        Column("t", "t", 2),
        Column("df", "df", 1),
        Column("p", "p (Holm)", 3, Unit.PROBABILITY),
    )


def effects_method(factors: Sequence[Factor], what: str, tested: bool = True) -> Method:
    """How effects of factors, or contrasts of conditions where there are none, are estimated over instances. ``what``:
    what p is corrected over, if they are ``tested``."""
    across = any(not factor.within for factor in factors)
    alone = factors and not any(factor.within for factor in factors)
    others = ", other factors counting equally at each of their levels" if factors else ""
    kind = "Welch's t" if across else "Student's t"
    return Method(
        estimator=f"mean over instances of {'their means' if alone else 'the own contrast of each'}{others}",
        interval=kind,
        least=LEAST,
        test=f"{kind}, two-sided" if tested else "",
        cluster="instances",
        df="Welch's" if across else "instances less 1",
        correction=f"Holm's, over the {what} of a model in this table" if tested else "none",
        population="new instances made of the same words",
    )


def _in_r(factors: Sequence[Factor], measure: Measure) -> Iterator[str]:
    """A note with the line of R that makes the same test of the interaction of all factors, or the effect of the only
    one, if each has two levels and they vary alike."""
    if any(len(factor.levels) != 2 for factor in factors) or len({factor.within for factor in factors}) > 1:
        return
    codes, response = [f"{factor.name}_c" for factor in factors], measure.column
    means = f"aggregate({response} ~ instance + {' + '.join(codes)}, {measure.rows}, mean)"
    if factors[0].within:
        own = f"tapply({2 ** len(codes)} * {response} * {' * '.join(codes)}, instance, sum)"
        line = f"with({means}, t.test({own}))"
    elif len(factors) == 1:
        line = f"t.test({response} ~ factor(-{codes[0]}), {means})"
    else:
        return
    effect = " \u00d7 ".join(factor.name for factor in factors)
    yield f"The test of {effect} in R, with the frame that `gramprobe frame --wide --out answers.csv` writes: {line}"


def _word_models(
    answered: Sequence[Answered], factors: Sequence[Factor], measure: Measure
) -> tuple[list[Table], list[str]]:
    """The effects where words that instances share are random, if there are such words, a section for each of several
    models; and why there are none, of models without them."""
    from gramprobe.analysis.word_models import WordModel

    found = {each.model: model for each in answered if (model := each.word_model(factors, measure)) is not None}
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    notes: list[str] = []
    without: list[str] = []
    for name, model in found.items():
        of = f"{name}: " if len(found) > 1 else ""
        if not isinstance(model, WordModel):
            without.append(f"{of}{model}")
            continue
        if len(found) > 1:
            sections[len(rows)] = name
        rows += [(e.name, e.compared, e.instances, e.value, e.t, e.df, e.corrected) for e in model.effects]
        notes += [f"{of}{sentence}" for sentence in model.said]
        notes.append(f"{of}In R, with the frame that `gramprobe frame --wide --out answers.csv` writes: {model.line}")
    table = Table(
        f"any_word_models{measure.end}",
        f"Effects of the factors on {measure.said}, with words as random, so that they hold for other words too.",
        _columns(measure),
        tuple(rows),
        tuple(notes),
        stub=2,
        sections=sections,
        methods=(_WORDS,),
    )
    return ([table] if rows else [], without)


_ABOUT = (
    "Effect of a factor: the mean at its first level less that at the second (of more, every two), other factors "
    "counting equally at their levels. \u00d7: by how much such an effect differs between levels of another factor. "
    "A dash: it is the same in all instances, so that there is no spread to test by.",
)
UNLIKE = (
    "The words of this region differ between the sentences of an instance: a difference would be one between words, so "
    "that no effects are printed."
)
TWO_LABELS = (
    "Entailment and the rest: the model never says contradiction. `gramprobe score` prints the same by condition."
)
ADDED = (
    "Pairs that `balance` adds ask each hypothesis behind another premise: they show what the hypothesis gives away by "
    "itself, and are in no effect."
)
_WORDS = Method(
    estimator="a linear mixed model by REML with random words and instances, an effect being a difference of means",
    interval="Student's t",
    test="Student's t, two-sided",
    cluster="instances and words",
    df="Satterthwaite's",
    correction="Holm's, over the effects of a model in this table",
    population="new instances made of other words",
)
