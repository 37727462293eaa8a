"""The label rule, as one function: which values the hypothesis takes where the premise is committed.

**commit(P)**: the pointed models of the theory T in which P is true (a declarative) or defined (a polar
question). **entailment**: H is true throughout commit(P). **contradiction**: H is true nowhere in commit(P)
and false somewhere in it. **neutral**: H is true somewhere in it and not everywhere. H undefined throughout
is a *presupposition failure*. Beside the label stand findings, errors in a build: commit(P) empty; H true at
every pointed model of T, or true at none; H a question.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast

from gramprobe.certify.model import Model
from gramprobe.certify.rule import label_of
from gramprobe.decide.question import Value
from gramprobe.decide.search.bound import Bound
from gramprobe.decide.witness import Witness
from gramprobe.formula import sorts
from gramprobe.formula.ast import Formula, Question
from gramprobe.formula.theory import TheorySlice

Label: TypeAlias = Literal["entailment", "neutral", "contradiction", "presupposition failure"]
Finding: TypeAlias = Literal[
    "premise inconsistent", "hypothesis valid", "hypothesis impossible", "hypothesis is a question"
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label with what it rests on.

    `label` is None only where the premise is inconsistent. `h_values`: the values found, in the order TFU,
    with a model each. `kind`: `models` where the models found settle the label, else `bounded(n)`: it rests
    on a value absent up to n worlds and n individuals.
    """

    label: Label | None
    h_values: str
    kind: str
    models: dict[str, Model]
    bound: Bound
    findings: tuple[Finding, ...] = field(default=())


def decide(premise: Formula, hypothesis: Formula, theory: TheorySlice, bound: Bound | None = None) -> Verdict:
    """The verdict on a pair in a theory, by the rule above.

    Sound where models are found (the kernel evaluates each again, a mismatch raises Disagreement); up to the
    bound where they are not (`bound`: another one than the pair's own, to see what it hangs on). Raises
    ValueError for a formula that has no truth value yet (updates, exh, free variables).
    """
    from gramprobe.decide.search.sat import Finder

    resolved = sorts.resolve((premise, hypothesis, *theory.postulates))
    theory = TheorySlice(theory.operators, resolved[2:], theory.projection, theory.distinct)
    formulas = [part.body if isinstance(part, Question) else part for part in resolved[:2]]
    committed: tuple[int, Value] = (0, "D" if isinstance(premise, Question) else "T")
    witness = Witness(theory, formulas)
    models: dict[str, Model] = {}
    findings: list[Finding] = []

    with Finder(theory, formulas, bound) as finder:

        def model_with(*wanted: tuple[int, Value]) -> Model | None:
            found = finder.find(wanted)
            if not isinstance(found, Model):
                return None
            for number, value in wanted:
                witness.check(found, number, value)
            return found

        for value in cast("tuple[Value, ...]", ("T", "F", "U")):
            model = model_with(committed, (1, value))
            if model is not None:
                models[value] = model
        values = "".join(models)
        if not values:
            findings.append("premise inconsistent")
        if values in ("", "T") and model_with((1, "N")) is None:
            findings.append("hypothesis valid")
        if "T" not in values and model_with((1, "T")) is None:
            findings.append("hypothesis impossible")
        if isinstance(hypothesis, Question):
            findings.append("hypothesis is a question")
        searched = finder.bound

    label = cast("Label | None", label_of(values))
    kind = "models" if label == "neutral" else f"bounded({searched.number})"
    return Verdict(label, values, kind, models, searched, tuple(findings))
