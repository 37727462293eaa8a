"""Python processes of this machine that share units of work.

A worker is a separate Python that reads one unit from each line and answers with one line of JSON. Nothing of this
process is copied into it, so that it works the same on every system. A unit whose worker ends for any reason, or has
other code than this process (somebody saved a file meanwhile), is left to this process, where errors are reported.

Who starts workers ends them: neither a process, nor a thread that asks one, nor an open pipe is left.

The paradigms of one project are such units, for processes that load the project themselves.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from gramprobe.cache import program_version
from gramprobe.source.diagnostic import UsageError

Result = TypeVar("Result")
Work: TypeAlias = Callable[[str], Result]
"""Gives the result of a unit."""
Process: TypeAlias = "subprocess.Popen[bytes]"

MOST = 8
"""The largest number of processes: each needs some 200 MiB or more."""

_START = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from gramprobe.work.pool import serve
sys.exit(serve())
"""


@dataclass(frozen=True, kw_only=True)
class Job(Generic[Result]):
    """What is done with each unit.

    Attributes:
        start: `module:function` of the context that gives the work.
        options: its argument: JSON data.
        result: the type of the results, which msgspec can write and read.
    """

    start: str
    options: Any
    result: type[Result]


class _Order(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line that a worker reads: a job, and the hash of the code, without which a worker refuses."""

    start: str
    options: Any
    version: str


def processes() -> int:
    """How many processes may work at once: ``GRAMPROBE_JOBS``, else the cores that this process may use.

    Raises UsageError where ``GRAMPROBE_JOBS`` is no such number.
    """
    given = os.environ.get("GRAMPROBE_JOBS", "").strip()
    if given:
        if not given.isdecimal() or not int(given):
            help = "set it to how many processes may work at once, 1 or more, or leave it out"
            raise UsageError(f"GRAMPROBE_JOBS is `{given}`, and no such number", help)
        return int(given)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST)


def made(start: str, *options: Any) -> AbstractContextManager[Callable[[Any], Any]]:
    """The context that gives the work, by its name ``module:function``."""
    module, _, function = start.partition(":")
    work: AbstractContextManager[Callable[[Any], Any]] = getattr(importlib.import_module(module), function)(*options)
    return work


def in_order(
    job: Job[Result],
    units: Sequence[str],
    count: int,
    ours: AbstractContextManager[Work[Result]],
    finished: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[str, Result]]:
    """Every unit with its result, in the order given, from ``count`` workers and this process, whose work is ``ours``.

    This process begins with the first unit and workers with the last: neighbours are alike, so that what a process
    remembers of one serves the next, and the first results come early. ``finished`` gets how many have been done.
    Raises what our work raises. No worker outlives the iteration.
    """
    with _working(job, units, count, last=True) as shared, ours as work:
        known = 0
        for unit in units:
            while (result := shared.result(unit, known)) is None:
                known = _told(shared, known, finished)
                mine = shared.take(left_over=True)
                if mine is not None:
                    shared.give(mine, work(mine))
            known = _told(shared, known, finished)
            yield unit, result


def _told(shared: _Shared[Result], known: int, finished: Callable[[int], None]) -> int:
    """Say how many units have been done, if that has changed."""
    if shared.finished > known:
        finished(shared.finished)
    return shared.finished


def each(job: Job[Result], units: Sequence[str], count: int) -> Generator[tuple[str, Result]]:
    """The units with their results, in the order in which ``count`` workers finish them; without the units whose worker
    failed. No worker outlives the iteration."""
    with _working(job, units, count) as shared:
        while (found := shared.next()) is not None:
            yield found


class _Shared(Generic[Result]):
    """The units still to do and the results so far, shared by threads."""

    def __init__(self, units: Sequence[str]) -> None:
        self._left, self._left_over = deque(units), deque[str]()
        self._results: dict[str, Result] = {}
        self._workers = 0
        self.finished = 0
        self._changed = threading.Condition()

    def take(self, left_over: bool = False, last: bool = False) -> str | None:
        """The first unit, or the ``last``; before them, if ``left_over``, those whose worker failed. None where none is
        left."""
        with self._changed:
            if left_over and self._left_over:
                return self._left_over.popleft()
            return (self._left.pop() if last else self._left.popleft()) if self._left else None

    def give(self, unit: str, result: Result | None) -> None:
        """Add the result of a unit; None if its worker failed."""
        with self._changed:
            if result is None:
                self._left_over.append(unit)
            else:
                self._results[unit] = result
                self.finished += 1
            self._changed.notify_all()

    def result(self, unit: str, known: int) -> Result | None:
        """Hand over the result of a unit; None if it has none yet, and some unit is left or more than ``known`` have
        been done. Waits while nothing of this holds."""
        with self._changed:
            self._changed.wait_for(
                lambda: unit in self._results or self._left or self._left_over or self.finished > known
            )
            return self._results.pop(unit, None)

    def next(self) -> tuple[str, Result] | None:
        """Hand over a unit with its result, as soon as there is one; None when no worker is left."""
        with self._changed:
            self._changed.wait_for(lambda: self._results or not self._workers)
            if not self._results:
                return None
            unit = next(iter(self._results))
            return unit, self._results.pop(unit)

    def count(self, workers: int) -> None:
        """Add to the number of workers."""
        with self._changed:
            self._workers += workers
            self._changed.notify_all()

    def close(self) -> None:
        """Drop the units that are left, so that threads end."""
        with self._changed:
            self._left.clear()


@contextlib.contextmanager
def _working(job: Job[Result], units: Sequence[str], count: int, last: bool = False) -> Iterator[_Shared[Result]]:
    """Units that workers take and do, the ``last`` first if that is said; all workers are ended on leaving, whatever
    happens."""
    shared = _Shared[Result](units)
    workers: list[Process] = []
    threads: list[threading.Thread] = []
    try:
        for _ in range(count):
            with contextlib.suppress(OSError):
                workers.append(_started())
                shared.count(1)
                threads.append(threading.Thread(target=_ask, args=(workers[-1], job, shared, last), daemon=True))
                threads[-1].start()
        yield shared
    finally:
        shared.close()
        for worker in workers:
            worker.kill()
        for thread in threads:
            thread.join()
        for worker in workers:
            worker.wait()
            for stream in (worker.stdin, worker.stdout):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]


def _started() -> Process:
    """A Python that is a worker. Raises OSError."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _START, json.dumps(sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # an error of a worker occurs here again, where it is reported
    )


