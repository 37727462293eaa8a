"""Effects of factors for other words too: a linear mixed model in which words that instances share are random.

Where one word stands in several instances, these are not independent of each other, and a test over instances speaks of
new instances made of the same words (Clark 1973). Here each word has an intercept and effects of its own,
`(1 + effects within | word)`. An instance has an intercept and effects, too, but no interaction of the highest order:
where each cell has one row, that cannot be told from the residual (Barr, Levy, Scheepers & Tily 2013).

    fitted(...) -> WordModel        by REML, as lme4 fits it (`analysis.mixed`)

Correlations of a word's effects are left out where they make the fit singular, then words whose effects are all
estimated as zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gramprobe.analysis.factorial import MOST_FACTORS, Effect, Factor, Pair, corrected
from gramprobe.analysis.mixed.coding import contrasts
from gramprobe.analysis.output.table import Interval
from gramprobe.source.diagnostic import AuthoringError
from gramprobe.source.nearest import listed

if TYPE_CHECKING:
    from gramprobe.analysis.mixed.model import Model

Floats = NDArray[np.float64]
Words = NDArray[np.object_]


@dataclass(frozen=True)
class WordModel:
    """A fitted model.

    Attributes:
        line: one line of R that fits it to the frame `answers` (package lmerTest).
        effects: main effects and interactions, corrected together.
        said: what was left out, in sentences.
        words: the draws whose words are random.
    """

    line: str
    effects: tuple[Effect, ...]
    said: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Observed:
    """What is fitted.

    Attributes:
        response: the name of the numbers in the long frame.
        values: (items,) the numbers, none of them NaN.
        instances: (items,) the instance of each.
        levels: factor -> (items,) the level of each.
        words: draw -> (items,) the word of each.
        rows: the rows of the frame, as R reads them.
    """

    response: str
    values: Floats
    instances: Words
    levels: Mapping[str, Words]
    words: Mapping[str, Words]
    rows: str = 'read.csv("answers.csv")'


def recurring(words: Mapping[str, Words], instances: Words) -> tuple[str, ...]:
    """The draws of which some word stands in more than one instance, and that have more words than one."""
    return tuple(
        draw for draw, drawn in words.items() if len({*drawn.tolist()} - {""}) > 1 and _recurs(drawn, instances)
    )


def _recurs(words: Words, instances: Words) -> bool:
    seen: dict[str, str] = {}
    pairs = zip(words.tolist(), instances.tolist(), strict=True)
    return any(word and seen.setdefault(word, instance) != instance for word, instance in pairs)


def fitted(observed: Observed, factors: Sequence[Factor], draws: Sequence[str]) -> WordModel | str:
    """The model of some values; else why there is none, in a sentence."""
    from gramprobe.analysis.mixed.model import mixed_model  # which scipy makes slow to import

    cells: dict[tuple[str, ...], set[float]] = {}
    levels = [observed.levels[factor.name].tolist() for factor in factors]
    for value, *cell in zip(observed.values.tolist(), *levels, strict=True):
        cells.setdefault(tuple(cell), set()).add(value)
    alike = sum(len(values) == 1 for values in cells.values())
    if 2 * alike > len(cells):
        return f"No model in which words are random is fitted: in {alike} of {len(cells)} cells all scores are equal."
    kinds = dict.fromkeys(draws, _KINDS[0])
    said: list[str] = []
    frame = _frame(observed, factors, draws)
    many = {factor.name: factor.levels for factor in factors if len(factor.levels) > 2}
    while kinds:
        formula = _formula(observed, factors, kinds)
        try:
            model = mixed_model(formula, frame, codings=dict.fromkeys(many, "sum"), levels=many)
        except AuthoringError as error:
            return f"No model in which words are random can be fitted: {error.diagnostics[0].message}."
        singular = _singular(model, kinds, factors)
        if not singular:
            if not model.fit.converged:
                said.append("It did not converge: do not report it.")
            effects = corrected([_effect(model, factors, of, pairs) for of, pairs in _asked(factors)])
            return WordModel(_in_r(formula, many, observed.rows), tuple(effects), tuple(said), tuple(kinds))
        for why in dict.fromkeys(why for _, why in singular.values()):
            said.append(f"Of {listed([draw for draw, (_, own) in singular.items() if own == why])}, {why}.")
        for draw, (kind, _) in singular.items():
            if kind:
                kinds[draw] = kind
            else:
                del kinds[draw]
    return f"No words need to be random. {' '.join(said)}"


#: what a word has: intercept and effects within with their correlations, without them, an intercept alone
_KINDS = ("correlated", "uncorrelated", "intercept")


def _frame(observed: Observed, factors: Sequence[Factor], draws: Sequence[str]) -> pa.Table:
    """A row an item, as the long frame has it: of two levels the codes +0.5 and -0.5, of more their names."""
    columns: dict[str, pa.Array] = {
        observed.response: pa.array(observed.values),
        "instance": pa.array(observed.instances.tolist()),
    }
    for factor in factors:
        levels = observed.levels[factor.name]
        if len(factor.levels) == 2:
            columns[_column(factor)] = pa.array(np.where(levels == factor.levels[0], 0.5, -0.5))
        else:
            columns[_column(factor)] = pa.array(levels.tolist())
    for draw in draws:
        columns[draw] = pa.array(observed.words[draw].tolist())
    return pa.table(columns)


def _column(factor: Factor) -> str:
    return f"{factor.name}_c" if len(factor.levels) == 2 else factor.name


def _formula(observed: Observed, factors: Sequence[Factor], kinds: Mapping[str, str]) -> str:
    within = [factor for factor in factors if factor.within]
    inside = " * ".join(map(_column, within))
    random = []
    for draw, kind in kinds.items():
        if kind == "intercept" or not within:
            random.append(f"(1 | {draw})")
        else:
            random.append(f"(1 + {inside} {'|' if kind == 'correlated' else '||'} {draw})")
    lower = [
        ":".join(map(_column, of))
        for size in range(1, len(within))
        for of in combinations([factor for factor in within if len(factor.levels) == 2], size)
    ]
    own = f"(1 + {' + '.join(lower)} || instance)" if lower else "(1 | instance)"
    return f"{observed.response} ~ {' * '.join(map(_column, factors))} + {' + '.join([own, *random])}"


def _in_r(formula: str, many: Iterable[str], rows: str) -> str:
    sums = ", ".join(f'{name} = "contr.sum"' for name in many)
    return f"lmerTest::lmer({formula}, {rows}{f', contrasts = list({sums})' if sums else ''})"


def _singular(model: Model, kinds: Mapping[str, str], factors: Sequence[Factor]) -> dict[str, tuple[str, str]]:
    """Draw -> what its words have in a simpler model (nothing: ""), and why, of draws with a singular term."""
    singular = {each.term for each in model.fit.singular}
    found = {}
    for draw, kind in kinds.items():
        own = [term for term in model.fit.random_terms() if term.factor == draw]
        bad = [term for term in own if term.term in singular]
        numbers = all(len(factor.levels) == 2 for factor in factors if factor.within)
        if kind == "correlated" and bad and len(own[0].columns) > 1:
            simpler = "uncorrelated" if numbers else "intercept"
            left = "correlations are" if numbers else "effects of the factors are"
            found[draw] = (simpler, f"{left} left out: with them the fit is singular")
        elif len(bad) == len(own):
            found[draw] = ("", "every variance is estimated as zero: its words are not random")
    return found


def _asked(factors: Sequence[Factor]) -> Iterator[tuple[tuple[Factor, ...], tuple[Pair, ...]]]:
    """Main effects and interactions, of each two levels."""
    for size in range(1, min(len(factors), MOST_FACTORS) + 1):
        for of in combinations(factors, size):
            for pairs in product(*(list(combinations(factor.levels, 2)) for factor in of)):
                yield of, pairs


def _effect(model: Model, factors: Sequence[Factor], of: Sequence[Factor], pairs: Sequence[Pair]) -> Effect:
    """The difference of levels, or of differences, other factors counting equally at each of their levels: their codes
    sum to zero, so that no coefficient of theirs has a part in it."""
    parts = dict[str, float]()
    for factor, (one, other) in zip(of, pairs, strict=True):
        if len(factor.levels) == 2:
            parts[_column(factor)] = 1.0
        else:
            codes = contrasts("sum", len(factor.levels))
            weights = codes[factor.levels.index(one)] - codes[factor.levels.index(other)]
            parts |= {f"{_column(factor)}{n}": float(weight) for n, weight in enumerate(weights, 1)}
    names = [name.split(":") for name in model.fit.layout.fixed]
    weights = np.array(
        [prod(parts[n] for n in name) if len(name) == len(of) and {*name} <= {*parts} else 0.0 for name in names]
    )
    tested = model.fit.contrast("", weights)
    instances = next(len(each.levels) for each in model.fit.layout.groupings if each.factor == "instance")
    return Effect(
        tuple(factor.name for factor in of),
        tuple(pairs),
        (),
        value=Interval(tested.estimate, tested.low, tested.high),
        df=tested.df,
        t=tested.t,
        p=tested.p,
        instances=instances,
    )
