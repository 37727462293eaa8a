"""Whether a model's own answers go together, whatever the derived labels are.

A model may be wrong and consistent: what it takes to follow has laws of its own. A sentence is its text within an
instance; a law is tested where all the pairs that it speaks of were scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.answers import Answers, answers, joined
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.laws import OF_THREE, SAYS, Cases, cases_of
from gramprobe.analysis.means import in_order, numbered, share, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers import scope_choices
from gramprobe.analysis.runs import Run, by_model
from gramprobe.analysis.study import Given
from gramprobe.analysis.theory_labels import COLUMNS as OF_THEORIES
from gramprobe.analysis.theory_labels import theory_labels
from gramprobe.certify.rule import LABELS
from gramprobe.source.diagnostic import UsageError

LAWS = {
    "symmetry": "if A contradicts B, then B contradicts A",
    "transitivity": "if A entails B, and B entails C, then A entails C",
    "excluded": "if A entails B, and B contradicts C, then A contradicts C",
    "contraposition": "if A entails B, then not-B entails not-A",
    "equivalence": "if A and B have one formula, each entails the other",
    "wording": "pairs of one instance with the same two formulas have the same label, however they are worded",
    "renaming": "pairs of one form, up to renaming, have the same label",
    "order": "a choice does not hang on the order of the options",
}
"""Law -> what it says."""
COLUMNS = ("premise", "hypothesis", "premise_form", "hypothesis_form", "shape")
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Consistency:
    name = "consistency"
    about = "whether a model's own answers go together: symmetry, transitivity, contraposition, wording, order"
    source = ""
    needs = "give labels of a dataset with premises and hypotheses, or scores of --mode choice"

    def fits(self, run: Run) -> bool:
        return bool(scope_choices.chooses(run) if not run.labels else _paradigms(run))

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        warnings = [warning for run in runs for warning in run.warnings()]
        found: dict[str, Tested] = {}
        known: dict[tuple[str | None, ...], Cases] = {}
        for model, of in by_model(runs).items():
            tested = Tested([])
            for run in (run for run in of if not run.labels):
                try:
                    tested.add(_orders(run))
                except ValueError as error:
                    warnings.append(f"{model}: {error}")
            labelled = [run for run in of if run.labels]
            if labelled:
                columns = (*COLUMNS, *OF_THEORIES)
                own = joined([answers(run, columns, _paradigms(run), given.cluster) for run in labelled])
                warnings += [warning for warning in own.outside() if own.lost]
                of_labels, ties = _tested(own, given, known)
                tested.add(of_labels)
                if ties:
                    warnings.append(f"{model}: {ties:,} items in which labels tie are left out")
            if labelled or tested.paradigms:
                found[model] = tested
        if not found:
            raise UsageError("no choice has values of both options", self.needs)
        tables = [laws(found, given), *by_paradigm(found, given)]
        never = [LAWS[law] for law in LAWS if not any(law in tested.places for tested in found.values())]
        omitted = [f"Not tested, as no scored items are related so: {'; '.join(never)}."] if never else []
        return Findings(self.name, "Consistency of answers", tuple(tables), (), tuple(warnings), tuple(omitted))


STUDY = Consistency()


def _paradigms(run: Run) -> list[str]:
    return [name for name in run.paradigms if {"premise", "hypothesis"} <= set(run.dataset.columns(name))]


@dataclass(frozen=True)
class Places:
    """Where a law was tested: (places,) columns, a place being a paradigm and a cluster.

    Attributes:
        paradigms, clusters: of each; numbers, and whatever tells clusters apart.
        count: in how many cases all of its pairs were scored.
        applies: in how many of these its condition holds of the answers.
        broken: in how many it is broken; a share of one where a group of pairs is compared.
        expected: in how many it is broken on average over all ways to deal the model's answers out anew within a
            paradigm.
    """

    paradigms: Numbers
    clusters: Numbers
    count: Numbers
    applies: Numbers
    broken: Floats
    expected: Floats

    @classmethod
    def of(cls, places: Numbers, clusters: int, applies: NDArray[np.bool_], broken: Floats, expected: Floats) -> Places:
        """From cases: the place of each is the number of its paradigm times ``clusters``, plus that of its cluster."""
        own, first, at = np.unique(places, return_index=True, return_inverse=True)
        order = np.argsort(first)  # places in the order in which they first occur
        count, applied = (np.bincount(at, each)[order].astype(np.int64) for each in (None, applies))
        sums = (np.bincount(at, each)[order].astype(np.float64) for each in (broken, expected))
        return cls(*np.divmod(own[order], clusters), count, applied, *sums)


@dataclass
class Tested:
    """What the answers of a model say of each law.

    Attributes:
        paradigms: their names, by number.
        places: law -> its places; without those that nothing tests.
        theories: law -> theory -> in how many places its own labels break it; `DERIVED` are those of the dataset.
    """

    paradigms: list[str]
    places: dict[str, Places] = field(default_factory=dict)
    theories: dict[str, Counter[str]] = field(default_factory=lambda: {law: Counter() for law in LAWS})

    def add(self, other: Tested) -> None:
        """Put what other runs of the model say beside it, which are of other paradigms and clusters."""
        start = 1 + max((int(own.clusters.max(initial=-1)) for own in self.places.values()), default=-1)
        for law, its in other.places.items():
            moved = replace(its, paradigms=its.paradigms + len(self.paradigms), clusters=its.clusters + start)
            own = self.places.get(law)
            both = (moved,) if own is None else (own, moved)
            columns = zip(*(vars(each).values() for each in both), strict=True)
            self.places[law] = Places(*(np.concatenate(column) for column in columns))
            self.theories[law].update(other.theories[law])
        self.paradigms = [*self.paradigms, *other.paradigms]

    def tested(self) -> Iterator[str]:
        """The paradigms in which laws are tested, by law."""
        for law in LAWS:
            if law in self.places:
                yield from (self.paradigms[number] for number in dict.fromkeys(self.places[law].paradigms.tolist()))

    def total(self, law: str, paradigm: str = "") -> tuple[int, int, float | None, Value]:
        """(places, those where the law applies, the share broken by chance, the share broken); of one paradigm, or of
        all. None without places."""
        if law not in self.places or (paradigm and paradigm not in self.paradigms):
            return 0, 0, None, None
        own = self.places[law]
        where = own.paradigms == self.paradigms.index(paradigm) if paradigm else np.ones(len(own.count), np.bool_)
        if not where.any():
            return 0, 0, None, None
        clusters = numbered(own.clusters[where].tolist())
        count = int(own.count[where].sum())
        sizes, broken = (np.bincount(clusters, each[where]).astype(np.float64) for each in (own.count, own.broken))
        expected = sum(own.expected[where][np.argsort(clusters, kind="stable")].tolist()) / count
        return count, int(own.applies[where].sum()), expected, share(broken / sizes, sizes)


DERIVED = "derived"


def dealt(given: Counter[str], conditions: Sequence[str], then: str) -> float:
    """How often pairs have the labels of ``conditions`` and the next one another than ``then``, if labels are dealt out
    at random. ``given``: label -> how many pairs have it."""
    left, rest, chance = Counter(given), given.total(), 1.0
    for label in conditions:
        chance *= left[label] / rest
        left[label] -= 1
        rest -= 1
    return chance * (1 - left[then] / rest) if rest and chance > 0 else 0.0


def unlike(given: Counter[str]) -> float:
    """How often two pairs have different labels, if labels are dealt out at random."""
    n = given.total()
    return 1 - sum(own * (own - 1) for own in given.values()) / (n * (n - 1)) if n > 1 else 0.0


def _tested(found: Answers, given: Given, known_cases: dict[tuple[str | None, ...], Cases]) -> tuple[Tested, int]:
    """The laws tested, and the number of items that are left out because labels tie. ``known_cases``: ids of items ->
    the cases among them, which are those of all models that answered them; it grows."""
    best = found.shares.max(axis=1) == 1.0
    labels = theory_labels(found, given.labels)
    kept = found.where(best)
    known = {label: number for number, label in enumerate(dict.fromkeys((*found.labels, *LABELS)))}
    said = kept.shares.argmax(axis=1)
    by_theory = {
        name: np.array([known.setdefault(label, len(known)) if label else NOTHING for label in own], np.int64)[best]
        for name, own in zip((DERIVED, *list(labels)[1:]), labels.values(), strict=True)
    }
    of, paradigms = kept.coded("paradigm")
    clusters = int(kept.clusters.max(initial=0)) + 1
    places = of * clusters + kept.clusters
    if (ids := tuple(kept.column("id"))) not in known_cases:
        paradigm, instance, premises, hypotheses, before, after = (
            [value or "" for value in kept.column(name)] for name in ("paradigm", "instance", *COLUMNS[:-1])
        )
        known_cases[ids] = cases_of(
            list(zip(paradigm, instance, strict=True)),
            list(zip(premises, hypotheses, strict=True)),
            list(zip(before, after, strict=True)),
        )
    cases = known_cases[ids]
    tested = Tested(paradigms)
    dealt_out = [
        Counter(dict(zip(known, np.bincount(said[of == number]).tolist(), strict=False)))
        for number in range(len(paradigms))
    ]
    three = np.zeros(len(cases.first), np.bool_)
    contradicted = (said == known["contradiction"]) | (by_theory[DERIVED] == known["contradiction"])
    three[cases.instances[cases.last & contradicted]] = True
    for law, rows in cases.cases.items():
        if law in OF_THREE:
            rows = rows[three[cases.instances[rows[:, -1]]]]
        if len(rows):
            of_law = [known[label] for label in (*SAYS[law][0], SAYS[law][1])]
            holds, broken = _broken(said, rows, of_law)
            here = places[cases.first[cases.instances[rows[:, -1]]]]
            tested_in, at = np.unique(here // clusters, return_inverse=True)
            chance = np.array([dealt(dealt_out[number], *SAYS[law]) for number in tested_in.tolist()])[at]
            tested.places[law] = Places.of(here, clusters, holds, broken.astype(np.float64), chance)
            lost = {theory: _broken(own, rows, of_law)[1] for theory, own in by_theory.items()}
            tested.theories[law] = _lost(lost)
    groups = {"wording": cases.wording}
    shape, shapes = kept.coded("shape")
    if any(shapes):
        its = np.flatnonzero(np.array([bool(each) for each in shapes], np.bool_)[shape])
        number = in_order(of[its] * len(shapes) + shape[its])
        together = np.bincount(number) > 1
        order = np.argsort(number, kind="stable")
        groups["renaming"] = np.column_stack([number, its])[order][together[number[order]]]
    apart = np.array([unlike(own) for own in dealt_out])
    for law, rows in groups.items():
        if len(rows):
            group, item = numbered(rows[:, 0].tolist()), rows[:, 1]
            here = places[cases.first[cases.instances[item]] if law == "wording" else item]
            alike, sizes = _counts(group, said[item]), np.bincount(group)
            broken = 1.0 - (alike[group, said[item]] - 1) / (sizes[group] - 1)
            everywhere = np.ones(len(rows), np.bool_)
            tested.places[law] = Places.of(here, clusters, everywhere, broken, apart[here // clusters])
            lost = {}
            for theory, own in by_theory.items():
                labelled = own[item] != NOTHING
                counts = _counts(group[labelled], own[item][labelled], len(sizes))
                lost[theory] = counts.sum(axis=1) - counts.max(axis=1, initial=0)
            tested.theories[law] = _lost(lost)
    return tested, int((~best).sum())


NOTHING = -1
"""The number of a label that a theory does not give."""


def _broken(labels: Numbers, rows: Numbers, says: Sequence[int]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(cases,) whether the condition of a law holds of labels, and whether they break the law. ``rows``: (cases,
    pairs); ``says``: (pairs,) labels, the last one of which follows from the others."""
    its = labels[rows]
    holds = (its[:, :-1] == says[:-1]).all(axis=1)
    return holds, holds & (its[:, -1] != says[-1]) & (its[:, -1] != NOTHING)


