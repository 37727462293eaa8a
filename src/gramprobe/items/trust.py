"""Labels that nobody has proved: they rest on a bounded search or on an outside prover's word, and are not shipped
unless that is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramprobe.certify.check import ON_TRUST
from gramprobe.certify.rule import EXCLUDED
from gramprobe.decide.label import Verdict
from gramprobe.explain.words import searched
from gramprobe.items.label import Labelling
from gramprobe.items.strengthening import Decided
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span


def rests_on_trust(kind: str) -> bool:
    """Whether a kind of certificate, `bounded(3)`, leaves something that cannot be checked here."""
    return kind.partition("(")[0] in ON_TRUST


def refuse(labelling: Labelling, findings: Findings) -> None:
    """A finding for every line of pairs with a label, gold or of another reading, that rests on trust."""
    verdicts = {shape.id: verdict for shape, verdict in labelling.plan.decider.verdicts.values()}
    told: set[Span] = set()
    for pair in labelling.pairs:
        for number, decided in enumerate(pair.decided):
            found = _doubtful(decided, verdicts)
            if found is None or pair.pair.span in told:
                continue
            told.add(pair.pair.span)
            reading, verdict = found
            row = int(pair.first[number])
            conditions, realiser = labelling.plan.paradigm.conditions, labelling.plan.realiser
            sentences = [
                realiser.sentence(conditions[name], labelling.draws, row)
                for name in (pair.pair.premise, pair.pair.hypothesis)
            ]
            names = pair.pair.premise, pair.pair.hypothesis
            findings.add(
                messages.build.on_trust(pair.pair.span, names, sentences, reading, verdict.kind, _searched(verdict))
            )


def _doubtful(decided: Decided, verdicts: Mapping[str, Verdict]) -> tuple[str, Verdict] | None:
    """The first pair of readings (as text) whose label rests on trust, the gold one before others."""
    if rests_on_trust(decided.verdict.kind):
        return "", decided.verdict
    for entry in decided.entries:
        verdict = verdicts.get(entry.shape)
        if verdict is not None and rests_on_trust(verdict.kind):
            return f"{entry.premise or 'one reading'} => {entry.hypothesis or 'one reading'}", verdict
    return None


def _searched(verdict: Verdict) -> str:
    """What was looked for and not found, and how far."""
    meant = {"T": "true", "F": "false", "U": "undefined"}
    doubted: dict[str, list[str]] = {}
    for value in EXCLUDED[verdict.label]:
        proof = verdict.absent[value]
        if proof["kind"] in ON_TRUST:
            doubted.setdefault(_limit(proof), []).append(meant[value])
    return "; ".join(f"no model with the hypothesis {' or '.join(values)} {limit}" for limit, values in doubted.items())


def _limit(proof: Mapping[str, Any]) -> str:
    if proof["kind"] == "prover":
        return f"says the prover {proof['name']}"
    return f"was found with up to {searched(proof)}"
