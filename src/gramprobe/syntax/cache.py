"""Syntax trees kept between runs, in the user's cache folder.

Keyed by the text, its shown path and the code that reads it, as JSON (``syntax.stored``): a file that is missing,
unreadable or of other types is read anew. Deleting the folder costs a fraction of a second and changes nothing. A
file that somebody else wrote there can run no code, but can hold another tree: who shares a cache folder with
strangers and wants a verification to rest on the text alone sets ``GRAMPROBE_CACHE=off``.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Source
from gramprobe.syntax import stored

Read = TypeVar("Read")


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/gramprobe`` or ``~/.cache/gramprobe``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gramprobe"


@cache
def code_version(*packages: str) -> str:
    """A hash of the code and grammars of these packages."""
    digest = hashlib.sha256()
    for package in packages:
        for file in _code(resources.files(package)):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _code(folder: Traversable) -> Iterator[Traversable]:
    """The files of code and grammars in a package and those below it, in order."""
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            yield from _code(entry)
        elif entry.name.endswith((".py", ".lark")):
            yield entry


_memory: dict[tuple[str, str, str], Any] = {}


def cached(source: Source, read: Callable[[Source], tuple[Read, list[Diagnostic]]]) -> tuple[Read, list[Diagnostic]]:
    """What ``read`` makes of a source, out of the cache where it is there; its declared type says what may be there."""
    key = (source.sha256, source.path, read.__name__)
    if key not in _memory:
        _memory[key] = read(source) if _switched_off() else _kept(source, read, key)
    result: tuple[Read, list[Diagnostic]] = _memory[key]
    return result[0], list(result[1])


def _switched_off() -> bool:
    """Whether the user wants no cache, as for verdicts (``decide.cache``)."""
    return os.environ.get("GRAMPROBE_CACHE", "").lower() in ("off", "0", "no")


def _kept(source: Source, read: Callable[[Source], Any], key: tuple[str, ...]) -> Any:
    """What is in the cache; if nothing of the right type is, what is read, and then kept."""
    version = code_version("gramprobe.syntax", "gramprobe.source")
    name = hashlib.sha256("\n".join((*key, version)).encode()).hexdigest()
    file = cache_folder() / "syntax" / f"{name}.json"
    type_ = get_type_hints(read)["return"]
    try:
        return stored.read(file.read_bytes(), type_, source.path)
    except (OSError, ValueError, RecursionError):
        result = read(source)
    with contextlib.suppress(stored.Foreign, RecursionError):  # a tree too deep to be written is read every time
        store(file, stored.write(result, type_, source.path))
    return result


def store(file: Path, content: bytes) -> None:
    """Write aside and rename; a cache that cannot be written is no cache."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.replace(name, file)
