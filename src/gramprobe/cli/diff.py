"""`gramprobe diff`."""

from __future__ import annotations

from pathlib import Path

import click

from gramprobe.cli.main import json_option

SHOWN = 20


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option(
    "--map",
    "map_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A table of ids of words that were changed (old, tab, new, below a header); compares all columns.",
)
@click.option("--by-condition", is_flag=True, help="Count by paradigm and condition instead of listing rows.")
@json_option
def command(before: Path, after: Path, map_file: Path | None, by_condition: bool, as_json: bool) -> int:
    """Compare two dataset folders by item id, of one release or two. Exit code 1 when they differ."""
    from gramprobe.dataset.diff import by_condition as counted
    from gramprobe.dataset.diff import compare, read_map

    differences = compare(before, after, None if map_file is None else read_map(map_file))
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.datasets import Compared

        click.echo(answer(Compared, differences))
        return 1 if differences.any else 0
    counts = (
        f"{len(differences.gone):,} rows gone, {len(differences.new):,} new, {len(differences.moved):,} labels moved"
    )
    counts += f", {len(differences.reworded):,} sentences changed"
    click.echo(counts if map_file is None else f"{counts}, {len(differences.others):,} other cells changed")
    if by_condition:
        for (paradigm, condition), kinds in counted(differences).items():
            click.echo(f"  {paradigm} {condition}: {', '.join(f'{kind} {n:,}' for kind, n in kinds.items())}")
        return 1 if differences.any else 0
    for title, changes in (
        ("labels moved", differences.moved),
        ("sentences changed", differences.reworded),
        ("other cells changed", differences.others),
    ):
        if changes:
            click.echo(f"{title}:")
        for change in changes[:SHOWN]:
            click.echo(f"  {change.id}: {change.column}: {change.before} -> {change.after}")
        if len(changes) > SHOWN:
            click.echo(f"  ... and {len(changes) - SHOWN:,} more (--json has all)")
    return 1 if differences.any else 0
