"""`gramprobe check`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from gramprobe.cli.main import allow_bounded_option, json_option, path_option, project_of


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@allow_bounded_option
@path_option
@json_option
def command(names: tuple[str, ...], allow_bounded: bool, path: tuple[Path, ...], as_json: bool) -> int:
    """Find every error of every file in one run, and derive the labels of each paradigm's first instances.

    NAME is a phenomenon, phenomenon/paradigm, or nothing for everything. Writes nothing.
    """
    from gramprobe.dataset.outline import outline
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.decider import Decider
    from gramprobe.items.tasks import TASKS
    from gramprobe.source.diagnostic import Findings
    from gramprobe.source.render import as_json as as_data
    from gramprobe.source.render import render

    project = project_of(path)
    wanted = project.paradigms_of(names or ("all",))
    findings = Findings()
    if not names:
        findings.extend(project.findings.items)
    reports: list[dict[str, Any]] = []
    with kept_verdicts() as kept:
        decider = Decider(kept=kept)
        for name in wanted:
            errors = project.errors_for(name)
            findings.extend(errors)
            if errors:
                continue
            declared = project.declarations.paradigms[name]
            report, here = outline(declared, project.declarations, decider, allow_bounded)
            findings.extend(here.items)
            if report is not None:
                reports.append(report)
            # a companion has every mistake of its paradigm, which need not be reported twice
            if declared.companion is not None and report is not None and not here.failed:
                report["companion"], here = outline(declared.companion, project.declarations, decider, allow_bounded)
                findings.extend(here.items)
    if as_json:
        click.echo(json.dumps({"version": 1, "paradigms": reports, "diagnostics": as_data(findings.items)}, indent=2))
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
