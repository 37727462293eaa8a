"""`gramprobe audit`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import json_option, path_option, reader_of, reading_options
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean, listed

if TYPE_CHECKING:
    from gramprobe.audit.minimal_pairs import Trees
    from gramprobe.audit.pairs import Audit

SHOWN = 20
GENERIC = "nli"
COLUMNS_OF = "premise=A,hypothesis=B,label=C"


def _assigned(what: str) -> Any:
    """What reads `NAME=VALUE,NAME=VALUE`."""

    def read(_context: click.Context, option: click.Parameter, given: str | None) -> dict[str, str] | None:
        if given is None:
            return None
        pairs = [each.partition("=") for each in given.split(",")]
        wrong = next((f"{name}{sign}{value}" for name, sign, value in pairs if not (name and sign and value)), None)
        if wrong is not None:
            raise UsageError(f"`{wrong}` in {option.opts[0]} is no {what}", f"{option.opts[0]} {option.metavar}")
        return {name.strip(): value.strip() for name, _, value in pairs}

    return read


@click.command()
@click.argument("form", metavar="FORMAT")
@click.argument("files", nargs=-1, metavar="FILE...", type=click.Path(path_type=Path))
@click.option(
    "--columns", callback=_assigned("name with a column"), metavar=COLUMNS_OF,
    help="Of a table (nli): what its three columns are called, if not so; all three are named.",
)  # fmt: skip
@click.option(
    "--labels", callback=_assigned("label of the file with ours"), metavar="0=entailment,...",
    help="Of a table (nli): what it writes for entailment, neutral, contradiction or not_entailment.",
)  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.html", help="Write a page too.")
@reading_options
@path_option
@json_option
def command(
    form: str,
    files: tuple[Path, ...],
    columns: dict[str, str] | None,
    labels: dict[str, str] | None,
    out: Path | None,
    uses: str | None,
    theory: str | None,
    guess: bool,
    lexicon: Path | None,
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Hold published sets against what follows from their sentences: labels, trees, twins, spelling, baselines.

    FORMAT: nli (csv, tsv or jsonl with premise, hypothesis and label, or sentence1, sentence2 and gold_label, or
    --columns), imppres, fracas, med; blimp (which sentences have a tree); or one of an installed package. What cannot
    be read, or has readings with several labels, is counted and left aside. Exit code 1: labels differ, or a worse
    sentence has a tree.
    """
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.label import Decider
    from gramprobe.formats.record import check_exported

    if out is not None:
        from gramprobe.analysis.output.document import BEGINS
        from gramprobe.folders import check_replaced

        check_replaced(out, files, BEGINS.encode())
    for file in files:
        if file.is_file():
            check_exported(file)
    read, labelled = _format(form, files, columns, labels)
    every = [(file, list(read(file))) for file in files]  # before the grammar, which takes a second
    reader = reader_of(path, uses, theory, guess, lexicon)
    from gramprobe.audit.minimal_pairs import trees
    from gramprobe.audit.pairs import audit

    found: dict[str, Audit | Trees] = {}
    with kept_verdicts() as kept:
        decider = Decider(kept=kept)
        for file, pairs in every:
            name = file.name if len({each.name for each in files}) == len(files) else str(file)
            found[name] = audit(pairs, reader, decider) if labelled else trees(pairs, reader)
    if out is not None:
        from gramprobe.audit.page import page

        said = [(option, each) for option, each in (("--uses", uses), ("--theory", theory)) if each is not None]
        grammars = " or ".join(f"`{each}`" for each in ([uses] if uses else ["english", "texts"]))
        how = f"Read with the grammar {grammars}, labelled in the theory `{theory or 'reading'}`."
        call = ["gramprobe", "audit", form, *map(str, files), *(word for each in said for word in each)]
        call += ["--guess"] * guess + (["--lexicon", str(lexicon)] if lexicon else [])
        out.write_text(page(found, how, shlex.join(call)), "utf-8")
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.audits import Audited, of_audits

        click.echo(answer(Audited, of_audits(form, found), ascii_only=False))
    else:
        _print(found)
        if out is not None:
            click.echo(f"\n{out}")
    return 1 if any(made.against for made in found.values()) else 0


def _format(
    form: str, files: Sequence[Path], columns: dict[str, str] | None, labels: dict[str, str] | None
) -> tuple[Callable[[Path], Iterable[Any]], bool]:
    """What reads the files of a format, and whether it gives pairs with labels. Raises UsageError."""
    from gramprobe.formats import audited, nli

    known = audited()
    if form not in known:
        help = f"gramprobe audit FORMAT FILE..., where FORMAT is one of {', '.join(known)}"
        raise UsageError(f"no format of published sets is called `{form}`{did_you_mean(form, known)}", help)
    if not files:
        raise UsageError("no file to audit", f"gramprobe audit {form} FILE...")
    given = [name for name, each in (("--columns", columns), ("--labels", labels)) if each is not None]
    if form != GENERIC:
        if given:
            raise UsageError(f"`{form}` has columns and labels of its own", f"leave out {given[0]}, or read it as nli")
        return known[form].read, known[form].gives == "pairs"
    named, needed = columns or {}, nli.COLUMNS[0]
    odd = next((name for name in named if name not in needed), None)
    if odd is not None or (named and len(named) < len(needed)):
        what = f"`{odd}` is not one of {', '.join(needed)}" if odd else f"--columns names {listed(named)} alone"
        raise UsageError(what, f"name all three: --columns {COLUMNS_OF}")
    meant = next((label for label in (labels or {}).values() if label not in nli.KNOWN), None)
    if meant is not None:
        raise UsageError(f"`{meant}` in --labels is no label", f"the labels are {', '.join(nli.KNOWN)}")
    own = [named[name] for name in needed] if named else None
    return (lambda file: nli.read(file, own, labels or {})), True


def _print(found: Mapping[str, Audit | Trees]) -> None:
    """The tables of each file, and the first pairs that differ."""
    from gramprobe.analysis.output.writers import text
    from gramprobe.audit.tables import tables_of, twins_of

    for name, made in found.items():
        click.echo(f"{name}\n")
        click.echo("\n".join(text(table.without("about")) for table in tables_of(made)))
        for line in twins_of(made):
            click.echo(line)
        for each in made.against[:SHOWN]:
            click.echo(f"\n{each.place}: {each.heading}")
            for line in each.lines:
                click.echo(f"  {line}")
        if len(made.against) > SHOWN:
            rows = listed((str(each.row) for each in made.against[SHOWN:]), SHOWN)
            click.echo(f"\nand {len(made.against) - SHOWN:,} more, which --json and --out have: rows {rows}")
