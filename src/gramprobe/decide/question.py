"""The one question behind labels, fits and equivalence of readings: is there a model in which these values
hold?
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gramprobe.certify.model import Model
from gramprobe.formula import sorts
from gramprobe.formula.ast import Formula
from gramprobe.formula.ast import Question as Asked
from gramprobe.formula.theory import TheorySlice

__all__ = ["Answer", "Model", "Open", "Question", "Value", "ask", "satisfiable"]

Value: TypeAlias = Literal["T", "F", "U", "D", "N"]
"""True, false, undefined; defined (T or F); not true (F or U)."""


@dataclass(frozen=True, slots=True)
class Open:
    """No model with up to `bound` worlds and individuals; beyond that nobody has looked."""

    bound: int


Answer: TypeAlias = Model | Open


@dataclass(frozen=True, slots=True)
class Question:
    """Formulas with the values wanted of them at the actual world of one model of the theory."""

    theory: TheorySlice
    wanted: tuple[tuple[Formula, Value], ...]


def ask(question: Question) -> Answer:
    """A model (evaluated again by the kernel) or Open. A formula `? F` stands for F. Raises ValueError as
    `compile`.
    """
    from gramprobe.decide.search.sat import Finder
    from gramprobe.decide.witness import Witness

    plain = [formula.body if isinstance(formula, Asked) else formula for formula, _ in question.wanted]
    count = len(plain)
    resolved = sorts.resolve([*plain, *question.theory.postulates])
    theory = TheorySlice(
        question.theory.operators, resolved[count:], question.theory.projection, question.theory.distinct
    )
    wanted = [(number, value) for number, (_, value) in enumerate(question.wanted)]
    with Finder(theory, resolved[:count]) as finder:
        answer = finder.find(wanted)
    if isinstance(answer, Model):
        witness = Witness(theory, resolved[:count])
        for number, value in wanted:
            witness.check(answer, number, value)
    return answer


def satisfiable(theory: TheorySlice, *formulas: Formula) -> Answer:
    """A model in which all formulas are true: the test behind `fits` and the equivalence of readings."""
    return ask(Question(theory, tuple((formula, "T") for formula in formulas)))
