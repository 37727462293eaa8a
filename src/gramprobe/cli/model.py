"""A mixed model of a frame, for `gramprobe analyze --frame`: fitted, printed, as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gramprobe.source.diagnostic import AuthoringError

if TYPE_CHECKING:
    from gramprobe.analysis.inference.power import Power
    from gramprobe.analysis.mixed.effects import Effect
    from gramprobe.analysis.mixed.model import Model


@dataclass(frozen=True)
class Asked:
    """A model to fit. `plan`: grouping factor -> its planned number of levels; `levels`: column -> their order."""

    frame: Path
    formula: str
    ml: bool
    codings: Mapping[str, str]
    levels: Mapping[str, tuple[str, ...]]
    plan: Mapping[str, int]
    effects: bool


def fitted(asked: Asked, as_json: bool) -> str:
    """The report of a model, or its answer as JSON. Raises UsageError and AuthoringError (E96 to E98)."""
    from gramprobe.analysis.mixed.model import mixed_model
    from gramprobe.analysis.mixed.plan import planned

    formula = asked.formula.replace("\n", " ")
    with _shown(formula):
        model = mixed_model(
            formula, asked.frame, reml=not asked.ml, codings=dict(asked.codings), levels=dict(asked.levels)
        )
    tested = model.fit.effects()
    plans = planned(model.fit, dict(asked.plan)) if asked.plan else None
    if as_json:
        from gramprobe.cli.answers.analyses import Analyzed
        from gramprobe.cli.answers.answer import answer

        return answer(Analyzed, _json(model, tested, asked.effects, plans), ascii_only=False)
    from gramprobe.analysis.mixed.report import effects_table, plan_table, report

    parts = [report(model, tested)]
    if plans is not None:
        parts.append(plan_table(plans))
    if asked.effects:
        parts.append(effects_table(model.fit.level_effects()))
    return "\n\n".join(parts)


@dataclass(frozen=True)
class _Formula:
    """The formula as a file of one line, so that a mistake is shown with a caret."""

    lines: tuple[str, ...]

    def by_path(self, path: str) -> _Formula | None:
        from gramprobe.source.messages.analysis import FORMULA

        return self if path == FORMULA else None


@contextmanager
def _shown(formula: str) -> Iterator[None]:
    try:
        yield
    except AuthoringError as error:
        error.library = _Formula((formula,))
        raise


def _json(
    model: Model, tested: tuple[Effect, ...], effects: bool, plans: tuple[tuple[str, Power], ...] | None
) -> dict[str, Any]:
    from gramprobe.analysis.mixed.report import correlations

    fit, design = model.fit, model.design
    marginal, conditional = fit.r2
    random = []
    for term in fit.layout.terms:
        covariance, correlation = fit.covariance_of(term), correlations(fit, term)
        of_columns = []
        for i, name in enumerate(term.columns):
            beside = {other: _finite(correlation[i, j]) for j, other in enumerate(term.columns) if j != i}
            variance = float(covariance[i, i])
            of_columns.append({"name": name, "variance": variance, "sd": variance**0.5, "correlations": beside})
        random.append({"factor": term.factor, "term": str(term), "columns": of_columns})
    found: dict[str, Any] = {
        "formula": design.formula.text,
        "method": "REML" if fit.objective.reml else "ML",
        "rows": design.rows,
        "levels": {grouping.factor: len(grouping.levels) for grouping in design.layout.groupings},
        "codings": [
            {"column": c.column, "kind": c.kind, "levels": c.levels, "names": c.names, "matrix": c.matrix.tolist()}
            for c in design.codings
        ],
        "fixed": tested,
        "random": random,
        "residual": {"variance": fit.sigma**2, "sd": fit.sigma},
        "r2": {"marginal": marginal, "conditional": conditional},
        "deviance": fit.deviance,
        "aic": fit.aic,
        "bic": fit.bic,
        "converged": fit.converged,
        "singular": fit.singular,
        "warnings": model.warnings,
    }
    if plans is not None:
        found["plan"] = [{"name": name, **asdict(plan)} for name, plan in plans]
    if effects:
        found["effects"] = fit.level_effects()
    return found


def _finite(value: float) -> float | None:
    return float(value) if -1.5 < value < 1.5 else None
