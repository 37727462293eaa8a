"""Matrix subject bias after intensional and perceptual verbs: Tables 1 and 2 and Figures 2 to 10 of Kamath and Bradford
(2023), beside the paper's figures (`gramprobe.analysis.papers.de_re`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from gramprobe.analysis.findings import Figure, Findings
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Unit, Value
from gramprobe.analysis.papers import de_re
from gramprobe.analysis.papers.de_re import Fitted, SentenceScores
from gramprobe.analysis.runs import Run
from gramprobe.analysis.study import Given
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import listed

MEDIANS = {
    ("type × determiner", "intensional, that"): 4.1,
    ("type × determiner", "intensional, a/an"): 6.7,
    ("type × determiner", "perceptual, that"): -0.6,
    ("type × determiner", "perceptual, a/an"): 2.6,
    ("matrix subject", "john"): 4.7,
    ("matrix subject", "mary"): 3.6,
    ("follow-up", "greeted"): 6.7,
    ("follow-up", "liked"): 5.0,
    ("follow-up", "met"): 1.5,
}
"""The medians that the paper prints in its Figures 2 and 4."""
ESTIMATES = {
    "(Intercept)": 3.27,
    "determiner": 2.89,
    "type": -2.58,
    "subject": -1.27,
    "followup1": -0.25,
    "followup2": -1.12,
    "determiner:type": 0.52,
}
"""The estimates of its Table 1."""
DETERMINERS = {"deictic": "that", "indefinite": "a/an"}
OUTLIERS = 20_000
"""From so many sentences on, those beyond the whiskers of a box are not drawn: an SVG would have a mark for each."""


class DeRe:
    name = "de_re_de_dicto"
    about = "matrix subject bias by verb, determiner and follow-up, with the paper's mixed model"
    source = "Kamath and Bradford 2023"
    needs = "give scores of --mode coref on the dataset de_re_de_dicto"

    def fits(self, run: Run) -> bool:
        return not run.people and bool(de_re.fits(run))  # whose shares are no biases in nats

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        warnings = [warning for run in runs for warning in run.warnings()]
        found = {}
        for run in runs:
            try:
                found[run.model] = de_re.from_run(run)
            except ValueError as error:
                warnings.append(f"{run.model}: {error}")
        if not found:
            raise UsageError("no item has the scores of both candidates", self.needs)
        return of_scores(found, warnings)


STUDY = DeRe()


def of_scores(found: dict[str, SentenceScores], warnings: Sequence[str] = ()) -> Findings:
    """The results of models by name, as `de_re.from_run` gives them."""
    warned, omitted = list(warnings), list[str]()
    if lost := [model for model, scored in found.items() if not _compared(scored, "subject")]:
        omitted.append(f"{listed(lost)}: medians by matrix subject are left out, since each name is in few sentences.")
    tables = [medians(found)]
    of_paper = {model: scored.where(~scored.is_level("type", de_re.EXTENSIONAL)) for model, scored in found.items()}
    figures = _boxes_of({model: paper for model, paper in of_paper.items() if len(paper)})
    for number, (model, scored) in enumerate(found.items(), 1):
        end = f"_{number}" if len(found) > 1 else ""
        paper = of_paper[model]
        if len(paper) < len(scored):
            warned.append(
                f"{model}: {len(scored) - len(paper):,} sentences with extensional verbs, which the paper has not, "
                "stand in the table of medians alone"
            )
        fitted = de_re.fit(paper) if len(paper) else None
        if fitted is None:
            omitted.append(
                f"{model}: the {len(paper):,} sentences with these verbs estimate no model of the paper's kind."
            )
        else:
            warned += [f"{model}: the model {name} cannot be estimated: {why}" for name, why in fitted.steps]
            warned += [f"{model}: {warning}" for warning in fitted.model.warnings]
            tables += [fixed(fitted, model, end), random(fitted, model, end)]
        if len(paper):
            figures += _figures(paper, model, end)
            effects = de_re.effects(paper)
            if not len(effects.type):
                omitted.append(
                    f"{model}: Figures 6 and 7 are left out, as no frame was scored with both determiners under both "
                    "types of verbs."
                )
            else:
                figures += _effects(effects, scored.names["followup"], model, end)
    title = "De re and de dicto: matrix subject bias"
    return Findings(STUDY.name, title, tuple(tables), tuple(figures), tuple(warned), tuple(omitted))


# -- tables


def cells(found: SentenceScores) -> Iterator[tuple[str, str, np.ndarray]]:
    """(what is compared, which, the biases) of each box of Figures 2, 4 and 5."""
    for factor, of in (("type", "type × determiner"), ("frame", "frame × determiner")):
        for level in found.levels(factor):
            for determiner in reversed(found.levels("determiner")):
                rows = found.is_level(factor, level) & found.is_level("determiner", determiner)
                yield of, f"{level}, {DETERMINERS.get(determiner, determiner)}", found.bias[rows]
    for factor, of in (("subject", "matrix subject"), ("followup", "follow-up")):
        for level in found.levels(factor) if _compared(found, factor) else ():
            yield of, level, found.bias[found.is_level(factor, level)]


def _compared(found: SentenceScores, factor: str) -> bool:
    """Whether a factor has so few levels that each is in many sentences, as the paper's two matrix subjects are."""
    return len(found.levels(factor)) <= MOST_LEVELS


