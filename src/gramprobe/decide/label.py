"""The label rule as one function: the values that the hypothesis takes where the premise commits make the label.

**commit(P)**: the pointed models of the theory T in which P is true (a declarative) or defined (a polar
question). **entailment**: H is true throughout commit(P). **contradiction**: H is true nowhere in commit(P)
and false somewhere in it. **neutral**: H is true somewhere in it and not everywhere. H undefined throughout
is a *presupposition failure*. Beside the label stand findings, errors in a build: commit(P) empty; H true at
every pointed model of T, or true at none; H a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

from gramprobe.certify.model import Model
from gramprobe.certify.rule import EXCLUDED, ON_TRUST, kind_of, label_of
from gramprobe.decide.dependence import Need, dependence
from gramprobe.decide.procedure import settle
from gramprobe.decide.question import Answer, Value, Wanted, resolved
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import Json
from gramprobe.formula.theory import TheorySlice

Label: TypeAlias = Literal["entailment", "neutral", "contradiction", "presupposition failure"]
Finding: TypeAlias = Literal[
    "premise inconsistent", "hypothesis valid", "hypothesis impossible", "hypothesis is a question"
]
Proof: TypeAlias = Mapping[str, Any]

_ALONE: dict[Value, str] = {"N": "FU", "T": "T"}
"""Values that the hypothesis must be able to take by itself; and the values where P commits that show it at once."""


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
    """

    label: Label | None
    h_values: str
    kind: str
    models: dict[str, Model]
    absent: dict[str, Proof]
    alone: dict[str, Model | Proof] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    rests_on: tuple[Need, ...] | None = None

    def unproved(self, finding: Finding) -> Proof | None:
        """The bounded search, or the outside prover's answer, on which a finding rests; None if it is proved."""
        proofs: dict[Finding, list[Model | Proof | None]] = {
            "premise inconsistent": list(self.absent.values()),
            "hypothesis valid": [self.alone.get("N")],
            "hypothesis impossible": [self.alone.get("T")],
        }
        given = (proof for proof in proofs.get(finding, ()) if proof is not None and not isinstance(proof, Model))
        return next((proof for proof in given if proof["kind"] in ON_TRUST), None)


def decide(premise: Formula | None, hypothesis: Formula, theory: TheorySlice, oracle: str | None = None) -> Verdict:
    """The verdict on a pair in a theory, by the rule above. A premise of None commits to nothing.

    Every model and proof in it has passed the kernel. `oracle` names an outside prover for questions that the engines
    leave open. Raises ValueError for a formula that has no truth value yet (updates, exh, free variables).
    """
    data, formulas = resolved(theory, [each for each in (premise, hypothesis) if each is not None])
    return decided(data, None if premise is None else formulas[0], formulas[-1], oracle)


def decided(
    theory: Mapping[str, Any],
    premise: Json | None,
    hypothesis: Json,
    oracle: str | None = None,
    with_dependence: bool = False,
) -> Verdict:
    """`decide` on the JSON data of a shape; `with_dependence`: also which principles an entailment or a
    contradiction rests on.
    """
    asked = premise is not None and premise[0] == "question"
    committed: Wanted = () if premise is None else ((premise, "D" if asked else "T"),)
    values: tuple[Value, ...] = ("T", "F", "U")
    questions: dict[str, Wanted] = {value: (*committed, (hypothesis, value)) for value in values}
    for value in _ALONE:
        questions[f"alone {value}"] = ((hypothesis, value),)
    answers = settle(theory, questions, oracle, unless={f"alone {value}": others for value, others in _ALONE.items()})
    given: dict[str, Answer] = {value: answers[value] for value in values}
    models = {value: answer for value, answer in given.items() if isinstance(answer, Model)}
    absent = {value: answer.proof for value, answer in given.items() if not isinstance(answer, Model)}
    h_values = "".join(models)
    label = cast("Label | None", label_of(h_values))

    alone: dict[str, Model | Proof] = {}
    findings: list[Finding] = [] if h_values else ["premise inconsistent"]
    for value, others in _ALONE.items():
        if set(others).isdisjoint(h_values):
            answer = answers[f"alone {value}"]
            alone[value] = answer if isinstance(answer, Model) else answer.proof
            if not isinstance(answer, Model):
                findings.append("hypothesis valid" if value == "N" else "hypothesis impossible")
    if hypothesis[0] == "question":
        findings.append("hypothesis is a question")

    needs: tuple[Need, ...] | None = None
    excluded = EXCLUDED[label]
    if with_dependence:
        resting: dict[str, Wanted] = {each: (*committed, (hypothesis, cast(Value, each))) for each in excluded}
        needs, proofs = dependence(theory, resting, {each: absent[each] for each in excluded})
        absent |= proofs
    kind = kind_of([absent[value] for value in excluded])
    return Verdict(
        label=label,
        h_values=h_values,
        kind=kind,
        models=models,
        absent=absent,
        alone=alone,
        findings=tuple(findings),
        rests_on=needs,
    )
