"""`gramprobe decide`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gramprobe.cli.main import json_option, path_option, project_of


@click.command()
@click.argument("premise")
@click.argument("hypothesis")
@click.option("--theory", default="classical", show_default=True, metavar="NAME", help="The logic file to reason in.")
@path_option
@json_option
def command(premise: str, hypothesis: str, theory: str, path: tuple[Path, ...], as_json: bool) -> int:
    """Label a pair of formulas: `gramprobe decide --theory presupposition "poss (p / q)" "p"`."""
    from gramprobe.dataset.story import described

    decision = project_of(path).decide(premise, hypothesis, theory)
    verdict = decision.verdict
    if as_json:
        models = {v: decision.model(v).to_json() for v in verdict.models}
        result = {
            "version": 1,
            "label": verdict.label,
            "certificate": {"kind": verdict.kind, "models": models},
            "h_values": verdict.h_values,
            "findings": list(verdict.findings),
            "shape": decision.shape.id,
        }
        click.echo(json.dumps(result, indent=2))
        return 0
    click.echo(f"{verdict.label or 'no label'}   (certificate {verdict.kind}, h_values {verdict.h_values or '-'})")
    for finding in verdict.findings:
        click.echo(f"note: {finding}")
    meant = {"T": "true", "F": "false", "U": "undefined"}
    for value in verdict.models:
        click.echo(f"the premise committed to, the hypothesis {meant[value]}:")
        for line in described(decision.model(value)):
            click.echo(f"  {line}")
    return 0
