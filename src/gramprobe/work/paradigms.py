"""The paradigms of one project as units of work, for processes that load the project themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from gramprobe.work.pool import Job, Result, Work, in_order, processes

if TYPE_CHECKING:
    from gramprobe.resolve.project import Declarations

Start: TypeAlias = "Callable[[Declarations, dict[str, Any]], AbstractContextManager[Work[Any]]]"
"""Gives, within a context, the work on a project from options, which are JSON data; a function of a module."""
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
    declarations: Declarations,
    files: ProjectFiles | None,
    each: int,
) -> Iterator[tuple[str, Result]]:
    """Every paradigm with its result, in the order given, from this process and as many workers as the names justify.

    ``files``: the project of ``declarations``, for workers to load; without it there are none. ``each``: paradigms for
    each further process: how many are done in the time that a process takes to start. Raises what the work raises.
    """
    count = 0 if files is None else min(processes(), len(names) // each) - 1
    job = Job(start=LOADED, options=None if files is None else loading(start, options, files), result=result)
    return in_order(job, names, count, start(declarations, options))
