"""A mixed model from a formula and a frame: read, checked, added up, fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.estimable import check, check_size
from gramprobe.analysis.mixed.fit import Fit, fit
from gramprobe.analysis.mixed.formula import parse
from gramprobe.analysis.mixed.frame import frame_of
from gramprobe.source.diagnostic import AuthoringError
from gramprobe.source.messages import analysis as messages

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
    warnings = [*check(design, sums), *_both(design)]
    try:
        found = fit(sums, reml=reml)
        left = found.sigma > NOTHING * np.sqrt(sums.squares / sums.rows)
    except np.linalg.LinAlgError:
        left = False
    if not left:
        raise AuthoringError([messages.no_residual(design.formula.place(design.formula.response))])
    warnings += [f"singular: in {each.term} {each.what}" for each in found.singular]
    if not found.converged:
        lower = f"Newton's step could still lower the deviance by {found.decrement:.2g}"
        warnings.append(f"not converged: {lower}; do not report this fit")
    return Model(design, found, tuple(warnings))


def _both(design: Design) -> list[str]:
    """A warning of each factor that is a predictor and groups the rows as well."""
    predictors = {coding.column for coding in design.codings}
    both = [grouping.factor for grouping in design.layout.groupings if grouping.factor in predictors]
    return [
        f"`{name}` is a predictor and a grouping factor: its fixed effects take up all differences between its levels, "
        "and nothing is left from which the variance of its intercepts could be estimated"
        for name in both
    ]
