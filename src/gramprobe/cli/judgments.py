"""`gramprobe judgments`."""

from __future__ import annotations

from pathlib import Path

import click

from gramprobe.analysis.analyze import needed_packages
from gramprobe.cli.analyze import findings_data
from gramprobe.cli.lists import exclusions
from gramprobe.cli.main import json_option


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--dataset", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The dataset that was judged."
)
@click.option(
    "--experiment", type=click.Path(path_type=Path), metavar="DIR",
    help="The folder of `gramprobe lists`: its rules are applied, and each deviation from its design is printed.",
)  # fmt: skip
@click.option(
    "--exclude", multiple=True, metavar="RULE",
    help="Leave out by catch=N right, seconds=A..B of a trial, same=N answers in a row; repeatable. Default: what the "
    "experiment declares.",
)  # fmt: skip
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="A folder that `analyze`, `report` and `frame` take beside folders of scores.",
)  # fmt: skip
@click.option(
    "--codes", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.csv",
    help="Write there which person of which file each code is. Keep it apart: nothing else says it.",
)  # fmt: skip
@click.option("--details", is_flag=True, help="Print alpha without each person, too.")
@json_option
def command(
    files: tuple[Path, ...],
    dataset: Path,
    experiment: Path | None,
    exclude: tuple[str, ...],
    out: Path,
    codes: Path | None,
    details: bool,
    as_json: bool,
) -> int:
    """Read people's answers back: who is left out, how far people agree, means by condition, times.

    FILES: CSV `person,id,answer[,rt,list,position,part,region,word]`, data of jsPsych (JSON or CSV), results of PCIbex,
    or the published ratings' form. Persons become p001, p002 ... in the order of the files; addresses, user agents, ids
    of recruiting services and times of day are not read (docs/judgments.md).

    Needs the extra `analysis`: pip install 'gramprobe[analysis]'.
    """
    needed_packages("judgments")
    from gramprobe.analysis.judgment_tables import judgment_findings
    from gramprobe.analysis.output.folder import FORMS, page
    from gramprobe.experiment.trials import PLAN, read
    from gramprobe.folders import check_replaced
    from gramprobe.judgments import by_item, folder
    from gramprobe.judgments.deviations import deviations
    from gramprobe.judgments.gather import gather
    from gramprobe.judgments.items import items_of
    from gramprobe.judgments.join import judge
    from gramprobe.judgments.rules import Rules
    from gramprobe.open import read as open_dataset
    from gramprobe.records import sha256_of
    from gramprobe.score.source import DatasetSource
    from gramprobe.source.messages import judgments as messages

    given = exclusions(exclude)
    if codes is not None and codes.resolve().is_relative_to(out.resolve()):
        raise messages.codes_inside(str(codes), str(out))
    if codes is not None:
        check_replaced(codes, files)
    source = DatasetSource(open_dataset(dataset))
    planned = None if experiment is None else read(experiment)
    if planned is not None and planned.plan.sha256 != source.sha256:
        raise messages.other_dataset(str(experiment), planned.plan.dataset, str(dataset))
    gathered = gather(files)
    declared = Rules() if planned is None else Rules.of(planned.plan.exclusions)
    rules = declared.but(Rules.of(given))
    ids = {each.trial.id for each in gathered.answers} | {each.trial.id for each in gathered.words}
    judged = judge(gathered, items_of(source, ids), planned, rules)
    if planned is not None:
        judged = judged.with_deviations(deviations(gathered, planned, rules))
    if not judged.kept and not judged.read:
        raise messages.no_answers_left(list(rules.said().values()))
    with folder.replacing(out) as new:
        texts = by_item.files(judged)
        folder.write(judged, new, "" if experiment is None else sha256_of(experiment / PLAN), texts)
        written = folder.open_folder(new)
        found = judgment_findings(written, source.dataset)
        (new / "tables").mkdir()
        (new / "judgments.md").write_text(page(found), "utf-8")
        for table in (*found.tables, *found.details):
            for ending, form in FORMS.items():
                (new / "tables" / f"{table.name}{ending}").write_text(form(table), "utf-8")
    if codes is not None:
        rows = [{"code": code, "file": file, "person": person} for code, (file, person) in gathered.codes.items()]
        codes.parent.mkdir(parents=True, exist_ok=True)
        codes.write_text(by_item.as_csv(rows), "utf-8")
    if as_json:
        from gramprobe.cli.answers.analyses import Judgments
        from gramprobe.cli.answers.answer import answer

        data = {"folder": str(out), "not_read": list(gathered.passed), "studies": [findings_data(found)]}
        click.echo(answer(Judgments, data, ascii_only=False))
        return 0
    click.echo(found.printed(details))
    if gathered.passed:
        click.echo(f"\nnot read: {', '.join(gathered.passed)}")
    click.echo(f"\n{out}: {written.entry.counted:,} answers of {written.entry.kept:,} people; analyze it beside scores")
    return 0
