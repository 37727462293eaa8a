"""A fitted model as text: codings, fixed effects, random effects, explained variance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp

from gramprobe.analysis.inference import Power
from gramprobe.analysis.mixed.coding import Coding
from gramprobe.analysis.mixed.effects import Effect, LevelEffect, Means, TermTest
from gramprobe.analysis.mixed.fit import Fit
from gramprobe.analysis.mixed.generalised import GeneralisedFit
from gramprobe.analysis.mixed.model import AnswerModel, Model
from gramprobe.analysis.mixed.simulate import SimulatedPower
from gramprobe.analysis.mixed.variances import Variances


def report(model: Model | AnswerModel, effects: Sequence[Effect]) -> str:
    """The whole of a model, as `gramprobe analyze` prints it."""
    fit, design = model.fit, model.design
    groups = ", ".join(f"{g.factor} {len(g.levels):,}" for g in design.layout.groupings)
    parts = [
        f"{design.formula.text.strip()}\n{method(model)}; {design.rows:,} rows{groups and '; levels: ' + groups}",
        *(coding_table(coding) for coding in design.codings),
        *([fixed_table(effects)] if isinstance(model, Model) else answers_tables(model, effects)),
        random_table(fit),
        criteria(fit),
    ]
    return "\n\n".join([*parts, *(f"warning: {warning}" for warning in model.warnings)])


def method(model: Model | AnswerModel) -> str:
    """How a model was fitted."""
    if isinstance(model, Model):
        return "REML" if model.fit.objective.reml else "maximum likelihood"
    prior = f", effects with a normal prior of SD {model.prior:g}" if model.prior is not None else ""
    return f"{model.family.about}; maximum likelihood by Laplace's approximation{prior}"


def answers_tables(model: AnswerModel, effects: Sequence[Effect]) -> list[str]:
    """Estimates in log odds with both tests of each, and the thresholds of an ordinal model."""
    header = ["fixed effects (log odds)", "b", "SE", "z", "p (z)", "df", "p (t)", "verdict by", "95 % interval"]
    rows = [
        [e.name, f"{e.estimate:.4f}", f"{e.error:.4f}", f"{e.t:.2f}", shown_p(e.p_normal or 0.0),
         "-" if e.df is None else f"{e.df:.0f}", shown_p(e.p_t) if isinstance(e.p_t, float) else "-",
         f"t: {e.levels} {e.factor}" if e.p != e.p_normal else "z", f"{e.low:.3f} to {e.high:.3f}"]
        for e in effects
    ]  # fmt: skip
    found = [columns([header, *rows])]
    if model.fit.thresholds:
        cuts = [[t.name, f"{t.estimate:.4f}", f"{t.error:.4f}"] for t in model.fit.thresholds]
        found.append(columns([["thresholds (log odds)", "", "SE"], *cuts]))
    return found


def coding_table(coding: Coding) -> str:
    """The contrast matrix of a factor, a line for each level."""
    header = [f"coding of {coding.column} ({coding.kind})", *coding.names]
    rows = [
        [level, *(f"{value:.4g}" for value in row)] for level, row in zip(coding.levels, coding.matrix, strict=True)
    ]
    return columns([header, *rows])


def fixed_table(effects: Sequence[Effect]) -> str:
    """Estimates, standard errors, Satterthwaite's degrees of freedom, t, p, intervals."""
    header = ["fixed effects", "b", "SE", "df", "t", "p", "95 % interval"]
    rows = [
        [e.name, f"{e.estimate:.4f}", f"{e.error:.4f}", f"{e.df:.2f}", f"{e.t:.2f}", shown_p(e.p),
         f"{e.low:.3f} to {e.high:.3f}"]
        for e in effects
    ]  # fmt: skip
    return columns([header, *rows])


def random_table(fit: Variances) -> str:
    """Variances and standard deviations by term, with the correlations of the effects of a level."""
    width = max((len(term.columns) for term in fit.layout.terms), default=1)
    header = ["random effects", "", "variance", "SD", *(["correlations"] if width > 1 else [])]
    rows = [header]
    for term in fit.random_terms():
        for i, each in enumerate(term.columns):
            before = list(each.correlations.values())[:i]
            shown = " ".join(f"{value:5.2f}" if value is not None else "    -" for value in before)
            row = [term.factor if i == 0 else "", each.name, f"{each.variance:.4f}", f"{each.sd:.4f}"]
            rows.append([*row, *([shown] if width > 1 else [])])
    if isinstance(fit, Fit):
        rows.append(["residual", "", f"{fit.sigma**2:.4f}", f"{fit.sigma:.4f}", *([""] if width > 1 else [])])
    return columns(rows, left=2)


