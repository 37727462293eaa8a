"""`gramprobe sample`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gramprobe.cli.main import allow_bounded_option, design_option, json_option, path_option, project_of


@click.command()
@click.argument("name")
@click.option("--n", "count", default=5, show_default=True, type=click.IntRange(min=1), help="Instances.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Which instances are drawn.")
@click.option("--theory", metavar="NAME", help="A theory in the place of the paradigm's own.")
@design_option
@allow_bounded_option
@path_option
@json_option
def command(
    name: str,
    count: int,
    seed: int,
    theory: str | None,
    design: str,
    allow_bounded: bool,
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Print a few instances of NAME (phenomenon/paradigm, or a phenomenon): sentences and derived labels."""
    from gramprobe.items.tasks import task_of

    project = project_of(path, names=(name,))
    for full_name in project.named(name):
        loaded = project.paradigm(full_name, design)
        if as_json:
            for row in loaded.sample(count, seed, theory, allow_bounded).to_pylist():
                click.echo(json.dumps(row, ensure_ascii=False))
            continue
        decided = loaded.decided(count, seed, theory, allow_bounded, labels_only=True)
        task = task_of(loaded.declared)
        stream, chunk, realiser = decided.stream, decided.chunk, decided.stream.plan.realiser
        if len(chunk) < count:
            also = " and keep its limits" if loaded.declared.limits else ""
            click.echo(f"{full_name} has only {len(chunk)} instances that repeat no sentences{also}", err=True)
        width = max(16, *(len(name) for name in loaded.declared.conditions))
        for number in range(len(chunk)):
            click.echo(f"{full_name} {number + 1}")
            answers = stream.answers(chunk, number)
            for condition in loaded.declared.conditions.values():
                click.echo(f"  {condition.name:<{width}} {realiser.sentence(condition, chunk.draws, number)}")
                for line in task.derived(answers, condition.name):
                    click.echo(f"  {'':<{width}}   {line}")
            click.echo()
    return 0