MOST_LEVELS = 12


def medians(found: dict[str, SentenceScores]) -> Table:
    """Quartiles of the bias by what Figures 2, 4 and 5 compare, with the paper's medians where the matrix subjects are
    the paper's: other sentences than its own have no median there."""
    own_sentences = all(set(scored.levels("subject")) <= set(de_re.LEVELS["subject"]) for scored in found.values())
    each = [{(of, which): bias for of, which, bias in cells(scored)} for scored in found.values()]
    keys = sorted(dict.fromkeys(key for own in each for key in own), key=lambda key: list(ORDER).index(key[0]))
    rows = []
    for key in keys:
        row: list[Value] = [*key]
        for own in each:
            bias = own.get(key, np.empty(0))
            row += [len(bias), *(de_re.quartiles(bias) if len(bias) else (None, None, None))]
        rows.append((*row, *([MEDIANS.get(key)] if own_sentences else [])))
    columns = [Column("of", "of"), Column("which", "")]
    for i, model in enumerate(found, 1):
        columns.append(Column(f"n_{i}", "n", group=model))
        columns += [Column(f"{name}_{i}", name, group=model) for name in ("Q1", "median", "Q3")]
    beside, notes = "", ["Bias: score of the matrix subject less that of the embedded one. Medians have no interval."]
    if own_sentences:
        columns.append(Column("paper", "paper's median", digits=1))
        beside = ", beside the medians that the paper prints"
        notes.append("The paper's model was RoBERTa, trained on the Winograd Schema Challenge.")
    return Table(
        "de_re_medians",
        f"Matrix subject bias (nats): median and quartiles{beside}.",
        tuple(columns),
        tuple(rows),
        notes=tuple(notes),
        stub=2,
    )


ORDER = {"type × determiner": 2, "frame × determiner": 5, "matrix subject": 4, "follow-up": 4}
"""What a row of the medians is of -> the number of its figure in the paper."""


