"""Shapes: pairs that differ in names only are decided once, and certified in the names of the shape (`p0`,
`c0`, `o0`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from gramprobe.certify.check import digest
from gramprobe.certify.model import Model, Neighbourhood
from gramprobe.certify.principles import closure_matters
from gramprobe.certify.rule import EXCLUDED
from gramprobe.decide.dependence import Need
from gramprobe.decide.label import Finding, Verdict, decided
from gramprobe.decide.narrative import tells
from gramprobe.decide.question import Question, Value, ask
from gramprobe.decide.reduce import needs_reduction, reduce
from gramprobe.decide.wording import worded
from gramprobe.formula import ast
from gramprobe.formula.ast import TRUE, Formula
from gramprobe.formula.canonical import Renaming, canonical
from gramprobe.formula.encoding import formula_from, theory_from_json
from gramprobe.formula.notation import show
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
        """The principles that the label rests on, in the pair's own names: a phrase each, a postulate as its formula.

        Empty for a neutral label, and where nobody asked (`Decider(dependence=True)`).
        """
        verdict = self.verdict
        excluded = EXCLUDED.get(verdict.label, "")
        proofs = [proof for value, proof in verdict.absent.items() if value in excluded]
        data = json.loads(self.shape.text) if verdict.rests_on else {}
        formulas = [data["premise"], data["hypothesis"], *data["theory"]["postulates"]] if data else []
        granted = not closure_matters(proofs, formulas)
        return tuple(worded(verdict.rests_on or (), self.shape.text, self.renaming, self.theory, granted))

    @property
    def rests_on_text(self) -> str:
        """The same as one text: `factivity of know; closure of believe`."""
        return "; ".join(each if isinstance(each, str) else show(each) for each in self.rests_on)

    def model(self, value: str) -> Model:
        """The model for a value of the hypothesis, in the pair's own names. Raises KeyError for an absent
        value.
        """
        return displayed(self.verdict.models[value], self.renaming)


class Verdicts(Protocol):
    """Where verdicts are kept between runs (`decide.cache`), or come from instead of the engines
    (`dataset.verify`).
    """

    def get(self, shape: Shape, dependence: bool) -> Verdict | None:
        """The verdict on a shape, already re-checked; None where there is none (of that kind)."""

    def put(self, shape: Shape, verdict: Verdict) -> None:
        """Keep a verdict."""


class Decider:
    """Decides pairs, each shape once.

    `kept`: verdicts of earlier runs; `oracle`: an outside prover for what the engines leave open; `dependence`: also
    find out what each label rests on.
    """

    def __init__(
        self,
        theory: TheorySlice | None = None,
        *,
        kept: Verdicts | None = None,
        oracle: str | None = None,
        dependence: bool = False,
    ) -> None:
        self.theory = theory or TheorySlice()
        self.kept, self.oracle, self.dependence = kept, oracle, dependence
        self.verdicts: dict[str, tuple[Shape, Verdict]] = {}

    def decide(self, premise: Formula, hypothesis: Formula, theory: TheorySlice | None = None) -> Decision:
        """The decision on a pair in a theory (the decider's own unless told).

        Behind a premise that is a story (`decide.narrative`) the findings are about the hypothesis by itself; the
        certificate's are about what was decided, the hypothesis after the story.
        """
        theory = theory or self.theory
        text, renaming = shape_text(premise, hypothesis, theory)
        known = self.verdicts.get(text)
        if known is None:
            shape = Shape.of(text)
            known = self.verdicts[text] = shape, self._verdict(shape)
        found = Decision(*known, renaming, theory)
        if not tells(premise):
            return found
        shape, verdict = known
        by_itself = _by_itself(shape_text(TRUE, hypothesis, theory)[0])
        kept = tuple(each for each in verdict.findings if each not in ("hypothesis valid", "hypothesis impossible"))
        return replace(found, verdict=replace(verdict, findings=(*kept, *by_itself)))

    def _verdict(self, shape: Shape) -> Verdict:
        kept = self.kept.get(shape, self.dependence) if self.kept else None
        if kept is not None:
            return kept
        data = json.loads(shape.text)
        found = decided(data["theory"], data["premise"], data["hypothesis"], self.oracle, self.dependence)
        if self.kept:
            self.kept.put(shape, found)
        return found

    def lines(self) -> list[dict[str, Any]]:
        """The lines of certificates.jsonl for every shape decided so far, sorted by shape."""
        return [certificate_line(*each) for each in sorted(self.verdicts.values(), key=lambda each: each[0].id)]


@lru_cache(maxsize=4096)
def _by_itself(text: str) -> tuple[Finding, ...]:
    """What stands against the hypothesis of a canonical text by itself: behind a story it may well be settled."""
    _, hypothesis, theory = Shape.of(text).parts()
    if isinstance(hypothesis, ast.Question):
        return ()
    looked: tuple[tuple[Value, Finding], ...] = (("N", "hypothesis valid"), ("T", "hypothesis impossible"))
    return tuple(name for value, name in looked if not isinstance(ask(Question(theory, ((hypothesis, value),))), Model))


def shape_text(premise: Formula, hypothesis: Formula, theory: TheorySlice) -> tuple[str, Renaming]:
    """The canonical text of a pair and the renaming that leads to it, after what must be compiled away first.

    Raises ValueError for what has no place in a question, and as `decide.reduce`.
    """
    try:
        return canonical(premise, hypothesis, theory)
    except ValueError:  # something that must be compiled away first, or a mistake
        if not (needs_reduction(premise, theory) or needs_reduction(hypothesis, theory)):
            raise
        return canonical(*reduce(premise, hypothesis, theory))


def certificate_line(shape: Shape, verdict: Verdict) -> dict[str, Any]:
    """A line of certificates.jsonl: same shape, same bytes (`certify.check.check_entry` reads it)."""
    data = json.loads(shape.text)
    rests_on = verdict.rests_on
    line: dict[str, Any] = {
        "shape": shape.id,
        "theory": data["theory"],
        "premise": data["premise"],
        "hypothesis": data["hypothesis"],
        "label": verdict.label,
        "h_values": verdict.h_values,
        "kind": verdict.kind,
        "models": {value: model.to_json() for value, model in verdict.models.items()},
        "absent": {value: dict(proof) for value, proof in verdict.absent.items()},
        "alone": {
            value: found.to_json() if isinstance(found, Model) else dict(found)
            for value, found in verdict.alone.items()
        },
        "findings": list(verdict.findings),
        "rests_on": None if rests_on is None else [need.to_json() for need in rests_on],
    }
    line["sha256"] = digest(line)
    return line


def verdict_from(line: Mapping[str, Any]) -> Verdict:
    """The verdict of a line that the kernel has checked: the inverse of `certificate_line`."""
    alone = {value: found if "kind" in found else Model.from_json(found) for value, found in line["alone"].items()}
    needs = line["rests_on"]
    return Verdict(
        line["label"],
        line["h_values"],
        line["kind"],
        {value: Model.from_json(data) for value, data in line["models"].items()},
        dict(line["absent"]),
        alone,
        tuple(line["findings"]),
        None if needs is None else tuple(map(_need_from, needs)),
    )


def _need_from(entry: Mapping[str, Any]) -> Need:
    model = None if entry["model"] is None else Model.from_json(entry["model"])
    return Need(tuple(entry["principle"]), entry["without"], model)


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

    def own(key: str) -> str:
        short, bracket, agent = key.partition("[")
        return operators[short] + bracket + agent

    relations = {own(key): relation for key, relation in model.relations.items()}
    sets: dict[str, Neighbourhood] = {own(key): each for key, each in model.neighbourhoods.items()}
    return Model(model.worlds, model.individuals, model.actual, constants, predicates, relations, model.occasions, sets)
