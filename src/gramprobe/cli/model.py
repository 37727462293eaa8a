"""A mixed model of a frame, for `gramprobe analyze --frame` and `gramprobe power`: fitted, printed, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gramprobe.source.diagnostic import AuthoringError, UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.findings import Figure
    from gramprobe.analysis.mixed.effects import Effect
    from gramprobe.analysis.mixed.model import AnswerModel, Model
    from gramprobe.analysis.output.look import Look


Command = TypeVar("Command", bound=Callable[..., Any])


def model_options(function: Command) -> Command:
    """The options that say what a model is."""
    for option in (
        click.option(
            "--levels", multiple=True, metavar="COLUMN=A,B",
            help="Model: the order of the levels of a predictor; repeatable.",
        ),
        click.option(
            "--coding", multiple=True, metavar="COLUMN=KIND",
            help="Model: half (+0.5 and -0.5, the default of two levels), sum (the default of more), treatment, "
            "helmert (R's), scaled_helmert, sliding (each level less the one before); repeatable.",
        ),
        click.option("--ml", is_flag=True, help="Model: maximum likelihood in the place of REML."),
        click.option(
            "--prior", type=click.FloatRange(min=0.0, min_open=True), metavar="NORMAL_SD",
            help="Model of answers: a normal prior of the fixed effects, for cells that are all right or all wrong.",
        ),
        click.option(
            "--family", type=click.Choice(["binomial", "ordinal"]),
            help="Model: of answers, 0 and 1 (logistic) or ratings (cumulative logit), in the place of scores.",
        ),
        click.option("--formula", metavar="TEXT", help="Of the model, as in lme4: 'score ~ a * b + (1 + a | word)'."),
        click.option(
            "--frame", type=click.Path(path_type=Path), metavar="FILE",
            help="Fit a mixed model: a csv, tsv or Parquet file with one row a score.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def model_of(
    frame: Path,
    formula: str,
    *,
    family: str | None,
    prior: float | None,
    ml: bool,
    coding: tuple[str, ...],
    levels: tuple[str, ...],
) -> Model | AnswerModel:
    """The model that the options say, fitted. Raises UsageError and AuthoringError (E96 to E98)."""
    from gramprobe.analysis.mixed.model import answer_model, mixed_model

    if family is None and prior is not None:
        raise UsageError("--prior is for models of answers", "with --family binomial or --family ordinal")
    if family is not None and ml:
        raise UsageError(f"--ml does not go with --family {family}", "answers are fitted by maximum likelihood anyhow")
    orders = {name: tuple(values.split(",")) for name, values in pairs("--levels", levels)}
    codings = dict(pairs("--coding", coding))
    formula = formula.replace("\n", " ")
    with _shown(formula):
        if family is None:
            return mixed_model(formula, frame, reml=not ml, codings=codings, levels=orders)
        return answer_model(formula, frame, family, prior=prior, codings=codings, levels=orders)


def fitted(
    frame: Path,
    formula: str,
    as_json: bool,
    *,
    effects: bool,
    anova: bool,
    means: tuple[str, ...],
    equivalence: float | None,
    figures: Path | None = None,
    look: Look | None = None,
    **of_model: Any,
) -> str:
    """The report of a model, or its answer as JSON; the arguments are options of `gramprobe analyze`. Raises UsageError
    and AuthoringError (E96 to E98). ``figures``: a folder for those of the residuals, in a ``look``."""
    from gramprobe.analysis.mixed.terms import marginal_means, term_tests

    if anova and of_model["prior"] is not None:
        raise UsageError("--anova does not go with --prior", "likelihoods can be compared without a prior only")
    if equivalence is not None and not means:
        raise UsageError("--equivalence is for the differences of --means", "name a factor: --means FACTOR")
    model = model_of(frame, formula, **of_model)
    tested = model.fit.effects()
    terms = term_tests(model) if anova else ()
    averages = [marginal_means(model.design, model.fit, tuple(each.split(":")), equivalence) for each in means]
    drawn: tuple[Figure, ...] = ()
    if figures is not None:
        from gramprobe.analysis.mixed.residuals import residual_figures
        from gramprobe.analysis.output.folder import write_figures
        from gramprobe.analysis.output.look import PLAIN

        drawn = residual_figures(model)
        write_figures(drawn, figures, look or PLAIN)
    if as_json:
        from gramprobe.cli.answers.analyses import Analyzed
        from gramprobe.cli.answers.answer import answer

        found = _json(model, tested, effects)
        found |= ({"terms": terms} if anova else {}) | ({"means": averages} if means else {})
        return answer(Analyzed, found, ascii_only=False)
    from gramprobe.analysis.mixed.report import effects_table, means_tables, report, terms_table

    parts = [report(model, tested)]
    if terms:
        parts.append(terms_table(terms))
    parts += [means_tables(each, shares=of_model["family"] == "binomial") for each in averages]
    if effects:
        parts.append(effects_table(model.fit.level_effects()))
    parts += [f"{figures}/{each.name}.svg, .pdf: {each.caption}" for each in drawn]
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


def _json(model: Model | AnswerModel, tested: tuple[Effect, ...], effects: bool) -> dict[str, Any]:
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
    if effects:
        found["effects"] = fit.level_effects()
    return found


def pairs(option: str, texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise UsageError(f"`{option} {text}` has no `COLUMN=...`", f"as in `{option} condition=...`")
        yield name, value
