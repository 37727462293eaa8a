"""`gramprobe audit`."""

from __future__ import annotations

from pathlib import Path

import click

from gramprobe.cli.main import json_option, modules_of, path_option, project_of, reading_options

SHOWN = 20


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@reading_options
@path_option
@json_option
def command(file: Path, uses: str, theory: str, path: tuple[Path, ...], as_json: bool) -> int:
    """Derive the labels of a published set of pairs, and print those that differ, with their readings.

    The file has the columns premise, hypothesis and label, or sentence1, sentence2 and gold_label (csv, tsv, jsonl). A
    pair that the grammar cannot read, or whose readings have several labels, is counted and left aside. Exit code 1:
    labels differ.
    """
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.label import Decider
    from gramprobe.formats import nli
    from gramprobe.interpret.audit import audit
    from gramprobe.project import NO_PARADIGM

    reader = project_of(path, names=NO_PARADIGM).reader(modules_of(uses), theory)
    with kept_verdicts() as kept:
        made = audit(nli.read(file), reader, Decider(kept=kept))
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.readings import Audited, of_audit

        click.echo(answer(Audited, of_audit(made), ascii_only=False))
        return 1 if made.disagreements else 0
    click.echo(f"{made.rows:,} pairs; {made.read:,} read, {made.labelled:,} labelled, {made.agree:,} as published")
    for why, count in sorted(made.abstained.items(), key=lambda each: (-each[1], each[0])):
        click.echo(f"  no label: {count:,} {why}")
    if made.repeated:
        click.echo(f"  {len(made.repeated):,} pairs are there before, with the same label")
    for one, other in made.contradictory[:SHOWN]:
        click.echo(f"  rows {one} and {other} are one pair with two labels")
    for each in made.disagreements[:SHOWN]:
        premise, hypothesis = (sentence.text for sentence in each.found.sentences)
        click.echo(f"\nrow {each.row}: {each.published} is published, {each.found.label} derived")
        click.echo(f"  {premise}\n  {hypothesis}")
        for reading in each.found.by_reading:
            click.echo(f"    {reading.premises[0].formula}  =>  {reading.hypothesis.formula}")
    if len(made.disagreements) > SHOWN:
        click.echo(f"\nand {len(made.disagreements) - SHOWN:,} more: --json has all")
    return 1 if made.disagreements else 0
