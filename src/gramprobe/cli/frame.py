"""`gramprobe frame`."""

from __future__ import annotations

from pathlib import Path

import click

from gramprobe.cli.analyze import size_option
from gramprobe.cli.main import json_option
from gramprobe.source.diagnostic import UsageError


@click.command()
@click.argument("scores", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--people", type=click.Path(path_type=Path), metavar="FILE.csv",
    help="Answers of people: person, id, answer (a label, an option, a number), and further columns.",
)  # fmt: skip
@click.option(
    "--norms", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
    help="A folder of `gramprobe judgments`: what people said of each item, as columns NAME_mean, NAME_agreement and "
    "others, NAME being that of the folder; repeatable.",
)  # fmt: skip
@click.option(
    "--dataset", "datasets", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
    help="The dataset that was scored or answered, if it is not beside the scores or in data/; repeatable.",
)  # fmt: skip
@size_option
@click.option("--wide", is_flag=True, help="A row an item, its parts as columns, where a row a part would be written.")
@click.option("--texts", is_flag=True, help="With the texts that were read.")
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="A csv or Parquet file, by its ending.",
)  # fmt: skip
@json_option
def command(
    scores: tuple[Path, ...],
    people: Path | None,
    norms: tuple[Path, ...],
    datasets: tuple[Path, ...],
    sizes: dict[str, int],
    wide: bool,
    texts: bool,
    out: Path,
    as_json: bool,
) -> int:
    """Write the answers of models and people as one long table: a row an answer, with all that is known of its item.

    SCORES are those of `gramprobe analyze`. R, polars and `gramprobe analyze --frame` read the file as it is; its
    columns are in docs/frame.md. Factors with two levels, and numbers, have a code beside them, called NAME_c.
    """
    if not scores and not (people and datasets):
        lacking = "name the dataset that people answered: --dataset DIR"
        raise UsageError("nothing to write", lacking if people else "gramprobe frame scores/FOLDER --out answers.csv")
    from gramprobe.analysis.judgments import People, norms_of, people_of
    from gramprobe.analysis.long_frame import LongFrame
    from gramprobe.analysis.open import sized
    from gramprobe.folders import check_replaced
    from gramprobe.formats.people import read as read_people
    from gramprobe.judgments.folder import open_folder
    from gramprobe.open import open_runs, read

    check_replaced(out, [*scores, *([people] if people else [])])
    runs = sized(open_runs(scores, datasets), sizes) if scores else ()
    given = {} if scores else {id(each): each for each in map(read, datasets)}
    given |= {id(run.dataset): run.dataset for run in runs}
    judged = [run for run in runs if run.people and run.path.is_dir()]
    answers = [each for run in judged for each in people_of(open_folder(run.path), wide)]
    if people is not None:
        answers.append(People(people, read_people(people)))
    runs = tuple(run for run in runs if run not in judged)
    joined = tuple(norms_of(open_folder(folder)) for folder in norms)
    frame = LongFrame(runs, tuple(answers), tuple(given.values()), wide, texts, joined)
    out.parent.mkdir(parents=True, exist_ok=True)
    rows = frame.write(out)
    warnings = [warning for run in runs for warning in run.warnings()]
    sources = list(dict.fromkeys([run.model for run in runs]))
    if as_json:
        from gramprobe.cli.answers.analyses import Framed
        from gramprobe.cli.answers.answer import answer

        data = {
            "file": str(out),
            "rows": rows,
            "columns": {each.name: str(each.type) for each in frame.schema},
            "codes": {name: code.about for name, code in frame.codes.items() if name in frame.schema.names},
            "models": sources,
            "people": len({person for each in answers for person in each.table.column("person").to_pylist()}),
            "warnings": warnings,
        }
        click.echo(answer(Framed, data, ascii_only=False))
        return 0
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)
    for name, code in frame.codes.items():
        click.echo(f"{name}: {code.about}")
    click.echo(f"{out}: {rows:,} rows, {len(frame.schema)} columns")
    return 0
