"""Where the shipped grammars, lexicon and logic live: inside the wheel, or in the checkout."""

from __future__ import annotations

from pathlib import Path

FOLDERS = ("grammars", "lexicon", "logic")


def shipped_folder() -> Path:
    """The folder that holds ``grammars/``, ``lexicon/`` and ``logic/`` of this installation.

    A wheel carries them as ``gramprobe/_data``; an editable install reads the checkout.
    Raises FileNotFoundError when neither is there.
    """
    package = Path(__file__).resolve().parent
    for candidate in (package / "_data", package.parents[1]):
        if all((candidate / folder).is_dir() for folder in FOLDERS):
            return candidate
    raise FileNotFoundError("this installation of gramprobe lacks its folders grammars/, lexicon/ and logic/")
