"""The shards of one run, scored by the actors of a Ray cluster. Each loads the model for itself and puts its files in
place, as `gramprobe.score.workers` does it on one machine; nothing but the names of shards goes to and fro."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gramprobe.cluster import Failed, Pool, connected
from gramprobe.score.job import Job, job_of, open_source, score_shard, settings_of
from gramprobe.score.order import Order
from gramprobe.score.results import differences
from gramprobe.score.source import Finder
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError


def shared(job: Job, shards: list[str], started: Callable[[int], None]) -> Generator[tuple[str, dict[str, Any]]]:
    """Score shards on a cluster; the name of each when it is done, and what was found when the model was loaded.

    ``started`` is called with the number of actors. A shard whose scoring raised an error is missing, so that the error
    occurs here again, where it is reported. Raises UsageError (E62) for what is wrong with the cluster, and for a shard
    that ended several actors.
    """
    order = placed(job.order)
    gpu = not order.device.startswith("cpu")
    with connected(order.address, order.workers, order.threads) as cluster:
        cluster.check([order.source, *(p for p in (order.model, order.prompts) if os.path.isabs(p))], order.out)
        room = cluster.actors(order.threads, gpu)
        if not room:
            raise messages.cluster.no_gpu()
        count = min(order.workers or room, len(shards))
        started(count)
        options = {"order": msgspec.to_builtins(order), "alike": _alike(job)}
        pool: Pool[str] = Pool(cluster, f"{__name__}:work", options, count, order.threads, gpu)
        with pool:
            for name, found in pool.each(shards):
                if not isinstance(found, Failed):
                    yield name, found


def placed(order: Order) -> Order:
    """The order with whole paths, as an actor has a working folder of its own, and one GPU that Ray has given it."""
    here = {"source": order.source, "out": order.out, "prompts": order.prompts}
    paths = {name: os.path.abspath(place) for name, place in here.items() if place}
    model = os.path.abspath(order.model) if Path(order.model).is_dir() else order.model
    return msgspec.structs.replace(order, **paths, model=model, device=order.device.partition(":")[0])


@contextmanager
def work(options: dict[str, Any]) -> Iterator[Callable[[str], dict[str, Any]]]:
    """The work of an actor: from the name of a shard, whose file it puts in place, to what was found at load.

    Raises UsageError if the files or libraries of this machine would give other scores.
    """
    order = msgspec.convert(options["order"], Order)
    job = job_of(order, open_source(order))
    here, there = _alike(job), options["alike"]
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
