"""`gramprobe explain`."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
@click.option(
    "--as", "kind", metavar="KIND", help="Of several things with the name, which: word, theory, paradigm, ..."
)
@path_option
@json_option
def command(
    name: str, theory: str | None, svg: Path | None, kind: str | None, path: tuple[Path, ...], as_json: bool
) -> int:
    """Explain a paradigm (its matrix), an item by its id (trees, formulas, label, its models in words and pictures), a
    constructor, category or other name of a grammar (type, text, examples, what makes one), a theory or an operator of
    one, a constraint, a task, a gate, a word of formulas (most), or an error code (E10).
    """
    if kind is None and re.fullmatch(r"[Ee]\d+", name):
        _check_options(theory, svg)
        from gramprobe.source.codes import page

        text = page(name.upper())
        click.echo(_answer({"code": name.upper(), "page": text}, indent=None) if as_json else text)
        return 0
    from gramprobe.catalog.entries import named, words_named
    from gramprobe.catalog.pages import as_text
    from gramprobe.catalog.pages import page as page_of
    from gramprobe.cli.pages import pages_of_name
    from gramprobe.resolve.modules import named_modules
    from gramprobe.source import messages
    from gramprobe.source.diagnostic import UsageError
    from gramprobe.source.files import of_file

    name = of_file(name)
    project = project_of(path, names=("/".join(name.split("/")[:2]),))
    declarations, lines, single = project.declarations, project.declarations.lines, "/" not in name
    declared = [*named(lines, name), *words_named(lines, name)] if single else []
    others = pages_of_name(name, declarations) if single else []
    is_paradigm = not single or any(each.rpartition("/")[2] == name for each in project.names)
    kinds = (
        *(["paradigm"] if is_paradigm else []),
        *(entry.kind for entry in declared),
        *(["module"] if single and named_modules(name, lines.modules.files) else []),
        *(page["kind"] for page in others),
        *(["phenomenon"] if name in project.phenomena else []),
    )
    found = list(dict.fromkeys(kinds))
    if not found and not project.library.unreadable:
        from gramprobe.catalog.entries import entries

        known = [*project.names, *project.phenomena, *(each.name for each in entries(lines))]
        help = (
            "name a paradigm, an item, a constructor or another name of a grammar, a theory, a word, or an error code"
        )
        raise messages.names.none_called("paradigm, item or declaration", name, known, help)
    if found and kind is not None and kind not in found:
        raise UsageError(f"`{name}` is no {kind}", f"it is {_a(found)}")
    first = kind if kind in found else next((n for n in found if not (as_json and n == "module")), "paradigm")
    together = kind is None and not as_json and bool(declared) and first == declared[0].kind
    shown = {first, *(entry.kind for entry in declared if together)}
    if first in ("paradigm", "phenomenon"):
        explanation = project.explain(name, theory)
        _draw(explanation.svg, svg)
        click.echo(_answer(explanation.data, ascii_only=False) if as_json else explanation.text)
    else:
        _check_options(theory, svg)
        if first == "module":
            from gramprobe.cli.catalog import listed

            click.echo(listed("modules", (name,), "", (), path, as_json))
            click.echo(f"`gramprobe list --constructors {name}` has what they declare", err=as_json)
        else:
            pages = [page_of(entry, declarations) for entry in declared if entry.kind in shown]
            pages += [page for page in others if page["kind"] in shown]
            click.echo(_answer(pages[0], ascii_only=False) if as_json else "\n\n".join(map(as_text, pages)))
    if kind is None and len(found) > 1:
        said = f"`{name}` is {_a(found)}: `gramprobe explain {name} --as {found[-1]}` explains the last of them"
        click.echo(said, err=as_json)
    return 0


def _a(kinds: Iterable[str]) -> str:
    """Kinds of things in words: a table, a word and a theory."""
    *others, last = (f"a{'n' * (kind[0] in 'aeiou')} {kind}" for kind in kinds)
    return f"{', '.join(others)} and {last}" if others else last


def _answer(data: dict[str, Any], *, ascii_only: bool = True, indent: int | None = 2) -> str:
    from gramprobe.cli.answers.answer import answer
    from gramprobe.cli.answers.decisions import explained

    return answer(explained(data), data, ascii_only=ascii_only, indent=indent)


def _check_options(theory: str | None, file: Path | None) -> None:
    """Raise UsageError for an option about labels where something without labels is explained."""
    if theory is not None:
        from gramprobe.source.diagnostic import UsageError

        raise UsageError("only a paradigm and its items have labels by a theory", "leave --theory out")
    _draw("", file)


def _draw(picture: str, file: Path | None) -> None:
    """Write the picture into the file of `--svg`. Raises UsageError if there is no picture."""
    if file is None:
        return
    if not picture:
        from gramprobe.source.diagnostic import UsageError

        raise UsageError("only an item has models to draw", "name one: PHENOMENON/PARADIGM/INSTANCE/CONDITION")
    from gramprobe.folders import check_replaced

    check_replaced(file, begins=b"<svg")
    file.write_text(picture, encoding="utf-8")
