"""`gramprobe exposure`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click
from msgspec import structs

from gramprobe.cli.main import json_option
from gramprobe.source.diagnostic import UsageError


@click.command()
@click.option(
    "--corpus", type=click.Path(path_type=Path), metavar="FILE", required=True,
    help="Pairs with labels: .csv, .tsv, .txt or .jsonl with premise, hypothesis, label, or MultiNLI's own columns.",
)  # fmt: skip
@click.option(
    "--verbs", type=click.Path(path_type=Path), metavar="FILE.tsv",
    help="Verbs in the place of the lexicon's: a table with id, base, s, past, en, ing, factive.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Also write tables and figures there, in a folder `exposure`.",
)  # fmt: skip
@json_option
def command(corpus: Path, verbs: Path | None, out: Path | None, as_json: bool) -> int:
    """Count verbs that embed clauses in a training corpus, and the labels of their pairs.

    After Cohen (2021), Figure 2 and Table 1: has a model seen `know that` and `think that`, and does a label go with
    them? See docs/analysis.md. --out needs the extra `analysis`: pip install 'gramprobe[analysis]'.
    """
    if out is not None and find_spec("matplotlib") is None:
        help = "install the extra: pip install 'gramprobe[analysis]'"
        raise UsageError("`gramprobe exposure --out` needs matplotlib", help)
    from gramprobe.analysis.output.folder import write
    from gramprobe.analysis.papers.exposure import count, findings
    from gramprobe.baselines import verbs as tables
    from gramprobe.formats import pairs

    exposure = count(pairs(corpus), tables.shipped() if verbs is None else tables.merged(tables.read(verbs)))
    if not exposure.pairs:
        raise UsageError(f"{corpus.name}: no pair has a label", "give a corpus with labels", "E46")
    found = findings(exposure, corpus.name)
    written = [] if out is None else write(found, out)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.exposures import Exposed

        data = {"corpus": str(corpus), **structs.asdict(exposure), "written": [str(path) for path in written]}
        click.echo(answer(Exposed, data, ascii_only=False))
        return 0
    from gramprobe.analysis.output.writers import text

    lines = [f"warning: {warning}\n" for warning in found.warnings]
    lines += [text(table) for table in found.tables]
    lines += [f"not shown: {sentence}" for sentence in found.omitted]
    click.echo("\n".join(lines).rstrip())
    if out is not None:
        click.echo(f"\n{out}: {len(written)} files")
    return 0
