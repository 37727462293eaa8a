"""The gate between engines and verdicts: every model found is evaluated again by the kernel, from JSON
formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gramprobe.certify.check import CertificateError
from gramprobe.certify.evaluator import value as value_in
from gramprobe.certify.frames import problems
from gramprobe.certify.model import Model
from gramprobe.decide.question import Value
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import operator_to_json, to_json
from gramprobe.formula.theory import TheorySlice

_MEETS: dict[Value, str] = {"T": "T", "F": "F", "U": "U", "D": "TF", "N": "FU"}


class Disagreement(AssertionError):
    """The kernel does not confirm a model that an engine found: a fault of our own, never an author's."""


def theory_json(theory: TheorySlice) -> dict[str, Any]:
    """The theory slice as a certificate holds it."""
    return {
        "operators": [operator_to_json(operator) for operator in theory.operators],
        "postulates": [to_json(postulate) for postulate in theory.postulates],
        "projection": theory.projection,
        "distinct": theory.distinct,
    }


class Witness:
    """Confirms models of one theory for some formulas."""

    def __init__(self, theory: TheorySlice, formulas: Sequence[Formula]) -> None:
        self.theory = theory_json(theory)
        self.formulas = [to_json(formula) for formula in formulas]
        self.kinds = {operator.name: operator.kind for operator in theory.operators}

    def check(self, model: Model, number: int, wanted: Value) -> None:
        """Raises Disagreement unless the model is one of the theory and the formula has the wanted value in
        it.
        """
        wrong = problems(model, self.theory["operators"], self.theory["distinct"])
        projection = self.theory["projection"]
        for postulate in self.theory["postulates"]:
            for world in range(model.worlds):
                if value_in(postulate, model, projection, self.kinds, world) != "T":
                    wrong.append(f"the postulate {postulate} is not true at world {world}")
        found = value_in(self.formulas[number], model, projection, self.kinds)
        if found not in _MEETS[wanted]:
            wrong.append(f"the value of {self.formulas[number]} is {found}, wanted was {wanted}")
        if wrong:
            raise Disagreement("; ".join(wrong) + f" in {model.to_json()}") from CertificateError(wrong[0])
