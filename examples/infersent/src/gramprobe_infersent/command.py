"""`gramprobe infersent`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import click

from gramprobe.cli.main import json_option
from gramprobe.cli.status import progress


@click.command()
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS...")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The trained model.")
@click.option(
    "--validation", multiple=True, metavar="CORPUS",
    help="Pairs to validate on; repeatable. Default: a dataset's split `validation`, or a tenth of the pairs.",
)  # fmt: skip
@click.option(
    "--vectors", default="", metavar="FILE|DIR",
    help="Word vectors, which stay as they are: a text file (GloVe), or a model's input embeddings. "
    "Default: vectors are learned.",
)  # fmt: skip
@click.option("--hidden", default=256, show_default=True, type=click.IntRange(min=1), help="Of each direction.")
@click.option("--epochs", default=20, show_default=True, type=click.IntRange(min=1), help="At most.")
@click.option("--batch", default=64, show_default=True, type=click.IntRange(min=1), help="Pairs in a step.")
@click.option(
    "--optimizer", default="sgd", show_default=True, type=click.Choice(["sgd", "adam"]),
    help="sgd: as in the paper, with a rate that falls; adam: one rate, for small corpora.",
)  # fmt: skip
@click.option(
    "--rate", type=click.FloatRange(min=0, min_open=True), metavar="X",
    help="The learning rate of the first epoch. Default: 0.1, for adam 0.001.",
)  # fmt: skip
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Weights, order, held-out pairs."
)
@click.option("--threads", default=1, show_default=True, type=click.IntRange(min=1), help="Threads on the CPU.")
@click.option("--resume", is_flag=True, help="Go on with a training that was not finished.")
@json_option
def command(
    corpora: tuple[str, ...],
    out: Path,
    validation: tuple[str, ...],
    vectors: str,
    hidden: int,
    epochs: int,
    batch: int,
    optimizer: Literal["sgd", "adam"],
    rate: float | None,
    seed: int,
    threads: int,
    resume: bool,
    as_json: bool,
) -> int:
    """Train a classifier of InferSent's form (Conneau et al. 2017) on pairs of sentences with labels.

    CORPUS is a file (CSV, TSV, JSON lines; docs/analysis.md), or a dataset, whose rows of the split `train` are taken.
    `gramprobe score --model infersent:DIR` reads the trained model. Training goes on with --resume from the last epoch
    that was finished.
    """
    from gramprobe.source import messages

    for package in ("torch", "safetensors"):
        if find_spec(package) is None:
            raise messages.packages.lacking("fine-tuning", package, "finetune")
    from gramprobe_infersent.train import InferSentOrder, train

    order = InferSentOrder(
        corpora=corpora, out=str(out), validation=validation, vectors=vectors, hidden=hidden, epochs=epochs,
        batch=batch, optimizer=optimizer, rate=rate, seed=seed, threads=threads, resume=resume,
    )  # fmt: skip
    try:
        with progress(not as_json) as listener:
            record = train(order, listener)
    except KeyboardInterrupt:
        click.echo(f"the epochs that were finished stay in {out}: go on with --resume", err=True)
        raise
    if as_json:
        import msgspec

        from gramprobe.cli.answers.answer import answer
        from gramprobe_infersent.folder import InferSentTrained

        data = {"folder": str(out), "training": msgspec.to_builtins(record)}
        click.echo(answer(InferSentTrained, data, ascii_only=False))
        return 0
    click.echo("epoch  rate      loss   validation")
    for each in record.epochs:
        mark = "  kept" if each.epoch == record.kept else ""
        click.echo(f"{each.epoch:>5}  {each.rate:<8.6f}  {each.loss:.3f}  {each.validation:.3f}{mark}")
    left_out = ""
    if record.unlabelled or record.unknown:
        left_out = f"; left out: {record.unlabelled:,} without a label, {record.unknown:,} without a known word"
    click.echo(f"{out}: {record.pairs:,} pairs, {record.validation_pairs:,} to validate{left_out}")
    return 0