def _counts(groups: Numbers, labels: Numbers, size: int = 0) -> Numbers:
    """(groups, labels) how often each label stands in each group."""
    width = int(labels.max(initial=0)) + 1
    size = size or int(groups.max(initial=0)) + 1
    return np.bincount(groups * width + labels, minlength=size * width).reshape(size, width)


def _lost(by_theory: Mapping[str, NDArray[np.generic]]) -> Counter[str]:
    """Theory -> how often it breaks a law, those that do so first before others. ``by_theory``: theory -> (cases,)."""
    first = {theory: int(own.argmax()) for theory, own in by_theory.items() if own.any()}
    return Counter({theory: int(by_theory[theory].sum()) for theory in sorted(first, key=lambda name: first[name])})


def _orders(run: Run) -> Tested:
    """Whether the two orders of a choice pick one option; a tie in one order alone breaks the law by a half."""
    found = scope_choices.choices_from(run)
    picked = found.chosen(["surface"] * len(found.items))
    by_item: dict[str, list[float]] = {}
    for row, value in enumerate(picked.tolist()):
        if value == value:
            by_item.setdefault(found.items[row], []).append(value)
    whole = {item: values for item, values in by_item.items() if len(values) == 2}
    given: dict[str, Counter[str]] = {}
    for item, values in whole.items():
        given.setdefault(item.split("/")[0], Counter()).update(map(str, values))
    tested = Tested(list(given))
    if not whole:
        return tested
    chance = [
        sum(n * m * abs(float(a) - float(b)) for a, n in own.items() for b, m in own.items())
        / (own.total() * (own.total() - 1))
        for own in given.values()
    ]
    paradigms = np.array([tested.paradigms.index(item.split("/")[0]) for item in whole], np.int64)
    instances = numbered("/".join(item.split("/")[:2]) for item in whole)
    size = int(instances.max()) + 1
    tested.places["order"] = Places.of(
        paradigms * size + instances,
        size,
        np.ones(len(whole), np.bool_),
        np.array([abs(one - other) for one, other in whole.values()]),
        np.array(chance)[paradigms],
    )
    return tested


