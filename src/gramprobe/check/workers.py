"""Processes that derive paradigms beside this one, each with the project loaded for itself.

A worker is a separate Python that reads one name from each line and answers with one line of JSON. Nothing of this
process is copied into it, so that it works the same on every system. If a worker has other files or code than this
process (somebody saved a file meanwhile), or ends for any reason, its paradigm is derived here.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from gramprobe.check.store import Outcome, from_json, library_version, read_back, to_json, version
from gramprobe.decide.cache import kept_verdicts
from gramprobe.decide.decider import Decider
from gramprobe.project import Project, load
from gramprobe.source.diagnostic import Diagnostic

Derive: TypeAlias = Callable[[str, Project, Decider, bool], tuple[dict[str, Any] | None, Iterable[Diagnostic]]]
"""Derives the report and the diagnostics of a paradigm from its full name; the last argument says whether labels on
trust pass. It must be a function of a module, since workers import it by name."""

EACH = 6
"""Paradigms for each further process: starting a process takes as long as about two paradigms."""

MOST = 8
"""The largest number of processes: each needs some 200 MiB."""

_START = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from gramprobe.check.workers import serve
sys.exit(serve())
"""


class Order(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line that a worker reads.

    Attributes:
        module, function: where the function to call is.
        path: the folders of the project.
        library, version: hashes of the files and of the code; a worker with others refuses.
        allow_bounded: whether labels on trust pass.
    """

    module: str
    function: str
    path: list[str]
    library: str
    version: str
    allow_bounded: bool


def processes() -> int:
    """How many processes may work at once: ``GRAMPROBE_JOBS``, else the cores that this process may use."""
    with contextlib.suppress(ValueError):
        return max(1, int(os.environ.get("GRAMPROBE_JOBS", "")))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST)


def outcomes(
    project: Project, names: Sequence[str], derive: Derive, allow_bounded: bool
) -> Iterator[tuple[str, Outcome]]:
    """Every name with its outcome, in the order given, derived here and by as many workers as the names justify.

    Raises what ``derive`` raises. No worker outlives the iteration.
    """
    order = Order(
        module=derive.__module__,
        function=derive.__qualname__,
        path=[str(folder) for folder in project.own_folders],
        library=library_version(project),
        version=version(),
        allow_bounded=allow_bounded,
    )
    shared = _Shared(names)
    with _workers(min(processes(), len(names) // EACH) - 1, order, shared), kept_verdicts(sealed=True) as kept:
        decider = Decider(kept=kept)
        for name in names:
            while (outcome := shared.outcome(name)) is None:
                mine = shared.take()
                if mine is not None:
                    shared.give(mine, read_back(*derive(mine, project, decider, allow_bounded)))
                    if kept is not None:
                        kept.flush()  # so that workers find the verdicts
            yield name, outcome


class _Shared:
    """The names still to derive and the outcomes so far, shared by threads."""

    def __init__(self, names: Sequence[str]) -> None:
        self._left = deque(names)
        self._outcomes: dict[str, Outcome] = {}
        self._changed = threading.Condition()

    def take(self) -> str | None:
        """The next name, which the caller derives or gives back; None where no name is left."""
        with self._changed:
            return self._left.popleft() if self._left else None

    def give(self, name: str, outcome: Outcome | None) -> None:
        """Add the outcome of a name; None gives the name back to be derived by another."""
        with self._changed:
            if outcome is None:
                self._left.appendleft(name)
            else:
                self._outcomes[name] = outcome
            self._changed.notify_all()

    def outcome(self, name: str) -> Outcome | None:
        """The outcome of a name; None if it has none yet and some name is left. Waits while neither holds."""
        with self._changed:
            self._changed.wait_for(lambda: name in self._outcomes or self._left)
            return self._outcomes.get(name)

    def close(self) -> None:
        """Drop the names that are left, so that threads end."""
        with self._changed:
            self._left.clear()


@contextlib.contextmanager
def _workers(count: int, order: Order, shared: _Shared) -> Iterator[None]:
    """Start workers that take names from ``shared``; all of them are ended on leaving, whatever happens."""
    started: list[subprocess.Popen[bytes]] = []
    threads: list[threading.Thread] = []
    try:
        for _ in range(count):
            with contextlib.suppress(OSError):
                started.append(
                    subprocess.Popen(
                        [sys.executable, "-P", "-c", _START, json.dumps(sys.path)],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL,  # an error of a worker occurs here again, where it is reported
                    )
                )
                threads.append(threading.Thread(target=_ask, args=(started[-1], order, shared), daemon=True))
                threads[-1].start()
        yield
    finally:
        shared.close()
        for worker in started:
            worker.kill()
        for thread in threads:
            thread.join()
        for worker in started:
            worker.wait()
            for stream in (worker.stdin, worker.stdout):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]


def _ask(worker: subprocess.Popen[bytes], order: Order, shared: _Shared) -> None:
    """Have one worker derive names until no name is left or the worker has ended."""
    asked, answers = worker.stdin, worker.stdout
    assert asked is not None and answers is not None

    def answer(line: bytes) -> bytes:
        with contextlib.suppress(OSError, ValueError):
            asked.write(line + b"\n")
            asked.flush()
            return answers.readline()
        return b""

    if answer(msgspec.json.encode(order)) != b"ready\n":
        return
    while (name := shared.take()) is not None:
        outcome = None
        with contextlib.suppress(msgspec.MsgspecError):
            outcome = from_json(answer(name.encode()))
        shared.give(name, outcome)
        if outcome is None:
            return


def serve() -> int:
    """Run a worker: an order on standard input, then names; on standard output one outcome on each line.

    Returns the exit code: 1 where the worker's files or code differ from those of the order.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of the terminal; ours ends this one
    gc.set_threshold(200_000, 50, 100)  # as `cli.main`
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # prints of other code must not be read as answers
        order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
        project = load(order.path)
        if (library_version(project), version()) != (order.library, order.version):
            return 1
        derive: Derive = getattr(importlib.import_module(order.module), order.function)
        with contextlib.suppress(BrokenPipeError), kept_verdicts(sealed=True) as kept:
            out.write(b"ready\n")
            out.flush()
            decider = Decider(kept=kept)
            for line in sys.stdin.buffer:
                outcome = read_back(*derive(line.decode().rstrip("\n"), project, decider, order.allow_bounded))
                if kept is not None:
                    kept.flush()
                out.write(to_json(outcome) + b"\n")
                out.flush()
    return 0
