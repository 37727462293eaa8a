"""`gramprobe sample`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import allow_bounded_option, design_option, json_option, path_option, project_of
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.paradigm import LoadedParadigm

INSTANCES = 5
"""How many instances are printed where nobody says it."""


def one_row(paradigm: LoadedParadigm, key: Sequence[str], row: Mapping[str, Any]) -> str:
    """A row of a paradigm as it is printed: its condition (and label, or level), its sentences, what is derived."""
    from gramprobe.items.tasks import task_of

    task = task_of(paradigm.declared)
    answers = () if "label_name" in row else task.answers  # else the label stands above
    shown = {name: row[name] for name in (*task.sentences, *answers) if row[name]}
    width = max(map(len, shown))
    lines = [f"  {name:{width}}  {text}" for name, text in shown.items()]
    return "\n".join([f"{paradigm.declared.full_name} {' '.join(key)}", *lines, ""])


@click.command()
@click.argument("name")
@click.option("--n", "count", type=click.IntRange(min=1), help=f"Instances. Default: {INSTANCES}.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Which instances are drawn.")
@click.option("--theory", metavar="NAME", help="A theory in the place of the paradigm's own.")
@click.option("--each-condition", is_flag=True, help="One row of each condition, in the place of instances.")
@design_option
@allow_bounded_option
@path_option
@json_option
def command(
    name: str,
    count: int | None,
    seed: int,
    theory: str | None,
    each_condition: bool,
    design: str,
    allow_bounded: bool,
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Print a few instances of NAME (phenomenon/paradigm, or a phenomenon): sentences and derived labels.

    With --each-condition one row of each condition; and where labels vary, or values of a draw are the levels of a
    factor, one of each label and level.
    """
    if each_condition and count is not None:
        raise UsageError(
            "--each-condition prints one row of each condition, whatever --n says", "leave one of them out"
        )
    count = count or INSTANCES
    project = project_of(path, names=(name,))
    for full_name in project.named(name):
        loaded = project.paradigm(full_name, design)
        if each_condition:
            for key, row in loaded.one_of_each(seed, theory, allow_bounded).items():
                click.echo(json.dumps(row, ensure_ascii=False) if as_json else one_row(loaded, key, row))
            continue
        if as_json:
            for row in loaded.sample(count, seed, theory, allow_bounded).to_pylist():
                click.echo(json.dumps(row, ensure_ascii=False))
            continue
        sample = loaded.instances(count, seed, theory, allow_bounded)
        if len(sample.instances) < count:
            also = " and keep its limits" if loaded.declared.limits else ""
            told = f"{full_name} has only {len(sample.instances)} instances that repeat no sentences{also}"
            click.echo(told, err=True)
        if sample.instances:
            click.echo(sample)
    return 0
