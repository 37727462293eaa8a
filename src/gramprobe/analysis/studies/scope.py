"""The experiments of Kamath et al. (2024) on scope ambiguities: alpha of follow-ups, and choices between two options.

Continuations give their Tables 4 and 6 and Figure 4, choices their Tables 3 and 5, and claims that are true or
false the test of their section 7 (`gramprobe.analysis.papers.scope`, `scope_choices`, `scope_claims`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from gramprobe.analysis.findings import Bars, Figure, Findings, Number
from gramprobe.analysis.output.table import Column, Table
from gramprobe.analysis.papers import scope, scope_choices, scope_claims
from gramprobe.analysis.papers.scope import Quadruples
from gramprobe.analysis.runs import Run
from gramprobe.analysis.study import Given
from gramprobe.source.diagnostic import UsageError

Answers = TypeVar("Answers", Quadruples, scope_choices.Choices, scope_claims.Claimed)


class Scope:
    name = "scope"
    about = "alpha of follow-ups by pair of operators, readings that choices pick, claims about paraphrases"
    source = "Kamath et al. 2024"
    needs = "give scores of --mode continuation, choice or true_false on the dataset scope"

    def fits(self, run: Run) -> bool:
        return bool(scope.continues(run) or scope_choices.chooses(run) or scope_claims.claims(run))

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        tables: list[Table] = []
        figures: list[Figure] = []
        warnings = [warning for run in runs for warning in run.warnings()]
        omitted: list[str] = []
        after = [run for run in runs if scope.continues(run)]
        if after:
            _continuations(after, given, tables, figures, warnings, omitted)
        elif given.ratings is not None:
            warnings.append(f"{given.ratings.name} is not used: no run is of the mode continuation")
        chose = [run for run in runs if scope_choices.chooses(run)]
        if chose:
            _choices(chose, given, tables, figures, warnings, omitted)
        claimed = [run for run in runs if scope_claims.claims(run)]
        if claimed:
            _claims(claimed, given, tables, warnings)
        if not tables:
            why = f": {'; '.join(warnings)}" if warnings else ""
            raise UsageError(f"no item has all the values that a result needs{why}", self.needs)
        return Findings(
            self.name, "Scope ambiguity", tuple(tables), tuple(figures), tuple(warnings), tuple(omitted),
            numbers=tuple(number for table in tables if table.name == "scope_models" for number in _means(table)),
        )  # fmt: skip


STUDY = Scope()


def _continuations(
    runs: Sequence[Run],
    given: Given,
    tables: list[Table],
    figures: list[Figure],
    warnings: list[str],
    omitted: list[str],
) -> None:
    first: dict[str, Quadruples] = {}
    for control in scope.CONTROLS:
        # no warning of the second control, which many paradigms do not have
        missing = warnings if control == scope.CONTROLS[0] else []
        found = _by_model(runs, partial(scope.from_scores, control=control, cluster=given.cluster), missing)
        if not found:
            continue
        second = control != scope.CONTROLS[0]
        said = " against the second control" if second else ""
        tables.append(scope.by_pair(found, f"scope_alpha{'_2' * second}", said, given.cluster))
        first = first or found
    if not first:
        return
    people = None if given.ratings is None else _people(given.ratings, first, warnings)
    tables.insert(0, scope.models(first, people, cluster=given.cluster))
    figures.append(
        Figure(
            "scope_alpha",
            "Mean alpha in nats, by pair of operators, with 95 % intervals.",
            "A group of bars for each pair of operators, a bar for each model; the numbers are in the table.",
            _bars(first),
        )
    )
    if people is None:
        omitted.append("The correlation with people and its scatter plot need people's ratings (--ratings FILE).")
        return
    only = scope.kept(people)
    if 0 < len(only) < len(people.items):
        chosen = {
            model: quads.only([i for i, n in enumerate(quads.items) if n in only]) for model, quads in first.items()
        }
        chosen = {model: quads for model, quads in chosen.items() if quads.items}
        if chosen:
            tables.insert(
                1,
                scope.models(
                    chosen,
                    people.only([i for i, n in enumerate(people.items) if n in only]),
                    "scope_models_kept",
                    ", on the items whose proxy is positive alone, as in the paper",
                    given.cluster,
                ),
            )
    figures.append(
        Figure(
            "scope_people",
            "Alpha of models against people's proxies, an item a point.",
            "Points by model, the proxy from people's ratings at the bottom and alpha (nats) at the left; how they "
            "correlate is in the table.",
            partial(_scatter, first, people),
        )
    )


def _people(ratings: Path, found: Mapping[str, Quadruples], warnings: list[str]) -> Quadruples | None:
    """People's proxies for the items that models have, or None with a warning."""
    from gramprobe.formats import scope as files

    proxies = scope.proxies_of(files.ratings(ratings))
    items = {item: pair for quads in found.values() for item, pair in zip(quads.items, quads.pairs, strict=True)}
    rated = dict.fromkeys(item for item, _ in proxies)
    whole = [item for item in rated if item in items and all((item, part) in proxies for part in scope.PARTS)]
    strange = [item for item in rated if item not in items]
    if strange:
        warnings.append(f"{ratings.name}: {len(strange):,} rated items have no scores, `{strange[0]}` among them")
    partly = len(rated) - len(strange) - len(whole)
    if partly:
        warnings.append(f"{ratings.name}: {partly:,} items lack ratings of a part, and are left out")
    without = len(items) - len(whole)
    if not whole:
        warnings.append(f"{ratings.name}: no scored item has ratings of all four parts")
        return None
    if without:
        warnings.append(f"{without:,} items have no ratings, and do not count in correlations")
    return scope.from_values({item: items[item] for item in whole}, proxies)


