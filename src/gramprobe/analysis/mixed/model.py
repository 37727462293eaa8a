"""A mixed model from a formula and a frame: read, checked, added up, fitted; of scores, or of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from gramprobe.analysis.mixed.answers import answers_of
from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.estimable import check, check_size
from gramprobe.analysis.mixed.family import BINOMIAL, FAMILIES, Family
from gramprobe.analysis.mixed.fit import Fit, fit
from gramprobe.analysis.mixed.formula import parse
from gramprobe.analysis.mixed.frame import frame_of
from gramprobe.analysis.mixed.generalised import GeneralisedFit, fit_answers, fixed_alone, without_effects
from gramprobe.analysis.mixed.laplace import Laplace
from gramprobe.analysis.mixed.separation import in_words, pure_cells, separated
from gramprobe.source.diagnostic import AuthoringError
from gramprobe.source.messages import analysis as messages
from gramprobe.source.nearest import listed

#: a residual below this share of the scores' spread is rounding
NOTHING = 1e-6


@dataclass(frozen=True)
class Model:
    """A fitted model with its design.

    Attributes:
        design: its formula, columns and codings.
        fit: its estimates.
        warnings: sentences about what a reader of the estimates must know.
    """

    design: Design
    fit: Fit
    warnings: tuple[str, ...]


def mixed_model(
    formula: str,
    source: Path | pa.Table,
    *,
    reml: bool = True,
    codings: Mapping[str, str] | None = None,
    levels: Mapping[str, tuple[str, ...]] | None = None,
) -> Model:
    """Fit a linear mixed model.

    ``formula``: as in lme4; ``source``: a csv or Parquet file, or a table, with one row a score; ``codings``: column ->
    contrasts (:data:`gramprobe.analysis.mixed.coding.KINDS`); ``levels``: column -> its levels in order; ``reml``: by
    restricted maximum likelihood, else by maximum likelihood.

    Raises UsageError for a file that cannot be read, and AuthoringError: E96 for the formula, E97 for the rows, E98 for
    a design that cannot be estimated.
    """
    design = Design(parse(formula), frame_of(source), codings=codings, levels=levels)
    check_size(design)
    sums = design.products()
    warnings = [*check(design, sums), *_both(design), *_two_values(design)]
    try:
        found = fit(sums, reml=reml)
        left = found.sigma > NOTHING * np.sqrt(sums.squares / sums.rows)
    except np.linalg.LinAlgError:
        left = False
    if not left:
        raise AuthoringError([messages.no_residual(design.formula.place(design.formula.response))])
    warnings += _of_fit(found)
    return Model(design, found, tuple(warnings))


def _two_values(design: Design) -> list[str]:
    """A warning of scores with two values: near 0 or 1 their variance hangs on the mean, and effects that add up in log
    odds show as interactions (Jaeger 2008)."""
    if len(design.answers) != 2:
        return []
    name = design.formula.response.text
    return [
        f"two values: `{name}` is {listed([f'{v:g}' for v in design.answers])} alone, which a linear model takes for "
        "measurements: near 0 and 1 it finds interactions that are not there. Alternatives: --family binomial, a "
        "logistic mixed model; or the shares of words or instances as scores"
    ]


@dataclass(frozen=True)
class AnswerModel:
    """A fitted model of answers with its design.

    Attributes:
        design: its formula, columns and codings.
        family: binomial or ordinal.
        prior: the standard deviation of the normal prior of its effects, or None.
        fit: its estimates.
        warnings: sentences about what a reader of the estimates must know.
    """

    design: Design
    family: Family
    prior: float | None
    fit: GeneralisedFit
    warnings: tuple[str, ...]


def answer_model(
    formula: str,
    source: Path | pa.Table,
    family: str,
    *,
    prior: float | None = None,
    codings: Mapping[str, str] | None = None,
    levels: Mapping[str, tuple[str, ...]] | None = None,
) -> AnswerModel:
    """Fit a logistic or ordinal mixed model.

    ``family``: `binomial` for 0 and 1, `ordinal` for 3 to 20 ordered numbers; ``prior``: the standard deviation of a
    normal prior of the fixed effects but the intercept, with which an effect has an estimate where a cell has one
    answer alone. The rest as in :func:`mixed_model`, with its errors; E97 for answers that the family does not have,
    E98 for effects without a finite estimate.
    """
    of = FAMILIES[family]
    design = Design(parse(formula), frame_of(source), codings=codings, levels=levels)
    response = design.formula.place(design.formula.response)
    values = design.answers
    if values != (0.0, 1.0) if of is BINOMIAL else not 3 <= len(values) <= of.most:
        raise AuthoringError([messages.not_answers(response, design.formula.response.text, family, values)])
    check_size(design)
    if of.thresholds(len(values)) and "(Intercept)" not in design.layout.fixed:
        raise AuthoringError([messages.no_intercept(response)])
    warnings = [*check(design, design.products()), *_both(design)]
    answers = answers_of(design, values, ("(Intercept)",) if of.thresholds(len(values)) else ())
    cells = pure_cells(design, values)
    if prior is None:
        alone = Laplace(without_effects(answers), of)
        columns = separated(alone, fixed_alone(alone))
        if columns:
            raise AuthoringError([messages.separated(response, in_words(columns, cells))])
    warnings += [f"one answer alone in a cell: {cell}" for cell in cells]
    found = fit_answers(answers, of, prior=prior)
    warnings += _of_fit(found)
    return AnswerModel(design, of, prior, found, tuple(warnings))


def _of_fit(found: Fit | GeneralisedFit) -> list[str]:
    """Whether it is singular, and whether it converged."""
    warnings = [f"singular: in {each.term} {each.what}" for each in found.singular]
    if not found.converged:
        lower = f"Newton's step could still lower the deviance by {found.decrement:.2g}"
        warnings.append(f"not converged: {lower}; do not report this fit")
    return warnings


def _both(design: Design) -> list[str]:
    """A warning of each factor that is a predictor and groups the rows as well."""
    predictors = {coding.column for coding in design.codings}
    both = [grouping.factor for grouping in design.layout.groupings if grouping.factor in predictors]
    return [
        f"`{name}` is a predictor and a grouping factor: its fixed effects take up all differences between its levels, "
        "and nothing is left from which the variance of its intercepts could be estimated"
        for name in both
    ]
