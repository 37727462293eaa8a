"""Walks kept between runs (`gramprobe.cache`): the instances that a walk gave before, up to where no more were wanted.

It is keyed by what the order of instances depends on (`Plan.walked`), by the seed, by how many were wanted, and by what
keeps instances out. A walk that came to its end is not kept: who asks why it gave no more needs all that was seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.cache import Folder
from gramprobe.items.stretch import Stretch
from gramprobe.space.space import Draws

MOST = 1 << 21
"""The most bytes of a walk that is kept."""

_BOX = " box"
"""The name of the array of boxes: no draw has one that begins with a space."""
_ARRAYS = ("keys", "places", "repeats", "vetoed", "kept")


def with_kept(key: str, walk: Iterator[Stretch]) -> Iterator[Stretch]:
    """The stretches of a walk, first those that are kept under a key; what was taken of it is kept."""
    folder = Folder("walks")
    data = folder.get(key)
    held = [] if data is None else _read(data)
    yield from held
    parts, size, ended = [_written(each) for each in held], len(data or b""), False
    try:
        for stretch in islice(walk, len(held), None):
            if size <= MOST:
                parts.append(_written(stretch))
                size += sum(len(each) for each in parts[-1][1])
            yield stretch
        ended = True
    finally:
        if not ended and len(held) < len(parts) and size <= MOST:
            head = json.dumps([said for said, _ in parts]).encode()
            folder.put(key, b"\n".join([head, b"".join(each for _, arrays in parts for each in arrays)]))


def _written(stretch: Stretch) -> tuple[dict[str, Any], list[bytes]]:
    """What a stretch is, and its arrays, in order."""
    every: dict[str, NDArray[Any] | None] = {_BOX: stretch.draws.box, **stretch.draws.columns}
    every |= {f" {name}": getattr(stretch, name) for name in _ARRAYS}
    there = {name: each for name, each in every.items() if each is not None}
    said = {name: (each.dtype.str, each.shape) for name, each in there.items()}
    return {"arrays": said, "start": stretch.start, "stop": stretch.stop, "again": stretch.again}, [
        each.tobytes() for each in there.values()
    ]


def _read(data: bytes) -> list[Stretch]:
    head, _, rest = data.partition(b"\n")
    found, at = list[Stretch](), 0
    for said in json.loads(head):
        arrays: dict[str, NDArray[Any]] = {}
        for name, (kind, shape) in said["arrays"].items():
            size = int(np.prod(shape, dtype=np.int64))
            arrays[name] = np.frombuffer(rest, kind, size, at).reshape(shape).copy()
            at += arrays[name].nbytes
        own = {name: arrays.pop(f" {name}", None) for name in _ARRAYS}
        draws = Draws(arrays.pop(_BOX), arrays)
        found.append(Stretch(draws=draws, start=said["start"], stop=said["stop"], again=said["again"], **own))  # type: ignore[arg-type]
    return found
