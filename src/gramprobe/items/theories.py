"""Compare two theories on the same instances: which answers move, and a model that only one of the theories has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import rests_on_trust
from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import Groups
from gramprobe.items.instance import name_of
from gramprobe.items.plan import Plan, plan
from gramprobe.items.task import GroupAnswer, Task
from gramprobe.items.tasks import task_of
from gramprobe.items.walk import Walk
from gramprobe.records import Moved, Record
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws


class MovedAnswers(Record, frozen=True, kw_only=True):
    """Rows of a condition whose label moves, with an example and a model of one theory that the other excludes."""

    condition: str
    """Or the part of an account."""
    before: str
    after: str
    rows: int
    """Of an account: instances."""
    id: str
    premise: str
    hypothesis: str
    why: str
    """The shortest reason that was found for an instance, such as a model; empty if there is no short one."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A paradigm in two theories. ``on_trust``: rows whose answer rests on trust in one of them."""

    paradigm: str
    rows: int
    on_trust: int
    changes: tuple[MovedAnswers, ...]

    @property
    def moved(self) -> int:
        """How many rows have another answer."""
        return sum(change.rows for change in self.changes)


def compare_theories(
    paradigm: Paradigm,
    theories: tuple[str, str],
    declarations: Declarations,
    findings: Findings,
    instances: int,
    seed: int = 0,
    decider: Decider | None = None,
) -> Compared | None:
    """Decide the same instances (so many ``instances``, or all if there are fewer) in both theories.

    Claims are not checked, and readings may disagree: the surface reading counts, or the one that a condition names.
    None, with errors in ``findings``, where one of the theories cannot be used.
    """
    sides = _sides(paradigm, theories, declarations, findings, decider or Decider())
    if sides is None:
        return None
    comparison, count = Comparison(sides[0].task, sides[0], sides[1], theories), 0
    for draws, (before, after) in _answered(sides, instances, seed, findings):
        comparison.add(draws, before, after)
        count += len(draws)
    if findings.failed:
        return None
    rows = count * len(sides[0].plan.paradigm.pairs)
    return Compared(paradigm.full_name, rows, comparison.on_trust, comparison.changes())


def _sides(
    paradigm: Paradigm, theories: Sequence[str], declarations: Declarations, findings: Findings, decider: Decider
) -> list[Decisions] | None:
    """The paradigm without its claims in each theory; None, with errors, where one of them cannot be used."""
    silent = replace(paradigm.without_expectations(), theories=())
    plans = [plan(silent, declarations, findings, theory, decider) for theory in theories]
    usable = [each for each in plans if each is not None]
    if len(usable) < len(plans) or findings.failed:
        return None
    return [Decisions(each, task_of(silent), Findings()) for each in usable]


def _answered(
    sides: Sequence[Decisions], instances: int, seed: int, findings: Findings
) -> Iterator[tuple[Draws, list[Groups]]]:
    """The first instances chunk by chunk, with their groups on each side, every group answered; it ends, with errors in
    ``findings``, where a side has no answer."""
    walk = Walk(sides[0].plan, sides[0].task.texts(sides[0].plan.paradigm), seed=seed)
    left = instances
    for stretch in walk.stretches(instances):
        draws = stretch.draws.take(np.arange(min(len(stretch.draws), left)))
        left -= len(draws)
        groups = [side.grouping.of(draws) for side in sides]
        for side, each in zip(sides, groups, strict=True):
            side.answer_groups(draws, each)
            if not side.complete:
                findings.extend(side.findings.items)
                return
        yield draws, groups
        if not left:
            return


class AnswersByTheory(Record, frozen=True, kw_only=True):
    """The answers of a condition (or of a part of an account): theory -> answer -> rows; of an account, instances."""

    paradigm: str
    condition: str
    answers: dict[str, dict[str, int]]

    @property
    def differ(self) -> bool:
        """Whether the theories give different numbers of some answer."""
        first, *others = self.answers.values()
        return any(other != first for other in others)


