"""`gramprobe report`."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.analysis.analyze import findings, needed_packages
from gramprobe.analysis.clusters import USUAL
from gramprobe.cli.analyze import scores_options, trained, training_option
from gramprobe.cli.main import path_option
from gramprobe.cli.status import progress
from gramprobe.folders import check_replaced, put_whole
from gramprobe.progress import report_progress
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.files import shipped_folder

if TYPE_CHECKING:
    from gramprobe.analysis.output.document import Example
    from gramprobe.analysis.runs import Run


@click.command()
@click.argument("scores", nargs=-1, type=click.Path(path_type=Path))
@scores_options
@training_option
@click.option(
    "--items",
    default=6,
    show_default=True,
    type=click.IntRange(min=0),
    help="How many items are shown with their trees.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the items.")
@click.option("--title", metavar="TEXT", help="Its heading.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", default=Path("report.html"),
    show_default=True, help="The file.",
)  # fmt: skip
@click.option("--methods", is_flag=True, help="Print the section Methods as plain text, and write no page.")
@path_option
def command(
    scores: tuple[Path, ...],
    datasets: tuple[Path, ...],
    studies: tuple[str, ...],
    labels: tuple[Path, ...],
    ratings: Path | None,
    cluster: str,
    order: str,
    sizes: dict[str, int],
    trainings: tuple[Path, ...],
    items: int,
    seed: int,
    title: str | None,
    out: Path,
    methods: bool,
    path: tuple[Path, ...],
) -> int:
    """Write a report of runs, of trainings, or of both: one HTML file with tables, figures, and items with their
    proofs.

    SCORES are those of `gramprobe analyze`. The file needs nothing beside it; it can be read on a phone, in the dark,
    on paper, and with scripts off, when its tables are not sorted and filtered. Its section Methods says how intervals
    and tests were made, as prose for a paper.
    """
    needed_packages("report", "matplotlib")
    if not scores and not trainings:
        raise UsageError("nothing to report on", "gramprobe report scores/FOLDER, or --training DIR")
    from gramprobe.analysis.open import sized
    from gramprobe.analysis.output.document import BEGINS
    from gramprobe.analysis.output.report import Report, page
    from gramprobe.open import open_runs

    if not methods:
        check_replaced(out, begins=BEGINS.encode())

    with progress():
        runs = sized(open_runs(scores, datasets, labels), sizes, order == "size") if scores else ()
        found = findings(runs, studies, labels, ratings, cluster) if runs else []
        if trainings:
            found.append(trained(trainings, () if scores else datasets))
        if methods:
            from gramprobe.analysis.output.methods import paragraphs

            click.echo("\n\n".join(paragraphs(runs, found)))
            return 0
        report_progress("deriving the items that are shown")
        examples, missing = _examples(runs, items, seed, path)
    options: dict[str, Sequence[str]] = {
        "study": studies,
        "labels": [each.name for each in labels],
        "ratings": [ratings.name] if ratings else [],
        "cluster": [cluster] if cluster != USUAL else [],
        "order": [order] if order == "size" else [],
        "size": [f"{model}={number}" for model, number in sizes.items()],
    }
    names = " and ".join(dict.fromkeys(run.dataset.manifest.name for run in runs))
    named = f"{names}: {', '.join(dict.fromkeys(run.model for run in runs))}" if runs else "Trainings"
    report = Report(
        title=title or named,
        runs=runs,
        findings=tuple(found),
        examples=examples,
        commands=tuple(_commands(runs, scores, trainings, options)),
        omitted=missing,
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    put_whole(out, partial(Path.write_text, data=page(report), encoding="utf-8"))
    analyses = "1 analysis" if len(found) == 1 else f"{len(found)} analyses"
    click.echo(f"{out}: {analyses}, {len(examples)} {'item' if len(examples) == 1 else 'items'}")
    return 0


def _commands(
    runs: Sequence[Run], scores: Sequence[Path], trainings: Sequence[Path], asked: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """What made the datasets and scores, as far as their records say it, and the report with what else was
    ``asked`` for: option -> values."""
    from msgspec import UNSET

    records = {run.path: (run.record, run.dataset.manifest.name) for run in runs if run.record is not None}
    datasets = list({id(run.dataset): run.dataset for run in runs}.values())
    named = [*(each.manifest.packages for each in datasets), *(each.settings.packages for each, _ in records.values())]
    origins = {origin for each in named if each is not UNSET for names in each.values() for origin in names.values()}
    yield from (f"pip install {origin.replace(' ', '==')}" for origin in sorted(origins))
    for dataset in datasets:
        manifest = dataset.manifest
        sizes = {part.instances for part in manifest.paradigms.values()}
        number = f" --n {sizes.pop()}" if len(sizes) == 1 else ""
        design = " --design paper" if manifest.design == "paper" else ""
        theory = "" if " " in manifest.theory else f" --theory {manifest.theory}"
        yield f"gramprobe build {manifest.name.replace('--', '/')}{number} --seed {manifest.seed}{theory}{design}"
    for path, (record, dataset_name) in records.items():
        settings, model = record.settings, shlex.quote(record.model.name)
        options = f" --instances {settings.total}" if settings.total else ""
        options += " --shuffle-words" if settings.shuffle_words is True else ""
        options += f" --seed {settings.seed}" if settings.seed else ""
        call = f"gramprobe score data/{dataset_name} --model {model} --mode {settings.mode}"
        yield f"{call}{options} --out {shlex.quote(path.name)}"
    given = [shlex.quote(place.name) for place in scores]
    given += [f"--training {shlex.quote(place.name)}" for place in trainings]
    given += [f"--{name} {shlex.quote(value)}" for name, values in asked.items() for value in values]
    yield f"gramprobe report {' '.join(given)}"


def _examples(
    runs: Sequence[Run], count: int, seed: int, path: tuple[Path, ...]
) -> tuple[tuple[Example, ...], tuple[str, ...]]:
    """Items drawn at random over the paradigms, each with the answers of all runs, and how its label was derived."""
    from gramprobe.analysis.output.document import Example

    generator, found, missing = random.Random(seed), list[Example](), list[str]()
    names = [(run, name) for run in runs for name in run.paradigms if run is _first(runs, run)]
    generator.shuffle(names)
    projects: dict[str, Any] = {}
    for run, paradigm in names[:count]:
        ids = run.rows(paradigm).column("id").to_pylist()
        if not ids:
            continue
        id_ = generator.choice(ids)
        row = _row(run, paradigm, id_)
        given = tuple(
            answer for other in runs if other.dataset is run.dataset for answer in _answers(other, paradigm, id_)
        )
        text, picture = _explained(run, row, projects, path)
        if not text:
            missing.append(f"How `{id_}` was derived is not shown: the grammar here does not make this item.")
        found.append(Example(id_, _texts(run, paradigm, row), given, text, picture))
    return tuple(found), tuple(missing)


def _first(runs: Sequence[Run], run: Run) -> Run:
    """The first run of the same dataset."""
    return next(each for each in runs if each.dataset is run.dataset)


def _row(run: Run, paradigm: str, id_: str) -> dict[str, Any]:
    """An item, with all its columns."""
    from gramprobe.analysis.runs import columns_of

    # of the dataset alone: parts that were scored may have the names of its columns
    table = columns_of(run.dataset, paradigm, list(run.dataset.columns(paradigm)))
    row: dict[str, Any] = table.slice(table.column("id").to_pylist().index(id_), 1).to_pylist()[0]
    return row


def _texts(run: Run, paradigm: str, row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What a model reads of an item, and the answer."""
    scored = run.dataset.design(paradigm).scored
    columns = dict.fromkeys([*scored.context, *scored.options, *scored.continuations, *scored.label])
    return tuple((name.replace("_", " "), str(row[name])) for name in columns if row[name] not in ("", None))


