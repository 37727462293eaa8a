"""`gramprobe explain`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from gramprobe.cli.main import json_option, path_option, project_of


@click.command()
@click.argument("name")
@click.option("--theory", metavar="NAME", help="A theory in the place of the paradigm's own.")
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw the models of an item."
)
@path_option
@json_option
def command(name: str, theory: str | None, svg: Path | None, path: tuple[Path, ...], as_json: bool) -> int:
    """Explain a paradigm (its matrix), an item by its id (trees, formulas, label, its models in words and pictures), or
    an error code (E10).
    """
    if re.fullmatch(r"[Ee]\d+", name):
        _draw("", svg)
        from gramprobe.source.codes import page

        text = page(name.upper())
        click.echo(_answer({"code": name.upper(), "page": text}, indent=None) if as_json else text)
        return 0
    paradigm = "/".join(name.split("/")[:2])  # of an item
    explanation = project_of(path, names=(paradigm,)).explain(name, theory)
    _draw(explanation.svg, svg)
    click.echo(_answer(explanation.data, ascii_only=False) if as_json else explanation.text)
    return 0


def _answer(data: dict[str, Any], *, ascii_only: bool = True, indent: int | None = 2) -> str:
    from gramprobe.cli.answers.answer import answer
    from gramprobe.cli.answers.decisions import explained

    return answer(explained(data), data, ascii_only=ascii_only, indent=indent)


def _draw(picture: str, file: Path | None) -> None:
    """Write the picture into the file of `--svg`. Raises UsageError if there is no picture."""
    if file is None:
        return
    if not picture:
        from gramprobe.source.diagnostic import UsageError

        raise UsageError("only an item has models to draw", "name one: PHENOMENON/PARADIGM/INSTANCE/CONDITION")
    file.write_text(picture, encoding="utf-8")
