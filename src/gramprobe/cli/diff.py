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

    found = compare(before, after)
    if as_json:
        from gramprobe.cli.answers import Compared, answer

        data = {
            "gone": found.gone,
            "new": found.new,
            "moved": [asdict(change) for change in found.moved],
            "reworded": [asdict(change) for change in found.reworded],
        }
        click.echo(answer(Compared, data))
        return 1 if found.any else 0
    counts = f"{len(found.gone):,} rows gone, {len(found.new):,} new, {len(found.moved):,} labels moved"
    click.echo(f"{counts}, {len(found.reworded):,} sentences changed")
    for title, changes in (("labels moved", found.moved), ("sentences changed", found.reworded)):
        if changes:
            click.echo(f"{title}:")
        for change in changes[:SHOWN]:
            click.echo(f"  {change.id}: {change.column}: {change.before} -> {change.after}")
        if len(changes) > SHOWN:
            click.echo(f"  ... and {len(changes) - SHOWN:,} more (--json has all)")
    return 1 if found.any else 0
