"""What is decided and what comes of it: shapes, verdicts, the decision on a pair, and lines of certificates.jsonl.

Pairs that differ in names only have one shape, which is decided once and certified in names of its own (`p0`, `c0`,
`o0`); a decision has these names and the pair's.

A label on trust rests on a bounded search or on an outside prover, not on a proof that the kernel can check. A build
refuses it unless it is allowed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, cast

import msgspec
from msgspec import Struct

from gramprobe.certify.check import canonical_text
from gramprobe.certify.model import Model, Neighbourhood
from gramprobe.certify.principles import closure_matters
from gramprobe.certify.rule import EXCLUDED, ON_TRUST, kind_of, label_of, on_trust
from gramprobe.decide.question import Need
from gramprobe.decide.wording import searched, worded
from gramprobe.formula.ast import Formula
from gramprobe.formula.canonical import Renaming
from gramprobe.formula.encoding import formula_from, theory_from_json
from gramprobe.formula.notation import show
from gramprobe.formula.theory import TheorySlice

Label: TypeAlias = Literal["entailment", "neutral", "contradiction", "presupposition failure"]
Finding: TypeAlias = Literal[
    "premise inconsistent", "hypothesis valid", "hypothesis impossible", "hypothesis is a question"
]
Proof: TypeAlias = Mapping[str, Any]
UNCERTIFIED = "uncertified"
"""The kind of a verdict without models and proofs; none of it rests on trust."""


class Shape(Struct, frozen=True):
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
        return cls(_sha256(text)[:16], text)

    def parts(self) -> tuple[Formula, Formula, TheorySlice]:
        """Premise, hypothesis and theory slice in the names of the shape."""
        data = json.loads(self.text)
        return formula_from(data["premise"]), formula_from(data["hypothesis"]), theory_from_json(data["theory"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A label with the models, proofs and principles that it rests on.

    Attributes:
        label: None only if the premise is inconsistent.
        h_values: The values that the hypothesis takes where the premise commits, in the order TFU.
        kind: The kind of the weakest proof that the label rests on; `models` if it rests on no proof.
        models: A model for each value in `h_values`.
        absent: A proof for each other value.
        alone: For the hypothesis by itself, and the values `N` (not true) and `T` if they matter, a model or a proof.
        findings: Errors in a build, beside the label.
        rests_on: The principles that the label needs; None if they were not asked for.
        text: The text of its line of certificates.jsonl, where it was written or read (:func:`certificate_text`).
    """

    label: Label | None
    h_values: str
    kind: str
    models: dict[str, Model]
    absent: dict[str, Proof]
    alone: dict[str, Model | Proof] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    rests_on: tuple[Need, ...] | None = None
    text: str | None = field(default=None, compare=False, repr=False)

    def unproved(self, finding: Finding) -> Proof | None:
        """The bounded search, or the outside prover's answer, on which a finding rests; None if it is proved."""
        proofs: dict[Finding, list[Model | Proof | None]] = {
            "premise inconsistent": list(self.absent.values()),
            "hypothesis valid": [self.alone.get("N")],
            "hypothesis impossible": [self.alone.get("T")],
        }
        given = (proof for proof in proofs.get(finding, ()) if proof is not None and not isinstance(proof, Model))
        return next((proof for proof in given if proof["kind"] in ON_TRUST), None)


class Asked(Struct, frozen=True):
    """What a decision asks for, beside the formulas and the theory that it is about.

    Attributes:
        text: The canonical text of its shape.
        renaming: Leads there from the pair's own names.
        glosses: Name -> gloss of the operators of the theory that have one.
        alone: Of a story the canonical text of the hypothesis by itself; else empty.
    """

    text: str
    renaming: Renaming
    glosses: Mapping[str, str]
    alone: str


@dataclass(frozen=True, slots=True, repr=False)
class Decision:
    """A verdict in the names of its shape, and the renaming that leads there from the pair's own names.

    ``part``: gives the part of the theory in which it was decided.
    """

    shape: Shape
    verdict: Verdict
    asked: Asked
    part: Callable[[], TheorySlice] = field(compare=False)

    @property
    def renaming(self) -> Renaming:
        """The renaming from the pair's own names to those of the shape."""
        return self.asked.renaming

    @property
    def theory(self) -> TheorySlice:
        """The part of the theory in which it was decided."""
        return self.part()

    def __repr__(self) -> str:
        return (
            f"<{self.verdict.label or 'no label'}: certificate {self.verdict.kind}, h_values {self.verdict.h_values}>"
        )

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
        data, granted = msgspec.json.decode(self.shape.text), False
        if any(need.model is None and need.principle[0] == "closure" for need in verdict.rests_on):
            granted = not closure_matters(proofs, [data["premise"], data["hypothesis"], *data["theory"]["postulates"]])
        text, theory = self.shape.text, data["theory"]
        return tuple(worded(verdict.rests_on, text, theory, self.renaming, self.asked.glosses, granted))

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


