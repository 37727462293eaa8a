"""Put a finished folder in the place of the old one, so that neither is ever seen half.

On Linux the two are exchanged in one step (renameat2, RENAME_EXCHANGE); elsewhere by two renames, with a recovery
that every reading command runs first.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import nearest

_AT_FDCWD, _EXCHANGE = -100, 2


@contextmanager
def replacing(target: Path, record: str = "manifest.json", called: str = "a dataset") -> Iterator[Path]:
    """A new folder to write into; it takes ``target``'s place when the block ends without an error.

    ``record``: the file by which a folder is known as one that may be replaced; ``called``: what such a folder is. If
    ``target`` is a link, the folder that it leads to is replaced, and the link stays. Raises UsageError if something
    else is there; OSError if no folder can be made there.
    """
    recover(target, record)
    if not _replaceable(target, record):
        raise UsageError(
            f"`{target}` exists and is not {called} of gramprobe",
            f"give another --out, or move it away: only {called} is replaced",
            "E44",
        )
    target = _real(target)
    if target.parent.exists() and not target.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"`{target.parent.name}` is a file, not a folder", str(target.parent))
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target, record)
    new = target.parent / f".{target.name}.new-{os.getpid()}"
    _remove(new)
    new.mkdir()
    try:
        yield new
        _put(new, target)
    finally:
        _remove(new)


def _real(target: Path) -> Path:
    """A path with its links followed; links that lead in a circle are left as they are."""
    return Path(os.path.realpath(target))


def _replaceable(target: Path, record: str) -> bool:
    """Whether nothing, an empty folder or one with the record is there."""
    if not target.exists() and not target.is_symlink():
        return True
    if not target.is_dir():
        return False
    return not any(target.iterdir()) or _ours(_real(target), record)


def _ours(folder: Path, record: str) -> bool:
    """Whether it is a folder (not a link) with a record of gramprobe."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    try:
        manifest = json.loads((folder / record).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(manifest, dict) and "gramprobe" in manifest


def _put(new: Path, target: Path) -> None:
    if not target.exists():
        new.rename(target)
        return
    if _exchanged(new, target):
        return  # `new` now holds the old dataset and is removed by the caller
    old = _old(target)  # usually absent: `_sweep` has removed an old dataset
    if old.exists() or old.is_symlink():
        raise FileExistsError(errno.EEXIST, f"{old.name} is in the way: move it elsewhere", str(old))
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


def recover(target: Path, record: str = "manifest.json") -> None:
    """Bring back a dataset whose replacement was killed between the two renames. Nothing is removed, so that commands
    which only read may call this."""
    target = _real(target)
    old = _old(target)
    if not target.exists() and _ours(old, record):
        old.rename(target)


def no_dataset(place: Path) -> UsageError:
    """The message (E44) about a folder that is not there: a dataset beside it, or in `data/`, may be meant."""
    folders = [found.parent for each in (Path("data"), place.parent) for found in each.glob("*/manifest.json")]
    near = {folder.name: folder for folder in folders}
    meant = near.get(nearest(place.name, near) or "")
    guess = f"; did you mean `{meant}`?" if meant else ""
    whole = (place.parent / "manifest.json").is_file()
    help = (
        f"name the dataset `{place.parent}`, with all of its paradigms" if whole else "give a folder that `build` wrote"
    )
    return UsageError(f"there is no dataset folder `{place}`{guess}", help, "E44")


def _sweep(target: Path, record: str) -> None:
    """Remove folders that killed builds of the same dataset left behind, but nothing that is not a dataset."""
    prefix = f".{target.name}.new-"
    for left in sorted(target.parent.iterdir()):
        number = left.name.removeprefix(prefix)
        if left.name.startswith(prefix) and number.isdecimal() and not _alive(int(number)):
            _remove(left)
    if target.exists() and _ours(_old(target), record):
        _remove(_old(target))


def _remove(left: Path) -> None:
    """Remove a folder, or a link, but not what it leads to."""
    if left.is_symlink():
        left.unlink(missing_ok=True)
    else:
        shutil.rmtree(left, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
