"""Classifiers of pairs of sentences: log-probabilities of entailment, neutral and contradiction."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import TWO_WAY
from gramprobe.score.engines.folder import ModelFolder
from gramprobe.score.engines.padding import Text, inputs
from gramprobe.score.engines.rows import batches
from gramprobe.score.engines.tokens import Tokens
from gramprobe.score.engines.weights import AGREEMENT, Precision, config_of, load, longest_text
from gramprobe.score.request import Classify, NoChat, Refusal, Reply, Request
from gramprobe.source import messages

_SPELLINGS = {
    "entailment": ("entailment", "entail", "entails", "entailed"),
    "neutral": ("neutral",),
    "contradiction": ("contradiction", "contradict", "contradicts", "contradictory"),
    "not_entailment": ("not_entailment", "non_entailment", "nonentailment", "no_entailment", "not_entailed"),
}
SURE = (
    ("A dog is sleeping.", "A dog is sleeping.", "entailment"),
    ("Two women are singing.", "Two women are singing.", "entailment"),
    ("A dog is sleeping.", "A dog is not sleeping.", "contradiction"),
    ("Nobody is in the room.", "Somebody is in the room.", "contradiction"),
)
"""Pairs whose labels nobody doubts: a model whose labels are read in the wrong order misses them."""


class ClassifierEngine(NoChat):
    """A classifier of sequences with the labels of natural language inference.

    Most heads read the first token alone, so that the last layer need not be run for others behind its attention
    (`first_alone`, if a probe at load finds that this changes nothing).

    Raises UsageError (E93) where the names of its labels do not say which is which, and none were given.
    """

    kind = "classifier"

    def __init__(self, model: ModelFolder, precision: Precision, labels: Sequence[str] = ()) -> None:
        self.model, self.precision = model, precision
        self.config = config_of(model)
        self.order = label_order(model.name, self.config.id2label, labels)
        self.labels: tuple[str, ...] = LABELS if len(self.order) == 3 else TWO_WAY
        self.tokens = Tokens(model)
        self.longest = longest_text(self.config, self.tokens.longest)
        self.typed = "token_type_ids" in self.tokens.tokenizer.model_input_names
        self.pad, self.pad_from = padding(self.tokens, self.config)
        self.single, self.first_alone = False, False
        self._model: Any = None

    def settings(self) -> dict[str, Any]:
        return {
            "labels": list(self.order),
            "pair": "as the tokenizer joins a pair",
            "pad": {"id": self.pad, "from": self.pad_from},
        }

    def prepare(self, request: Request) -> Text | Refusal:
        if not isinstance(request, Classify):
            return Refusal("mode", "a classifier of pairs gives no probabilities of texts")
        return pair_of(self.tokens, self.config, self.longest, request)

    def load(self) -> dict[str, Any]:
        self._model = load(self.model, self.precision)
        self._model.config.pad_token_id = self.pad
        probe = [self.prepare(Classify(premise, hypothesis)) for premise, hypothesis, _ in SURE]
        texts = [text for text in probe if isinstance(text, Text)]
        alone = [self._run([text])[0] for text in texts]
        tried: dict[str, float | str] = {}
        found = "rows one by one"
        for first_alone in (True, False) if _last_attention(self._model) is not None else (False,):
            self.first_alone = first_alone
            name = f"padded rows, last layer {'for the first token' if first_alone else 'everywhere'}"
            try:
                pairs = zip(alone, self._run(texts), strict=True)
                difference = max((abs(a - b) for x, y in pairs for a, b in zip(x, y, strict=True)), default=0.0)
            except Exception as error:  # a model of other parts than their names promise says so in its own way
                tried[name] = type(error).__name__
                continue
            tried[name] = difference if math.isfinite(difference) else "no number"
            if difference <= AGREEMENT[self.precision.dtype]:
                found = name
                break
        else:
            self.single = True
        right = sum(self._is_right(x, label) for x, (_, _, label) in zip(alone, SURE, strict=False))
        return {"rows": found, "tried": tried, "sure_pairs": {"right": right, "of": len(SURE)}}

    def _is_right(self, values: Sequence[float], label: str) -> bool:
        wanted = label if len(self.labels) == 3 or label == "entailment" else "not_entailment"
        return values[self.labels.index(wanted)] == max(values)

    def answer(self, prepared: Sequence[Text]) -> list[tuple[Reply, ...]]:
        found: list[list[float]] = [[] for _ in prepared]
        lengths = [len(text.ids) for text in prepared]
        sorted_ = batches(lengths, self.precision.batch_tokens, self.precision.device_type)
        for batch in [[n] for n in range(len(prepared))] if self.single else sorted_:
            for number, values in zip(batch, self._run([prepared[n] for n in batch]), strict=True):
                found[number] = values
        pairs = zip(found, prepared, strict=True)
        return [(Reply(tuple(values), len(text.ids)),) for values, text in pairs]

    def _run(self, texts: Sequence[Text]) -> list[list[float]]:
        """For each text the log-probabilities in the order of `labels`."""
        import torch

        with torch.inference_mode():
            with _for_first_token(self._model) if self.first_alone else nullcontext():
                logits = self._model(**inputs(texts, self.pad, self.typed, self._model.device)).logits
            logits = logits if logits.dtype == torch.float64 else logits.float()
            scores = torch.log_softmax(logits, -1).double().cpu()
        places = [self.order.index(label) for label in self.labels]
        found: list[list[float]] = scores[:, places].tolist()
        return found


def pair_of(tokens: Tokens, config: Any, longest: int | None, request: Classify) -> Text | Refusal:
    """A pair as the tokens of a model, or why it cannot be given to it. ``longest``: how many tokens it takes."""
    ids, types = tokens.pair(request.premise, request.hypothesis)
    if longest is not None and len(ids) > longest:
        return Refusal("long", f"it has {len(ids):,} tokens, and the model takes {longest:,}")
    if max(ids, default=0) >= config.vocab_size:
        return Refusal("vocabulary", f"its token {max(ids)} is not in the model's vocabulary")
    return Text(ids, types) if ids else Refusal("empty", "the pair has no tokens")


def padding(tokens: Tokens, config: Any) -> tuple[int, str]:
    """The token that fills rows up, and where it is from. A head on a causal model reads the last token before it,
    so that it has to be one that no text ends with."""
    tokenizer = tokens.tokenizer
    known = [
        ("tokenizer", tokenizer.pad_token_id),
        ("config", config.pad_token_id),
        ("eos", tokenizer.eos_token_id if not tokens.around[1] else None),
        ("unk", tokenizer.unk_token_id),
    ]
    return next(((number, name) for name, number in known if number is not None), (0, "first"))


def _last_attention(model: Any) -> Any:
    """The attention of the last layer, where a model is made like BERT; else None."""
    layers = getattr(getattr(model.base_model, "encoder", None), "layer", None)
    return getattr(layers[-1], "attention", None) if layers else None


@contextmanager
def _for_first_token(model: Any) -> Iterator[None]:
    """Within this context the last layer goes on with the first token of each row alone, behind its attention."""

    def take(module: Any, arguments: Any, output: Any) -> Any:
        return (output[0][:, :1], *output[1:]) if isinstance(output, tuple) else output[:, :1]

    handle = _last_attention(model).register_forward_hook(take)
    try:
        yield
    finally:
        handle.remove()


def label_order(model: str, names: Any, given: Sequence[str]) -> tuple[str, ...]:
    """Which label each output of a classifier is, by `config.id2label` or as given (``--labels``).

    Published models have all orders, so that a guess is wrong silently. Raises UsageError (E93).
    """
    there = [str(names[number]) for number in sorted(names, key=int)]
    if given:
        order = tuple(_known(name) for name in given)
        if len(order) != len(there) or set(order) not in (set(LABELS), set(TWO_WAY)):
            raise messages.score.bad_labels_option(given, len(there))
        return order
    order = tuple(_known(name) for name in there)
    if set(order) not in (set(LABELS), set(TWO_WAY)) or len(order) != len(set(order)):
        raise messages.score.unknown_label_map(model, there, len(there))
    return order


def _known(name: str) -> str:
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    return next((label for label, spellings in _SPELLINGS.items() if plain in spellings), "")
