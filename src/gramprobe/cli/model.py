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
    from gramprobe.analysis.mixed.model import AnswerModel, Model


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
    family: str | None,
    prior: float | None,
    anova: bool,
    means: tuple[str, ...],
) -> str:
    """The report of a model, or its answer as JSON; the arguments are options of `gramprobe analyze`. Raises UsageError
    and AuthoringError (E96 to E98)."""
    from gramprobe.analysis.mixed.model import Model, answer_model, mixed_model
    from gramprobe.analysis.mixed.plan import planned
    from gramprobe.analysis.mixed.terms import marginal_means, term_tests

    orders = {name: tuple(values.split(",")) for name, values in _pairs("--levels", levels)}
    codings, counts = dict(_pairs("--coding", coding)), _counts(plan)
    formula = formula.replace("\n", " ")
    _check_family(family, prior, ml, anova, counts)
    model: Model | AnswerModel
    with _shown(formula):
        if family is None:
            model = mixed_model(formula, frame, reml=not ml, codings=codings, levels=orders)
        else:
            model = answer_model(formula, frame, family, prior=prior, codings=codings, levels=orders)
    tested = model.fit.effects()
    terms = term_tests(model) if anova else ()
    averages = [marginal_means(model.design, model.fit, tuple(each.split(":"))) for each in means]
    plans = planned(model.fit, counts) if counts and isinstance(model, Model) else None
    if as_json:
        from gramprobe.cli.answers.analyses import Analyzed
        from gramprobe.cli.answers.answer import answer

        found = _json(model, tested, effects, plans)
        found |= ({"terms": terms} if anova else {}) | ({"means": averages} if means else {})
        return answer(Analyzed, found, ascii_only=False)
    from gramprobe.analysis.mixed.report import effects_table, means_tables, plan_table, report, terms_table

    parts = [report(model, tested)]
    if terms:
        parts.append(terms_table(terms))
    parts += [means_tables(each, shares=family == "binomial") for each in averages]
    if plans is not None:
        parts.append(plan_table(plans))
    if effects:
        parts.append(effects_table(model.fit.level_effects()))
    return "\n\n".join(parts)


def _check_family(family: str | None, prior: float | None, ml: bool, anova: bool, counts: dict[str, int]) -> None:
    """Raise UsageError for options of linear models with a family, and for a prior without one."""
    if family is None:
        if prior is not None:
            raise UsageError("--prior is for models of answers", "with --family binomial or --family ordinal")
        return
    if anova and prior is not None:
        raise UsageError("--anova does not go with --prior", "likelihoods can be compared without a prior only")
    if ml or counts:
        help = "leave it out: answers are fitted by maximum likelihood" if ml else "--plan is for scores"
        raise UsageError(f"{'--ml' if ml else '--plan'} does not go with --family {family}", help)


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
    model: Model | AnswerModel, tested: tuple[Effect, ...], effects: bool, plans: tuple[tuple[str, Power], ...] | None
) -> dict[str, Any]:
    from gramprobe.analysis.mixed.model import AnswerModel

    fit, design = model.fit, model.design
    of_kind: dict[str, Any]
    marginal, conditional = fit.r2
    if isinstance(model, AnswerModel):
        of_kind = {"method": "Laplace", "family": model.family.name, "prior": model.prior}
        of_kind |= {"thresholds": model.fit.thresholds} if model.fit.thresholds else {}
    else:
        residual = {"variance": model.fit.sigma**2, "sd": model.fit.sigma}
        of_kind = {"method": "REML" if model.fit.objective.reml else "ML", "residual": residual}
    found: dict[str, Any] = {
        "formula": design.formula.text,
        **of_kind,
        "rows": design.rows,
        "levels": {grouping.factor: len(grouping.levels) for grouping in design.layout.groupings},
        "codings": [
            {"column": c.column, "kind": c.kind, "levels": c.levels, "names": c.names, "matrix": c.matrix.tolist()}
            for c in design.codings
        ],
        "fixed": tested,
        "random": fit.random_terms(),
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
