"""`gramprobe where`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gramprobe.cli.main import json_option, path_option

if TYPE_CHECKING:
    from gramprobe.registry import Entry


@click.command()
@path_option
@json_option
def command(path: tuple[Path, ...], as_json: bool) -> int:
    """Print the folders that files are looked for in, the shipped ones first, then yours; that of the caches; and the
    tasks, modes, engines and the like that installed packages add."""
    from gramprobe.cache import cache_folder
    from gramprobe.registry import entries
    from gramprobe.source.files import search_path, shipped_folder

    added = [replace(entry, passed_over=_why_not(entry)) for entry in entries()]
    own = [str(folder.resolve()) for folder in search_path(path)]
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.projects import Folders

        data = {"shipped": str(shipped_folder()), "own": own, "cache": str(cache_folder()), "added": added}
        click.echo(answer(Folders, data, ascii_only=False))
        return 0
    click.echo(f"shipped  {shipped_folder()}  (grammars/, languages/, lexicon/, logic/)")
    for folder in own:
        click.echo(f"yours    {folder}")
    click.echo(f"caches   {cache_folder()}")
    for entry in added:
        thing = f"{entry.thing}, of the package {entry.origin}"
        click.echo(f"unused   {thing}: {entry.passed_over}" if entry.passed_over else f"added    {thing}")
    return 0


def _why_not(entry: Entry) -> str:
    """Why an entry of a package cannot be used, as a clause; empty if it can."""
    from gramprobe.analysis.studies import STUDIES
    from gramprobe.baselines.options import OPTION_RULES
    from gramprobe.baselines.rules import RULES
    from gramprobe.cli.main import COMMANDS
    from gramprobe.dataset.gates import OF_SENTENCES
    from gramprobe.formats import FORMATS
    from gramprobe.items.tasks import TASKS
    from gramprobe.score.engines.open import MODEL_KINDS
    from gramprobe.score.engines.reader import READERS
    from gramprobe.score.modes import MODES

    registries = OF_SENTENCES, FORMATS, MODEL_KINDS, MODES, OPTION_RULES, READERS, RULES, STUDIES, TASKS
    return next((each for each in registries if each.kind == entry.kind), COMMANDS).why_not(entry)