# -- tables


def laws(found: Mapping[str, Tested], given: Given) -> Table:
    """For each law and model the places where it could be broken, the share in which it is, and that by chance."""
    rows: list[tuple[Value, ...]] = []
    for law, what in LAWS.items():
        if any(law in tested.places for tested in found.values()):
            theories: Counter[str] = Counter()
            for tested in found.values():
                theories |= tested.theories[law]
            gold = theories.pop(DERIVED, 0)
            said = "; ".join(f"{theory} ({count:,})" for theory, count in theories.most_common())
            rows.append((law, what, *_cells(found, law), gold, said or None))
    columns = [Column("law", "law"), Column("what", ""), *_columns(found)]
    columns += [Column("gold", "derived labels break it"), Column("theories", "labels of other theories break it")]
    return Table(
        "consistency",
        "How often a model's answers break laws that hold of what follows from what.",
        tuple(columns),
        tuple(rows),
        notes=(
            "Places: where all pairs of the law were scored. Applies: those whose condition holds of the model's "
            "answers. Broken: of all places. By chance: where the model's answers are dealt out anew within a "
            "paradigm, on average; a model that always says one label has 0 of both. For wording and renaming the "
            "places are items, and broken is the share of the others of the group with another label.",
            "Labels of a theory that break a law, and in how many places: there a sentence means more as a premise "
            "than as a hypothesis, and a model that follows the theory breaks the law and is not confused.",
        ),
        stub=2,
        methods=(share_method(given.cluster),),
    )


