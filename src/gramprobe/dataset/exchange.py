"""A finished folder put in the place of the old one: never half of either.

On Linux the two are exchanged in one step (renameat2, RENAME_EXCHANGE); elsewhere by two renames, with a recovery
that every reading command does first.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gramprobe.source.diagnostic import UsageError

_AT_FDCWD, _EXCHANGE = -100, 2


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A new folder to write into; it takes ``target``'s place when the block ends without an error.

    Raises UsageError when something that is no dataset stands there: only datasets are replaced.
    """
    recover(target)
    if not _replaceable(target):
        raise UsageError(
            f"`{target}` is there and is no dataset of gramprobe",
            "give another --out, or move it away: only a dataset is replaced",
            "E44",
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target)
    new = target.parent / f".{target.name}.new-{os.getpid()}"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    try:
        yield new
        _put(new, target)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _replaceable(target: Path) -> bool:
    """Nothing, an empty folder, or a folder with a manifest of ours."""
    if not target.exists() and not target.is_symlink():
        return True
    if not target.is_dir():
        return False
    if not any(target.iterdir()):
        return True
    try:
        return "gramprobe" in json.loads((target / "manifest.json").read_text("utf-8"))
    except (OSError, ValueError, TypeError):
        return False


def _put(new: Path, target: Path) -> None:
    if not target.exists():
        new.rename(target)
        return
    if _exchanged(new, target):
        return  # `new` now holds the old dataset and is removed by the caller
    old = _old(target)
    shutil.rmtree(old, ignore_errors=True)
    target.rename(old)
    new.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE) == 0)


def _old(target: Path) -> Path:
    return target.parent / f".{target.name}.old"


def recover(target: Path) -> None:
    """Bring a dataset back whose replacement was killed between the two renames."""
    old = _old(target)
    if old.exists():
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(target)


def _sweep(target: Path) -> None:
    """Remove what killed builds of the same dataset left behind."""
    for left in target.parent.glob(f".{target.name}.new-*"):
        number = left.name.rpartition("-")[2]
        if number.isdigit() and not _alive(int(number)):
            shutil.rmtree(left, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
