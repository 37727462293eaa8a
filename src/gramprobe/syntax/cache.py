"""A cache of syntax trees in the user's cache folder.

An entry is JSON, keyed by the text, its shown path and the code that reads it. If it is missing, damaged, of other
types or written by somebody else, the text is read again. Deleting the folder costs a fraction of a second and changes
nothing.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

import msgspec

from gramprobe.cache import Folder, code_version
from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Source

Read = TypeVar("Read")


_memory: dict[tuple[str, ...], Any] = {}


def cached(
    source: Source, read: Callable[..., tuple[Read, list[Diagnostic]]], *words: tuple[str, ...]
) -> tuple[Read, list[Diagnostic]]:
    """The result of ``read`` for a source (and further arguments), from the cache if possible.

    The declared type of the result decides whether an entry of the cache is accepted.
    """
    key = (source.sha256, source.path, read.__name__, *(" ".join(each) for each in words))
    if key not in _memory:
        _memory[key] = _kept(functools.partial(read, source, *words), read, key)
    result: tuple[Read, list[Diagnostic]] = _memory[key]
    return result[0], list(result[1])


@functools.cache
def _decoder(read: Callable[..., Any]) -> msgspec.json.Decoder[Any]:
    """What reads entries of the type that ``read`` returns: many files are of one, and to find it takes as long as to
    read an entry."""
    return msgspec.json.Decoder(get_type_hints(read)["return"])


def _kept(fresh: Callable[[], Any], read: Callable[..., Any], key: tuple[str, ...]) -> Any:
    """The result from the cache; if there is no entry of the right type, read the text and write the entry."""
    version = code_version("syntax", "source")
    name = hashlib.sha256("\n".join((*key, version)).encode()).hexdigest()
    folder = Folder("syntax")
    if (kept := folder.get(name)) is not None:
        with contextlib.suppress(ValueError, RecursionError):
            return _decoder(read).decode(kept)
    result = fresh()
    with contextlib.suppress(RecursionError):  # a tree too deep to be written is read every time
        folder.put(name, msgspec.json.encode(result))
    return result