def fixed(fitted: Fitted, model: str, end: str) -> Table:
    """Their Table 1."""
    fit = fitted.model.fit
    rows = [
        (e.name, Interval(e.estimate, e.low, e.high), e.error, e.df, e.t, e.p, ESTIMATES.get(e.name))
        for e in fit.effects()
    ]
    marginal, conditional = fit.r2
    groups = ", ".join(f"{g.factor} ({len(g.levels)})" for g in fit.layout.groupings)
    codings = "; ".join(
        f"{c.column}: " + ", ".join(f"{level} {_numbers(row)}" for level, row in zip(c.levels, c.matrix, strict=True))
        for c in fitted.model.design.codings
    )
    columns = (
        Column("term", "coefficient"),
        Column("b", "b"),
        Column("se", "SE"),
        Column("df", "df"),
        Column("t", "t"),
        Column("p", "p", unit=Unit.PROBABILITY),
        Column("paper", "b in the paper"),
    )
    return Table(
        f"de_re_fixed{end}",
        f"Fixed effects on matrix subject bias (nats), {model}.",
        columns,
        tuple(rows),
        notes=(
            f"The model {fitted.name}: {fitted.model.design.formula.text.strip()}; REML; "
            f"n = {fitted.model.design.rows:,}{'; groups: ' + groups if groups else ''}; "
            f"R² marginal {marginal:.2f}, conditional {conditional:.2f}.",
            f"Coding: {codings}.",
            "With Helmert's unscaled contrasts followup1 is half of liked less greeted, and followup2 a third of met "
            "less the mean of the two.",
        ),
        methods=(
            Method(
                estimator="fixed effects of a linear mixed model, REML",
                interval="Student's t",
                test="Student's t test, two-sided",
                cluster=" and ".join(g.factor for g in fit.layout.groupings) or "none",
                df="Satterthwaite's approximation",
                population="new levels of these factors" if fit.layout.groupings else "new rows",
            ),
        ),
    )


def _numbers(row: np.ndarray) -> str:
    return f"({', '.join(f'{value:g}' for value in row)})" if len(row) > 1 else f"{row[0]:+g}"


def random(fitted: Fitted, model: str, end: str) -> Table:
    """Their Table 2, with the correlations of the terms that have some."""
    fit = fitted.model.fit
    rows: list[tuple[Value, ...]] = []
    width = max((len(term.columns) for term in fit.layout.terms), default=1)
    terms = fit.random_terms()
    for grouping in fit.layout.groupings:
        own_terms = [term for term in terms if term.factor == grouping.factor]
        for term in sorted(own_terms, key=lambda term: "(Intercept)" not in [each.name for each in term.columns]):
            for i, each in enumerate(term.columns):
                own = list(each.correlations.values())[:i]
                rows.append((term.factor, each.name, each.variance, each.sd, *own, *[None] * (width - 1 - i)))
    rows.append(("residual", None, fit.sigma**2, fit.sigma, *[None] * (width - 1)))
    columns = [Column("group", "group"), Column("term", "term"), Column("variance", "variance"), Column("sd", "SD")]
    columns += [Column(f"r{i}", f"r with {i}", group="correlations") for i in range(1, width)]
    return Table(
        f"de_re_random{end}",
        f"Random effects on matrix subject bias (nats), {model}.",
        tuple(columns),
        tuple(rows),
        notes=("Correlations are with the first, second ... term of the same bracket of the formula.",),
        stub=2,
    )


# -- figures


def _boxes_of(found: Mapping[str, SentenceScores]) -> list[Figure]:
    """Figures of the bias by factor, the boxes of several models beside each other."""
    drawn = sum(map(len, found.values())) < OUTLIERS
    beyond = "" if drawn else " Sentences beyond the whiskers are not drawn."
    boxes = "boxes from the first to the third quartile with the median printed, whiskers to 1.5 of their length."
    return [
        Figure(
            f"de_re_{number}",
            f"Matrix subject bias by {of}, {', '.join(found)} (the paper's Figure {number}).",
            f"Boxes: {boxes}{beyond} The numbers are in the table of medians.",
            partial(_boxes, found, factor, drawn),
        )
        for number, factor, of in (
            ("2", "type", "type of verb and determiner"),
            ("4a", "subject", "matrix subject"),
            ("4b", "followup", "follow-up"),
            ("5", "frame", "frame and determiner"),
        )
        if found and all(_compared(scored, factor) for scored in found.values())
    ]


