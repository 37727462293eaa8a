"""`gramprobe check`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gramprobe.cli.main import allow_bounded_option, json_option, path_option, project_of
from gramprobe.cli.status import progress


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@allow_bounded_option
@path_option
@json_option
def command(names: tuple[str, ...], allow_bounded: bool, path: tuple[Path, ...], as_json: bool) -> int:
    """Find every error of every file in one run, and derive the labels of each paradigm's first instances.

    NAME is a phenomenon or phenomenon/paradigm; without NAME everything is checked. Writes nothing.
    """
    from gramprobe.check.check import check
    from gramprobe.items.tasks import TASKS
    from gramprobe.source.diagnostic import Findings
    from gramprobe.source.render import as_json as as_data
    from gramprobe.source.render import render

    project = project_of(path, names=names)
    paradigms = project.paradigms_of(names or ("all",))
    findings = Findings()
    if not names:
        findings.extend(project.findings.items)
    reports: list[dict[str, Any]] = []
    errors = {name: project.errors_for(name) for name in paradigms}
    with progress(not as_json):
        outcomes = check(project, [name for name in paradigms if not errors[name]], allow_bounded)
    for name in paradigms:
        findings.extend(errors[name])
        if name in outcomes:
            findings.extend(outcomes[name].diagnostics)
            if (report := outcomes[name].report) is not None:
                reports.append(report)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.projects import Checked

        click.echo(answer(Checked, {"paradigms": reports, "diagnostics": as_data(findings.items)}))
        return 1 if findings.failed else 0
    for entry in reports:
        for line in TASKS[entry["task"]].summary(entry):
            click.echo(line)
    if findings.items:
        click.echo(render(findings.items, project.library), err=True)
        count = len([d for d in findings.items if d.is_error])
        click.echo(f"{count} error{'s' if count != 1 else ''}", err=True)
    else:
        click.echo(f"{len(reports)} paradigm{'s' if len(reports) != 1 else ''}: no errors")
    return 1 if findings.failed else 0
