"""`gramprobe diff`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from gramprobe.cli.main import json_option

SHOWN = 20


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@json_option
def command(before: Path, after: Path, as_json: bool) -> int:
    """Compare two dataset folders by item id. Exit code 1 when they differ."""
    from gramprobe.dataset.diff import compare

    differences = compare(before, after)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.datasets import Compared

        data = {
            "gone": differences.gone,
            "new": differences.new,
            "moved": [asdict(change) for change in differences.moved],
            "reworded": [asdict(change) for change in differences.reworded],
        }
        click.echo(answer(Compared, data))
        return 1 if differences.any else 0
    counts = (
        f"{len(differences.gone):,} rows gone, {len(differences.new):,} new, {len(differences.moved):,} labels moved"
    )
    click.echo(f"{counts}, {len(differences.reworded):,} sentences changed")
    for title, changes in (("labels moved", differences.moved), ("sentences changed", differences.reworded)):
        if changes:
            click.echo(f"{title}:")
        for change in changes[:SHOWN]:
            click.echo(f"  {change.id}: {change.column}: {change.before} -> {change.after}")
        if len(changes) > SHOWN:
            click.echo(f"  ... and {len(changes) - SHOWN:,} more (--json has all)")
    return 1 if differences.any else 0
