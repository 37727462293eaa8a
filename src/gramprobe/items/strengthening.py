"""The columns of labels: literal, pragmatic, premise only.

    literal        the formulas as they are
    pragmatic      `exh` on premise and hypothesis, the convention of IMPPRES (Jeretic et al. 2020)
    premise_only   `exh` on the premise alone: what follows from an utterance taken with its implicatures

A paradigm without a scale has the literal column only, and the others repeat it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from gramprobe.decide.label import Verdict
from gramprobe.decide.reduce import BelievesAll, Irreducible, TooLarge
from gramprobe.decide.shape import Decision
from gramprobe.formula import ast
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import FormulaError
from gramprobe.items.plan import Plan
from gramprobe.resolve.paradigm.data import COLUMNS, Pair, Paradigm
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings

FAILURE = "presupposition failure"


class Entry(NamedTuple):
    """The label of one pair of readings in one column, and the shape in which it was decided."""

    premise: str
    hypothesis: str
    column: str
    label: str
    shape: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The label of a pair in one column, for the readings that count; ``via``: how, where it is no plain one."""

    column: str
    decision: Decision
    label: str
    via: str
    premise: Formula
    hypothesis: Formula

    @property
    def verdict(self) -> Verdict:
        return self.decision.verdict


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided for a group of rows: a judgement a column, and every pair of readings in every column."""

    judgements: tuple[Judgement, ...]
    column: str  # the gold one
    entries: tuple[Entry, ...]
    rests_on: str  # principles of the theory, with slots for words of the row

    def in_column(self, column: str) -> Judgement:
        """The judgement of a column; where nothing is strengthened, the literal one."""
        return next((j for j in self.judgements if j.column == column), self.judgements[0])

    @property
    def judged(self) -> Judgement:
        """The judgement of the gold column."""
        return self.in_column(self.column)

    @property
    def gold(self) -> Decision:
        return self.judged.decision

    @property
    def label(self) -> str:
        return self.judged.label

    @property
    def via(self) -> str:
        return self.judged.via

    @property
    def premise(self) -> Formula:
        return self.judged.premise

    @property
    def hypothesis(self) -> Formula:
        return self.judged.hypothesis

    @property
    def verdict(self) -> Verdict:
        return self.judged.verdict


def columns_of(paradigm: Paradigm) -> tuple[str, ...]:
    """The columns in which the pairs of a paradigm are decided."""
    return COLUMNS if paradigm.scale else COLUMNS[:1]


def said_in(column: str, formula: Formula, is_premise: bool) -> Formula:
    """The formula of a side in a column: with `exh`, or as it is. What a question says is not strengthened."""
    strong = column == "pragmatic" or (column == "premise_only" and is_premise)
    return ast.Exhaustified(formula) if strong and not isinstance(formula, ast.Question) else formula


class Undecidable(Exception):
    """A pair without a label, for which a finding has been told: nothing more can be said of its paradigm."""


def decision_on(
    plan: Plan,
    pair: Pair,
    premise: Formula,
    hypothesis: Formula,
    scales: Scales,
    said: Callable[[], tuple[str, str]],
    found: Findings,
) -> Decision:
    """Decide two formulas of one instance, whose sentences ``said`` gives.

    Raises Undecidable for an update that goes wrong, formulas past the engines, and a name used in two sorts.
    """
    try:
        return plan.decider.decide(premise, hypothesis, plan.slice((premise, hypothesis), scales))
    except BelievesAll as error:
        told = messages.believes_all(error.side, error.update, error.operator)
    except Irreducible as error:
        told = messages.no_reduction(str(error))
    except TooLarge as error:
        told = messages.too_large_a_formula(str(error))
    except RecursionError:
        told = messages.too_large_a_formula("written out, this pair is nested too deeply")
    except FormulaError as error:
        told = "E07", error.message, error.hint or ""
    found.add(messages.undecided(pair.span, told, (pair.premise, pair.hypothesis), said()))
    raise Undecidable
