"""`gramprobe where`."""

from __future__ import annotations

from pathlib import Path

import click

from gramprobe.cli.main import json_option, path_option


@click.command()
@path_option
@json_option
def command(path: tuple[Path, ...], as_json: bool) -> int:
    """Print the folders that files are looked for in, the shipped ones first, then yours; that of the caches; and the
    tasks, modes, engines and the like that installed packages add."""
    from gramprobe.cache import cache_folder
    from gramprobe.registry import entries
    from gramprobe.source.files import search_path, shipped_folder

    own = [str(folder.resolve()) for folder in search_path(path)]
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.projects import Folders

        data = {"shipped": str(shipped_folder()), "own": own, "cache": str(cache_folder()), "added": entries()}
        click.echo(answer(Folders, data, ascii_only=False))
        return 0
    click.echo(f"shipped  {shipped_folder()}  (grammars/, lexicon/, logic/)")
    for folder in own:
        click.echo(f"yours    {folder}")
    click.echo(f"caches   {cache_folder()}")
    for entry in entries():
        click.echo(f"added    {entry.kind.replace('_', ' ')} `{entry.name}`, of the package {entry.origin}")
    return 0
