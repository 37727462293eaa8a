"""`gramprobe analyze`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import json_option
from gramprobe.source.diagnostic import AuthoringError, UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.inference.power import Power
    from gramprobe.analysis.mixed.fit import Effect
    from gramprobe.analysis.mixed.model import Model

#: what the extra `analysis` brings and a fit needs
PACKAGES = ("scipy", "formulaic", "pandas")


@click.command()
@click.option(
    "--frame", type=click.Path(path_type=Path), metavar="FILE", required=True,
    help="A csv, tsv or Parquet file with one row a score.",
)  # fmt: skip
@click.option("--formula", required=True, metavar="TEXT", help="As in lme4: 'score ~ a * b + (1 + a | word)'.")
@click.option("--ml", is_flag=True, help="Maximum likelihood in the place of REML.")
@click.option(
    "--coding", multiple=True, metavar="COLUMN=KIND",
    help="half (+0.5 and -0.5, the default of two levels), sum (the default of more), treatment, helmert (R's), "
    "scaled_helmert; repeatable.",
)  # fmt: skip
@click.option(
    "--levels", multiple=True, metavar="COLUMN=A,B", help="The order of the levels of a predictor; repeatable."
)
@click.option(
    "--plan", multiple=True, metavar="FACTOR=N",
    help="What a study with N levels of a grouping factor could show: power, detectable effects; repeatable.",
)  # fmt: skip
@click.option("--effects", is_flag=True, help="Print the effects of levels too, with their intervals.")
@json_option
def command(
    frame: Path,
    formula: str,
    ml: bool,
    coding: tuple[str, ...],
    levels: tuple[str, ...],
    plan: tuple[str, ...],
    effects: bool,
    as_json: bool,
) -> int:
    """Fit a linear mixed model: `gramprobe analyze --frame scores.csv --formula 'score ~ type + (1 | word)'`.

    Crossed and nested random effects, several terms a factor, || as in lme4; degrees of freedom by Satterthwaite's
    approximation (docs/analysis.md). Needs the extra `analysis`: pip install 'gramprobe[analysis]'.
    """
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        help = "install the extra: pip install 'gramprobe[analysis]'"
        raise UsageError(f"`gramprobe analyze` needs {' and '.join(missing)}", help)
    from gramprobe.analysis.mixed.model import mixed_model
    from gramprobe.analysis.mixed.plan import planned

    formula = formula.replace("\n", " ")
    orders = {name: tuple(values.split(",")) for name, values in _pairs("--levels", levels)}
    with _shown(formula):
        model = mixed_model(formula, frame, reml=not ml, codings=dict(_pairs("--coding", coding)), levels=orders)
    tested = model.fit.effects()
    plans = planned(model.fit, _counts(plan)) if plan else None
    if as_json:
        from gramprobe.cli.answers.analyses import Analyzed
        from gramprobe.cli.answers.answer import answer

        click.echo(answer(Analyzed, _json(model, tested, effects, plans), ascii_only=False))
        return 0
    from gramprobe.analysis.mixed.report import effects_table, plan_table, report

    click.echo(report(model, tested))
    if plans is not None:
        click.echo("\n" + plan_table(plans))
    if effects:
        click.echo("\n" + effects_table(model.fit.level_effects()))
    return 0


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
            {"column": c.column, "kind": c.kind, "levels": list(c.levels), "names": list(c.names),
             "matrix": c.matrix.tolist()}
            for c in design.codings
        ],
        "fixed": [
            {"name": e.name, "estimate": e.estimate, "error": e.error, "df": e.df, "t": e.t, "p": e.p,
             "low": e.low, "high": e.high}
            for e in tested
        ],
        "random": random,
        "residual": {"variance": fit.sigma**2, "sd": fit.sigma},
        "r2": {"marginal": marginal, "conditional": conditional},
        "deviance": fit.deviance,
        "aic": fit.aic,
        "bic": fit.bic,
        "converged": fit.converged,
        "singular": [{"term": each.term, "rank": each.rank, "what": each.what} for each in fit.singular],
        "warnings": list(model.warnings),
    }  # fmt: skip
    if plans is not None:
        found["plan"] = [{"name": name, **asdict(plan)} for name, plan in plans]
    if effects:
        found["effects"] = [
            {"factor": e.factor, "level": e.level, "name": e.name, "value": e.value, "error": e.error,
             "conditional": e.conditional, "low": e.low, "high": e.high}
            for e in fit.level_effects()
        ]  # fmt: skip
    return found


def _finite(value: float) -> float | None:
    return float(value) if -1.5 < value < 1.5 else None
