"""The shards of one run, scored by several processes of this machine or by the actors of a Ray cluster.

Each loads the model for itself and puts its files in place; nothing but the names of shards goes to and fro. What could
not be scored is left to the process that asked, where errors are reported; which process scores a shard changes nothing
in its file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gramprobe.folders import differences
from gramprobe.score.engines.open import named
from gramprobe.score.job import Job, job_of, open_source, score_shard, settings_of
from gramprobe.score.order import RunOrder
from gramprobe.score.source import Finder
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError
from gramprobe.work import pool
from gramprobe.work.cluster import Failed, Pool, connected

WORK = f"{__name__}:work"


def by_processes(job: Job, shards: list[str]) -> Generator[tuple[str, dict[str, Any]]]:
    """Score shards by processes of this machine; the name of each when it is done, and what was found when the model
    was loaded. A shard whose process failed is missing."""
    work = pool.Job(start=WORK, options={"order": msgspec.to_builtins(job.order)}, result=dict[str, Any])
    return pool.each(work, shards, min(job.order.workers, len(shards)))


def by_actors(job: Job, shards: list[str], started: Callable[[int], None]) -> Generator[tuple[str, dict[str, Any]]]:
    """The same on a Ray cluster.

    ``started`` is called with the number of actors. A shard whose scoring raised an error is missing. Raises UsageError
    (E62) if the cluster cannot be used, and for a shard that ended several actors.
    """
    order = placed(job.order)
    gpu = not order.device.startswith("cpu")
    with connected(order.address, order.workers, order.threads) as cluster:
        places = (_split(order)[1], order.prompts)
        cluster.check([order.source, *(place for place in places if os.path.isabs(place))], order.out)
        room = cluster.actors(order.threads, gpu)
        if not room:
            raise messages.cluster.no_gpu()
        count = min(order.workers or room, len(shards))
        started(count)
        options = {"order": msgspec.to_builtins(order), "alike": _alike(job)}
        with Pool[str](cluster, WORK, options, count, order.threads, gpu) as actors:
            for name, found in actors.each(shards):
                if not isinstance(found, Failed):
                    yield name, found


def placed(order: RunOrder) -> RunOrder:
    """The order with whole paths, as an actor has a working folder of its own, and one GPU that Ray has given it."""
    here = {"source": order.source, "out": order.out, "prompts": order.prompts}
    paths = {name: os.path.abspath(place) for name, place in here.items() if place}
    prefix, place = _split(order)
    model = f"{prefix}{os.path.abspath(place)}" if Path(place).exists() else order.model
    return msgspec.structs.replace(order, **paths, model=model, device=order.device.partition(":")[0])


def _split(order: RunOrder) -> tuple[str, str]:
    """The prefix of a model that is made of a file or folder (`ngram:`, `vectors:`), and its place or name."""
    prefix, kind, behind = named(order)
    return (f"{prefix}:", behind) if kind is not None and kind.place else ("", order.model)


@contextmanager
def work(options: dict[str, Any]) -> Iterator[Callable[[str], dict[str, Any]]]:
    """The work of another process: from the name of a shard, whose file it puts in place, to what was found at load.

    ``options``: the ``order``, and of another machine what must be ``alike``. Raises UsageError if its files or
    libraries would give other scores.
    """
    order = msgspec.convert(options["order"], RunOrder)
    job = job_of(order, open_source(order))
    if there := options.get("alike"):
        here = _alike(job)
        if here != there:
            raise UsageError(f"it would give other scores: {'; '.join(differences(there, here))}")
    found = job.engine.load()
    finder = Finder(job.selection)

    def score(name: str) -> dict[str, Any]:
        shard = finder.shard(name)
        assert shard is not None  # the settings, and so the shards, are equal
        for _ in score_shard(job, shard):
            pass
        return found

    yield score


def _alike(job: Job) -> dict[str, Any]:
    """What must be the same on all machines: the settings, and the versions of libraries."""
    from gramprobe.score.engines.weights import versions

    return {**msgspec.to_builtins(settings_of(job)), "versions": versions(job.engine.kind)}
