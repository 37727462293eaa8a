"""Labels on trust: nobody has proved them, they rest on a bounded search or on an outside prover's word.

They are not shipped unless that is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.certify.rule import ON_TRUST, kind_of, on_trust
from gramprobe.decide.label import Verdict
from gramprobe.explain.words import searched


def rests_on_trust(kind: str) -> bool:
    """Whether a kind of certificate, `bounded(3)`, leaves something that cannot be checked here."""
    return kind.partition("(")[0] in ON_TRUST


def doubt(verdict: Verdict) -> str:
    """The kind of the weakest proof in a verdict that cannot be checked here, whether its label or only its list of
    values rests on it; nothing: the empty text."""
    values = on_trust(verdict.absent)
    return kind_of([verdict.absent[value] for value in values]) if values else ""


def unproved(verdict: Verdict) -> str:
    """Which models were searched for and not found, and how far the search went."""
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
