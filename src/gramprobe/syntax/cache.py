"""Syntax trees kept between runs, in the user's cache folder.

Keyed by the text, its shown path and the code that reads it; a file that is missing, unreadable or not ours is
read anew. Deleting the folder costs a fraction of a second and changes nothing. It lies in the user's own cache
folder because that is as trusted as the user's own Python files.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import tempfile
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Source

Read = TypeVar("Read")


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/gramprobe`` or ``~/.cache/gramprobe``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gramprobe"


@cache
def code_version(*packages: str) -> str:
    """A hash of the code and grammars of these packages."""
    digest = hashlib.sha256()
    for package in packages:
        for file in sorted(resources.files(package).iterdir(), key=lambda f: f.name):
            if file.name.endswith((".py", ".lark")):
                digest.update(file.read_bytes())
    return digest.hexdigest()


_memory: dict[tuple[str, str, str], Any] = {}


def cached(source: Source, read: Callable[[Source], tuple[Read, list[Diagnostic]]]) -> tuple[Read, list[Diagnostic]]:
    """What ``read`` makes of a source, out of the cache where it is there."""
    key = (source.sha256, source.path, read.__name__)
    if key not in _memory:
        name = hashlib.sha256(
            "\n".join((*key, code_version("gramprobe.syntax", "gramprobe.source"))).encode()
        ).hexdigest()
        file = cache_folder() / "syntax" / f"{name}.pickle"
        found = _load(file)
        if found is None:
            found = read(source)
            buffer = io.BytesIO()
            _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(found)
            store(file, buffer.getvalue())
        _memory[key] = found
    result: tuple[Read, list[Diagnostic]] = _memory[key]
    return result[0], list(result[1])


class _Pickler(pickle.Pickler):
    """Writes a node of a tree as its class and what its fields hold: read back by one call, which takes half the time
    of what dataclasses do by themselves."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, type) or not is_dataclass(value):
            return NotImplemented
        named = {f.name: getattr(value, f.name) for f in fields(value)}
        if any(f.kw_only for f in fields(value)):
            return _by_name, (type(value), named)
        return type(value), tuple(named.values())


def _by_name(node: Callable[..., Any], named: dict[str, Any]) -> Any:
    return node(**named)


def _load(file: Path) -> Any:
    try:
        return pickle.loads(file.read_bytes())
    except Exception:  # whatever is wrong with a cache file, it is not the user's problem
        return None


def store(file: Path, content: bytes) -> None:
    """Write aside and rename; a cache that cannot be written is no cache."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.replace(name, file)
