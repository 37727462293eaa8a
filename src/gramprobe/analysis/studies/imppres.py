"""The results of Jeretic et al. (2020), sections 6.2 and 7.2: implicatures by behaviour, presuppositions by embedding
before and after the control filter. What is computed stands in `analysis.papers.imppres`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gramprobe.analysis.clusters import INSTANCE, drawn
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.output.table import Table
from gramprobe.analysis.papers.imppres import (
    BY_CONDITION,
    NAME,
    SOURCE,
    Pairs,
    exactly_labels,
    implicatures_of,
    numerals_of,
    paradigms_of,
    presuppositions_of,
    together,
)
from gramprobe.analysis.papers.imppres_implicatures import implicatures
from gramprobe.analysis.papers.imppres_presuppositions import presuppositions
from gramprobe.analysis.runs import Run
from gramprobe.analysis.study import Given


class Imppres:
    name = NAME
    about = "implicatures by behaviour, presuppositions by embedding and after the control filter"
    source = SOURCE
    needs = "give labels of a dataset with the conditions of `implicature` or `presupposition`"

    def fits(self, run: Run) -> bool:
        return bool(run.labels) and any(paradigms_of(run, implicature=half) for half in (True, False))

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        halves: dict[tuple[str, bool], list[Pairs]] = {}
        for run in runs:
            exactly = exactly_labels(given.labels, numerals_of(run))
            both = (implicatures_of(run, exactly, given.cluster), presuppositions_of(run, given.cluster))
            for number, pairs in enumerate(both):
                if pairs is not None:
                    halves.setdefault((run.model, bool(number)), []).append(pairs)
        found = [together(own) for own in halves.values()]
        general = tuple(warning for run in runs for warning in run.warnings())
        found_here = findings_of(found, general)
        if given.cluster == INSTANCE:
            return found_here
        return replace(
            found_here,
            tables=tuple(_over(table, given.cluster) for table in found_here.tables),
            details=tuple(_over(table, given.cluster) for table in found_here.details),
        )


STUDY = Imppres()


def _over(table: Table, cluster: str) -> Table:
    """A table whose intervals are over other clusters than instances."""
    clusters, population = drawn(cluster)
    over = {"cluster": clusters, "df": f"{clusters} less 1", "population": population}
    return replace(table, methods=tuple(replace(method, **over) for method in table.methods))


def findings_of(found: Sequence[Pairs], warnings: tuple[str, ...] = ()) -> Findings:
    """The tables and figures of answers to both halves, models side by side."""
    implicature = [pairs for pairs in found if pairs.conditions.size and pairs.conditions[0] in BY_CONDITION]
    presupposition = [pairs for pairs in found if pairs.conditions.size and pairs.conditions[0] not in BY_CONDITION]
    halves = (implicatures, implicature, "implicatures"), (presuppositions, presupposition, "presuppositions")
    results = [(of(own), _coverage(own, what)) for of, own, what in halves if own]
    omitted = tuple(sentence for each, _ in results for sentence in each.omitted)
    if not implicature or not presupposition:
        lacking, figures = (
            ("presupposition", "Figures 5 to 7") if implicature else ("implicature", "Figures 2 to 4 and 8 to 13")
        )
        omitted += (f"{figures}: no scores of `{lacking}` were given; build and score it: gramprobe build {lacking}.",)
    return Findings(
        STUDY.name,
        "Implicatures and presuppositions (IMPPRES)",
        tuple(table for each, _ in results for table in each.tables),
        tuple(figure for each, _ in results for figure in each.figures),
        (*warnings, *(sentence for each, coverage in results for sentence in (*coverage, *each.warnings))),
        omitted,
        tuple(table for each, _ in results for table in each.details),
    )


def _coverage(found: Sequence[Pairs], what: str) -> list[str]:
    """What limits the answers of models to one half."""
    missing = [
        f"{pairs.model}: pairs of {what} without an answer, which are left out: {pairs.missing:,}"
        for pairs in found
        if pairs.missing
    ]
    two = [
        f"{pairs.model} has two labels: neutral and contradiction count as one in {what}"
        for pairs in found
        if len(pairs.labels) == 2
    ]
    ties = [
        f"{pairs.model}: answers to {what} with two or more labels equally likely, each counted in parts: {count:,}"
        for pairs in found
        if (count := int((pairs.shares.max(axis=1) < 1).sum()))
    ]
    others = [
        f"{pairs.model}: conditions that this analysis of {what} does not know, which are left out: "
        f"{', '.join(pairs.others[:3])}{f' and {len(pairs.others) - 3} more' if pairs.others[3:] else ''}"
        for pairs in found
        if pairs.others
    ]
    return [*missing, *two, *ties, *others]
