"""How often verbs that embed clauses occur in a training corpus, and with which labels (Cohen 2021, Figure 2, Table 1).

The paper counts ten verbs in the training set of MultiNLI, to ask whether a model could have learned from it what they
mean, and whether a label goes with the kind of verb. *Know* and *see* have many uses in which they embed nothing, so
that two counts are given here: of any form of a verb, and of those before a clause (`baselines.verbs`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from gramprobe.analysis.findings import Bars, Figure, Findings
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.baselines.verbs import PAPER, Finder, Verb
from gramprobe.formats.nli import KNOWN, Pair
from gramprobe.records import Record

ANY, CLAUSE = "any form", "before a clause"
TEN, EVERY = "the paper's ten", "all"


class VerbCount(Record, frozen=True, kw_only=True):
    """The counts of a verb: occurrences in premises and hypotheses, pairs with any form, pairs in which it stands
    before a clause, and the labels of the latter."""

    verb: str
    premises: int
    hypotheses: int
    pairs: int
    clauses: int
    labels: dict[str, int]
    factive: bool


class KindCount(Record, frozen=True, kw_only=True):
    """The labels of the pairs with a verb of one kind: `verbs` is `the paper's ten` or `all`, `use` is `any form` or
    `before a clause`. A pair with both kinds counts in both."""

    verbs: str
    use: str
    factive: bool
    labels: dict[str, int]
    pairs: int


class Exposure(Record, frozen=True, kw_only=True):
    """The counts of a corpus.

    Attributes:
        pairs: pairs with a label.
        unlabelled: pairs without one, which are not counted further.
        labels: label -> pairs, of those that occur.
        verbs: each verb that was looked for, those of the paper first.
        kinds: by set of verbs, use and factivity.
    """

    pairs: int
    unlabelled: int
    labels: dict[str, int]
    verbs: list[VerbCount]
    kinds: list[KindCount]


def count(corpus: Iterable[Pair], verbs: Sequence[Verb]) -> Exposure:
    """Count verbs and labels in the pairs of a corpus (`formats.pairs`), in one pass."""
    finder = Finder(verbs)
    labels: Counter[str] = Counter()
    sides: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    with_form: Counter[str] = Counter()
    with_clause: dict[str, Counter[str]] = {verb.base: Counter() for verb in verbs}
    kinds: dict[tuple[str, str, bool], Counter[str]] = {
        (which, use, factive): Counter() for which in (TEN, EVERY) for use in (ANY, CLAUSE) for factive in (True, False)
    }
    unlabelled = 0
    for premise, hypothesis, label, *_ in corpus:
        if label is None:
            unlabelled += 1
            continue
        labels[label] += 1
        forms: dict[str, Verb] = {}
        clauses: dict[str, Verb] = {}
        for side, text in zip(sides, (premise, hypothesis), strict=True):
            for use in finder.uses(text):
                side[use.verb.base] += 1
                forms[use.verb.base] = use.verb
                if use.embeds:
                    clauses[use.verb.base] = use.verb
        with_form.update(list(forms))
        for base in clauses:
            with_clause[base][label] += 1
        for use_name, found in ((ANY, forms), (CLAUSE, clauses)):
            for key in {(which, v.factive) for v in found.values() for which in _sets(v)}:
                kinds[key[0], use_name, key[1]][label] += 1
    present = _in_order(labels)
    in_order = sorted(verbs, key=lambda v: (PAPER.index(v.base) if v.base in PAPER else len(PAPER), not v.factive))
    return Exposure(
        pairs=sum(labels.values()),
        unlabelled=unlabelled,
        labels=_numbers(labels, present),
        verbs=[
            VerbCount(
                verb=verb.base, premises=sides[0][verb.base], hypotheses=sides[1][verb.base],
                pairs=with_form[verb.base], clauses=with_clause[verb.base].total(),
                labels=_numbers(with_clause[verb.base], present), factive=verb.factive,
            )
            for verb in in_order
        ],
        kinds=[
            KindCount(verbs=which, use=use, factive=factive, labels=_numbers(found, present), pairs=found.total())
            for (which, use, factive), found in kinds.items()
        ],
    )  # fmt: skip


def _sets(verb: Verb) -> tuple[str, ...]:
    return (TEN, EVERY) if verb.base in PAPER else (EVERY,)


def _in_order(labels: Iterable[str]) -> list[str]:
    found = set(labels)
    return [label for label in KNOWN if label in found]


def _numbers(counts: Mapping[str, int], labels: Sequence[str]) -> dict[str, int]:
    return {label: counts.get(label, 0) for label in labels}


def association(factive: Mapping[str, int], other: Mapping[str, int]) -> float | None:
    """Cramér's V (1946) of two rows of counts by label: 0 where the labels are spread alike, 1 where no label is
    shared. None where a row, or all but one label, is empty."""
    counts = np.array([[row[label] for label in row] for row in (factive, other)], float)
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] < 2 or not counts.sum(axis=1).all():
        return None
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    return float(np.sqrt(((counts - expected) ** 2 / expected).sum() / counts.sum()))


# -- tables and figures


def findings(exposure: Exposure, corpus: str) -> Findings:
    """The tables and figures of a corpus, whose name stands in the captions."""
    omitted = []
    unseen = [each.verb for each in exposure.verbs if not each.pairs]
    if unseen:
        omitted.append(f"Verbs that do not occur: {', '.join(unseen)}.")
    warnings = []
    if exposure.unlabelled:
        warnings.append(f"{corpus}: pairs without a label, which are left out: {exposure.unlabelled:,}")
    return Findings(
        "exposure",
        f"Verbs and labels in {corpus}",
        (_labels(exposure, corpus), _verbs(exposure, corpus)),
        _figures(exposure, corpus),
        tuple(warnings),
        tuple(omitted),
    )


def _labels(exposure: Exposure, corpus: str) -> Table:
    """The paper's Table 1, for two sets of verbs and two ways of counting."""
    labels = list(exposure.labels)
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for which in (TEN, EVERY):
        for use in (ANY, CLAUSE):
            sections[len(rows)] = f"{which} verbs, {use}"
            own = [kind for kind in exposure.kinds if (kind.verbs, kind.use) == (which, use)]
            v = association(own[0].labels, own[1].labels)
            for kind in own:
                shares = [kind.labels[label] / kind.pairs if kind.pairs else None for label in labels]
                name = "factive" if kind.factive else "not factive"
                rows.append((name, kind.pairs, *(kind.labels[label] for label in labels), *shares, v))
    sections[len(rows)] = "all pairs"
    counts = [exposure.labels[label] for label in labels]
    rows.append(
        ("any", exposure.pairs, *counts, *(n / exposure.pairs if exposure.pairs else None for n in counts), None)
    )
    columns = (
        Column("verbs", "verbs"),
        Column("pairs", "pairs"),
        *(Column(label, label.replace("_", " "), group="pairs") for label in labels),
        *(percent(f"share_{label}", label.replace("_", " "), "share") for label in labels),
        Column("v", "Cramér's V", digits=3),
    )
    notes = (
        "A pair with verbs of both kinds counts in both rows. Cramér's V: how far the labels differ between factive "
        "verbs and others; 0 not at all, 1 wholly.",
        "After Cohen 2021, Table 1.",
    )
    return Table(
        "exposure_labels", f"Labels of the pairs of {corpus} that have a verb, by factivity.", columns, tuple(rows),
        notes, sections=sections,
    )  # fmt: skip


