"""Report the claims of a grammar that the meanings of its constructors refute."""

from __future__ import annotations

from gramprobe.decide.label import Decider
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.source.diagnostic import Findings


def check_claims(grammar: Grammar, decider: Decider, findings: Findings) -> None:
    """Decide what each value of a feature claims of the meaning of a noun phrase, and report what is not so, each with
    a counter-model, where one shows it."""
    if not grammar.claims:
        return
    from gramprobe.explain.words import counter_model_lines
    from gramprobe.formula.notation import show
    from gramprobe.judge.claims import Claims
    from gramprobe.resolve.grammar.claims import PROPERTIES
    from gramprobe.source import messages

    for found in Claims(decider.of_labels).unconfirmed(grammar):
        claim, determiner, asked = found.claim, found.determiner, found.answer.against
        story = [f"{claim.property}: {PROPERTIES[claim.property]}"]
        if claim.holds and asked is not None:
            story += [f"premise     {show(asked.premise)}", f"hypothesis  {show(asked.hypothesis)}"]
            story += counter_model_lines(asked.decision, asked.decision.verdict.label or "", "entailment")
        case = "".join(f", {name}={value}" for name, value in determiner.case.items())
        span = grammar.constructors[determiner.constructor].span
        value = f"{claim.feature[1]}={claim.value}"
        findings.add(
            messages.grammar.claim_refuted(
                span, determiner.constructor + case, value, claim.property, claim.holds, claim.span, story
            )
        )