def criteria(fit: Fit | GeneralisedFit) -> str:
    """R2, the deviance, and what is derived from it."""
    marginal, conditional = fit.r2
    return (
        f"R2 marginal {marginal:.4f}, conditional {conditional:.4f}; deviance {fit.deviance:.4f}, "
        f"AIC {fit.aic:.2f}, BIC {fit.bic:.2f}"
    )


def plan_table(plans: Iterable[tuple[str, Power]]) -> str:
    """What the planned design could show of each fixed effect."""
    header = ["planned design", "b supposed", "SE", "df", "power", "detectable (power 0.8)"]
    rows = [
        [name, f"{p.effect:.4f}", f"{p.error:.4f}", f"{p.df:.2f}", f"{p.power:.3f}", f"{p.detectable:.4f}"]
        for name, p in plans
    ]
    return columns([header, *rows])


def simulated_table(plans: Sequence[tuple[str, SimulatedPower]]) -> str:
    """How often simulated studies found each effect."""
    header = ["planned design", "b supposed", "power", "95 % interval"]
    rows = [[name, f"{p.effect:.4f}", f"{p.power:.3f}", f"{p.low:.3f} to {p.high:.3f}"] for name, p in plans]
    studies, failed = plans[0][1].studies, plans[0][1].failed
    without = f"; {failed} could not be fitted, and count as finding nothing" if failed else ""
    return f"{columns([header, *rows])}\n\n{studies} simulated studies{without}"


def terms_table(terms: Iterable[TermTest]) -> str:
    """The tests of type III of whole terms: F where there is one, likelihood ratios."""
    header = ["tests of terms (type III)", "df", "F", "df 2", "p (F)", "ratio", "p (ratio)"]
    rows = []
    for t in terms:
        by_f = ["-", "-", "-"]
        if t.f is not None and t.denominator is not None and t.p_f is not None:
            by_f = [f"{t.f:.2f}", f"{t.denominator:.2f}", shown_p(t.p_f)]
        rows.append([t.name, str(t.numerator), *by_f, f"{t.ratio:.2f}", shown_p(t.p_ratio)])
    return columns([header, *rows])


def means_tables(found: Means, *, shares: bool) -> str:
    """Marginal means and their differences. ``shares``: the means are log odds, which have a share as well."""
    name = ":".join(found.factors)
    header = [
        f"marginal means of {name}",
        "log odds" if shares else "mean",
        "SE",
        "df",
        "95 % interval",
        *(["share"] if shares else []),
    ]
    rows = [
        [e.name, f"{e.estimate:.4f}", f"{e.error:.4f}", "-" if e.df is None else f"{e.df:.2f}",
         f"{e.low:.3f} to {e.high:.3f}", *([f"{1.0 / (1.0 + exp(-e.estimate)):.3f}"] if shares else [])]
        for e in found.means
    ]  # fmt: skip
    differences = [
        [e.name, f"{e.estimate:.4f}", f"{e.error:.4f}", "-" if e.df is None else f"{e.df:.2f}", f"{e.t:.2f}",
         shown_p(e.p), shown_p(p)]
        for e, p in zip(found.differences, found.p_holm, strict=True)
    ]  # fmt: skip
    head = [f"differences of {name}", "b", "SE", "df", "t or z", "p", "p (Holm)"]
    if isinstance(found.p_equivalent, list):
        head.append(f"p (within {found.margin:g})")
        differences = [[*row, shown_p(p)] for row, p in zip(differences, found.p_equivalent, strict=True)]
    return "\n\n".join([*([columns([header, *rows])] if rows else []), columns([head, *differences])])


def effects_table(effects: Iterable[LevelEffect]) -> str:
    """The effects of levels with their intervals."""
    header = ["effects of levels", "", "", "value", "SE", "95 % interval"]
    rows = [
        [e.factor, e.level, e.name, f"{e.value:.4f}", f"{e.error:.4f}", f"{e.low:.3f} to {e.high:.3f}"] for e in effects
    ]
    return columns([header, *rows], left=3)


def shown_p(p: float) -> str:
    """A p value as papers print it."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def columns(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Rows in columns: the first ``left`` to the left, numbers to the right."""
    count = max(len(row) for row in rows)
    padded = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = [max(len(row[i]) for row in padded) for i in range(count)]
    lines = []
    for row in padded:
        cells = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
