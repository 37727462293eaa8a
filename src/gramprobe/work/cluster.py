"""Units of work on the machines of a Ray cluster. No other module imports Ray.

A unit is done by an actor, a process with the model or the project in memory, and is finished when its file is in
place; only small results come back. If the process or its machine dies, the unit is done again elsewhere, at most
:data:`TRIES` times. Files are read and written under the same paths on all machines, and nothing is uploaded.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import re
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from gramprobe.cache import program_version
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError
from gramprobe.work.pool import made

Unit = TypeVar("Unit")

TRIES = 3
"""How often a unit is begun at most, and how often in a row an actor may end before it is ready."""
WAIT = 600.0
"""Seconds within which the cluster must start an actor, if none is running: one that grows needs some minutes."""
ANSWER = 120.0
"""Seconds within which each machine must say what it sees."""
REACHED = 20.0
"""Seconds within which a connection to the cluster must be made."""
SHARE = 0.9
"""The part of a CPU that an actor asks for by thread. Whole CPUs would leave none to other tasks of the cluster, which
then wait for ever; halves would let all actors stand on half of the machines."""
TOKENS = 2, 59
"""The first release of Ray that asks for a token."""
STORE = 256 << 20
"""Bytes of the object store of a cluster that is started here."""

_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # under `uv run` Ray would upload the working folder
    "RAY_worker_niceness": "0",  # in a cluster that is started here; Ray's own choice is 15
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # what a coming version does, and without its warning
}


def check_address(address: str) -> None:
    """Raise UsageError (E62) for an address that Ray cannot have, or if Ray is not installed."""
    if address and not re.fullmatch(r"auto|(ray://)?(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}", address):
        raise messages.cluster.bad_address(address)
    if find_spec("ray") is None:
        raise messages.packages.lacking("--engine ray", "ray", "ray", "E62")


def _check_reached(address: str) -> None:
    """Raise UsageError (E62) if nothing answers at an address: Ray itself would try for ten minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host:  # `auto`: Ray knows at once
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=REACHED).close()
    except (OSError, OverflowError) as error:
        raise messages.cluster.unreachable(address, _last_line(error)) from None


@dataclass(frozen=True)
class Failed:
    """A unit whose work raised an error: the error, and the machine."""

    text: str
    node: str


