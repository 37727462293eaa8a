"""`gramprobe diff-theory`."""

from __future__ import annotations

from pathlib import Path

import click

from gramprobe.cli.main import json_option, path_option, project_of


@click.command(name="diff-theory")
@click.argument("name")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--n", "count", type=click.IntRange(min=1), help="Instances of each paradigm. Default: as its file says.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Which instances are drawn.")
@path_option
@json_option
def command(
    name: str, before: str, after: str, count: int | None, seed: int, path: tuple[Path, ...], as_json: bool
) -> int:
    """Compare the labels of NAME (a phenomenon or paradigm) in the theories A and B. Exit code 1 when labels move.

    For each pair of conditions: how many labels move, an example, and a model of one theory that the other excludes.
    """
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.label import Decider
    from gramprobe.items.theories import compare_theories
    from gramprobe.source.diagnostic import AuthoringError, Findings

    project = project_of(path, names=(name,))
    for theory in (before, after):
        project.declarations.known_theory(theory)
    findings = Findings()
    comparisons = []
    with kept_verdicts() as kept:
        decider = Decider(kept=kept)
        for full_name in project.named(name):
            paradigm = project.paradigm(full_name).declared
            number = count or paradigm.sample_size
            comparison = compare_theories(
                paradigm, (before, after), project.declarations, findings, number, seed, decider
            )
            if comparison is not None:
                comparisons.append(comparison)
    if findings.failed:
        raise AuthoringError(d for d in findings.items if d.is_error)
    moved, rows = sum(c.moved for c in comparisons), sum(c.rows for c in comparisons)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.datasets import ComparedTheories

        data = {"before": before, "after": after, "rows": rows, "moved": moved, "paradigms": comparisons}
        click.echo(answer(ComparedTheories, data, ascii_only=False))
        return 1 if moved else 0
    for comparison in comparisons:
        unverified = f"; {comparison.on_trust:,} rest on a bounded search" if comparison.on_trust else ""
        click.echo(f"{comparison.paradigm}: {comparison.moved:,} of {comparison.rows:,} labels move{unverified}")
        for change in comparison.changes:
            click.echo(f"  {change.condition}: {change.before} -> {change.after} in {change.rows:,} rows")
            click.echo(f"    {change.premise}" + (f" => {change.hypothesis}" if change.hypothesis else ""))
            if change.why:
                click.echo(f"    {change.why}")
    if len(comparisons) > 1:
        click.echo(f"{moved:,} of {rows:,} labels move from {before} to {after}")
    return 1 if moved else 0
