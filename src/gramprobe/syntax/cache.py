"""Syntax trees kept between runs, in the user's cache folder.

Keyed by the text, its shown path and the code that reads it, as JSON (``syntax.stored``): a file that is missing,
unreadable or of other types is read anew. Deleting the folder costs a fraction of a second and changes nothing. A
file that somebody else wrote there can run no code, but can hold another tree: who shares a cache folder with
strangers and wants a verification to rest on the text alone sets ``GRAMPROBE_CACHE=off``.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, get_type_hints

from gramprobe.cache import cache_folder, code_version, switched_off, write
from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Source
from gramprobe.syntax import stored

Read = TypeVar("Read")


_memory: dict[tuple[str, ...], Any] = {}


def cached(
    source: Source, read: Callable[..., tuple[Read, list[Diagnostic]]], *words: tuple[str, ...]
) -> tuple[Read, list[Diagnostic]]:
    """What ``read`` makes of a source (and of more words), out of the cache where it is there; its declared type says
    what may be there."""
    key = (source.sha256, source.path, read.__name__, *(" ".join(each) for each in words))
    if key not in _memory:
        fresh = partial(read, source, *words)
        _memory[key] = fresh() if switched_off() else _kept(source, fresh, read, key)
    result: tuple[Read, list[Diagnostic]] = _memory[key]
    return result[0], list(result[1])


def _kept(source: Source, fresh: Callable[[], Any], read: Callable[..., Any], key: tuple[str, ...]) -> Any:
    """What is in the cache; if nothing of the right type is, what is read, and then kept."""
    version = code_version("syntax", "source")
    name = hashlib.sha256("\n".join((*key, version)).encode()).hexdigest()
    file = cache_folder() / "syntax" / f"{name}.json"
    type_ = get_type_hints(read)["return"]
    try:
        return stored.read(file.read_bytes(), type_, source.path)
    except (OSError, ValueError, RecursionError):
        result = fresh()
    with contextlib.suppress(stored.Foreign, RecursionError):  # a tree too deep to be written is read every time
        write(file, stored.write(result, type_, source.path))
    return result
