"""`gramprobe analyze`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gramprobe.analysis.analyze import findings, needed_packages
from gramprobe.cli.main import json_option
from gramprobe.cli.model import model_options
from gramprobe.cli.status import progress
from gramprobe.folders import check_outside
from gramprobe.progress import report_progress
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.findings import Findings
    from gramprobe.analysis.output.look import Look

Command = TypeVar("Command", bound=Callable[..., Any])


def _sizes(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, int]:
    """Model -> number of parameters, of the option --size."""
    from gramprobe.source.messages import analysis as messages

    found = {}
    for text in given:
        model, _, number = text.rpartition("=")
        try:
            found[model] = int(float(number))
        except (ValueError, OverflowError):
            raise messages.bad_size(text) from None
        if not model or found[model] < 1:
            raise messages.bad_size(text)
    return found


size_option = click.option(
    "--size", "sizes", multiple=True, metavar="MODEL=7e9", callback=_sizes,
    help="The number of parameters of a model whose scores do not say it (an endpoint); repeatable.",
)  # fmt: skip


training_option = click.option(
    "--training", "trainings", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
    help="What trainings reached and the map of their examples: a folder of `gramprobe finetune`; repeatable.",
)  # fmt: skip


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
            "--cluster", default="usual", metavar="FACTOR",
            help="What is drawn independently: a draw or a column, as verb, for intervals that hold for other verbs; "
            "skeleton, for other sentences. Default: instance, and skeleton in stories.",
        ),
        click.option(
            "--order", type=click.Choice(["given", "size"]), default="given", show_default=True,
            help="Of the models in tables and figures: as they are given, or by their numbers of parameters.",
        ),
        size_option,
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
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write tables and figures there."
)
@click.option("--width", metavar="LENGTH", help="Of figures, with --out: 3.3in, 8.4cm; the default is 6.3in.")
@click.option("--font", metavar="NAME", help="Of figures, with --out: a family of letters, as 'Times New Roman'.")
@click.option("--columns", type=click.Choice(["1", "2"]), help="Of a page for the LaTeX of --out.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the --example.")
@click.option("--details", is_flag=True, help="Print the detailed tables too.")
@training_option
@click.option("--example", is_flag=True, help="Analyse two readers that do not reason, on a small set.")
@model_options
@click.option("--anova", is_flag=True, help="Model: test whole terms, type III: F, and likelihood ratios.")
@click.option(
    "--means", multiple=True, metavar="FACTOR",
    help="Model: the marginal means of a factor (a:b: of cells) and their differences, p after Holm; repeatable.",
)  # fmt: skip
@click.option(
    "--equivalence", type=click.FloatRange(min=0.0, min_open=True), metavar="MARGIN",
    help="Model: test that the differences of --means are smaller than this, by two one-sided tests.",
)  # fmt: skip
@click.option(
    "--figures", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Model: write figures of its residuals there: by fitted value and by normal quantile, of answers in bins.",
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
    order: str,
    sizes: dict[str, int],
    out: Path | None,
    width: str | None,
    font: str | None,
    columns: str | None,
    seed: int,
    details: bool,
    trainings: tuple[Path, ...],
    example: bool,
    frame: Path | None,
    formula: str | None,
    figures: Path | None,
    as_json: bool,
    **of_model: Any,  # the options of a model
) -> int:
    """Analyse scores: `gramprobe analyze scores/...` prints what the papers print, and what they rest on.

    SCORES are folders that `gramprobe score` wrote, one a model, or files of other programs: .csv with
    `item,part,value` or `item,label`, .jsonl with the samples of lm-eval, and the formats of installed packages. Which
    analyses apply follows from the scores and their dataset (docs/analysis.md).

    With --frame and --formula: fit a linear mixed model to a table of your own, with --family a logistic or ordinal
    one. Crossed and nested random effects, several terms a factor, || as in lme4; degrees of freedom by Satterthwaite's
    approximation.

    Needs the extra `analysis`: pip install 'gramprobe[analysis]'.
    """
    needed_packages("analyze")
    forms = [bool(scores), bool(trainings), example, frame is not None or formula is not None]
    if scores and formula is not None and frame is None:
        help = f"gramprobe frame {scores[0]} --out answers.csv, then analyze --frame answers.csv --formula ..."
        raise UsageError("--formula is of a table of answers, and not of scores", help)
    if sum(forms) != 1:
        what = (
            "nothing to analyse"
            if not any(forms)
            else "give scores, or --example, or --training, or --frame with --formula"
        )
        raise UsageError(what, "gramprobe analyze scores/FOLDER, or gramprobe analyze --frame FILE --formula TEXT")
    if out is None and (columns or (figures is None and (width or font))):
        raise UsageError("--width, --font and --columns are for files", "give --out DIR, too")
    if figures is not None and formula is None:
        raise UsageError("--figures is for a model", "give --frame and --formula; --out DIR has the figures of scores")
    look = looked(width, font, columns)
    if out is not None:
        check_outside(out, "give the tables a folder of their own: --out tables")
    if frame is not None or formula is not None:
        if frame is None or formula is None:
            raise UsageError("a model needs both --frame and --formula", "see `gramprobe analyze --help`")
        if out is not None:
            raise UsageError(
                "--out is for tables of scores; a fitted model is printed, and --figures DIR has its residuals",
                "gramprobe analyze ... --json > FILE",
            )
        from gramprobe.cli.model import fitted

        with progress(not as_json):
            report_progress("fitting the model")
            text = fitted(frame, formula, as_json, figures=figures, look=look, **of_model)
        click.echo(text)
        return 0
    with progress(not as_json):
        if trainings:
            found = [trained(trainings, datasets)]
        elif example:
            from gramprobe.cli.example import example_runs

            with example_runs(seed) as runs:
                found = findings(runs, studies, (), None, cluster)
        else:
            from gramprobe.analysis.open import sized
            from gramprobe.open import open_runs

            runs = sized(open_runs(scores, datasets, labels), sizes, order == "size")
            found = findings(runs, studies, labels, ratings, cluster)
    written = []
    if out is not None:
        from gramprobe.analysis.output.folder import write

        written = [file for each in found for file in write(each, out, look)]
    if as_json:
        from gramprobe.cli.answers.analyses import Studied
        from gramprobe.cli.answers.answer import answer

        click.echo(answer(Studied, {"studies": [findings_data(each) for each in found]}, ascii_only=False))
        return 0
    from gramprobe.analysis.findings import without_repeats
    from gramprobe.analysis.studies import GENERAL

    # who declares factors reads their tables first, and the other studies when asking for them
    alone = not studies and not details and found[0].study == GENERAL
    others = [each.study for each in found[1:]] if alone else []
    headlines = [f"warning: {sentence}\n\n" for each in found for sentence in each.headlines]
    before: dict[str, str] = {}  # what is said of tables of several studies is said once
    printed = without_repeats(found)[: 1 if alone else None]
    click.echo("".join(headlines) + "\n\n".join(each.printed(details, before) for each in printed))
    if others:
        click.echo(f"\n(also found: {', '.join(others)}; print one with --study NAME, all with --details)")
    if out is not None:
        click.echo(f"\n{out}: {len(written)} files")
    elif any(each.details for each in found) and not details:
        click.echo("\n(more tables with --details; all of them, and figures, as files with --out DIR)")
    return 0


def trained(places: Sequence[Path], datasets: Sequence[Path]) -> Findings:
    """What trainings reached. Raises UsageError as `training_findings` and `check_training` do, the latter where a
    dataset of a training is given or in `data/`, and for a given one that none is of (E47)."""
    from gramprobe.analysis.training import folders_of, training_findings
    from gramprobe.dataset.manifest import MANIFEST
    from gramprobe.finetune.data import check_training
    from gramprobe.records import sha256_of
    from gramprobe.source.messages import analysis as messages

    found = training_findings(places)
    near = [file.parent for file in sorted(Path("data").glob(f"*/{MANIFEST}"))]
    known = {(place.resolve().name, sha256_of(place / MANIFEST)): place for place in (*near, *datasets)}
    used = {place for each in places for folder in folders_of(each) for place in check_training(folder, known)}
    strange = next((place for place in datasets if place not in used), None)
    if strange is not None:
        raise messages.dataset_of_no_training(str(strange))
    return found


def looked(width: str | None, font: str | None, columns: str | None) -> Look:
    """How files are set. Raises UsageError for a width that cannot be read, and for a font that is not installed."""
    from gramprobe.analysis.output.look import PLAIN, Look

    inches = PLAIN.width if width is None else _inches(width)
    if font is not None:
        needed_packages("analyze --font", "matplotlib")
        from matplotlib.font_manager import get_font_names

        if font not in (names := get_font_names()):
            near = get_close_matches(font, names, 3, 0.3)
            raise UsageError(f"there is no font `{font}` here", f"like it: {', '.join(near)}" if near else "")
    return Look(inches, font or PLAIN.font, int(columns or PLAIN.columns))


def _inches(width: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(in|cm|mm|pt)", width)
    inches = float(found[1]) / {"in": 1, "cm": 2.54, "mm": 25.4, "pt": 72.27}[found[2]] if found else 0.0
    if not 1.5 <= inches <= 20:
        raise UsageError(f"`{width}` is no width of a figure", "between 1.5in and 20in, as 3.3in, 84mm, 8.4cm, 240pt")
    return inches


def findings_data(found: Findings) -> dict[str, Any]:
    """The findings as JSON data."""
    from gramprobe.analysis.output.writers import as_data

    return {
        "study": found.study,
        "title": found.title,
        "tables": [as_data(table) for table in (*found.tables, *found.details)],
        "figures": found.figures,
        "warnings": [*found.headlines, *found.warnings],
        "omitted": found.omitted,
    }
