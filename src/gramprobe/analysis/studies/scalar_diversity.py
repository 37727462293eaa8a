"""Whether a model draws a scalar implicature as often as people do: a correlation over scales with each study of them.

People infer *not all* from *some* nearly always and *not brilliant* from *intelligent* hardly ever (van Tiel et al.
2016). Where they differ so there is no right label; what a model can get right is the order of the scales (Hu et al.
2023). The columns `si_rate`, `si_n`, `si_source` of a row say what was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.findings import Findings
from gramprobe.analysis.inference import pearson, spearman
from gramprobe.analysis.means import SAME
from gramprobe.analysis.output.table import Column, Interval, Method, Table, Unit, Value
from gramprobe.analysis.runs import Run, by_model, first_values
from gramprobe.analysis.study import Given
from gramprobe.certify.rule import LABELS
from gramprobe.records import MEASURES

if TYPE_CHECKING:
    import pyarrow as pa

Floats = NDArray[np.float64]
FEWEST = 4
"""Scales from which on there is a correlation."""


class Measured(NamedTuple):
    """What one study says of one scale, as a row has it: ``rate`` in percent."""

    study: str
    scale: str
    rate: float


@dataclass(frozen=True)
class Scales:
    """What a model makes of the scales of its items.

    Attributes:
        drawn: scale -> the mean probability of the inference over its items.
        items: scale -> how many items.
        rates: study -> scale -> percent of people.
    """

    drawn: dict[str, float]
    items: dict[str, int]
    rates: dict[str, dict[str, float]]


class ScalarDiversity:
    name = "scalar_diversity"
    about = "how a model's scalar implicatures go with people's, over scales"
    source = "Hu et al. 2023; van Tiel et al. 2016"
    needs = "give scores of --mode nli, or a file `item,label`, of pairs with the columns si_rate and si_source"

    def fits(self, run: Run) -> bool:
        return bool(run.labels) and any(_is_measured(run, name) for name in run.paradigms)

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        found = {model: scales_of(own) for model, own in by_model(runs).items()}
        warnings = tuple(warning for run in runs for warning in run.warnings())
        omitted = [
            f"{study}: {len(known)} of its scales {'is' if len(known) == 1 else 'are'} in the items of {model}, too "
            "few for a correlation."
            for model, own in found.items()
            for study, known in own.rates.items()
            if len(known) < FEWEST
        ]
        tables = (_correlations(found),)
        return Findings(self.name, TITLE, tables, (), warnings, tuple(omitted), details=(_by_scale(found),))


STUDY = ScalarDiversity()
TITLE = "Scalar diversity"


def _is_measured(run: Run, paradigm: str) -> bool:
    there = set(MEASURES) <= set(run.dataset.columns(paradigm))
    return there and any(first_values(run.dataset, paradigm, "si_rate"))


def measured(rates: str, sources: str) -> Iterator[Measured]:
    """What the studies of a row say; `si_source` has the words that were measured behind each study."""
    for rate, source in zip(rates.split("; "), sources.split("; "), strict=True):
        study, _, scale = source.rpartition(": ")
        yield Measured(study, scale, float(rate))


def scales_of(runs: Sequence[Run]) -> Scales:
    """The probability that a model gives to the inference from the weak word to the denied strong one, by scale, over
    its runs.

    The items are those that the premise entails once it is strengthened (`label_pragmatic`), and not before.
    """
    drawn: dict[str, list[float]] = {}
    rates: dict[str, dict[str, float]] = {}
    columns = [*MEASURES, "label_pragmatic", "label_literal"]
    for run, name in ((each, name) for each in runs for name in each.paradigms if _is_measured(each, name)):
        table = run.rows(name, columns)
        chances = probabilities(run, table)[:, 0]
        texts = (table.column(each).to_pylist() for each in ("si_rate", "si_source", *columns[-2:]))
        for rate, source, pragmatic, literal, chance in zip(*texts, chances.tolist(), strict=True):
            if not rate or (pragmatic, literal) != (LABELS[0], LABELS[1]) or np.isnan(chance):
                continue
            known = list(measured(rate, source))
            scale = known[0].scale
            drawn.setdefault(scale, []).append(chance)
            for each in known:
                rates.setdefault(each.study, {})[scale] = each.rate
    return Scales(
        {scale: float(np.mean(values)) for scale, values in drawn.items()},
        {scale: len(values) for scale, values in drawn.items()},
        rates,
    )


def probabilities(run: Run, table: pa.Table) -> Floats:
    """(items, labels) the probability of each label, NaN for refused items: log-probabilities, normalised over the
    labels, or the shares of a file of predicted labels."""
    part = next((p for p in run.parts if f"{p}.{run.values[0]}" in table.column_names), None)
    if part is None:  # nothing of this paradigm has scores
        return np.full((table.num_rows, len(run.values)), np.nan)
    numbers = np.column_stack([table.column(f"{part}.{name}").to_numpy() for name in run.values]).astype(np.float64)
    if run.mode == "labels":
        return numbers
    weights = np.exp(numbers - numbers.max(axis=1, keepdims=True))
    shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _correlations(found: Mapping[str, Scales]) -> Table:
    """A row for each model and study."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for model, own in found.items():
        sections[len(rows)] = model
        for study, known in own.rates.items():
            if len(known) < FEWEST:
                continue
            drawn = [own.drawn[scale] for scale in known]
            people = list(known.values())
            both = (_value(partial(of, drawn, people), drawn, people) for of in (spearman, pearson))
            rows.append((study, len(known), sum(own.items[scale] for scale in known), *both))
    columns = (
        Column("study", "study"),
        Column("scales", "scales"),
        Column("n", "items"),
        Column("spearman", "Spearman's rho"),
        Column("pearson", "Pearson's r"),
    )
    notes = ("Over scales: the mean probability of the inference in a scale's items, and how many people draw it.",)
    method = Method(
        estimator="rank correlation and Pearson's r",
        interval="Fisher's z, of rho with the variance of Bonett and Wright (2000)",
        cluster="scales",
        df="scales less 3 (of the variance of z)",
        population="new scales",
    )
    return Table(
        "scalar_diversity", "How a model's scalar implicatures go with people's.", columns, tuple(rows), notes,
        sections=sections, methods=(method,),
    )  # fmt: skip


def _value(of: Callable[[], tuple[Interval, float]], *columns: Sequence[float]) -> Value:
    if any(np.ptp(column) <= SAME for column in columns):  # probabilities of 1e-44 have no order
        return None
    interval, _ = of()
    return interval


def _by_scale(found: Mapping[str, Scales]) -> Table:
    """A row for each scale, those that people draw most often first."""
    studies = {study: known for own in found.values() for study, known in own.rates.items()}
    people: dict[str, list[float]] = {}
    for known in studies.values():
        for scale, rate in known.items():
            people.setdefault(scale, []).append(rate / 100)
    order = sorted(people, key=lambda scale: (-float(np.mean(people[scale])), scale))
    rows = [
        (scale, len(people[scale]), float(np.mean(people[scale])), *(own.drawn.get(scale) for own in found.values()))
        for scale in order
    ]
    columns = [Column("scale", "scale"), Column("studies", "studies"), Column("people", "people", 3, Unit.SHARE)]
    columns += [Column(f"model_{i}", model, 3, Unit.SHARE) for i, model in enumerate(found, 1)]
    return Table(
        "scalar_diversity_scales", "How often the inference is drawn, by scale.", tuple(columns), tuple(rows),
        ("People: the mean of the studies that measured the scale.",),
    )  # fmt: skip
