"""A worker of `gramprobe.processes`, or an actor of `gramprobe.dataset.remote`: loads the project that its order names
and does one paradigm after another, or one part of a paradigm."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from gramprobe.cache import program_version
from gramprobe.dataset.paradigm import options_of, work
from gramprobe.dataset.shards import Unit, maker
from gramprobe.decide.cache import kept_verdicts
from gramprobe.decide.decider import Decider
from gramprobe.processes import Order, ProjectFiles
from gramprobe.project import load
from gramprobe.source.diagnostic import UsageError


def serve() -> int:
    """Run a worker: an order on standard input, then names; on standard output one result on each line.

    Returns 1 where the worker's files or code differ from those of the order. Otherwise the process ends with its
    input, also amid its work: nobody is left to read the result.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of the terminal; ours ends this one
    gc.set_threshold(200_000, 50, 100)  # as `cli.main`
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # prints of other code must not be read as answers
        order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
        project = load(order.files.folders, order.files.sentences, order.files.names)
        if (project.files, program_version()) != (order.files, order.version):
            return 1
        start = getattr(importlib.import_module(order.module), order.function)
        with contextlib.suppress(BrokenPipeError), start(project.declarations, order.options) as work:
            out.write(b"ready\n")
            out.flush()
            for name in _names():
                out.write(msgspec.json.encode(work(name)) + b"\n")
                out.flush()
    return 0


@contextlib.contextmanager
def actor(start: dict[str, Any]) -> Iterator[Callable[[Unit], Any]]:
    """The work of an actor: from the name of a paradigm to `dataset.paradigm.Written`, from other units as in
    `dataset.shards.maker`.

    ``start``: the working folder ``cwd``, to which the paths of the project relate; the ``files`` of the project; the
    ``options`` of `dataset.paradigm.work`. Raises UsageError where this machine has other files.
    """
    gc.set_threshold(200_000, 50, 100)
    os.chdir(start["cwd"])
    files = msgspec.convert(start["files"], ProjectFiles)
    project = load(files.folders, files.sentences, files.names)
    if project.files != files:
        raise UsageError("its grammars, words or theories are not those of the command")
    options = dict(start["options"])
    asked, folder = options_of(options)
    with work(project.declarations, options) as written, kept_verdicts() as kept:
        decider = Decider(kept=kept, oracle=asked.oracle, dependence=True)
        make = maker(project.declarations, asked, folder, decider)

        def done(unit: Unit) -> Any:
            result = written(unit) if isinstance(unit, str) else make(unit)
            if kept is not None:
                kept.flush()  # the process ends by being killed
            return result

        yield done


def _names() -> Iterator[str]:
    """The names on standard input, which a thread reads; it ends the process where the input ends."""
    names: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin.buffer:
            names.put(line.decode().rstrip("\n"))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield names.get()
