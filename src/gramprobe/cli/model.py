"""A mixed model of a frame, for `gramprobe analyze --frame`: fitted, printed, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gramprobe.source.diagnostic import AuthoringError, UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.inference.power import Power
    from gramprobe.analysis.mixed.effects import Effect
    from gramprobe.analysis.mixed.model import Model


def fitted(
    frame: Path,
    formula: str,
    as_json: bool,
    *,
    ml: bool,
    coding: tuple[str, ...],
    levels: tuple[str, ...],
    plan: tuple[str, ...],
    effects: bool,
) -> str:
    """The report of a model, or its answer as JSON; the arguments are options of `gramprobe analyze`. Raises UsageError
    and AuthoringError (E96 to E98)."""
    from gramprobe.analysis.mixed.model import mixed_model
    from gramprobe.analysis.mixed.plan import planned

    orders = {name: tuple(values.split(",")) for name, values in _pairs("--levels", levels)}
    codings, counts = dict(_pairs("--coding", coding)), _counts(plan)
    formula = formula.replace("\n", " ")
    with _shown(formula):
        model = mixed_model(formula, frame, reml=not ml, codings=codings, levels=orders)
    tested = model.fit.effects()
    plans = planned(model.fit, counts) if counts else None
    if as_json:
        from gramprobe.cli.answers.analyses import Analyzed
        from gramprobe.cli.answers.answer import answer

        return answer(Analyzed, _json(model, tested, effects, plans), ascii_only=False)
    from gramprobe.analysis.mixed.report import effects_table, plan_table, report

    parts = [report(model, tested)]
    if plans is not None:
        parts.append(plan_table(plans))
    if effects:
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
    fit, design = model.fit, model.design
    marginal, conditional = fit.r2
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
        "random": fit.random_terms(),
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


def _pairs(option: str, texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise UsageError(f"`{option} {text}` has no `COLUMN=...`", f"as in `{option} condition=...`")
        yield name, value


def _counts(plan: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for name, value in _pairs("--plan", plan):
        if not value.isdecimal():
            raise UsageError(f"`--plan {name}={value}`: a planned number of levels is a whole number", "")
        found[name] = int(value)
    return found
