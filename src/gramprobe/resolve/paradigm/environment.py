"""The environment of a paradigm file: its names while it is resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.data import Draw
from gramprobe.resolve.tasks import TaskForm, TaskForms
from gramprobe.resolve.tree import Tree
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import paradigm_tree as syntax


@dataclass(slots=True, kw_only=True)
class Environment:
    """The names that a term, a condition or a pair may mention, and the diagnostics so far.

    Attributes:
        grammar: of the files that the paradigm uses.
        task: the task of the paradigm.
        findings: the diagnostics of this file.
        draws: the draws by name.
        lets: the ``let`` lines by name.
        trees: the resolved ``let`` lines; None for a line that could not be resolved.
        open: the ``let`` lines that are being resolved, the outermost first.
        used: the draws and lets that are mentioned.
        failed: names whose own line has a reported mistake, so that they need no second message.
    """

    grammar: Grammar
    task: TaskForm
    findings: Findings
    draws: dict[str, Draw] = field(default_factory=dict)
    lets: dict[str, syntax.Let] = field(default_factory=dict)
    trees: dict[str, Tree | None] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)


def environment_of(line: syntax.Paradigm, grammar: Grammar, tasks: TaskForms, findings: Findings) -> Environment:
    """An empty environment for a paradigm file; the names of its unreadable lines count as reported."""
    task = line.settings.get("task", ())
    return Environment(
        grammar=grammar,
        task=tasks.of(task[0].text if task else ""),
        findings=findings,
        used={name for broken in line.broken for name in broken.mentioned},
        failed={name for broken in line.broken for name in broken.names},
    )
