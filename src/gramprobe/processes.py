"""Several processes that work on the paradigms of one project, each with the project loaded for itself.

A worker (`gramprobe.worker`) is a separate Python that reads one name from each line and answers with one line of JSON.
Nothing of this process is copied into it, so that it works the same on every system. If a worker has other files or
code than this process (somebody saved a file meanwhile), or ends for any reason, its paradigm is done here.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import msgspec

from gramprobe import pipes
from gramprobe.cache import program_version

if TYPE_CHECKING:
    from gramprobe.resolve.project import Declarations

Result = TypeVar("Result")
Work: TypeAlias = Callable[[str], Result]
"""Gives the result for a paradigm from its full name."""

MOST = 8
"""The largest number of processes: each needs some 200 MiB or more."""

_START = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from gramprobe.worker import serve
sys.exit(serve())
"""


class ProjectFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a worker needs to load the project of this process.

    Attributes:
        folders: the folders beside the shipped one.
        sentences: the file of given sentences, if one was named.
        names: the names that `load` was limited to.
        digest: the hash of all files; a worker that reads others refuses.
    """

    folders: list[str]
    sentences: str | None
    names: list[str]
    digest: str


class Order(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line that a worker reads.

    Attributes:
        module, function: where `Job.start` is.
        options: as in `Job`.
        files: the project.
        version: the hash of the code; a worker with another refuses.
    """

    module: str
    function: str
    options: dict[str, Any]
    files: ProjectFiles
    version: str


@dataclass(frozen=True, kw_only=True)
class Job(Generic[Result]):
    """What is done with each paradigm.

    Attributes:
        start: gives, within a context, the work on one project; a function of a module, as workers import it by name.
        options: its second argument: JSON data.
        result: the type of the results, which msgspec can write and read.
        each: paradigms for each further process: how many are done in the time that a process takes to start.
    """

    start: Callable[[Declarations, dict[str, Any]], AbstractContextManager[Work[Result]]]
    options: dict[str, Any]
    result: type[Result]
    each: int


def processes() -> int:
    """How many processes may work at once: ``GRAMPROBE_JOBS``, else the cores that this process may use."""
    with contextlib.suppress(ValueError):
        return max(1, int(os.environ.get("GRAMPROBE_JOBS", "")))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST)


def results(
    job: Job[Result], names: Sequence[str], declarations: Declarations, files: ProjectFiles | None = None
) -> Iterator[tuple[str, Result]]:
    """Every name with its result, in the order given, from this process and as many workers as the names justify.

    ``files``: the project of ``declarations``, for workers to load; without it there are none. Raises what the work
    raises. No worker outlives the iteration.
    """
    shared = _Shared[Result](names)
    count = 0 if files is None else min(processes(), len(names) // job.each) - 1
    with _workers(count, job, files, shared), job.start(declarations, job.options) as work:
        for name in names:
            while (result := shared.result(name)) is None:
                mine = shared.take()
                if mine is not None:
                    shared.give(mine, work(mine))
            yield name, result


class _Shared(Generic[Result]):
    """The names still to do and the results so far, shared by threads."""

    def __init__(self, names: Sequence[str]) -> None:
        self._left = deque(names)
        self._results: dict[str, Result] = {}
        self._changed = threading.Condition()

    def take(self) -> str | None:
        """The next name, which the caller does or gives back; None where no name is left."""
        with self._changed:
            return self._left.popleft() if self._left else None

    def give(self, name: str, result: Result | None) -> None:
        """Add the result for a name; None gives the name back to be done by another."""
        with self._changed:
            if result is None:
                self._left.appendleft(name)
            else:
                self._results[name] = result
            self._changed.notify_all()

    def result(self, name: str) -> Result | None:
        """Hand over the result for a name; None if it has none yet and some name is left. Waits while neither holds."""
        with self._changed:
            self._changed.wait_for(lambda: name in self._results or self._left)
            return self._results.pop(name, None)

    def close(self) -> None:
        """Drop the names that are left, so that threads end."""
        with self._changed:
            self._left.clear()


@contextlib.contextmanager
def _workers(count: int, job: Job[Result], files: ProjectFiles | None, shared: _Shared[Result]) -> Iterator[None]:
    """Start workers that take names from ``shared``; all of them are ended on leaving, whatever happens."""
    if files is None or count < 1:
        yield
        return
    order = Order(
        module=job.start.__module__,
        function=job.start.__qualname__,
        options=job.options,
        files=files,
        version=program_version(),
    )
    started: list[pipes.Process] = []
    threads: list[threading.Thread] = []
    try:
        for _ in range(count):
            with contextlib.suppress(OSError):
                started.append(pipes.start(_START))
                arguments = (started[-1], order, job.result, shared)
                threads.append(threading.Thread(target=_ask, args=arguments, daemon=True))
                threads[-1].start()
        yield
    finally:
        shared.close()
        pipes.end(started, threads)


def _ask(worker: pipes.Process, order: Order, type_: type[Result], shared: _Shared[Result]) -> None:
    """Have one worker do names until no name is left or the worker has ended."""
    if pipes.answer(worker, msgspec.json.encode(order)) != b"ready\n":
        return
    while (name := shared.take()) is not None:
        result = None
        with contextlib.suppress(msgspec.MsgspecError):
            result = msgspec.json.decode(pipes.answer(worker, name.encode()), type=type_)
        if result is None:  # it may still be writing to files that the next one writes
            worker.kill()
            worker.wait()
        shared.give(name, result)
        if result is None:
            return
