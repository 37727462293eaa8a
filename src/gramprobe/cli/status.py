"""The status line of a command: the present step, in a line of the terminal that is deleted at the end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

_CLEAR = "\r\033[K"
"""To the beginning of the line, and delete it (ECMA-48: CR, EL)."""


@contextmanager
def status_line(shown: bool) -> Iterator[Callable[[str], None]]:
    """A function that replaces the text of the line on standard error; it does nothing unless ``shown``."""

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
    """A function to call with a line for each finished part, of ``total`` parts.

    It prints the line to standard output, unless ``quiet``, and shows the number of the present part on an
    ``interactive`` terminal.
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
