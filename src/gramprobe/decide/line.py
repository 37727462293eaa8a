"""Lines of certificates.jsonl: a shape and its verdict as JSON data, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gramprobe.certify.check import digest
from gramprobe.certify.model import Model
from gramprobe.decide.dependence import Need
from gramprobe.decide.label import Verdict
from gramprobe.decide.shape import Shape


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
            value: shown.to_json() if isinstance(shown, Model) else dict(shown)
            for value, shown in verdict.alone.items()
        },
        "findings": list(verdict.findings),
        "rests_on": None if rests_on is None else [need.to_json() for need in rests_on],
    }
    line["sha256"] = digest(line)
    return line


def verdict_from(line: Mapping[str, Any]) -> Verdict:
    """The verdict of a line that the kernel has checked: the inverse of `certificate_line`."""
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
    )


def _need_from(entry: Mapping[str, Any]) -> Need:
    model = None if entry["model"] is None else Model.from_json(entry["model"])
    return Need(tuple(entry["principle"]), entry["without"], model)
