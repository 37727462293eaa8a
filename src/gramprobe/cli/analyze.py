"""`gramprobe analyze`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gramprobe.cli.main import json_option
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.findings import Findings
    from gramprobe.analysis.runs import Run

#: what the extra `analysis` brings and every analysis needs
PACKAGES = ("scipy", "statsmodels", "formulaic", "pandas")


Command = TypeVar("Command", bound=Callable[..., Any])


def scores_options(function: Command) -> Command:
    """The scores, and what a user may give beside them: on `analyze` and `report`."""
    for option in (
        click.option(
            "--ratings", type=click.Path(path_type=Path), metavar="FILE",
            help="People's ratings or choices, in the form in which their paper released them.",
        ),
        click.option(
            "--labels", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
            help="The same dataset built under another theory: which theory fits the answers best? Repeatable.",
        ),
        click.option(
            "--cluster", default="instance", show_default=True, metavar="FACTOR",
            help="What is drawn independently: a draw or a column, as verb, for intervals that hold for other verbs.",
        ),
        click.option("--study", "studies", multiple=True, metavar="NAME", help="Only this analysis; repeatable."),
        click.option(
            "--dataset", "datasets", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
            help="The dataset that was scored, if it is not beside the scores or in data/; repeatable.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


@click.command()
@click.argument("scores", nargs=-1, type=click.Path(path_type=Path))
@scores_options
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write tables and figures there.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the --example.")
@click.option("--details", is_flag=True, help="Print the detailed tables too.")
@click.option(
    "--training", "trainings", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
    help="What trainings reached and the map of their examples: a folder of `gramprobe finetune`; repeatable.",
)  # fmt: skip
@click.option("--example", is_flag=True, help="Analyse two readers that do not reason, on a small set.")
@click.option(
    "--frame", type=click.Path(path_type=Path), metavar="FILE",
    help="Fit a mixed model: a csv, tsv or Parquet file with one row a score.",
)  # fmt: skip
@click.option("--formula", metavar="TEXT", help="Of the model, as in lme4: 'score ~ a * b + (1 + a | word)'.")
@click.option("--ml", is_flag=True, help="Model: maximum likelihood in the place of REML.")
@click.option(
    "--coding", multiple=True, metavar="COLUMN=KIND",
    help="Model: half (+0.5 and -0.5, the default of two levels), sum (the default of more), treatment, helmert (R's), "
    "scaled_helmert; repeatable.",
)  # fmt: skip
@click.option(
    "--levels", multiple=True, metavar="COLUMN=A,B", help="Model: the order of the levels of a predictor; repeatable."
)
@click.option(
    "--plan", multiple=True, metavar="FACTOR=N",
    help="Model: what a study with N levels of a grouping factor could show: power, detectable effects; repeatable.",
)  # fmt: skip
@click.option("--effects", is_flag=True, help="Model: print the effects of levels too, with their intervals.")
@json_option
def command(
    scores: tuple[Path, ...],
    datasets: tuple[Path, ...],
    studies: tuple[str, ...],
    labels: tuple[Path, ...],
    ratings: Path | None,
    cluster: str,
    out: Path | None,
    seed: int,
    details: bool,
    trainings: tuple[Path, ...],
    example: bool,
    frame: Path | None,
    formula: str | None,
    as_json: bool,
    **of_model: Any,  # the options of a model
) -> int:
    """Analyse scores: `gramprobe analyze scores/...` prints what the papers print, and what they rest on.

    SCORES are folders that `gramprobe score` wrote, one a model, or files of other programs: .csv with
    `item,part,value` or `item,label`, .jsonl with the samples of lm-eval, and the formats of installed packages. Which
    analyses apply follows from the scores and their dataset (docs/analysis.md).

    With --frame and --formula: fit a linear mixed model to a table of your own. Crossed and nested random effects,
    several terms a factor, || as in lme4; degrees of freedom by Satterthwaite's approximation.

    Needs the extra `analysis`: pip install 'gramprobe[analysis]'.
    """
    needed_packages("analyze")
    forms = [bool(scores), bool(trainings), example, frame is not None or formula is not None]
    if sum(forms) != 1:
        what = (
            "nothing to analyse"
            if not any(forms)
            else "give scores, or --example, or --training, or --frame with --formula"
        )
        raise UsageError(what, "gramprobe analyze scores/FOLDER, or gramprobe analyze --frame FILE --formula TEXT")
    if frame is not None or formula is not None:
        if frame is None or formula is None:
            raise UsageError("a model needs both --frame and --formula", "see `gramprobe analyze --help`")
        if out is not None:
            raise UsageError(
                "--out is for tables of scores; a fitted model is printed", "gramprobe analyze ... --json > FILE"
            )
        from gramprobe.cli.model import fitted

        click.echo(fitted(frame, formula, as_json, **of_model))
        return 0
    if trainings:
        from gramprobe.analysis.training import training_findings

        found = [training_findings(trainings)]
    elif example:
        from gramprobe.cli.example import example_runs

        with example_runs(seed) as runs:
            found = findings(runs, studies, (), None, cluster)
    else:
        from gramprobe.analysis.open import open_runs

        found = findings(open_runs(scores, datasets), studies, labels, ratings, cluster)
    written = []
    if out is not None:
        from gramprobe.analysis.output.folder import write

        written = [file for each in found for file in write(each, out)]
    if as_json:
        from gramprobe.cli.answers.analyses import Studied
        from gramprobe.cli.answers.answer import answer

        click.echo(answer(Studied, {"studies": [_json(each) for each in found]}, ascii_only=False))
        return 0
    from gramprobe.analysis.findings import without_repeats

    headlines = [f"warning: {sentence}\n\n" for each in found for sentence in each.headlines]
    click.echo("".join(headlines) + "\n\n".join(_text(each, details) for each in without_repeats(found)))
    if out is not None:
        click.echo(f"\n{out}: {len(written)} files")
    elif any(each.details for each in found) and not details:
        click.echo("\n(more tables with --details; all of them, and figures, as files with --out DIR)")
    return 0


def needed_packages(command: str, *others: str) -> None:
    """Raise UsageError if a package of the extra `analysis` is not installed."""
    missing = [name for name in (*PACKAGES, *others) if find_spec(name) is None]
    if missing:
        help = "install the extra: pip install 'gramprobe[analysis]'"
        raise UsageError(f"`gramprobe {command}` needs {' and '.join(missing)}", help)


def findings(
    runs: Sequence[Run], studies: tuple[str, ...], labels: tuple[Path, ...], ratings: Path | None, cluster: str
) -> list[Findings]:
    """What the studies find in the runs; what no study reads is in the headlines of the first."""
    from gramprobe.analysis.studies import found
    from gramprobe.analysis.study import Given
    from gramprobe.dataset.read import read

    return found(
        studies, runs, Given(ratings=ratings, labels=tuple(read(folder) for folder in labels), cluster=cluster)
    )


def _text(found: Findings, details: bool) -> str:
    """The findings for a terminal."""
    from gramprobe.analysis.output.writers import text

    lines = [found.title.upper(), ""]
    lines += [f"warning: {warning}\n" for warning in found.warnings]
    lines += [text(table) for table in (*found.tables, *(found.details if details else ()))]
    lines += [f"not shown: {sentence}" for sentence in found.omitted]
    return "\n".join(lines).rstrip()


def _json(found: Findings) -> dict[str, Any]:
    from gramprobe.analysis.output.writers import as_data

    return {
        "study": found.study,
        "title": found.title,
        "tables": [as_data(table) for table in (*found.tables, *found.details)],
        "figures": found.figures,
        "warnings": [*found.headlines, *found.warnings],
        "omitted": found.omitted,
    }
