"""`gramprobe check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import allow_bounded_option, json_option, own_project_of, path_option, project_of
from gramprobe.cli.status import progress

if TYPE_CHECKING:
    from gramprobe.project import Project
    from gramprobe.source.diagnostic import Diagnostic

MOST_CELLS = 12
"""Of more cells that have equally many rows only the number is printed."""


def _counts(report: dict[str, Any]) -> Iterator[str]:
    """The rows of conditions that have fewer than others, and those of the cells of a design."""
    for what in ("rows", "cells"):
        counted: dict[str, int] = report.get(what, {})
        if len(counted) > MOST_CELLS and len(set(counted.values())) == 1:
            yield f"  {what}: {len(counted)}, of {next(iter(counted.values())):,} rows each"
        elif counted:
            yield f"  {what}: " + ", ".join(f"{name} {number:,}" for name, number in counted.items())
    solved: dict[str, float] = report.get("solvable", {})
    if solved:
        yield "  solvable by design: " + ", ".join(f"{reader} {share:.3f}" for reader, share in solved.items())


def _of_unused_grammars(project: Project, paradigms: Sequence[str]) -> Iterator[Diagnostic]:
    """The errors of an author's grammars that none of these paradigms uses, which nobody else asks for."""
    from gramprobe.catalog.pages import checked
    from gramprobe.source.diagnostic import AuthoringError

    used = {path for name in paradigms for path in project.declarations.files_of(name)}
    for source in project.library.sources.values():
        if source.is_shipped or source.path in used or not source.name.endswith(".gram"):
            continue
        try:
            checked(project.declarations, source.name.removeprefix("grammars/").removesuffix(".gram").replace("/", "."))
        except AuthoringError as error:
            yield from error.diagnostics


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--show", "showing", is_flag=True, help="Print a row of each condition, too.")
@allow_bounded_option
@path_option
@json_option
def command(names: tuple[str, ...], showing: bool, allow_bounded: bool, path: tuple[Path, ...], as_json: bool) -> int:
    """Find every error of every file in one run, and derive the labels of each paradigm's first instances.

    NAME is a phenomenon or phenomenon/paradigm, or `all`. Without NAME, in a folder of your own, the paradigms are
    checked that depend on a file in it. Errors of the files come first, then each paradigm with those of its labels.
    With --show a row of each condition stands below those that have none, as `sample --each-condition` prints it.
    Writes nothing.
    """
    from gramprobe.check.check import check
    from gramprobe.items.tasks import TASKS
    from gramprobe.source.diagnostic import Findings
    from gramprobe.source.render import as_json as as_data
    from gramprobe.source.render import render

    project = project_of(path, names=names) if names else None
    if project is None:
        project, paradigms = own_project_of(path)
    else:
        paradigms = project.paradigms_of(names)
    errors = {name: project.errors_for(name) for name in paradigms}
    findings = Findings()
    reports: list[dict[str, Any]] = []
    with progress(not as_json) as shown:

        def show(found: Iterable[Diagnostic]) -> None:
            before = len(findings.items)
            findings.extend(found)
            if not as_json and (new := findings.items[before:]):
                shown.clear()
                click.echo(render(new, project.library), err=True)

        # what reading alone shows comes first: labels may take long
        warned = (each for name in paradigms for each in project.warnings_for(name))
        show([*(warned if names else project.findings.items), *(each for name in paradigms for each in errors[name])])
        if not names:
            show(_of_unused_grammars(project, paradigms))
        right = [name for name in paradigms if not errors[name]]
        show(project.clashes(right))
        for name, outcome in check(project, right, allow_bounded):
            if outcome.report is not None:
                reports.append(outcome.report)
                for line in () if as_json else TASKS[outcome.report["task"]].summary(outcome.report):
                    shown.line(line)
                for line in () if as_json else _counts(outcome.report):
                    shown.line(line)
            show(outcome.diagnostics)
            if showing and not as_json and not any(each.is_error for each in outcome.diagnostics):
                from gramprobe.cli.sample import one_row

                loaded = project.paradigm(name)
                for key, row in loaded.one_of_each(0, None, allow_bounded).items():
                    shown.line(one_row(loaded, key, row))
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.projects import Checked

        click.echo(answer(Checked, {"paradigms": reports, "diagnostics": as_data(findings.items)}))
    elif findings.items:
        count = len([d for d in findings.items if d.is_error])
        warnings = len(findings.items) - count
        counted = [f"{n} {what}{'s' if n != 1 else ''}" for n, what in ((count, "error"), (warnings, "warning")) if n]
        click.echo(", ".join(counted) + ("" if count else ", no errors"), err=True)
    elif not paradigms:
        click.echo("no paradigm uses your files: `gramprobe new paradigm PHENOMENON/NAME` writes one")
    else:
        click.echo(f"{len(reports)} paradigm{'s' if len(reports) != 1 else ''}: no errors")
    return 1 if findings.failed else 0
