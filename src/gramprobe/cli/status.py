"""What a command is busy with, in one line of a terminal that changes and is gone at the end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

_CLEAR = "\r\033[K"
"""To the beginning of the line, and delete it (ECMA-48: CR, EL)."""


@contextmanager
def status_line(shown: bool) -> Iterator[Callable[[str], None]]:
    """What to call with the text of the line, which is written to standard error; nothing is, unless ``shown``."""

    def show(text: str) -> None:
        if shown:
            width = shutil.get_terminal_size().columns - 1
            click.echo(_CLEAR + text[:width], nl=False, err=True, color=True)

    try:
        yield show
    finally:
        show("")


@contextmanager
def progress(total: int, quiet: bool, interactive: bool) -> Iterator[Callable[[str], None]]:
    """What to call with a line for each of ``total`` parts that is done.

    The lines go to standard output, unless ``quiet``; an ``interactive`` terminal also shows how far the work is.
    """
    with status_line(interactive and not quiet) as show:
        done = 0

        def report(line: str) -> None:
            nonlocal done
            done += 1
            show("")
            if not quiet:
                click.echo(line)
            if done < total:
                show(f"building {done + 1} of {total}")

        show(f"building 1 of {total}")
        yield report
