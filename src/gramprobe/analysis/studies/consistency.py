"""Whether a model's own answers go together, whatever the derived labels are.

A model may be wrong and consistent: what it takes to follow has laws of its own. A sentence is its text within an
instance; a law is tested where all the pairs that it speaks of were scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gramprobe.analysis.findings import Findings
from gramprobe.analysis.means import share, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers import scope
from gramprobe.analysis.runs import Answers, Run, answers
from gramprobe.analysis.study import Given
from gramprobe.analysis.theory_labels import COLUMNS as OF_THEORIES
from gramprobe.analysis.theory_labels import theory_labels
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
Pair = tuple[str, str]


class Consistency:
    name = "consistency"
    about = "whether a model's own answers go together: symmetry, transitivity, contraposition, wording, order"
    source = ""
    needs = "give labels of a dataset with premises and hypotheses, or scores of --mode choice"

    def fits(self, run: Run) -> bool:
        return bool(scope.chooses(run) if not run.labels else _paradigms(run))

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        warnings = [warning for run in runs for warning in run.warnings()]
        found = {}
        for run in runs:
            if not run.labels:
                try:
                    found[run.model] = _orders(run)
                except ValueError as error:
                    warnings.append(f"{run.model}: {error}")
                continue
            own = answers(run, (*COLUMNS, *OF_THEORIES), _paradigms(run), given.cluster)
            warnings += [warning for warning in own.outside() if own.lost]
            tested, ties = _tested(own, given)
            found[run.model] = tested
            if ties:
                warnings.append(f"{run.model}: {ties:,} items in which labels tie are left out")
        if not found:
            raise UsageError("no choice has values of both options", self.needs)
        tables = [laws(found, given), *by_paradigm(found, given)]
        never = [LAWS[law] for law in LAWS if not any(tested.places[law] for tested in found.values())]
        omitted = [f"Not tested, as no scored items are related so: {'; '.join(never)}."] if never else []
        return Findings(self.name, "Consistency of answers", tuple(tables), (), tuple(warnings), tuple(omitted))


STUDY = Consistency()


def _paradigms(run: Run) -> list[str]:
    return [name for name in run.paradigms if {"premise", "hypothesis"} <= set(run.dataset.columns(name))]


@dataclass
class Places:
    """Where a law was tested.

    Attributes:
        count: in how many places all of its pairs were scored.
        applies: in how many of these its condition holds of the answers.
        broken: in how many it is broken; a share of one where a group of pairs is compared.
        expected: in how many it is broken on average over all ways to deal the model's answers out anew within a
            paradigm.
    """

    count: int = 0
    applies: int = 0
    broken: float = 0.0
    expected: float = 0.0


@dataclass
class Tested:
    """What the answers of a model say of each law.

    Attributes:
        places: law -> paradigm and cluster -> its places.
        theories: law -> theory -> in how many places its own labels break it; `DERIVED` are those of the dataset.
        given: paradigm -> label -> how many items are given it.
    """

    places: dict[str, dict[tuple[str, str], Places]] = field(default_factory=lambda: {law: {} for law in LAWS})
    theories: dict[str, Counter[str]] = field(default_factory=lambda: {law: Counter() for law in LAWS})
    given: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, law: str, place: tuple[str, str], applies: bool, broken: float, expected: float) -> None:
        own = self.places[law].setdefault(place, Places())
        own.count += 1
        own.applies += applies
        own.broken += broken
        own.expected += expected

    def total(self, law: str, paradigm: str = "") -> tuple[int, int, float | None, Value]:
        """(places, those where the law applies, the share broken by chance, the share broken); of one paradigm, or of
        all. None without places."""
        clusters: dict[str, list[Places]] = {}
        for (name, cluster), places in self.places[law].items():
            if paradigm in ("", name):
                clusters.setdefault(cluster, []).append(places)
        every = [places for own in clusters.values() for places in own]
        count = sum(places.count for places in every)
        if not count:
            return 0, 0, None, None
        sizes = np.array([sum(places.count for places in own) for own in clusters.values()], np.float64)
        broken = np.array([sum(places.broken for places in own) for own in clusters.values()])
        expected = sum(places.expected for places in every) / count
        return count, sum(places.applies for places in every), expected, share(broken / sizes, sizes)


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


@dataclass(frozen=True)
class Item:
    """A pair: the label that the model gives it, those of theories, and its two formulas."""

    label: str
    theories: Mapping[str, str]
    forms: Pair
    shape: str


Place = tuple[str, str]
"""A paradigm and a cluster."""


def _tested(found: Answers, given: Given) -> tuple[Tested, int]:
    """The laws tested, and the number of items that are left out because labels tie."""
    best = found.shares.max(axis=1) == 1.0
    said = [found.labels[i] for i in found.shares.argmax(axis=1).tolist()]
    labels = theory_labels(found, given.labels)
    names = (DERIVED, *list(labels)[1:])
    instances: dict[tuple[str, str], tuple[Place, list[tuple[Pair, Item]]]] = {}
    shapes: dict[tuple[str, str], list[tuple[Place, Item]]] = {}
    tested = Tested()
    rows = zip(
        best.tolist(), said, zip(*labels.values(), strict=True), found.clusters.tolist(),
        *(found.column(name) for name in ("paradigm", "instance", *COLUMNS)), strict=True,
    )  # fmt: skip
    for one, label, labels_of, cluster, paradigm, instance, premise, hypothesis, before, after, shape in rows:
        if not one:
            continue
        theories = {name: own for name, own in zip(names, labels_of, strict=True) if own}
        item = Item(label, theories, (before or "", after or ""), shape or "")
        place = (paradigm or "", cluster)
        tested.given.setdefault(place[0], Counter())[label] += 1
        _, own = instances.setdefault((place[0], instance or ""), (place, []))
        own.append(((premise or "", hypothesis or ""), item))
        if shape:
            shapes.setdefault((place[0], shape), []).append((place, item))
    for place, own in instances.values():
        _laws_of(place, own, tested)
    for group in shapes.values():
        _same(tested, "renaming", group)
    return tested, int((~best).sum())


def _laws_of(place: Place, own: Sequence[tuple[Pair, Item]], tested: Tested) -> None:
    """Test the laws within an instance."""
    pairs = dict(own)
    forms: dict[str, str] = {}
    for (premise, hypothesis), item in own:
        forms.setdefault(premise, item.forms[0])
        forms.setdefault(hypothesis, item.forms[1])
    after: dict[str, list[str]] = {}
    for premise, hypothesis in pairs:
        after.setdefault(premise, []).append(hypothesis)

    def law(name: str, conditions: Sequence[tuple[Pair, str]], then: tuple[Pair, str]) -> None:
        applies = all(pairs[pair].label == label for pair, label in conditions)
        chance = dealt(tested.given[place[0]], [label for _, label in conditions], then[1])
        tested.add(name, place, applies, float(applies and pairs[then[0]].label != then[1]), chance)
        for theory, label in pairs[then[0]].theories.items():
            if label != then[1] and all(pairs[pair].theories.get(theory) == own for pair, own in conditions):
                tested.theories[name][theory] += 1

    texts = {form: text for text, form in forms.items() if form}
    three = any("contradiction" in (item.label, item.theories.get(DERIVED)) for item in pairs.values())
    for a, b in pairs:
        if a == b:
            continue
        if (b, a) in pairs and three:
            law("symmetry", [((a, b), "contradiction")], ((b, a), "contradiction"))
        if forms[a] and forms[a] == forms[b]:
            law("equivalence", [], ((a, b), "entailment"))
        for c in after.get(b, ()):
            if (a, c) in pairs and c not in (a, b):
                law("transitivity", [((a, b), "entailment"), ((b, c), "entailment")], ((a, c), "entailment"))
                if three:
                    law("excluded", [((a, b), "entailment"), ((b, c), "contradiction")], ((a, c), "contradiction"))
        for not_b in _negations(forms[b], texts):
            for not_a in _negations(forms[a], texts):
                if (not_b, not_a) in pairs and (not_b, not_a) != (a, b):
                    law("contraposition", [((a, b), "entailment")], ((not_b, not_a), "entailment"))
    same: dict[Pair, list[tuple[Place, Item]]] = {}
    for _, item in own:
        if all(item.forms):
            same.setdefault(item.forms, []).append((place, item))
    for group in same.values():
        _same(tested, "wording", group)


def _negations(form: str, texts: Mapping[str, str]) -> Iterator[str]:
    """The sentences whose formula negates this one, or is negated by it. None with a presupposition or what is only
    implicated, with which entailment has no contraposition."""
    if not form or " / " in form or form.startswith(("exh ", "? ")):
        return
    negated = [f"~{form}", f"~({form})"]
    if form.startswith("~"):
        negated += [form[1:], form[2:-1]]
    yield from (texts[each] for each in negated if each in texts)


def _same(tested: Tested, law: str, group: Sequence[tuple[Place, Item]]) -> None:
    """Add for each item of a group how many of the others have another label than it."""
    if len(group) < 2:
        return
    count, others = Counter(item.label for _, item in group), len(group) - 1
    for place, item in group:
        broken = 1.0 - (count[item.label] - 1) / others
        tested.add(law, place, True, broken, unlike(tested.given[place[0]]))
    for theory in dict.fromkeys(name for _, item in group for name in item.theories):
        own = Counter(item.theories[theory] for _, item in group if theory in item.theories)
        if lost := own.total() - max(own.values()):
            tested.theories[law][theory] += lost


def _orders(run: Run) -> Tested:
    """Whether the two orders of a choice pick one option; a tie in one order alone breaks the law by a half."""
    found, tested = scope.choices_from(run), Tested()
    picked = found.chosen(["surface"] * len(found.items))
    by_item: dict[str, list[float]] = {}
    for row, value in enumerate(picked.tolist()):
        if value == value:
            by_item.setdefault(found.items[row], []).append(value)
    whole = {item: values for item, values in by_item.items() if len(values) == 2}
    for item, values in whole.items():
        tested.given.setdefault(item.split("/")[0], Counter()).update(map(str, values))
    for item, (one, other) in whole.items():
        paradigm, instance = item.split("/")[:2]
        given = tested.given[paradigm]
        apart = sum(n * m * abs(float(a) - float(b)) for a, n in given.items() for b, m in given.items())
        chance = apart / (given.total() * (given.total() - 1))
        tested.add("order", (paradigm, f"{paradigm}/{instance}"), True, abs(one - other), chance)
    return tested


# -- tables


def laws(found: Mapping[str, Tested], given: Given) -> Table:
    """For each law and model the places where it could be broken, the share in which it is, and that by chance."""
    rows: list[tuple[Value, ...]] = []
    for law, what in LAWS.items():
        if any(tested.places[law] for tested in found.values()):
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
    names = list(dict.fromkeys(p for tested in found.values() for own in tested.places.values() for p, _ in own))
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
