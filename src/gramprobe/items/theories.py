"""Two theories on the same sentences: which labels move, where, and a model that tells the theories apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gramprobe.certify.model import Model
from gramprobe.certify.rule import EXCLUDED
from gramprobe.decide.decider import Decider
from gramprobe.explain.picture import arrows, holding, sets
from gramprobe.items.compared import moves
from gramprobe.items.instance import names
from gramprobe.items.label import Labelling, PairLabels, label
from gramprobe.items.plan import Plan, plan
from gramprobe.items.select import select
from gramprobe.items.strengthening import Decided
from gramprobe.items.trust import rests_on_trust
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings

MEANT = {"T": "true", "F": "false", "U": "undefined"}


@dataclass(frozen=True, slots=True)
class Change:
    """So many rows of a condition have one label in the first theory and another in the second; one such pair, with
    what tells the theories apart there in the fewest words."""

    condition: str
    before: str
    after: str
    rows: int
    id: str
    premise: str
    hypothesis: str
    why: str


@dataclass(frozen=True, slots=True)
class Compared:
    """A paradigm in two theories. ``on_trust``: rows with a label that rests on a bounded search in one of them."""

    paradigm: str
    rows: int
    on_trust: int
    changes: tuple[Change, ...]

    @property
    def moved(self) -> int:
        """How many rows have another label."""
        return sum(change.rows for change in self.changes)


def compare_theories(
    paradigm: Paradigm,
    theories: tuple[str, str],
    declarations: Declarations,
    findings: Findings,
    count: int,
    seed: int = 0,
    decider: Decider | None = None,
) -> Compared | None:
    """Label the same instances (``count`` of them or all there are) in both theories; None, and findings, where one of
    them cannot be used.

    What `expect` claims is of no account here, and neither are readings that disagree: the surface reading counts, or
    the one that the condition names.
    """
    silent = paradigm.without_expectations()
    decider = decider or Decider()
    plans = [plan(silent, declarations, findings, theory, decider) for theory in theories]
    one, other = plans
    if one is None or other is None or findings.failed:
        return None
    if paradigm.task != "nli":
        return _by_reading(one, other, count, seed)
    selection = select(one, count, seed, (), findings, at_most=True)
    if selection is None or findings.failed:
        return None
    labellings = []
    for each in (one, other):
        here = Findings()
        labellings.append(label(each, selection.draws, here))
        if len(labellings[-1].pairs) < len(silent.pairs):
            findings.extend(here.items)
            return None
    before, after = labellings
    changes = [
        change
        for old, new in zip(before.pairs, after.pairs, strict=True)
        for change in _changes(theories, before, old, new)
    ]
    doubtful = sum(
        int((uncertain(old)[old.group] | uncertain(new)[new.group]).sum())
        for old, new in zip(before.pairs, after.pairs, strict=True)
    )
    return Compared(paradigm.full_name, len(selection.draws) * len(silent.pairs), doubtful, tuple(changes))


def _by_reading(one: Plan, other: Plan, count: int, seed: int) -> Compared:
    """The same for a task about readings: what moves is which readings there are, and what fits them."""
    seen, found, examples = moves((one, other), count, seed)
    name, parts = one.paradigm.full_name, len(one.paradigm.pairs)
    changes = tuple(
        Change(part, before, after, rows, name, examples[part], "", "") for (part, before, after), rows in found.items()
    )
    return Compared(name, seen * parts, 0, changes)


def uncertain(labels: PairLabels) -> NDArray[np.bool_]:
    """By group of rows: does the label rest on trust?"""
    return np.array([rests_on_trust(decided.verdict.kind) for decided in labels.decided], np.bool_)


def _changes(theories: tuple[str, str], labelling: Labelling, old: PairLabels, new: PairLabels) -> Iterator[Change]:
    codes = old.group * len(new.decided) + new.group
    rows_of: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], tuple[int, int, str]] = {}
    numbers, first, counts = np.unique(codes, return_index=True, return_counts=True)
    for code, row, rows in zip(numbers.tolist(), first.tolist(), counts.tolist(), strict=True):
        was, now = old.decided[code // len(new.decided)], new.decided[code % len(new.decided)]
        key = label_in_words(was), label_in_words(now)
        if key[0] != key[1]:
            rows_of[key] += rows
            why = difference(theories, was, now)
            example[key] = min(example.get(key, (len(why), row, why)), (len(why), row, why))
    realiser, made = labelling.plan.realiser, labelling.plan
    pair = old.pair
    for (was_label, now_label), (_, row, why) in example.items():
        draws = labelling.draws.take(np.array([row]))
        instance = realiser.one(names(made, draws), sentence=False)
        premise, hypothesis = (
            realiser.sentence(made.paradigm.conditions[name], labelling.draws, row)
            for name in (pair.premise, pair.hypothesis)
        )
        id_ = f"{made.paradigm.full_name}/{instance}/{pair.condition}"
        yield Change(pair.condition, was_label, now_label, rows_of[was_label, now_label], id_, premise, hypothesis, why)


def label_in_words(decided: Decided) -> str:
    """The label, with presupposition failures and premises that are never true called by their names."""
    if decided.verdict.label is None:
        return "no label, as the premise is never true"
    return decided.label if decided.via else decided.verdict.label


def difference(theories: tuple[str, str], was: Decided, now: Decided) -> str:
    """A model of one theory that the label in the other one excludes, in a line."""
    for theory, here, there in ((theories[1], now, was), (theories[0], was, now)):
        for value in EXCLUDED[there.verdict.label]:
            if value in here.verdict.models:
                model = in_a_line(here.gold.model(value))
                return f"in {theory} the premise can hold with the hypothesis {MEANT[value]}: {model}"
    return ""


def in_a_line(model: Model) -> str:
    """A model in one line: what holds in each world, then what each world sees."""
    worlds = []
    for world in range(model.worlds):
        actual = " (actual)" if world == model.actual and model.worlds > 1 else ""
        worlds.append(f"w{world}{actual} {{{'; '.join(line for line, _ in holding(model, world))}}}")
    seen = []
    for name, sees in arrows(model):
        targets = (" ".join(f"w{v}" for v in those) or "nothing" for those in sees.values())
        seen.append(f"{name} " + ", ".join(f"w{w} -> {target}" for w, target in zip(sees, targets, strict=True)))
    return "; ".join([" ".join(worlds), *seen, *sets(model)])
