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
from gramprobe.analysis.means import INTERVALS, mean
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers import scope
from gramprobe.analysis.runs import Answers, Run, answers
from gramprobe.analysis.study import Given
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
            tested, ties = _tested(answers(run, COLUMNS, _paradigms(run)))
            found[run.model] = tested
            if ties:
                warnings.append(f"{run.model}: {ties:,} items in which labels tie are left out")
        if not found:
            raise UsageError("no choice has values of both options", self.needs)
        tables = [laws(found, given), *by_paradigm(found, given)]
        never = [LAWS[law] for law in LAWS if not any(tested.cases[law] for tested in found.values())]
        omitted = [f"Not tested, as no scored items are related so: {'; '.join(never)}."] if never else []
        return Findings(self.name, "Consistency of answers", tuple(tables), (), tuple(warnings), tuple(omitted))


STUDY = Consistency()


def _paradigms(run: Run) -> list[str]:
    return [name for name in run.paradigms if {"premise", "hypothesis"} <= set(run.dataset.columns(name))]


@dataclass
class Tested:
    """What the answers of a model say of each law.

    Attributes:
        cases: law -> in how many places all of its pairs were scored.
        broken: law -> for each place where its condition holds the paradigm, the instance, and how far it is broken: 0
            or 1, or a share where a group of pairs is compared.
        gold: law -> in how many places the derived labels break it.
    """

    cases: Counter[str] = field(default_factory=Counter)
    broken: dict[str, list[tuple[str, str, float]]] = field(default_factory=lambda: {law: [] for law in LAWS})
    gold: Counter[str] = field(default_factory=Counter)

    def add(self, law: str, place: tuple[str, str], said: tuple[bool, bool], derived: tuple[bool, bool]) -> None:
        """``said``: whether the law's condition holds of the answers, and whether it is kept; ``derived``: the same of
        the derived labels."""
        self.cases[law] += 1
        if said[0]:
            self.broken[law].append((*place, float(not said[1])))
        self.gold[law] += derived[0] and not derived[1]


@dataclass(frozen=True)
class Item:
    """A pair: the label that the model gives it, the derived one, and its two formulas."""

    label: str
    gold: str
    forms: Pair
    shape: str


def _tested(found: Answers) -> tuple[Tested, int]:
    """The laws tested, and the number of items that are left out because labels tie."""
    best = found.shares.max(axis=1) == 1.0
    given = [found.labels[i] for i in found.shares.argmax(axis=1).tolist()]
    names = ("paradigm", "instance", *COLUMNS, "label")
    instances: dict[tuple[str, str], list[tuple[Pair, Item]]] = {}
    shapes: dict[tuple[str, str], list[tuple[str, Item]]] = {}
    rows = zip(best.tolist(), given, *(found.column(name) for name in names), strict=True)
    for one, label, paradigm, instance, premise, hypothesis, before, after, shape, gold in rows:
        if not one:
            continue
        item = Item(label, gold or "", (before or "", after or ""), shape or "")
        place = (paradigm or "", instance or "")
        instances.setdefault(place, []).append(((premise or "", hypothesis or ""), item))
        if shape:
            shapes.setdefault((place[0], shape), []).append((place[1], item))
    tested = Tested()
    for place, own in instances.items():
        _laws_of(place, own, tested)
    for (paradigm, _), group in shapes.items():
        _same(tested, "renaming", [((paradigm, instance), item) for instance, item in group])
    return tested, int((~best).sum())


def _laws_of(place: tuple[str, str], own: Sequence[tuple[Pair, Item]], tested: Tested) -> None:
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
        holds = [all(getattr(pairs[p], of) == label for p, label in conditions) for of in ("label", "gold")]
        kept = [getattr(pairs[then[0]], of) == then[1] for of in ("label", "gold")]
        tested.add(name, place, (holds[0], kept[0]), (holds[1], kept[1]))

    texts = {form: text for text, form in forms.items() if form}
    three = any(item.label == "contradiction" or item.gold == "contradiction" for item in pairs.values())
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
    same: dict[Pair, list[tuple[tuple[str, str], Item]]] = {}
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


