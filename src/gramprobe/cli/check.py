"""`gramprobe check`."""

from __future__ import annotations

import json
from collections import Counter
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import allow_bounded_option, json_option, path_option, project_of

if TYPE_CHECKING:
    from gramprobe.decide.decider import Decider
    from gramprobe.items.drafted import Drafted
    from gramprobe.items.label import Labelling
    from gramprobe.project import Project
    from gramprobe.resolve.paradigm.data import Paradigm
    from gramprobe.resolve.project import Declarations
    from gramprobe.source.diagnostic import Diagnostic, Findings


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@allow_bounded_option
@path_option
@json_option
def command(names: tuple[str, ...], allow_bounded: bool, path: tuple[Path, ...], as_json: bool) -> int:
    """Find every error of every file in one run, and derive the labels of each paradigm's first instances.

    NAME is a phenomenon, phenomenon/paradigm, or nothing for everything. Writes nothing.
    """
    from gramprobe.check.check import check
    from gramprobe.source.diagnostic import Findings
    from gramprobe.source.render import as_json as as_data
    from gramprobe.source.render import render

    project = project_of(path, names=names)
    wanted = project.paradigms_of(names or ("all",))
    findings = Findings()
    if not names:
        findings.extend(project.findings.items)
    reports: list[dict[str, Any]] = []
    errors = {name: project.errors_for(name) for name in wanted}
    outcomes = check(project, [name for name in wanted if not errors[name]], derive, allow_bounded)
    for name in wanted:
        findings.extend(errors[name])
        if name in outcomes:
            findings.extend(outcomes[name].diagnostics)
            if (report := outcomes[name].report) is not None:
                reports.append(report)
    if as_json:
        click.echo(json.dumps({"version": 1, "paradigms": reports, "diagnostics": as_data(findings.items)}, indent=2))
        return 1 if findings.failed else 0
    for entry in reports:
        if entry["task"] != "nli":
            answers = ", ".join(entry["answers"]) or "no items looked at"
            decided = f"{_number(entry['accounts'], 'account')} of decisions"
            click.echo(f"{entry['name']}: {entry['instances']:,} instances; {answers}; {decided}")
            continue
        labels = _counted(entry)
        met = f"{entry['expected']} expectations met" if entry["met"] else "expectations NOT met"
        shapes = f"{entry['shapes']} shape{'' if entry['shapes'] == 1 else 's'}"
        click.echo(f"{entry['name']}: {entry['instances']:,} instances; {labels}; {met}; {shapes}")
        click.echo("  draws: " + ", ".join(f"{n} {c:,}" for n, c in entry["draws"].items()))
        if entry["companion"] is not None:
            click.echo(f"  balanced: {_counted(entry['companion'])}")
    if findings.items:
        click.echo(render(findings.items, project.library), err=True)
        count = len([d for d in findings.items if d.is_error])
        click.echo(f"{count} error{'s' if count != 1 else ''}", err=True)
    else:
        click.echo(f"{len(reports)} paradigm{'s' if len(reports) != 1 else ''}: no errors")
    return 1 if findings.failed else 0


def derive(
    name: str, project: Project, decider: Decider, allow_bounded: bool
) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
    """What there is to tell of a paradigm (None: nothing can be), and what is wrong with it."""
    declared = project.declarations.paradigms[name]
    derived = _derived if declared.task == "nli" else _derived_by_reading
    report, findings = derived(declared, project.declarations, decider, allow_bounded)
    found = list(findings.items)
    # a companion has every mistake of its paradigm, which need not be told twice
    if declared.companion is not None and report is not None and not findings.failed:
        report["companion"], findings = _derived(declared.companion, project.declarations, decider, allow_bounded)
        found += findings.items
    return report, found


def _counted(report: dict[str, Any]) -> str:
    each = "per instance" if report["uniform"] else f"over {report['labelled']} instances (they vary)"
    return ", ".join(f"{n} {k}" for k, n in report["labels"].items()) + f" {each}"


