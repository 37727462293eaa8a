"""The labels of some instances, pair by pair and column by column, in the form that tests compare."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.decide import label as labels
from gramprobe.decide.cache import Cache, engine_version, verdict_folder
from gramprobe.decide.label import Decider
from gramprobe.decide.question import resolved
from gramprobe.decide.verdict import Verdict
from gramprobe.formula.ast import Formula
from gramprobe.formula.theory import TheorySlice
from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import Groups
from gramprobe.items.label import PairLabels, gold_reading, meant
from gramprobe.items.plan import Plan
from gramprobe.items.tasks import task_of
from gramprobe.meaning.reading import Reading
from gramprobe.paradigm import LoadedParadigm
from gramprobe.resolve.paradigm.data import Condition, Pair
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws


def decide(premise: Formula | None, hypothesis: Formula, theory: TheorySlice) -> Verdict:
    """The verdict on two formulas as they are, without a shape."""
    data, formulas = resolved(theory, [each for each in (premise, hypothesis) if each is not None])
    return labels.decide(data, None if premise is None else formulas[0], formulas[-1])


@dataclass(frozen=True)
class Meanings:
    """The readings of a condition: `code[i]` is the number of instance i's entry in `readings`."""

    condition: Condition
    code: NDArray[np.int64]
    readings: tuple[tuple[Reading, ...], ...]

    def gold(self, number: int) -> Reading:
        return gold_reading(self.condition, self.readings[number])


@dataclass(frozen=True)
class PairColumn:
    """One pair: `group[i]` is the number of instance i's entry in `decided`."""

    pair: Pair
    group: NDArray[np.int64]
    decided: tuple[PairLabels, ...]

    @property
    def labels(self) -> NDArray[np.int64]:
        """The number of the label of each instance."""
        return np.array([labels.code for labels in self.decided])[self.group]


@dataclass(frozen=True)
class Labelled:
    """Instances of a paradigm with labels."""

    plan: Plan
    draws: Draws
    pairs: tuple[PairColumn, ...]
    meanings: dict[str, Meanings]


def labelled(loaded: LoadedParadigm, n: int, **options: Any) -> Labelled:
    """The first instances of a paradigm with their labels. Raises AuthoringError."""
    decided = loaded.decided(n, **options)
    return _view(decided.stream.decisions, decided.chunk.draws, decided.chunk.groups)


@cache
def _kept() -> Cache:
    return Cache(verdict_folder() / f"{engine_version()[:32]}.sqlite")


def deciding() -> Decider:
    """A decider for a plan that shares what it decides with all tests of this run, as builds do: each shape is decided
    once in a run, with the principles that its label rests on."""
    return Decider(kept=_kept(), dependence=True)


def keep() -> None:
    """Let the other processes of the run have what was decided by now."""
    _kept().flush()


def label(plan: Plan, draws: Draws, findings: Findings) -> Labelled:
    """Labels of these draws; objections to them are added to the findings."""
    decisions = Decisions(plan, task_of(plan.paradigm), findings)
    groups = decisions.grouping.of(draws)
    decisions.task.begin(decisions)
    decisions.answer_groups(draws, groups)
    decisions.count(draws, groups)
    decisions.claims()
    keep()
    return _view(decisions, draws, groups)


def meanings(plan: Plan, draws: Draws) -> dict[str, Meanings]:
    """The readings of every condition for these draws; nothing is decided."""
    decisions = Decisions(plan, task_of(plan.paradigm), Findings())
    return _meanings(decisions, decisions.grouping.of(draws))


def _view(decisions: Decisions, draws: Draws, groups: Groups) -> Labelled:
    paradigm, plan = decisions.plan.paradigm, decisions.plan
    columns = zip(paradigm.pairs, groups.parts, decisions.answers, strict=True)
    pairs = tuple(
        PairColumn(pair, codes, tuple(answers[g] for g in range(len(answers)))) for pair, codes, answers in columns
    )
    return Labelled(plan, draws, pairs, _meanings(decisions, groups))


def _meanings(decisions: Decisions, groups: Groups) -> dict[str, Meanings]:
    plan = decisions.plan
    return {
        name: Meanings(
            plan.paradigm.conditions[name],
            codes,
            tuple(meant(plan, known) for known in decisions.grouping.readings(name)),
        )
        for name, codes in groups.meanings.items()
    }
