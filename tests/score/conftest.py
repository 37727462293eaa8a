"""Tiny models, made once for each process; tests only read them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import models
from support.datasets import FEW, SharedDatasets

from gramprobe.score.engines.causal import CausalEngine
from gramprobe.score.engines.classifier import ClassifierEngine
from gramprobe.score.engines.folder import model_folder
from gramprobe.score.engines.masked import MaskedEngine
from gramprobe.score.engines.weights import Precision
from gramprobe.score.order import RunOrder

MAKERS: dict[str, Callable[[Path], Path]] = {
    "gpt2": models.gpt2,
    "short": lambda folder: models.gpt2(folder, positions=24),
    "chat": lambda folder: models.gpt2(folder, positions=512, chat=True),
    "llama": models.llama,
    "mistral": models.mistral,
    "gpt_neo": models.gpt_neo,
    "mamba": models.mamba,
    "gemma2": models.gemma2,
    "bert": models.bert,
    "roberta": models.roberta,
    "nli": lambda folder: models.bert(folder, ("contradiction", "neutral", "entailment")),
    "nli_two": lambda folder: models.bert(folder, ("not_entailment", "entailment")),
    "nli_unnamed": lambda folder: models.bert(folder, ("LABEL_0", "LABEL_1", "LABEL_2")),
    "nli_causal": lambda folder: models.gpt2_classifier(folder, ("entailment", "neutral", "contradiction")),
}
Model = Callable[[str], Path]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The folder of a tiny model by its name in MAKERS."""
    root = tmp_path_factory.mktemp("models")

    @cache
    def made(name: str) -> Path:
        (root / name).mkdir()
        return MAKERS[name](root / name)

    return made


@pytest.fixture(scope="session")
def engine(model: Model) -> Callable[..., Any]:
    """A loaded engine. Options: dtype, batch_tokens, and those of its class."""

    @cache
    def opened(name: str, dtype: str = "float64", batch_tokens: int = 256, **options: Any) -> Any:
        folder = model_folder(str(model(name)))
        classes: dict[str, Any] = {"causal": CausalEngine, "masked": MaskedEngine, "classifier": ClassifierEngine}
        made = classes[folder.kind](folder, Precision(dtype=dtype, batch_tokens=batch_tokens), **options)
        made.load()
        return made

    return opened


@pytest.fixture(scope="session")
def scope(datasets: SharedDatasets) -> Path:
    """A dataset with one paradigm of continuations."""
    return datasets("scope/continuation_universal_indefinite", n=FEW)


@pytest.fixture(scope="session")
def choices(datasets: SharedDatasets) -> Path:
    """A dataset with one paradigm of choices."""
    return datasets("scope/choice_universal_indefinite", n=FEW)


@pytest.fixture(scope="session")
def pairs(datasets: SharedDatasets) -> Path:
    """A dataset of pairs with labels."""
    return datasets("presupposition/both", n=FEW, design="paper")


@pytest.fixture(scope="session")
def corefs(datasets: SharedDatasets) -> Path:
    """A dataset of texts with a slot."""
    return datasets("de_re_de_dicto/belief", n=FEW)


def order(source: Path, model: Path | str, out: Path, **options: Any) -> RunOrder:
    """What a run shall do, with small batches."""
    return RunOrder(source=str(source), model=str(model), out=str(out), **{"batch_tokens": 512, **options})


def written(file: Path, rows: Sequence[dict[str, str]]) -> Path:
    """A plain file with these rows."""
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return file