def _derived(
    paradigm: Paradigm, declarations: Declarations, decider: Decider, allow_bounded: bool
) -> tuple[dict[str, Any] | None, Findings]:
    """What there is to tell of a paradigm (None: nothing can be), and what is wrong with it."""
    from gramprobe.dataset.gates import balance
    from gramprobe.items.draft import draft
    from gramprobe.source.diagnostic import Findings

    found = Findings()
    drafted = draft(paradigm, declarations, found, paradigm.looked_at, decider=decider, allow_bounded=allow_bounded)
    if drafted is None:
        return None, found
    if not found.failed:
        balance.check(drafted.labelling, found)
    told = all(d.code in ("E10", "E45") for d in found.items if d.is_error)
    return (_report(paradigm.full_name, drafted.labelling) if told else None), found


def _derived_by_reading(
    paradigm: Paradigm, declarations: Declarations, decider: Decider, allow_bounded: bool
) -> tuple[dict[str, Any] | None, Findings]:
    """The same of a paradigm about readings."""
    from gramprobe.items.draft import drafted_by_reading
    from gramprobe.source.diagnostic import Findings

    found, count = Findings(), paradigm.looked_at
    drawn = drafted_by_reading(paradigm, declarations, found, count, decider=decider, allow_bounded=allow_bounded)
    if drawn is None:
        return None, found
    for _ in drawn.chunks():
        pass
    told = all(d.code in ("E56", "E45") for d in found.items if d.is_error)
    return (_report_of_readings(paradigm.full_name, drawn) if told else None), found


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _report(name: str, labelling: Labelling) -> dict[str, Any]:
    """What there is to tell of a paradigm; `labels` per instance, or over all that were looked at where they vary."""
    count, made = len(labelling.draws), labelling.plan
    tallies = Counter(tuple(p.decided[int(p.group[row])].label for p in labelling.pairs) for row in range(count))
    counted = {tuple(sorted(Counter(labels).items())) for labels in tallies}
    labels: Counter[str] = Counter()
    for pattern, times in tallies.items():
        for derived in pattern:
            labels[derived] += 1 if len(counted) == 1 else times
        if len(counted) == 1:
            break
    order = [k for k in ("entailment", "neutral", "contradiction") if labels[k]]
    draws = {d.name: sum(prod(len(x.members) for x in s.domains) for s in d.skeletons) for d in made.paradigm.draws}
    expected = [(p, claim) for p in labelling.pairs for claim in p.pair.every_claim(made.paradigm.gold)]
    return {
        "name": name,
        "task": "nli",
        "instances": made.space.size,
        "pairs": len(labelling.pairs),
        "labels": {k: labels[k] for k in order},
        "uniform": len(counted) == 1,
        "labelled": count,
        "expected": len(expected),
        "met": all(d.in_column(c.column).label == c.label for p, c in expected for d in p.decided),
        "shapes": len({d.gold.shape.id for p in labelling.pairs for d in p.decided}),
        "draws": draws,
        "companion": None,
    }


def _report_of_readings(name: str, drafted: Drafted) -> dict[str, Any]:
    """What there is to tell of a paradigm about readings: what fits which of them, over all that was looked at."""
    answers: Counter[str] = Counter()
    for group, rows in drafted.by_group.items():
        for (left, right), ids in drafted.accounts[group].holds.items():
            answers[f"{left} => {right}: {' | '.join(ids) or 'none'}"] += rows
    made = drafted.plan
    draws = {d.name: sum(prod(len(x.members) for x in s.domains) for s in d.skeletons) for d in made.paradigm.draws}
    return {
        "name": name,
        "task": made.paradigm.task,
        "instances": made.space.size,
        "items": drafted.taken,
        "no_items": dict(drafted.refused),
        "answers": [f"{said} ({rows})" for said, rows in sorted(answers.items())],
        "accounts": len({drafted.accounts[group].id for group in drafted.by_group}),
        "draws": draws,
    }
