"""Train a classifier of InferSent's form (Conneau et al. 2017) on a corpus of pairs -> a folder that `score` reads.

    train(InferSentOrder) -> InferSentTraining

It is trained as in the paper (3.3) and its released code (`train_nli.py`), which say: stochastic gradient descent with
a rate of 0.1, multiplied by 0.99 in each further epoch, and divided by 5 at the end of an epoch that is not better on
the pairs to validate on than all before it; gradients cut to a norm of 5; 64 pairs in a step; at most 20 epochs, and no
further one when the rate has fallen below 0.00001. The weights are those of the best epoch (the first of those).
`adam` is for corpora of some thousand pairs, which have too few steps for that: one rate, and all epochs. The layer
behind the features has a tanh, and the pairs come in a new order each epoch.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from gramprobe import __version__
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.manifest import MANIFEST
from gramprobe.finetune.examples import TRAIN, VALIDATION, opened
from gramprobe.finetune.record import TrainingSession
from gramprobe.formats import pairs
from gramprobe.formats.nli import TWO_WAY, Pair
from gramprobe.records import sha256_of
from gramprobe.source import messages
from gramprobe_infersent.engine import BATCH, Lexicon, Shape, logits, network
from gramprobe_infersent.folder import (
    FORMAT,
    InferSentEpoch,
    InferSentFolder,
    InferSentSettings,
    InferSentTraining,
    Left,
    State,
)

HELD_OUT = 10
"""Without a corpus to validate on, one pair of so many is held out."""
NORM = 5.0
"""The largest norm of a gradient."""
RATES = {"sgd": 0.1, "adam": 0.001}
"""Optimizer -> the learning rate of the first epoch, by default."""
DECAY, SHRINK, SMALLEST = 0.99, 5.0, 1e-5
"""Of `sgd`: what multiplies the rate in each further epoch, what divides it after an epoch that is not the best, and
the rate below which no epoch begins."""
Show = Callable[[str, int, int], None]


class InferSentOrder(msgspec.Struct, frozen=True, kw_only=True):
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
        optimizer: `sgd`, as in the paper, or `adam`.
        rate: the learning rate of the first epoch; None: that of `RATES`.
        seed: of the first weights, the held-out pairs and the order of pairs.
        threads: on the CPU.
        resume: whether to go on with a training that is there.
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
    optimizer: Literal["sgd", "adam"] = "sgd"
    rate: float | None = None
    seed: int = 0
    threads: int = 1
    resume: bool = False

    @property
    def learning_rate(self) -> float:
        """The learning rate of the first epoch."""
        return self.rate or RATES[self.optimizer]


@dataclass
class Sources:
    """The hashes of the files that a training reads, by name."""

    corpora: dict[str, str] = field(default_factory=dict)
    validation: dict[str, str] = field(default_factory=dict)
    vectors: dict[str, str] = field(default_factory=dict)


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


def train(order: InferSentOrder, show: Show = lambda what, done, of: None) -> InferSentTraining:
    """Train a model into its folder, or go on from the last finished epoch, and return the record.

    Raises UsageError: a corpus that cannot be read (E44, E46) or has nothing to train on (E58), vectors (E91), a
    folder that is there or has other settings (E59), a loss that is no number (E59); OSError.
    """
    store = InferSentFolder(Path(order.out), order.resume)
    started = time.monotonic()
    sources = Sources()
    found, held = _corpora(order, sources)
    unlabelled = sum(pair.label is None for pair in [*found, *held])
    labels = TWO_WAY if any(pair.label == "not_entailment" for pair in [*found, *held]) else LABELS
    lexicon, matrix = _lexicon(order, found, sources)
    own, others = (_numbered(every, lexicon, labels) for every in (found, held))
    unknown = len(found) + len(held) - unlabelled - len(own) - len(others)
    names = " and ".join(Path(corpus).name for corpus in order.corpora)
    for rows, what in ((own, "to train on"), (others, "to validate on")):
        if not rows:
            raise messages.finetune.unusable_data(
                names,
                f"it has no labelled pair {what}",
                "give more pairs with labels, and with words that have vectors",
            )
    shape = Shape(
        words=len(matrix), dimensions=matrix.shape[1], hidden=order.hidden, head=order.head, labels=labels
    )  # fmt: skip
    with store:
        begun = store.begin(_settings(order, sources, shape))
        if store.before is not None:
            return store.before
        from_epoch = len(begun.left.epochs) if begun else 0
        training = _Training(order, shape, matrix)
        if begun is not None:
            training.go_on(begun, own)
        training.run(own, others, store, show)
        session = TrainingSession(
            gramprobe=__version__,
            versions={name: version(name) for name in ("torch", "numpy", "safetensors")},
            from_epoch=from_epoch,
            threads=order.threads,
            seconds=round(time.monotonic() - started, 1),
        )
        record = InferSentTraining(
            format=FORMAT,
            settings=_settings(order, sources, shape),
            labels=list(labels),
            pairs=len(own),
            validation_pairs=len(others),
            unlabelled=unlabelled,
            unknown=unknown,
            epochs=training.epochs,
            kept=training.kept,
            sessions=[session],
        )
        store.end(_files(shape, lexicon, training.whole()), record)
    return record


def _settings(order: InferSentOrder, sources: Sources, shape: Shape) -> InferSentSettings:
    return InferSentSettings(
        corpora=sources.corpora,
        validation=sources.validation,
        vectors=sources.vectors,
        dimensions=shape.dimensions,
        hidden=order.hidden,
        head=order.head,
        epochs=order.epochs,
        batch=order.batch,
        optimizer=order.optimizer,
        rate=order.learning_rate,
        seed=order.seed,
    )


def _corpora(order: InferSentOrder, sources: Sources) -> tuple[list[Pair], list[Pair]]:
    """Pairs to train on, and pairs that are held out."""
    found = [pair for corpus in order.corpora for pair in _pairs(corpus, TRAIN, sources.corpora)]
    if order.validation:
        return found, [pair for corpus in order.validation for pair in _pairs(corpus, VALIDATION, sources.validation)]
    if all(_is_dataset(corpus) for corpus in order.corpora):
        held = [pair for corpus in order.corpora for pair in _pairs(corpus, VALIDATION, {})]
        if held:
            return found, held
    chosen = set(np.random.default_rng(order.seed).permutation(len(found))[::HELD_OUT].tolist())
    return (
        [pair for n, pair in enumerate(found) if n not in chosen],
        [pair for n, pair in enumerate(found) if n in chosen],
    )


def _is_dataset(place: str) -> bool:
    return Path(place).is_dir() or (not Path(place).is_file() and (Path(place).parent / MANIFEST).is_file())


def _pairs(place: str, split: str, sources: dict[str, str]) -> Iterator[Pair]:
    """The pairs of a file, or those of a split of a dataset."""
    if not _is_dataset(place):
        yield from pairs(Path(place))
        sources[_free(Path(place).name, sources)] = sha256_of(Path(place))
        return
    part = opened(place)
    if split == TRAIN and not any(part.source.dataset.splits(table).get(TRAIN) for table in part.tables):
        raise messages.finetune.no_split(part.name, TRAIN)
    sources[_free(part.name, sources)] = part.source.sha256
    for example in part.split(split):
        yield Pair(example.pair.premise, example.pair.hypothesis, example.label)


def _free(name: str, taken: dict[str, str]) -> str:
    """A name that is not taken: files of two folders may have one name."""
    return next(each for each in chain([name], (f"{name} ({n})" for n in count(2))) if each not in taken)


def _lexicon(order: InferSentOrder, found: Sequence[Pair], sources: Sources) -> tuple[Lexicon, Any]:
    """Words and (words, dimensions) their vectors."""
    from gramprobe.baselines.ngrams import words_of
    from gramprobe.score.engines.vectors import ModelVectors, WordFile, open_vectors

    if not order.vectors:
        words = sorted({word for pair in found for text in pair[:2] for word in words_of(text)})
        random = np.random.default_rng(order.seed)
        return Lexicon(words), random.normal(0, 0.1, (len(words), order.dimensions)).astype(np.float32)
    vectors = open_vectors(order.vectors)
    sources.vectors.update(vectors.hashes()["weights"])
    if isinstance(vectors, WordFile):
        return Lexicon(list(vectors.words)), vectors.matrix
    assert isinstance(vectors, ModelVectors)
    return Lexicon(tokenizer=vectors.tokenizer), vectors.matrix


def _numbered(every: Sequence[Pair], lexicon: Lexicon, labels: Sequence[str]) -> Numbered:
    """The pairs with labels; those with a sentence without any vector are left out."""
    found = Numbered([], [], [])
    for premise, hypothesis, label, *_ in every:
        if label is None:
            continue
        own = label if label in labels else "not_entailment"
        (one, _), (other, _) = lexicon.numbers(premise), lexicon.numbers(hypothesis)
        if one and other:
            found.premises.append(one)
            found.hypotheses.append(other)
            found.labels.append(labels.index(own))
    return found


class _Training:
    """A network while it is trained.

    Attributes:
        epochs: what each finished epoch reached.
        kept: the best of them, whose weights are `best`.
        best: name -> weights. Vectors that stay as they are, are not among them.
    """

    def __init__(self, order: InferSentOrder, shape: Shape, matrix: Any) -> None:
        import torch

        self.order = order
        torch.set_num_threads(order.threads)
        torch.manual_seed(order.seed)
        self.net = network(shape)
        self.net["vectors"].weight.data.copy_(torch.from_numpy(matrix))
        self.net["vectors"].weight.requires_grad_(not order.vectors)
        self.weights = {name: weight for name, weight in self.net.named_parameters() if weight.requires_grad}
        every = list(self.weights.values())
        self.optimizer: Any = (
            torch.optim.SGD(every, lr=order.learning_rate)
            if order.optimizer == "sgd"
            else torch.optim.Adam(every, lr=order.learning_rate)
        )
        self.random = np.random.default_rng(order.seed)
        self.epochs: list[InferSentEpoch] = []
        self.kept = 0
        self.best: dict[str, Any] = {}

    @property
    def rate(self) -> float:
        """The learning rate."""
        return float(self.optimizer.param_groups[0]["lr"])

    @rate.setter
    def rate(self, rate: float) -> None:
        self.optimizer.param_groups[0]["lr"] = rate

    def run(self, own: Numbered, others: Numbered, store: InferSentFolder, show: Show) -> None:
        """The epochs that are left, with what each leaves kept. Raises UsageError (E59), OSError."""
        slower = self.order.optimizer == "sgd"
        while len(self.epochs) < self.order.epochs and not (slower and self.rate < SMALLEST):
            number = len(self.epochs) + 1
            if slower and number > 1:
                self.rate *= DECAY
            loss = self._epoch(number, own, show)
            if not np.isfinite(loss):
                store.discard()
                smaller = min(self.order.learning_rate / 10, RATES[self.order.optimizer])
                raise messages.finetune.not_a_number(number, smaller)
            right = accuracy(self.net, others)
            before = self.epochs[self.kept - 1].validation if self.kept else -1.0
            self.epochs.append(InferSentEpoch(epoch=number, rate=self.rate, loss=loss, validation=right))
            if right > before:
                self.kept = number
                self.best = {name: weight.detach().clone() for name, weight in self.weights.items()}
            elif slower:
                self.rate /= SHRINK
            store.keep(self._state())

    def _epoch(self, number: int, own: Numbered, show: Show) -> float:
        """One epoch; the mean loss."""
        import torch

        self.net.train()
        batch = self.order.batch
        steps = -(-len(own) // batch)
        turns = self.random.permutation(len(own)).tolist()
        whole = 0.0
        for step in range(steps):
            premises, hypotheses, labels = own.batch(turns[step * batch : (step + 1) * batch])
            loss = torch.nn.functional.cross_entropy(logits(self.net, premises, hypotheses), torch.tensor(labels))
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(self.weights.values()), NORM)
            self.optimizer.step()
            whole += float(loss.detach()) * len(labels)
            show(f"epoch {number}", (number - 1) * steps + step + 1, self.order.epochs * steps)
        return whole / len(own)

    def _state(self) -> State:
        arrays = {f"now/{name}": weight.detach() for name, weight in self.weights.items()}
        arrays |= {f"best/{name}": weight for name, weight in self.best.items()}
        for number, held in self.optimizer.state_dict()["state"].items():
            arrays |= {f"optimizer/{number}/{name}": value for name, value in held.items() if value is not None}
        return State(Left(epochs=self.epochs, kept=self.kept, rate=self.rate), arrays)

    def go_on(self, state: State, own: Numbered) -> None:
        """Take up what a finished epoch left."""
        self.epochs, self.kept = list(state.left.epochs), state.left.kept
        held: dict[int, dict[str, Any]] = {}
        for name, value in state.arrays.items():
            place, _, rest = name.partition("/")
            if place == "now":
                self.weights[rest].data.copy_(value)
            elif place == "best":
                self.best[rest] = value
            else:
                number, _, what = rest.partition("/")
                held.setdefault(int(number), {})[what] = value
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": held})
        self.rate = state.left.rate
        for _ in self.epochs:  # the orders of the pairs that were drawn
            self.random.permutation(len(own))

    def whole(self) -> dict[str, Any]:
        """Name -> weights of the best epoch, vectors included."""
        return {**self.net.state_dict(), **self.best}


def accuracy(net: Any, rows: Numbered) -> float:
    """The share of pairs whose label the network finds likeliest."""
    import torch

    net.eval()
    right = 0
    with torch.inference_mode():
        for start in range(0, len(rows), BATCH):
            premises, hypotheses, labels = rows.batch(range(start, min(start + BATCH, len(rows))))
            right += int((logits(net, premises, hypotheses).argmax(dim=1) == torch.tensor(labels)).sum())
    return right / len(rows)


def _files(shape: Shape, lexicon: Lexicon, weights: dict[str, Any]) -> dict[str, Callable[[Path], Any]]:
    """Name of a file -> what writes it: those that `score` reads."""
    from safetensors.torch import save_file

    config = json.dumps(shape.config(), indent=1) + "\n"
    return {
        "config.json": lambda place: place.write_text(config, "utf-8"),
        lexicon.file: lambda place: place.write_text(lexicon.text(), "utf-8"),
        "model.safetensors": lambda place: save_file(weights, place),
    }
