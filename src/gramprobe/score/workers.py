"""Several processes that score the shards of one run. Each loads the model for itself and puts its files in place.

A worker is a separate Python that reads the order, then the name of a shard from each line, and answers with a line
when the shard's file is in place. If a worker ends for any reason, its shard is left to the process that started it,
where errors are reported. Which process scores a shard changes nothing in its file.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections import deque
from collections.abc import Generator
from typing import Any

import msgspec

from gramprobe import pipes
from gramprobe.score.job import job_of, open_source, score_shard
from gramprobe.score.order import Order
from gramprobe.score.source import Finder

_START = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from gramprobe.score.workers import serve
sys.exit(serve())
"""


def shared(order: Order, shards: list[str]) -> Generator[tuple[str, dict[str, Any]]]:
    """Score shards in several processes; the name of each when it is done, and what was found when the model was
    loaded. Shards of a worker that failed are missing. No worker outlives the iteration."""
    left, lock = deque(shards), threading.Lock()
    finished: queue.Queue[tuple[str, dict[str, Any]] | None] = queue.Queue()
    count = min(order.workers, len(shards))
    started: list[pipes.Process] = []
    threads: list[threading.Thread] = []

    def ask(worker: pipes.Process) -> None:
        """Have one worker score shards until none is left or the worker has ended."""
        try:
            found = msgspec.json.decode(pipes.answer(worker, msgspec.json.encode(order)))
            while True:
                with lock:
                    name = left.popleft() if left else None
                if name is None or pipes.answer(worker, name.encode()) != b"done\n":
                    return
                finished.put((name, found))
        except msgspec.MsgspecError:
            return
        finally:
            finished.put(None)

    try:
        for _ in range(count):
            started.append(pipes.start(_START))
            threads.append(threading.Thread(target=ask, args=(started[-1],), daemon=True))
            threads[-1].start()
        running = count
        while running:
            each = finished.get()
            if each is None:
                running -= 1
            else:
                yield each
    finally:
        with lock:
            left.clear()
        pipes.end(started, threads)


def serve() -> int:
    """Be a worker: read an order and names of shards, and answer each with a line. Ends with its input."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever a library prints is no answer
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    job = job_of(order, open_source(order))
    answers.write(msgspec.json.encode(job.engine.load()) + b"\n")
    answers.flush()
    finder = Finder(job.selection)
    for line in sys.stdin.buffer:
        shard = finder.shard(line.decode().rstrip("\n"))
        if shard is None:
            return 1
        for _ in score_shard(job, shard):
            pass
        answers.write(b"done\n")
        answers.flush()
    return 0
