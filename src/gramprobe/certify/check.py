"""Re-checking a certificate with nothing but its own text.

A line of certificates.jsonl holds a shape: the canonical theory slice, premise and hypothesis, the values
that the hypothesis takes where the premise is committed, a model for each, and the label they make. The
shape's id is the first 16 hex digits of the SHA-256 of (theory, premise, hypothesis); `sha256` is that of the
line without itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from gramprobe.certify.evaluator import value
from gramprobe.certify.frames import problems
from gramprobe.certify.model import Model, ModelError
from gramprobe.certify.rule import label_of

VALUES = "TFU"


class CertificateError(ValueError):
    """A certificate that does not show what it says."""


def canonical_text(data: Any) -> str:
    """JSON as it is hashed: no spaces, keys in the order given, ASCII."""
    return json.dumps(data, separators=(",", ":"))


def digest(data: Any) -> str:
    """SHA-256 of the canonical text, in hex."""
    return hashlib.sha256(canonical_text(data).encode()).hexdigest()


def check_model(theory: Mapping[str, Any], premise: Any, hypothesis: Any, expected: str, model: Model) -> None:
    """The model is one of the theory, commits the premise, and gives the hypothesis the expected value there.

    A premise of None commits to nothing; a question commits to its being defined. Raises CertificateError.
    """
    wrong = problems(model, theory["operators"], theory["distinct"])
    if wrong:
        raise CertificateError("; ".join(wrong))
    kinds = {operator[0]: operator[1] for operator in theory["operators"]}
    projection = theory["projection"]
    for number, postulate in enumerate(theory["postulates"]):
        for world in range(model.worlds):
            if value(postulate, model, projection, kinds, world) != "T":
                raise CertificateError(f"postulate {number} is not true at world {world}")
    if premise is not None:
        asked = premise[0] == "question"
        found = value(premise[1] if asked else premise, model, projection, kinds)
        if found == "U" or (found == "F" and not asked):
            raise CertificateError(f"the premise is not committed: its value is {found}")
    body = hypothesis[1] if hypothesis[0] == "question" else hypothesis
    found = value(body, model, projection, kinds)
    if found != expected:
        raise CertificateError(f"the hypothesis has the value {found}, not {expected}")


def check_entry(line: Mapping[str, Any]) -> None:
    """Check one line of certificates.jsonl (all it can check: absences are the engines' word up to the
    bound).

    Raises CertificateError with the reason.
    """
    try:
        content = {key: line[key] for key in line if key != "sha256"}
        if digest(content) != line["sha256"]:
            raise CertificateError("the line was changed: its SHA-256 does not fit")
        shape = {"theory": line["theory"], "premise": line["premise"], "hypothesis": line["hypothesis"]}
        if digest(shape)[:16] != line["shape"]:
            raise CertificateError("the shape's id is not that of its formulas")
        values, models = line["h_values"], line["models"]
        if values != "".join(each for each in VALUES if each in models) or set(models) - set(VALUES):
            raise CertificateError("h_values are not the values of the models")
        if label_of(values) != line["label"]:
            raise CertificateError(f"the values {values!r} do not make the label {line['label']!r}")
        shown_by_models = "T" in values and len(values) > 1
        if (line["kind"] == "models") != shown_by_models:
            raise CertificateError(f"the kind {line['kind']!r} does not fit the values {values!r}")
        for expected, data in models.items():
            check_model(line["theory"], line["premise"], line["hypothesis"], expected, Model.from_json(data))
    except (KeyError, IndexError, TypeError, ModelError) as error:
        raise CertificateError(f"not a certificate: {error}") from error