def answers_by_theory(
    paradigm: Paradigm,
    theories: Sequence[str],
    declarations: Declarations,
    findings: Findings,
    instances: int,
    seed: int,
    decider: Decider,
) -> list[AnswersByTheory] | None:
    """The answers of the same instances in several theories, condition by condition; arguments and None as for
    :func:`compare_theories`."""
    sides = _sides(paradigm, theories, declarations, findings, decider)
    if sides is None:
        return None
    found: dict[str, dict[str, dict[str, int]]] = {}
    for _, groups in _answered(sides, instances, seed, findings):
        for theory, side, own in zip(theories, sides, groups, strict=True):
            for at, part in enumerate(side.parts):
                numbers = np.bincount(own.parts[at])
                for group in np.flatnonzero(numbers).tolist():
                    for outcome in side.task.outcomes(part, side.answer(at, group)):
                        counted = found.setdefault(outcome.part, {}).setdefault(theory, {})
                        counted[outcome.words] = counted.get(outcome.words, 0) + int(numbers[group])
    if findings.failed:
        return None
    return [
        AnswersByTheory(paradigm=paradigm.full_name, condition=condition, answers=answers)
        for condition, answers in found.items()
    ]


@dataclass
class Comparison:
    """The answers that differ between the decisions of two theories, counted chunk by chunk."""

    task: Task
    before: Decisions
    after: Decisions
    theories: tuple[str, str]

    def __post_init__(self) -> None:
        self.rows: Counter[tuple[str, str, str]] = Counter()
        self.on_trust = 0
        #: (part, before, after) -> the length of the shortest reason, its row in all, the reason, its draws
        self._examples: dict[tuple[str, str, str], tuple[int, int, str, Draws]] = {}
        self._seen = 0

    def add(self, draws: Draws, before: Groups, after: Groups) -> None:
        """Count the instances of a chunk by their groups in both theories."""
        for at, part in enumerate(self.before.parts):
            pairs = np.stack([before.parts[at], after.parts[at]], axis=1)
            groups, first, counts = np.unique(pairs, axis=0, return_index=True, return_counts=True)
            for (one, other), row, rows in zip(groups.tolist(), first.tolist(), counts.tolist(), strict=True):
                was, now = self.before.answer(at, one), self.after.answer(at, other)
                if rests_on_trust(was.certificate) or rests_on_trust(now.certificate):
                    self.on_trust += rows
                then = {outcome.part: outcome.words for outcome in self.task.outcomes(part, now)}
                for outcome in self.task.outcomes(part, was):
                    moved = then.get(outcome.part, outcome.words)
                    if moved != outcome.words:
                        key = outcome.part, outcome.words, moved
                        self.rows[key] += rows
                        self._example(key, was, now, draws, row)
        self._seen += len(draws)

    def changes(self) -> tuple[MovedAnswers, ...]:
        """All answers that moved, each with an example."""
        return tuple(self._change(key, rows) for key, rows in self.rows.items())

    def moved(self) -> tuple[Moved, ...]:
        """All answers that moved, in numbers."""
        return tuple(Moved(*key, rows) for key, rows in self.rows.items())

    def _example(self, key: tuple[str, str, str], was: GroupAnswer, now: GroupAnswer, draws: Draws, row: int) -> None:
        why = self.task.why_moved(self.theories, was, now)
        known = self._examples.get(key)
        if known is None or (len(why), self._seen + row, why) < known[:3]:
            self._examples[key] = len(why), self._seen + row, why, draws.take(np.array([row]))

    def _change(self, key: tuple[str, str, str], rows: int) -> MovedAnswers:
        part, before, after = key
        _, _, why, draws = self._examples[key]
        plan = self.before.plan
        conditions = [plan.paradigm.conditions[name] for name in self._conditions(part)]
        sentences = [plan.realiser.sentence(condition, draws) for condition in conditions]
        instance = name_of(plan, draws)
        return MovedAnswers(
            condition=part, before=before, after=after, rows=rows,
            id=f"{plan.paradigm.full_name}/{instance}/{part}",
            premise=sentences[0], hypothesis=sentences[1] if len(sentences) > 1 else "", why=why,
        )  # fmt: skip

    def _conditions(self, part: str) -> list[str]:
        """The conditions that the name of a part stands for: one condition, or the two of a pair."""
        pair = next((p for p in self.before.plan.paradigm.pairs if p.condition == part), None)
        return [part] if pair is None else [pair.premise, pair.hypothesis]


def own_theory(made: Plan, declarations: Declarations) -> Plan | None:
    """The plan under the paradigm's own theory; None if the plan has that theory already."""
    theory = declarations.theory(made.paradigm.theory, made.grammar, Findings())
    if theory is None or theory.name == made.theory.name:
        return None
    return replace(made, theory=theory, decider=Decider())
