"""The files of a model: a local folder, or a snapshot of the Hugging Face hub. Safetensors only; no pickle is loaded.

A folder is checked before anything of it is loaded: weights whose head is missing would be scored with a random head,
and files of pickled objects could run a program.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gramprobe.records import sha256_of
from gramprobe.score.record import READ_FILES, TOKENIZER_FILES, WEIGHTS
from gramprobe.source import messages

KINDS = {
    "ForSequenceClassification": "classifier",
    "ForMaskedLM": "masked",
    "ForCausalLM": "causal",
    "LMHeadModel": "causal",
}
"""The end of an architecture's name -> the kind of the model."""
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")


@dataclass(frozen=True, kw_only=True)
class ModelFolder:
    """A model's files.

    Attributes:
        name: the folder's name, or the id on the hub: never a path.
        revision: the commit on the hub; empty for a folder.
        folder: where the files are.
        kind: `causal`, `masked` or `classifier`; `encoder` for one without a head, where that is asked for.
        config: `config.json`.
    """

    name: str
    revision: str
    folder: Path
    kind: str
    config: dict[str, Any]

    def hashes(self) -> dict[str, dict[str, str]]:
        """The SHA-256 of the files with weights, of the tokenizer's, and of the configuration, by name."""

        def of(files: list[Path]) -> dict[str, str]:
            return {file.name: sha256_of(file) for file in sorted(files)}

        tokenizer = [self.folder / name for name in TOKENIZER_FILES if (self.folder / name).is_file()]
        return {
            "weights": of(list(self.folder.glob(WEIGHTS))),
            "tokenizer": of(tokenizer),
            "config": of([self.folder / "config.json"]),
        }

    @property
    def parameters(self) -> int:
        """How many numbers the files with weights hold, by their headings: what the hub calls the model's size.

        Raises UsageError (E91) for a file whose heading cannot be read.
        """
        return sum(_numbers(self.name, file) for file in self.folder.glob(WEIGHTS))


def model_folder(model: str, revision: str | None = None, *, headless: bool = False) -> ModelFolder:
    """Find a model: a folder, else an id of the hub, whose files are fetched into its cache.

    Raises UsageError (E91) for a folder without safetensors or with a configuration that cannot be read, for an id
    that cannot be fetched, and for an architecture of no known kind unless models without a head will do
    (``headless``).
    """
    place, commit = Path(model), ""
    if place.is_dir():
        name = place.resolve().name
    elif not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", model) or model.count("/") == 0:
        raise messages.score.no_model(model)
    else:
        name = model
        place, commit = _fetched(model, revision)
    weights = sorted(place.glob(WEIGHTS))
    pickles = sorted(f.name for f in place.iterdir() if f.suffix in _PICKLES)
    if not weights:
        if pickles:
            raise messages.score.unusable_model(
                name,
                f"its weights are pickled ({pickles[0]}), and loading a pickle can run any program",
                "take a model with safetensors, or convert it where you trust it: "
                "model.save_pretrained(DIR, safe_serialization=True)",
            )
        raise messages.score.unusable_model(
            name, "it has no weights (*.safetensors)", "give the folder that `save_pretrained` wrote"
        )
    config = _config(name, place)
    return ModelFolder(name=name, revision=commit, folder=place, kind=_kind(name, config, headless), config=config)


def _numbers(name: str, file: Path) -> int:
    """How many numbers a file of safetensors holds: it begins with the length of a JSON object of its tensors."""
    try:
        with file.open("rb") as stream:
            heading = json.loads(stream.read(int.from_bytes(stream.read(8), "little")))
        return sum(math.prod(each["shape"]) for tensor, each in heading.items() if tensor != "__metadata__")
    except (OSError, ValueError, LookupError, TypeError, AttributeError, MemoryError, OverflowError):
        raise messages.score.unusable_model(
            name, f"it cannot be loaded: the heading of {file.name} cannot be read", "get the file again"
        ) from None


def _config(name: str, place: Path) -> dict[str, Any]:
    try:
        config = json.loads((place / "config.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        config = None
    if not isinstance(config, dict):
        raise messages.score.unusable_model(
            name, "it has no config.json that can be read", "give the folder that `save_pretrained` wrote"
        )
    return config


def _kind(name: str, config: dict[str, Any], headless: bool) -> str:
    """What kind of model the weights are of: the architecture that they were saved with decides."""
    named = config.get("architectures") or []
    named = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
    for architecture in named:
        for end, kind in KINDS.items():
            if architecture.endswith(end):
                return kind
    if headless and named:
        return "encoder"
    shown = ", ".join(named) if named else "none named"
    raise messages.score.unusable_model(
        name,
        f"its architecture ({shown}) has no head that can be scored",
        "a head would be made of random numbers: give a model that was saved as ForCausalLM, ForMaskedLM or "
        "ForSequenceClassification",
    )


def _fetched(model: str, revision: str | None) -> tuple[Path, str]:
    """The local snapshot of a model of the hub, and its commit. Raises UsageError (E91)."""
    from huggingface_hub import snapshot_download

    place: str | None = None
    with contextlib.suppress(Exception):  # many types of error, of the net and of the hub
        place = snapshot_download(model, revision=revision, allow_patterns=list(READ_FILES))
    if place is None:
        raise messages.score.unusable_model(
            model,
            "there is no such folder, and the Hugging Face hub does not give a model of that id",
            "give a folder with a model, or an id that you can reach",
        )
    return Path(place), Path(place).name
