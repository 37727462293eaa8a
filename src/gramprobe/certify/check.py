"""Re-checking a certificate with nothing but its own text.

A line of certificates.jsonl holds a shape (the canonical theory slice, premise and hypothesis) and its verdict:
the values that the hypothesis takes where the premise is committed, a model for each (`models`), a proof for each
value it does not take (`absent`), and the label they make. `alone` shows that the hypothesis by itself is neither
valid nor impossible, or that it is (a finding). `rests_on` names the principles that the proofs of absence use for the
values that the label excludes: these proofs hold in the theory cut down to them, and for each principle a model shows
that it cannot be left out. The shape's id is the first 16 hex digits of the SHA-256 of (theory, premise, hypothesis);
`sha256` is that of the line without this field.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from gramprobe.certify import classical, herbrand, types, venn
from gramprobe.certify.classical import Problem, frames, problem
from gramprobe.certify.evaluator import Evaluator, projection_of
from gramprobe.certify.frames import problems
from gramprobe.certify.model import Model
from gramprobe.certify.principles import closure_matters, partial, principles, restricted
from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.certify.rule import EXCLUDED, ON_TRUST, kind_of, label_of

VALUES = "TFU"
FIELDS = (
    "shape", "theory", "premise", "hypothesis", "label", "h_values", "kind", "models", "absent", "alone", "findings",
    "rests_on", "sha256",
)  # fmt: skip
_TEXTS = slice(0, 1), slice(1, 4), slice(4, -1)
"""The fields whose text is that of the id, of the shape, and of the rest."""
CHECKERS = {"type-elimination": types.check, "venn": venn.check, "herbrand": herbrand.check}
ON_TRUST_FIELDS = {
    "prover": {"kind", "name", "version", "text"},
    "bounded": {"kind", "size", "worlds", "individuals", "occasions"},
}
_ENCODER = json.JSONEncoder(separators=(",", ":"))
Proves: TypeAlias = Callable[[Problem, Any, Budget], bool]
_MEETS = {"T": "T", "F": "F", "U": "U", "D": "TF", "N": "FU"}


def canonical_text(data: Any) -> str:
    """JSON as it is hashed: no spaces, keys in the order given, ASCII."""
    return _ENCODER.encode(data)


def digest(data: Any) -> str:
    """SHA-256 of the canonical text, in hex."""
    return _sha256(canonical_text(data))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def check_model(
    theory: Mapping[str, Any], wanted: Sequence[tuple[Any, str]], model: Model, budget: Budget | None = None
) -> None:
    """Check that the model is one of the theory, and that each formula has the wanted value at its actual world.

    `wanted`: (formula, T, F, U, D for T or F, or N for F or U). Raises CertificateError if not.
    """
    budget = budget or Budget()
    budget.spend((1 + len(model.relations)) * model.worlds**3 // 8)
    wrong = problems(model, theory["operators"], theory["distinct"])
    if wrong:
        raise CertificateError("; ".join(wrong))
    kinds = {operator[0]: operator[1] for operator in theory["operators"]}
    evaluator = Evaluator(model, projection_of(theory["projection"]), kinds, budget)
    for number, postulate in enumerate(theory["postulates"]):
        for world in range(model.worlds):
            if evaluator.value(postulate, world, {}) != "T":
                raise CertificateError(f"postulate {number} is not true at world {world}")
    for formula, expected in wanted:
        body = formula[1] if formula[:1] == ["question"] else formula
        actual = evaluator.value(body, model.actual, {})
        if actual not in _MEETS[expected]:
            raise CertificateError(f"in a model a formula has the value {actual}, not {expected}")


def check_proof(problem: Problem, proof: Any, budget: Budget | None = None) -> bool:
    """Check that the proof shows that the problem has no model.

    Returns False for a proof on trust (an outside prover's, a bounded search), which cannot be checked. Raises
    CertificateError if the proof does not show it.
    """
    if not isinstance(proof, dict) or proof.get("kind") not in (*CHECKERS, *ON_TRUST):
        raise CertificateError("an absence without a proof")
    if proof["kind"] in ON_TRUST:
        if set(proof) != ON_TRUST_FIELDS[proof["kind"]]:
            raise CertificateError("an absence on trust has not the fields of its kind")
        return False
    CHECKERS[proof["kind"]](problem, proof, budget or Budget())
    return True


def check_entry(line: Mapping[str, Any], budget: Budget | None = None, proves: Proves = check_proof) -> bool:
    """Check one line of certificates.jsonl, and return whether all of it is proved.

    False means that nothing in it is wrong, but some absence of a value, or some need of a principle, is on trust.
    `budget`: the steps that this may take; they are subtracted from it. `proves`: a function that checks a proof as
    :func:`check_proof` does. Raises CertificateError with the reason.
    """
    try:
        return _check(line, budget or Budget(), proves)
    except CertificateError:
        raise
    except RecursionError:
        raise CertificateError("a formula nested too deep") from None
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, MemoryError) as error:
        raise CertificateError(f"not a certificate: {error}") from error


def _check(line: Mapping[str, Any], budget: Budget, proves: Proves) -> bool:
    if tuple(line) != FIELDS:
        raise CertificateError(f"a certificate has the fields {', '.join(FIELDS)}, in this order")
    theory, premise, hypothesis = line["theory"], line["premise"], line["hypothesis"]
    first, written, rest = (canonical_text({each: line[each] for each in FIELDS[at]}) for at in _TEXTS)
    if _sha256(f"{first[:-1]},{written[1:-1]},{rest[1:]}") != line["sha256"]:
        raise CertificateError("the line was changed: its SHA-256 does not fit")
    if _sha256(written)[:16] != line["shape"]:
        raise CertificateError("the shape's id is not that of its formulas")
    if set(theory) != {"operators", "postulates", "projection", "distinct"}:
        raise CertificateError("a theory has operators, postulates, a projection and whether names are distinct")
    frames(theory["operators"])
    committed = [] if premise is None else [(premise, "D" if premise[:1] == ["question"] else "T")]
    models, absent, values = line["models"], line["absent"], line["h_values"]
    if values != "".join(each for each in VALUES if each in models) or set(models) | set(absent) != set(VALUES):
        raise CertificateError("h_values are not the values of the models, or a value has neither model nor proof")
    if set(models) & set(absent):
        raise CertificateError("a value has a model and a proof that it has no model")
    if label_of(values) != line["label"]:
        raise CertificateError(f"the values {values!r} do not make the label {line['label']!r}")
    for expected, data in models.items():
        check_model(theory, [*committed, (hypothesis, expected)], Model.from_json(data), budget)
    formulas = [premise, hypothesis, *theory["postulates"]]
    proved, excluded = True, EXCLUDED[line["label"]]
    posed: dict[str, Problem] = {}
    needed = theory if line["rests_on"] is None else _cut(theory, line["rests_on"], formulas if excluded else ())
    for within, which in ((needed, set(excluded)), (theory, set(VALUES) - set(excluded))):
        asked = {each: [*committed, (hypothesis, each)] for each in absent if each in which}
        posed |= zip(asked, classical.problems(within, [*asked.values()], budget) if asked else (), strict=True)
    for each, proof in absent.items():
        proved &= proves(posed[each], proof, budget)
    if kind_of([absent[each] for each in absent if each in excluded]) != line["kind"]:
        raise CertificateError(f"the kind {line['kind']!r} is not that of the proofs")
    findings = ["premise inconsistent"] if not values else []
    alone = {"N": values in ("", "T"), "T": "T" not in values}
    if set(line["alone"]) != {expected for expected, asked in alone.items() if asked}:
        raise CertificateError("`alone` has not the values that the label leaves open for the hypothesis by itself")
    for name, expected in (("hypothesis valid", "N"), ("hypothesis impossible", "T")):
        if not alone[expected]:
            continue
        data = line["alone"][expected]
        if "kind" in data:
            proved &= proves(problem(theory, [(hypothesis, expected)], budget), data, budget)
            findings.append(name)
        else:
            check_model(theory, [(hypothesis, expected)], Model.from_json(data), budget)
    findings += ["hypothesis is a question"] if hypothesis[:1] == ["question"] else []
    if findings != line["findings"]:
        raise CertificateError("the findings are not those of the models and proofs")
    return _needs(line, formulas, committed, excluded, budget) and proved


def _cut(theory: Mapping[str, Any], rests_on: Any, formulas: Sequence[Any]) -> dict[str, Any]:
    known = principles(theory)
    if any(set(entry) != {"principle", "without", "model"} for entry in rests_on):
        raise CertificateError("an entry of rests_on has a principle, a value and a model, and no other field")
    kept = [entry["principle"] for entry in rests_on]
    if kept != [each for each in known if each in kept]:
        raise CertificateError("rests_on is no list of principles of the theory, in its order")
    if any(map(partial, formulas)) and any(each[0] == "closure" and each not in kept for each in known):
        raise CertificateError("a label of formulas with gaps does without closure")
    return restricted(theory, kept)


def _needs(
    line: Mapping[str, Any], formulas: list[Any], committed: list[tuple[Any, str]], excluded: str, budget: Budget
) -> bool:
    """Whether each principle in `rests_on` has a model in which an excluded value occurs without it."""
    shown, kept = True, [entry["principle"] for entry in line["rests_on"] or ()]
    proofs = [proof for value, proof in line["absent"].items() if value in excluded]
    for entry in line["rests_on"] or ():
        without, model = entry["without"], entry["model"]
        if model is None:
            if entry["principle"][0] != "closure" or closure_matters(proofs, formulas):
                shown = False
            continue
        if without not in tuple(excluded):
            raise CertificateError("a principle is needed for a value that the label does not exclude")
        weaker = restricted(line["theory"], [each for each in kept if each != entry["principle"]])
        check_model(weaker, [*committed, (line["hypothesis"], without)], Model.from_json(model), budget)
    return shown
