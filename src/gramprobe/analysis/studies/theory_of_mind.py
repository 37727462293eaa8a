"""The results of Cohen (2021): Tables 2 to 5 beside the paper's own accuracies, long sentences against short ones, and
which reader that does not reason explains each row. Templates and readers stand in `analysis.papers.theory_of_mind`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.answers import Answers, answers, joined
from gramprobe.analysis.findings import Bars, Figure, Findings
from gramprobe.analysis.inference import newcombe
from gramprobe.analysis.means import difference, difference_method, less, mean, numbered, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers.theory_of_mind import (
    FORGET,
    LONG,
    READERS,
    SENTENCES,
    SHORT,
    TABLES,
    TEMPLATES,
    Template,
    agreement,
    corrected,
    nearest,
    reads,
    template_of,
)
from gramprobe.analysis.runs import Run, by_model, first_values
from gramprobe.analysis.study import Given
from gramprobe.baselines import verbs
from gramprobe.dataset.read import Dataset

Floats = NDArray[np.float64]
Rows = NDArray[np.bool_]
Place = tuple[str, str]
"""The name of a template, and whose sentences it embeds."""
SETS = {"captions": "RoBERTa-large-MNLI", "set_1": "the same, training set 1", "set_2": "the same, training set 2"}


class TheoryOfMind:
    name = "theory_of_mind"
    about = "accuracy by the paper's templates, long against short sentences, readers that explain the answers"
    source = "Cohen 2021"
    needs = "give labels of the dataset `theory_of_mind`"

    def fits(self, run: Run) -> bool:
        return bool(run.labels) and bool(_paradigms(run))

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        found = [_scored(own, given.cluster) for own in by_model(runs).values()]
        accuracy = _accuracy(found, given)
        lengths, sentences = _long_and_short(runs, found, given)
        by_template, together = _explained(found)
        details = [by_template, *([] if lengths is None else [lengths])]
        warnings = [warning for run in runs for warning in run.warnings()]
        return Findings(
            self.name,
            "Theory of mind",
            (accuracy, _beside(found), together),
            tuple(_figures(accuracy, found)),
            (*warnings, *_ties(found), *sentences),
            tuple(_omitted(found)),
            tuple(details),
        )


STUDY = TheoryOfMind()


@dataclass(frozen=True)
class _Scored:
    """The answers of a model, two labels each.

    Attributes:
        answers: of the paradigms that have templates, or two lengths.
        entails: (items,) how much the model gives entailment.
        gold: (items,) 1 where the derived label is entailment, else 0.
        right: (items,) how much it is right.
        says: for each of `READERS` (items,) 1, 0, or NaN where it is silent.
        places: template and sentences -> (items,) whether an item is of them.
        known: paradigm and condition of the items, in the order in which they first occur.
    """

    model: str
    answers: Answers
    entails: Floats
    gold: Floats
    right: Floats
    says: tuple[Floats, ...]
    places: Mapping[Place, Rows]
    known: tuple[tuple[str, str], ...]


def _paradigms(run: Run) -> list[str]:
    """The paradigms of a run that have a template of the paper."""
    found = []
    for name in run.paradigms:
        asks = run.dataset.tasks[name] == "nli"
        if asks and any(template_of(name, each) for each in first_values(run.dataset, name, "condition")):
            found.append(name)
    return found


def _scored(runs: Sequence[Run], cluster: str) -> _Scored:
    every, said = list[Answers](), list[tuple[bool | None, ...]]()
    for run in runs:
        names = dict.fromkeys([*_paradigms(run), *(name for pair in _lengths([run]) for name in pair)])
        own = answers(run, ["premise", "hypothesis"], [name for name in run.paradigms if name in names], cluster)
        reader, pairs = _reader(run.dataset), zip(own.column("premise"), own.column("hypothesis"), strict=True)
        said += [reader(premise or "", hypothesis or "") for premise, hypothesis in pairs]
        every.append(own)
    found = joined(every)
    columns = [
        (paradigm or "", condition or "")
        for paradigm, condition in zip(found.column("paradigm"), found.column("condition"), strict=True)
    ]
    code = numbered(columns)
    known = tuple(dict.fromkeys(columns))
    of = [None if (place := template_of(*key)) is None else (place[0].name, place[1]) for key in known]
    places = {
        (template.name, kind): np.array([each == (template.name, kind) for each in of], np.bool_)[code]
        for template in TEMPLATES
        for kind in SENTENCES
    }
    return _Scored(
        model=found.run.model,
        answers=found,
        entails=found.share_of("entailment"),
        gold=np.array([float(label == "entailment") for label in found.column("label")]),
        right=found.right(binary=True),
        says=tuple(
            np.array([np.nan if each[i] is None else float(bool(each[i])) for each in said])
            for i in range(len(READERS))
        ),
        places={place: rows for place, rows in places.items() if rows.any()},
        known=known,
    )


@lru_cache(2)
def _reader(dataset: Dataset) -> Callable[[str, str], tuple[bool | None, ...]]:
    """What `READERS` say of a pair of a dataset, which they read once for all models."""
    of_dataset = [
        verbs.verb(word.forms["base"], word.forms.values(), word.values["factive"] == "yes")
        for word in dataset.words.values()
        if word.values.get("factive") in ("yes", "no") and "base" in word.forms
    ]
    finder = verbs.Finder(verbs.merged((*of_dataset, *verbs.shipped(), FORGET)))
    return lru_cache(1 << 18)(partial(reads, finder=finder))


def _present(found: Sequence[_Scored]) -> list[tuple[Template, str]]:
    """The templates and kinds of sentences of which any model has answers, in the order of the paper."""
    return [
        (template, kind)
        for template in TEMPLATES
        for kind in SENTENCES
        if any((template.name, kind) in each.places for each in found)
    ]


def _rows(each: _Scored, template: Template, kind: str) -> Rows:
    return each.places.get((template.name, kind), np.zeros(len(each.right), np.bool_)) & ~np.isnan(each.right)


def _ties(found: Sequence[_Scored]) -> list[str]:
    return [
        f"{each.model}: answers with two or more labels equally likely, each counted in parts: {count:,}"
        for each in found
        if (count := int((each.answers.shares.max(axis=1) < 1).sum()))
    ]


def _omitted(found: Sequence[_Scored]) -> list[str]:
    sentences = []
    for each in found:
        have = {name for name, _ in each.places}
        lacking = [template.name for template in TEMPLATES if template.name not in have]
        if lacking:
            sentences.append(f"No items of these templates have scores by {each.model}: {'; '.join(lacking)}.")
    return sentences


# -- Tables 2 to 5


def _accuracy(found: Sequence[_Scored], given: Given) -> Table:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    shown: set[str] = set()
    present = _present(found)
    for template, kind in present:
        if TABLES[template.table] not in sections.values():
            sections[len(rows)] = TABLES[template.table]
        cells: list[Value] = []
        for each in found:
            own = _rows(each, template, kind)
            cells += [int(own.sum()), mean(each.right[own], each.answers.clusters[own]) if own.any() else None]
        # Beside our sentences of that length; where we have one kind alone, beside that.
        first = template.name not in shown and kind == (
            LONG if any(t is template and k == LONG for t, k in present) else kind
        )
        paper = template.paper
        if first:
            shown.add(template.name)
            base: float | None = paper.captions
            fine_tuned: tuple[float | None, float | None] = (paper.set_1, paper.set_2)
        else:
            base = paper.short if kind == SHORT else None
            fine_tuned = (None, None)
        label = "entailment" if template.entails else "not entailment"
        rows.append((template.name, kind, label, *cells, base, *fine_tuned))
    columns = [Column("template", "template"), Column("sentences", "sentences"), Column("label", "label")]
    for i, each in enumerate(found, 1):
        columns += [
            Column(f"n_{i}", "items", group=each.model),
            percent(f"model_{i}", "accuracy", each.model),
        ]
    columns += [percent(f"paper_{key}", heading, "the paper") for key, heading in SETS.items()]
    return Table(
        "theory_of_mind",
        "Accuracy by template, entailment against the rest, beside the paper's accuracies.",
        tuple(columns),
        tuple(rows),
        (
            "Cohen 2021, Tables 2 to 5, 300 items a template. The paper's accuracies on captions stand beside our long "
            "sentences, or beside what there is; those on short sentences (Tables 2 and 3) beside our short ones.",
        ),
        stub=2,
        sections=sections,
        methods=(share_method(given.cluster),),
    )


def _shown(each: _Scored, template: Template) -> Rows | None:
    """The items that stand beside the paper's captions: of the length of `nearest`, else of any kind."""
    for kind in dict.fromkeys([nearest(template), *SENTENCES]):
        own = _rows(each, template, kind)
        if own.any():
            return own
    return None


