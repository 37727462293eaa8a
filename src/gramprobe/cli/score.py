"""`gramprobe score`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from gramprobe.cli.main import address_option, engine_option, json_option
from gramprobe.cli.status import progress
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.score.record import Run


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--model",
    required=True,
    metavar="DIR|ID",
    help="A folder with a model, an id of the Hugging Face hub, a model's name at --endpoint, or a baseline: "
    "rule:NAME, reader:NAME, vectors:PLACE, ngram:FILE.",
)
@click.option("--revision", metavar="COMMIT", help="Which revision of a model on the hub.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR",
    help="The folder of scores. Default: scores/<dataset>--<model>--<mode>.",
)  # fmt: skip
@click.option(
    "--mode",
    metavar="M",
    help="nli, continuation, choice, coref, minimal_pair, surprisal, prompted or true_false. Default: as the task.",
)
@click.option("--task", metavar="TASK", help="The task of a plain file (CSV, TSV, JSON lines).")
@click.option(
    "--instances", "--total", "total", type=click.IntRange(min=1), metavar="N",
    help="How many instances are scored, each with all its items, over the whole set in proportion.",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Which of them are taken.")
@click.option("--resume", is_flag=True, help="Go on with a run that was not finished.")
@click.option("--shuffle-words", is_flag=True, help="A control: the words of every text in an order drawn with --seed.")
@click.option("--skip-refused", is_flag=True, help="Mark items that cannot be scored instead of stopping.")
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N",
    help="Processes, each with the model. Default: 1; with --engine ray as many as the cluster has room for.",
)  # fmt: skip
@engine_option
@address_option
@click.option("--threads", default=1, show_default=True, type=click.IntRange(min=1), help="Threads of each process.")
@click.option("--device", default="cpu", show_default=True, metavar="NAME", help="cpu, cuda, cuda:1, mps.")
@click.option(
    "--dtype", default="float32", show_default=True,
    type=click.Choice(["float32", "float64", "bfloat16", "float16", "int8"]), help="The precision of forward passes.",
)  # fmt: skip
@click.option(
    "--batch-tokens", type=click.IntRange(min=1), metavar="N",
    help="Tokens in a forward pass, padding included. Default: 2048, on other devices than the CPU 16384.",
)  # fmt: skip
@click.option(
    "--endpoint", default="", metavar="URL",
    help="An OpenAI-compatible endpoint (https://HOST/v1) that has the model; the key is in $GRAMPROBE_API_KEY.",
)  # fmt: skip
@click.option(
    "--in-flight", default=8, show_default=True, type=click.IntRange(min=1), help="endpoint: requests at once."
)
@click.option(
    "--rate", default=0.0, type=click.FloatRange(min=0), metavar="N", help="endpoint: requests a minute at most."
)
@click.option(
    "--retries", default=6, show_default=True, type=click.IntRange(min=0), help="endpoint: tries after the first."
)
@click.option(
    "--timeout", default=60.0, show_default=True, type=click.FloatRange(min=0, min_open=True), help="endpoint: seconds."
)
@click.option("--estimate", is_flag=True, help="endpoint: say how many requests and tokens it takes, and ask nothing.")
@click.option("--labels", metavar="L1,L2,...", help="nli: the names of the model's labels, in its order.")
@click.option(
    "--prompt", default="auto", show_default=True, type=click.Choice(["auto", "completion", "chat"]),
    help="choice, prompted, true_false: as a text or as messages; auto: messages if the model has a template.",
)  # fmt: skip
@click.option("--prompts", type=click.Path(path_type=Path), metavar="FILE.toml", help="prompted: prompts of your own.")
@click.option(
    "--shots", default=0, show_default=True, type=click.IntRange(min=0), metavar="N",
    help="prompted: answered items before each question; their instances are not scored.",
)  # fmt: skip
@click.option(
    "--bos", default="auto", show_default=True, type=click.Choice(["auto", "always", "never"]),
    help="What stands before a text: auto: what the tokenizer puts there, and something before a text without context.",
)  # fmt: skip
@click.option(
    "--pll", default="word_l2r", show_default=True, type=click.Choice(["word_l2r", "original"]),
    help="Masked models: whether the later tokens of a word are masked with each token.",
)  # fmt: skip
@click.option(
    "--bow-correction", is_flag=True, help="surprisal: include in a region that it ends (Pimentel & Meister 2024)."
)
@click.option(
    "--order", "ngram", default=3, show_default=True, type=click.IntRange(min=1, max=9), metavar="N",
    help="ngram: the length of the longest n-grams.",
)  # fmt: skip
@json_option
def command(
    dataset: Path,
    out: Path | None,
    prompts: Path | None,
    labels: str | None,
    workers: int | None,
    batch_tokens: int | None,
    estimate: bool,
    as_json: bool,
    **settings: Any,  # the other options: fields of the order
) -> int:
    """Score a dataset with a language model, and print what the scores say by condition.

    DATASET is a folder that `build` wrote, or a plain file with --task. The scores are a folder that
    `gramprobe.read_scores` reads. An interrupted run goes on with --resume.
    """
    from gramprobe.dataset.agreement import check_labels
    from gramprobe.finetune.results import check_trained
    from gramprobe.formats.record import check_exported
    from gramprobe.score.job import configured, open_source, selection_of
    from gramprobe.score.modes import chosen
    from gramprobe.score.order import RunOrder
    from gramprobe.score.results import read_scores
    from gramprobe.score.run import estimated, score
    from gramprobe.score.source import SHARD, DatasetSource
    from gramprobe.score.summary import as_text, remarks, summary

    endpoint, engine = settings["endpoint"], settings["engine"]
    order = RunOrder(
        source=str(dataset),
        out=str(out or ""),
        labels=tuple(name.strip() for name in labels.split(",")) if labels else (),
        prompts=str(prompts or ""),
        batch_tokens=batch_tokens or (2048 if settings["device"].startswith("cpu") else 16384),
        workers=workers or (0 if engine == "ray" else 1),
        shard=ENDPOINT_SHARD if endpoint else SHARD,
        **settings,
    )
    if dataset.is_file():
        check_exported(dataset)
    source = open_source(order)
    if isinstance(source, DatasetSource):
        check_labels(source.dataset)
    if not endpoint:
        check_trained(order.model)
    picked, tables = chosen(order.mode, dict(source.tables))
    if out is None:
        shuffled = "--shuffled" if order.shuffle_words else ""
        out = Path("scores") / f"{_stem(dataset)}--{_stem(Path(order.model))}--{picked.name}{shuffled}"
    order = msgspec.structs.replace(order, out=str(out))
    if endpoint:
        requests, tokens = estimated(order, source)
        about = f"{requests:,} requests, some {tokens:,} tokens, to {endpoint}"
        click.echo(about, err=not estimate)
    if estimate:
        if not endpoint:
            raise UsageError("--estimate is for --endpoint", "a model on this machine costs nothing but time")
        return 0
    try:
        with progress(not as_json) as listener:
            run = score(order, listener)
    except KeyboardInterrupt:
        click.echo(f"the scores so far stay in {out}: go on with --resume", err=True)
        raise
    shown, held_out = configured(order, source, picked, tables, chat=False)
    scores = read_scores(out)
    lines = summary(scores, selection_of(order, source, shown, tables, held_out), shown)
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.scores import ScoredFolder

        data = {"folder": str(out), "run": msgspec.to_builtins(run), "summary": msgspec.to_builtins(lines)}
        click.echo(answer(ScoredFolder, data, ascii_only=False))
        return 0
    _print(run, out, as_text(lines))
    for remark in remarks(scores) if endpoint else ():
        click.echo(f"  {remark}")
    return 0


ENDPOINT_SHARD = 64
"""Items of a shard that an endpoint answers: what is asked again after a failure."""


def _stem(place: Path) -> str:
    """The name of a folder or file, without a suffix of data."""
    name = place.resolve().name
    return name.rpartition(".")[0] if place.suffix.lower() in (".csv", ".tsv", ".jsonl") else name


def _print(run: Run, out: Path, table: str) -> None:
    session = run.sessions[-1]
    click.echo(table)
    refused = f", {run.refused:,} refused (see `flags`)" if run.refused else ""
    items = f"{run.items:,} item{'' if run.items == 1 else 's'}{refused}"
    click.echo(f"{out}: {items}, mode {run.settings.mode}, {session.seconds:.1f} seconds")
    sure = session.found.get("sure_pairs")
    if sure and not sure["right"]:
        click.echo(f"  the model labels none of {sure['of']} sure pairs rightly: are its labels in this order?")
