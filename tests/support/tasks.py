"""Tasks of a test's own: registered for one test, and those of the manual."""

from __future__ import annotations

import textwrap
from itertools import takewhile

import pytest

from gramprobe.items import task as manual
from gramprobe.items.task import Task
from gramprobe.items.tasks import TASKS, reading
from gramprobe.items.tasks.text import TextTask
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm


def of_manual(name: str) -> Task:
    """A task in the docstring of the protocol, as a newcomer copies it."""
    text = manual.__doc__ or ""
    start = text.index(f"    class {name}(")
    lines = list(takewhile(lambda line: not line or line.startswith("    "), text[start:].splitlines()))
    names = {
        **vars(reading),
        **vars(manual),
        "TextTask": TextTask,
        "Heading": Heading,
        "TaskForm": TaskForm,
        "Scored": Scored,
    }
    exec(textwrap.dedent("\n".join(lines)), names)
    task: Task = names[name]()
    return task


def registered(task: Task, patch: pytest.MonkeyPatch) -> Task:
    patch.setitem(TASKS.shipped, task.name, task)
    return task
