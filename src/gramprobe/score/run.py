"""One run: a source, a model and a mode -> a folder of scores."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from gramprobe import __version__
from gramprobe.score.engines.open import known_name
from gramprobe.score.job import Job, job_of, open_source, score_shard, settings_of
from gramprobe.score.order import RunOrder
from gramprobe.score.planning import Checked, check, prepared
from gramprobe.score.record import FORMAT, TIES, ModelEntry, Run, Session, SourceEntry
from gramprobe.score.request import Refusal
from gramprobe.score.results import RunFolder
from gramprobe.score.source import Source
from gramprobe.source.diagnostic import UsageError

Show = Callable[[str, int, int], None]
"""Is called with the progress: what is being done, how many items are done, of how many."""


def score(order: RunOrder, show: Show = lambda what, done, of: None) -> Run:
    """Score the items of an order, and return the record of the finished run.

    Raises UsageError for what is wrong with the order, the model (E91, E93) or the folder (E94); AuthoringError for
    items that cannot be scored (E92) and plain files that cannot be read (E95); OSError. A run that was interrupted,
    or failed, goes on after its last finished shard with `resume`.
    """
    from gramprobe.score.engines.weights import versions

    store = RunFolder(Path(order.out), order.resume)
    name = known_name(order, store.before)
    if name is not None:
        store.check_name(name)
    source = open_source(order)
    job = job_of(order, source)
    settings = settings_of(job)
    store.check_settings(settings)
    started = time.monotonic()
    show("checking", 0, 0)
    checked = check(job.mode, job.engine, job.selection)
    if not checked.items:
        raise UsageError(
            f"`{source.name}` has no items to score", "rows of the split `train` are there to be trained on"
        )
    if checked.refused and not order.skip_refused:
        raise checked.error(order.source if Path(order.source).is_dir() else "")
    with store:
        run = Run(
            format=FORMAT,
            model=ModelEntry(
                name=job.model.name,
                revision=job.model.revision,
                kind=job.model.kind,
                parameters=UNSET if job.opened.parameters is None else job.opened.parameters,
            ),
            source=SourceEntry(name=source.name, sha256=source.sha256),
            settings=settings,
            values=list(job.values),
            tie=TIES[order.dtype],
            items=checked.items,
            refused=checked.refused,
            shards=checked.shards,
            complete=False,
            sessions=[],
        )
        run = store.begin(run)
        done = store.done(run)
        workers, found = _score_all(job, checked, done, show)
        session = Session(
            gramprobe=__version__,
            versions=versions(job.engine.kind),
            workers=workers,
            engine="ray" if order.engine == "ray" else UNSET,
            threads=order.threads,
            shards=len(checked.shards) - len(done),
            seconds=round(time.monotonic() - started, 3),
            skip_refused=order.skip_refused,
            found=found,
        )
        return store.end(msgspec.structs.replace(run, sessions=[*run.sessions, session]))


def estimated(order: RunOrder, source: Source) -> tuple[int, int]:
    """How many requests an endpoint gets, and roughly how many tokens. Raises UsageError."""
    from gramprobe.score.engines.endpoint import EndpointEngine

    job = job_of(order, source)
    assert isinstance(job.engine, EndpointEngine)
    requests = tokens = 0
    for shard in job.selection.shards():
        table = job.selection.source.tables[shard.table]
        asked = [t for item in shard.items for _, t in prepared(job.mode, job.engine, table, item)]
        questions = [each for each in asked if not isinstance(each, Refusal)]
        requests += len(questions)
        tokens += job.engine.estimate(questions)
    return requests, tokens


def _score_all(job: Job, checked: Checked, done: set[str], show: Show) -> tuple[int, dict[str, Any]]:
    """Score the shards that are left; the number of processes, and what was found when the model was loaded."""
    workers = job.order.workers
    left = {name: items for name, items in checked.shards.items() if name not in done}
    ready = checked.items - sum(left.values())
    found: dict[str, Any] = {}
    if not left:
        return workers, found

    def started(count: int) -> None:
        nonlocal workers
        workers = count

    if job.order.engine == "ray" or workers > 1:
        with closing(_shared(job, list(left), started)) as finished:
            for name, what in finished:
                found = found or what
                ready += left.pop(name)
                show("scoring", ready, checked.items)
        if not left:
            return workers, found
    show("loading the model", ready, checked.items)
    found = job.engine.load()
    for shard in job.selection.shards():
        if shard.name in left:
            start = ready
            for count in score_shard(job, shard):
                show("scoring", start + count, checked.items)
            ready += left.pop(shard.name)
    return workers, found


def _shared(job: Job, shards: list[str], started: Callable[[int], None]) -> Generator[tuple[str, dict[str, Any]]]:
    """The shards that other processes finish, here or on a cluster."""
    from gramprobe.score.shared import by_actors, by_processes

    return by_actors(job, shards, started) if job.order.engine == "ray" else by_processes(job, shards)
