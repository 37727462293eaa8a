"""The sizes of spaces kept between runs (`gramprobe.cache`).

Keyed by every file of the library and the code that counts: whatever is changed, all is counted anew. So
`gramprobe list` counts nothing twice, and needs no arrays where all is counted.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from gramprobe.cache import cache_folder, code_version, write
from gramprobe.source.files import GIVEN, Library

#: the packages by which a size is told
_COUNTING = ("formula", "items/tasks", "resolve", "source", "space", "syntax")


def _file(library: Library) -> Path:
    digest = hashlib.sha256(code_version(*_COUNTING).encode())
    for source in library.sources.values():
        digest.update(f"{source.name}\n{source.sha256}\n{source.origin == GIVEN}\n".encode())
    for name in sorted(library.unreadable):
        digest.update(f"{name}\n".encode())
    return cache_folder() / "sizes" / f"{digest.hexdigest()}.json"


def kept_sizes(library: Library) -> dict[str, int]:
    """Full name -> size, of the paradigms that were counted before."""
    try:
        found = json.loads(_file(library).read_bytes())
        return {str(name): int(size) for name, size in found.items()}
    except Exception:  # whatever is wrong with a cache file, it is not the user's problem
        return {}


def keep_sizes(library: Library, sizes: dict[str, int]) -> None:
    """Write them for the next run; a cache that cannot be written is no cache."""
    write(_file(library), json.dumps(sizes).encode())
