"""The terms of definitions are checked: their names, their categories, and that none leads back to itself."""

from __future__ import annotations

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.terms import Environment, expanded
from gramprobe.resolve.tasks import TaskForm
from gramprobe.resolve.tree import Slot
from gramprobe.source.diagnostic import Findings


def check_definitions(grammar: Grammar, findings: Findings) -> None:
    """Report the mistakes in what definitions stand for."""
    for definition in grammar.definitions.values():
        env = Environment(grammar=grammar, task=TaskForm(name="", headings=(), claims=None), findings=findings)
        slots = tuple(Slot(a.name, a.category, a.is_feature) for a in definition.chooser.declared)
        expanded(definition, slots, env, definition.span)