def _choices(
    runs: Sequence[Run],
    given: Given,
    tables: list[Table],
    figures: list[Figure],
    warnings: list[str],
    omitted: list[str],
) -> None:
    found = _by_model(runs, partial(scope_choices.choices_from, cluster=given.cluster), warnings)
    if not found:
        return
    preferred = {model: each for model, each in found.items() if any(each.preferred)}
    if preferred:
        tables += [scope_choices.accuracy(preferred), scope_choices.accuracy_by_pair(preferred)]
    else:
        omitted.append(
            "Accuracy is against the readings that people prefer, and the dataset was built without preferences.csv."
        )
    surface = scope_choices.preference_by_pair(found)
    tables += [scope_choices.answering(found), surface]
    figures.append(
        Figure(
            "scope_surface",
            "How often the surface reading is picked, by pair of operators, with and without the sentence.",
            "A group of bars for each pair of operators; for each model a bar with the sentence and one without it.",
            _surface_bars(surface, list(found)),
        )
    )


def _claims(runs: Sequence[Run], given: Given, tables: list[Table], warnings: list[str]) -> None:
    found = _by_model(runs, partial(scope_claims.claims_from, cluster=given.cluster), warnings)
    if found:
        tables += [scope_claims.by_claim(found), scope_claims.claims_by_pair(found)]


def _by_model(runs: Sequence[Run], read: Callable[[Run], Answers], warnings: list[str]) -> dict[str, Answers]:
    """Model -> its answers; a warning for a run that has none of the kind that is read."""
    found: dict[str, list[Answers]] = {}
    for run in runs:
        try:
            found.setdefault(run.model, []).append(read(run))
        except ValueError as error:
            warnings.append(f"{run.model}: {error}")
    return {model: _together(own) for model, own in found.items() if own}


def _together(found: Sequence[Answers]) -> Answers:
    """The answers of a model to several sets as one: (rows,) tuples and arrays one behind the other."""
    first, *others = found
    if not others:
        return first
    columns = {name: [getattr(each, name) for each in found] for name in vars(first)}
    joined: dict[str, Any] = {
        name: np.concatenate(own) if isinstance(own[0], np.ndarray) else sum(own, ())
        for name, own in columns.items()
        if isinstance(own[0], tuple | np.ndarray)
    }
    return replace(first, **joined)


def _means(table: Table) -> Iterator[Number]:
    """The mean alpha of each model."""
    at = next(i for i, column in enumerate(table.columns) if column.key == "alpha")
    return (Number(str(row[0]), row[at], Column("alpha", "mean alpha (nats)")) for row in table.rows)


def _bars(found: Mapping[str, Quadruples]) -> Bars:
    pairs = list(dict.fromkeys(pair for quads in found.values() for pair in quads.pairs))
    alphas = {
        model: [scope.mean_of(quads.of(pair)) if pair in quads.pairs else None for pair in pairs]
        for model, quads in found.items()
    }
    return Bars(pairs, alphas, "alpha (nats)")


def _scatter(found: Mapping[str, Quadruples], people: Quadruples) -> object:
    from gramprobe.analysis.output.figures import scatter

    proxy = dict(zip(people.items, people.alpha.tolist(), strict=True))
    points = {}
    for model, quads in found.items():
        own = [
            (proxy[item], alpha) for item, alpha in zip(quads.items, quads.alpha.tolist(), strict=True) if item in proxy
        ]
        points[model] = ([x for x, _ in own], [y for _, y in own])
    return scatter(points, x="people's proxy", y="alpha (nats)")


def _surface_bars(table: Table, models: Sequence[str]) -> Bars:
    starts = [*table.sections, len(table.rows)]
    cells: dict[str, dict[str, object]] = {}
    groups: dict[str, None] = {}
    for model, start, end in zip(models, starts, starts[1:], strict=False):
        for row in table.rows[start:end]:
            group = f"{row[0]} ({row[1]})" if row[1] else str(row[0])
            groups[group] = None
            cells.setdefault(model, {})[group] = row[3]
            cells.setdefault(f"{model}, without", {})[group] = row[4]
    series = {name: [own.get(group) for group in groups] for name, own in cells.items()}
    return Bars(list(groups), series, "surface reading picked")