def _answers(run: Run, paradigm: str, id_: str) -> Iterator[tuple[str, str]]:
    """What the run says of an item: the likeliest label, or each part's value in nats."""
    table = run.rows(paradigm)
    if id_ not in table.column("id").to_pylist():
        return
    row = table.slice(table.column("id").to_pylist().index(id_), 1).to_pylist()[0]
    values = {name: value for name, value in row.items() if name not in ("id", "instance") and value is not None}
    if run.labels:
        best = max(values, key=lambda name: values[name], default="")
        yield run.model, best.rpartition(".")[2] or "no answer"
    else:
        yield run.model, "; ".join(f"{name}: {value:.2f}" for name, value in values.items())


def _explained(run: Run, row: Mapping[str, Any], projects: dict[str, Any], path: tuple[Path, ...]) -> tuple[str, str]:
    """The explanation of an item by the grammars here and its picture, if they make the same item; else nothing. Raises
    UsageError (E44) where they give it another label than the dataset."""
    from gramprobe.dataset.agreement import contradicts
    from gramprobe.project import load
    from gramprobe.source.diagnostic import AuthoringError, UsageError

    id_: str = row["id"]
    paradigm = "/".join(id_.split("/")[:2])
    try:
        if paradigm not in projects:
            projects[paradigm] = load(path, names=(paradigm,))
        explained = projects[paradigm].explain(id_)
    except (AuthoringError, UsageError):
        return "", ""
    found = explained.data
    if any(name in found and found[name] != row[name] for name in ("shape", "premise", "hypothesis") if name in row):
        return "", ""
    if row.get("label_name") and found.get("label", row["label_name"]) != row["label_name"]:
        wrong = f"`label_name` is `{row['label_name']}`, and its formulas give {found['label']}"
        raise contradicts(run.dataset.folder, id_, wrong)
    # the same page wherever gramprobe is installed
    return explained.text.replace(f"{shipped_folder()}/", ""), explained.svg
