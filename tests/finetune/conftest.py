"""Small datasets with rows to train on, and tiny models; tests only read them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import models
from support.datasets import SharedDatasets

from gramprobe.finetune.order import TrainingOrder
from gramprobe.project import Project, load

MIXTURE = """\
paradigm {name}
about  "A mixture to train on."
uses   english.acts, english.attitudes, english.qualities
theory attitudes
size   {size}
{split}

draw a  : PN[gen={gen}]
draw k  : VS[{verbs}]
draw n  : N[class={nouns}]
draw do : Act[kind={acts}]

let x = Assert(Clause(past, One(n), Acts(do)))

premise
  KX   = Attitude(a, k, x)
hypothesis
  X    = x
  NotX = Assert(Clause(past, No(n), Acts(do)))

pair KX => X      expect entailment
pair KX => NotX   expect contradiction
yields 2 pairs
solvable by hypothesis 1.00 because "a small set for tests"
solvable by premise    0.60 because "a small set for tests"
solvable by verbs      1.00 because "a small set for tests"
"""
ONE = {"gen": "fem", "verbs": "know_that|realize_that", "nouns": "worker", "acts": "tidy"}
OTHER = {"gen": "masc", "verbs": "notice_that|discover_that", "nouns": "public", "acts": "rest"}
"""Two halves of the words."""
SETS: dict[str, dict[str, str]] = {
    "small": {**ONE, "size": "20", "split": "split train 14, validation 6"},
    "other": {**OTHER, "size": "6", "split": "split test"},
    "alike": {**ONE, "size": "6", "split": "split test"},
    "trained_only": {**ONE, "size": "6", "split": "split train"},
    "not_validated": {**ONE, "size": "6", "split": "split train 4"},
}
MAKERS: dict[str, Callable[[Path], Path]] = {
    "nli": lambda folder: models.bert(folder, ("contradiction", "neutral", "entailment")),
    "nli_two": lambda folder: models.bert(folder, ("not_entailment", "entailment")),
    "nli_unnamed": lambda folder: models.bert(folder, ("LABEL_0", "LABEL_1", "LABEL_2")),
    "short": lambda folder: models.bert(folder, ("contradiction", "neutral", "entailment"), positions=12),
    "masked": models.bert,
    "causal": models.gpt2,
    "encoder": models.encoder,
}
Folder = Callable[[str], Path]


@pytest.fixture(autouse=True)
def what_is_loaded_is_not_searched_for_garbage() -> None:
    """Each training has accelerate look for circles in all that was loaded before."""
    gc.freeze()


@pytest.fixture(scope="session")
def mixtures(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with the paradigms of `SETS`, in the phenomenon `mix`."""
    root = tmp_path_factory.mktemp("project")
    folder = root / "grammars" / "mix"
    folder.mkdir(parents=True)
    for name, words in SETS.items():
        (folder / f"{name}.paradigm").write_text(MIXTURE.format(name=name, **words), "utf-8")
    return load([root], names=[f"mix/{name}" for name in SETS])


@pytest.fixture(scope="session")
def data(mixtures: Project, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The folder of a dataset with one paradigm of `SETS`."""
    shared = SharedDatasets(mixtures, tmp_path_factory.mktemp("mixtures"))
    return cache(lambda name: shared(f"mix/{name}"))


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The folder of a tiny model by its name in `MAKERS`."""
    root = tmp_path_factory.mktemp("models")

    @cache
    def made(name: str) -> Path:
        (root / name).mkdir()
        return MAKERS[name](root / name)

    return made


def order(source: Path | str, model: Path, out: Path, **options: Any) -> TrainingOrder:
    """What a training shall do, in two epochs."""
    return TrainingOrder(source=str(source), model=str(model), out=str(out), **{"epochs": 2, **options})