def _figures(found: SentenceScores, model: str, end: str) -> list[Figure]:
    figures = [
        Figure(
            f"de_re_3{end}",
            f"Scores of the matrix subject and of the embedded one, {model} (the paper's Figure 3).",
            "Two histograms, bins half a nat wide.",
            partial(_scores, found),
        )
    ]
    for number, factor, of in (
        ("8", "emb_subject", "embedded subject"),
        ("9", "emb_verb", "embedded verb"),
        ("10", "matrix_verb", "matrix verb"),
    ):
        marks = "; perceptual verbs are red and have an asterisk" if number == "10" else ""
        figures.append(
            Figure(
                f"de_re_{number}{end}",
                f"Scores by {of}, ordered by matrix subject bias, {model} (the paper's Figure {number}).",
                f"For each {of} the means of both scores with one standard deviation to each side{marks}.",
                partial(_words, found, factor),
            )
        )
    return figures


def _effects(effects: de_re.Effects, followups: Sequence[str], model: str, end: str) -> list[Figure]:
    said = f"over {len(effects.type):,} frames of a subject, embedded verb, follow-up and embedded noun"
    figures = [
        Figure(
            f"de_re_6{letter}{end}",
            f"Raw effect of {of} by frame, {model} (the paper's Figure 6).",
            f"A histogram {said}, bins half a nat wide.",
            partial(_histogram, {of: values}, f"raw effect of {of}"),
        )
        for letter, of, values in (
            ("a", "a/an", effects.determiner),
            ("b", "an intensional verb", effects.type),
            ("c", "both together (interaction)", effects.interaction),
        )
    ]
    own = {name: effects.determiner[effects.followup == i] for i, name in enumerate(followups)}
    figures.append(
        Figure(
            f"de_re_7{end}",
            f"Raw effect of a/an by frame and follow-up, {model} (the paper's Figure 7).",
            f"A histogram for each follow-up {said}, bins half a nat wide.",
            partial(_histogram, {name: values for name, values in own.items() if len(values)}, "raw effect of a/an"),
        )
    )
    return figures


def _boxes(found: Mapping[str, SentenceScores], factor: str, outliers: bool) -> object:
    from gramprobe.analysis.output.figures import boxplots

    samples = {model: _samples(scored, factor) for model, scored in found.items()}
    cells = list(dict.fromkeys(cell for own in samples.values() for cell in own))
    if len(found) > 1:  # a box for each model in each cell that has any
        cells = [cell for cell in cells if any(len(own.get(cell, ())) for own in samples.values())]
        groups = [", ".join(filter(None, cell)) for cell in cells]
        series = {model: [own.get(cell, np.array([])) for cell in cells] for model, own in samples.items()}
    else:
        (own,) = samples.values()
        groups = list(dict.fromkeys(group for group, _ in cells))
        kinds = dict.fromkeys(kind for _, kind in cells)
        series = {kind: [own.get((group, kind), np.array([])) for group in groups] for kind in kinds}
    return boxplots(groups, series, x="", y="matrix subject bias (nats)", outliers=outliers)


def _samples(found: SentenceScores, factor: str) -> dict[tuple[str, str], np.ndarray]:
    """(level, determiner where these are compared) -> the biases."""
    if factor not in ("type", "frame"):
        return {(level, ""): found.bias[found.is_level(factor, level)] for level in found.levels(factor)}
    return {
        (level, DETERMINERS.get(d, d)): found.bias[found.is_level(factor, level) & found.is_level("determiner", d)]
        for level in found.levels(factor)
        for d in reversed(found.levels("determiner"))
    }


def _scores(found: SentenceScores) -> object:
    series = {"matrix subject": found.scores[:, 0], "embedded subject": found.scores[:, 1]}
    return _histogram(series, "score (nats)")


def _histogram(series: dict[str, np.ndarray], x: str) -> object:
    from gramprobe.analysis.output.figures import histogram

    return histogram(series, bin_width=0.5, x=x)


def _words(found: SentenceScores, factor: str) -> object:
    from gramprobe.analysis.output.figures import ordered_means

    names, series = de_re.by_word(found, factor)
    perceptual = found.is_level("type", de_re.PERCEPTUAL)
    codes = set(found.codes[factor][perceptual].tolist()) if factor == "matrix_verb" else set()
    marked = [found.names[factor].index(name) in codes for name in names]
    return ordered_means(names, series, x="score (nats)", marked=marked)
