"""`gramprobe decide`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import json_option, oracle_option, path_option, project_of

if TYPE_CHECKING:
    from gramprobe.judge.typed import Decided, Objection


TRUST = {
    "bounded": "no counter-model so large, and beyond that nobody has looked; a build refuses it (E45)",
    "prover": "an outside prover says so, and nothing here can check it; a build refuses it (E45)",
}


@click.command()
@click.argument("premise")
@click.argument("hypothesis")
@click.option("--theory", default="classical", show_default=True, metavar="NAME", help="The logic file to reason in.")
@oracle_option
@path_option
@json_option
def command(
    premise: str, hypothesis: str, theory: str, oracle: str | None, path: tuple[Path, ...], as_json: bool
) -> int:
    """Label a pair of formulas: `gramprobe decide --theory presupposition "poss (p / q)" "p"`.

    The notation is that of docs/formulas.md; an unknown theory is answered with the list of those there are.
    """
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.decider import Decider
    from gramprobe.judge.typed import Objection, UndecidableFormulas, decided, objections

    project = project_of(path)
    project.known_theory(theory)
    found: Decided | None = None
    try:
        with kept_verdicts() as kept:
            decider = Decider(kept=kept, oracle=oracle, dependence=True)
            found = decided(premise, hypothesis, theory, project.declarations, decider)
        told = objections(found)
    except UndecidableFormulas as error:
        told = [Objection(error.code, error.message, error.help)]
    if as_json:
        from gramprobe.cli import answers

        click.echo(answers.answer(answers.Decided, _json(found, told)))
    elif found is not None:
        _text(found)
    for each in told:
        click.echo(f"error[{each.code}]: {each.message}\n  help: {each.help}", err=True)
    return 1 if told else 0


def _json(found: Decided | None, told: list[Objection]) -> dict[str, Any]:
    said: list[dict[str, str]] = [{"code": e.code, "message": e.message, "help": e.help} for e in told]
    if found is None:
        nothing = dict.fromkeys(("label", "certificate", "on_trust", "h_values", "rests_on", "shape"))
        return {**nothing, "findings": said}
    from gramprobe.items.trust import rests_on_trust

    decision, verdict = found.decision, found.decision.verdict
    models = {value: decision.model(value).to_json() for value in verdict.models}
    return {
        "label": verdict.label,
        "certificate": {"kind": verdict.kind, "models": models},
        "on_trust": rests_on_trust(verdict.kind),
        "h_values": verdict.h_values,
        "rests_on": found.rests_on,
        "findings": said,
        "shape": decision.shape.id,
    }


def _text(found: Decided) -> None:
    from gramprobe.explain.words import described
    from gramprobe.items.trust import rests_on_trust

    decision, verdict = found.decision, found.decision.verdict
    click.echo(f"{verdict.label or 'no label'}   (certificate {verdict.kind}, h_values {verdict.h_values or '-'})")
    if rests_on_trust(verdict.kind):
        click.echo("not proved: " + TRUST[verdict.kind.partition("(")[0]])
    if found.rests_on:
        click.echo(f"rests on {found.rests_on}")
    meant = {"T": "true", "F": "false", "U": "undefined"}
    for value in verdict.models:
        click.echo(f"the premise committed to, the hypothesis {meant[value]}:")
        for line in described(decision.model(value)):
            click.echo(f"  {line}")
