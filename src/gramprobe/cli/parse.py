"""`gramprobe parse`."""

from __future__ import annotations

from pathlib import Path

import click

from gramprobe.cli.main import json_option, path_option, reader_of, reading_options


@click.command()
@click.argument("sentence")
@reading_options
@path_option
@json_option
def command(
    sentence: str,
    uses: str | None,
    theory: str | None,
    guess: bool,
    lexicon: Path | None,
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Print the readings of a sentence with their logical forms: 'Every farmer owns a dog.'

    Trees that mean the same are one reading, printed with the smallest of them, which `gramprobe say` takes. A `scope`
    reading has operators in another order than the words. Exit code 1: the sentence cannot be read; of one without a
    tree, the constraint that it breaks is named.
    """
    from gramprobe.interpret.pairs import explained

    read, reader = reader_of(path, uses, theory, guess, lexicon).parsed(sentence)
    why, broken = explained(read, reader)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.readings import Parsed

        found = {
            "sentence": read,
            "broken": broken.places,
            "repaired": broken.repaired,
            "without": broken.without,
            "rest": broken.rest,
        }
        click.echo(answer(Parsed, found, ascii_only=False))
        return 0 if read.readings else 1
    for each in read.readings:
        click.echo(f"{each.kind:<6} {each.formula}\n       {each.term}")
        for word in each.guessed:
            click.echo(f"       guessed: {word}")
        for operator in reader.undeclared(each):
            click.echo(f"       theory {reader.theory.name} declares no operator `{operator}`: no label rests on it")
    if read.readings:
        rest = "" if read.whole else "; there are more"
        every = ((read.trees, "tree"), (len(read.readings), "reading"))
        click.echo(", ".join(f"{count:,} {what}{'s' * (count != 1)}" for count, what in every) + rest)
        return 0
    if len(reader.grammar.language.sentences(sentence)) > 1:
        click.echo("`parse` takes one sentence, and these are several: give it one at a time", err=True)
        return 1
    click.echo(why, err=True)
    if broken.text:
        click.echo(broken.text, err=True)
    return 1
