"""`gramprobe new paradigm`."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import click

from gramprobe.cli.main import path_option
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.files import search_path


@click.group()
def command() -> None:
    """Write a new file that builds, with comments that say what to change."""


@command.command()
@click.argument("name", metavar="PHENOMENON/NAME")
@path_option
def paradigm(name: str, path: tuple[Path, ...]) -> int:
    """Write grammars/PHENOMENON/NAME.paradigm into the last folder of the path (`.` if the path is empty)."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*/[a-z][a-z0-9_]*", name):
        raise UsageError(
            f"`{name}` is not a name for a paradigm",
            "write PHENOMENON/NAME in lower-case letters, digits and `_`",
        )
    phenomenon, short = name.split("/")
    folders = search_path(path)
    folder = folders[-1] if folders else Path()
    file = folder / "grammars" / phenomenon / f"{short}.paradigm"
    if file.exists():
        raise UsageError(f"{file} exists already", "choose another name, or edit that file", "E44")
    text = resources.files("gramprobe.cli").joinpath("new.paradigm").read_text("utf-8")
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        file.write_text(text.replace("NAME", short), "utf-8")
    except OSError:
        file.unlink(missing_ok=True)
        raise
    click.echo(f"wrote {file}")
    click.echo(f"next: gramprobe sample {name}; edit the file; gramprobe check {name}; gramprobe build {name}")
    return 0
