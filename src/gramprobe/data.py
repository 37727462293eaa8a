"""Where the shipped grammars, languages, lexicon and logic live: inside the wheel, or in the checkout."""

from __future__ import annotations

from pathlib import Path

FOLDERS = ("grammars", "languages", "lexicon", "logic")


def shipped_folder() -> Path:
    """The folder that holds the :data:`FOLDERS` of this installation.

    A wheel carries them as ``gramprobe/_data``; an editable install reads the checkout.
    Raises FileNotFoundError when neither is there.
    """
    package = Path(__file__).resolve().parent
    for candidate in (package / "_data", package.parents[1]):
        if all((candidate / folder).is_dir() for folder in FOLDERS):
            return candidate
    raise FileNotFoundError(f"this installation of gramprobe lacks its folders {', '.join(FOLDERS)}")
