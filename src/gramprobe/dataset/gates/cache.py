"""What the gate `reading` found, kept between runs: most of what it costs are sentences that are parsed and meanings of
their trees.

It depends on the files that a paradigm rests on, on every theory (a build may name another one than the paradigm), on
the first instances, and on all code of gramprobe with the SAT solver and Python; a hash of these is the key, so that a
change of any of them has the sentences read anew. Kept is what the card and the diagnostics say, and no label.
`verify --parse` never asks for it.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence

import msgspec

from gramprobe.cache import Folder, key_of
from gramprobe.dataset.gates.reading import RoundTrip
from gramprobe.dataset.gates.sentences import Reason
from gramprobe.dataset.manifest import ReadBack
from gramprobe.items.rows import Chunk


class Found(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was found when sentences were read: what the manifest counts, if it was counted, and what is wrong with
    them."""

    counted: ReadBack | None
    reasons: tuple[Reason, ...]


def found(trip: RoundTrip, chunks: Sequence[Chunk]) -> Found:
    """What a round trip finds in the sentences of the first instances, from the cache if verdicts are kept and no
    outside prover is asked."""
    plan, decider = trip.plan, trip.plan.decider
    keeps = plan.content and decider.kept is not None and decider.oracle is None and plan.charts is None
    if not keeps:
        return _read(trip, chunks)
    folder, key = Folder("readings"), key_of(plan.content, trip.limits, _instances(chunks))
    with contextlib.suppress(ValueError, RecursionError, msgspec.MsgspecError):
        if (data := folder.get(key)) is not None:
            return msgspec.json.decode(data, type=Found)
    fresh = _read(trip, chunks)
    folder.put(key, msgspec.json.encode(fresh))
    return fresh


def _read(trip: RoundTrip, chunks: Sequence[Chunk]) -> Found:
    for chunk in chunks:
        trip.read(chunk)
    return Found(trip.counted if trip.counts else None, tuple(trip.reasons))


def _instances(chunks: Sequence[Chunk]) -> str:
    """A hash of the instances, in their order."""
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(f"{len(chunk)}\n".encode() + chunk.draws.box.tobytes())
        for slot, column in sorted(chunk.draws.columns.items()):
            digest.update(f"\n{slot} {column.dtype}\n".encode() + column.tobytes())
    return digest.hexdigest()
