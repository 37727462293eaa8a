"""How far a command is: of what, how much is done, of how much, how fast, and how long the rest takes."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from gramprobe.progress import reported_to

SILENT = "GRAMPROBE_NO_PROGRESS"
"""The environment variable with which nothing is shown."""
_CLEAR = "\r\033[K"
"""To the beginning of the line, and delete it (ECMA-48: CR, EL)."""
DRAWN, WRITTEN = 0.1, 60.0
"""Seconds between two states of a terminal's line, and between two lines where there is no terminal."""
BAR = 24


class Progress:
    """The progress of a command on standard error, as a `progress.Listener`: on a terminal in one line, which is
    deleted at the end, and elsewhere a line a minute.

    ``shown``: whether there is any; a command whose answer is JSON has none. ``before``: what stands before each state.
    """

    def __init__(self, shown: bool = True) -> None:
        self.shown = shown and not os.environ.get(SILENT)
        self.terminal, self.before = sys.stderr.isatty(), ""
        self._begun: dict[str, tuple[float, int]] = {}
        self._last, self._what = time.monotonic(), ""

    def __call__(self, what: str, done: int = 0, of: int = 0) -> None:
        if not self.shown:
            return
        now = time.monotonic()
        start, first = self._begun.setdefault(self.before + what, (now, done))
        pause = (DRAWN if what == self._what else 0.0) if self.terminal else WRITTEN
        if now - self._last < pause and (not self.terminal or done < of):
            return
        self._last, self._what = now, what
        rate = (done - first) / (now - start) if now > start else 0.0
        self._write(self.before + state(what, done, of, rate))

    def line(self, text: str) -> None:
        """Print a line on standard output, above the state of a terminal."""
        self.clear()
        click.echo(text)

    def clear(self) -> None:
        """Delete the state from a terminal."""
        if self.shown and self.terminal:
            click.echo(_CLEAR, nl=False, err=True, color=True)

    def _write(self, text: str) -> None:
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            click.echo(_CLEAR + text[:width], nl=False, err=True, color=True)
        else:
            click.echo(text, err=True)


@contextmanager
def progress(shown: bool = True) -> Iterator[Progress]:
    """A progress that work in the block reports of itself (`gramprobe.progress`)."""
    found = Progress(shown)
    try:
        with reported_to(found):
            yield found
    finally:
        found.clear()


def state(what: str, done: int, of: int, rate: float) -> str:
    """A state in words: what, a bar, how much of all, how much in a second, and the time left."""
    if not of:
        return f"{what} ..."
    filled = min(done, of) * BAR // of
    speed = f", {rate:,.1f}/s" if rate else ""
    left = f", {_time((of - done) / rate)} left" if rate and done < of else ""
    return f"{what} [{'#' * filled}{'.' * (BAR - filled)}] {done:,} of {of:,}{speed}{left}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
