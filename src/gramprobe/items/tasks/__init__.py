"""The tasks, a module each. Adding a task is one module and one line of :data:`TASKS` (CONTRIBUTING has the recipe).

    nli            premise => hypothesis                 a label (entailment, neutral, contradiction)
    choice         sentence => option                    which readings of the sentence each of two options fits
    continuation   ambiguous, control => followup        which readings each of two follow-ups fits
    coref          sentence => followup, hypothesis      where its pronoun has an antecedent, and what exists

Every command reads this table, so that these modules import what is slow to load inside the methods that need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gramprobe.items.tasks.choice import Choice
from gramprobe.items.tasks.continuation import Continuation
from gramprobe.items.tasks.coref import Coref
from gramprobe.items.tasks.nli import Nli

if TYPE_CHECKING:
    from gramprobe.items.task import Task
    from gramprobe.resolve.paradigm.data import Paradigm

TASKS: dict[str, Task] = {task.name: task for task in (Nli(), Choice(), Continuation(), Coref())}


def task_of(paradigm: Paradigm) -> Task:
    """The task that a paradigm sets."""
    return TASKS[paradigm.task]