@dataclass(frozen=True)
class Cluster:
    """A cluster that this process is connected to."""

    ray: Any

    def nodes(self) -> list[dict[str, Any]]:
        """The machines that run actors."""
        return [each for each in self.ray.nodes() if each["Alive"] and each["Resources"].get("CPU", 0) > 0]

    def total(self, resource: str) -> float:
        """How much of a resource (`CPU`, `GPU`) the machines have."""
        return float(sum(each["Resources"].get(resource, 0) for each in self.nodes()))

    def actors(self, threads: int, gpu: bool) -> int:
        """How many actors the machines have room for: one for each GPU, or for so many CPUs as threads."""
        if gpu:
            return int(self.total("GPU"))
        return max(1, sum(int(each["Resources"]["CPU"] // threads) for each in self.nodes()))

    def check(self, read: Iterable[str], write: str) -> None:
        """Raise UsageError (E62) unless each machine has this version of gramprobe, and sees the files to ``read`` and
        what stands in the folder to ``write`` to."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

        places, ray = list(read), self.ray
        mark, word = Path(write) / f".seen-{secrets.token_hex(8)}", secrets.token_hex(8)
        mark.write_text(word, "utf-8")
        try:
            look = ray.remote(num_cpus=0, max_retries=0)(_lacking)
            asked = {
                look.options(scheduling_strategy=On(node["NodeID"], soft=False)).remote(
                    places, str(mark), word, program_version()
                ): node["NodeManagerAddress"]
                for node in self.nodes()
            }
            ready, late = ray.wait(list(asked), num_returns=len(asked), timeout=ANSWER)
            for each in late:
                raise messages.cluster.unusable_node(asked[each], f"it does not answer within {ANSWER:.0f} seconds")
            for each in ready:
                try:
                    lacking = ray.get(each)
                except ray.exceptions.RayError as error:
                    raise messages.cluster.unusable_node(asked[each], _last_line(error)) from None
                if lacking:
                    raise messages.cluster.unusable_node(asked[each], lacking)
        finally:
            mark.unlink(missing_ok=True)


def _lacking(places: Sequence[str], mark: str, word: str, version: str) -> str:
    """What this machine lacks, as a clause; empty if nothing. Runs on each machine."""
    if program_version() != version:
        return "it has another version of gramprobe or of Python"
    for place in places:
        if not os.path.exists(place):
            return f"there is no `{place}`"
    try:
        if Path(mark).read_text("utf-8") == word:
            return ""
    except OSError:
        pass
    return f"it does not see what is written to `{os.path.dirname(mark)}`: the folder is not shared"


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def _lock() -> None:
    """Let clusters that are started here listen to this machine alone, and answer who knows a token of this process.

    Ray would keep a token in the home folder, where others of the machine can read it; and it takes an address of the
    network except where it allows no cluster of several machines, as by itself on macOS. It reads all this once, when
    it is imported. What the user has set stays. Raises UsageError (E62) for a Ray without tokens.
    """
    found = version("ray")
    if tuple(map(int, re.findall(r"\d+", found)[:2])) < TOKENS:
        raise messages.cluster.unreachable("", f"Ray {found} has no tokens that keep others out, as Ray 2.59 has")
    if "ray" not in sys.modules:
        token = secrets.token_hex(32)
        for name, value in (
            ("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0"),
            ("RAY_AUTH_MODE", "token"),
            ("RAY_AUTH_TOKEN", token),
        ):
            os.environ.setdefault(name, value)


@contextlib.contextmanager
def connected(address: str = "", workers: int = 0, threads: int = 1) -> Iterator[Cluster]:
    """A connection to the cluster at an address, or (empty) to one on this machine, which ends with the block.

    ``workers``, ``threads``: a cluster of this machine has room for so many. Raises UsageError (E62).
    """
    check_address(address)
    _check_reached(address)
    os.environ.update(_SETTINGS)
    if not address:
        _lock()
    import ray

    with contextlib.ExitStack() as stack:
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL, "configure_logging": True}
        if address:
            options["address"] = address
        else:
            cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
            # sockets have names of at most 107 characters, which long temporary folders exceed
            root = "/tmp" if os.path.isdir("/tmp") else None
            logs = tempfile.TemporaryDirectory(prefix="ray-", dir=root, ignore_cleanup_errors=True)
            options |= {
                "address": "local",
                "num_cpus": max(cores, workers * threads),
                "object_store_memory": STORE,
                "include_dashboard": False,
                "_temp_dir": stack.enter_context(logs),
            }
        _keep_quiet(ray)
        stack.callback(ray.shutdown)
        before = signal.getsignal(signal.SIGTERM)
        try:
            with contextlib.nullcontext() if address else _our_modules():
                ray.init(**options)
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, before)  # Ray would exit at once, past everything that cleans up here
        except Exception as error:  # Ray raises errors of many kinds: no connection, another version, no memory
            raise messages.cluster.unreachable(address, _last_line(error)) from None
        yield Cluster(ray)


@contextlib.contextmanager
def _our_modules() -> Iterator[None]:
    """Let Python processes that are started in the block find the modules that this one finds."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(place for place in sys.path if place)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def _keep_quiet(ray: Any) -> None:
    """Have Ray print nothing about processes that died: they are counted here, and reported if there are too many."""
    worker: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(worker, "print_to_stdstream"):  # no setting turns these lines off (Ray 2.60)
        worker.print_to_stdstream = lambda *_, **__: None


# ---- actors


class _Actor:
    """A process of the cluster: it makes the work once, and then does units."""

    def begin(self, start: str, options: Any) -> tuple[bool, Any]:
        """Make the work. Whether that was done, and the address of the machine (else that and the error)."""
        import ray

        node = str(ray.util.get_node_ip_address())
        try:
            # never closed: the process ends by being killed
            self._open = contextlib.ExitStack()
            self._work = self._open.enter_context(made(start, options))
        except Exception as error:
            return False, (node, _said(error))
        return True, node

    def do(self, unit: Any) -> tuple[bool, Any]:
        """Whether a unit was done, and its result or the error."""
        try:
            return True, self._work(unit)
        except Exception as error:
            return False, _said(error)


def _said(error: Exception) -> str:
    return error.message if isinstance(error, UsageError) else f"{type(error).__name__}: {_last_line(error)}"


_STALE = -1
"""The number of a unit whose result nobody waits for any more."""


@dataclass(eq=False)
class _Member:
    """An actor as the pool knows it. `unit`: the number of the unit that it does, or :data:`_STALE`; None while it
    begins or is idle."""

    actor: Any
    node: str = ""
    unit: int | None = None


class _Queue(Generic[Unit]):
    """Units in their order, and those that must be begun anew.

    Attributes:
        begun: the units that are begun and not finished, by their numbers.
    """

    def __init__(self, units: Iterable[Unit], ahead: int | None) -> None:
        """``ahead``: how many units may be begun from the first unfinished one on; None: any number."""
        self.begun: dict[int, Unit] = {}
        self._fresh, self._ahead = enumerate(units), ahead
        self._next, self._used_up = 0, False
        self._again: deque[int] = deque()
        self._tries: Counter[int] = Counter()

    def take(self) -> tuple[int, Unit] | None:
        """The number of the unit to begin now, and the unit; None if there is none, or others must be finished."""
        if self._again:
            number = self._again.popleft()
        else:
            if self._ahead is not None and self.begun and self._next - min(self.begun) >= self._ahead:
                return None
            fresh = next(self._fresh, None)
            if fresh is None:
                self._used_up = True
                return None
            number, unit = fresh
            self.begun[number] = unit
            self._next = number + 1
        self._tries[number] += 1
        return number, self.begun[number]

    def put_back(self, number: int | None) -> None:
        """Have a unit begun anew whose actor died. Raises UsageError (E62) after :data:`TRIES` times."""
        if number not in self.begun:
            return
        assert number is not None
        if self._tries[number] >= TRIES:
            raise messages.cluster.lost(str(self.begun[number]), TRIES)
        self._again.append(number)

    def is_done(self) -> bool:
        """Whether all units are finished."""
        return self._used_up and not self.begun


@dataclass
class Pool(Generic[Unit]):
    """Actors that do units. Use as a context: they end with it.

    Attributes:
        cluster: where they run.
        start, options: as in `gramprobe.work.pool.Job`, but a unit and its result may be anything that can be pickled.
        count: how many actors.
        threads: how many threads each has.
        gpu: whether each has a GPU.
    """

    cluster: Cluster
    start: str
    options: Any
    count: int
    threads: int = 1
    gpu: bool = False
    _members: dict[Any, _Member] = field(default_factory=dict)  # by what we wait for
    _idle: list[_Member] = field(default_factory=list)
    _failures: int = 0  # actors in a row that ended before they were ready

    def __enter__(self) -> Pool[Unit]:
        ray = self.cluster.ray
        cpus = SHARE * min(self.threads, self.cluster.total("CPU") / self.count)
        self._class = ray.remote(_Actor).options(
            # hundredths, rounded down: Ray counts in ten-thousandths
            num_cpus=math.floor(cpus * 100) / 100, num_gpus=1 if self.gpu else 0,
            max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD",
        )  # fmt: skip
        for _ in range(self.count):
            self._add()
        return self

    def __exit__(self, *error: object) -> None:
        for member in [*self._members.values(), *self._idle]:
            self._end(member)

    def each(self, units: Iterable[Unit]) -> Generator[tuple[Unit, Any]]:
        """Every unit with its result, or with :class:`Failed`, in the order in which they are finished.

        Raises UsageError (E62) where a unit was begun :data:`TRIES` times by actors that died, and where no actor can
        be started.
        """
        for _, unit, result in self._each(units, None):
            yield unit, result

    def in_order(self, units: Iterable[Unit], ahead: int) -> Generator[tuple[Unit, Any]]:
        """The same in the order of the units. At most ``ahead`` of them are begun and not yet given."""
        waiting: dict[int, tuple[Unit, Any]] = {}
        first = 0
        for number, unit, result in self._each(units, ahead):
            waiting[number] = unit, result
            while first in waiting:
                yield waiting.pop(first)
                first += 1

    def _each(self, units: Iterable[Unit], ahead: int | None) -> Iterator[tuple[int, Unit, Any]]:
        """Every unit with its number and its result. ``ahead``: how many are begun from the first unfinished one on."""
        queue = _Queue(units, ahead)
        since = time.monotonic()  # when an actor was last at work
        try:
            while True:
                self._hand_out(queue)
                if queue.is_done():
                    return
                ready = self._ready()
                if not ready:
                    busy = any(member.unit is not None for member in self._members.values())
                    since = time.monotonic() if busy else since
                    if time.monotonic() - since > WAIT:
                        raise messages.cluster.no_actor(int(WAIT), self.cluster.total("CPU"))
                    continue
                member = self._members.pop(ready[0])
                number, member.unit = member.unit, None
                answer = self._answer(ready[0], member, begins=number is None)
                if answer is None:
                    self._replace(member, ready=number is not None)
                    queue.put_back(number)
                    continue
                right, result = answer
                if number is None:
                    if not right:
                        raise messages.cluster.unusable_node(*result)
                    self._failures, member.node = 0, result
                self._idle.append(member)
                if number in queue.begun:
                    yield number, queue.begun.pop(number), result if right else Failed(result, member.node)
                since = time.monotonic()
        finally:
            for member in self._members.values():  # nobody waits for these results any more
                member.unit = member.unit if member.unit is None else _STALE

    def _hand_out(self, queue: _Queue[Unit]) -> None:
        """Have idle actors begin units."""
        while self._idle and (taken := queue.take()):
            number, unit = taken
            member = self._idle.pop()
            member.unit = number
            self._members[member.actor.do.remote(unit)] = member

    def _answer(self, call: Any, member: _Member, begins: bool) -> tuple[bool, Any] | None:
        """What a call of an actor gave; None if the actor died. ``begins``: the call is that of `_Actor.begin`."""
        ray = self.cluster.ray
        try:
            answer: tuple[bool, Any] = ray.get(call)
        except ray.exceptions.RayTaskError as error:  # the result cannot be sent
            return False, (member.node, _last_line(error)) if begins else _last_line(error)
        except ray.exceptions.RayError:
            return None
        return answer

    def _add(self) -> None:
        """Start an actor."""
        actor = self._class.remote()
        begun = actor.begin.remote(self.start, self.options)
        self._members[begun] = _Member(actor)

    def _ready(self) -> list[Any]:
        """What an actor has answered within a second: nothing or one answer."""
        try:
            ready, _ = self.cluster.ray.wait(list(self._members), num_returns=1, timeout=1.0)
        except SystemError as error:  # what a handler of SIGTERM raised while Ray waited: Ray knows Ctrl-C alone
            raise error.__cause__ or error from None
        return list(ready)

    def _replace(self, member: _Member, ready: bool) -> None:
        """Start another actor for one that died. Raises UsageError (E62) if too many died before they were ready."""
        self._end(member)
        self._failures = 0 if ready else self._failures + 1
        if self._failures >= TRIES:
            raise messages.cluster.actors_die() from None
        self._add()

    def _end(self, member: _Member) -> None:
        with contextlib.suppress(Exception):  # the cluster may be gone
            self.cluster.ray.kill(member.actor, no_restart=True)
