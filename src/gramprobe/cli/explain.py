"""`gramprobe explain`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import json_option, path_option, project_of

if TYPE_CHECKING:
    from gramprobe.project import Project


@click.command()
@click.argument("name")
@click.option("--theory", metavar="NAME", help="A theory in the place of the paradigm's own.")
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw the models of an item."
)
@path_option
@json_option
def command(name: str, theory: str | None, svg: Path | None, path: tuple[Path, ...], as_json: bool) -> int:
    """Explain a paradigm (its matrix), an item by its id (trees, formulas, label, its models in words and pictures), a
    constructor, category or other name of a grammar (type, text, examples, what makes one), a theory or an operator of
    one, a constraint, a task, a gate, a word of formulas (most), or an error code (E10).
    """
    if re.fullmatch(r"[Ee]\d+", name):
        _draw("", svg)
        from gramprobe.source.codes import page

        text = page(name.upper())
        click.echo(_answer({"code": name.upper(), "page": text}, indent=None) if as_json else text)
        return 0
    from gramprobe.catalog.entries import named, words_named
    from gramprobe.catalog.pages import as_text
    from gramprobe.catalog.pages import page as page_of
    from gramprobe.resolve.modules import named_modules
    from gramprobe.source.files import of_file

    name = of_file(name)
    paradigm = "/".join(name.split("/")[:2])  # of an item
    project = project_of(path, names=(paradigm,))
    lines = project.declarations.lines
    declared = [] if "/" in name or _is_paradigm(name, project) else [*named(lines, name), *words_named(lines, name)]
    if not declared and not as_json and not _is_paradigm(name, project) and named_modules(name, lines.modules.files):
        from gramprobe.cli.catalog import listed

        click.echo(listed("modules", (name,), "", (), path, as_json))
        click.echo(f"`gramprobe list --constructors {name}` has what they declare")
        return 0
    pages = [page_of(entry, project.declarations) for entry in declared]
    if not pages and "/" not in name and not _is_paradigm(name, project):
        from gramprobe.cli.pages import page_of_name

        pages = [page for page in [page_of_name(name, project.declarations)] if page is not None]
    if pages:
        _draw("", svg)
        if as_json:
            click.echo(_answer(pages[0], ascii_only=False))
        else:
            click.echo("\n\n".join(map(as_text, pages)))
        return 0
    if "/" not in name and not _is_paradigm(name, project) and not project.library.unreadable:
        from gramprobe.catalog.entries import entries
        from gramprobe.source import messages

        known = [*project.names, *project.phenomena, *(each.name for each in entries(lines))]
        help = (
            "name a paradigm, an item, a constructor or another name of a grammar, a theory, a word, or an error code"
        )
        raise messages.names.none_called("paradigm, item or declaration", name, known, help)
    explanation = project.explain(name, theory)
    _draw(explanation.svg, svg)
    click.echo(_answer(explanation.data, ascii_only=False) if as_json else explanation.text)
    return 0


def _is_paradigm(name: str, project: Project) -> bool:
    """Whether a phenomenon or paradigm has this name."""
    return name in project.phenomena or any(full.rpartition("/")[2] == name for full in project.names)


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
