"""`gramprobe diff`."""

from __future__ import annotations

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
        keys = ("id", "before", "after")
        from gramprobe.cli.answers import Compared, answer

        data = {
            "gone": found.gone,
            "new": found.new,
            "moved": [dict(zip(keys, m, strict=True)) for m in found.moved],
            "reworded": [dict(zip(keys, m, strict=True)) for m in found.reworded],
        }
        click.echo(answer(Compared, data))
        return 1 if found.any else 0
    counts = f"{len(found.gone):,} rows gone, {len(found.new):,} new, {len(found.moved):,} labels moved"
    click.echo(f"{counts}, {len(found.reworded):,} sentences changed")
    for title, rows in (("labels moved", found.moved), ("sentences changed", found.reworded)):
        if rows:
            click.echo(f"{title}:")
        for id_, old, new in rows[:SHOWN]:
            click.echo(f"  {id_}: {old} -> {new}")
        if len(rows) > SHOWN:
            click.echo(f"  ... and {len(rows) - SHOWN:,} more (--json has all)")
    return 1 if found.any else 0
