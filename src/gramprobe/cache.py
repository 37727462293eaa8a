"""The cache between runs: where it is, the hashes that are its keys, how its files are written.

    decide.cache     verdicts             by shape and the engines' code
    syntax.cache     syntax trees         by a file's text and the readers' code
    syntax.parser    tables of parsers    by the Lark files and the version of Lark
    space.sizes      sizes of spaces      by every file and the code that counts
    space.space      sizes of boxes       by all code, draws and sentences, and the declarations they reach
    cli.list         the list             by every file and all code
    check.store      answers of `check`   by the files that a paradigm rests on and all code; without diagnostics
                                          also by what it says and reaches, wherever that stands
    dataset.gates    what gates find      by what a paradigm says and reaches, all theories, and the instances
    items.shapes     shapes, readings     by the same without instances; in the file by what was drawn in the row
    space.drawable   counts of words      as the sizes of boxes
    items.hands      columns of strata    by the same and the limits
    items.kept_walks walks                by the same, the seed, how many are wanted, and what keeps instances out
    items.charts     compiled grammars    by their files, all code, and the tokens for which they are reduced

Each key is a hash of content and of code, so that no cached value can be out of date. A cache file that is missing,
damaged, or written by somebody else (each is sealed with a secret of the user's that is kept elsewhere), and a folder
that cannot be written to, are ignored; that there is no place for the secret is said once, by `cli.main`. Deleting the
cache costs time and changes no result.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import msgspec

Found = TypeVar("Found")

STALE = 60 * 24 * 3600
"""Age in seconds after which a cache file that was not written to is deleted."""
SECRET = 32
"""Bytes of the secret."""
DAY = 24 * 3600
"""Seconds after which a folder is looked through again for such files."""


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/gramprobe``, else where the system keeps caches: ``~/.cache/gramprobe`` on Linux.

    Without a home folder it is a path that cannot be written to.
    """
    return _folder_of("cache")


def _folder_of(kind: str) -> Path:
    """The folder of gramprobe for what the system calls ``kind``: `cache`, or `state`, which outlives caches."""
    if given := os.environ.get(f"XDG_{kind.upper()}_HOME"):
        return Path(given) / "gramprobe"
    return _by_default(kind, os.environ.get("HOME"))


@cache
def _by_default(kind: str, home: str | None) -> Path:
    """The same where nobody says where; each seal asks for it. ``home``: on what it depends."""
    try:
        Path.home()
    except RuntimeError:
        return Path(os.devnull) / "gramprobe"
    import platformdirs

    place: Path = getattr(platformdirs, f"user_{kind}_path")("gramprobe", appauthor=False)
    return place


def switched_off() -> bool:
    """Whether nothing is read from the cache nor written: by ``GRAMPROBE_CACHE=off``, or since there is no secret."""
    return os.environ.get("GRAMPROBE_CACHE", "").lower() in ("off", "0", "no") or not _secret(_folder_of("state"))


def without_place() -> Path | None:
    """The folder of the secret, where it was asked for and cannot be kept, so that nothing is: nobody guesses why each
    run takes as long as the first. None elsewhere."""
    folder = _folder_of("state")
    return folder if folder in _without_place else None


_without_place = set[Path]()


@cache
def _secret(folder: Path) -> bytes:
    """What entries of the cache are sealed with: random bytes in ``folder``, made where there are none.

    Who can write into the cache, and does not know them, can put no value there that is taken for ours. Empty where
    they can be neither read nor kept.
    """
    file = folder / "cache.key"
    for _ in range(2):
        place: Callable[[str, Path], None] = os.replace  # of what is damaged, or cannot be read
        try:
            found = file.read_bytes()
            if len(found) == SECRET:
                return found
        except FileNotFoundError:
            place = _place_first  # of several programs at once all take the first one's
        except OSError:
            pass
        write(file, os.urandom(SECRET), place)
    _without_place.add(folder)
    return b""


