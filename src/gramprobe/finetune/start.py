"""The model that training starts from: its files, its head, its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gramprobe.finetune.examples import Example
from gramprobe.finetune.labels import head_labels
from gramprobe.finetune.order import TrainingOrder
from gramprobe.score.engines.classifier import label_order, padding, pair_of
from gramprobe.score.engines.folder import ModelFolder, model_folder
from gramprobe.score.engines.padding import Text
from gramprobe.score.engines.tokens import Tokens
from gramprobe.score.engines.weights import config_of, device_of, first_line, longest_text, quiet
from gramprobe.score.request import Refusal
from gramprobe.source import messages

KINDS = {"causal": "a causal language model", "masked": "a masked language model", "encoder": "an encoder without one"}
"""What models without a head for labels are called in messages."""


@dataclass(frozen=True)
class Start:
    """A model to train, its weights not read yet.

    Attributes:
        folder: its files.
        config: its configuration, of transformers.
        tokens: its tokenizer.
        head: the labels of its head, in their order.
        new_head: whether the head is to be made.
        pad: the token that fills rows up.
    """

    folder: ModelFolder
    config: Any
    tokens: Tokens
    head: tuple[str, ...]
    new_head: bool
    pad: int

    @property
    def typed(self) -> bool:
        """Whether the model takes types of segments."""
        return "token_type_ids" in self.tokens.tokenizer.model_input_names

    def texts(self, examples: Sequence[Example], name: str) -> list[Text]:
        """The pairs as tokens. Raises UsageError (E92) if the model does not take some of them."""
        longest = longest_text(self.config, self.tokens.longest)
        found = [pair_of(self.tokens, self.config, longest, example.pair) for example in examples]
        refused = [(e, f) for e, f in zip(examples, found, strict=True) if isinstance(f, Refusal)]
        if refused:
            first, refusal = refused[0]
            raise messages.finetune.too_long(name, len(refused), len(found), first.item, refusal.reason)
        return [each for each in found if isinstance(each, Text)]

    def load(self) -> tuple[Any, list[str]]:
        """The model in float32 on the CPU, and the names of its weights that no file has.

        The random numbers of a new head are drawn here: seed before. Raises UsageError (E91) if other weights are
        missing, do not fit, or need code of the model's own.
        """
        from transformers import AutoModelForSequenceClassification

        names = dict(enumerate(self.head))
        options: dict[str, Any] = {"num_labels": len(names)} if self.new_head else {}
        try:
            loaded, info = AutoModelForSequenceClassification.from_pretrained(
                self.folder.folder,
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                output_loading_info=True,
                dtype="float32",
                id2label=names,
                label2id={label: number for number, label in names.items()},
                **options,
            )
        except Exception as error:
            raise messages.score.unusable_model(
                self.folder.name,
                f"it cannot be loaded: {first_line(error)}",
                "give a model that transformers loads without code of its own",
            ) from None
        lacking = sorted(map(str, [*info["missing_keys"], *(info.get("mismatched_keys") or ())]))
        body = f"{loaded.base_model_prefix}."
        # a pooler stands between the encoder and the head, and is saved with the head
        lost = [name for name in lacking if not self.new_head or (name.startswith(body) and ".pooler." not in name)]
        if lost:
            more = f" and {len(lost) - 1} more" if lost[1:] else ""
            raise messages.score.unusable_model(
                self.folder.name, f"its files lack the weights of {lost[0]}{more}", "give a folder that has them"
            )
        loaded.config.pad_token_id = self.pad
        return loaded, lacking


def start_of(order: TrainingOrder) -> Start:
    """The model of an order; reads no weights.

    Raises UsageError for one that cannot be trained, or not on this device (E91), and for labels that do not say which
    is which (E93).
    """
    quiet()
    folder = model_folder(order.model, order.revision, headless=True)
    if folder.kind == "classifier" and order.new_head:
        raise messages.finetune.head_there(folder.name)
    if folder.kind != "classifier" and not order.new_head:
        raise messages.finetune.no_head(folder.name, KINDS[folder.kind])
    device_of(folder, order.device)
    config, tokens = config_of(folder), Tokens(folder)
    named = head_labels(order.two_labels) if order.new_head else ()
    head = named or label_order(folder.name, config.id2label, order.labels)
    return Start(folder, config, tokens, head, order.new_head, padding(tokens, config)[0])
