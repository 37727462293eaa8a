"""The one question behind labels, fits, equivalence of readings and dependence: is there a model in which these
values hold? Its answer is a model, a proof that there is none, or open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from gramprobe.certify.model import Model
from gramprobe.formula import sorts
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import Json, theory_to_json, to_json
from gramprobe.formula.theory import TheorySlice

__all__ = ["Answer", "Model", "Open", "Question", "Refutation", "Value", "Wanted", "ask", "satisfiable"]

Value: TypeAlias = Literal["T", "F", "U", "D", "N"]
"""True, false, undefined; defined (T or F); not true (F or U)."""

Wanted: TypeAlias = "tuple[tuple[Json, Value], ...]"
"""Formulas as JSON with the value that each shall have at the actual world of one model."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """There is no model. `proof` is JSON data that the kernel re-checks; `prover(NAME)` is taken on trust."""

    proof: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Open:
    """No model with so many worlds, individuals and occasions; beyond that nobody has looked. `size`: the n of
    `bounded(n)`, the smallest of those that matter.
    """

    size: int
    worlds: int
    individuals: int
    occasions: int

    @property
    def proof(self) -> Mapping[str, Any]:
        """What stands in the certificate in a proof's place."""
        return {
            "kind": "bounded",
            "size": self.size,
            "worlds": self.worlds,
            "individuals": self.individuals,
            "occasions": self.occasions,
        }


Answer: TypeAlias = Model | Refutation | Open


@dataclass(frozen=True, slots=True)
class Question:
    """Formulas with the values wanted of them at the actual world of one model of the theory."""

    theory: TheorySlice
    wanted: tuple[tuple[Formula, Value], ...]


def ask(question: Question, oracle: str | None = None) -> Answer:
    """A model (evaluated again by the kernel), a refutation, or Open. A formula `? F` stands for F.

    `oracle` names an outside prover for what the engines here leave open. Raises ValueError for a formula that
    has no truth value yet (updates, exh, free variables).
    """
    from gramprobe.decide.procedure import settle

    theory, formulas = resolved(question.theory, [formula for formula, _ in question.wanted])
    wanted = tuple((formula, value) for formula, (_, value) in zip(formulas, question.wanted, strict=True))
    return settle(theory, {"wanted": wanted}, oracle)["wanted"]


def satisfiable(theory: TheorySlice, *formulas: Formula, oracle: str | None = None) -> Answer:
    """A model in which all formulas are true: the test behind `fits` and the equivalence of readings."""
    return ask(Question(theory, tuple((formula, "T") for formula in formulas)), oracle)


def resolved(theory: TheorySlice, formulas: list[Formula]) -> tuple[dict[str, Any], list[Json]]:
    """Theory and formulas as JSON data, every quantifier with its sort."""
    found = sorts.resolve([*formulas, *theory.postulates])
    data = theory_to_json(theory)
    data["postulates"] = [to_json(formula) for formula in found[len(formulas) :]]
    return data, [to_json(formula) for formula in found[: len(formulas)]]
