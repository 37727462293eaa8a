"""Shapes: pairs that differ in names only are decided once, and certified in the names of the shape (`p0`,
`c0`, `o0`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from gramprobe.certify.check import digest
from gramprobe.certify.model import Model
from gramprobe.decide.label import Verdict, decide
from gramprobe.formula.ast import Formula
from gramprobe.formula.canonical import Renaming, canonical
from gramprobe.formula.encoding import formula_from, operator_from_json
from gramprobe.formula.theory import TheorySlice


@dataclass(frozen=True, slots=True)
class Shape:
    """`id`: the first 16 hex digits of the SHA-256 of `text`, the canonical (theory, premise, hypothesis)."""

    id: str
    text: str

    @classmethod
    def of(cls, text: str) -> Shape:
        """The shape of a canonical text."""
        return cls(hashlib.sha256(text.encode()).hexdigest()[:16], text)

    def parts(self) -> tuple[Formula, Formula, TheorySlice]:
        """Premise, hypothesis and theory slice in the names of the shape."""
        data = json.loads(self.text)
        theory = data["theory"]
        return (
            formula_from(data["premise"]),
            formula_from(data["hypothesis"]),
            TheorySlice(
                tuple(map(operator_from_json, theory["operators"])),
                tuple(map(formula_from, theory["postulates"])),
                theory["projection"],
                theory["distinct"],
            ),
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict in the names of its shape, and the renaming that leads there from the pair's own names."""

    shape: Shape
    verdict: Verdict
    renaming: Renaming

    def model(self, value: str) -> Model:
        """The model for a value of the hypothesis, in the pair's own names. Raises KeyError for an absent
        value.
        """
        return displayed(self.verdict.models[value], self.renaming)


class Decider:
    """Decides pairs, each shape once. Holds no state but the verdicts by shape: give it to whom you like."""

    def __init__(self, theory: TheorySlice | None = None) -> None:
        self.theory = theory or TheorySlice()
        self.verdicts: dict[str, tuple[Shape, Verdict]] = {}

    def decide(self, premise: Formula, hypothesis: Formula, theory: TheorySlice | None = None) -> Decision:
        """The decision on a pair in a theory (the decider's own unless told)."""
        text, renaming = canonical(premise, hypothesis, theory or self.theory)
        known = self.verdicts.get(text)
        if known is None:
            shape = Shape.of(text)
            known = self.verdicts[text] = shape, decide(*shape.parts())
        return Decision(*known, renaming)

    def lines(self) -> list[dict[str, Any]]:
        """The lines of certificates.jsonl for every shape decided so far, sorted by shape."""
        return [certificate_line(*each) for each in sorted(self.verdicts.values(), key=lambda each: each[0].id)]


def certificate_line(shape: Shape, verdict: Verdict) -> dict[str, Any]:
    """A line of certificates.jsonl: same shape, same bytes (`certify.check.check_entry` reads it)."""
    data = json.loads(shape.text)
    bound = verdict.bound
    line: dict[str, Any] = {
        "shape": shape.id,
        "theory": data["theory"],
        "premise": data["premise"],
        "hypothesis": data["hypothesis"],
        "label": verdict.label,
        "h_values": verdict.h_values,
        "kind": verdict.kind,
        "bound": {"worlds": bound.worlds, "individuals": bound.individuals, "occasions": bound.occasions},
        "models": {value: model.to_json() for value, model in verdict.models.items()},
        "findings": list(verdict.findings),
    }
    line["sha256"] = digest(line)
    return line


def displayed(model: Model, renaming: Renaming) -> Model:
    """A model in the names of the shape, in the pair's own names again."""
    constants = {name: model.constants[short] for name, short in renaming.constants.items() if short in model.constants}
    predicates: dict[str, Any] = {}
    for (name, _), short in renaming.predicates.items():
        extension = model.predicates.get(short)
        if extension is not None:  # one name may go by two arities
            before = predicates.get(name, (frozenset(),) * model.worlds)
            predicates[name] = tuple(one | other for one, other in zip(before, extension, strict=True))
    operators = {short: name for name, short in renaming.operators.items()}
    relations = {}
    for key, relation in model.relations.items():
        short, bracket, agent = key.partition("[")
        relations[operators[short] + bracket + agent] = relation
    return Model(model.worlds, model.individuals, model.actual, constants, predicates, relations, model.occasions)
