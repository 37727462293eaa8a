"""`gramprobe sample`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gramprobe.cli.main import allow_bounded_option, balanced_option, json_option, path_option, project_of

if TYPE_CHECKING:
    from gramprobe.items.drafted import Drafted


@click.command()
@click.argument("name")
@click.option("--n", "count", default=5, show_default=True, type=click.IntRange(min=1), help="Instances.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Which instances are drawn.")
@click.option("--theory", metavar="NAME", help="A theory in the place of the paradigm's own.")
@balanced_option
@allow_bounded_option
@path_option
@json_option
def command(
    name: str,
    count: int,
    seed: int,
    theory: str | None,
    balanced: bool,
    allow_bounded: bool,
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Print a few instances of NAME (phenomenon/paradigm, or a phenomenon): sentences and derived labels."""
    project = project_of(path, names=(name,))
    for full_name in project.named(name):
        loaded = project.paradigm(full_name, balanced)
        if as_json:
            for row in loaded.sample(count, seed, theory, allow_bounded).to_pylist():
                click.echo(json.dumps(row, ensure_ascii=False))
            continue
        if loaded.by_reading:
            _readings(loaded.drafted(count, seed, theory, allow_bounded, labels_only=True), full_name)
            continue
        labelling = loaded.labelling(count, seed, theory, allow_bounded, labels_only=True)
        realiser, draws = labelling.plan.realiser, labelling.draws
        if len(draws) < count:
            click.echo(f"{full_name} has only {len(draws)} instances that repeat no pair", err=True)
        width = max(16, *(len(name) for name in loaded.declared.conditions))
        for number in range(len(draws)):
            click.echo(f"{full_name} {number + 1}")
            labels: dict[str, list[str]] = {}
            for pair in labelling.pairs:
                derived = pair.decided[int(pair.group[number])].label
                labels.setdefault(pair.pair.premise, []).append(f"{pair.pair.hypothesis} {derived}")
            for condition in loaded.declared.conditions.values():
                sentence = realiser.sentence(condition, draws, number)
                click.echo(f"  {condition.name:<{width}} {sentence}")
                if condition.name in labels:
                    click.echo(f"  {'':<{width}}   => {', '.join(labels[condition.name])}")
            click.echo()
    return 0


def _readings(drafted: Drafted, full_name: str) -> None:
    """The items of a task about readings: their sentences, and which readings each right one fits."""
    realiser, number = drafted.plan.realiser, 0
    for chunk in drafted.chunks():
        for row, group in enumerate(chunk.groups.tolist()):
            found, number = drafted.accounts[group], number + 1
            click.echo(f"{full_name} {number}")
            for condition in drafted.plan.paradigm.conditions.values():
                click.echo(f"  {condition.name:<16} {realiser.sentence(condition, chunk.draws, row)}")
                for (left, right), ids in found.holds.items():
                    if left == condition.name:
                        click.echo(f"  {'':<16}   {right}: {', '.join(ids) or 'no reading'}")
            click.echo()
