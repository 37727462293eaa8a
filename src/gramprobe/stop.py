"""Work that can be stopped: the loops of streams, of the decide procedure, of searches and proofs ask whether to go on.

    with stoppable(lambda: event.is_set()):
        project.paradigm("presupposition/only").decided(100)      # raises Stopped soon after the event

A stopped work keeps what was finished and nothing else: a verdict is remembered when it is whole. Each thread has its
own answer, and work in other processes does not ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Stopped(Exception):
    """The work was stopped."""


def _never() -> bool:
    return False


_STOP: ContextVar[Callable[[], bool]] = ContextVar("stop", default=_never)


@contextmanager
def stoppable(stop: Callable[[], bool]) -> Iterator[None]:
    """Within it, work that asks raises Stopped if ``stop()`` is true, or what is around it stops the work; ``stop`` is
    called often and must be quick."""
    around = _STOP.get()
    before = _STOP.set(lambda: around() or stop())
    try:
        yield
    finally:
        _STOP.reset(before)


def ask_stop() -> None:
    """Raise Stopped if the work is to be stopped."""
    if _STOP.get()():
        raise Stopped
