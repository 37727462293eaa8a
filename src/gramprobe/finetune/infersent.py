"""Train a classifier of InferSent's form (Conneau et al. 2017) on a corpus of pairs -> a folder that `score` reads.

The form is that of the paper, not its training, which is made for half a million pairs: here it is Adam with one rate,
gradients cut to a norm of 5, the pairs in a new order each epoch, and the weights of the epoch with the best accuracy
on held-out pairs (the first of those). The layer behind the features has a tanh.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from gramprobe import __version__
from gramprobe.dataset.manifest import MANIFEST, sha256_of
from gramprobe.finetune.examples import TRAIN, VALIDATION, opened
from gramprobe.formats.nli import Pair, pairs
from gramprobe.score.engines.infersent import Lexicon, Shape, logits, network
from gramprobe.score.request import THREE, TWO
from gramprobe.source import messages

RECORD = "infersent.json"
HELD_OUT = 10
"""Without a corpus to validate on, each so manieth pair is held out."""
NORM = 5.0
"""The largest norm of a gradient."""
Show = Callable[[str, int, int], None]


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What shall be trained.

    Attributes:
        corpora: files of pairs, or folders of datasets, whose rows of the split `train` are taken.
        out: the folder of the trained model.
        validation: files or datasets to validate on; empty: a tenth of the pairs, or a dataset's own split.
        vectors: a text file of word vectors or a folder of a model, fixed while training; empty: vectors are learned.
        dimensions: of vectors that are learned.
        hidden: of each direction of the BiLSTM.
        head: of the hidden layer.
        epochs: at most.
        batch: pairs in a step.
        rate: the learning rate.
        seed: of the first weights, the held-out pairs and the order of pairs.
        threads: on the CPU.
    """

    corpora: tuple[str, ...]
    out: str
    validation: tuple[str, ...] = ()
    vectors: str = ""
    dimensions: int = 100
    hidden: int = 256
    head: int = 512
    epochs: int = 20
    batch: int = 64
    rate: float = 0.001
    seed: int = 0
    threads: int = 1


class Epoch(msgspec.Struct, frozen=True, kw_only=True):
    """One epoch: the mean loss while it trained, in nats, and the accuracy on held-out pairs at its end."""

    epoch: int
    loss: float
    validation: float


class Trained(msgspec.Struct, frozen=True, kw_only=True):
    """The file `infersent.json`: what decided the weights, and how the training went.

    `sources`: name -> SHA-256 of corpora and vectors. `unlabelled`: pairs without a label, which are left out;
    `unknown`: pairs with a sentence of which no word has a vector, also left out. `kept`: the epoch of the weights.
    """

    format: int
    settings: dict[str, Any]
    sources: dict[str, str]
    labels: tuple[str, ...]
    pairs: int
    validation_pairs: int
    unlabelled: int
    unknown: int
    epochs: list[Epoch]
    kept: int
    versions: dict[str, str]
    seconds: float


@dataclass(frozen=True)
class Numbered:
    """Pairs as numbers of vectors, with the number of their label."""

    premises: list[tuple[int, ...]]
    hypotheses: list[tuple[int, ...]]
    labels: list[int]

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, at: Sequence[int]) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], list[int]]:
        """Those at these places."""
        return [self.premises[n] for n in at], [self.hypotheses[n] for n in at], [self.labels[n] for n in at]