def _same(tested: Tested, law: str, group: Sequence[tuple[tuple[str, str], Item]]) -> None:
    """Add for each item of a group how many of the others have another label than it."""
    if len(group) < 2:
        return
    tested.cases[law] += len(group)
    count, others = Counter(item.label for _, item in group), len(group) - 1
    derived = Counter(item.gold for _, item in group)
    for place, item in group:
        tested.broken[law].append((*place, 1.0 - (count[item.label] - 1) / others))
    tested.gold[law] += len(group) - max(derived.values())


def _orders(run: Run) -> Tested:
    """Whether the two orders of a choice pick one option; a tie in one order alone breaks the law by a half."""
    found, tested = scope.choices_from(run), Tested()
    picked = found.chosen(["surface"] * len(found.items))
    by_item: dict[str, list[int]] = {}
    for row, value in enumerate(picked.tolist()):
        if value == value:
            by_item.setdefault(found.items[row], []).append(row)
    for item, rows in by_item.items():
        if len(rows) == 2:
            tested.cases["order"] += 1
            paradigm, instance = item.split("/")[:2]
            tested.broken["order"].append((paradigm, instance, float(abs(picked[rows[0]] - picked[rows[1]]))))
    return tested


# -- tables


def laws(found: Mapping[str, Tested], given: Given) -> Table:
    """For each law and model the places where it could be broken, and the share in which it is."""
    rows: list[tuple[Value, ...]] = []
    for law, what in LAWS.items():
        if not any(tested.cases[law] for tested in found.values()):
            continue
        row: list[Value] = [law, what]
        for tested in found.values():
            own = tested.broken[law]
            row += [tested.cases[law], len(own), _rate(own, given)]
        row.append(max(tested.gold[law] for tested in found.values()))
        rows.append(tuple(row))
    columns = [Column("law", "law"), Column("what", "")]
    for i, model in enumerate(found, 1):
        columns.append(Column(f"cases_{i}", "places", group=model))
        columns.append(Column(f"applies_{i}", "applies", group=model))
        columns.append(percent(f"broken_{i}", "broken", model))
    columns.append(Column("gold", "derived labels break it"))
    return Table(
        "consistency",
        "How often a model's answers break laws that hold of what follows from what.",
        tuple(columns),
        tuple(rows),
        notes=(
            "Places: where all pairs of the law were scored. Applies: those whose condition holds of the model's "
            "answers; a model that always says neutral breaks none. For wording and renaming the places are items, "
            "and broken is the share of the others of the group with another label.",
            INTERVALS,
        ),
        stub=2,
    )


def by_paradigm(found: Mapping[str, Tested], given: Given) -> list[Table]:
    """The same by paradigm, if there are several: the share in which a law is broken where it applies."""
    names = list(dict.fromkeys(p for tested in found.values() for own in tested.broken.values() for p, _, _ in own))
    if len(names) < 2:
        return []
    rows: list[tuple[Value, ...]] = []
    for law in LAWS:
        for name in names:
            row: list[Value] = [law, name]
            for tested in found.values():
                own = [each for each in tested.broken[law] if each[0] == name]
                row += [len(own), _rate(own, given)]
            if any(row[2::2]):
                rows.append(tuple(row))
    columns = [Column("law", "law"), Column("paradigm", "paradigm")]
    for i, model in enumerate(found, 1):
        columns.append(Column(f"applies_{i}", "applies", group=model))
        columns.append(percent(f"broken_{i}", "broken", model))
    caption = "How often answers break a law where it applies, by paradigm."
    return [Table("consistency_paradigms", caption, tuple(columns), tuple(rows), notes=(INTERVALS,), stub=2)]


def _rate(own: Sequence[tuple[str, str, float]], given: Given) -> Value:
    if not own:
        return None
    instances = np.array([f"{paradigm}/{instance}" for paradigm, instance, _ in own], dtype=object)
    return mean(np.array([value for _, _, value in own]), instances, given)
