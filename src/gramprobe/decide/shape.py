"""Shapes: pairs that differ in names only are decided once, and certified in the names of the shape (`p0`,
`c0`, `o0`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from gramprobe.certify.model import Model, Neighbourhood
from gramprobe.certify.principles import closure_matters
from gramprobe.certify.rule import EXCLUDED
from gramprobe.decide.label import Verdict
from gramprobe.decide.wording import worded
from gramprobe.formula.ast import Formula
from gramprobe.formula.canonical import Renaming
from gramprobe.formula.encoding import formula_from, theory_from_json
from gramprobe.formula.notation import show
from gramprobe.formula.theory import TheorySlice


@dataclass(frozen=True, slots=True)
class Shape:
    """A pair in its theory up to exchange of names.

    Attributes:
        id: The first 16 hex digits of the SHA-256 of `text`.
        text: The canonical (theory, premise, hypothesis) as JSON.
    """

    id: str
    text: str

    @classmethod
    def of(cls, text: str) -> Shape:
        """The shape of a canonical text."""
        return cls(hashlib.sha256(text.encode()).hexdigest()[:16], text)

    def parts(self) -> tuple[Formula, Formula, TheorySlice]:
        """Premise, hypothesis and theory slice in the names of the shape."""
        data = json.loads(self.text)
        return formula_from(data["premise"]), formula_from(data["hypothesis"]), theory_from_json(data["theory"])


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict in the names of its shape, and the renaming that leads there from the pair's own names."""

    shape: Shape
    verdict: Verdict
    renaming: Renaming
    theory: TheorySlice

    @property
    def rests_on(self) -> tuple[str | Formula, ...]:
        """The principles that the label rests on, in the pair's own names: each as a phrase, a postulate as a formula.

        Empty for a neutral label, and if they were not asked for (`Decider(dependence=True)`).
        """
        verdict = self.verdict
        if not verdict.rests_on:
            return ()
        excluded = EXCLUDED.get(verdict.label, "")
        proofs = [proof for value, proof in verdict.absent.items() if value in excluded]
        data = json.loads(self.shape.text)
        granted = not closure_matters(proofs, [data["premise"], data["hypothesis"], *data["theory"]["postulates"]])
        return tuple(worded(verdict.rests_on, self.shape.text, self.renaming, self.theory, granted))

    @property
    def rests_on_text(self) -> str:
        """The same as one text: `factivity of know; closure of believe`."""
        return "; ".join(each if isinstance(each, str) else show(each) for each in self.rests_on)

    def model(self, value: str) -> Model:
        """The model for a value of the hypothesis, in the pair's own names. Raises KeyError for an absent
        value.
        """
        return displayed(self.verdict.models[value], self.renaming)


def displayed(model: Model, renaming: Renaming) -> Model:
    """A model with the names of the shape replaced by the pair's own names."""
    constants = {name: model.constants[short] for name, short in renaming.constants.items() if short in model.constants}
    predicates: dict[str, Any] = {}
    for (name, _), short in renaming.predicates.items():
        extension = model.predicates.get(short)
        if extension is not None:  # a name may have two arities
            before = predicates.get(name, (frozenset(),) * model.worlds)
            predicates[name] = tuple(one | other for one, other in zip(before, extension, strict=True))
    operators = {short: name for name, short in renaming.operators.items()}

    def own(key: str) -> str:
        short, bracket, agent = key.partition("[")
        return operators[short] + bracket + agent

    relations = {own(key): relation for key, relation in model.relations.items()}
    sets: dict[str, Neighbourhood] = {own(key): each for key, each in model.neighbourhoods.items()}
    return Model(
        worlds=model.worlds,
        individuals=model.individuals,
        actual=model.actual,
        constants=constants,
        predicates=predicates,
        relations=relations,
        occasions=model.occasions,
        neighbourhoods=sets,
    )
