"""`gramprobe label`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import click

from gramprobe.cli.main import json_option, path_option, reader_of, reading_options
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.interpret.pairs import Labelled, LabelOfReadings
    from gramprobe.interpret.read import Reader


WIDTH = 100
"""Characters in a line of running text."""


@click.command()
@click.argument("sentences", nargs=-1, metavar="[PREMISE... HYPOTHESIS]")
@click.option(
    "--pairs",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Label the pairs of a file with columns premise and hypothesis (csv, tsv, jsonl): one line each.",
)
@click.option(
    "--scope",
    type=click.Choice(["all", "surface"]),
    default="all",
    show_default=True,
    help="surface: leave out readings in another order of scopes than the trees have.",
)
@reading_options
@path_option
@json_option
def command(
    sentences: tuple[str, ...],
    pairs: Path | None,
    scope: str,
    uses: str | None,
    theory: str | None,
    guess: bool,
    lexicon: Path | None,
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Label a pair of sentences: 'Emma managed to sing.' 'Emma sang.' The last sentence is the hypothesis.

    There is a label only where all readings agree; else the labels are printed by reading, or what could not be read.
    Nothing is guessed. Exit code 1: there is no label.
    """
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.label import Decider
    from gramprobe.interpret.pairs import labelled

    if (pairs is None) == (len(sentences) < 2):
        raise UsageError(
            "give a premise and a hypothesis, or a file with --pairs", "the last sentence is the hypothesis"
        )
    reader = reader_of(path, uses, theory, guess, lexicon)
    missing = 0
    with kept_verdicts() as kept:
        decider = Decider(kept=kept, dependence=pairs is None)
        for before, last in [(sentences[:-1], sentences[-1])] if pairs is None else _read(pairs):
            found = labelled(before, last, reader, decider, scope == "surface")
            missing += found.label is None
            _print(found, as_json, pairs is not None, reader)
    return 1 if missing else 0


def _read(path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """The pairs of a file. Raises UsageError for one that cannot be read."""
    from gramprobe.formats.nli import sentences

    columns = ("premise", "hypothesis")
    for _, row in sentences(path, columns, columns, "a file of pairs"):
        yield (row["premise"],), row["hypothesis"]


def _hinted(found: Labelled) -> tuple[str, str]:
    """Why a pair has no label, and what is wrong with its sentence that has no tree, as `parse` says; both may be
    empty."""
    from gramprobe.interpret.pairs import explained, unread

    bad = next((each for each in found.sentences if unread(each)), None)
    if bad is None or found.reader is None or found.why != unread(bad):
        return found.why, ""
    why, broken = explained(bad, found.reader)
    return why, broken.text


def _print(found: Labelled, as_json: bool, in_lines: bool, reader: Reader) -> None:
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.readings import LabelOfSentences, of_readings

        by_reading = of_readings(found)
        data = {"label": found.label, "why": found.why, "sentences": found.sentences, "by_reading": by_reading}
        if not in_lines:
            data["why"], data["hint"] = _hinted(found)
            for one, each in zip(by_reading, found.by_reading, strict=True):
                one["in_sentences"] = _in_sentences(each, found, found.reader or reader)
        click.echo(answer(LabelOfSentences, data, ascii_only=False, indent=None if in_lines else 2))
        return
    if in_lines:
        *premises, hypothesis = (" ".join(each.text.split()) for each in found.sentences)
        guessed = f"guessed: {'; '.join(found.guessed)}" if found.guessed else ""
        click.echo("\t".join((found.label or "-", " ".join(premises), hypothesis, found.why or guessed)))
        return
    click.echo(found.label or "no label")
    for line in filter(None, _hinted(found)):
        click.echo(f"  {line}")
    for word in found.guessed:
        click.echo(f"  guessed: {word}")
    for each in found.by_reading:
        verdict = each.decision.verdict
        click.echo(f"\n{verdict.label}   (certificate {verdict.kind}, shape {each.decision.shape.id})")
        for reading in each.premises:
            click.echo(f"  premise     {reading.formula}")
        click.echo(f"  hypothesis  {each.hypothesis.formula}")
        if each.decision.rests_on_text:
            click.echo(f"  rests on {each.decision.rests_on_text}")
        told = _in_sentences(each, found, found.reader or reader)
        for line in told:
            click.echo(fill(line, WIDTH, initial_indent="  ", subsequent_indent="     ", break_on_hyphens=False))
        if not told:
            _print_model(each.decision)


def _in_sentences(each: LabelOfReadings, found: Labelled, reader: Reader) -> list[str]:
    """The label of some readings as a proof in sentences, or its models as stories; empty where there are none."""
    from gramprobe.catalog.terms import tree_of
    from gramprobe.source.diagnostic import AuthoringError
    from gramprobe.telling.teller import Teller

    trees = []
    for reading in (*each.premises, each.hypothesis):
        try:
            trees.append(tree_of(reading.term, reader.grammar))
        except AuthoringError:  # something in it is open
            continue
    teller = Teller(
        trees, reader.grammar, reader.theory, reader.symbols, is_read=lambda text: bool(reader.read(text).readings)
    )
    premises = " ".join(read.text for read in found.sentences[:-1])
    return teller.told(each.said, each.hypothesis.reading.formula, each.decision, premises)


def _print_model(decision: object) -> None:
    """A model in which the premise holds and the hypothesis does not, where there is one."""
    from gramprobe.decide.verdict import Decision
    from gramprobe.explain.words import described

    assert isinstance(decision, Decision)
    against = next((value for value in ("F", "U") if value in decision.verdict.models), None)
    if decision.verdict.label != "neutral" or against is None:
        return
    click.echo(
        f"  a model in which the premise holds and the hypothesis is {'false' if against == 'F' else 'undefined'}:"
    )
    for line in described(decision.model(against)):
        click.echo(f"    {line}")
