"""`gramprobe new`: files of an author's own that build as they are."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import click

from gramprobe.cli.main import path_option
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.files import search_path, shipped_folder

_NAME = r"[a-z][a-z0-9_]*"
LONGEST = 100
"""The largest number of letters of a name: a file is named by one, a dataset by two, with 255 letters at most."""
COMMENTS = 48
"""The column at which the comments of a new paradigm begin."""


@click.group()
def command() -> None:
    """Write new files that build, with comments that say what to change."""


@command.command()
@click.argument("name", metavar="PHENOMENON/NAME")
@path_option
def paradigm(name: str, path: tuple[Path, ...]) -> int:
    """Write grammars/PHENOMENON/NAME.paradigm into the last folder of the path (`.` if the path is empty)."""
    _, short = _in_phenomenon(name)
    _write(_last(path), {f"grammars/{name}.paradigm": _template("new.paradigm", short)})
    click.echo(f"next: gramprobe sample {name}; edit the file; gramprobe check {name}; gramprobe build {name}")
    return 0


@command.command()
@click.argument("name", metavar="PHENOMENON/NAME")
@path_option
def sentences(name: str, path: tuple[Path, ...]) -> int:
    """Write a study of sentences without labels, with regions and two factors: grammars/PHENOMENON/NAME.paradigm, its
    grammar grammars/PHENOMENON.gram, and three tables of words."""
    phenomenon, short = _in_phenomenon(name)
    tables = ("people", "contacts", "outings")
    study = _template("sentences/study.paradigm", short).replace("PHENOMENON", phenomenon)
    _write(
        _last(path),
        {
            **{f"lexicon/{phenomenon}_{table}.tsv": _template(f"sentences/{table}.tsv", "") for table in tables},
            f"grammars/{phenomenon}.gram": _template("sentences/grammar.gram", phenomenon),
            f"grammars/{name}.paradigm": study,
        },
    )
    click.echo(f"next: gramprobe sample {name}; edit the files; gramprobe check {phenomenon}; docs/reading_times.md")
    return 0


@command.command()
@click.argument("name", metavar="NAME")
@path_option
def grammar(name: str, path: tuple[Path, ...]) -> int:
    """Write grammars/NAME.gram, a grammar on top of the shipped English, with its words in lexicon/NAME_words.tsv."""
    _check(name, "grammar")
    _write(
        _last(path),
        {f"grammars/{name}.gram": _template("new.gram", name), f"lexicon/{name}_words.tsv": _template("new.tsv", name)},
    )
    click.echo(f"next: gramprobe list --constructors {name}; gramprobe explain Modified; `uses {name}` in a paradigm")
    return 0


@command.command()
@click.argument("name", metavar="NAME")
@path_option
def theory(name: str, path: tuple[Path, ...]) -> int:
    """Write logic/NAME.logic, a theory that includes the shipped `presupposition`."""
    _check(name, "theory", f"{_NAME}(-[a-z0-9_]+)*")
    _write(_last(path), {f"logic/{name}.logic": _template("new.logic", name)})
    click.echo(f'next: gramprobe decide --theory {name} "p / q" "p"; `theory {name}` in a paradigm')
    return 0


@command.command()
@click.argument("category", metavar="CATEGORY")
@click.argument("name", metavar="NAME")
@path_option
def lexicon(category: str, name: str, path: tuple[Path, ...]) -> int:
    """Write lexicon/NAME.tsv, with the columns of a category and its first word as an example, to be replaced; and
    grammars/NAME.gram, which adds the table to those of the category."""
    from gramprobe.catalog.entries import named
    from gramprobe.catalog.pages import grammar_around, words
    from gramprobe.cli.main import project_of
    from gramprobe.project import NO_PARADIGM

    _check(name, "table of words")
    declarations = project_of(path, names=NO_PARADIGM).declarations
    words(category, "", (), declarations)  # reports a category that does not exist, or has no words
    entry = next(entry for entry in named(declarations.lines, category) if entry.kind == "category")
    first = words(category, entry.module, (), declarations)[0]
    table = grammar_around(entry.module, declarations).categories[category].files[0]
    head = ["id", *first["forms"], *first["columns"]]
    columns = ("|".join(cell) if isinstance(cell, tuple) else str(cell) for cell in first["columns"].values())
    row = [f"{first['id']}_2", *first["forms"].values(), *(cell or "-" for cell in columns)]
    module = f"-- Words of your own, for whoever says `uses {name}`.\n\nuses {entry.module}\n\n"
    module += f"extend table {table.removesuffix('.tsv')} from {name}.tsv\n"
    rows = "\t".join(head) + "\n" + "\t".join(row) + "\n"
    _write(_last(path), {f"lexicon/{name}.tsv": rows, f"grammars/{name}.gram": module})
    click.echo(f"next: put your words into the table; gramprobe list --words {category} {name}")
    return 0


@command.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
def project(folder: Path) -> int:
    """Make a folder with a paradigm, a grammar with words, and a theory of your own, which builds as it is, and a
    README.md that says what to run next."""
    name = re.sub(r"[^a-z0-9_]", "_", folder.resolve().name.lower())
    if not re.fullmatch(_NAME, name):
        raise UsageError(f"`{folder.name}` is not a name for a project", "begin it with a letter")
    lines = _template("new.paradigm", "first").split("\n")
    uses, theory = (next(i for i, line in enumerate(lines) if line.startswith(word)) for word in ("uses", "theory"))
    lines[uses] = f"uses   english, {name}".ljust(COMMENTS) + f"-- the shipped grammar, and yours: grammars/{name}.gram"
    lines[theory] = f"theory {name}".ljust(COMMENTS) + f"-- by which labels are derived: logic/{name}.logic"
    _write(
        folder,
        {
            "README.md": _template("new.md", name),
            f"grammars/{name}/first.paradigm": "\n".join(lines),
            f"grammars/{name}.gram": _template("new.gram", name),
            f"lexicon/{name}_words.tsv": _template("new.tsv", name),
            f"logic/{name}.logic": _template("new.logic", name),
        },
    )
    click.echo(f"next: cd {folder}; read README.md; gramprobe sample {name}/first; gramprobe check {name}")
    return 0


def _last(path: tuple[Path, ...]) -> Path:
    folders = search_path(path)
    return folders[-1] if folders else Path()


def _in_phenomenon(name: str) -> tuple[str, str]:
    """A phenomenon and a paradigm in it. Raises UsageError for another name."""
    if not re.fullmatch(f"{_NAME}/{_NAME}", name):
        raise UsageError(
            f"`{name}` is not a name for a paradigm",
            "write PHENOMENON/NAME in lower-case letters, digits and `_`, each beginning with a letter",
        )
    phenomenon, _, short = name.partition("/")
    _check_length(phenomenon)
    _check_length(short)
    return phenomenon, short


def _check(name: str, what: str, form: str = _NAME) -> None:
    if not re.fullmatch(form, name):
        help = "write it in lower-case letters, digits and `_`, beginning with a letter"
        raise UsageError(f"`{name}` is not a name for a {what}", help)
    _check_length(name)


def _check_length(name: str) -> None:
    if len(name) > LONGEST:
        raise UsageError(f"the name `{name[:20]}...` has {len(name)} letters", f"give one of at most {LONGEST}")


def _template(file: str, name: str) -> str:
    return (
        resources.files("gramprobe.cli")
        .joinpath("templates", *file.split("/"))
        .read_text("utf-8")
        .replace("NAME", name)
    )


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write all files, or none. Raises UsageError where one is there already."""
    for name in texts:
        ours = name.startswith(("grammars/", "lexicon/", "logic/"))
        if ours and ((shipped_folder() / name).exists() or (shipped_folder() / name.removesuffix(".gram")).is_dir()):
            what = f"{name} is the name of a shipped file, which yours would replace"
            raise UsageError(what, "choose another name", "E44")
        if (folder / name).exists():
            raise UsageError(f"{folder / name} exists already", "choose another name, or edit that file", "E44")
    written: list[Path] = []
    try:
        for name, text in texts.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            written.append(file)
            file.write_text(text, "utf-8")
    except OSError:
        for file in written:
            file.unlink(missing_ok=True)
        raise
    for file in written:
        click.echo(f"wrote {file}")