def sealed(*parts: str | bytes) -> str:
    """The seal of an entry of the cache: of what it is kept under, and its content. Nobody has it without the secret.

    HMAC (RFC 2104) with SHA-256, in hex.
    """
    content = [part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass") for part in parts]
    message = b"".join(len(part).to_bytes(8, "big") + part for part in content)
    return hmac.digest(_secret(_folder_of("state")), message, "sha256").hex()


@cache
def code_version(*packages: str) -> str:
    """A hash of the Python and Lark files of these packages and modules of gramprobe; without arguments of all."""
    digest = hashlib.sha256()
    root = resources.files("gramprobe")
    for name, content in sorted(pair for part in packages or ("",) for pair in _files(root, part)):
        digest.update(f"\n{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


@cache
def solver_version() -> str:
    """A hash of the first file of the SAT solver's package, which names its version; nothing is imported."""
    spec = find_spec("pysat")
    page = Path(spec.origin).read_bytes() if spec and spec.origin else b""
    return hashlib.sha256(page).hexdigest()


@cache
def program_version() -> str:
    """A hash of all code of gramprobe, with the SAT solver and the Python that run it."""
    return hashlib.sha256(f"{code_version()} {solver_version()} {sys.version}".encode()).hexdigest()


def _files(root: Traversable, part: str) -> Iterator[tuple[str, bytes]]:
    folder = root / part if part else root
    if folder.is_file():
        yield part, folder.read_bytes()
        return
    for entry in folder.iterdir():
        name = f"{part}/{entry.name}" if part else entry.name
        if entry.is_dir() and entry.name not in ("__pycache__", "_data"):
            yield from _files(root, name)
        elif entry.name.endswith((".py", ".lark")):
            yield name, entry.read_bytes()


def write(file: Path, content: bytes, place: Callable[[str, Path], None] = os.replace) -> None:
    """Write a file aside and rename it, so that nobody ever reads half a file. Errors of the system are ignored.

    ``place`` gives the file that was written aside its name.
    """
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            place(name, file)
        except OSError:
            os.unlink(name)


def _place_first(written: str, file: Path) -> None:
    """Give a file its name unless there is a file of that name, which then stays."""
    try:
        os.link(written, file)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        os.replace(written, file)
        return
    os.unlink(written)


def key_of(*parts: Any) -> str:
    """A hash of JSON data."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


_swept = set[Path]()


class Folder:
    """A folder of the cache with a file for each key; a file whose seal does not fit is passed over. Nothing is read or
    written where the cache is switched off."""

    def __init__(self, name: str) -> None:
        self._name, self._folder, self._off = name, cache_folder() / name, switched_off()

    def get(self, key: str) -> bytes | None:
        """What was kept under a key; None where it is missing or damaged."""
        if self._off:
            return None
        try:
            seal, _, data = (self._folder / f"{key}.json").read_bytes().partition(b"\n")
        except OSError:
            return None
        return data if hmac.compare_digest(seal, sealed(self._name, key, data).encode()) else None

    def found(self, key: str, kind: type[Found], find: Callable[[], Found]) -> Found:
        """What is kept under a key, as JSON that msgspec reads as ``kind``; else what ``find`` gives, which is then
        kept. Under an empty key nothing is."""
        data = self.get(key) if key else None
        if data is not None:
            with contextlib.suppress(ValueError, RecursionError, msgspec.MsgspecError):
                return msgspec.json.decode(data, type=kind)
        fresh = find()
        if key:
            self.put(key, msgspec.json.encode(fresh))
        return fresh

    def put(self, key: str, data: bytes) -> None:
        """Keep data under a key. A folder that cannot be written to is ignored."""
        if self._off:
            return
        write(self._folder / f"{key}.json", sealed(self._name, key, data).encode() + b"\n" + data)
        if self._folder not in _swept:
            _swept.add(self._folder)
            mark = self._folder.parent / "swept" / self._folder.name  # when that was last done
            with contextlib.suppress(OSError):
                if not mark.exists() or time.time() - mark.stat().st_mtime > DAY:
                    write(mark, b"")
                    sweep(self._folder, "*.json")


def sweep(folder: Path, pattern: str, but: Path | None = None) -> None:
    """Delete the files of a folder that match a pattern and are older than :data:`STALE`, except ``but``."""
    for file in folder.glob(pattern):
        with contextlib.suppress(OSError):
            if file != but and time.time() - file.stat().st_mtime > STALE:
                file.unlink()