def _ask(worker: Process, job: Job[Result], shared: _Shared[Result], last: bool) -> None:
    """Have one worker do units until none is left or the worker has ended."""
    try:
        order = _Order(start=job.start, options=job.options, version=program_version())
        if _answer(worker, msgspec.json.encode(order)) != b"ready\n":
            return
        while (unit := shared.take(last=last)) is not None:
            result = None
            with contextlib.suppress(msgspec.MsgspecError):
                result = msgspec.json.decode(_answer(worker, unit.encode()), type=job.result)
            if result is None:  # it may still be writing to files that the next one writes
                worker.kill()
                worker.wait()
            shared.give(unit, result)
            if result is None:
                return
    finally:
        shared.count(-1)


def _answer(worker: Process, line: bytes) -> bytes:
    """Send a line, and wait for the line that answers it; empty if the worker has ended."""
    assert worker.stdin is not None and worker.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        worker.stdin.write(line + b"\n")
        worker.stdin.flush()
        return worker.stdout.readline()
    return b""


# ---- in a worker


def serve() -> int:
    """Be a worker: an order on standard input, then units; on standard output one result on each line.

    Returns 1 where the worker's code differs from that of the order. Otherwise the process ends with its input, also
    amid its work: nobody is left to read the result.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of the terminal; ours ends this one
    gc.set_threshold(10_000_000, 50, 100)  # as `cli.main`
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # prints of other code must not be read as answers
        order = msgspec.json.decode(sys.stdin.buffer.readline(), type=_Order)
        if program_version() != order.version:
            return 1
        with contextlib.suppress(BrokenPipeError), made(order.start, order.options) as work:
            out.write(b"ready\n")
            out.flush()
            for unit in _units():
                out.write(msgspec.json.encode(work(unit)) + b"\n")
                out.flush()
    return 0


def _units() -> Iterator[str]:
    """The units on standard input, which a thread reads; it ends the process where the input ends."""
    units: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin.buffer:
            units.put(line.decode().rstrip("\n"))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield units.get()


Start: TypeAlias = Callable[[Any, dict[str, Any]], AbstractContextManager[Work[Any]]]
"""Gives, within a context, the work on the declarations of a project (`resolve.project`) from options, which are JSON
data; a function of a module."""
LOADED = "gramprobe.project:at_work"
"""The work of a process on the project that it loads."""


class ProjectFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What another process needs to load the project of this process.

    Attributes:
        folders: the folders beside the shipped one.
        sentences: the file of given sentences, if one was named.
        names: the names that `load` was limited to.
        digest: the hash of all files; a process that reads others refuses.
    """

    folders: list[str]
    sentences: str | None
    names: list[str]
    digest: str


def loading(start: Start, options: dict[str, Any], files: ProjectFiles) -> dict[str, Any]:
    """The options of :data:`LOADED`: which project, and what is done on it."""
    return {
        "cwd": os.getcwd(),  # to which the folders may relate
        "files": msgspec.to_builtins(files),
        "start": f"{start.__module__}:{start.__qualname__}",
        "options": options,
    }


def results(
    start: Start,
    options: dict[str, Any],
    result: type[Result],
    names: Sequence[str],
    declarations: Any,
    files: ProjectFiles | None,
    each: int,
    finished: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[str, Result]]:
    """Every paradigm with its result, in the order given, from this process and as many workers as the names justify.

    ``files``: the project of ``declarations``, for workers to load; without it there are none. ``each``: paradigms for
    each further process: how many are done in the time that a process takes to start. ``finished``: as for `in_order`.
    Raises what the work raises.
    """
    count = 0 if files is None else min(processes(), len(names) // each) - 1
    job = Job(start=LOADED, options=None if files is None else loading(start, options, files), result=result)
    return in_order(job, names, count, start(declarations, options), finished)
