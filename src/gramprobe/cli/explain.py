"""`gramprobe explain`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from gramprobe.cli.main import json_option, path_option, project_of


@click.command()
@click.argument("name")
@click.option("--theory", metavar="NAME", help="A theory in the place of the paradigm's own.")
@path_option
@json_option
def command(name: str, theory: str | None, path: tuple[Path, ...], as_json: bool) -> int:
    """Explain a paradigm (its matrix), an item by its id (trees, formulas, label, models), or an error code (E10)."""
    if re.fullmatch(r"[Ee]\d+", name):
        from gramprobe.source.codes import page

        text = page(name.upper())
        click.echo(json.dumps({"version": 1, "code": name.upper(), "page": text}) if as_json else text)
        return 0
    found = project_of(path).explain(name, theory)
    click.echo(json.dumps({"version": 1, **found.data}, indent=2, ensure_ascii=False) if as_json else found.text)
    return 0
