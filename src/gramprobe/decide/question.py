"""The one question behind labels, fits, equivalence of readings and dependence: is there a model in which formulas have
these values? Its answer is a model, a proof that there is no such model, or open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from gramprobe.certify.model import Model
from gramprobe.formula import sorts
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import Json, theory_to_json, to_json
from gramprobe.formula.theory import TheorySlice

Value: TypeAlias = Literal["T", "F", "U", "D", "N"]
"""True, false, undefined; defined (T or F); not true (F or U)."""

Wanted: TypeAlias = "tuple[tuple[Json, Value], ...]"
"""Formulas as JSON with the value that each shall have at the actual world of one model."""


class Refutation(Struct, frozen=True):
    """There is no model. `proof` is JSON data that the kernel re-checks; `prover(NAME)` is taken on trust."""

    proof: Mapping[str, Any]


class Open(Struct, frozen=True):
    """There is no model up to a size, and larger models were not searched.

    Attributes:
        size: The n of `bounded(n)`: the smallest of the other three that matters.
        worlds: The most worlds searched.
        individuals: The most individuals searched.
        occasions: The most occasions searched.
    """

    size: int
    worlds: int
    individuals: int
    occasions: int

    @property
    def proof(self) -> Mapping[str, Any]:
        """The entry of the certificate in place of a proof."""
        return {
            "kind": "bounded",
            "size": self.size,
            "worlds": self.worlds,
            "individuals": self.individuals,
            "occasions": self.occasions,
        }


Answer: TypeAlias = Model | Refutation | Open


class Need(Struct, frozen=True):
    """A principle (JSON data as `certify.principles` names it) that cannot be left out.

    `without`: a value that the hypothesis could take otherwise; `model`: a model in which it does. Both are None if no
    engine proves the absences without the principle and no small model shows why, and for a closure that is taken for
    granted.
    """

    principle: tuple[Any, ...]
    without: str | None = None
    model: Model | None = None

    def to_json(self) -> dict[str, Any]:
        """The entry of a certificate."""
        model = None if self.model is None else self.model.to_json()
        return {"principle": [*self.principle], "without": self.without, "model": model}


class Question(Struct, frozen=True):
    """Formulas with the values wanted of them at the actual world of one model of the theory."""

    theory: TheorySlice
    wanted: tuple[tuple[Formula, Value], ...]


def resolved(theory: TheorySlice, formulas: list[Formula]) -> tuple[dict[str, Any], list[Json]]:
    """Theory and formulas as JSON data, every quantifier with its sort."""
    sorted_ = sorts.resolve([*formulas, *theory.postulates])
    data = theory_to_json(theory)
    data["postulates"] = [to_json(formula) for formula in sorted_[len(formulas) :]]
    return data, [to_json(formula) for formula in sorted_[: len(formulas)]]
