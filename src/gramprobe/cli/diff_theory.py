"""`gramprobe diff-theory`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gramprobe.cli.main import json_option, path_option, project_of

if TYPE_CHECKING:
    from gramprobe.decide.label import Decider
    from gramprobe.resolve.paradigm.data import Paradigm
    from gramprobe.resolve.project import Declarations
    from gramprobe.source.diagnostic import Findings


@click.command(name="diff-theory")
@click.argument("name")
@click.argument("theories", metavar="A B ...", nargs=-1, required=True)
@click.option("--n", "count", type=click.IntRange(min=1), help="Instances of each paradigm. Default: as its file says.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Which instances are drawn.")
@path_option
@json_option
def command(
    name: str, theories: tuple[str, ...], count: int | None, seed: int, path: tuple[Path, ...], as_json: bool
) -> int:
    """Compare the labels of NAME (a phenomenon or paradigm) in theories. Exit code 1 when labels move.

    Of two theories, for each pair of conditions: how many labels move, an example, and a model of one theory that the
    other excludes. Of three or more, a table: the labels of each pair of conditions in each theory.
    """
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.label import Decider
    from gramprobe.source import messages
    from gramprobe.source.diagnostic import AuthoringError, Findings, UsageError

    if len(theories) < 2:
        raise UsageError("two theories or more are compared", f"gramprobe diff-theory {name} {theories[0]} ANOTHER")
    project = project_of(path, names=(name,))
    for theory in theories:
        project.declarations.known_theory(theory)
    findings = Findings()
    paradigms = [project.paradigm(full_name).declared for full_name in project.named(name)]
    if not any(each.theory for each in paradigms):
        raise messages.build.no_label_by_theory(name, "compare theories on a paradigm with a `theory` line")
    say = _two if len(theories) == 2 else _several
    with kept_verdicts() as kept:
        work = _Work(project.declarations, findings, seed, Decider(kept=kept))
        said, moved = say([(each, count or each.sample_size) for each in paradigms], theories, work, as_json)
    if findings.failed:
        raise AuthoringError(d for d in findings.items if d.is_error)
    click.echo(said)
    return 1 if moved else 0


@dataclass(frozen=True)
class _Work:
    """What deciding paradigms in several theories needs, whatever is said of it."""

    declarations: Declarations
    findings: Findings
    seed: int
    decider: Decider


def _two(
    paradigms: Sequence[tuple[Paradigm, int]], theories: Sequence[str], work: _Work, as_json: bool
) -> tuple[str, int]:
    """What is printed of two theories, and how many labels move; ``paradigms``: each with its number of instances."""
    from gramprobe.items.theories import compare_theories

    before, after = theories
    every = [
        compare_theories(each, (before, after), work.declarations, work.findings, instances, work.seed, work.decider)
        for each, instances in paradigms
    ]
    comparisons = [each for each in every if each is not None]
    moved, rows = sum(c.moved for c in comparisons), sum(c.rows for c in comparisons)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.datasets import ComparedTheories

        data = {"before": before, "after": after, "rows": rows, "moved": moved, "paradigms": comparisons}
        return answer(ComparedTheories, data, ascii_only=False), moved
    lines: list[str] = []
    for comparison in comparisons:
        unverified = f"; {comparison.on_trust:,} rest on a bounded search" if comparison.on_trust else ""
        lines.append(f"{comparison.paradigm}: {comparison.moved:,} of {comparison.rows:,} labels move{unverified}")
        for change in comparison.changes:
            lines.append(f"  {change.condition}: {change.before} -> {change.after} in {change.rows:,} rows")
            lines.append(f"    {change.premise}" + (f" => {change.hypothesis}" if change.hypothesis else ""))
            lines += [f"    {change.why}"] if change.why else []
    if len(comparisons) > 1:
        lines.append(f"{moved:,} of {rows:,} labels move from {before} to {after}")
    return "\n".join(lines), moved


def _several(
    paradigms: Sequence[tuple[Paradigm, int]], theories: Sequence[str], work: _Work, as_json: bool
) -> tuple[str, int]:
    """The same of more theories, and in how many conditions they give different labels."""
    from gramprobe.items.theories import answers_by_theory

    every = [
        answers_by_theory(each, theories, work.declarations, work.findings, instances, work.seed, work.decider)
        for each, instances in paradigms
    ]
    found = [condition for each in every if each is not None for condition in each]
    differ = sum(each.differ for each in found)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.datasets import SeveralTheories

        return answer(SeveralTheories, {"theories": list(theories), "conditions": found}, ascii_only=False), differ
    rows = [["", "condition", *theories]]
    for each in found:
        cells = [_counted(each.answers.get(theory, {})) for theory in theories]
        rows.append(["*" if each.differ else "", each.condition, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    said = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    lines = [said[0]]
    for before, each, line in zip([None, *found], found, said[1:], strict=False):
        lines += [each.paradigm] if before is None or before.paradigm != each.paradigm else []
        lines.append(line)
    lines.append(f"* in {differ:,} of {len(found):,} conditions the theories give different labels")
    return "\n".join(line.rstrip() for line in lines), differ


def _counted(answers: dict[str, int]) -> str:
    """`entailment`, or `entailment 40, neutral 60`; the word `label` before each is left out."""
    named = {words.removeprefix("label "): rows for words, rows in answers.items()}
    return next(iter(named)) if len(named) == 1 else ", ".join(f"{words} {rows:,}" for words, rows in named.items())
