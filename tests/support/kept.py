"""What may outlive a test run, where GRAMPROBE_TEST_CACHE names a folder for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramprobe.cache import cache_folder

KEPT = ("verdicts", "parsers", "syntax", "sizes")
"""Folders of the cache whose keys are hashes of all that their entries rest on: verdicts have the hash of formulas,
engines and solver, parsers that of the Lark files, trees that of a file and its reader, sizes that of all files and of
the code that counts."""


def outlive(cache: Path, kept: Path) -> None:
    """Put what is kept below ``kept``; ``cache``: what the run has for XDG_CACHE_HOME, empty."""
    (cache / "gramprobe").mkdir()
    for name in KEPT:
        place = kept.resolve() / name
        place.mkdir(parents=True, exist_ok=True)
        (cache / "gramprobe" / name).symlink_to(place, target_is_directory=True)


def own_cache(folder: Path, monkeypatch: pytest.MonkeyPatch, *shared: str) -> None:
    """Give a test a cache below its own folder; ``shared``: those of `KEPT` that it has in common with the run, since
    they are not at issue in it."""
    for name in shared:
        place, link = cache_folder() / name, folder / "cache" / "gramprobe" / name
        place.mkdir(parents=True, exist_ok=True)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(place, target_is_directory=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
