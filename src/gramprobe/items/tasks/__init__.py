"""The tasks, one module for each. A new task is one module and one entry of :data:`TASKS` (CONTRIBUTING: "Add a task");
packages add others.

    nli            premise => hypothesis                 a label (entailment, neutral, contradiction)
    choice         sentence => option                    which readings of the sentence each of two options fits
    continuation   ambiguous, control => followup        which readings each of two follow-ups fits
    coref          sentence => followup, hypothesis      which readings have an antecedent for its pronoun
    sentences      sentence                              nothing: sentences with their regions
    minimal_pair   good, bad                             which constraint alone repairs each bad sentence

The bases of tasks are `nli.Nli` (labels of pairs), `reading.ReadingTask` (readings of sentences) and `text.TextTask`
(nothing is decided).

Every command imports this table, so its modules import slow modules inside the methods that need them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gramprobe.items.task import misfit
from gramprobe.items.tasks.choice import Choice
from gramprobe.items.tasks.continuation import Continuation
from gramprobe.items.tasks.coref import Coref
from gramprobe.items.tasks.minimal_pair import MinimalPair
from gramprobe.items.tasks.nli import Nli
from gramprobe.items.tasks.sentences import Sentences
from gramprobe.registry import Registry
from gramprobe.resolve.tasks import TaskForms

if TYPE_CHECKING:
    from gramprobe.items.task import Task
    from gramprobe.resolve.paradigm.data import Paradigm

_SHIPPED: tuple[Task, ...] = (Nli(), Choice(), Continuation(), Coref(), Sentences(), MinimalPair())
TASKS: Registry[Task] = Registry("task", {task.name: task for task in _SHIPPED}, "gramprobe.items.task:Task", misfit)


def task_forms() -> TaskForms:
    """The forms of all tasks, which resolving a paradigm needs."""
    return TaskForms(TASKS)


def task_of(paradigm: Paradigm) -> Task:
    """The task of a paradigm."""
    return TASKS[paradigm.task]