def by_paradigm(found: Mapping[str, Tested], given: Given) -> list[Table]:
    """The same by paradigm, if there are several."""
    names = list(dict.fromkeys(name for tested in found.values() for name in tested.tested()))
    if len(names) < 2:
        return []
    rows = [(law, name, *cells) for law in LAWS for name in names if any((cells := _cells(found, law, name))[::4])]
    columns = (Column("law", "law"), Column("paradigm", "paradigm"), *_columns(found))
    caption, methods = "How often answers break a law, by paradigm.", (share_method(given.cluster),)
    return [Table("consistency_paradigms", caption, columns, tuple(rows), stub=2, methods=methods)]


def _cells(found: Mapping[str, Tested], law: str, paradigm: str = "") -> list[Value]:
    cells: list[Value] = []
    for tested in found.values():
        places, applies, chance, broken = tested.total(law, paradigm)
        cells += [places, applies, broken, chance]
    return cells


def _columns(found: Mapping[str, Tested]) -> list[Column]:
    columns = []
    for i, model in enumerate(found, 1):
        columns += [Column(f"cases_{i}", "places", group=model), Column(f"applies_{i}", "applies", group=model)]
        columns += [percent(f"broken_{i}", "broken", model), percent(f"chance_{i}", "by chance", model)]
    return columns
