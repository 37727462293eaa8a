"""`gramprobe say`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gramprobe.cli.main import json_option, modules_of, path_option, project_of


@click.command()
@click.argument("term")
@click.option("--uses", default="english", show_default=True, metavar="NAME[,NAME]", help="The grammar of the term.")
@click.option("--theory", default="classical", show_default=True, metavar="NAME", help="How its formulas are read.")
@path_option
@json_option
def command(term: str, uses: str, theory: str, path: tuple[Path, ...], as_json: bool) -> int:
    """Print the sentence and the readings of a term, such as 'Neg(Clause(past, Name(amy), Intransitive(sleep)))'.

    A term is written as in a paradigm, with words by their ids. A part of a sentence is said in every form that it has.
    A sentence that no paradigm draws, since a `where` line of the grammar does not hold in it, is said with that line.
    Of one that breaks a constraint ('... breaking agree sv'), or has a word like *any* that something must license, it
    is printed what the chart of the sentence says.
    """
    from gramprobe.catalog.readings import said
    from gramprobe.items.pages.pairs import judged
    from gramprobe.project import NO_PARADIGM

    project = project_of(path, names=NO_PARADIGM)
    data: dict[str, Any] = said(
        term, modules_of(uses), theory, project.declarations,
        lambda sentence: judged(sentence, modules_of(uses), project.declarations),
    )  # fmt: skip
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.projects import Said

        click.echo(answer(Said, data, ascii_only=False))
        return 0
    for each in data["forms"]:
        click.echo(f"{each['words']}{'   ' + each['of'] if each['of'] else ''}")
    for line in data.get("judged", ()):
        click.echo(f"  {line}")
    if data["without_meaning"]:
        names = ", ".join(f"`{name}`" for name in data["without_meaning"])
        click.echo(f"  no meaning: the grammar gives {names} none, so that there is no reading, label or formula")
    for condition in data["undrawn"]:
        click.echo(f"  no paradigm draws it: {condition} does not hold")
    width = max((len(each["id"]) for each in data["readings"]), default=0)
    for each in data["readings"]:
        click.echo(f"  {each['id']:<{width}}  {each['formula']}" if width else f"  {each['formula']}")
    return 0
