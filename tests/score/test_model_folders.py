"""Folders of models that would be scored with numbers of nothing: without a tokenizer, or of an absurd size."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gramprobe.score.engines.classifier import ClassifierEngine
from gramprobe.score.engines.folder import model_folder
from gramprobe.score.engines.weights import Precision, config_of
from gramprobe.score.record import TOKENIZER_FILES
from gramprobe.source.diagnostic import UsageError
from score.conftest import Model


def copied(model: Model, name: str, place: Path) -> Path:
    return Path(shutil.copytree(model(name), place / name))


@pytest.mark.slow
def test_a_model_without_a_tokenizer_is_refused(model: Model, tmp_path: Path) -> None:
    """The library would make an empty one, in which every word is unknown."""
    folder = copied(model, "nli", tmp_path)
    for name in TOKENIZER_FILES:
        (folder / name).unlink(missing_ok=True)
    with pytest.raises(UsageError, match="no file of a tokenizer") as refused:
        ClassifierEngine(model_folder(str(folder)), Precision())
    assert refused.value.code == "E91"


@pytest.mark.slow
def test_a_tokenizer_that_knows_no_word_is_refused(model: Model, tmp_path: Path) -> None:
    folder = copied(model, "nli", tmp_path)
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    tokenizer["model"]["vocab"] = {word: number for word, number in vocabulary.items() if word.startswith("[")}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    with pytest.raises(UsageError, match="knows no word"):
        ClassifierEngine(model_folder(str(folder)), Precision())


@pytest.mark.parametrize("number", [10**9, -1])
@pytest.mark.parametrize(
    ("model_name", "size"), [("gpt2", "n_layer"), ("gpt2", "n_head"), ("llama", "num_hidden_layers")]
)
def test_an_absurd_size_is_refused_before_a_layer_is_made(
    model: Model, tmp_path: Path, model_name: str, size: str, number: int
) -> None:
    if size == "n_head" and number > 0:
        number = -32  # as many heads as there are would not fit the weights, which is seen when these are loaded
    folder = copied(model, model_name, tmp_path)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert size in config
    (folder / "config.json").write_text(json.dumps({**config, size: number}), "utf-8")
    with pytest.raises(UsageError, match=f"`{size}`: {number:,}") as refused:
        config_of(model_folder(str(folder)))
    assert refused.value.code == "E91"


@pytest.mark.parametrize("architectures", [5, "GPT2LMHeadModel", [None], {}, None])
def test_architectures_that_are_no_names_are_refused(model: Model, tmp_path: Path, architectures: object) -> None:
    folder = copied(model, "gpt2", tmp_path)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "architectures": architectures}), "utf-8")
    with pytest.raises(UsageError, match="no head that can be scored"):
        model_folder(str(folder))