def _beside(found: Sequence[_Scored]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for each in found:
        pairs = [(t, float(each.right[own].mean())) for t in TEMPLATES if (own := _shown(each, t)) is not None]
        for key, heading in SETS.items():
            both = [(ours, float(getattr(t.paper, key))) for t, ours in pairs]
            side = sum((ours > 0.5) == (paper > 0.5) for ours, paper in both)
            apart = float(np.mean([abs(ours - paper) for ours, paper in both]))
            rows.append((each.model, heading, len(both), side, apart))
    return Table(
        "theory_of_mind_beside",
        "How near the accuracies are to those of the paper's models, over its templates.",
        (
            Column("model", "model"),
            Column("paper", "the paper's model"),
            Column("templates", "templates"),
            Column("side", "on the same side of one half"),
            percent("apart", "mean distance"),
        ),
        tuple(rows),
        ("Of Tables 2 and 3 the long sentences are taken, of Tables 4 and 5 the short ones, where they have scores.",),
        stub=2,
    )


def _figures(accuracy: Table, found: Sequence[_Scored]) -> list[Figure]:
    """One for each table of the paper."""
    figures = []
    for start, end in pairwise([*accuracy.sections, len(accuracy.rows)]):
        heading = accuracy.sections[start]
        cells = {(row[0], row[1]): row[3:] for row in accuracy.rows[start:end]}
        templates = list(dict.fromkeys(str(name) for name, _ in cells))
        kinds = [kind for kind in SENTENCES if any(kind == own for _, own in cells)]
        series = {
            kind if len(found) == 1 else f"{each.model}, {kind}": [
                cells[name, kind][2 * i + 1] if (name, kind) in cells else None for name in templates
            ]
            for i, each in enumerate(found)
            for kind in kinds
        }
        figures.append(
            Figure(
                f"theory_of_mind_table_{heading.split()[1].rstrip(':')}",
                f"Accuracy by template, with 95 % intervals. {heading}.",
                "A group of bars for each template, a bar for each model and kind of sentences; the numbers are in the "
                "table.",
                Bars(templates, series),
            )
        )
    return figures


# -- readers

LEAST = 0.5
"""Agreement that explains nothing."""


def _explained(found: Sequence[_Scored]) -> tuple[Table, Table]:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    overall: list[tuple[Value, ...]] = []
    for each in found:
        sections[len(rows)] = each.model
        for template, kind in _present([each]):
            own = _rows(each, template, kind)
            says = [said[own] for said in each.says]
            agreed = _agreements(each.entails[own], says)
            derived = [bool((np.isnan(said) | (said == each.gold[own])).all()) for said in says]
            rows.append(_explanation(template, kind, int(own.sum()), float(each.right[own].mean()), agreed, derived))
        every = np.logical_or.reduce(list(each.places.values())) & ~np.isnan(each.right)
        readers = [("derived label", each.gold), *((r.name, said) for r, said in zip(READERS, each.says, strict=True))]
        for name, said in readers:
            result = agreement(each.entails[every].tolist(), _answers_of(said[every]))
            overall.append((each.model, name, *((result[2], result[0], result[1]) if result else (0, None, None))))
    for key, heading in SETS.items():
        sections[len(rows)] = f"{heading}, as the paper prints it"
        for template in TEMPLATES:
            own_says = _verdicts(found, template)
            if own_says is not None:
                accuracy = float(getattr(template.paper, key))
                entails = accuracy if template.entails else 1.0 - accuracy
                agreed = [None if np.isnan(s) else entails * s + (1 - entails) * (1 - s) for s in own_says]
                derived = [s == float(template.entails) for s in own_says]
                rows.append(_explanation(template, "captions", None, accuracy, agreed, derived))
    notes = (
        *(f"{reader.name}: {reader.about}" for reader in READERS),
        "Explained by: the readers that agree most, if they do so in more than half of the items. Where they say the "
        "derived label, the row does not distinguish them from a reasoner. Beyond chance: 2 a − 1 of the highest "
        "agreement a (Bennett et al. 1954).",
        "Of the paper's models, only their accuracies are known: agreement is with what the readers say of our items "
        "of the template, in the mean.",
    )
    columns = (
        Column("template", "template"),
        Column("sentences", "sentences"),
        Column("n", "items"),
        percent("accuracy", "accuracy"),
        *(percent(f"agree_{reader.name}", reader.name, "agreement with") for reader in READERS),
        Column("explained", "explained by"),
        Column("derived", "which say the derived label"),
        Column("corrected", "beyond chance"),
    )
    by_template = Table(
        "theory_of_mind_readers",
        "Which reader that does not reason gives the answers of a model, by template.",
        columns, tuple(rows), notes, stub=2, sections=sections,
    )  # fmt: skip
    together = Table(
        "theory_of_mind_agreement",
        "Agreement of models with the derived labels and with readers that do not reason, over all templates.",
        (
            Column("model", "model"),
            Column("reader", "reader"),
            Column("n", "items"),
            percent("agreement", "agreement"),
            Column("kappa", "kappa"),
        ),
        tuple(overall),
        (
            "kappa: Cohen 1960; agreement beyond what the shares of the two labels give by chance. Items of which a "
            "reader says nothing are left out.",
        ),
        stub=2,
    )
    return by_template, together


def _answers_of(said: Floats) -> list[bool | None]:
    return [None if np.isnan(value) else bool(value) for value in said]


def _agreements(entails: Floats, says: Sequence[Floats]) -> list[float | None]:
    found = [agreement(entails.tolist(), _answers_of(said)) for said in says]
    return [None if each is None else each[0] for each in found]


def _verdicts(found: Sequence[_Scored], template: Template) -> list[float] | None:
    """The mean of what each reader says of our items of a template, of any kind of sentences; NaN for silence."""
    for each in found:
        own = _shown(each, template)
        if own is not None:
            return [float(np.nanmean(s[own])) if not np.isnan(s[own]).all() else float("nan") for s in each.says]
    return None


def _explanation(
    template: Template,
    kind: str,
    n: int | None,
    accuracy: float,
    agreed: Sequence[float | None],
    derived: Sequence[bool],
) -> tuple[Value, ...]:
    """A row: what agrees most, if anything does, and whether that says the derived label of every item."""
    named = [(reader.name, a, d) for reader, a, d in zip(READERS, agreed, derived, strict=True) if a is not None]
    best = max((a for _, a, _ in named), default=0.0)
    chosen = [(name, d) for name, a, d in named if best - a < 1e-9 and best > LEAST]
    names = ", ".join(name for name, _ in chosen) or "none"
    right = ", ".join(dict.fromkeys("yes" if d else "no" for _, d in chosen)) or None
    return (template.name, kind, n, accuracy, *agreed, names, right, corrected(best) if named else None)


# -- long and short


def _lengths(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """(long, short) paradigms: NAME beside NAME_short, NAME_long beside NAME."""
    names = dict.fromkeys(name for run in runs for name in run.paradigms if run.dataset.tasks[name] == "nli")
    pairs = [(name, f"{name}_short") for name in names] + [(f"{name}_long", name) for name in names]
    return [(long, short) for long, short in pairs if long in names and short in names]


def _long_and_short(runs: Sequence[Run], found: Sequence[_Scored], given: Given) -> tuple[Table | None, list[str]]:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    alone: dict[str, list[str]] = {}
    places = dict.fromkeys(place for each in found for place in each.known)
    for long, short in _lengths(runs):
        start = len(rows)
        conditions = dict.fromkeys(condition for paradigm, condition in places if paradigm in (long, short))
        for condition in conditions:
            cells: list[Value] = []
            for each in found:
                one, other = (_of(each, name, condition) for name in (long, short))
                cells += [int(one.sum()), int(other.sum()), _less(each, one, other)]
                if one.any() != other.any():
                    alone.setdefault(each.model, []).append(f"{long if one.any() else short} {condition}")
            place = template_of(long, condition)
            rows.append((condition, place[0].name if place else "", *cells))
        sections[start] = f"{long}, less {short}"
    if not rows:
        return None, ["Long sentences are not compared with short ones: no paradigm has scores in both lengths."]
    columns = [Column("condition", "condition"), Column("template", "template")]
    for i, each in enumerate(found, 1):
        columns += [
            Column(f"n_long_{i}", "long", group=each.model),
            Column(f"n_short_{i}", "short", group=each.model),
            percent(f"difference_{i}", "difference", each.model),
        ]
    table = Table(
        "theory_of_mind_lengths",
        "Accuracy with long sentences, less that with short ones.",
        tuple(columns),
        tuple(rows),
        stub=2,
        sections=sections,
        methods=(
            difference_method(given.cluster, "where both lengths have the same instances"),
            replace(
                difference_method(given.cluster, "elsewhere"),
                estimator="difference of two shares",
                interval="Newcombe's method (1998) where each item is of another cluster and no labels tie, else "
                "Student's t of the linearised difference",
                df="those of the length with fewer clusters, less 1",
            ),
        ),
    )
    return table, [
        f"{model}: one length alone has answers, so that there is no difference: {', '.join(names)}"
        for model, names in alone.items()
    ]


def _of(each: _Scored, paradigm: str, condition: str) -> Rows:
    own = each.answers.having("paradigm", paradigm) & each.answers.having("condition", condition)
    return own & ~np.isnan(each.right)


def _less(each: _Scored, one: Rows, other: Rows) -> Value:
    """The difference of two accuracies with its interval; None where one has no items."""
    if not one.any() or not other.any():
        return None
    ids, clusters = each.answers.coded("instance")[0], each.answers.clusters
    mine, theirs = (dict(zip(ids[rows].tolist(), each.right[rows].tolist(), strict=True)) for rows in (one, other))
    if mine.keys() == theirs.keys():
        together = dict(zip(ids[one].tolist(), clusters[one].tolist(), strict=True))
        values = np.array([value - theirs[instance] for instance, value in mine.items()])
        return difference(values, np.array([together[instance] for instance in mine], dtype=object))
    counts = [_counted(each.right[rows], clusters[rows]) for rows in (one, other)]
    if counts[0] is not None and counts[1] is not None:
        return newcombe(counts[0], counts[1])
    return less(each.right[one], each.right[other], (clusters[one], clusters[other]))


def _counted(values: Floats, instances: NDArray[Any]) -> tuple[int, int] | None:
    """(right, n) of items that are right or wrong, each of another instance; None of others."""
    if len(set(instances.tolist())) < len(values) or not set(values.tolist()) <= {0.0, 1.0}:
        return None
    return int(values.sum()), len(values)