def renamed(model: Model, renaming: Renaming) -> Model:
    """The model of a pair in the names of the shape of another one; what it does not know has no value yet."""
    operators = renaming.operators

    def own(sets: Mapping[str, Any]) -> dict[str, Any]:
        keys = ((key.partition("["), each) for key, each in sets.items())
        return {operators[name] + "".join(rest): each for (name, *rest), each in keys if name in operators}

    return replace(
        model,
        constants={
            short: model.constants[name] for name, short in renaming.constants.items() if name in model.constants
        },
        predicates={
            short: tuple(frozenset(each for each in world if len(each) == arity) for world in model.predicates[name])
            for (name, arity), short in renaming.predicates.items()
            if name in model.predicates
        },
        relations=own(model.relations),
        neighbourhoods=own(model.neighbourhoods),
    )


def certificate_text(shape: Shape, verdict: Verdict) -> str:
    """A line of certificates.jsonl as it is hashed: same shape, same bytes (`certify.check.check_entry` reads it)."""
    if verdict.text is not None:
        return verdict.text
    needs = verdict.rests_on
    found = _text(
        {
            "label": verdict.label,
            "h_values": verdict.h_values,
            "kind": verdict.kind,
            "models": {value: model.to_json() for value, model in verdict.models.items()},
            "absent": {value: dict(proof) for value, proof in verdict.absent.items()},
            "alone": {
                value: shown.to_json() if isinstance(shown, Model) else dict(shown)
                for value, shown in verdict.alone.items()
            },
            "findings": list(verdict.findings),
            "rests_on": None if needs is None else [need.to_json() for need in needs],
        }
    )
    # the text of a shape has the theory, the premise and the hypothesis, in this order
    text = f'{{"shape":"{shape.id}",{shape.text[1:-1]},{found[1:]}'
    return f'{text[:-1]},"sha256":"{_sha256(text)}"}}'


def _text(data: Any) -> str:
    """`canonical_text`, in a tenth of the time. The two encoders differ only in characters that are no printable ASCII,
    which an outside prover's words may have."""
    text = msgspec.json.encode(data).decode()
    return text if text.isascii() and text.isprintable() else canonical_text(data)


def is_written(text: str, sha256: str) -> bool:
    """Whether a text that JSON reads as a line with this hash, of whose other fields it is, is `certificate_text`."""
    end = f',"sha256":"{sha256}"}}'
    return text.endswith(end) and _sha256(text[: -len(end)] + "}") == sha256


def certificate_line(shape: Shape, verdict: Verdict) -> dict[str, Any]:
    """The same as data."""
    line: dict[str, Any] = json.loads(certificate_text(shape, verdict))
    return line


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def verdict_from(line: Mapping[str, Any], text: str | None = None) -> Verdict:
    """The verdict of a line that the kernel has checked, with the `text` of the line: the inverse of
    `certificate_line`."""
    alone = {value: shown if "kind" in shown else Model.from_json(shown) for value, shown in line["alone"].items()}
    needs = line["rests_on"]
    return Verdict(
        label=line["label"],
        h_values=line["h_values"],
        kind=line["kind"],
        models={value: Model.from_json(data) for value, data in line["models"].items()},
        absent=dict(line["absent"]),
        alone=alone,
        findings=tuple(line["findings"]),
        rests_on=None if needs is None else tuple(map(_need_from, needs)),
        text=text,
    )


def uncertified(values: str, findings: Sequence[Finding]) -> Verdict:
    """A verdict without models and proofs: the values of the hypothesis where the premise commits, at least one, and
    what was found beside the label."""
    label = cast("Label | None", label_of(values))
    return Verdict(label=label, h_values=values, kind=UNCERTIFIED, models={}, absent={}, findings=tuple(findings))


def _need_from(entry: Mapping[str, Any]) -> Need:
    model = None if entry["model"] is None else Model.from_json(entry["model"])
    return Need(tuple(entry["principle"]), entry["without"], model)


def rests_on_trust(kind: str) -> bool:
    """Whether a kind of certificate, such as `bounded(3)`, has proofs that the kernel cannot check."""
    return kind.partition("(")[0] in ON_TRUST


def provers(verdict: Verdict) -> set[str]:
    """The outside provers on whose answers something in a verdict rests."""
    shown = (*verdict.absent.values(), *verdict.alone.values())
    return {each["name"] for each in shown if not isinstance(each, Model) and each["kind"] == "prover"}


def doubt(verdict: Verdict) -> str:
    """The kind of the weakest proof of a verdict that the kernel cannot check, whether the label rests on it or only
    the list of values; empty if all can be checked."""
    values = on_trust(verdict.absent)
    return kind_of([verdict.absent[value] for value in values]) if values else ""


def unproved(verdict: Verdict) -> str:
    """Which models a search did not find, and how large they could be, as text."""
    meant = {"T": "true", "F": "false", "U": "undefined"}
    values_of: dict[str, list[str]] = {}
    for value in on_trust(verdict.absent):
        values_of.setdefault(_limit(verdict.absent[value]), []).append(meant[value])
    limits = values_of.items()
    return "; ".join(f"no model with the hypothesis {' or '.join(values)} {limit}" for limit, values in limits)


def _limit(proof: Mapping[str, Any]) -> str:
    if proof["kind"] == "prover":
        return f"says the prover {proof['name']}"
    return f"was found with up to {searched(proof)}"
