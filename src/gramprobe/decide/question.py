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


def resolved(theory: TheorySlice, formulas: list[Formula]) -> tuple[dict[str, Any], list[Json]]:
    """Theory and formulas as JSON data, every quantifier with its sort."""
    found = sorts.resolve([*formulas, *theory.postulates])
    data = theory_to_json(theory)
    data["postulates"] = [to_json(formula) for formula in found[len(formulas) :]]
    return data, [to_json(formula) for formula in found[: len(formulas)]]