def _verbs(exposure: Exposure, corpus: str) -> Table:
    labels = list(exposure.labels)
    rows: list[tuple[Value, ...]] = []
    for each in exposure.verbs:
        if each.pairs:
            ten = "yes" if each.verb in PAPER else "no"
            factive = "yes" if each.factive else "no"
            counts = (each.premises, each.hypotheses, each.pairs, each.clauses)
            rows.append((each.verb, factive, ten, *counts, *(each.labels[label] for label in labels)))
    columns = (
        Column("verb", "verb"),
        Column("factive", "factive"),
        Column("ten", "of the paper's ten"),
        Column("premises", "in premises", group="any form"),
        Column("hypotheses", "in hypotheses", group="any form"),
        Column("pairs", "pairs", group="any form"),
        Column("clauses", "pairs", group="before a clause"),
        *(Column(label, label.replace("_", " "), group="before a clause") for label in labels),
    )
    return Table(
        "exposure_verbs", f"Verbs that can embed clauses in {corpus}.", columns, tuple(rows),
        ("Before a clause: before `that`, or a pronoun that begins a clause.", "After Cohen 2021, Figure 2."),
    )  # fmt: skip


def _figures(exposure: Exposure, corpus: str) -> tuple[Figure, ...]:
    ten = [each for each in exposure.verbs if each.verb in PAPER]
    names = [each.verb for each in ten]
    series = {ANY: [float(each.pairs) for each in ten], CLAUSE: [float(each.clauses) for each in ten]}
    own = {kind.factive: kind for kind in exposure.kinds if (kind.verbs, kind.use) == (TEN, CLAUSE)}
    labels = list(exposure.labels)
    shares = {
        name: [kind.labels[label] / kind.pairs if kind.pairs else None for label in labels]
        for name, kind in (("factive", own[True]), ("not factive", own[False]))
    }
    return (
        Figure(
            "exposure_verbs", f"Pairs of {corpus} with each of the ten verbs of Cohen (2021).",
            "Two bars for each verb: pairs with any of its forms, and pairs in which it embeds a clause.",
            Bars(names, series, "pairs"),
        ),
        Figure(
            "exposure_labels", f"Labels of the pairs of {corpus} in which one of the ten verbs embeds a clause.",
            "Two bars for each label: its share among pairs with a factive verb, and with one that is not.",
            Bars(labels, shares, "share"),
        ),
    )  # fmt: skip
