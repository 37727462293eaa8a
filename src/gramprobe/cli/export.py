"""`gramprobe export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gramprobe.cli.main import modules_of, path_option, project_of
from gramprobe.cli.status import progress
from gramprobe.cli.verify import phenomenon_of

if TYPE_CHECKING:
    from gramprobe.resolve.grammar.data import Grammar
    from gramprobe.resolve.project import Declarations


GRAMMARS = ("grammar", "nltk")


@click.command()
@click.argument("form", metavar="FORMAT")
@click.argument("source", metavar="DATASET | GRAMMAR")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR | FILE",
    help="The folder of a dataset's files (default: exports/DATASET-FORMAT), or the file of a grammar (else printed).",
)  # fmt: skip
@click.option("--unchecked", is_flag=True, help="Write a dataset without checking it first.")
@path_option
def command(form: str, source: str, out: Path | None, unchecked: bool, path: tuple[Path, ...]) -> int:
    """Write a dataset as other programs read it, or a grammar.

    DATASET is a folder that `build` wrote. Its FORMAT is csv, another one of docs/exports.md, or one of an installed
    package; the command lists what the format cannot hold. Since certificates stay in the dataset, it is checked before
    as by `gramprobe verify`, and refused if something is wrong with it.

    GRAMMAR is one module or several (english.clauses,scope), or a paradigm: then the grammar has what its sentences
    need. Its FORMAT is `grammar`, JSON with every value written out (`gramprobe schema grammar`), or `nltk`, a feature
    grammar of NLTK.
    """
    return _of_grammar(form, source, out, path) if form in GRAMMARS else _of_dataset(form, source, out, path, unchecked)


def _of_dataset(form: str, source: str, out: Path | None, path: tuple[Path, ...], unchecked: bool) -> int:
    from gramprobe.dataset.export import export

    def declarations() -> Declarations:
        return project_of(path, names=phenomenon_of(Path(source))).declarations

    with progress():
        made = export(form, Path(source), out, None if unchecked else declarations)
    paradigms = f"{len(made.paradigms)} paradigms" if len(made.paradigms) > 1 else made.paradigms[0]
    click.echo(f"{made.folder}: from {made.rows:,} rows of {paradigms}; read {made.folder / 'README.md'}")
    for note in made.notes:
        click.echo(f"  {note}")
    return 0


def _of_grammar(form: str, grammar: str, out: Path | None, path: tuple[Path, ...]) -> int:
    from gramprobe.compiled.data import written
    from gramprobe.compiled.fcfg import fcfg
    from gramprobe.compiled.from_resolve import compiled
    from gramprobe.folders import check_replaced, put_whole
    from gramprobe.source.diagnostic import UsageError

    made = compiled(_grammar(grammar, path))
    text = written(made) if form == "grammar" else fcfg(made).encode()
    if out is None:
        click.echo(text, nl=False)
        return 0
    if out.is_dir():
        raise UsageError(f"`{out}` is a folder", "a grammar is written into a file: --out FILE")
    check_replaced(out, begins=text[:1])
    put_whole(out, lambda place: place.write_bytes(text))
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
