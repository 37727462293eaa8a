"""A model's weights, read for scoring: for no training, on a device, in a precision, every tensor from the file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from gramprobe.score.engines.folder import ModelFolder
from gramprobe.score.order import RunOrder
from gramprobe.source import messages

AGREEMENT = {"float64": 1e-3, "float32": 1e-3, "float16": 0.1, "bfloat16": 0.5, "int8": 0.5}
"""How far rows put together may differ, in nats, from plain rows one by one, for a model to be scored by them."""
_CLASSES = {
    "causal": "AutoModelForCausalLM",
    "masked": "AutoModelForMaskedLM",
    "classifier": "AutoModelForSequenceClassification",
}
_OFFSET_POSITIONS = (
    "camembert", "data2vec-text", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm",
    "xlm-roberta", "xlm-roberta-xl", "xmod",
)  # fmt: skip
"""Types of models whose positions begin behind the number of the padding token."""


@dataclass(frozen=True, kw_only=True)
class Precision:
    """How the forward passes are run.

    Attributes:
        device: `cpu`, `cuda`, `cuda:1`, `mps`.
        dtype: a key of `record.TIES`; `int8` needs bitsandbytes and a GPU.
        threads: the threads of one process on the CPU.
        batch_tokens: the largest number of tokens in a forward pass, padding included.
    """

    device: str = "cpu"
    dtype: str = "float32"
    threads: int = 1
    batch_tokens: int = 2048

    @property
    def device_type(self) -> str:
        """The device without its number."""
        return self.device.partition(":")[0]


def precision_of(order: RunOrder) -> Precision:
    """How the forward passes of an order are run."""
    return Precision(device=order.device, dtype=order.dtype, threads=order.threads, batch_tokens=order.batch_tokens)


def config_of(model: ModelFolder) -> Any:
    """The model's configuration. Raises UsageError (E91) for one that transformers does not know."""
    from transformers import AutoConfig

    quiet()
    _check_sizes(model)
    try:
        return AutoConfig.from_pretrained(model.folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:
        raise _unloadable(model, error) from None


PARTS = ("layer", "block", "expert")
"""What is in the names of configurations for parts that a model has many of, which are made one by one."""
MOST_PARTS = 1000
"""So many parts a model may have, however few tensors its files have: some models use one layer again and again."""


def _check_sizes(model: ModelFolder) -> None:
    """Raise UsageError (E91) for a configuration with more layers than the files have tensors, before any is made, or
    with a number of parts below 0, which no model notices before it is run."""
    from safetensors import SafetensorError, safe_open

    most = MOST_PARTS
    for file in model.folder.glob("*.safetensors"):
        try:
            with safe_open(file, "pt") as opened:
                most = max(most, len(opened.keys()))
        except (SafetensorError, OSError):
            pass  # what reads the weights says what is wrong with them
    parts = [model.config, *(each for each in model.config.values() if isinstance(each, dict))]
    for name, size in (pair for part in parts for pair in part.items()):
        counts = name.startswith(("n_", "num_")) and isinstance(size, int | float)
        many = isinstance(size, int | float) and size > most and any(part in name for part in PARTS)
        if many or (counts and size < 0):
            raise messages.score.unusable_model(
                model.name,
                f"its configuration says `{name}`: {size:,}, and its weights are of no such model",
                "give the folder that `save_pretrained` wrote",
            )


def load(model: ModelFolder, precision: Precision) -> Any:
    """The model, in evaluation mode, with all of its weights from the file.

    Raises UsageError (E91) if weights are missing, do not fit or need code of the model's own, and for a device or
    precision that is not there.
    """
    import torch
    import transformers

    quiet()
    if precision.device_type == "cpu":
        torch.set_num_threads(precision.threads)
    options: dict[str, Any] = {"dtype": getattr(torch, precision.dtype, torch.float16)}
    device = device_of(model, precision.device)
    if precision.dtype == "int8":
        if precision.device_type != "cuda":
            raise messages.score.unusable_model(
                model.name, "weights of 8 bits need a GPU", "give --device cuda, or --dtype float32"
            )
        options["quantization_config"] = transformers.BitsAndBytesConfig(load_in_8bit=True)
        options["device_map"] = {"": precision.device}
    try:
        loaded, info = getattr(transformers, _CLASSES[model.kind]).from_pretrained(
            model.folder,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
            **options,
        )
    except Exception as error:
        raise _unloadable(model, error) from None
    lacking = sorted(map(str, [*info["missing_keys"], *(info.get("mismatched_keys") or ())]))
    if lacking:
        raise messages.score.unusable_model(
            model.name,
            f"its files lack the weights of {lacking[0]}"
            + (f" and {len(lacking) - 1} more" if lacking[1:] else "")
            + ", which would be random",
            "give a model that was trained with this head",
        )
    return loaded.eval() if precision.dtype == "int8" else loaded.eval().to(device)


def device_of(model: ModelFolder, name: str) -> Any:
    """The device of that name. Raises UsageError (E91) if it is not there."""
    import torch

    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except Exception as error:
        raise messages.score.unusable_model(
            model.name, f"there is no device `{name}` here ({first_line(error)})", "try --device cpu"
        ) from None
    return device


def longest_text(config: Any, tokenizer_says: int | None) -> int | None:
    """The largest number of tokens that the model takes; None if nothing limits it."""
    most = [tokenizer_says] if tokenizer_says else []
    text = config.get_text_config()
    said = getattr(text, "max_position_embeddings", None)
    if isinstance(said, int) and said > 0:
        offset = (text.pad_token_id or 0) + 1 if text.model_type in _OFFSET_POSITIONS else 0
        most.append(said - offset)
    return min(most, default=None)


def quiet() -> None:
    """Keep transformers from printing bars and remarks between ours, and from asking the hub for anything."""
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def versions(kind: str) -> dict[str, str]:
    """The versions of the libraries that the scores of a kind of model depend on."""
    import platform
    from importlib.metadata import version
    from importlib.util import find_spec

    local = ("torch", "transformers", "tokenizers", "safetensors")
    own = {"endpoint": ("httpx",), "rule": (), "reader": ("scipy",), "ngram": ()}.get(kind, local)
    names = [name for name in (*own, "numpy", "pyarrow") if find_spec(name)]
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def _unloadable(model: ModelFolder, error: Exception) -> Exception:
    return messages.score.unusable_model(
        model.name,
        f"it cannot be loaded: {first_line(error)}",
        "give a model that transformers loads without code of its own",
    )


def first_line(error: Exception) -> str:
    """The first line of an error of a library."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
