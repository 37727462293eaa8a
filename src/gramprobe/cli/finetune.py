"""`gramprobe finetune`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from gramprobe.cli.main import json_option
from gramprobe.cli.status import progress
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.finetune.order import TrainingOrder
    from gramprobe.finetune.record import Training


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--model", required=True, metavar="DIR|ID", help="A folder with a model, or an id of the Hugging Face hub."
)
@click.option("--revision", metavar="COMMIT", help="Which revision of a model on the hub.")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The trained model.")
@click.option(
    "--seeds",
    default="0",
    show_default=True,
    metavar="S1,S2,...",
    help="A training for each; several: DIR/seed-S1, ...",
)
@click.option(
    "--sizes", metavar="N1,N2,...", help="A training on so many instances each (`all`: all); several: DIR/size-N1, ..."
)
@click.option("--epochs", default=5, show_default=True, type=click.IntRange(min=1), help="How often each pair is seen.")
@click.option("--batch", default=8, show_default=True, type=click.IntRange(min=1), help="Pairs in a step.")
@click.option(
    "--rate", type=click.FloatRange(min=0, min_open=True), metavar="X",
    help="The learning rate at the first step. Default: 0.00005, for a new head 0.0001.",
)  # fmt: skip
@click.option(
    "--new-head", is_flag=True, help="Make a head for the labels, of random weights, for a model without one."
)
@click.option("--labels", metavar="L1,L2,...", help="The names of the outputs of the model's head, in its order.")
@click.option(
    "--two-labels", type=click.Choice(["neutral", "two_class"]),
    help="Tell only entailment and its absence apart: the absence counts as neutral, or the head has two classes.",
)  # fmt: skip
@click.option(
    "--test",
    "tests",
    multiple=True,
    metavar="DATASET[/PARADIGM]",
    help="Rows to test the trained model on; repeatable.",
)
@click.option("--disjoint-words", is_flag=True, help="Refuse training rows that share a word with those to test on.")
@click.option("--resume", is_flag=True, help="Go on with what was not finished.")
@click.option("--threads", default=1, show_default=True, type=click.IntRange(min=1), help="Threads on the CPU.")
@click.option("--device", default="cpu", show_default=True, type=click.Choice(["cpu", "cuda", "mps"]))
@click.option(
    "--matmul", default="highest", show_default=True, type=click.Choice(["highest", "high", "medium"]),
    help="How exact products of float32 matrices are, in torch's words; less exact is faster.",
)  # fmt: skip
@json_option
def command(
    dataset: Path,
    out: Path,
    seeds: str,
    sizes: str | None,
    labels: str | None,
    as_json: bool,
    **settings: Any,  # the other options: fields of the order
) -> int:
    """Train a model on the rows of the split `train` of a dataset, and write a model that `gramprobe score` reads.

    DATASET is a folder that `build` wrote, or FOLDER/PARADIGM. The model must have a head for labels of pairs, or
    --new-head makes one. Training goes on with --resume from the last epoch that was finished.
    """
    from gramprobe.dataset.agreement import check_labels
    from gramprobe.finetune.examples import opened
    from gramprobe.finetune.order import TrainingOrder
    from gramprobe.finetune.results import check_folders, check_trained
    from gramprobe.finetune.run import check_data, finetune

    names = tuple(name.strip() for name in labels.split(",")) if labels else ()
    base = TrainingOrder(source=str(dataset), out=str(out), labels=names, **settings)
    found: list[tuple[Path, Training]] = []
    orders = _orders(base, _numbers("--seeds", seeds), _sizes(sizes))
    check_folders([Path(order.out) for order in orders], base.resume)
    check_trained(base.model)
    for place in (base.source, *base.tests):
        check_labels(opened(place).source.dataset)
    if orders[1:]:
        check_data(orders)
    try:
        with progress(not as_json) as listener:
            for number, order in enumerate(orders, 1):
                listener.before = f"{number} of {len(orders)}: " if orders[1:] else ""
                found.append((Path(order.out), finetune(order, listener)))
    except KeyboardInterrupt:
        click.echo(f"the epochs that were finished stay in {out}: go on with --resume", err=True)
        raise
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.scores import Finetuned

        trainings = [{"folder": str(folder), "training": msgspec.to_builtins(each)} for folder, each in found]
        click.echo(answer(Finetuned, {"folder": str(out), "trainings": trainings}, ascii_only=False))
        return 0
    _print(out, found)
    return 0


def _orders(base: TrainingOrder, seeds: Sequence[int], sizes: Sequence[int | None]) -> list[TrainingOrder]:
    """An order for each size and seed, with a folder of its own where there are several."""
    orders = []
    for size in sizes:
        for seed in seeds:
            parts = [f"size-{size or 'all'}"] if sizes[1:] else []
            parts += [f"seed-{seed}"] if seeds[1:] else []
            out = Path(base.out) / "--".join(parts) if parts else Path(base.out)
            orders.append(msgspec.structs.replace(base, seed=seed, size=size, out=str(out)))
    return orders


def _numbers(option: str, text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() for word in words) or len(set(words)) < len(words):
        raise UsageError(f"`{option} {text}` is no list of different whole numbers", f"as in `{option} 0,1,2`")
    return [int(word) for word in words]


def _sizes(text: str | None) -> list[int | None]:
    if text is None:
        return [None]
    words = [word.strip() for word in text.split(",")]
    numbers = _numbers("--sizes", ",".join(word for word in words if word != "all") or "1")
    if 0 in numbers or words.count("all") > 1:
        raise UsageError(f"`--sizes {text}` is no list of different sizes", "as in `--sizes 100,300,all`")
    return [None if word == "all" else int(word) for word in words]


def _print(out: Path, found: Sequence[tuple[Path, Training]]) -> None:
    """A line for each training, below a heading."""
    _, first = found[0]
    heading = ["training", "instances", "epochs", "loss", "validation", "binary"]
    heading += [name for test in first.tests for name in (test.rows, "binary")]
    lines = [heading]
    for folder, training in found:
        last = training.epochs[-1]
        rights = [last.validation, *(test.all for test in training.tests)]
        cells = [folder.name, f"{training.train.instances:,}", str(last.epoch), f"{last.loss:.3f}"]
        lines.append([*cells, *(f"{n:.3f}" for right in rights for n in (right.accuracy, right.binary_accuracy))])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=True))]
        click.echo("  ".join(cells).rstrip())
    largest = max((training for _, training in found), key=lambda training: training.train.instances)
    for words in largest.words:
        click.echo(f"  {_shared(words.rows, words.shared, words.train, words.unknown, words.same_pairs)}")
    seconds = sum(session.seconds for _, training in found for session in training.sessions)
    click.echo(f"{out}: {first.mapping}, {seconds:,.1f} seconds")


def _shared(rows: str, shared: int, of: int, unknown: Sequence[str], pairs: int) -> str:
    """A sentence about the words that training rows share with others."""
    if unknown:
        said = f"{rows}: whether words are shared is not known (draws: {', '.join(unknown)})"
    elif shared:
        said = f"{rows}: shares {shared:,} of the {of:,} words of the training rows"
    else:
        said = f"{rows}: shares no word with the training rows"
    return f"{said}; {pairs:,} pairs are training pairs too" if pairs else said
