"""The sizes of spaces kept between runs (`gramprobe.cache`).

It is keyed by every file of the library and the code that counts: after any change all sizes are counted again. So
`gramprobe list` counts no space twice, and does not import numpy if all sizes are known.
"""

from __future__ import annotations

import hashlib
import json

from gramprobe.cache import Folder, code_version
from gramprobe.source.files import GIVEN, Library

#: the packages whose code decides a size
_COUNTING = ("formula", "items/tasks", "resolve", "source", "space", "syntax")


def _key(library: Library) -> str:
    digest = hashlib.sha256(code_version(*_COUNTING).encode())
    for source in library.sources.values():
        digest.update(f"{source.name}\n{source.sha256}\n{source.origin == GIVEN}\n".encode())
    for name in sorted(library.unreadable.values()):
        digest.update(f"{name}\n".encode())
    return digest.hexdigest()


def kept_sizes(library: Library) -> dict[str, int]:
    """Full name -> size, for the paradigms whose size is in the cache."""
    try:
        sizes = json.loads(Folder("sizes").get(_key(library)) or b"{}")
        return {str(name): int(size) for name, size in sizes.items()}
    except Exception:  # a damaged cache is not the user's problem: the spaces are counted again
        return {}


def keep_sizes(library: Library, sizes: dict[str, int]) -> None:
    """Write sizes for the next run; without write access to the cache folder, nothing is written."""
    Folder("sizes").put(_key(library), json.dumps(sizes).encode())
