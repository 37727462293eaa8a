"""InferSent's form (Conneau et al. 2017): a classifier of pairs that never sees both sentences at once.

    words -> vectors -> BiLSTM -> maximum over the words -> u, v -> u, v, |u - v|, u * v -> one hidden layer -> labels

`gramprobe infersent` trains one and writes its folder: `model.safetensors` (vectors included), `config.json`, and
`words.txt` or the `tokenizer.json` of the model whose vectors it took. Words without a vector are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gramprobe.baselines.ngrams import words_of
from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import TWO_WAY
from gramprobe.records import sha256_of
from gramprobe.score.engines.folder import ModelFolder, model_folder
from gramprobe.score.engines.weights import Precision, device_of, first_line, precision_of
from gramprobe.score.model import ModelKind, Opened, Wanted
from gramprobe.score.request import Classify, NoChat, Refusal, Reply, Request
from gramprobe.source import messages

INFERSENT = "InferSent"
"""The architecture that `config.json` names."""
WORDS, TOKENIZER = "words.txt", "tokenizer.json"
BATCH = 64
"""Pairs in a forward pass."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The sizes of a network.

    Attributes:
        words: words with a vector.
        dimensions: of a vector.
        hidden: of each direction of the BiLSTM; a sentence has twice as many numbers.
        head: of the hidden layer behind the features.
        labels: the names of the outputs in their order.
    """

    words: int
    dimensions: int
    hidden: int
    head: int
    labels: tuple[str, ...]

    def config(self) -> dict[str, Any]:
        """What `config.json` holds."""
        sizes = {"words": self.words, "dimensions": self.dimensions, "hidden": self.hidden, "head": self.head}
        return {"architectures": [INFERSENT], **sizes, "labels": list(self.labels)}

    @classmethod
    def of(cls, model: ModelFolder) -> Shape:
        """The sizes in a model's `config.json`. Raises UsageError (E91)."""
        config = model.config
        sizes: dict[str, Any] = {name: config.get(name) for name in ("words", "dimensions", "hidden", "head")}
        labels = config.get("labels")
        fine = all(isinstance(size, int) and size > 0 for size in sizes.values())
        if not fine or labels not in (list(LABELS), list(TWO_WAY)):
            raise _damaged(model, "config.json does not say its sizes and labels")
        return cls(**sizes, labels=tuple(labels))


def network(shape: Shape) -> Any:
    """The network, with random weights."""
    from torch import nn

    features = 4 * 2 * shape.hidden
    return nn.ModuleDict(
        {
            "vectors": nn.Embedding(shape.words, shape.dimensions),
            "encoder": nn.LSTM(shape.dimensions, shape.hidden, bidirectional=True, batch_first=True),
            "head": nn.Sequential(
                nn.Linear(features, shape.head), nn.Tanh(), nn.Linear(shape.head, len(shape.labels))
            ),
        }
    )  # fmt: skip


def encoded(net: Any, sentences: Sequence[Sequence[int]]) -> Any:
    """(sentences, 2 * hidden) the maxima over the words of the states of the BiLSTM."""
    import torch
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

    device = net["vectors"].weight.device
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    padded = pad_sequence([torch.tensor(sentence) for sentence in sentences], batch_first=True).to(device)
    packed = pack_padded_sequence(net["vectors"](padded), lengths, batch_first=True, enforce_sorted=False)
    states, _ = pad_packed_sequence(net["encoder"](packed)[0], batch_first=True)
    behind = torch.arange(states.shape[1], device=device)[None] >= lengths.to(device)[:, None]
    return states.masked_fill(behind[:, :, None], float("-inf")).max(dim=1).values


def logits(net: Any, premises: Sequence[Sequence[int]], hypotheses: Sequence[Sequence[int]]) -> Any:
    """(pairs, labels) what the head gives."""
    import torch

    u, v = encoded(net, premises), encoded(net, hypotheses)
    return net["head"](torch.cat([u, v, (u - v).abs(), u * v], dim=1))


