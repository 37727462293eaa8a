"""`gramprobe verify`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gramprobe.cli.main import json_option, path_option, project_of, sentences_option
from gramprobe.cli.status import progress

if TYPE_CHECKING:
    from gramprobe.dataset.verify.verify import Verified

SHOWN = 20


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--rebuild",
    is_flag=True,
    help="Also build again from the manifest and compare bytes (with GRAMPROBE_CACHE=off all from the engines).",
)
@click.option("--parse", is_flag=True, help="Also parse a sentence of each shape: does it mean what was labelled?")
@sentences_option
@path_option
@json_option
def command(
    dataset: Path, rebuild: bool, parse: bool, sentences: Path | None, path: tuple[Path, ...], as_json: bool
) -> int:
    """Check a dataset folder: every certificate by the kernel, every row against its certificate, and everything that
    follows from the source files by deriving it again. Trusts no hash of the manifest. Exit code 1 if there are
    problems.
    """
    from gramprobe.dataset.verify.verify import verify

    # mistakes of files that no row rests on do not matter
    project = project_of(path, sentences, phenomenon_of(dataset))
    with progress(not as_json):
        verified = verify(dataset, project.declarations, rebuild, parse)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.datasets import VerifiedDataset

        click.echo(answer(VerifiedDataset, verified.data, ascii_only=False))
    else:
        _print(verified)
    return 1 if verified.problems.count else 0


def phenomenon_of(folder: Path) -> tuple[str, ...]:
    """The phenomenon that the manifest says was built; nothing if there is none, which `verify` and `read` report."""
    try:
        name = json.loads((folder / "manifest.json").read_bytes())["name"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return ()
    return (name.partition("--")[0],) if isinstance(name, str) and name else ()


def _print(verified: Verified) -> None:
    for problem in verified.problems.kept[:SHOWN]:
        click.echo(str(problem), err=True)
    count = verified.problems.count
    if count > SHOWN:
        click.echo(f"... and {count - SHOWN:,} more (--json has the first 1,000)", err=True)
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in sorted(verified.kinds.items()))
    lines = _counted(sum(verified.lines.values()), "certificate")
    nothing = f"on {_counted(verified.charts, 'chart')}" if verified.charts else "without labels"
    on = f"({kinds}) on {lines}" if kinds else nothing
    click.echo(f"{verified.folder}: {_counted(verified.rows, 'row')} {on}")
    trust = f"{_counted(verified.on_trust, 'label')} on trust; " if kinds else ""
    derived = _counted(len(verified.sources.paradigms), "paradigm")
    parsed = f"; {_counted(verified.parsed, 'sentence')} parsed" if verified.parsed else ""
    parsed = parsed or ("; read back by the build alone (--parse)" if verified.read_back else "")
    click.echo(f"  {trust}{derived} derived again{parsed}{'; built again' if verified.rebuilt else ''}")
    if verified.charts and not verified.sources.paradigms:
        click.echo("  bad is what has no tree in its grammar.json, which no source file here shows to be whole")
    if verified.unshown:
        click.echo(f"  {_counted(verified.unshown, 'certificate')} with a principle in rests_on that may not be needed")
    if count:
        codes = ", ".join(f"{code} {number:,}" for code, number in sorted(verified.problems.by_code.items()))
        click.echo(f"{_counted(count, 'problem')}: {codes} (`gramprobe explain CODE`)", err=True)
        if verified.sources.absent:
            click.echo("  help: if its files lie elsewhere, name the folder that has them: --path DIR", err=True)
    else:
        click.echo("  nothing is wrong with it")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
