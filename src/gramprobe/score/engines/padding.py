"""Batches of padded texts for models that read in both directions: padding on the right, and masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its special tokens: numbers of tokens, and types of segments."""

    ids: tuple[int, ...]
    types: tuple[int, ...]


def inputs(texts: Sequence[Text], pad: int, typed: bool, device: Any) -> dict[str, Any]:
    """The arguments of a forward pass. ``typed``: whether the model takes types of segments."""
    import numpy as np
    import torch

    width = max(len(text.ids) for text in texts)
    ids = np.full((len(texts), width), pad, np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for number, text in enumerate(texts):
        ids[number, : len(text.ids)] = text.ids
        types[number, : len(text.ids)] = text.types
        mask[number, : len(text.ids)] = 1
    arrays = {"input_ids": ids, "attention_mask": mask, **({"token_type_ids": types} if typed else {})}
    return {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