class Lexicon:
    """Texts as numbers of vectors: by a list of words, or by the tokenizer of another model."""

    def __init__(self, words: Sequence[str] | None = None, tokenizer: str = "") -> None:
        """``words``: in the order of the vectors; ``tokenizer``: JSON of the package tokenizers, where there are
        none."""
        self._words, self._tokenizer = words, tokenizer

    @classmethod
    def read(cls, folder: Path) -> Lexicon:
        """The lexicon of a folder. Raises OSError, ValueError."""
        if (folder / WORDS).is_file():
            return cls((folder / WORDS).read_text("utf-8").split("\n")[:-1])
        return cls(tokenizer=(folder / TOKENIZER).read_text("utf-8"))

    @property
    def file(self) -> str:
        """The name of its file."""
        return TOKENIZER if self._words is None else WORDS

    def text(self) -> str:
        """What its file holds."""
        return self._tokenizer if self._words is None else "".join(f"{word}\n" for word in self._words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self._words or ())}

    @cached_property
    def _backend(self) -> Any:
        from tokenizers import Tokenizer

        found = Tokenizer.from_str(self._tokenizer)
        found.no_truncation()
        found.no_padding()
        return found

    def numbers(self, text: str) -> tuple[tuple[int, ...], bool]:
        """The vectors of a text, and whether a word of it has none."""
        if self._words is None:
            return tuple(self._backend.encode(text, add_special_tokens=False).ids), False
        words = words_of(text)
        known = tuple(self._numbers[word] for word in words if word in self._numbers)
        return known, len(known) < len(words)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A pair as numbers of vectors; ``flags``: what a reader of its score must know."""

    premise: tuple[int, ...]
    hypothesis: tuple[int, ...]
    flags: tuple[str, ...]


class InferSentEngine(NoChat):
    """The engine of a model of InferSent's form. Raises UsageError (E91) for a folder that is damaged."""

    kind = "classifier"

    def __init__(self, model: ModelFolder, precision: Precision) -> None:
        self.model, self.precision = model, precision
        self.shape = Shape.of(model)
        self.labels = self.shape.labels
        try:
            self.lexicon = Lexicon.read(model.folder)
            self.lexicon.numbers("a")
        except Exception as error:
            raise _damaged(model, f"its words cannot be read ({first_line(error)})") from None
        self._net: Any = None

    def prepare(self, request: Request) -> Prepared | Refusal:
        if not isinstance(request, Classify):
            return Refusal("mode", "a classifier of pairs gives no probabilities of texts")
        (premise, one), (hypothesis, other) = map(self.lexicon.numbers, (request.premise, request.hypothesis))
        if not premise or not hypothesis:
            return Refusal("vocabulary", "no word of a sentence has a vector")
        if max(*premise, *hypothesis) >= self.shape.words:
            return Refusal("vocabulary", f"a token is not among the model's {self.shape.words:,} vectors")
        return Prepared(premise, hypothesis, ("unknown_word",) if one or other else ())

    def settings(self) -> dict[str, Any]:
        return {"labels": list(self.labels), "pair": "each sentence by itself"}

    def load(self) -> dict[str, Any]:
        """Read the weights. Raises UsageError (E91) if they do not fit the configuration, or shall have 8 bits."""
        import torch
        from safetensors.torch import load_file

        if self.precision.dtype == "int8":
            raise messages.score.unusable_model(
                self.model.name, "it has no form with weights of 8 bits", "give --dtype float32"
            )
        if self.precision.device_type == "cpu":
            torch.set_num_threads(self.precision.threads)
        device = device_of(self.model, self.precision.device)
        net = network(self.shape)
        try:
            net.load_state_dict(load_file(self.model.folder / "model.safetensors"))
        except Exception as error:
            raise _damaged(self.model, f"its weights do not fit its configuration ({first_line(error)})") from None
        self._net = net.to(device, getattr(torch, self.precision.dtype)).eval()
        return {}

    def answer(self, prepared: Sequence[Prepared]) -> list[tuple[Reply, ...]]:
        import torch

        order = sorted(range(len(prepared)), key=lambda n: len(prepared[n].premise) + len(prepared[n].hypothesis))
        found: dict[int, Reply] = {}
        with torch.inference_mode():
            for start in range(0, len(order), BATCH):
                batch = order[start : start + BATCH]
                pairs = [prepared[n] for n in batch]
                given = logits(self._net, [p.premise for p in pairs], [p.hypothesis for p in pairs])
                values = torch.log_softmax(given.double(), -1).cpu().tolist()
                for n, row, pair in zip(batch, values, pairs, strict=True):
                    found[n] = Reply(tuple(row), len(pair.premise) + len(pair.hypothesis), pair.flags)
        return [(found[n],) for n in range(len(prepared))]


def _damaged(model: ModelFolder, what: str) -> Exception:
    return messages.score.unusable_model(model.name, what, "give the folder that `gramprobe infersent` wrote")


@dataclass(frozen=True)
class InferSentModel:
    """What the record of a run says of a model of InferSent's form."""

    folder: ModelFolder
    kind = "classifier"
    revision = ""

    @property
    def name(self) -> str:
        """With the prefix, as `--model` takes it."""
        return f"infersent:{self.folder.name}"

    def hashes(self) -> dict[str, dict[str, str]]:
        """The SHA-256 of its files, its words among those of the tokenizer."""
        words = self.folder.folder / WORDS
        own = {WORDS: sha256_of(words)} if words.is_file() else {}
        found = self.folder.hashes()
        return {**found, "tokenizer": {**found["tokenizer"], **own}}


def _opened(place: str, wanted: Wanted) -> Opened:
    """The model in a folder. Raises UsageError (E91)."""
    wanted.check_kind("classifier")
    if find_spec("torch") is None:
        raise messages.packages.lacking("scoring", "torch", "score")
    folder = model_folder(place, headless=True)
    if INFERSENT not in (folder.config.get("architectures") or ()):
        raise _damaged(folder, "it is of another architecture")
    return Opened(InferSentEngine(folder, precision_of(wanted.order)), InferSentModel(folder))


KIND = ModelKind(_opened, "name the folder that `gramprobe infersent` wrote", place="folder", bare=False)
