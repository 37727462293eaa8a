"""`gramprobe build`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gramprobe.cli.main import (
    address_option,
    allow_bounded_option,
    design_option,
    engine_option,
    json_option,
    oracle_option,
    path_option,
    project_of,
    sentences_option,
)
from gramprobe.cli.status import progress


class _Count(click.ParamType[int | str]):
    """A number of instances from 1 on, or `all`."""

    name = "N|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        if value == "all":
            return "all"
        try:
            number = int(value)
        except ValueError:
            number = 0
        if number < 1:
            self.fail(f"`{value}` is neither a number of instances (1 or more) nor `all`", param, ctx)
        return number


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--out",
    default="data",
    show_default=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where datasets are written.",
)
@click.option(
    "--n",
    "count",
    type=_Count(),
    metavar="N|all",
    help="Instances of each paradigm. Default: as its file says.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Which instances are drawn.")
@click.option(
    "--theory",
    metavar="NAME",
    help="A theory in the place of each paradigm's own; every label that changes is reported.",
)
@design_option
@allow_bounded_option
@oracle_option
@sentences_option
@engine_option
@address_option
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N",
    help="ray: processes. Default: as many as the cluster has room for.",
)  # fmt: skip
@path_option
@json_option
def command(
    names: tuple[str, ...],
    out: Path,
    count: int | str | None,
    seed: int,
    theory: str | None,
    design: str,
    allow_bounded: bool,
    oracle: str | None,
    sentences: Path | None,
    engine: str,
    address: str,
    workers: int | None,
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Build datasets below DIR. NAME is a phenomenon, phenomenon/paradigm, or `all`.

    A dataset is put in its place in one step when it is complete: after an error the earlier dataset is unchanged. A
    label that could not be proved is an error, unless --allow-bounded.
    """
    from gramprobe.dataset.remote import Machines
    from gramprobe.folders import check_outside
    from gramprobe.source.diagnostic import UsageError
    from gramprobe.source.render import render

    machines = None
    if engine == "ray":
        from gramprobe.work.cluster import check_address

        check_address(address)
        machines = Machines(address=address, workers=workers or 0)
    elif address or workers:
        option = "--address" if address else "--workers"
        raise UsageError(f"{option} is for a cluster", "add --engine ray, or set GRAMPROBE_JOBS for this machine")
    check_outside(out, "give the folder in which datasets stand beside each other, as `data`")
    project = project_of(path, sentences, names)
    given = project.declarations.given
    # warnings about the file of --sentences belong to no paradigm, so no dataset reports them
    warnings = [d for d in project.findings.items if given is not None and d.span.path == given.path and not d.is_error]
    if warnings:
        click.echo(render(warnings, project.library), err=True)
    number = count if isinstance(count, int) else None
    with progress(not as_json) as shown:
        everything, report = count == "all", (lambda _: None) if as_json else shown.line
        built = project.build(
            list(names), out, number, seed, theory, everything, report, allow_bounded, oracle, design, machines
        )
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.datasets import Built
        from gramprobe.source.render import as_json as as_data

        folders = [
            {"folder": str(b.folder), "manifest": b.manifest, "diagnostics": as_data(b.findings.items)} for b in built
        ]
        click.echo(answer(Built, {"datasets": folders}))
        return 0
    for dataset in built:
        paradigms = dataset.manifest["paradigms"].values()
        rows = sum(p["rows"] for p in paradigms)
        derived = ", labels derived" if any("certificates" in p for p in paradigms) else ""
        if dataset.findings.items:
            click.echo(render(dataset.findings.items, project.library), err=True)
        click.echo(f"{dataset.folder}: {rows:,} rows{derived}; read {dataset.folder / 'README.md'}")
    return 0
