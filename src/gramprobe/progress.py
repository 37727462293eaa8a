"""What long work reports of itself: what is done, how much of it, and of how much.

    with reported_to(lambda what, done, of: print(what, done, of)):
        project.build("presupposition/only")       # "only: instances", 4096, 380000

Each thread has its own listener, and work in other processes reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int], None]
"""Gets what is done, how much of it is done, and all of it; (0, 0) for what has no parts."""


def _nobody(what: str, done: int, of: int) -> None:
    pass


_LISTENER: ContextVar[Listener] = ContextVar("progress", default=_nobody)


@contextmanager
def reported_to(listener: Listener) -> Iterator[None]:
    """Within it, work reports to this listener, which is called often and must be quick."""
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def report_progress(what: str, done: int = 0, of: int = 0) -> None:
    """Say how far some work is."""
    _LISTENER.get()(what, done, of)
