"""Labels on trust: they rest on a bounded search or on an outside prover, not on a proof that the kernel can check.

A build refuses them unless they are allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.certify.rule import ON_TRUST, kind_of, on_trust
from gramprobe.decide.verdict import Verdict
from gramprobe.decide.wording import searched


def rests_on_trust(kind: str) -> bool:
    """Whether a kind of certificate, such as `bounded(3)`, has proofs that the kernel cannot check."""
    return kind.partition("(")[0] in ON_TRUST


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
