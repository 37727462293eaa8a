"""Labels on trust: nobody has proved them, they rest on a bounded search or on an outside prover's word.

They are not shipped unless that is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.certify.check import ON_TRUST
from gramprobe.certify.rule import EXCLUDED
from gramprobe.decide.label import Verdict
from gramprobe.explain.words import searched


def rests_on_trust(kind: str) -> bool:
    """Whether a kind of certificate, `bounded(3)`, leaves something that cannot be checked here."""
    return kind.partition("(")[0] in ON_TRUST


def unproved(verdict: Verdict) -> str:
    """Which models were searched for and not found, and how far the search went."""
    meant = {"T": "true", "F": "false", "U": "undefined"}
    values_of: dict[str, list[str]] = {}
    for value in EXCLUDED[verdict.label]:
        proof = verdict.absent[value]
        if proof["kind"] in ON_TRUST:
            values_of.setdefault(_limit(proof), []).append(meant[value])
    return "; ".join(
        f"no model with the hypothesis {' or '.join(values)} {limit}" for limit, values in values_of.items()
    )


def _limit(proof: Mapping[str, Any]) -> str:
    if proof["kind"] == "prover":
        return f"says the prover {proof['name']}"
    return f"was found with up to {searched(proof)}"
