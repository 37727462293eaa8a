"""The targets of the Makefile: what `make dataset` runs and prints, whatever characters are in its arguments."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed"),
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the Makefile, and an environment whose `gramprobe` prints each of its arguments in a line."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    (programs / "gramprobe").write_text('#!/bin/sh\nprintf "<%s>\\n" "$@"\n', "utf-8")
    (programs / "gramprobe").chmod(0o755)
    (tmp_path / ".venv" / ".installed-core").touch()
    return tmp_path


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make as a user does, not as a part of `make test`, which hands its options and variables on."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    }
    return subprocess.run(
        ["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["PHENOMENON=presupposition", "N=5"], ["build", "presupposition", "--n", "5"]),
        (
            ["PHENOMENON=all", "SEED=3", "OUT=my  data", "DESIGN=paper"],
            ["build", "all", "--seed", "3", "--out", "my  data", "--design", "paper"],
        ),
        (["PHENOMENON=it's; echo $$HOME, (x)"], ["build", "it's; echo $HOME, (x)"]),
    ],
)
def test_the_command_of_a_dataset_is_printed_as_a_user_can_type_it(
    checkout: Path, arguments: list[str], command: list[str]
) -> None:
    done = make(checkout, "dataset", *arguments)
    assert done.returncode == 0, done.stderr
    printed, *received = done.stdout.splitlines()
    assert shlex.split(printed) == ["gramprobe", *command]
    assert received == [f"<{word}>" for word in command]


def test_a_simple_command_is_printed_without_quotes(checkout: Path) -> None:
    done = make(checkout, "dataset", "PHENOMENON=presupposition", "N=5")
    assert done.stdout.splitlines()[0] == "gramprobe build presupposition --n 5"


def test_a_dataset_without_a_name_is_refused(checkout: Path) -> None:
    done = make(checkout, "dataset")
    assert done.returncode == 2
    assert "make dataset PHENOMENON=presupposition" in done.stderr


def test_help_lists_every_target() -> None:
    targets = next(
        line.removeprefix(".PHONY: ").split()
        for line in (ROOT / "Makefile").read_text("utf-8").splitlines()
        if line.startswith(".PHONY: ")
    )
    listed = make(ROOT, "help").stdout
    assert [t for t in targets if t != "help" and f"make {t} " not in listed] == []
