"""`gramprobe export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gramprobe.cli.main import modules_of, path_option, project_of

if TYPE_CHECKING:
    from gramprobe.resolve.grammar.data import Grammar


@click.command()
@click.argument("form", type=click.Choice(["grammar", "nltk"]))
@click.argument("grammar")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write it into a file.")
@path_option
def command(form: str, grammar: str, out: Path | None, path: tuple[Path, ...]) -> int:
    """Print a grammar for other programs: productions and words with every value written out.

    `grammar` is JSON (`gramprobe schema grammar`), `nltk` a feature grammar of NLTK. GRAMMAR is a module or several
    (english.clauses,scope), or a paradigm, whose grammar has what its sentences need.
    """
    from gramprobe.compiled.data import written
    from gramprobe.compiled.fcfg import fcfg
    from gramprobe.compiled.from_resolve import compiled

    made = compiled(_grammar(grammar, path))
    text = written(made) if form == "grammar" else fcfg(made).encode()
    if out is None:
        click.echo(text, nl=False)
        return 0
    out.write_bytes(text)
    click.echo(f"{out}: {len(made.productions):,} productions, {len(made.words):,} forms of words")
    return 0


def _grammar(name: str, path: tuple[Path, ...]) -> Grammar:
    """The grammar of some modules, or that of a paradigm. Raises UsageError, AuthoringError."""
    from gramprobe.catalog.pages import checked
    from gramprobe.resolve.modules import named_modules
    from gramprobe.source import messages

    project = project_of(path, names=(name,))
    files, modules = project.declarations.lines.modules.files, modules_of(name)
    if all(named_modules(each, files) for each in modules):
        return checked(project.declarations, *modules)
    own = [full.rpartition("/")[2] for full in project.names]
    known = [*files, *dict.fromkeys(file.partition(".")[0] for file in files), *project.names, *own]
    if len(modules) > 1 or name not in known:
        wrong = next(each for each in modules if not named_modules(each, files))
        what = "grammar" if len(modules) > 1 else "grammar or paradigm"
        help = "`gramprobe list --modules` and `gramprobe list` have all"
        raise messages.names.none_called(what, wrong, known, help)
    return project.paradigm(name).grammar