def train(order: Order, show: Show = lambda what, done, of: None) -> Trained:
    """Train a model and put its folder in place.

    Raises UsageError: a corpus that cannot be read (E44, E46) or has nothing to train on (E58), vectors (E91), a
    folder that is there (E59); OSError.
    """
    out = Path(order.out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise messages.finetune.folder_in_use(str(out))
    started = time.monotonic()
    found, held, sources = _corpora(order)
    unlabelled = sum(pair.label is None for pair in [*found, *held])
    labels = TWO if any(pair.label == "not_entailment" for pair in [*found, *held]) else THREE
    lexicon, matrix = _lexicon(order, found, sources)
    own, others = (_numbered(every, lexicon, labels) for every in (found, held))
    unknown = len(found) + len(held) - unlabelled - len(own) - len(others)
    names = " and ".join(Path(corpus).name for corpus in order.corpora)
    for rows, what in ((own, "to train on"), (others, "to validate on")):
        if not rows:
            raise messages.finetune.unusable_data(
                names, f"it has no labelled pair {what}", "give pairs with labels and with words that have vectors"
            )
    shape = Shape(
        words=len(matrix), dimensions=matrix.shape[1], hidden=order.hidden, head=order.head, labels=labels
    )  # fmt: skip
    state, epochs, kept = _trained(order, shape, matrix, own, others, show)
    record = Trained(
        format=1,
        settings={k: v for k, v in msgspec.to_builtins(order).items() if k not in _PLACES},
        sources=sources,
        labels=labels,
        pairs=len(own),
        validation_pairs=len(others),
        unlabelled=unlabelled,
        unknown=unknown,
        epochs=epochs,
        kept=kept,
        versions={"gramprobe": __version__, **{name: version(name) for name in ("torch", "numpy", "safetensors")}},
        seconds=round(time.monotonic() - started, 1),
    )
    _write(out, shape, lexicon, state, record)
    return record


_PLACES = ("corpora", "out", "validation", "vectors", "threads")
"""Of an order, what is no setting: places, which the record names by the hashes of their files, and threads."""


def _corpora(order: Order) -> tuple[list[Pair], list[Pair], dict[str, str]]:
    """Pairs to train on, pairs that are held out, and the hashes of their files."""
    sources: dict[str, str] = {}
    found = [pair for corpus in order.corpora for pair in _pairs(corpus, TRAIN, sources)]
    if order.validation:
        return found, [pair for corpus in order.validation for pair in _pairs(corpus, VALIDATION, sources)], sources
    if all(_is_dataset(corpus) for corpus in order.corpora):
        held = [pair for corpus in order.corpora for pair in _pairs(corpus, VALIDATION, sources)]
        if held:
            return found, held, sources
    chosen = set(np.random.default_rng(order.seed).permutation(len(found))[::HELD_OUT].tolist())
    return (
        [pair for n, pair in enumerate(found) if n not in chosen],
        [pair for n, pair in enumerate(found) if n in chosen],
        sources,
    )


def _is_dataset(place: str) -> bool:
    return Path(place).is_dir() or (not Path(place).is_file() and (Path(place).parent / MANIFEST).is_file())


def _pairs(place: str, split: str, sources: dict[str, str]) -> Iterator[Pair]:
    """The pairs of a file, or those of a split of a dataset."""
    if not _is_dataset(place):
        yield from pairs(Path(place))
        sources[Path(place).name] = sha256_of(Path(place))
        return
    part = opened(place)
    sources[part.source.name] = part.source.sha256
    for example in part.split(split):
        yield Pair(example.pair.premise, example.pair.hypothesis, example.label)


def _lexicon(order: Order, found: Sequence[Pair], sources: dict[str, str]) -> tuple[Lexicon, Any]:
    """Words and (words, dimensions) their vectors."""
    from gramprobe.baselines.ngrams import words_of
    from gramprobe.score.engines.vectors import ModelVectors, WordFile, open_vectors

    if not order.vectors:
        words = sorted({word for pair in found for text in pair[:2] for word in words_of(text)})
        random = np.random.default_rng(order.seed)
        return Lexicon(words), random.normal(0, 0.1, (len(words), order.dimensions)).astype(np.float32)
    vectors = open_vectors(order.vectors)
    sources.update(vectors.hashes()["weights"])
    if isinstance(vectors, WordFile):
        return Lexicon(list(vectors.words)), vectors.matrix
    assert isinstance(vectors, ModelVectors)
    return Lexicon(tokenizer=vectors.tokenizer), vectors.matrix


def _numbered(every: Sequence[Pair], lexicon: Lexicon, labels: Sequence[str]) -> Numbered:
    """The pairs with labels; those with a sentence without any vector are left out."""
    found = Numbered([], [], [])
    for premise, hypothesis, label in every:
        if label is None:
            continue
        own = label if label in labels else "not_entailment"
        (one, _), (other, _) = lexicon.numbers(premise), lexicon.numbers(hypothesis)
        if one and other:
            found.premises.append(one)
            found.hypotheses.append(other)
            found.labels.append(labels.index(own))
    return found


def _trained(
    order: Order, shape: Shape, matrix: Any, own: Numbered, others: Numbered, show: Show
) -> tuple[dict[str, Any], list[Epoch], int]:
    """The weights of the best epoch, what each epoch reached, and which it was."""
    import torch

    torch.set_num_threads(order.threads)
    torch.manual_seed(order.seed)
    net = network(shape)
    net["vectors"].weight.data.copy_(torch.from_numpy(matrix))
    net["vectors"].weight.requires_grad_(not order.vectors)
    weights = [weight for weight in net.parameters() if weight.requires_grad]
    optimizer = torch.optim.Adam(weights, lr=order.rate)
    random = np.random.default_rng(order.seed)
    best, kept = -1.0, 0
    state: dict[str, Any] = {}
    epochs: list[Epoch] = []
    steps = -(-len(own) // order.batch)
    for number in range(1, order.epochs + 1):
        net.train()
        turns = random.permutation(len(own)).tolist()
        whole = 0.0
        for step in range(steps):
            premises, hypotheses, labels = own.batch(turns[step * order.batch : (step + 1) * order.batch])
            loss = torch.nn.functional.cross_entropy(logits(net, premises, hypotheses), torch.tensor(labels))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, NORM)
            optimizer.step()
            whole += float(loss.detach()) * len(labels)
            show(f"epoch {number}", (number - 1) * steps + step + 1, order.epochs * steps)
        right = accuracy(net, others)
        epochs.append(Epoch(epoch=number, loss=whole / len(own), validation=right))
        if not np.isfinite(whole):
            raise messages.finetune.not_a_number(number, order.rate / 10)
        if right > best:
            best, kept = right, number
            state = {name: value.detach().clone() for name, value in net.state_dict().items()}
    return state, epochs, kept


def accuracy(net: Any, rows: Numbered) -> float:
    """The share of pairs whose label is the likeliest."""
    import torch

    net.eval()
    right = 0
    with torch.inference_mode():
        for start in range(0, len(rows), 64):
            premises, hypotheses, labels = rows.batch(range(start, min(start + 64, len(rows))))
            right += int((logits(net, premises, hypotheses).argmax(dim=1) == torch.tensor(labels)).sum())
    return right / len(rows)


def _write(out: Path, shape: Shape, lexicon: Lexicon, state: dict[str, Any], record: Trained) -> None:
    """Put the folder in place whole."""
    from safetensors.torch import save_file

    out.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        save_file(state, new / "model.safetensors")
        (new / "config.json").write_text(json.dumps(shape.config(), indent=1) + "\n", "utf-8")
        (new / RECORD).write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
        lexicon.write(new)
        new.chmod(0o755)
        if out.is_dir():
            out.rmdir()
        os.replace(new, out)
    finally:
        shutil.rmtree(new, ignore_errors=True)
