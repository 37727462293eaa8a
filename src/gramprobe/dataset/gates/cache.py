"""What gates found, kept between runs: to make sentences for them, to parse these and to measure readers takes longer
than to look up the labels.

It depends on what a paradigm says and reaches (`Plan.content`), on every theory (a build may name another one than the
paradigm), on the instances that a gate reads, and on all code of gramprobe with the SAT solver and Python; a hash of
these is the key, so that a change of any of them has the sentences read anew. Kept is what the card and the diagnostics
say, and no label. `verify` asks for it in the build of `--rebuild` alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gramprobe.cache import Folder, key_of
from gramprobe.items.plan import Plan
from gramprobe.items.rows import Chunk

_Found = TypeVar("_Found")


def found(plan: Plan, name: str, depends: Sequence[Any], kind: type[_Found], find: Callable[[], _Found]) -> _Found:
    """What a gate finds: what is kept of it in the folder ``name``, if anything of the plan is, else what ``find``
    gives.

    ``depends``: all that it depends on beside the content of the plan, as JSON data. ``kind``: its type, which msgspec
    reads back.
    """
    return Folder(name).found(key_of(key, *depends) if (key := plan.kept_under) else "", kind, find)


def instances(chunks: Sequence[Chunk]) -> str:
    """A hash of instances, in their order, and of which rows they give."""
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(f"{len(chunk)}\n".encode() + chunk.draws.box.tobytes())
        for slot, column in sorted(chunk.draws.columns.items()):
            digest.update(f"\n{slot} {column.dtype}\n".encode() + column.tobytes())
        digest.update(b"" if chunk.kept is None else b"\nkept\n" + chunk.kept.tobytes())
    return digest.hexdigest()
